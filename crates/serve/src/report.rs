//! The comparison report of the open indexes, where there is a query set. Made once, and again when an index or a judgement changes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::time::{Instant, sleep};

use super::answers::{Chrome, Problem};
use super::failure::Failure;
use super::params::Params;
use super::router::rendered;
use super::state::App;
use unhusk_eval::compare::{Entry, Plan, Questions, compare_open};
use unhusk_eval::eval::Measure;
use unhusk_eval::report::{Report, html};
use unhusk_index::index::Identity;
use unhusk_index::index::words::Language;
use unhusk_index::ingest::Gathering;
use unhusk_index::search::{Engine, Scope};
use unhusk_strip::strip::Aside;

/// How long a request waits for a report that is being made; the page then looks again by itself.
const WAIT: Duration = Duration::from_secs(5);
/// How often it looks whether the report is there.
const LOOK: Duration = Duration::from_millis(20);
/// Documents asked for, each query, as `compare` has it.
const DEPTH: usize = 1000;

/// What a report was made of.
type Key = (Vec<Identity>, u64);

/// The last report.
#[derive(Default)]
pub(super) struct Reports(Mutex<Stage>);

#[derive(Default)]
enum Stage {
    #[default]
    None,
    Making,
    Made(Key, Result<Arc<Made>, Failure>),
}

/// A report as page and as value.
struct Made {
    html: String,
    report: Report,
}

impl Reports {
    /// The report of these things; none while it is being made. Who asks first has it made.
    fn get(&self, app: &Arc<App>) -> Option<Result<Arc<Made>, Failure>> {
        let key: Key = (app.all().iter().map(|opened| opened.identity).collect(), app.judgements.generation());
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            Stage::Made(known, made) if *known == key => return Some(made.clone()),
            // One at a time: the one for the new key is made when this one is done.
            Stage::Making => return None,
            _ => {}
        }
        *state = Stage::Making;
        let app = app.clone();
        tokio::task::spawn_blocking(move || {
            let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| make(&app)));
            let made = made.unwrap_or_else(|_| Err(Failure::broken())).map(Arc::new);
            *app.reports.0.lock().unwrap_or_else(PoisonError::into_inner) = Stage::Made(key, made);
        });
        None
    }

    async fn wait(&self, app: &Arc<App>) -> Result<Option<Arc<Made>>, Failure> {
        if !app.judgements.given() {
            return Err(Failure::missing(
                "There is no report without queries and judgements: start the server with --queries and --qrels.",
            ));
        }
        let end = Instant::now() + WAIT;
        while Instant::now() < end {
            if let Some(made) = self.get(app) {
                return made.map(Some);
            }
            sleep(LOOK).await;
        }
        Ok(None)
    }
}

fn make(app: &App) -> Result<Made, Failure> {
    let opened = app.all();
    let (queries, qrels) = app.judgements.all();
    let indexes: Vec<(&str, &Engine)> = opened.iter().map(|opened| (opened.name.as_str(), &opened.engine)).collect();
    let entry = |opened: &Arc<super::state::Opened>| Entry {
        name: opened.name.clone(),
        method: opened.engine.manifest().method.clone(),
    };
    let plan = Plan {
        methods: opened.iter().map(entry).collect(),
        gathering: Gathering::default(),
        language: opened.first().map_or(Language::NONE, |opened| opened.engine.manifest().language),
        aside: opened.first().map_or(Aside::default(), |opened| opened.engine.manifest().aside),
        questions: Some(Questions { queries, qrels }),
        facts: None,
        scope: Scope::default(),
        measures: Measure::STANDARD.to_vec(),
        depth: DEPTH,
        seed: 1,
    };
    let report = compare_open(&indexes, &plan, app.threads)
        .map_err(|error| Failure::missing(format!("There is no report yet: {error}.")))?;
    Ok(Made { html: html::body(&report), report })
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    page: Chrome,
    /// The report; none while it is being made.
    made: Option<Arc<Made>>,
}

pub(super) async fn page(State(app): State<Arc<App>>, params: Params) -> Result<Response, Failure> {
    let made = app.reports.wait(&app).await?;
    let waiting = made.is_none();
    let html: Html<String> = rendered(ReportPage { page: app.chrome("Report", "report", &params.query()?), made })?;
    Ok(if waiting { ([(header::REFRESH, "2")], html).into_response() } else { html.into_response() })
}

pub(super) async fn api(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    Ok(match app.reports.wait(&app).await? {
        Some(made) => Json(&made.report).into_response(),
        None => {
            let error = "The report is being made: ask again in a moment.".to_owned();
            (StatusCode::ACCEPTED, Json(Problem { error })).into_response()
        }
    })
}
