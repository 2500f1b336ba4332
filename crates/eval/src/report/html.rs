//! The report as one web page: no network, no script, readable in light and dark.

use std::fmt::Write;

use super::figures::{bytes, change, count, difference, queries, score, seconds};
use super::svg::{self, Bar, Point};
use super::words::{Said, summary};
use super::{Answer, Arm, JudgedQuery, Pair, Report, Table, View};

/// Queries whose rankings are shown, for each pair: those that changed most.
const SHOWN: usize = 200;

/// What the page looks like.
pub const STYLE: &str = include_str!("page.css");

/// The whole page.
pub fn page(report: &Report) -> String {
    let title = format!("unhusk: {}", report.collection.name);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{}</body>\n</html>\n",
        escape(&title),
        body(report)
    )
}

/// What is in the page: the report in words, figures and tables.
pub fn body(report: &Report) -> String {
    let paragraphs: String = summary(report).iter().map(said).collect();
    let notes: String = report.notes().iter().map(|note| format!("<p class=\"soft\">{}</p>\n", escape(note))).collect();
    let mut body = format!(
        "<h1>With and without templates: {}</h1>\n<p class=\"soft\">{}</p>\n\
         <section class=\"summary\" aria-label=\"Summary\">\n{paragraphs}</section>\n{notes}",
        escape(&report.collection.name),
        escape(&report.opening())
    );
    if let Some(view) = report.views.first() {
        for pair in view.to_baseline() {
            body += &pair_figures(report, view, pair);
        }
    }
    body += &format!("<h2>Size and cost</h2>\n{}", size_and_cost(report));
    body += &format!("<h2>Figures</h2>\n{}", report.tables().iter().map(Table::html).collect::<String>());
    if let Some(view) = report.views.first() {
        for pair in view.to_baseline() {
            body += &changed_queries(report, view, pair);
        }
    }
    body + &footer(report)
}

fn said(said: &Said) -> String {
    let sentences: String = said.sentences.iter().map(|text| format!("<li>{}</li>\n", escape(text))).collect();
    format!("<h3>{}</h3>\n<ul>\n{sentences}</ul>\n", escape(&said.heading))
}

/// Text as it stands in HTML, in an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

/// Where the two indexes of a pair stand among the answers.
fn places(report: &Report, pair: &Pair) -> (usize, usize) {
    let place = |name: &str| report.arms.iter().position(|arm| arm.name == name).unwrap_or(0);
    (place(&pair.first), place(&pair.second))
}

fn points(report: &Report, view: &View, pair: &Pair) -> Vec<Point> {
    let (first, second) = places(report, pair);
    let measure = report.main_measure();
    let point = |query: &JudgedQuery| Point {
        label: format!("{} {}", query.id, query.text),
        before: query.answers[first].values[measure],
        after: query.answers[second].values[measure],
        template: pair.template_queries.contains(&query.id),
    };
    view.queries.iter().map(point).collect()
}

fn pair_figures(report: &Report, view: &View, pair: &Pair) -> String {
    let points = points(report, view, pair);
    // Of a single query it is no mean.
    let measure = report.settings.measures[report.main_measure()].to_string().replace("MAP", "AP");
    let scatter = svg::scatter(&points, &pair.first, &pair.second, &measure);
    let bars = svg::differences(&points, &pair.first, &pair.second, &measure);
    format!(
        "<h2>Precision: {} against {}</h2>\n<div class=\"pair\">\n\
         <figure>\n{scatter}<figcaption>Each dot is a query, searched in {}. Above the line it got better, below worse. \
         Filled: the query holds a word that mostly stood in the template.</figcaption></figure>\n\
         <figure>\n{bars}<figcaption>The change of each query that changed.</figcaption></figure>\n</div>\n",
        escape(&pair.second),
        escape(&pair.first),
        view.name()
    )
}

fn size_and_cost(report: &Report) -> String {
    let group = |name: &str, figure: &dyn Fn(&Arm) -> u64, shown: fn(u64) -> String| {
        let before = report.arms.first().map_or(0, figure);
        let bar = |arm: &Arm| Bar {
            label: arm.name.clone(),
            value: if before == 0 { 0.0 } else { figure(arm) as f64 / before as f64 },
            shown: match figure(arm) {
                same if same == before => shown(same),
                other => format!("{} ({})", shown(other), change(other, before)),
            },
        };
        (name.to_owned(), report.arms.iter().map(bar).collect())
    };
    let sizes = [
        group("text", &Arm::indexed_bytes, bytes),
        group("tokens", &|arm| arm.statistics().tokens, count),
        group("postings", &|arm| arm.statistics().postings, count),
        group("distinct terms", &|arm| arm.statistics().terms, count),
        group("bytes on disk", &|arm| arm.sizes.total(), bytes),
    ];
    let stages = report.arms.first().map_or(&[][..], |arm| &arm.seconds);
    let costs: Vec<(String, Vec<Bar>)> = stages
        .iter()
        .enumerate()
        .map(|(at, (stage, _))| {
            let bar = |arm: &Arm| {
                let spent = arm.seconds.get(at).map_or(0.0, |(_, seconds)| *seconds);
                Bar { label: arm.name.clone(), value: spent, shown: seconds(spent) }
            };
            (stage.clone(), report.arms.iter().map(bar).collect())
        })
        .collect();
    format!(
        "<figure>\n{}<figcaption>Size of each index, the first as the measure.</figcaption></figure>\n\
         <figure>\n{}<figcaption>Seconds by stage. Reading and finding duplicates are done once for all.</figcaption></figure>\n",
        svg::bars("Size of each index", &sizes),
        svg::bars("Seconds by stage", &costs)
    )
}

/// The rankings of the queries that changed, side by side, the greatest change first.
fn changed_queries(report: &Report, view: &View, pair: &Pair) -> String {
    let (first, second) = places(report, pair);
    let measure = report.main_measure();
    let change = |query: &JudgedQuery| query.answers[second].values[measure] - query.answers[first].values[measure];
    let mut changed: Vec<&JudgedQuery> = view.queries.iter().filter(|query| change(query).abs() > 1e-9).collect();
    changed.sort_by(|a, b| change(b).abs().total_cmp(&change(a).abs()));
    let mut html = format!("<h2>Queries that changed from {} to {}</h2>\n", escape(&pair.first), escape(&pair.second));
    if changed.len() > SHOWN {
        let _ = writeln!(html, "<p>The {SHOWN} that changed most, of {}.</p>", queries(changed.len()));
    }
    for query in changed.iter().take(SHOWN) {
        let direction = if change(query) > 0.0 { "up" } else { "down" };
        let _ = writeln!(
            html,
            "<details><summary><b class=\"{direction}\">{}</b> {} <span class=\"soft\">{}, {} → {}, {} relevant</span></summary>\n\
             <div class=\"rankings\">{}{}</div></details>",
            difference(change(query)),
            escape(&query.text),
            escape(&query.id),
            score(query.answers[first].values[measure]),
            score(query.answers[second].values[measure]),
            query.relevant,
            ranking(&pair.first, &query.answers[first]),
            ranking(&pair.second, &query.answers[second])
        );
    }
    html
}

fn ranking(name: &str, answer: &Answer) -> String {
    let mut html = format!("<section><h4>{}</h4><ol>", escape(name));
    for place in &answer.top {
        let doc = escape(&place.doc);
        match place.grade {
            Some(grade @ 1..) => {
                let _ = write!(html, "<li class=\"relevant\" data-grade=\"relevant, grade {grade}\">{doc}</li>");
            }
            _ => {
                let _ = write!(html, "<li>{doc}</li>");
            }
        }
    }
    if answer.top.is_empty() {
        html += "<li>nothing found</li>";
    }
    html + "</ol></section>"
}

fn footer(report: &Report) -> String {
    let settings = &report.settings;
    let memory = report.peak_memory.map_or("not known".to_owned(), bytes);
    format!(
        "<footer><p>unhusk {}; pages {}; language {}; {} documents a query; seed {}; {} threads; peak memory of the whole \
         comparison {memory}.</p></footer>\n",
        report.unhusk, report.collection.hash, settings.language, settings.depth, settings.seed, settings.threads
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_pages_cannot_become_markup() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
