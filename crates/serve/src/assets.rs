//! Files that are inside the program: no folder to find, nothing to fetch.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use unhusk_eval::report::html;

/// Types and contents of the files.
pub(super) async fn style() -> Response {
    answer("text/css; charset=utf-8", include_str!("assets/style.css"))
}

pub(super) async fn report_style() -> Response {
    answer("text/css; charset=utf-8", html::STYLE)
}

pub(super) async fn script() -> Response {
    answer("text/javascript; charset=utf-8", include_str!("assets/app.js"))
}

pub(super) async fn icon() -> Response {
    answer("image/svg+xml", include_str!("assets/icon.svg"))
}

pub(super) async fn interface() -> Response {
    answer("application/json", include_str!("../../../docs/openapi.json"))
}

fn answer(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
