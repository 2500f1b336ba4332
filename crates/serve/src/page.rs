//! One page: its text with what was set aside or dropped shaded by reason, the templates that are on it, its source beside it.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Html;

use super::answers::{self, Chrome, Stretch, TakenFor, Viewed};
use super::failure::Failure;
use super::limits::SHOWN_TEXT;
use super::params::Params;
use super::reasons::Reasons;
use super::router::rendered;
use super::state::{App, Opened};
use super::text::{address, outside, shortened, tame, title};
use unhusk_eval::report::figures;
use unhusk_index::index::kept::KeptPage;
use unhusk_index::search::Stored;
use unhusk_pages::field::{Content, Value};
use unhusk_pages::parse::read_html;
use unhusk_strip::strip::Template as Learned;
use unhusk_strip::strip::explain::{SHADES, said, stretches_by};

/// Templates that are listed.
const LISTED: usize = 50;

/// A page that was asked for.
struct View {
    index: Arc<Opened>,
    id: String,
}

impl View {
    fn read(app: &App, params: &Params) -> Result<Self, Failure> {
        Ok(View { index: app.index(params.text("index")?, 0)?, id: params.id()? })
    }

    fn answer(&self) -> Result<Viewed, Failure> {
        let stored = stored(&self.index, &self.id)?;
        let kept = match &self.index.kept {
            Some(kept) => kept.page(&stored.id)?,
            None => None,
        };
        let mut viewed = match kept {
            Some(kept) => self.marked(stored, &kept),
            None => self.unmarked(stored),
        };
        if cut(&mut viewed.stretches, SHOWN_TEXT) {
            viewed.missing =
                Some(format!("The page is long: the first {} are shown.", figures::bytes(SHOWN_TEXT as u64)));
        }
        Ok(viewed)
    }

    /// The page with its marks.
    fn marked(&self, stored: Stored, kept: &KeptPage) -> Viewed {
        let page = read_html(&kept.html, self.index.engine.manifest().limits).page;
        let reasons = Reasons::new(kept, &page);
        let stretches: Vec<Stretch> = stretches_by(&page, |piece| reasons.of(piece))
            .into_iter()
            .map(|stretch| Stretch { text: stretch.text, join: stretch.join.as_str(), reason: stretch.mark })
            .collect();
        let taken =
            |aside| reasons.listed.iter().filter(|reason| reason.aside == aside).map(|reason| reason.bytes).sum();
        let (aside_bytes, dropped): (u64, u64) = (taken(true), taken(false));
        let text_bytes = page.text_bytes() as u64;
        let missing = (!reasons.fit).then(|| {
            "The page was kept by another version of unhusk, which cut it into other pieces: nothing is shaded."
                .to_owned()
        });
        Viewed {
            templates: self.templates_in(&stretches, &reasons),
            missing,
            has_source: true,
            text_bytes,
            kept_bytes: text_bytes - aside_bytes - dropped,
            aside_bytes,
            stretches,
            reasons: reasons.listed,
            ..self.bare(stored)
        }
    }

    /// What the index alone knows of the page: its texts.
    fn unmarked(&self, stored: Stored) -> Viewed {
        let missing = match (&self.index.kept, &stored.body) {
            (Some(_), _) => "This page is not among the pages kept beside the index.",
            (None, Some(_)) => {
                "This is what was indexed. To see what was dropped and the page itself, build the index with --keep-pages."
            }
            (None, None) => {
                "The index stores no text. To see the page, build the index with --keep-pages; for snippets, without --no-store."
            }
        };
        let (body, aside) = (stored.body.clone().unwrap_or_default(), stored.aside.clone().unwrap_or_default());
        let (kept_bytes, aside_bytes) = (body.len() as u64, aside.len() as u64);
        let mut stretches = vec![Stretch { text: body, join: "", reason: None }];
        let mut reasons = Vec::new();
        if !aside.is_empty() {
            stretches.push(Stretch { text: aside, join: "\n", reason: Some(0) });
            let text = "the index does not keep why".to_owned();
            reasons.push(TakenFor { text, details: serde_json::json!({}), aside: true, bytes: aside_bytes });
        }
        Viewed {
            missing: Some(missing.to_owned()),
            text_bytes: kept_bytes + aside_bytes,
            kept_bytes,
            aside_bytes,
            stretches,
            reasons,
            ..self.bare(stored)
        }
    }

    fn bare(&self, stored: Stored) -> Viewed {
        Viewed {
            index: self.index.name.clone(),
            id: stored.id,
            url: stored.url,
            title: stored.title,
            aliases: stored.aliases,
            fields: stored.fields,
            missing: None,
            has_source: false,
            text_bytes: 0,
            kept_bytes: 0,
            aside_bytes: 0,
            stretches: Vec::new(),
            reasons: Vec::new(),
            templates: Vec::new(),
        }
    }

    /// The learned templates whose words are among what was dropped.
    fn templates_in(&self, stretches: &[Stretch], reasons: &Reasons) -> Vec<Learned> {
        let is_dropped = |reason: usize| reasons.listed.get(reason).is_some_and(|reason| !reason.aside);
        let dropped = stretches.iter().filter(|stretch| stretch.reason.is_some_and(is_dropped));
        let dropped: Vec<String> = dropped.map(|stretch| words(&stretch.text)).collect();
        // Stretches are kept apart, so that no template begins in one and ends in the next.
        let dropped = dropped.join("\n");
        let is_there = |template: &&Learned| {
            let words = words(&template.text);
            words.len() > 2 && dropped.contains(&words)
        };
        let mut found: Vec<Learned> = self.index.templates.templates.iter().filter(is_there).cloned().collect();
        found.sort_by_key(|template| std::cmp::Reverse(template.pages));
        found.truncate(LISTED);
        found
    }
}

/// Leaves no more than so many bytes of text; says whether there were more.
fn cut(stretches: &mut Vec<Stretch>, most: usize) -> bool {
    let mut left = most;
    for at in 0..stretches.len() {
        let text = &mut stretches[at].text;
        if text.len() > left {
            text.truncate(text.floor_char_boundary(left));
            stretches.truncate(at + 1);
            return true;
        }
        left -= text.len();
    }
    false
}

/// A text's words in lower case with a space on each side.
fn words(text: &str) -> String {
    let mut words = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.extend(word.chars().flat_map(char::to_lowercase));
        words.push(' ');
    }
    words
}

/// A page of an index, by its id or that of a copy.
pub(super) fn stored(index: &Opened, id: &str) -> Result<Stored, Failure> {
    let found = index.engine.stored(id)?;
    found.ok_or_else(|| Failure::missing(format!("The index {} has no page of that id.", index.name)))
}

#[derive(Template)]
#[template(path = "page.html")]
struct ViewPage {
    page: Chrome,
    view: Viewed,
    pages: u64,
    shaded: bool,
    /// The other indexes that have the page.
    others: Vec<String>,
}

impl ViewPage {
    fn heading(&self) -> String {
        title(&self.view.title, &self.view.id)
    }

    fn outside(&self) -> Option<String> {
        outside(&self.view.url)
    }

    fn address(&self) -> String {
        shortened(&self.view.url, 200)
    }

    fn tame(&self, text: &str) -> String {
        tame(text)
    }

    fn short(&self, text: &str) -> String {
        shortened(text, 240)
    }

    fn shown(&self, value: &Value) -> String {
        self.short(&match &value.content {
            Content::Date(date) => date.in_full(),
            other => other.to_string(),
        })
    }

    /// The class of what was taken for a reason.
    fn shade(&self, number: &usize) -> String {
        if self.is_aside(number) { "aside".to_owned() } else { format!("why-{}", (*number).min(SHADES - 1)) }
    }

    fn is_aside(&self, number: &usize) -> bool {
        self.view.reasons.get(*number).is_some_and(|reason| reason.aside)
    }

    /// What was done to a text, and why.
    fn reason(&self, number: &usize) -> String {
        self.view.reasons.get(*number).map_or(String::new(), |reason| said(&reason.text, reason.aside))
    }

    fn to_source(&self) -> String {
        let shade = if self.shaded { "1" } else { "" };
        address("/source", &[("index", &self.view.index), ("id", &self.view.id), ("shade", shade)])
    }

    fn to_index(&self, index: &str) -> String {
        self.to(index, self.shaded)
    }

    fn to_shaded(&self) -> String {
        self.to(&self.view.index, true)
    }

    fn to_plain(&self) -> String {
        self.to(&self.view.index, false)
    }

    fn to(&self, index: &str, shaded: bool) -> String {
        let plain = if shaded { "" } else { "1" };
        address("/page", &[("index", index), ("id", &self.view.id), ("q", &self.page.query), ("plain", plain)])
    }

    fn to_example(&self, id: &str) -> String {
        address("/page", &[("index", &self.view.index), ("id", id)])
    }

    fn share(&self, bytes: &u64) -> String {
        figures::percent(*bytes, self.view.text_bytes)
    }

    fn bytes(&self, bytes: &u64) -> String {
        figures::bytes(*bytes)
    }

    fn count(&self, number: &u32) -> String {
        answers::count(*number)
    }

    fn all_pages(&self) -> String {
        answers::count(self.pages)
    }

    fn back(&self) -> Option<String> {
        (!self.page.query.is_empty()).then(|| address("/", &[("q", &self.page.query), ("index", &self.view.index)]))
    }
}

pub(super) async fn page(State(app): State<Arc<App>>, params: Params) -> Result<Html<String>, Failure> {
    let view = View::read(&app, &params)?;
    let shaded = params.text("plain")?.is_none();
    let query = params.query()?;
    let inside = app.clone();
    let work = move || {
        let pages = view.index.engine.manifest().pages.indexed;
        let viewed = view.answer()?;
        let mut others = Vec::new();
        for other in inside.all() {
            if other.name != viewed.index && other.engine.has(&viewed.id)? {
                others.push(other.name.clone());
            }
        }
        let chrome = inside.chrome(&title(&viewed.title, &viewed.id), "page", &query);
        Ok(ViewPage { page: chrome, view: viewed, pages, shaded, others })
    };
    rendered(app.gate.work(work).await?)
}

pub(super) async fn api(State(app): State<Arc<App>>, params: Params) -> Result<Json<Viewed>, Failure> {
    let view = View::read(&app, &params)?;
    Ok(Json(app.gate.work(move || view.answer()).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_page_is_cut_between_characters() {
        let stretch = |text: &str| Stretch { text: text.to_owned(), join: "", reason: None };
        let mut stretches = vec![stretch("aé"), stretch("é"), stretch("b")];
        assert!(!cut(&mut stretches, 6));
        assert!(cut(&mut stretches, 4));
        assert_eq!(stretches.iter().map(|stretch| stretch.text.as_str()).collect::<Vec<_>>(), ["aé", ""]);
    }

    #[test]
    fn templates_are_recognised_by_whole_words() {
        assert!(words("Home | Harbour · Law").contains(&words("home HARBOUR")));
        assert!(!words("Homes Harbour").contains(&words("home harbour")));
        assert_eq!(words(" – "), " ");
    }
}
