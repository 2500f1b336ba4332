//! Requests that are not answered: why, for people and for programs.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use unhusk_index::index::IndexError;

/// Why a request is not answered. What it looks like depends on who asked, so `guard` dresses it.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    /// A sentence that says what to do.
    pub(super) message: String,
}

impl Failure {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Failure { status, message: message.into() }
    }

    pub(super) fn bad(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn missing(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::FORBIDDEN, message)
    }

    pub(super) fn busy() -> Self {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "Too many requests at once: try again in a moment.")
    }

    pub(super) fn slow() -> Self {
        Failure::new(StatusCode::GATEWAY_TIMEOUT, "That took too long: ask for less, or for rarer words.")
    }

    pub(super) fn broken() -> Self {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong inside the server.")
    }

    /// For what the router and the extractors refuse, whose own words are for programmers.
    pub(super) fn of_status(status: StatusCode) -> Self {
        let message = match status {
            StatusCode::NOT_FOUND => "There is no such page.",
            StatusCode::METHOD_NOT_ALLOWED => "That cannot be done with this address.",
            StatusCode::PAYLOAD_TOO_LARGE => "The request is too large.",
            _ => "The request cannot be understood.",
        };
        Failure::new(status, message)
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, format!("The index cannot answer: {error}."))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
