//! The templates an index was built without, the largest saving first.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Html;

use super::answers::{self, Chrome, Listed};
use super::failure::Failure;
use super::params::Params;
use super::router::rendered;
use super::state::{App, Opened};
use super::text::{address, shortened};
use unhusk_eval::report::figures;

fn read(app: &App, params: &Params) -> Result<(Arc<Opened>, Listed), Failure> {
    let name = match params.text("index")? {
        Some(name) => Some(name.to_owned()),
        // The first index is often the one that keeps everything.
        None => app.all().iter().find(|opened| !opened.templates.templates.is_empty()).map(|o| o.name.clone()),
    };
    let index = app.index(name.as_deref(), 0)?;
    let k = params.per_page()?;
    let page = params.page(k)?;
    let templates = &index.templates.templates;
    let listed = Listed {
        index: index.name.clone(),
        pages: index.templates.pages,
        total: templates.len(),
        page,
        k,
        templates: templates.iter().skip((page - 1) * k).take(k).cloned().collect(),
    };
    Ok((index, listed))
}

#[derive(Template)]
#[template(path = "templates.html")]
struct TemplatesPage {
    page: Chrome,
    list: Listed,
    method: &'static str,
    saved: u64,
}

impl TemplatesPage {
    fn to_example(&self, id: &str) -> String {
        address("/page", &[("index", &self.list.index), ("id", id)])
    }

    fn to_page(&self, page: usize) -> String {
        let page = page.to_string();
        address("/templates", &[("index", &self.list.index), ("page", if page == "1" { "" } else { &page })])
    }

    fn to_index(&self, name: &str) -> String {
        address("/templates", &[("index", name)])
    }

    fn more(&self) -> bool {
        self.list.page * self.list.k < self.list.total
    }

    /// A template's text, its lines one behind the other.
    fn said(&self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        shortened(&lines.join(" · "), 600)
    }

    fn short(&self, text: &str) -> String {
        shortened(text, 90)
    }

    fn bytes(&self, bytes: &u64) -> String {
        figures::bytes(*bytes)
    }

    fn count(&self, number: &u32) -> String {
        answers::count(*number)
    }

    fn total(&self) -> String {
        answers::count(self.list.total as u64)
    }

    /// Percent of the pages, as a class of the style sheet: inline styles are not allowed.
    fn bar(&self, pages: &u32) -> u64 {
        (u64::from(*pages) * 20).div_ceil(self.list.pages.max(1)).min(20)
    }

    fn share(&self, pages: &u32) -> String {
        figures::percent(u64::from(*pages), self.list.pages)
    }
}

pub(super) async fn page(State(app): State<Arc<App>>, params: Params) -> Result<Html<String>, Failure> {
    let (index, list) = read(&app, &params)?;
    rendered(TemplatesPage {
        page: app.chrome("Templates", "templates", &params.query()?),
        saved: index.templates.templates.iter().map(|template| template.bytes_saved).sum(),
        method: index.engine.manifest().method.name(),
        list,
    })
}

pub(super) async fn api(State(app): State<Arc<App>>, params: Params) -> Result<Json<Listed>, Failure> {
    Ok(Json(read(&app, &params)?.1))
}
