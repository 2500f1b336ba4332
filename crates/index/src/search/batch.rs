//! Many queries at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::queries::QuerySet;
use super::run::{Ranked, Run};
use super::{Answered, Asked, Engine, Facet, Scope, Within};
use crate::index::IndexError;

/// A run, and how long it took.
#[derive(Debug)]
pub struct Batch {
    /// The rankings, in the order of the queries.
    pub run: Run,
    /// The counts that were asked for, by query, in the order of the queries; none where none were.
    pub facets: Vec<(String, Vec<Facet>)>,
    /// Time from the first query to the last answer.
    pub elapsed: Duration,
}

/// Answers all queries, the `limit` best documents each, on so many threads.
pub fn run_batch(
    engine: &Engine,
    queries: &QuerySet,
    (scope, asked): (&Scope, &Asked),
    limit: usize,
    tag: &str,
    threads: usize,
) -> Result<Batch, IndexError> {
    let started = Instant::now();
    engine.ids.load()?;
    let queries = &queries.queries;
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Answered)>, IndexError> {
        let mut answers = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(query) = queries.get(number) else { return Ok(answers) };
            let read = engine.read(&query.text);
            answers.push((number, engine.ask(&read, scope, &Within::default(), asked, limit)?));
        }
    };
    let mut answers = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.min(queries.len().max(1))).map(|_| scope.spawn(work)).collect();
        let mut answers = work();
        for worker in workers {
            let more = worker.join().expect("a worker does not panic");
            answers = answers.and_then(|mut answers| {
                answers.extend(more?);
                Ok(answers)
            });
        }
        answers
    })?;
    answers.sort_by_key(|(number, _)| *number);
    let elapsed = started.elapsed();
    let mut run = Run::new(tag);
    let mut facets = Vec::new();
    for (number, answered) in answers {
        if !answered.facets.is_empty() {
            facets.push((queries[number].id.clone(), answered.facets));
        }
        let ranked = answered.hits.into_iter().map(|hit| Ranked { doc: hit.id, score: f64::from(hit.score) });
        run.add(&queries[number].id, ranked);
    }
    Ok(Batch { run, facets, elapsed })
}
