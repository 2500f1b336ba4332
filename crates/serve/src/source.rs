//! A page's own HTML, for the frame beside its text.
//!
//! It is foreign and stays so: the answer's policy makes it a sandbox of its own origin in which nothing runs, nothing is fetched and no
//! form is sent, in the frame or opened by itself; only its own inline style is drawn. What a policy does not cover is
//! taken out of the source: hints to connect somewhere, addresses to go on to, another base for links. Where a link is followed in
//! the frame, the policy of the page around it lets the frame go nowhere but here.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};

use super::failure::Failure;
use super::limits::SHOWN_SOURCE;
use super::page::stored;
use super::params::Params;
use super::reasons::Reasons;
use super::state::{App, Opened};
use unhusk_index::index::kept::KeptPage;
use unhusk_pages::parse::{Limits, read_html};
use unhusk_strip::strip::explain::shade_by;

const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'self'; \
     frame-ancestors 'self'";

/// Elements that reach out of a page, and what takes that from them. Of two attributes of one name the first counts, so
/// what is put in front wins. No quotes: in a text or an attribute, where it does no good, it must not end anything.
const DISARMED: [(&str, &str); 3] =
    [("<link", " rel=none "), ("<meta", " http-equiv=none "), ("<base", " href=. target=_self ")];

pub(super) async fn source(State(app): State<Arc<App>>, params: Params) -> Result<Response, Failure> {
    let index = app.index(params.text("index")?, 0)?;
    let id = params.id()?;
    let shaded = params.text("shade")?.is_some();
    let html = app.gate.work(move || read(&index, &id, shaded)).await?;
    let headers = [(header::CONTENT_SECURITY_POLICY, POLICY), (header::REFERRER_POLICY, "no-referrer")];
    Ok((headers, Html(html)).into_response())
}

fn read(index: &Opened, id: &str, shaded: bool) -> Result<String, Failure> {
    let without = || Failure::missing(format!("The index {} was built without --keep-pages.", index.name));
    let kept = index.kept.as_ref().ok_or_else(without)?;
    let id = stored(index, id)?.id;
    let page = kept.page(&id)?.ok_or_else(|| Failure::missing("This page was not kept."))?;
    let mut html = if shaded { shade(&page, index.engine.manifest().limits) } else { page.html };
    html.truncate(html.floor_char_boundary(SHOWN_SOURCE));
    Ok(disarmed(&html))
}

fn shade(kept: &KeptPage, limits: Limits) -> String {
    let page = read_html(&kept.html, limits).page;
    let reasons = Reasons::new(kept, &page);
    shade_by(&kept.html, &page, |piece| reasons.shade(piece))
}

fn disarmed(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let mut places: Vec<(usize, &str)> = DISARMED
        .iter()
        .flat_map(|(tag, first)| lower.match_indices(tag).map(move |(at, tag)| (at + tag.len(), *first)))
        .collect();
    places.sort_unstable();
    let mut safe = String::with_capacity(html.len() + places.len() * 16);
    let mut from = 0;
    for (at, first) in places {
        safe.push_str(&html[from..at]);
        safe.push_str(first);
        from = at;
    }
    safe + &html[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_out_is_disarmed_wherever_it_stands() {
        let html = "<LINK rel=preconnect href=//x.org><p title=\"a <base b\">é<meta http-equiv=refresh content=0>";
        let safe = disarmed(html);
        assert!(safe.starts_with("<LINK rel=none  rel=preconnect"), "{safe}");
        assert!(safe.contains("<meta http-equiv=none  http-equiv=refresh"), "{safe}");
        assert_eq!(unhusk_pages::parse::parse_html(&safe).text_where(|_| true), "é");
        assert_eq!(safe.matches('"').count(), html.matches('"').count());
    }
}
