//! The comparison: one collection, several methods, the same queries, one report.
//!
//! It must be fair. The collection is read and parsed once for all; every index has the same title field, the same words
//! and the same duplicates left out, so that nothing differs but what the method took from the body. Queries are looked
//! up in title and body, and in the body alone beside it: where titles answer most queries already, a gain
//! in the body alone is an artefact. What a method sets aside is looked up with the body.

mod facts;
mod self_test;
mod survey;
mod terms;

pub use facts::{Fact, FactsError, read_facts};
pub use self_test::{Found, KindOfItems, Lost, SelfTest, build_and_test};

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::eval::{Aliases, Difference, DifferenceError, Measure, Qrels, Scores, evaluate};
use crate::known::KnownItems;
use crate::report::{
    self, Answer, Arm, Corpus, Group, GroupName, JudgedQuery, KnownCounts, Pair, Place, Report, Settings, TemplateTerm,
    View,
};
use facts::VisibleFacts;
use terms::Frequencies;
use unhusk_index::index::words::Language;
use unhusk_index::index::{IndexError, Manifest, Site};
use unhusk_index::ingest::{Building, Collected, Gathering, IngestError, Interrupt, Work};
use unhusk_index::search::queries::QuerySet;
use unhusk_index::search::run::RunError;
use unhusk_index::search::{Asked, Batch, Engine, Scope, Searched, run_batch};
use unhusk_pages::read::Collection;
use unhusk_pages::spool::SpoolError;
use unhusk_strip::strip::{Aside, Method};

/// Name of the report's file.
const REPORT: &str = "report.json";

/// Documents of each ranking that a report shows.
const SHOWN: usize = 10;

/// What is compared, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The methods; the first is what the others are compared to.
    pub methods: Vec<Entry>,
    /// How the collection is read.
    pub gathering: Gathering,
    /// The language words are stemmed for.
    pub language: Language,
    /// What becomes of text that a method sets aside.
    pub aside: Aside,
    /// What is asked; none to ask for known items.
    pub questions: Option<Questions>,
    /// Values that should survive; none where there are none.
    pub facts: Option<Vec<Fact>>,
    /// Where words are looked up. Where that has the title, the text alone is looked at too.
    pub scope: Scope,
    /// What is measured.
    pub measures: Vec<Measure>,
    /// Documents asked for, each query.
    pub depth: usize,
    /// The seed of the resampling methods.
    pub seed: u64,
}

/// Queries, and what the answers should be.
#[derive(Debug, Clone)]
pub struct Questions {
    /// What is asked.
    pub queries: QuerySet,
    /// What the answers should be.
    pub qrels: Qrels,
}

/// A method that is compared.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it is called: one word that can be a folder's name.
    pub name: String,
    /// The method with its parameters.
    pub method: Method,
}

/// What can stop a comparison.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The collection cannot be read or indexed.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// An index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The pages cannot be read again.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// A run cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The scores cannot be compared.
    #[error(transparent)]
    Difference(#[from] DifferenceError),
    /// Nothing is to be compared.
    #[error("there is no method to compare: name at least one with --strip")]
    NoMethod,
    /// No query has a judgement.
    #[error("none of the {queries} queries has a judgement: queries and judgements must use the same ids")]
    NothingJudged {
        /// How many queries there are.
        queries: usize,
    },
}

/// Builds an index for each method in a folder of its name below `folder`, asks all of them the same, and compares. The
/// rankings are left beside each index, as `NAME.run`, and the report as `report.json`. Indexes that are there are replaced only with `force`, and only when all
/// has gone well.
pub fn compare(
    collections: &[Collection],
    plan: &Plan,
    folder: &Path,
    force: bool,
    work: Work<'_>,
) -> Result<Report, CompareError> {
    let names = names(&plan.methods);
    let open = |name| Site::open(&folder.join(name), force);
    let sites: Vec<Site> = names.iter().map(open).collect::<Result<_, _>>()?;
    let Some(first) = sites.first() else { return Err(CompareError::NoMethod) };
    let collected = Collected::gather(collections, &first.scratch("pages"), &plan.gathering, work)?;
    let built = plan.methods.iter().zip(&sites).map(|(entry, site)| {
        let method = entry.method.clone();
        let building = Building {
            method,
            aside: plan.aside,
            language: plan.language,
            choice: Default::default(),
            store: true,
            model: None,
            updatable: false,
        };
        collected.build(site, &building, work)
    });
    let manifests: Vec<Manifest> = built.collect::<Result<_, _>>()?;
    let (questions, known_items) = questions(plan, &collected, work.threads)?;
    let engines: Vec<Engine> = sites.iter().map(|site| Engine::open(&site.index())).collect::<Result<_, _>>()?;
    let name = collections.iter().map(Collection::name).collect::<Vec<_>>().join(", ");
    let pages = collected.pages();
    let surveyed = survey::survey(pages.spool())?;
    let aliases = manifests.first().map(Aliases::from).unwrap_or_default();
    let facts = plan.facts.as_ref();
    let facts = facts.map(|facts| VisibleFacts::find(facts, &aliases, &surveyed.places, pages.spool())).transpose()?;
    let runs: Vec<PathBuf> = sites.iter().map(|site| site.scratch("run")).collect();
    let comparison = Comparison {
        plan,
        questions: &questions,
        known_items,
        runs: &runs,
        names: names.clone(),
        manifests,
        engines: engines.iter().collect(),
        threads: work.threads,
        interrupt: work.interrupt,
    };
    let report = comparison.report(name, surveyed.hash, &|doc| surveyed.places.contains_key(doc), facts)?;
    let written = first.scratch(REPORT);
    let json = serde_json::to_string_pretty(&report).map(|json| json + "\n").map_err(io::Error::from);
    json.and_then(|json| fs::write(&written, json)).map_err(IndexError::io("write", &written))?;
    put(&written, &folder.join(REPORT))?;
    for ((site, run), name) in sites.into_iter().zip(&runs).zip(&names) {
        put(run, &folder.join(format!("{name}.run")))?;
        site.finish()?;
    }
    Ok(report)
}

/// What is asked: what was given, or else known items, and how many of each kind those are.
fn questions(
    plan: &Plan,
    collected: &Collected,
    threads: usize,
) -> Result<(Questions, Option<KnownCounts>), CompareError> {
    if let Some(questions) = &plan.questions {
        return Ok((questions.clone(), None));
    }
    let items = KnownItems::find(&collected.pages(), threads).map_err(IngestError::from)?;
    let counts = KnownCounts { own_words: items.own_words.len(), link_texts: items.link_texts.len() };
    let (queries, qrels) = items.questions();
    Ok((Questions { queries, qrels }, Some(counts)))
}

fn put(file: &Path, place: &Path) -> Result<(), IndexError> {
    fs::rename(file, place).map_err(IndexError::io("put in place", place))
}

/// Compares indexes that are there already, by their names; the first is what the others are compared to. What only a
/// build knows (facts, a hash of the pages, peak memory) is not in the report, and how collections are read does not matter.
pub fn compare_open(indexes: &[(&str, &Engine)], plan: &Plan, threads: usize) -> Result<Report, CompareError> {
    let engines: Vec<&Engine> = indexes.iter().map(|(_, engine)| *engine).collect();
    let manifests: Vec<Manifest> = engines.iter().map(|engine| engine.manifest().clone()).collect();
    let inputs = manifests.first().map(|manifest| manifest.inputs.join(", ")).unwrap_or_default();
    let aliases = manifests.first().map(Aliases::from).unwrap_or_default();
    let known = |doc: &str| engines.iter().any(|engine| engine.has(aliases.kept(doc)).unwrap_or_default());
    let names = indexes.iter().map(|(name, _)| (*name).to_owned()).collect();
    let questions = plan.questions.as_ref().ok_or(CompareError::NothingJudged { queries: 0 })?;
    let comparison = Comparison {
        plan,
        questions,
        known_items: None,
        runs: &[],
        names,
        manifests,
        engines: engines.clone(),
        threads,
        interrupt: &Interrupt::default(),
    };
    let report = comparison.report(inputs, "not computed".to_owned(), &known, None)?;
    Ok(Report { peak_memory: None, ..report })
}

/// Names for the indexes, numbered where one is there again.
fn names(entries: &[Entry]) -> Vec<String> {
    let name = |(at, entry): (usize, &Entry)| {
        let before = entries[..at].iter().filter(|other| other.name == entry.name).count();
        if before == 0 { entry.name.clone() } else { format!("{}-{}", entry.name, before + 1) }
    };
    entries.iter().enumerate().map(name).collect()
}

/// Indexes that are built, and what is asked of them.
struct Comparison<'a> {
    plan: &'a Plan,
    questions: &'a Questions,
    /// How many known items of each kind are asked for, where they are.
    known_items: Option<KnownCounts>,
    /// Where rankings are left, by index; none where they are not.
    runs: &'a [PathBuf],
    names: Vec<String>,
    manifests: Vec<Manifest>,
    engines: Vec<&'a Engine>,
    threads: usize,
    interrupt: &'a Interrupt,
}

/// What is kept of an index's rankings in one view: whole, those of a large query set would fill the memory.
struct Ranked {
    scores: Scores,
    /// For each judged query the best documents.
    tops: Vec<Vec<String>>,
    queries_per_second: f64,
}

impl Comparison<'_> {
    fn report(
        self,
        name: String,
        hash: String,
        known: &dyn Fn(&str) -> bool,
        facts: Option<VisibleFacts>,
    ) -> Result<Report, CompareError> {
        let (plan, Questions { queries, qrels }) = (self.plan, self.questions);
        let aliases = self.manifests.first().map(Aliases::from).unwrap_or_default();
        let judgements = qrels.coverage(queries, known);
        let qrels = aliases.fold_qrels(&qrels.only(queries));
        if qrels.queries().len() == 0 {
            return Err(CompareError::NothingJudged { queries: queries.queries.len() });
        }
        let frequencies = Frequencies::count(&self.engines, queries)?;
        let mut views = Vec::new();
        let mut speeds = Vec::new();
        for (number, scope) in scopes(&plan.scope).into_iter().enumerate() {
            let ranked = self.rank(&scope, &qrels, number == 0)?;
            views.push(self.view(&scope, &ranked, &qrels, &frequencies)?);
            if number == 0 {
                speeds = ranked.iter().map(|ranked| ranked.queries_per_second).collect();
            }
        }
        let arms = speeds.into_iter().enumerate().map(|(at, speed)| self.arm(at, speed, facts.as_ref()));
        Ok(Report {
            schema: report::SCHEMA,
            unhusk: env!("CARGO_PKG_VERSION"),
            collection: self.corpus(name, hash),
            settings: Settings {
                language: plan.language,
                aside: plan.aside,
                dedup: plan.gathering.dedup,
                depth: plan.depth,
                seed: plan.seed,
                threads: self.threads,
                measures: plan.measures.clone(),
                known_items: self.known_items,
            },
            judgements,
            facts: facts.as_ref().map(|facts| facts.given),
            arms: arms.collect::<Result<_, _>>()?,
            views,
            peak_memory: self.manifests.last().and_then(|manifest| manifest.cost.peak_memory),
        })
    }

    fn corpus(&self, name: String, hash: String) -> Corpus {
        let any = self.manifests.first();
        Corpus {
            name,
            inputs: any.map(|manifest| manifest.inputs.clone()).unwrap_or_default(),
            hash,
            pages: any.map(|manifest| manifest.pages.clone()).unwrap_or_default(),
            corpus_bytes: any.map_or(0, |manifest| manifest.corpus_bytes),
            text_bytes: any.map_or(0, |manifest| manifest.text_bytes),
        }
    }

    fn arm(&self, at: usize, queries_per_second: f64, facts: Option<&VisibleFacts>) -> Result<Arm, CompareError> {
        let manifest = &self.manifests[at];
        Ok(Arm {
            name: self.names[at].clone(),
            method: manifest.method.clone(),
            findings: manifest.findings.clone(),
            kept_bytes: manifest.kept_bytes,
            aside_bytes: manifest.aside_bytes,
            fields: manifest.fields.clone(),
            sizes: manifest.sizes,
            seconds: manifest.cost.seconds.clone(),
            queries_per_second,
            facts: facts.map(|facts| facts.kept_by(self.engines[at])).transpose()?,
        })
    }

    /// Asks every index everything, and writes down the rankings if they are to be kept.
    fn rank(&self, scope: &Scope, qrels: &Qrels, keep: bool) -> Result<Vec<Ranked>, CompareError> {
        let (plan, queries) = (self.plan, &self.questions.queries);
        let rank = |(at, engine): (usize, &&Engine)| {
            self.interrupt.check()?;
            let name = &self.names[at];
            let Batch { run, elapsed, .. } =
                run_batch(engine, queries, (scope, &Asked::default()), plan.depth, name, self.threads)?;
            if let Some(path) = self.runs.get(at).filter(|_| keep) {
                let file = File::create(path).map_err(IndexError::io("write", path))?;
                run.write(BufWriter::new(file)).map_err(|error| match error {
                    RunError::Write(source) => IndexError::io("write", path)(source).into(),
                    other => CompareError::from(other),
                })?;
            }
            let top = |query: &str| run.ranking(query).iter().take(SHOWN).map(|found| found.doc.clone()).collect();
            Ok(Ranked {
                scores: evaluate(&run, qrels, &plan.measures),
                tops: qrels.queries().map(|(query, _)| top(query)).collect(),
                queries_per_second: queries.queries.len() as f64 / elapsed.as_secs_f64().max(1e-9),
            })
        };
        self.engines.iter().enumerate().map(rank).collect()
    }

    fn view(
        &self,
        scope: &Scope,
        ranked: &[Ranked],
        qrels: &Qrels,
        frequencies: &Frequencies,
    ) -> Result<View, CompareError> {
        let measures = &self.plan.measures;
        let means = |ranked: &Ranked| measures.iter().map(|&m| ranked.scores.mean(m).unwrap_or(0.0)).collect();
        let mut pairs = Vec::new();
        for second in 1..ranked.len() {
            for first in 0..second {
                let terms = frequencies.template_terms(first, second);
                pairs.push(self.pair(ranked, (first, second), terms, frequencies)?);
            }
        }
        // Comparisons to the first index stand first.
        pairs.sort_by_key(|pair| pair.first != self.names[0]);
        Ok(View {
            fields: scope.fields.clone(),
            title_boost: scope.title_boost,
            aside_boost: scope.aside_boost,
            length_pivot: scope.length_pivot,
            means: ranked.iter().map(means).collect(),
            pairs,
            queries: self.judged(ranked, qrels),
        })
    }

    fn pair(
        &self,
        ranked: &[Ranked],
        (first, second): (usize, usize),
        template_terms: Vec<TemplateTerm>,
        frequencies: &Frequencies,
    ) -> Result<Pair, CompareError> {
        let (before, after) = (&ranked[first].scores, &ranked[second].scores);
        let held: Vec<bool> =
            before.queries.iter().map(|query| frequencies.holds(&query.query, &template_terms)).collect();
        let group = |name: GroupName| -> Result<Option<Group>, CompareError> {
            let inside = |at: &usize| match name {
                GroupName::All => true,
                GroupName::TemplateTerms => held[*at],
                GroupName::NoTemplateTerms => !held[*at],
            };
            let members: Vec<usize> = (0..held.len()).filter(inside).collect();
            if members.is_empty() {
                return Ok(None);
            }
            let differences = (0..self.plan.measures.len()).map(|measure| {
                let values = |scores: &Scores| members.iter().map(|&at| scores.queries[at].values[measure]).collect();
                let (before, after): (Vec<f64>, Vec<f64>) = (values(before), values(after));
                Difference::between(&before, &after, self.plan.seed)
            });
            Ok(Some(Group { name, differences: differences.collect::<Result<_, _>>()? }))
        };
        let names = [GroupName::All, GroupName::TemplateTerms, GroupName::NoTemplateTerms];
        let groups = names.into_iter().filter_map(|name| group(name).transpose()).collect::<Result<_, _>>()?;
        let template_queries =
            before.queries.iter().zip(&held).filter(|(_, held)| **held).map(|(query, _)| query.query.clone());
        Ok(Pair {
            first: self.names[first].clone(),
            second: self.names[second].clone(),
            template_queries: template_queries.collect(),
            template_terms,
            groups,
        })
    }

    /// Every judged query with the best documents of each index.
    fn judged(&self, ranked: &[Ranked], qrels: &Qrels) -> Vec<JudgedQuery> {
        let texts: HashMap<&str, &str> =
            self.questions.queries.queries.iter().map(|query| (query.id.as_str(), query.text.as_str())).collect();
        let judged = |(at, (id, grades)): (usize, (&str, &HashMap<String, i32>))| {
            let answer = |ranked: &Ranked| Answer {
                values: ranked.scores.queries[at].values.clone(),
                top: ranked.tops[at]
                    .iter()
                    .map(|doc| Place { doc: doc.clone(), grade: grades.get(doc).copied() })
                    .collect(),
            };
            JudgedQuery {
                id: id.to_owned(),
                text: texts.get(id).copied().unwrap_or_default().to_owned(),
                relevant: grades.values().filter(|&&grade| grade >= 1).count(),
                answers: ranked.iter().map(answer).collect(),
            }
        };
        qrels.queries().enumerate().map(judged).collect()
    }
}

/// What was asked for, and where that has the title, the text alone beside it.
fn scopes(asked: &Scope) -> Vec<Scope> {
    let text = Scope { fields: vec![Searched::Body, Searched::Aside], ..asked.clone() };
    if asked.fields.contains(&Searched::Title) { vec![asked.clone(), text] } else { vec![asked.clone()] }
}
