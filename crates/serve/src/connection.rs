//! Connections: how many, how slow, how long.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf, duplex, split};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::limits::{CONNECTION_TIME, CONNECTIONS, GOODBYE, HEAD_BYTES, HEAD_TIME, STALLED};
use unhusk_index::ingest::Interrupt;

/// How often an interrupt is looked for, and how long to wait when the system has no more files.
const PAUSE: Duration = Duration::from_millis(100);

/// Takes connections until it is interrupted, then lets those that are answered end.
pub(super) async fn accept(listener: TcpListener, router: Router, interrupt: &Interrupt) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let (end, ending) = watch::channel(false);
    while !interrupt.is_set() {
        let Ok(Ok(place)) = timeout(PAUSE, places.clone().acquire_owned()).await else { continue };
        let stream = match timeout(PAUSE, listener.accept()).await {
            Ok(Ok((stream, _))) => stream,
            Ok(Err(_)) => {
                sleep(PAUSE).await;
                continue;
            }
            Err(_) => continue,
        };
        let (router, ending) = (router.clone(), ending.clone());
        tokio::spawn(async move {
            // Answers are small and complete: no use in waiting for more.
            let _ = stream.set_nodelay(true);
            converse(&http(), stream, router, ending).await;
            drop(place);
        });
    }
    let _ = end.send(true);
    // Whoever is not done by then is cut off.
    let _ = timeout(GOODBYE, places.acquire_many(CONNECTIONS as u32)).await;
}

/// How requests are read.
fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD_BYTES);
    http
}

/// What is answered to bytes.
pub(super) async fn answer(sent: &[u8], router: Router) -> Vec<u8> {
    let (client, server) = duplex(HEAD_BYTES);
    let (mut from, mut to) = split(client);
    // Who has sent everything still waits for the answer.
    let mut http = http();
    http.half_close(true);
    let (_end, ending) = watch::channel(false);
    let mut answer = Vec::new();
    let send = async {
        // An error is a server that has heard enough.
        let _ = to.write_all(sent).await;
        let _ = to.shutdown().await;
    };
    let (_, _, _) = tokio::join!(converse(&http, server, router, ending), send, from.read_to_end(&mut answer));
    answer
}

async fn converse<S>(http: &http1::Builder, stream: S, router: Router, mut ending: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http.serve_connection(TokioIo::new(Patient::new(stream)), TowerToHyperService::new(router));
    tokio::pin!(connection);
    // Errors are the client's: it went away, or sent what is no HTTP.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = sleep(CONNECTION_TIME) => {}
        _ = ending.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// A connection that gives up when the other side takes nothing for too long.
struct Patient<S> {
    stream: S,
    /// When patience ends; none while nothing waits.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    fn new(stream: S) -> Self {
        Patient { stream, end: None }
    }

    fn waited<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.end = None;
            return polled;
        }
        let end = self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + STALLED)));
        match end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.waited(polled, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.waited(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.waited(polled, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
