//! The search page, and the same as JSON.

use std::sync::Arc;
use std::time::Instant;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Html;

use super::answers::{self, Choices, Chrome, Found, Searched, Suggestion};
use super::failure::Failure;
use super::params::Params;
use super::router::rendered;
use super::state::{App, Opened};
use super::suggest::Unanswered;
use super::text::{address, shortened};
use unhusk_index::search::{Answered, Asked, Facet, FacetValue, Place, Scope, Sort, Within};

/// Hosts and directories to choose from, at most.
const CHOICES: usize = 100;

/// A search, checked.
struct Search {
    index: Arc<Opened>,
    text: String,
    within: Within,
    page: usize,
    k: usize,
    sort: Option<Sort>,
}

/// Fields whose values are shown beside results, where pages have them; and how many values of each.
const FACETS: [&str; 7] = ["section", "author", "type", "tags", "brand", "published", "language"];
const FACET_VALUES: usize = 8;

impl Search {
    fn read(app: &App, params: &Params) -> Result<Self, Failure> {
        let k = params.per_page()?;
        Ok(Search {
            index: app.index(params.text("index")?, 0)?,
            text: params.query()?,
            within: params.within()?,
            page: params.page(k)?,
            k,
            sort: params.text("sort")?.map(str::parse).transpose().map_err(Failure::bad)?,
        })
    }

    fn answer(&self, app: &App) -> Result<Searched, Failure> {
        let engine = &self.index.engine;
        let (query, scope) = (engine.read(&self.text), Scope::default());
        let known = &engine.manifest().said.fields;
        let facets = FACETS.iter().filter(|name| known.contains_key(**name)).map(|name| (*name).to_owned()).collect();
        // One who follows an old address is not turned away.
        let sort = self.sort.clone().filter(|sort| known.contains_key(&sort.name));
        let asked = Asked { facets, sort, ..Asked::default() };
        let started = Instant::now();
        let (from, to) = ((self.page - 1) * self.k, self.page * self.k);
        // One more, to know whether there is a next page.
        let is_asked = !query.clauses.is_empty() || !query.conditions.is_empty();
        let answered = match is_asked {
            true => engine.ask(&query, &scope, &self.within, &asked, to + 1)?,
            false => Answered::default(),
        };
        let Answered { mut hits, pages, mut facets } = answered;
        // A field of which all pages have the one value tells nothing.
        facets.retain(|facet| facet.values.len() > 1);
        facets.iter_mut().for_each(|facet| facet.values.truncate(FACET_VALUES));
        let more = hits.len() > to && to + self.k <= app.limits.results;
        hits.truncate(to);
        let hits = hits.split_off(from.min(hits.len()));
        let shown = engine.show(&query, &scope, &hits)?;
        let seconds = started.elapsed().as_secs_f64();
        let grades = app.judgements.of_query(&self.text);
        let ranked = (from + 1..).zip(hits.into_iter().zip(shown));
        let hits: Vec<Found> = ranked
            .map(|(rank, (hit, shown))| {
                let grade = grades.of(&hit.id, &shown.aliases);
                Found::new(rank, hit, shown, grade)
            })
            .collect();
        let suggestions = if hits.is_empty() && self.page == 1 { self.suggestions(app)? } else { Vec::new() };
        Ok(Searched {
            query: self.text.clone(),
            index: self.index.name.clone(),
            host: self.within.host.clone(),
            dir: self.within.directory.clone(),
            page: self.page,
            k: self.k,
            seconds,
            pages,
            hits,
            facets,
            sort: asked.sort.map(|sort| format!("{}{}", if sort.descending { "-" } else { "" }, sort.name)),
            more,
            suggestions,
        })
    }

    fn suggestions(&self, app: &App) -> Result<Vec<Suggestion>, Failure> {
        let others = app.all();
        let unanswered = Unanswered { text: &self.text, within: &self.within, index: &self.index, others: &others };
        Ok(unanswered.suggestions()?)
    }

    /// What there is to choose from, and what is chosen even if there are many others.
    fn choices(&self) -> Result<Choices, Failure> {
        let most = |places: &[Place], chosen: &Option<String>| {
            let beyond = places.iter().skip(CHOICES).find(|place| Some(&place.name) == chosen.as_ref());
            let mut most: Vec<Place> = places.iter().take(CHOICES).chain(beyond).cloned().collect();
            most.sort_by(|a, b| a.name.cmp(&b.name));
            most
        };
        let engine = &self.index.engine;
        Ok(Choices {
            hosts: most(engine.hosts()?, &self.within.host),
            directories: most(engine.directories()?, &self.within.directory),
        })
    }
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    page: Chrome,
    answer: Searched,
    choices: Choices,
    pages: u64,
    /// Fields that the index has.
    sortable: Vec<String>,
}

impl SearchPage {
    fn to_page(&self, page: usize) -> String {
        let (page, k) = (page.to_string(), self.answer.k.to_string());
        let answer = &self.answer;
        address(
            "/",
            &[
                ("q", &answer.query),
                ("index", self.named_index()),
                ("host", answer.host.as_deref().unwrap_or_default()),
                ("dir", answer.dir.as_deref().unwrap_or_default()),
                ("sort", answer.sort.as_deref().unwrap_or_default()),
                ("page", if page == "1" { "" } else { &page }),
                ("k", if k == "10" { "" } else { &k }),
            ],
        )
    }

    /// The same search with one condition more: it becomes part of the query, so that it can be read and taken out again.
    fn to_facet(&self, facet: &Facet, value: &FacetValue) -> Option<String> {
        let answer = &self.answer;
        let condition = match facet.name.as_str() {
            // Dates are counted by year.
            "published" => format!("published:{}", value.value),
            _ if value.value.contains('"') => return None,
            name => format!("{name}:\"{}\"", value.value),
        };
        (!answer.query.contains(&condition)).then(|| {
            let query = format!("{} {condition}", answer.query);
            let sort = answer.sort.as_deref().unwrap_or_default();
            let host = answer.host.as_deref().unwrap_or_default();
            let dir = answer.dir.as_deref().unwrap_or_default();
            address("/", &[("q", &query), ("index", self.named_index()), ("host", host), ("dir", dir), ("sort", sort)])
        })
    }

    /// What results can be sorted by.
    fn orders(&self) -> Vec<(&'static str, &'static str)> {
        const ORDERS: [(&str, &str, &str); 5] = [
            ("-published", "newest first", "published"),
            ("published", "oldest first", "published"),
            ("price", "cheapest first", "price"),
            ("-price", "dearest first", "price"),
            ("-rating", "best rated first", "rating"),
        ];
        let is_there = |field: &str| self.sortable.iter().any(|name| name == field);
        ORDERS.into_iter().filter(|(.., field)| is_there(field)).map(|(sort, words, _)| (sort, words)).collect()
    }

    /// The index, where there is a choice.
    fn named_index(&self) -> &str {
        if self.page.indexes.len() > 1 { &self.answer.index } else { "" }
    }

    fn to_suggestion(&self, suggestion: &Suggestion) -> String {
        address(
            "/",
            &[
                ("q", &suggestion.query),
                ("index", &suggestion.index),
                ("host", suggestion.host.as_deref().unwrap_or_default()),
                ("dir", suggestion.dir.as_deref().unwrap_or_default()),
            ],
        )
    }

    fn to_view(&self, found: &Found) -> String {
        address("/page", &[("index", &self.answer.index), ("id", &found.id), ("q", &self.answer.query)])
    }

    fn to_side_by_side(&self) -> String {
        address("/compare", &[("q", &self.answer.query)])
    }

    fn short(&self, text: &str) -> String {
        shortened(text, 40)
    }

    fn time(&self) -> String {
        answers::duration(self.answer.seconds)
    }

    fn is_chosen(&self, chosen: &Option<String>, name: &str) -> bool {
        chosen.as_deref() == Some(name)
    }

    fn first(&self) -> usize {
        self.answer.hits.first().map_or(0, |found| found.rank)
    }

    fn last(&self) -> usize {
        self.answer.hits.last().map_or(0, |found| found.rank)
    }

    fn count(&self, number: &u64) -> String {
        answers::count(*number)
    }
}

pub(super) async fn page(State(app): State<Arc<App>>, params: Params) -> Result<Html<String>, Failure> {
    let search = Search::read(&app, &params)?;
    let title = if search.text.is_empty() { "Search" } else { &search.text };
    let chrome = app.chrome(title, "search", &search.text);
    let inside = app.clone();
    let work = move || {
        let pages = search.index.engine.manifest().pages.indexed;
        let sortable = search.index.engine.field_names();
        let (choices, answer) = (search.choices()?, search.answer(&inside)?);
        Ok(SearchPage { page: chrome, choices, answer, pages, sortable })
    };
    rendered(app.gate.work(work).await?)
}

pub(super) async fn api(State(app): State<Arc<App>>, params: Params) -> Result<Json<Searched>, Failure> {
    let search = Search::read(&app, &params)?;
    let inside = app.clone();
    Ok(Json(app.gate.work(move || search.answer(&inside)).await?))
}
