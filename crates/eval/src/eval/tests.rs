//! The measures against `trec_eval`'s own output and against slow, plain definitions.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use unhusk_pages::random::Rng;

#[derive(Deserialize)]
struct Expected {
    queries: BTreeMap<String, BTreeMap<String, f64>>,
    mean_of_answered: BTreeMap<String, f64>,
    mean: BTreeMap<String, f64>,
}

fn golden() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/trec_eval"))
}

fn read(name: &str) -> (Scores, Expected) {
    let json = std::fs::read_to_string(golden().join("expected.json")).unwrap();
    let mut all: BTreeMap<String, Expected> = serde_json::from_str(&json).unwrap();
    let expected = all.remove(name).unwrap();
    let measures: Vec<Measure> = expected.mean.keys().map(|name| name.parse().unwrap()).collect();
    let run = Run::open(&golden().join(name).with_extension("txt")).unwrap();
    let qrels = Qrels::open(&golden().join("qrels.txt")).unwrap();
    (evaluate(&run, &qrels, &measures), expected)
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, trec_eval {expected}");
}

#[test]
fn every_value_and_mean_equals_trec_eval() {
    for name in ["run1", "run2"] {
        let (scores, expected) = read(name);
        let answered = scores.queries.iter().filter(|q| q.answered).count();
        assert_eq!(answered, expected.queries.len());
        for query in &scores.queries {
            let values = expected.queries.get(&query.query);
            for (measure, value) in scores.measures.iter().zip(&query.values) {
                let expected = values.map_or(0.0, |values| values[&measure.to_string()]);
                assert_near(*value, expected, &format!("{name} {} {measure}", query.query));
            }
        }
        for &measure in &scores.measures {
            let key = measure.to_string();
            assert_near(scores.mean(measure).unwrap(), expected.mean[&key], &key);
            assert_near(scores.mean_of_answered(measure).unwrap(), expected.mean_of_answered[&key], &key);
        }
    }
}

#[test]
fn a_query_that_is_not_answered_counts_as_0_in_a_comparison() {
    let (scores, _) = read("run2");
    let missing = scores.queries.iter().filter(|q| !q.answered);
    assert!(missing.clone().count() > 0);
    assert!(missing.flat_map(|q| &q.values).all(|&value| value == 0.0));
    let map = Measure::MeanAveragePrecision;
    assert!(scores.mean(map) < scores.mean_of_answered(map));
}

#[test]
fn queries_of_the_run_without_judgements_are_told() {
    let (mut scores, _) = read("run1");
    scores.unjudged.sort();
    assert_eq!(scores.unjudged, ["900", "901"]);
}

#[test]
fn a_measure_not_asked_for_has_no_mean() {
    let (scores, _) = read("run1");
    let measure = Measure::Precision(7);
    assert_eq!(scores.mean(measure), None);
    assert_eq!(scores.difference(&scores, measure, 1), Err(DifferenceError::Measure(measure)));
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let (scores, _) = read("run1");
    for &measure in &scores.measures {
        let d = scores.difference(&scores, measure, 1).unwrap();
        assert_eq!((d.queries, d.changed, d.wilcoxon.p, d.randomisation_p), (30, 0, 1.0, 1.0));
    }
}

#[test]
fn runs_are_compared_over_all_judged_queries() {
    let ((first, _), (second, _)) = (read("run1"), read("run2"));
    let d = first.difference(&second, Measure::MeanAveragePrecision, 1).unwrap();
    assert_eq!((d.queries, d.changed), (30, d.better + d.worse));
    assert_near(d.mean, d.second - d.first, "mean");
    assert!(d.oracle >= d.first.max(d.second));
}

/// A small query: for each document a score, if it was found, and a grade, if it was judged.
fn documents() -> impl Strategy<Value = Vec<(Option<u8>, Option<i32>)>> {
    prop::collection::vec((prop::option::of(0u8..4), prop::option::of(-1i32..4)), 1..16)
}

fn files(documents: &[(Option<u8>, Option<i32>)]) -> (Vec<String>, Vec<String>) {
    let (mut run, mut qrels) = (vec!["q Q0 last 0 -9 t".to_owned()], vec!["q 0 never 0".to_owned()]);
    for (id, (score, grade)) in documents.iter().enumerate() {
        run.extend(score.map(|score| format!("q Q0 d{id} 0 {score} t")));
        qrels.extend(grade.map(|grade| format!("q 0 d{id} {grade}")));
    }
    (run, qrels)
}

const ALL: [Measure; 9] = [
    Measure::Precision(1),
    Measure::Precision(6),
    Measure::MeanAveragePrecision,
    Measure::ReciprocalRank,
    Measure::Ndcg(4),
    Measure::Ndcg(40),
    Measure::Recall(5),
    Measure::Bpref,
    Measure::Success(2),
];

fn judge(run: &[String], qrels: &[String]) -> Vec<f64> {
    let run = Run::parse(&run.join("\n"), Path::new("run")).unwrap();
    let qrels = Qrels::parse(&qrels.join("\n"), Path::new("qrels")).unwrap();
    evaluate(&run, &qrels, &ALL).queries.remove(0).values
}

/// The definitions, word for word: every document's rank is the number of documents not behind it.
fn naive(documents: &[(Option<u8>, Option<i32>)]) -> Vec<f64> {
    let found: Vec<(u8, String, i32)> = (documents.iter().enumerate())
        .filter_map(|(id, (score, grade))| Some(((*score)?, format!("d{id}"), grade.unwrap_or(-1))))
        .collect();
    let rank = |score: u8, id: &str| found.iter().filter(|(s, i, _)| (*s, i.as_str()) >= (score, id)).count();
    let ranked: Vec<(usize, i32)> = found.iter().map(|(s, i, grade)| (rank(*s, i), *grade)).collect();
    let hits = |k: usize| ranked.iter().filter(|(rank, grade)| *rank <= k && *grade >= 1).count() as f64;
    let relevant: Vec<usize> = ranked.iter().filter(|(_, g)| *g >= 1).map(|(rank, _)| *rank).collect();

    let mut grades: Vec<i32> = documents.iter().filter_map(|(_, grade)| *grade).collect();
    grades.sort_by_key(|grade| -grade);
    let all = grades.iter().filter(|grade| **grade >= 1).count();
    // "never" is judged and not relevant as well.
    let rest = grades.iter().filter(|grade| **grade == 0).count() + 1;
    if all == 0 {
        return vec![0.0; ALL.len()];
    }
    let discount = |rank: usize| (rank as f64 + 1.0).log2();
    let ndcg = |k: usize| {
        let dcg: f64 = ranked
            .iter()
            .filter(|(rank, grade)| *rank <= k && *grade > 0)
            .map(|(rank, grade)| f64::from(*grade) / discount(*rank))
            .sum();
        let best: f64 = (1..=k.min(all)).map(|rank| f64::from(grades[rank - 1]) / discount(rank)).sum();
        dcg / best
    };
    let bpref: f64 = relevant
        .iter()
        .map(|rank| {
            let above = ranked.iter().filter(|(other, grade)| other < rank && *grade == 0).count();
            1.0 - above.min(all) as f64 / rest.min(all) as f64
        })
        .sum();
    vec![
        hits(1),
        hits(6) / 6.0,
        relevant.iter().map(|&rank| hits(rank) / rank as f64).sum::<f64>() / all as f64,
        relevant.iter().min().map_or(0.0, |&rank| 1.0 / rank as f64),
        ndcg(4),
        ndcg(40),
        hits(5) / all as f64,
        bpref / all as f64,
        hits(2).min(1.0),
    ]
}

proptest! {
    #[test]
    fn every_measure_equals_its_definition(documents in documents()) {
        let (run, qrels) = files(&documents);
        for ((found, expected), measure) in judge(&run, &qrels).iter().zip(naive(&documents)).zip(ALL) {
            prop_assert!((found - expected).abs() < 1e-12, "{}: {} for {}", measure, found, expected);
        }
    }

    #[test]
    fn the_order_of_lines_does_not_matter(documents in documents(), seed: u64) {
        let (mut run, mut qrels) = files(&documents);
        let before = judge(&run, &qrels);
        let mut rng = Rng::new(seed);
        rng.shuffle(&mut run);
        rng.shuffle(&mut qrels);
        prop_assert_eq!(judge(&run, &qrels), before);
    }

    #[test]
    fn every_value_lies_between_0_and_1(documents in documents()) {
        let (run, qrels) = files(&documents);
        prop_assert!(judge(&run, &qrels).iter().all(|value| (0.0..=1.0 + 1e-12).contains(value)));
    }
}
