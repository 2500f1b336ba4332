//! The fields of an index, and opening one.

use tantivy::schema::{
    Field, IndexRecordOption, JsonObjectOptions, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Tokenizer, TokenizerManager};

use unhusk_strip::strip::Aside;

use super::words::{Language, Words};

/// The name the analyser is registered under. What it does depends on the manifest's language.
const ANALYSER: &str = "unhusk";

/// The name of the field whose parts are columns.
pub const COLUMNS: &str = "column";

/// The fields of an index.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The document id: looked up whole, and a column, so that runs need not read stored documents.
    pub id: Field,
    /// The URL, stored.
    pub url: Field,
    /// The title, with positions, stored.
    pub title: Field,
    /// What is set aside of the text, like the body.
    pub aside: Field,
    /// The content, with positions, stored unless left out.
    pub body: Field,
    /// Ids of pages that are the same page, stored.
    pub alias: Field,
    /// What else is known of a page, stored with who says so.
    pub known: Field,
    /// The same as columns, one for each name and type: to filter, sort and count by.
    pub columns: Field,
    schema: Schema,
}

impl Fields {
    /// The schema, with the texts stored or not, and what is aside searched by itself or not.
    pub fn new(store_body: bool, aside: Aside) -> Self {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(ANALYSER)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = TextOptions::default().set_indexing_options(indexing);
        let mut schema = Schema::builder();
        let id = schema.add_text_field("id", (STRING | STORED).set_fast("raw"));
        let url = schema.add_text_field("url", STORED);
        let title = schema.add_text_field("title", text.clone().set_stored());
        let text = if store_body { text.set_stored() } else { text };
        // In front of the body: `vocabulary` counts on it.
        let aside = match (aside, store_body) {
            (Aside::Demote, _) => schema.add_text_field("aside", text.clone()),
            (_, true) => schema.add_text_field("aside", STORED),
            (_, false) => schema.add_text_field("aside", TextOptions::default()),
        };
        let body = schema.add_text_field("body", text);
        let alias = schema.add_text_field("alias", STRING | STORED);
        let known = schema.add_bytes_field("known", STORED);
        let columns = schema.add_json_field(COLUMNS, JsonObjectOptions::default().set_fast("raw"));
        Fields { id, url, title, aside, body, alias, known, columns, schema: schema.build() }
    }

    /// Whether the body's text is stored.
    pub fn stores_body(&self) -> bool {
        self.schema.get_field_entry(self.body).is_stored()
    }

    /// The schema as Tantivy knows it.
    pub fn schema(&self) -> Schema {
        self.schema.clone()
    }
}

/// The analysers an index of that language needs to be read.
pub fn analysers(language: Language) -> TokenizerManager {
    analysers_with(Words::new(language))
}

/// The analysers an index needs, with one of several that give the same terms.
pub(super) fn analysers_with(words: impl Tokenizer) -> TokenizerManager {
    let manager = TokenizerManager::new();
    // `id` is one term as it is. Tantivy wants an analyser for `url` too, though it is stored only.
    for name in ["raw", "default"] {
        manager.register(name, TextAnalyzer::from(tantivy::tokenizer::RawTokenizer::default()));
    }
    manager.register(ANALYSER, TextAnalyzer::from(words));
    manager
}
