//! What a request asks for, checked.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;

use super::failure::Failure;
use super::limits::{PARAM_BYTES, PER_PAGE, SearchLimits};
use super::state::App;
use unhusk_index::search::Within;

/// The parameters of a request, as they were sent.
pub(super) struct Params {
    sent: HashMap<String, String>,
    limits: SearchLimits,
}

impl FromRequestParts<Arc<App>> for Params {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let query = Query::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let Query(params) =
            query.map_err(|_| Failure::bad("The address cannot be read: its parameters are malformed."))?;
        Ok(Params { sent: params, limits: app.limits })
    }
}

impl Params {
    /// A parameter that is there and not empty.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, Failure> {
        match self.sent.get(name).map(String::as_str) {
            None | Some("") => Ok(None),
            Some(text) if text.len() > PARAM_BYTES => {
                Err(Failure::bad(format!("The parameter {name} is longer than {PARAM_BYTES} bytes: shorten it.")))
            }
            text => Ok(text),
        }
    }

    /// The query, white space folded.
    pub(super) fn query(&self) -> Result<String, Failure> {
        query(self.sent.get("q").map_or("", String::as_str), self.limits)
    }

    fn number(&self, name: &str, default: usize, most: usize) -> Result<usize, Failure> {
        match self.text(name)? {
            None => Ok(default),
            Some(text) => match text.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(Failure::bad(format!("{name} has to be a number from 1 to {most}."))),
            },
        }
    }

    /// Documents on a page of results.
    pub(super) fn per_page(&self) -> Result<usize, Failure> {
        self.number("k", 10, PER_PAGE)
    }

    /// Which page of results, from 1.
    pub(super) fn page(&self, per_page: usize) -> Result<usize, Failure> {
        self.number("page", 1, (self.limits.results / per_page).max(1))
    }

    /// The part of the site to search in.
    pub(super) fn within(&self) -> Result<Within, Failure> {
        Ok(Within { host: self.text("host")?.map(str::to_owned), directory: self.text("dir")?.map(str::to_owned) })
    }

    /// The page that is meant.
    pub(super) fn id(&self) -> Result<String, Failure> {
        let id = self.text("id")?.ok_or_else(|| Failure::bad("Name a page with the parameter id."))?;
        Ok(id.to_owned())
    }
}

/// A query that is not too long, white space folded.
pub(super) fn query(text: &str, limits: SearchLimits) -> Result<String, Failure> {
    let most = limits.query_bytes;
    if text.len() > most {
        return Err(Failure::bad(format!("The query is longer than {most} bytes: leave out words.")));
    }
    Ok(folded(text))
}

/// A query as it is compared to others: white space folded.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
