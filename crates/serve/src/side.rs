//! Two rankings of one query, side by side.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Html;

use super::answers::{self, Change, Chrome, Compared, Found, Moved, Ranking};
use super::failure::Failure;
use super::judgements::{Grades, Listed};
use super::limits::COMPARED;
use super::params::Params;
use super::router::rendered;
use super::state::{App, Opened};
use super::text::address;
use unhusk_index::search::syntax::Query;
use unhusk_index::search::{Hit, Scope};

/// A comparison, checked.
struct Side {
    before: Arc<Opened>,
    after: Arc<Opened>,
    text: String,
    k: usize,
}

/// One index's answer, before the other is known.
struct Half<'a> {
    opened: &'a Opened,
    hits: Vec<Hit>,
    seconds: f64,
}

impl Side {
    fn read(app: &App, params: &Params) -> Result<Self, Failure> {
        Ok(Side {
            before: app.index(params.text("a")?, 0)?,
            after: app.index(params.text("b")?, 1)?,
            text: params.query()?,
            k: params.per_page()?,
        })
    }

    fn answer(&self, app: &App) -> Result<Compared, Failure> {
        let query = Query::parse(&self.text);
        let half = |opened| -> Result<Half<'_>, Failure> {
            let started = Instant::now();
            let opened: &Opened = opened;
            let hits = opened.engine.search(&query, &Scope::default(), COMPARED.max(self.k))?;
            Ok(Half { opened, hits, seconds: started.elapsed().as_secs_f64() })
        };
        let (before, after) = (half(&self.before)?, half(&self.after)?);
        let grades = app.judgements.of_query(&self.text);
        Ok(Compared {
            query: self.text.clone(),
            query_id: grades.query_id().map(str::to_owned),
            k: self.k,
            before: self.ranking(&before, &after, &query, &grades, false)?,
            after: self.ranking(&after, &before, &query, &grades, true)?,
        })
    }

    fn ranking(
        &self,
        half: &Half<'_>,
        other: &Half<'_>,
        query: &Query,
        grades: &Grades,
        is_after: bool,
    ) -> Result<Ranking, Failure> {
        let others: HashMap<&str, usize> =
            other.hits.iter().zip(1..).map(|(hit, rank)| (hit.id.as_str(), rank)).collect();
        let hits = &half.hits[..self.k.min(half.hits.len())];
        let shown = half.opened.engine.show(query, &Scope::default(), hits)?;
        let moved = |(rank, (hit, shown)): (usize, (&Hit, _))| {
            let other_rank = others.get(hit.id.as_str()).copied();
            let shown: unhusk_index::search::Shown = shown;
            let grade = grades.of(&hit.id, &shown.aliases);
            let change = change(rank, other_rank, is_after);
            Moved { found: Found::new(rank, hit.clone(), shown, grade), other_rank, change }
        };
        let hits: Vec<Moved> = (1..).zip(hits.iter().zip(shown)).map(moved).collect();
        Ok(Ranking {
            index: half.opened.name.clone(),
            seconds: half.seconds,
            relevant: hits.iter().filter(|hit| hit.found.relevant()).count(),
            hits,
        })
    }
}

/// What became of a document, seen from one of the rankings.
fn change(rank: usize, other: Option<usize>, is_after: bool) -> Change {
    let Some(other) = other else { return if is_after { Change::Came } else { Change::Went } };
    let (before, after) = if is_after { (other, rank) } else { (rank, other) };
    match after.cmp(&before) {
        std::cmp::Ordering::Less => Change::Rose,
        std::cmp::Ordering::Equal => Change::Same,
        std::cmp::Ordering::Greater => Change::Fell,
    }
}

/// A line from a document's place in one ranking to its place in the other, in units of rows.
struct Line {
    class: &'static str,
    from: f64,
    to: f64,
    /// The row it belongs to, by the document's place: left or right.
    left: Option<usize>,
    right: Option<usize>,
}

impl Line {
    /// A curve across a box that is 100 wide and has a row of 10 for each document.
    fn path(&self) -> String {
        let (from, to) = (self.from * 10.0 - 5.0, self.to * 10.0 - 5.0);
        format!("M0 {from} C45 {from} 55 {to} 100 {to}")
    }
}

#[derive(Template)]
#[template(path = "side.html")]
struct SidePage {
    page: Chrome,
    answer: Compared,
    /// The queries of the query file, where nothing is asked yet.
    queries: Vec<Listed>,
}

impl Change {
    fn class(self) -> &'static str {
        match self {
            Change::Same => "same",
            Change::Rose => "rose",
            Change::Fell => "fell",
            Change::Came => "came",
            Change::Went => "went",
        }
    }
}

impl Moved {
    /// What became of the document, in words.
    fn words(&self) -> String {
        let by = self.other_rank.map_or(0, |other| other.abs_diff(self.found.rank));
        match self.change {
            Change::Same => "same place".to_owned(),
            Change::Rose => format!("up {by}"),
            Change::Fell => format!("down {by}"),
            Change::Came => "new".to_owned(),
            Change::Went => "gone".to_owned(),
        }
    }

    fn class(&self) -> &'static str {
        self.change.class()
    }

    fn judged(&self) -> &'static str {
        match self.found.grade {
            Some(1..) => "relevant",
            Some(0) => "not-relevant",
            _ => "",
        }
    }
}

impl SidePage {
    /// Rows of the longer ranking.
    fn rows(&self) -> usize {
        self.answer.before.hits.len().max(self.answer.after.hits.len())
    }

    fn height(&self) -> usize {
        self.rows() * 10
    }

    /// A line for each document, those that leave the picture at the bottom too.
    fn lines(&self) -> Vec<Line> {
        let below = self.rows() as f64 + 0.5;
        let Compared { before, after, .. } = &self.answer;
        let left = before.hits.iter().map(|hit| {
            let right = hit.other_rank.filter(|&rank| rank <= after.hits.len());
            let to = right.map_or(below, |rank| rank as f64);
            Line { class: hit.class(), from: hit.found.rank as f64, to, left: Some(hit.found.rank), right }
        });
        let only_right = after.hits.iter().filter(|hit| hit.other_rank.is_none_or(|rank| rank > before.hits.len()));
        let right = only_right.map(|hit| Line {
            class: hit.class(),
            from: below,
            to: hit.found.rank as f64,
            left: None,
            right: Some(hit.found.rank),
        });
        left.chain(right).collect()
    }

    fn to_view(&self, index: &str, moved: &Moved) -> String {
        address("/page", &[("index", index), ("id", &moved.found.id), ("q", &self.answer.query)])
    }

    fn to_query(&self, text: &str) -> String {
        address("/compare", &[("q", text), ("a", &self.answer.before.index), ("b", &self.answer.after.index)])
    }

    fn time(&self, ranking: &Ranking) -> String {
        answers::duration(ranking.seconds)
    }

    /// What changed, in words.
    fn summary(&self) -> String {
        let Compared { before, after, .. } = &self.answer;
        let count = |change| after.hits.iter().filter(|hit| hit.change == change).count();
        let gone = before.hits.iter().filter(|hit| hit.other_rank.is_none_or(|rank| rank > self.answer.k)).count();
        let came = after.hits.iter().filter(|hit| hit.other_rank.is_none_or(|rank| rank > self.answer.k)).count();
        let mut parts = vec![
            format!("{} in the same place", count(Change::Same)),
            format!("{} rose", count(Change::Rose)),
            format!("{} fell", count(Change::Fell)),
            format!("{came} came into the first {}", self.answer.k),
            format!("{gone} left it"),
        ];
        if before.relevant + after.relevant > 0 {
            parts.push(format!("relevant: {} before, {} after", before.relevant, after.relevant));
        }
        parts.join(" · ")
    }
}

pub(super) async fn page(State(app): State<Arc<App>>, params: Params) -> Result<Html<String>, Failure> {
    let side = Side::read(&app, &params)?;
    let chrome = app.chrome("Side by side", "side", &side.text);
    let inside = app.clone();
    let work = move || {
        let queries = if side.text.is_empty() { inside.judgements.listed() } else { Vec::new() };
        Ok(SidePage { page: chrome, answer: side.answer(&inside)?, queries })
    };
    rendered(app.gate.work(work).await?)
}

pub(super) async fn api(State(app): State<Arc<App>>, params: Params) -> Result<Json<Compared>, Failure> {
    let side = Side::read(&app, &params)?;
    let inside = app.clone();
    Ok(Json(app.gate.work(move || side.answer(&inside)).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_reads_the_same_from_both_sides() {
        assert_eq!((change(2, Some(5), true), change(5, Some(2), false)), (Change::Rose, Change::Rose));
        assert_eq!((change(5, Some(2), true), change(2, Some(5), false)), (Change::Fell, Change::Fell));
        assert_eq!((change(3, Some(3), true), change(3, Some(3), false)), (Change::Same, Change::Same));
        assert_eq!((change(1, None, true), change(1, None, false)), (Change::Came, Change::Went));
    }
}
