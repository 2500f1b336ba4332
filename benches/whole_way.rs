//! From bytes to an index: our way beside two rods to measure it against, taking turns in one process.
//!
//! - *plain loop*: read a file, html5ever's tokenizer, its text to Tantivy. No tree, no spool, no pieces, no duplicates.
//! - *plain feed*: the same text, extracted beforehand, to Tantivy.
//!
//! The rods use Tantivy's own writer with the schema, the analyser and the stored fields of our index; a second
//! pair uses Tantivy's default analyser. What counts is the CPU time of all threads, user and system: it stands still
//! while other programs run. See `docs/benchmarks.md`.

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, IndexWriter, TantivyDocument};

use unhusk::dedup::Cut;
use unhusk::index::schema::{Fields, analysers};
use unhusk::index::words::Language;
use unhusk::ingest::{Building, Gathering, Interrupt, Unwatched, Work, build};
use unhusk::strip::{Aside, Method};

/// What Tantivy's writer may hold, for each of its threads.
const WRITER_BUDGET: usize = 64 << 20;

/// Builds an index at a path.
type Way<'a> = Box<dyn Fn(&Path) + 'a>;

fn main() {
    let threads = common::setting("UNHUSK_BENCH_THREADS", 1);
    let rounds = common::setting("UNHUSK_BENCH_ROUNDS", 5);
    let pages = common::Pages::find();
    let files = files(&pages.folder);
    let bytes = common::size(&pages.folder);
    // For `benches/compare`, which measures the plain loop from outside, beside other programs.
    if let Some(out) = std::env::var_os("UNHUSK_BENCH_OUT") {
        return plain_loop(&pages.folder, &files, Path::new(&out), threads, theirs());
    }
    println!("{} pages, {:.1} MB, {threads} thread(s), {rounds} rounds", files.len(), bytes as f64 / 1e6);

    let texts: Vec<Text> = pages.read().iter().map(Text::extract).collect();
    let ways: [(&str, Way<'_>); 6] = [
        ("plain loop", Box::new(|out| plain_loop(&pages.folder, &files, out, threads, ours()))),
        ("unhusk", Box::new(|out| whole_way(&pages, out, threads, Some(Cut::default())))),
        ("unhusk, --no-dedup", Box::new(|out| whole_way(&pages, out, threads, None))),
        ("plain feed", Box::new(|out| plain_feed(&texts, out, threads, ours()))),
        ("plain loop, Tantivy's analyser", Box::new(|out| plain_loop(&pages.folder, &files, out, threads, theirs()))),
        ("plain feed, Tantivy's analyser", Box::new(|out| plain_feed(&texts, out, threads, theirs()))),
    ];
    let mut taken: Vec<Vec<Taken>> = vec![Vec::new(); ways.len()];
    let mut sizes = vec![0; ways.len()];
    // One round more, whose figures are dropped: it warms the page cache.
    for round in 0..=rounds {
        for (number, (_, way)) in ways.iter().enumerate() {
            let dir = tempfile::tempdir().expect("a temporary folder");
            let out = dir.path().join("index");
            let measured = Taken::by(|| way(&out));
            if round > 0 {
                taken[number].push(measured);
            }
            sizes[number] = common::size(&out);
        }
    }
    print(&ways.each_ref().map(|(name, _)| *name), &taken, &sizes, files.len());
}

fn print(names: &[&str], taken: &[Vec<Taken>], sizes: &[u64], pages: usize) {
    // Rounds are compared one by one, so that what slows a whole round down does not count.
    let loop_cpu = &taken[0];
    println!(
        "{:<32}{:>9}{:>9}{:>11}{:>10}{:>18}",
        "medians", "CPU s", "wall s", "µs a page", "MB", "× plain loop (CPU)"
    );
    for ((name, taken), size) in names.iter().zip(taken).zip(sizes) {
        let cpu = median(taken.iter().map(|taken| taken.cpu.as_secs_f64()));
        let wall = median(taken.iter().map(|taken| taken.wall.as_secs_f64()));
        let ratio = median(taken.iter().zip(loop_cpu).map(|(way, rod)| way.cpu.as_secs_f64() / rod.cpu.as_secs_f64()));
        let (per_page, mb) = (cpu / pages as f64 * 1e6, *size as f64 / 1e6);
        println!("{name:<32}{cpu:>9.3}{wall:>9.3}{per_page:>11.0}{mb:>10.1}{ratio:>18.2}");
    }
}

/// What a way cost.
#[derive(Clone, Copy)]
struct Taken {
    cpu: Duration,
    wall: Duration,
}

impl Taken {
    fn by(work: impl FnOnce()) -> Self {
        let (cpu, wall) = (common::cpu_time(), Instant::now());
        work();
        Taken { cpu: common::cpu_time() - cpu, wall: wall.elapsed() }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn whole_way(pages: &common::Pages, out: &Path, threads: usize, dedup: Option<Cut>) {
    let gathering = Gathering { dedup, ..Gathering::default() };
    let building = Building {
        method: Method::None,
        aside: Aside::default(),
        language: Language::NONE,
        choice: Default::default(),
        store: true,
        model: None,
        updatable: false,
    };
    let work = Work { threads, watch: &Unwatched, interrupt: &Interrupt::default() };
    build(&[pages.collection()], out, false, &gathering, &building, work).expect("an index");
}

/// The fields every rod has, and who cuts the text into words.
struct Rod {
    fields: Fields,
    analysers: TokenizerManager,
}

fn ours() -> Rod {
    Rod { fields: Fields::new(true, Aside::default()), analysers: analysers(Language::NONE) }
}

/// Our schema names its analyser, so Tantivy's default one is registered under that name.
fn theirs() -> Rod {
    let analysers = analysers(Language::NONE);
    let default = TokenizerManager::default().get("default").expect("Tantivy has a default analyser");
    analysers.register("unhusk", default);
    Rod { fields: Fields::new(true, Aside::default()), analysers }
}

impl Rod {
    fn create(&self, out: &Path, threads: usize) -> IndexWriter {
        std::fs::create_dir_all(out).expect("a folder");
        let mut index = Index::create_in_dir(out, self.fields.schema()).expect("an index");
        index.set_tokenizers(self.analysers.clone());
        index.writer_with_num_threads(threads, WRITER_BUDGET * threads).expect("a writer")
    }

    fn add(&self, writer: &IndexWriter, id: &str, title: &str, body: &str) {
        let mut document = TantivyDocument::new();
        document.add_text(self.fields.id, id);
        document.add_text(self.fields.url, id);
        document.add_text(self.fields.title, title);
        document.add_text(self.fields.body, body);
        writer.add_document(document).expect("a document is added");
    }

    fn finish(mut writer: IndexWriter) {
        writer.commit().expect("a commit");
        writer.wait_merging_threads().expect("merges end");
    }
}

fn plain_feed(texts: &[Text], out: &Path, threads: usize, rod: Rod) {
    let writer = rod.create(out, threads);
    for text in texts {
        rod.add(&writer, &text.id, &text.title, &text.body);
    }
    Rod::finish(writer);
}

fn plain_loop(folder: &Path, files: &[PathBuf], out: &Path, threads: usize, rod: Rod) {
    let writer = rod.create(out, threads);
    let (rod, shared) = (&rod, &writer);
    std::thread::scope(|scope| {
        for files in files.chunks(files.len().div_ceil(threads)) {
            scope.spawn(move || {
                for file in files {
                    let bytes = std::fs::read(file).expect("a page is read");
                    let text = tokenise(&String::from_utf8_lossy(&bytes));
                    let id = file.strip_prefix(folder).unwrap_or(file).to_string_lossy();
                    rod.add(shared, &id, &text.title.take(), &text.body.take());
                }
            });
        }
    });
    Rod::finish(writer);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    entries.map(walkdir::DirEntry::into_path).filter(|path| path.extension().is_some_and(|e| e == "html")).collect()
}

/// A page's text as our own way has it.
struct Text {
    id: String,
    title: String,
    body: String,
}

impl Text {
    fn extract(raw: &unhusk::read::RawPage) -> Self {
        let page = unhusk::parse::parse(raw);
        Text { body: page.text_where(|_| true), id: page.id, title: page.title }
    }
}

/// The text between tags, as simply as it can be had.
#[derive(Default)]
struct Plain {
    title: std::cell::RefCell<String>,
    body: std::cell::RefCell<String>,
    inside: std::cell::Cell<Inside>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Inside {
    #[default]
    Body,
    Title,
    Script,
}

fn tokenise(html: &str) -> Plain {
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(Plain::default(), Default::default());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink
}

impl TokenSink for Plain {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => match self.inside.get() {
                Inside::Body => self.body.borrow_mut().push_str(&text),
                Inside::Title => self.title.borrow_mut().push_str(&text),
                Inside::Script => {}
            },
            Token::TagToken(tag) => {
                // Words on two sides of a tag are two words: close enough.
                self.body.borrow_mut().push(' ');
                self.inside.set(Inside::Body);
                if tag.kind == TagKind::StartTag {
                    let (inside, kind) = match &*tag.name {
                        "title" => (Inside::Title, RawKind::Rcdata),
                        "script" => (Inside::Script, RawKind::ScriptData),
                        "style" => (Inside::Script, RawKind::Rawtext),
                        _ => return TokenSinkResult::Continue,
                    };
                    self.inside.set(inside);
                    return TokenSinkResult::RawData(kind);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}
