//! Which address is answered by what.

use std::sync::Arc;

use askama::Template;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::Html;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};

use super::answers::{Health, IndexSummary};
use super::failure::Failure;
use super::limits::BODY_BYTES;
use super::state::App;
use super::{assets, guard, judge, page, report, search, side, source, templates};

pub(super) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(search::page))
        .route("/compare", get(side::page))
        .route("/page", get(page::page))
        .route("/source", get(source::source))
        .route("/templates", get(templates::page))
        .route("/report", get(report::page))
        .route("/judge", post(judge::form))
        .route("/api/search", get(search::api))
        .route("/api/compare", get(side::api))
        .route("/api/page", get(page::api))
        .route("/api/templates", get(templates::api))
        .route("/api/report", get(report::api))
        .route("/api/judge", post(judge::api))
        .route("/api/health", get(health))
        .route("/api/openapi.json", get(assets::interface))
        .route("/assets/style.css", get(assets::style))
        .route("/assets/report.css", get(assets::report_style))
        .route("/assets/app.js", get(assets::script))
        .route("/favicon.ico", get(assets::icon))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    Json(Health {
        status: "ok",
        unhusk: env!("CARGO_PKG_VERSION"),
        indexes: app.all().iter().map(|opened| IndexSummary::new(opened)).collect(),
        queries: app.judgements.count(),
        judging: app.judgements.writable(),
    })
}

/// A page of HTML.
pub(super) fn rendered(page: impl Template) -> Result<Html<String>, Failure> {
    page.render().map(Html).map_err(|_| Failure::broken())
}
