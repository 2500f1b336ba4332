//! Judging by click: forms for people, JSON for the script that saves them the reloading.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Redirect;
use axum::{Form, Json};
use serde::Deserialize;

use super::answers::Judged;
use super::failure::Failure;
use super::params;
use super::state::App;
use super::text::address;

/// A judgement as programs send it.
#[derive(Deserialize)]
pub(super) struct Judgement {
    query: String,
    id: String,
    /// 1 and more is relevant, 0 is not; none takes the judgement back.
    grade: Option<i32>,
}

/// Grades people tell apart.
const GRADES: std::ops::RangeInclusive<i32> = 0..=9;

async fn judge(app: Arc<App>, query: String, id: String, grade: Option<i32>) -> Result<Judged, Failure> {
    let query = params::query(&query, app.limits)?;
    if grade.is_some_and(|grade| !GRADES.contains(&grade)) {
        return Err(Failure::bad("A grade is a number from 0 to 9."));
    }
    let inside = app.clone();
    let work = move || {
        // What is judged must be a page of one of the indexes.
        let mut known = None;
        for opened in inside.all() {
            known = known.or(opened.engine.stored(&id)?.map(|stored| stored.id));
        }
        let id = known.ok_or_else(|| Failure::missing("No index has a page of that id."))?;
        let query_id = inside.judgements.judge(&query, &id, grade)?;
        Ok(Judged { query, query_id, id, grade })
    };
    app.gate.work(work).await
}

pub(super) async fn api(
    State(app): State<Arc<App>>,
    Json(judgement): Json<Judgement>,
) -> Result<Json<Judged>, Failure> {
    Ok(Json(judge(app, judgement.query, judgement.id, judgement.grade).await?))
}

/// A form's judgement; afterwards the page it came from is shown again.
pub(super) async fn form(
    State(app): State<Arc<App>>,
    Form(fields): Form<HashMap<String, String>>,
) -> Result<Redirect, Failure> {
    let field = |name: &str| fields.get(name).map_or("", String::as_str);
    let grade = match field("grade") {
        "" => None,
        text => Some(text.parse().map_err(|_| Failure::bad("A grade is a number from 0 to 9."))?),
    };
    let (query, id) = (field("q").to_owned(), field("id").to_owned());
    judge(app, query, id, grade).await?;
    let back = [("q", field("q")), ("a", field("a")), ("b", field("b")), ("index", field("index")), ("k", field("k"))];
    let path = if field("a").is_empty() { "/" } else { "/compare" };
    Ok(Redirect::to(&address(path, &back)))
}
