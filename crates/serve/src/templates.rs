//! The templates an index was built without, the largest saving first.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Html;

use super::answers::{self, Chrome, Listed, Together};
use super::failure::Failure;
use super::params::Params;
use super::router::rendered;
use super::state::{App, Opened};
use super::text::{address, shortened};
use unhusk_eval::report::figures;
use unhusk_strip::strip::Template as Learned;

/// Texts whose words an entry shows before it is opened.
const FIRST: usize = 20;

fn read(app: &App, params: &Params) -> Result<(Arc<Opened>, Listed), Failure> {
    let name = match params.text("index")? {
        Some(name) => Some(name.to_owned()),
        // The first index is often the one that keeps everything.
        None => app.all().iter().find(|opened| !opened.templates.templates.is_empty()).map(|o| o.name.clone()),
    };
    let index = app.index(name.as_deref(), 0)?;
    let k = params.per_page()?;
    let page = params.page(k)?;
    let groups = index.templates.groups();
    let listed = Listed {
        index: index.name.clone(),
        pages: index.templates.pages,
        total: groups.len(),
        page,
        k,
        templates: groups.iter().skip((page - 1) * k).take(k).map(Together::from).collect(),
    };
    Ok((index, listed))
}

#[derive(Template)]
#[template(path = "templates.html")]
struct TemplatesPage {
    page: Chrome,
    list: Listed,
    method: &'static str,
    texts: usize,
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

    /// A text, its lines one behind the other.
    fn said(&self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        shortened(&lines.join(" · "), 600)
    }

    /// The first words of texts that stand together.
    fn begins(&self, texts: &[Learned]) -> String {
        let said: Vec<String> = texts.iter().take(FIRST).map(|template| self.said(&template.text)).collect();
        shortened(&said.join(" · "), 160)
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

    fn texts(&self) -> String {
        answers::count(self.texts as u64)
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
        texts: index.templates.templates.len(),
        list,
    })
}

pub(super) async fn api(State(app): State<Arc<App>>, params: Params) -> Result<Json<Listed>, Failure> {
    Ok(Json(read(&app, &params)?.1))
}
