//! `unhusk export`: stripped documents for other programs.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::args::{GatherArgs, MetadataArgs, MethodArgs, collections};
use super::learned::collected;
use super::{Common, Outcome, output, units};
use crate::export::bulk::{self, Chunk, Chunks};
use crate::export::progress::Progress;
use crate::export::send::{Refused, SendError, Sender};
use crate::export::table::TableWriter;
use crate::export::{Detail, line};
use crate::extract::{Document, extract};
use crate::field::Fields;
use crate::index::{documents, manifest};
use crate::ingest::{Gathering, IngestError, Interrupt};
use crate::model::ModelFile;
use crate::strip::scope::Scope;
use crate::strip::{Aside, Model, for_each_page};

/// Hand stripped documents to other programs: search engines, data tools
///
/// Documents of an index, or of collections that are stripped for it. A document has an id, a url, a title, a body,
/// what was set aside of its text, and aliases.
///
/// The bulk format is for Elasticsearch, OpenSearch and Quickwit. With --out it goes to a folder, with settings for an index that takes
/// it; with --to it is sent. What a server could not take at once is sent again. A sending that broke off goes on
/// behind the chunks that were taken when the same command is run again.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The folder of an index; or folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "INDEX or COLLECTION")]
    sources: Vec<String>,
    /// What documents become
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    format: ExportFormat,
    /// File, or folder of the bulk format [default: standard output]
    #[arg(long, short, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    bulk: BulkArgs,
    /// Take templates out with a saved model, where collections are exported
    #[arg(long, value_name = "FILE", conflicts_with = "strip", help_heading = "Template removal")]
    model: Option<PathBuf>,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    gather: GatherArgs,
    #[command(flatten)]
    metadata: MetadataArgs,
    /// Tell of each field's values their type, who says so and where (with --format jsonl)
    #[arg(long, help_heading = "Fields")]
    explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// A JSON document a line
    Jsonl,
    /// The bulk format of Elasticsearch, OpenSearch and Quickwit
    Bulk,
    /// A Parquet file (with --out)
    Parquet,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "With --format bulk")]
struct BulkArgs {
    /// Name of the index in the search engine [default: the collection's name]
    #[arg(long, value_name = "NAME")]
    index_name: Option<String>,
    /// The most that is put into one request or file: bytes, or KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "8MiB", value_parser = units::size)]
    chunk_size: u64,
    /// Send the documents to the search engine at this address
    #[arg(long, value_name = "URL", conflicts_with = "out")]
    to: Option<String>,
    /// Further attempts for a chunk that the server could not take
    #[arg(long, value_name = "N", default_value_t = 6, requires = "to")]
    retries: u32,
    /// Seconds an answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "to", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Where it is noted which chunks were taken [default: the index's or collection's name with .sent]
    #[arg(long, value_name = "FILE", requires = "to")]
    progress: Option<PathBuf>,
}

pub(super) fn run(args: &ExportArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let is_bulk = args.format == ExportFormat::Bulk;
    anyhow::ensure!(
        !args.explain || args.format == ExportFormat::Jsonl,
        "--explain is for --format jsonl: leave it out, or choose that format"
    );
    anyhow::ensure!(is_bulk || args.bulk.to.is_none(), "--to sends the bulk format: add --format bulk");
    match (args.format, &args.out) {
        (ExportFormat::Parquet, None) => anyhow::bail!("--format parquet needs a file: name it with --out"),
        (ExportFormat::Bulk, _) if args.bulk.to.is_some() => send(args, common, interrupt),
        (ExportFormat::Bulk, Some(folder)) => write_chunks(args, folder, common, interrupt),
        (format, out) => {
            let count = match out {
                Some(path) => into_file(path, |out| write(args, format, out, common, interrupt))?,
                None => write(args, format, &mut BufWriter::new(io::stdout()), common, interrupt)?,
            };
            if let (Some(path), false) = (out, common.quiet) {
                eprintln!("unhusk: wrote {} documents to {}", units::count(count), path.display());
            }
            Ok(Outcome::Done)
        }
    }
}

impl ExportArgs {
    /// The index that is exported; none where collections are.
    fn index(&self) -> Option<&Path> {
        match self.sources.as_slice() {
            [one] if Path::new(one).join(manifest::FILE).is_file() => Some(Path::new(one)),
            _ => None,
        }
    }

    /// What the collection is called: an index lies in a folder that is.
    fn name(&self) -> anyhow::Result<String> {
        let Some(index) = self.index() else {
            let first = self.sources.first().map(String::as_str).unwrap_or_default();
            return Ok(crate::read::Collection::open(first)?.name());
        };
        let inputs = crate::index::Manifest::read(index)?.inputs;
        let first = inputs.first().map(|input| input.trim_end_matches('/')).unwrap_or_default();
        Ok(Path::new(first).file_stem().unwrap_or_default().to_string_lossy().into_owned())
    }

    fn chunks(&self) -> anyhow::Result<Chunks> {
        let name = match &self.bulk.index_name {
            Some(name) => name.clone(),
            None => bulk::index_name(&self.name()?),
        };
        Ok(Chunks::new(&name, self.bulk.chunk_size))
    }

    /// Shows each document.
    fn for_each(
        &self,
        common: &Common,
        interrupt: &Interrupt,
        mut each: impl FnMut(Document) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if let Some(index) = self.index() {
            let no_metadata = self.metadata.no_metadata;
            return documents::for_each(index, |document| match no_metadata {
                true => each(Document { fields: Fields::default(), ..document }),
                false => each(document),
            });
        }
        let collections = collections(&self.sources, interrupt)?;
        let file = self.model.as_deref().map(ModelFile::open).transpose()?;
        let gathering = Gathering {
            metadata: self.metadata.reading(),
            wrappers: self.metadata.wrappers()?,
            ..self.gather.gathering()
        };
        let choice = self.metadata.choice();
        collected(&collections, &gathering, common, interrupt, |collected, means| {
            let sites = file.as_ref().map_or(collected.sites(), ModelFile::sites).learn();
            let pages = collected.pages();
            let unpacked =
                file.as_ref().map(|file| file.unpack(&means.scratch.with_extension("sample"))).transpose()?;
            let model: Box<dyn Model + '_> = match &unpacked {
                Some(unpacked) => unpacked.seal(None, means)?,
                None => self.method.method().learn(&pages, means)?,
            };
            for_each_page(pages.spool(), pages.numbers(), |number, page| {
                let kept = model.kept(number, &page, Aside::Demote)?;
                let fields = choice.of(&page, sites.of(Scope::Host.of(&page.url))).fields;
                let document = extract(page, fields, kept.text, kept.aside);
                each(Document { aliases: collected.copies(number).to_vec(), ..document })
            })
        })
    }

    /// Shows each chunk, with its number from 1.
    fn for_each_chunk(
        &self,
        common: &Common,
        interrupt: &Interrupt,
        mut each: impl FnMut(u64, Chunk) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut chunks = self.chunks()?;
        let mut number = 0;
        let mut next = |chunk: Option<Chunk>| match chunk {
            Some(chunk) => {
                number += 1;
                each(number, chunk)
            }
            None => Ok(()),
        };
        self.for_each(common, interrupt, |document| next(chunks.add(&document)))?;
        next(chunks.finish())
    }
}

/// Writes documents one after the other and says how many.
fn write(
    args: &ExportArgs,
    format: ExportFormat,
    out: &mut (dyn Write + Send),
    common: &Common,
    interrupt: &Interrupt,
) -> anyhow::Result<u64> {
    let mut count = 0;
    let detail = if args.explain { Detail::Explained } else { Detail::Plain };
    match format {
        ExportFormat::Jsonl => args.for_each(common, interrupt, |document| {
            count += 1;
            Ok(out.write_all(line(&document, detail).as_bytes())?)
        })?,
        ExportFormat::Bulk => args.for_each_chunk(common, interrupt, |_, chunk| {
            count += chunk.ids.len() as u64;
            Ok(out.write_all(&chunk.bytes)?)
        })?,
        ExportFormat::Parquet => {
            let mut table = TableWriter::new(&mut *out)?;
            args.for_each(common, interrupt, |document| {
                count += 1;
                Ok(table.add(document)?)
            })?;
            table.finish()?;
        }
    }
    out.flush()?;
    Ok(count)
}

/// Writes a file beside its place and renames it: a file that is there is complete.
fn into_file<T>(path: &Path, write: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let cannot = || format!("cannot write {}", path.display());
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(cannot)?;
    let mut file = tempfile::Builder::new().prefix(".unhusk-export").tempfile_in(parent).with_context(cannot)?;
    let written = write(&mut BufWriter::with_capacity(1 << 18, file.as_file_mut()))?;
    // A temporary file is for its owner alone; this one is to be like any other.
    let plain = File::create(path).and_then(|place| place.metadata()).with_context(cannot)?;
    file.as_file().set_permissions(plain.permissions()).with_context(cannot)?;
    file.persist(path).map_err(|error| error.error).with_context(cannot)?;
    Ok(written)
}

/// Writes chunks into a new or empty folder, with the settings of an index that takes them.
fn write_chunks(args: &ExportArgs, folder: &Path, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let cannot = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    anyhow::ensure!(
        fs::read_dir(folder).with_context(cannot)?.next().is_none(),
        "{} is not empty: name another folder with --out",
        folder.display()
    );
    let name = match &args.bulk.index_name {
        Some(name) => name.clone(),
        None => bulk::index_name(&args.name()?),
    };
    fs::write(folder.join("mapping.json"), bulk::mapping()).with_context(cannot)?;
    fs::write(folder.join("quickwit.yaml"), bulk::quickwit(&name)).with_context(cannot)?;
    let (mut files, mut count) = (0, 0);
    args.for_each_chunk(common, interrupt, |number, chunk| {
        files = number;
        count += chunk.ids.len() as u64;
        fs::write(folder.join(format!("bulk-{number:05}.ndjson")), &chunk.bytes).with_context(cannot)
    })?;
    if !common.quiet {
        let (count, files) = (units::count(count), units::count(files));
        eprintln!(
            "unhusk: wrote {count} documents in {files} files to {}, for an index named {name}",
            folder.display()
        );
    }
    Ok(Outcome::Done)
}

/// What became of what was sent.
#[derive(Default)]
struct Sent {
    accepted: u64,
    before: u64,
    refused: Vec<Refused>,
    retries: u64,
}

fn send(args: &ExportArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let to = args.bulk.to.as_deref().unwrap_or_default();
    let sender = Sender::new(to, args.bulk.retries, Duration::from_secs(args.bulk.timeout))?;
    let place = match (&args.bulk.progress, args.index()) {
        (Some(file), _) => file.clone(),
        (None, Some(index)) => with_more(index),
        (None, None) => PathBuf::from(args.name()? + ".sent"),
    };
    let cannot = || format!("cannot note what was sent in {}", place.display());
    let mut progress = Progress::open(&place, sender.url()).with_context(cannot)?;
    let mut sent = Sent::default();
    let result = args.for_each_chunk(common, interrupt, |_, chunk| {
        if interrupt.is_set() {
            return Err(IngestError::Interrupted.into());
        }
        if progress.has(&chunk) {
            sent.before += chunk.ids.len() as u64;
            return Ok(());
        }
        let outcome = sender.send(&chunk)?;
        sent.accepted += outcome.accepted;
        sent.retries += outcome.retries;
        if outcome.refused.is_empty() {
            progress.note(&chunk).with_context(cannot)?;
        }
        sent.refused.extend(outcome.refused);
        Ok(())
    });
    output::print(&sent.in_words(&sender))?;
    let again = format!("nothing is lost: the same command goes on behind what was taken ({})", place.display());
    if let Err(error) = result {
        let is_about_sending =
            error.downcast_ref::<SendError>().is_some() || error.downcast_ref::<IngestError>().is_some();
        return Err(if is_about_sending { error.context(again) } else { error });
    }
    if !sent.refused.is_empty() {
        for refused in sent.refused.iter().take(if common.verbose { usize::MAX } else { 10 }) {
            let Refused { id, status, reason } = refused;
            eprintln!("unhusk: {}", output::printable(&format!("refused {id} with status {status}: {reason}")));
        }
        anyhow::bail!(
            "{} documents were refused; {again}, and sends the chunks with these documents again",
            units::count(sent.refused.len() as u64)
        );
    }
    progress.finish().with_context(cannot)?;
    Ok(Outcome::Done)
}

impl Sent {
    fn in_words(&self, sender: &Sender) -> String {
        let [accepted, refused, before, retries] =
            [self.accepted, self.refused.len() as u64, self.before, self.retries].map(units::count);
        let mut text = format!("{accepted} documents accepted, {refused} refused by {}", sender.url());
        if self.before > 0 {
            text += &format!("; {before} were taken before");
        }
        if self.retries > 0 {
            text += &format!("; {retries} attempts were repeated");
        }
        text + "\n"
    }
}

/// A file beside a folder.
fn with_more(index: &Path) -> PathBuf {
    let mut name = index.components().collect::<PathBuf>().into_os_string();
    name.push(".sent");
    PathBuf::from(name)
}
