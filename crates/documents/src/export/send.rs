//! Sending chunks to a search engine over HTTP/1.1.
//!
//! What may work later is tried again after a while that doubles: no connection, no answer in time, errors of the server, and
//! "too many requests", of the whole chunk or of single documents. What is refused for good is reported with the
//! server's reason; the rest of the chunk has been taken.

use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use url::Url;

use super::bulk::Chunk;

/// The longest answer that is read: a few hundred bytes for each document of a chunk.
const ANSWER: usize = 64 << 20;
/// What is waited before the first further attempt, and at most.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Characters of a server's reason that are repeated.
const REASON: usize = 300;

/// How chunks are sent.
#[derive(Clone, Debug)]
pub struct Sender {
    url: Url,
    /// Further attempts for each chunk.
    pub retries: u32,
    /// How long an answer may take.
    pub timeout: Duration,
}

/// What became of a chunk's documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many were taken.
    pub accepted: u64,
    /// Those that were not.
    pub refused: Vec<Refused>,
    /// Attempts after the first.
    pub retries: u64,
}

/// A document that the server does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its id.
    pub id: String,
    /// The status the server gave it.
    pub status: u16,
    /// Why, in the server's words.
    pub reason: String,
}

/// What ends a sending.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The address is of no use.
    #[error("{0} cannot be sent to: {1}")]
    Address(String, &'static str),
    /// No attempt succeeded.
    #[error("{url} does not take documents, tried {attempts} times: {why}")]
    GaveUp {
        /// Where to.
        url: String,
        /// How often.
        attempts: u32,
        /// What happened the last time.
        why: String,
    },
    /// The server refuses the request as a whole.
    #[error("{url} refuses documents: {why}")]
    Rejected {
        /// Where to.
        url: String,
        /// What it says.
        why: String,
    },
    /// There is no runtime to send with.
    #[error("cannot start to send: {0}")]
    Runtime(std::io::Error),
}

/// Why one attempt failed.
enum Failure {
    /// It may work later; after so long, where the server says.
    ForNow(String, Option<Duration>),
    ForGood(String),
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    errors: bool,
    #[serde(default)]
    items: Vec<serde_json::Map<String, serde_json::Value>>,
}

impl Sender {
    /// A sender to a server's address; `_bulk` is added unless it is there.
    pub fn new(to: &str, retries: u32, timeout: Duration) -> Result<Self, SendError> {
        let bad = |why| SendError::Address(to.to_owned(), why);
        let mut url = Url::parse(to).map_err(|_| bad("write an address such as http://127.0.0.1:9200"))?;
        match url.scheme() {
            "http" => {}
            "https" => return Err(bad("https is not spoken here; put a proxy on this machine in front of the server")),
            _ => return Err(bad("only http:// is spoken here")),
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(bad("it names no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("names and passwords are not sent; put a proxy on this machine in front of the server"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        if !path.ends_with("/_bulk") {
            url.set_path(&format!("{path}/_bulk"));
        }
        Ok(Sender { url, retries, timeout })
    }

    /// Where chunks go.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Sends a chunk and waits for what becomes of it.
    pub fn send(&self, chunk: &Chunk) -> Result<Outcome, SendError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(SendError::Runtime)?;
        runtime.block_on(self.send_until_done(chunk))
    }

    async fn send_until_done(&self, chunk: &Chunk) -> Result<Outcome, SendError> {
        let mut outcome = Outcome::default();
        let mut rest = chunk.clone();
        let mut wait = FIRST_WAIT;
        for attempt in 0..=self.retries {
            let attempted = tokio::time::timeout(self.timeout, self.attempt(&rest)).await;
            let failure = match attempted {
                Ok(Ok(answer)) => match self.take(answer, &mut rest, &mut outcome) {
                    None => return Ok(outcome),
                    Some(failure) => failure,
                },
                Ok(Err(failure)) => failure,
                Err(_) => Failure::ForNow(format!("no answer within {} seconds", self.timeout.as_secs_f32()), None),
            };
            let url = self.url.to_string();
            match failure {
                Failure::ForGood(why) => return Err(SendError::Rejected { url, why }),
                Failure::ForNow(why, _) if attempt == self.retries => {
                    return Err(SendError::GaveUp { url, attempts: attempt + 1, why });
                }
                Failure::ForNow(_, told) => {
                    outcome.retries += 1;
                    tokio::time::sleep(told.unwrap_or(wait).min(LONGEST_WAIT)).await;
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
            }
        }
        Ok(outcome)
    }

    /// Sends a chunk once.
    async fn attempt(&self, chunk: &Chunk) -> Result<Answer, Failure> {
        let for_now = |why: String| Failure::ForNow(why, None);
        let host = self.url.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let port = self.url.port_or_known_default().unwrap_or(80);
        let stream =
            TcpStream::connect((host, port)).await.map_err(|error| for_now(format!("no connection: {error}")))?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| for_now(error.to_string()))?;
        let connection = tokio::spawn(connection);
        let authority = self.url.authority().to_owned();
        let path = match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        };
        let request = Request::post(path)
            .header(header::HOST, authority)
            .header(header::CONTENT_TYPE, "application/x-ndjson")
            .body(Full::new(Bytes::from(chunk.bytes.clone())))
            .map_err(|error| Failure::ForGood(error.to_string()))?;
        let response = sender.send_request(request).await.map_err(|error| for_now(format!("no answer: {error}")))?;
        let status = response.status();
        let told = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let body = Limited::new(response.into_body(), ANSWER).collect().await;
        let body = body.map_err(|error| for_now(format!("the answer broke off: {error}")))?.to_bytes();
        connection.abort();
        judge(status, &body, told.map(Duration::from_secs))
    }

    /// Counts what an answer says of each document, and leaves in `rest` those that are to be sent again.
    fn take(&self, answer: Answer, rest: &mut Chunk, outcome: &mut Outcome) -> Option<Failure> {
        // Quickwit has nothing to say of documents that it took.
        if answer.items.is_empty() && !answer.errors {
            outcome.accepted += rest.ids.len() as u64;
            return None;
        }
        if answer.items.len() != rest.ids.len() {
            let (said, sent) = (answer.items.len(), rest.ids.len());
            return Some(Failure::ForNow(format!("it answers for {said} of {sent} documents"), None));
        }
        let mut again = Vec::new();
        let mut why = String::new();
        for (place, item) in answer.items.iter().enumerate() {
            let result = item.values().next().cloned().unwrap_or_default();
            let status = result.get("status").and_then(serde_json::Value::as_u64).unwrap_or(500) as u16;
            let reason = || shortened(&result.get("error").map(reason_of).unwrap_or_default());
            match status {
                200..=299 => outcome.accepted += 1,
                429 | 503 => {
                    why = format!("documents are put off with status {status}: {}", reason());
                    again.push(place);
                }
                _ => outcome.refused.push(Refused { id: rest.ids[place].clone(), status, reason: reason() }),
            }
        }
        if again.is_empty() {
            return None;
        }
        *rest = rest.only(&again);
        Some(Failure::ForNow(why, None))
    }
}

/// What an answer means as a whole.
fn judge(status: StatusCode, body: &[u8], told: Option<Duration>) -> Result<Answer, Failure> {
    let said = || shortened(&format!("{status}: {}", String::from_utf8_lossy(body).trim()));
    match status {
        status if status.is_success() => serde_json::from_slice(body)
            .map_err(|_| Failure::ForGood(format!("what it answers is no answer to a bulk request: {}", said()))),
        StatusCode::TOO_MANY_REQUESTS => Err(Failure::ForNow(said(), told)),
        status if status.is_server_error() => Err(Failure::ForNow(said(), told)),
        StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Failure::ForGood(format!("{}; send less at once with --chunk-size", said())))
        }
        _ => Err(Failure::ForGood(said())),
    }
}

/// Elasticsearch explains with an object, others with a sentence.
fn reason_of(error: &serde_json::Value) -> String {
    let text = |name: &str| error.get(name).and_then(serde_json::Value::as_str);
    match (text("type"), text("reason")) {
        (Some(kind), Some(reason)) => format!("{kind}: {reason}"),
        (None, Some(reason)) => reason.to_owned(),
        _ => error.as_str().map_or_else(|| error.to_string(), str::to_owned),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(REASON).collect()
}
