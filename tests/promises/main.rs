//! What the program promises, tested on the built program from outside. Each test's name is a promise.
//!
//! | file | promises about |
//! |---|---|
//! | `formats` | every input format gives the same pages; ids, base URL, several collections, standard input |
//! | `determinism` | the same input gives the same index, run and results on any number of threads |
//! | `output` | tables, JSON and help texts, against the golden files in `tests/golden/cli` |
//! | `placement` | where an index goes; force, signals, two builds at once, a full disk |
//! | `crashing` | builds, comparisons and updates that are killed, interrupted, out of disk, at many moments |
//! | `sharing` | builds that meet at one place; readers while builds come and go |
//! | `damage` | changed bytes and cut tails in every file of an index, a model, a spool |
//! | `bad_input` | what is missing, empty, binary, too large, torn, no index, or too new |
//! | `limits` | every limit, on both sides |
//! | `searching` | the query syntax, scripts, identifiers, fields, snippets, exit status |
//! | `runs` | query files in, TREC runs out |
//! | `sandwich` | stripping by sandwich: peers, figures, a running crawl, line scores |
//! | `clusters` | stripping by structure: layouts, their templates, scores against true clusters |
//! | `duplicates` | one page in two layouts |
//! | `methods` | one table of cases through every method; explanations, templates, samples, discovery |
//! | `models` | templates learned on shards and merged are those of the whole; applied, shown, refused when damaged |
//! | `setting_aside` | text that is a page's own but not its content: found, demoted, dropped, kept, updated |
//! | `updating` | changes of a collection go into its index; redesigns, copies |
//! | `evaluation` | runs and judgements in, scores and differences out; kept words against content |
//! | `comparison` | methods compared; the report on the terminal, as JSON, as a web page in a browser |
//! | `known_items` | comparisons without judgements, and an index that tests itself |
//! | `experiments` | comparisons written down and their floors; synthetic sites |
//! | `fields` | what pages say about themselves: read, judged by the site, searched, counted, exported, bounded |
//! | `exporting` | documents for other programs; a sender against servers that refuse, put off, break off |
//! | `extraction` | fields learned from labels: lists, details, checks, merges, formats, bad labels and files |
//! | `serving` | the server over HTTP: every page and answer, judging, reopening |
//! | `guarding` | the server among hostile pages and clients: limits, headers, who may ask |
//! | `storming` | the server under ten thousand requests, good and hostile |
//! | `browsing` | the server in a real browser: search, side by side, judging, pages, keys, phone, no script |
//! | `replaying` | inputs that fuzzing starts from or has found |
//! | `soaking` | pages damaged on purpose through every method |
//! | `suites` | html5lib-tests, where somebody has them |
//! | `offline` | no network unless asked for |
//! | `documentation` | the README's commands are those that `.ci/run` runs, its output is the program's, links lead somewhere |
//!
//! `support` drives the program, `server` a server, `browser` a browser. Golden files are rewritten with `INSTA_UPDATE=always cargo test --test promises`.
//! What takes minutes is done in part unless `UNHUSK_TESTS=all` asks for all of it, as `.ci/run` does (`support::all_or`).
//! A test that cannot run on this machine says why (`support::skipped`); `tests/skipped` prints the list behind all tests.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod browser;
mod browsing;
mod clusters;
mod comparison;
mod crashing;
mod damage;
mod determinism;
mod documentation;
mod duplicates;
mod evaluation;
mod experiments;
mod exporting;
mod extraction;
mod fields;
mod formats;
mod guarding;
mod known_items;
mod limits;
mod methods;
mod models;
mod offline;
mod output;
mod placement;
mod replaying;
mod runs;
mod sandwich;
mod searching;
mod server;
mod serving;
mod setting_aside;
mod sharing;
mod soaking;
mod storming;
mod suites;
mod support;
mod updating;
