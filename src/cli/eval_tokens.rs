//! `unhusk eval tokens`: the words that were kept, against content a person cut out.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::args::{GatherArgs, MethodInWords, collections};
use super::eval_lines::agreement_cells;
use super::learned::collected;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::eval::tokens::{Bag, TokenCounts, TokenReport, TokenSum, read_gold};
use crate::ingest::{Collected, Interrupt};
use crate::spool::PageNo;
use crate::strip::{Aside, Means, Method, for_each_page};

/// The version of what `--format json` prints.
const SCHEMA: &str = "unhusk.tokens/1";

/// Compare the words methods keep with content a person cut out: precision, recall and F1
///
/// The content of the page NAME.html is in <DIR>/NAME.txt or <DIR>/NAME.html.txt. Pages without one are learned from, not scored.
/// A copy of another page is scored by what is left of that page.
///
/// Words are those of the index without stemming; each character of a script without spaces is one.
#[derive(Debug, Args)]
pub(super) struct EvalTokensArgs {
    /// What to read: folders, files, or - for JSON lines on standard input
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// The folder with the content of each page
    #[arg(long, value_name = "DIR")]
    gold: PathBuf,
    /// The methods, with commas between; parameters go with their method: 'none,table --min-df 8'. Texts that another
    /// program cut out are scored with 'given --texts FILE'
    #[arg(long, value_name = "METHODS", value_delimiter = ',', default_value = "none,table,sandwich,auto")]
    strip: Vec<MethodInWords>,
    #[command(flatten)]
    output: FormatArgs,
    #[command(flatten)]
    gather: GatherArgs,
}

#[derive(Serialize)]
struct Answer {
    schema: &'static str,
    gold: PathBuf,
    /// Pages that were scored, copies among them.
    scored: usize,
    /// Pages without content to compare with.
    unmarked: usize,
    methods: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    method: Method,
    findings: serde_json::Map<String, serde_json::Value>,
    #[serde(flatten)]
    report: TokenReport,
}

/// The content of the pages that have one.
#[derive(Default)]
struct Gold {
    /// By what stands in the collection: the page itself, and its copies.
    pages: HashMap<PageNo, Vec<Marked>>,
    scored: usize,
    unmarked: usize,
}

struct Marked {
    id: String,
    copy_of: Option<String>,
    content: Bag,
}

pub(super) fn run(args: &EvalTokensArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let named = collections(&args.collections, interrupt)?;
    let answer = collected(&named, &args.gather.gathering(), common, interrupt, |collected, means| {
        judge(args, collected, means)
    })?;
    match args.output.format {
        Format::Json => output::json(&answer)?,
        Format::Table => output::print(&table(&answer))?,
    }
    Ok(Outcome::Done)
}

fn judge(args: &EvalTokensArgs, collected: &Collected, means: Means<'_>) -> anyhow::Result<Answer> {
    let gold = Gold::read(&args.gold, collected)?;
    anyhow::ensure!(
        gold.scored > 0,
        "{} has the content of no page: expected NAME.txt for a page NAME.html",
        args.gold.display()
    );
    let methods = args.strip.iter().map(|words| score(words, &gold, collected, means)).collect::<Result<_, _>>()?;
    let Gold { scored, unmarked, .. } = gold;
    Ok(Answer { schema: SCHEMA, gold: args.gold.clone(), scored, unmarked, methods })
}

impl Gold {
    fn read(folder: &Path, collected: &Collected) -> anyhow::Result<Self> {
        let mut gold = Gold::default();
        let pages = collected.pages();
        for_each_page(pages.spool(), pages.numbers(), |number, page| {
            let copies = collected.copies(number).iter().map(|copy| (copy, Some(page.id.clone())));
            for (id, copy_of) in std::iter::once((&page.id, None)).chain(copies) {
                let Some(content) = read_gold(folder, id)? else {
                    gold.unmarked += 1;
                    continue;
                };
                gold.scored += 1;
                let marked = Marked { id: id.clone(), copy_of, content: Bag::of(&content) };
                gold.pages.entry(number).or_default().push(marked);
            }
            Ok::<(), anyhow::Error>(())
        })?;
        Ok(gold)
    }
}

fn score(words: &MethodInWords, gold: &Gold, collected: &Collected, means: Means<'_>) -> anyhow::Result<Row> {
    let pages = collected.pages();
    let model = words.method.learn(&pages, means)?;
    let mut sum = TokenSum::default();
    for_each_page(pages.spool(), pages.numbers(), |number, page| {
        let Some(marked) = gold.pages.get(&number) else { return Ok(()) };
        let kept = Bag::of(&model.kept(number, &page, Aside::Demote)?.text);
        for Marked { id, copy_of, content } in marked {
            sum.add(id, copy_of.as_deref(), TokenCounts::of(&kept, content));
        }
        Ok::<(), anyhow::Error>(())
    })?;
    Ok(Row { name: words.name.clone(), method: words.method.clone(), findings: model.findings(), report: sum.report() })
}

fn table(answer: &Answer) -> String {
    let row = |row: &Row| {
        let TokenReport { counts, all, mean, .. } = &row.report;
        let mut cells = vec![row.name.clone()];
        cells.extend(agreement_cells(mean));
        cells.extend(agreement_cells(all));
        cells.extend([counts.kept, counts.content_kept].map(units::count));
        cells
    };
    let heading =
        ["", "precision", "recall", "F1", "of all: precision", "recall", "F1", "words kept", "of the content"];
    let mut text = output::grid(&heading, answer.methods.iter().map(row));
    let content = answer.methods.first().map_or(0, |row| row.report.counts.content);
    let [scored, unmarked] = [answer.scored, answer.unmarked].map(|number| units::count(number as u64));
    text += &format!(
        "means of {scored} pages, and of all their words together; {} words of content\n",
        units::count(content)
    );
    if answer.unmarked > 0 {
        text += &format!("{unmarked} pages without content to compare with were learned from, not scored\n");
    }
    for row in &answer.methods {
        let missing = row.findings.get("pages_without_text").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if missing > 0 {
            text += &format!("{}: {} pages have no text in what was given\n", row.name, units::count(missing));
        }
    }
    text
}
