//! Queries and judgements. Each query is drawn from a page that exists, so it has an answer; who else answers it
//! follows from how the pages were made.
//!
//! The first letter of a query's id says what it asks for: `t` two or three words of a topic, `a` one word of a
//! topic and the names of its sections (words that stand in the navigation of every page), `n` the person a topic
//! is about, `f` facts: a kind and a harbour of the directory.
//!
//! Grades: 2 the page is about the topic, or its record has both values; 1 the topic is the page's second one; 0
//! the page names the topic in passing, or its record has the harbour but not the kind.

use std::collections::{HashMap, HashSet};

use super::Site;
use super::plan::{PageKind, Plan};
use super::words::{below, mix};
use unhusk_pages::random::Rng;

/// A query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Its id, unique in the site.
    pub id: String,
    /// Its words.
    pub text: String,
}

/// How well a page answers a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The query's id.
    pub query: String,
    /// The page's id.
    pub page: String,
    /// 0, 1 or 2.
    pub grade: u8,
}

/// What a query is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Topic(u64),
    Record((u64, u64)),
}

impl Site {
    /// The site's queries: one for ten pages, at least 40 and at most 200 (fewer where a small site has no more to
    /// ask).
    pub fn queries(&self) -> Vec<Query> {
        self.needs().into_iter().map(|(query, _)| query).collect()
    }

    /// The judgements of all queries, by query and then in page order. Goes over the plans of all pages, but makes
    /// none.
    pub fn judgements(&self) -> Vec<Judgement> {
        let needs = self.needs();
        let mut by_topic: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut by_harbour: HashMap<u64, Vec<(usize, u64)>> = HashMap::new();
        for (at, (_, need)) in needs.iter().enumerate() {
            match need {
                Need::Topic(topic) => by_topic.entry(*topic).or_default().push(at),
                Need::Record((kind, harbour)) => by_harbour.entry(*harbour).or_default().push((at, *kind)),
            }
        }
        let mut judged: Vec<Vec<Judgement>> = vec![Vec::new(); needs.len()];
        for plan in (0..self.options.pages).map(|index| self.planner.plan(index)) {
            let mut judge = |at: usize, grade| {
                let (query, page) = (needs[at].0.id.clone(), self.id(&plan));
                judged[at].push(Judgement { query, page, grade });
            };
            for (topic, grade) in self.grades(&plan) {
                by_topic.get(&topic).into_iter().flatten().for_each(|at| judge(*at, grade));
            }
            if let (PageKind::Record, Some(records)) = (plan.kind, self.records) {
                let (kind, harbour) = records.key(plan.index);
                for (at, wanted) in by_harbour.get(&harbour).into_iter().flatten() {
                    judge(*at, if kind == *wanted { 2 } else { 0 });
                }
            }
        }
        judged.into_iter().flatten().collect()
    }

    /// The topics of a page and how much it is about each.
    fn grades(&self, plan: &Plan) -> impl Iterator<Item = (u64, u8)> {
        let written = matches!(plan.kind, PageKind::Article | PageKind::Bare | PageKind::Print);
        let subject = written.then(|| {
            let source = self.planner.plan(plan.source);
            self.topics.subject(source.section, source.ordinal, source.index)
        });
        subject.into_iter().flat_map(|s| {
            let main = [(s.main, 2)].into_iter();
            main.chain(s.secondary.map(|t| (t, 1))).chain(s.passing.map(|t| (t, 0)))
        })
    }

    fn needs(&self) -> Vec<(Query, Need)> {
        let wanted = (self.options.pages / 10).clamp(40, 200) as usize;
        let mut rng = Rng::new(mix(self.options.seed, 70, 0));
        let mut seen = HashSet::new();
        let mut needs = Vec::with_capacity(wanted);
        // Draws that repeat a query or hit a page with nothing to ask are made again, within reason.
        for _ in 0..8 * wanted {
            if needs.len() == wanted {
                break;
            }
            let plan = self.planner.plan(below(&mut rng, self.options.pages));
            let turn = rng.below(3);
            let Some((letter, text, need)) = self.ask(&plan, turn, &mut rng) else {
                continue;
            };
            if seen.insert(text.clone()) {
                needs.push((Query { id: format!("{letter}{:03}", needs.len() + 1), text }, need));
            }
        }
        needs
    }

    /// A query that this page answers; `turn` chooses among the three ways to ask for a topic.
    fn ask(&self, plan: &Plan, turn: usize, rng: &mut Rng) -> Option<(char, String, Need)> {
        if let (PageKind::Record, Some(records)) = (plan.kind, self.records) {
            let key = records.key(plan.index);
            return Some(('f', records.question(key, &self.vocabulary), Need::Record(key)));
        }
        let (number, _) = self.grades(plan).next()?;
        let topic = self.topics.get(number, &self.vocabulary);
        let words = &topic.words;
        let [one, two] = topic.aspects.map(|at| self.section_words[at].as_str());
        Some(match turn {
            0 if rng.below(2) == 0 => ('t', format!("{} {}", words[0], words[1]), Need::Topic(number)),
            0 => ('t', format!("{} {} {}", words[0], words[2], words[3]), Need::Topic(number)),
            1 if one == two => ('a', format!("{one} {} {}", words[0], words[2]), Need::Topic(number)),
            1 => ('a', format!("{one} {two} {}", words[rng.below(2)]), Need::Topic(number)),
            _ => ('n', topic.person.to_lowercase(), Need::Topic(number)),
        })
    }
}
