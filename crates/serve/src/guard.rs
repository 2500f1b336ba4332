//! Who may ask, and what every answer carries.
//!
//! A server on the loopback interface is still reached by every web page the user has open. Such a page may give its
//! own name the loopback address to read answers, so requests must name a host that is ours; and it may send forms, so what
//! changes something must come from a page of ours.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use tokio::time::timeout;

use super::Options;
use super::answers::Problem;
use super::failure::Failure;
use super::limits::REQUEST_TIME;
use super::state::App;

/// Scripts and styles from here only, nothing inline, no connection to anywhere else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What every answer carries.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer` a browser would not say where our own forms come from.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (HeaderName::from_static("x-dns-prefetch-control"), "off"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// The names this server goes by; none where it is open to others, who may call it anything.
pub(super) struct Hosts(Option<SocketAddr>);

impl Hosts {
    pub(super) fn new(options: &Options) -> Self {
        Hosts(options.addr.ip().is_loopback().then_some(options.addr))
    }

    /// Whether a `Host` header names this server. The port does not matter: it may have been forwarded.
    fn knows(&self, host: &str) -> bool {
        let Some(addr) = self.0 else { return true };
        let Ok(uri) = format!("http://{host}/").parse::<Uri>() else { return false };
        let name = uri.host().unwrap_or_default();
        let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip == addr.ip() || ip.is_loopback())
    }
}

/// The page for people whose request is not answered.
#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage {
    page: super::answers::Chrome,
    failure: Failure,
}

/// Around everything: refuses strangers, ends what takes too long, dresses failures, adds headers.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let response = match check(&app.hosts, &request) {
        Ok(()) => match timeout(REQUEST_TIME * 2, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Failure::slow().into_response(),
        },
        Err(failure) => failure.into_response(),
    };
    with_headers(dressed(&app, response, is_api))
}

fn check(hosts: &Hosts, request: &Request) -> Result<(), Failure> {
    let text = |name: HeaderName| header_text(request.headers(), name);
    let host = text(header::HOST).or_else(|| request.uri().host()).unwrap_or_default();
    if !hosts.knows(host) {
        return Err(Failure::forbidden(
            "This server answers on this machine only: ask for it as 127.0.0.1 or localhost.",
        ));
    }
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let elsewhere = || Failure::forbidden("Judgements are taken from this server's own pages only.");
    let from_here = |origin: &str| origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host));
    if text(header::ORIGIN).is_some_and(|origin| !from_here(origin)) {
        return Err(elsewhere());
    }
    match text(HeaderName::from_static("sec-fetch-site")) {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(elsewhere()),
    }
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Failures as whoever asked reads them: JSON for programs, a page for people.
fn dressed(app: &App, response: Response, is_api: bool) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let known = response.extensions().get::<Failure>().cloned();
    let failure = known.unwrap_or_else(|| Failure::of_status(status));
    if is_api {
        return (status, Json(Problem { error: failure.message })).into_response();
    }
    let page = FailurePage { page: app.chrome("Not answered", "", ""), failure };
    match page.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(_) => status.into_response(),
    }
}

fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    // A page's own source has a policy of its own.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    response
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use axum::body::Body;

    fn hosts(addr: &str) -> Hosts {
        let addr: SocketAddr = addr.parse().unwrap();
        Hosts(addr.ip().is_loopback().then_some(addr))
    }

    fn post(headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().method("POST").uri("/judge");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    #[test]
    fn only_our_own_names_are_answered_on_loopback() {
        let hosts = hosts("127.0.0.1:7700");
        for good in ["127.0.0.1:7700", "localhost", "LocalHost:9", "[::1]:7700"] {
            assert!(hosts.knows(good), "{good}");
        }
        for bad in ["evil.example:7700", "", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "a b"] {
            assert!(!hosts.knows(bad), "{bad}");
        }
    }

    #[test]
    fn a_server_for_others_may_be_called_anything() {
        assert!(hosts("0.0.0.0:7700").knows("search.example"));
    }

    #[test]
    fn what_changes_something_must_come_from_our_own_pages() {
        let hosts = hosts("127.0.0.1:7700");
        let host = ("host", "127.0.0.1:7700");
        let good = [&[host][..], &[host, ("origin", "http://127.0.0.1:7700"), ("sec-fetch-site", "same-origin")]];
        assert!(good.iter().all(|headers| check(&hosts, &post(headers)).is_ok()));
        let bad = [
            &[host, ("origin", "http://evil.example")][..],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:9999")],
            &[host, ("sec-fetch-site", "cross-site")],
        ];
        assert!(bad.iter().all(|headers| check(&hosts, &post(headers)).is_err()));
    }
}
