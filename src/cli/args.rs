//! Arguments that several commands share.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, Parser, ValueEnum};
use url::Url;

use super::auto_args::AutoArgs;
use super::cluster_args::ClusterArgs;
use super::sandwich_args::SandwichArgs;
use super::units;
use crate::dedup::Cut;
use crate::field::Source;
use crate::index::words::Language;
use crate::ingest::{Gathering, Interrupt};
use crate::metadata::Reading;
use crate::metadata::choose::Choice;
use crate::parse::Limits;
use crate::read::{Collection, ReadError, ReadOptions};
use crate::strip::given::Given;
use crate::strip::scope::Scope;
use crate::strip::table::{Delimiters, Sample, Table, Threshold};
use crate::strip::{Aside, Method};
use crate::wrap::fields::{Fields, FieldsError};

/// How pages are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct ReadArgs {
    /// URL of the collection's root: a page in a folder then has this URL and its path
    #[arg(long, value_name = "URL")]
    base_url: Option<Url>,
    /// Stop with an error at the first page that is skipped or damaged
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What one page may cost.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Skip pages larger than this: bytes, or KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = units::size)]
    max_page_size: u64,
    /// Skip pages with more pieces of text than this: a piece is what stands between two tags on a line
    #[arg(long, value_name = "N", default_value_t = Limits::default().pieces, value_parser = clap::value_parser!(u32).range(1..))]
    max_pieces: u32,
    /// Pass over tags that are nested deeper than this; their text stays
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, value_parser = clap::value_parser!(u32).range(8..))]
    max_depth: u32,
    /// Pass over all further tags of a page with more elements, texts and comments than this; their text stays
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, value_parser = clap::value_parser!(u32).range(8..))]
    max_nodes: u32,
}

/// How a collection is read, and which of its pages count.
#[derive(Debug, Args)]
pub(super) struct GatherArgs {
    #[command(flatten)]
    read: ReadArgs,
    /// Index near-duplicates too: pages that say the same as another page
    #[arg(long, help_heading = "Reading")]
    no_dedup: bool,
    /// When pages are compared, leave out words that are on more than this share of them
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "10%",
        value_parser = units::share,
        conflicts_with = "no_dedup",
        help_heading = "Reading"
    )]
    dedup_df: f64,
}

/// How words are folded. One default for every command: docs/search.md has the measurement.
#[derive(Debug, Args)]
pub(super) struct LanguageArgs {
    /// Language whose inflections count as one word (ships, shipping: ship): ar da de el en es fi fr hu it nl no pt ro
    /// ru sv ta tr, or none
    #[arg(long, value_name = "CODE", default_value_t = Language::default())]
    pub(super) language: Language,
}

/// Whether pages are kept beside the index.
#[derive(Debug, Args)]
pub(super) struct KeepArgs {
    /// Keep the pages beside the index, to look at with the serve command: their source, and what was dropped of it.
    /// They do not count as part of the index
    #[arg(long)]
    pub(super) keep_pages: bool,
}

/// What becomes of text that is the page's own, but not its content.
#[derive(Debug, Args)]
pub(super) struct AsideArgs {
    /// Text that a method sets aside, since it is the page's own but not its content: drop it, demote it to a field of its own, or
    /// keep it in the body
    #[arg(long, value_name = "WHAT", default_value_t = Aside::default(), help_heading = "Template removal")]
    pub(super) aside: Aside,
}

/// What is read of what pages say about themselves.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fields")]
pub(super) struct MetadataArgs {
    /// Do not read what pages say about themselves: title, author, dates, price and so on
    #[arg(long)]
    pub(super) no_metadata: bool,
    /// Which fields documents have: usual, those people expect; all, every property that pages name; or those people expect and the
    /// values that wrappers find, from a file of the command fields learn
    #[arg(long, value_name = "WHICH", default_value = "usual", conflicts_with = "no_metadata")]
    fields: FieldsName,
    /// Who is believed where several say what a field is, the first in front; who is not named is not heard
    #[arg(long, value_name = "SOURCES", value_delimiter = ',', default_value = ORDER, conflicts_with = "no_metadata", hide_default_value = true)]
    believe: Vec<Source>,
}

/// The order of [`Source::ALL`], for the help.
const ORDER: &str = "wrapper,search,json-ld,microdata,rdfa,heading,open-graph,meta,twitter,markup";

#[derive(Clone, Debug, PartialEq, Eq)]
enum FieldsName {
    /// title, description, author, published, modified, image, language, section, tags, type, url, price, currency, brand,
    /// availability, rating
    Usual,
    /// All properties of schema.org too, under their own names
    All,
    /// The usual ones, and the values that wrappers find
    Wrappers(PathBuf),
}

impl FromStr for FieldsName {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "usual" => FieldsName::Usual,
            "all" => FieldsName::All,
            file => FieldsName::Wrappers(file.into()),
        })
    }
}

impl MetadataArgs {
    /// What is read; none where nothing is.
    pub(super) fn reading(&self) -> Option<Reading> {
        (!self.no_metadata).then(|| Reading { all: self.fields == FieldsName::All })
    }

    /// The wrappers whose values documents get.
    pub(super) fn wrappers(&self) -> Result<Option<Arc<Fields>>, FieldsError> {
        match &self.fields {
            FieldsName::Wrappers(file) => Fields::read(file).map(|fields| Some(Arc::new(fields))),
            FieldsName::Usual | FieldsName::All => Ok(None),
        }
    }

    /// Which of it documents have.
    pub(super) fn choice(&self) -> Choice {
        Choice { order: self.believe.clone(), all: self.fields == FieldsName::All }
    }
}

/// Opens what was named; standard input ends at an interrupt.
pub(super) fn collections(names: &[String], interrupt: &Interrupt) -> Result<Vec<Collection>, ReadError> {
    names.iter().map(|name| Ok(Collection::open(name)?.until(interrupt.flag()))).collect()
}

impl ReadArgs {
    /// How to read, with every page counting and none kept.
    pub(super) fn gathering(&self) -> Gathering {
        let LimitArgs { max_page_size, max_pieces, max_depth, max_nodes } = self.limits;
        Gathering {
            read: ReadOptions { base_url: self.base_url.clone(), max_page_size, ..ReadOptions::default() },
            limits: Limits { depth: max_depth, nodes: max_nodes, pieces: max_pieces },
            strict: self.strict,
            ..Gathering::default()
        }
    }
}

impl GatherArgs {
    /// How to read, without keeping pages.
    pub(super) fn gathering(&self) -> Gathering {
        Gathering { dedup: (!self.no_dedup).then_some(Cut { share: self.dedup_df }), ..self.read.gathering() }
    }
}

/// What takes templates out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Template removal")]
pub(super) struct MethodArgs {
    /// What takes templates out
    #[arg(long, value_enum, default_value_t = MethodName::Auto, value_name = "METHOD")]
    strip: MethodName,
    #[command(flatten)]
    auto: AutoArgs,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    sandwich: SandwichArgs,
    #[command(flatten, next_help_heading = "With --strip cluster")]
    cluster: ClusterArgs,
}

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    /// Keep everything
    None,
    /// Drop what its place holds on nearly every page, set aside lists of other pages and what is around articles
    Auto,
    /// Drop chunks of text that many pages share
    Table,
    /// Drop what a page has in common with a page of its directory
    Sandwich,
    /// Drop what most pages of a layout have in the same place
    Cluster,
}

impl MethodArgs {
    pub(super) fn method(&self) -> Method {
        match self.strip {
            MethodName::None => Method::None,
            MethodName::Auto => Method::Auto(self.auto.auto()),
            MethodName::Table => Method::Table(self.table.table()),
            MethodName::Sandwich => Method::Sandwich(self.sandwich.sandwich()),
            MethodName::Cluster => Method::Cluster(self.cluster.cluster()),
        }
    }
}

/// A method as it is typed after `--strip`, its parameters with it: `table --min-df 8`.
#[derive(Clone, Debug)]
pub(super) struct MethodInWords {
    /// The words as one: `table-min-df-8`.
    pub(super) name: String,
    pub(super) method: Method,
}

impl FromStr for MethodInWords {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        #[derive(Parser)]
        #[command(no_binary_name = true, disable_help_flag = true)]
        struct Words {
            #[command(flatten)]
            method: MethodArgs,
        }
        let mut words = text.split_whitespace();
        if words.next() == Some("given") {
            return given(words);
        }
        let parsed = Words::try_parse_from(std::iter::once("--strip").chain(text.split_whitespace()));
        let method = parsed.map_err(first_line)?.method.method();
        Ok(MethodInWords { name: as_one_word(&text.replace('%', "pct")), method })
    }
}

/// Texts that another program cut out: `given --texts FILE`, called by the file's name. Not a method among the others,
/// since there is nothing to explain about it and nothing to learn.
fn given<'a>(words: impl Iterator<Item = &'a str>) -> Result<MethodInWords, String> {
    #[derive(Parser)]
    #[command(no_binary_name = true, disable_help_flag = true)]
    struct Words {
        #[arg(long)]
        texts: PathBuf,
    }
    let Words { texts } = Words::try_parse_from(words).map_err(|error| {
        format!("{}: write given --texts FILE, a file name without spaces and commas", first_line(error))
    })?;
    let name = as_one_word(&texts.file_stem().unwrap_or_default().to_string_lossy());
    Ok(MethodInWords { name, method: Method::Given(Given { texts }) })
}

fn as_one_word(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

fn first_line(error: clap::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").trim_end_matches(':').to_owned()
}

/// Parameters of `--strip table`.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --strip table")]
struct TableArgs {
    /// Where pages are cut into chunks
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = DelimitersName::Block)]
    delimiters: DelimitersName,
    /// Pages a chunk has to be on: a number from 2, or a share of the pages in scope
    #[arg(long, value_name = "PAGES", default_value_t = Table::default().min_df)]
    min_df: Threshold,
    /// Chunks of fewer words than this have to be on half of the pages in scope as well [default: 5, and 0 with
    /// --delimiters table]
    #[arg(long, value_name = "WORDS")]
    short_words: Option<u32>,
    /// Among which pages chunks are counted
    #[arg(long, value_enum, value_name = "PAGES", default_value_t = ScopeName::Collection)]
    scope: ScopeName,
    /// Learn from this many pages, drawn at random [default: all]
    #[arg(long, value_name = "N")]
    sample_pages: Option<usize>,
    /// What the random sample is drawn by
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "sample_pages")]
    sample_seed: u64,
    /// Memory for counting chunks; more goes to disk. KiB, MiB and GiB are understood
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = units::size)]
    memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DelimitersName {
    /// At table and image map tags, as in the paper
    Table,
    /// At block elements as well
    Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScopeName {
    /// All pages
    Collection,
    /// Pages of one host
    Host,
    /// Pages of one directory
    Directory,
}

impl TableArgs {
    fn table(&self) -> Table {
        let delimiters = match self.delimiters {
            DelimitersName::Table => Delimiters::Table,
            DelimitersName::Block => Delimiters::Block,
        };
        Table {
            delimiters,
            min_df: self.min_df,
            short_words: self.short_words.unwrap_or(delimiters.short_words()),
            scope: match self.scope {
                ScopeName::Collection => Scope::Collection,
                ScopeName::Host => Scope::Host,
                ScopeName::Directory => Scope::Directory,
            },
            sample: self.sample_pages.map(|pages| Sample { pages, seed: self.sample_seed }),
            memory: self.memory,
        }
    }
}
