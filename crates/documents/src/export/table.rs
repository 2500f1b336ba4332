//! A Parquet file: a row for each document.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;

use super::{Detail, Values};
use crate::extract::Document;
use unhusk_pages::field::{Content, Kind};
use unhusk_pages::metadata::NAMES;

/// The columns. A list has three levels, as the format wants it. What is known of a page follows: a list of each name people expect, typed, and
/// all of it as JSON.
const SCHEMA: &str = "
message document {
  required binary id (STRING);
  required binary url (STRING);
  required binary title (STRING);
  required binary body (STRING);
  required binary aside (STRING);
  required group aliases (LIST) {
    repeated group list {
      required binary element (STRING);
    }
  }
";

/// The schema with the columns of fields.
fn schema() -> String {
    let columns = NAMES.iter().map(|(name, kind)| {
        let element = match kind {
            Kind::Number => "double element",
            Kind::Date => "int64 element (TIMESTAMP(MILLIS,true))",
            Kind::Text | Kind::Keyword | Kind::Url => "binary element (STRING)",
        };
        format!("    required group {name} (LIST) {{ repeated group list {{ required {element}; }} }}\n")
    });
    let columns: String = columns.collect();
    format!("{SCHEMA}  required group fields {{\n{columns}  }}\n  required binary fields_json (JSON);\n}}")
}

/// Writes a table of texts whose columns have these names.
pub fn write_columns(path: &Path, names: &[String], rows: &[Vec<String>]) -> io::Result<()> {
    // The format takes any name; the parser of schemas does not, so columns are put together by hand.
    let column = |name: &String| {
        let text = Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::String))
            .build();
        text.map(Arc::new).map_err(failed)
    };
    let columns = names.iter().map(column).collect::<io::Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("record").with_fields(columns).build().map_err(failed)?;
    let mut file = SerializedFileWriter::new(std::fs::File::create(path)?, Arc::new(schema), Arc::new(properties()))
        .map_err(failed)?;
    let mut group = file.next_row_group().map_err(failed)?;
    for at in 0..names.len() {
        let values: Vec<ByteArray> =
            rows.iter().map(|row| ByteArray::from(row.get(at).map_or("", String::as_str))).collect();
        column_of::<_, ByteArrayType>(&mut group, &values, None, None)?;
    }
    group.close().map_err(failed)?;
    file.close().map_err(failed)?;
    Ok(())
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("unhusk ", env!("CARGO_PKG_VERSION")).to_owned())
        .build()
}

/// Bytes of text in a group of rows: what is held in memory before it is written.
const GROUP: usize = 64 << 20;

/// A Parquet file being written.
pub struct TableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<Document>,
    bytes: usize,
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a file.
    pub fn new(out: W) -> io::Result<Self> {
        let schema = parse_message_type(&schema()).map_err(failed)?;
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties())).map_err(failed)?;
        Ok(TableWriter { file, rows: Vec::new(), bytes: 0 })
    }

    /// Adds a row.
    pub fn add(&mut self, document: Document) -> io::Result<()> {
        let Document { id, url, title, body, aside, .. } = &document;
        self.bytes += [id, url, title, body, aside].map(String::len).iter().sum::<usize>();
        self.rows.push(document);
        if self.bytes >= GROUP { self.write() } else { Ok(()) }
    }

    /// Ends the file.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.write()?;
        }
        self.file.close().map_err(failed)?;
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        let mut group = self.file.next_row_group().map_err(failed)?;
        let columns: [fn(&Document) -> &str; 5] =
            [|row| &row.id, |row| &row.url, |row| &row.title, |row| &row.body, |row| &row.aside];
        for column in columns {
            let values: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(column(row))).collect();
            column_of::<W, ByteArrayType>(&mut group, &values, None, None)?;
        }
        let aliases = |row: &Document| row.aliases.iter().map(|alias| ByteArray::from(alias.as_str())).collect();
        Levels::of(&rows, aliases).write::<W, ByteArrayType>(&mut group)?;
        for (name, kind) in NAMES {
            known(&rows, name, kind, &mut group)?;
        }
        let json: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(as_json(row).as_str())).collect();
        column_of::<W, ByteArrayType>(&mut group, &json, None, None)?;
        group.close().map_err(failed)?;
        Ok(())
    }
}

/// The column of a field: its values of the type the name has.
fn known<W: Write + Send>(
    rows: &[Document],
    name: &str,
    kind: Kind,
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> io::Result<()> {
    let contents = |row: &Document| row.fields.get(name).iter().map(|value| value.content.clone()).collect::<Vec<_>>();
    match kind {
        Kind::Number => {
            let numbers = |row: &Document| {
                let amounts = contents(row).into_iter().filter_map(|content| match content {
                    Content::Number { amount, .. } => Some(amount.get()),
                    _ => None,
                });
                amounts.collect()
            };
            Levels::of(rows, numbers).write::<W, DoubleType>(group)
        }
        Kind::Date => {
            let moments = |row: &Document| {
                let moments = contents(row).into_iter().filter_map(|content| match content {
                    Content::Date(date) => Some(date.seconds * 1000),
                    _ => None,
                });
                moments.collect()
            };
            Levels::of(rows, moments).write::<W, Int64Type>(group)
        }
        Kind::Text | Kind::Keyword | Kind::Url => {
            let texts = |row: &Document| {
                contents(row).iter().map(|content| ByteArray::from(content.to_string().as_str())).collect()
            };
            Levels::of(rows, texts).write::<W, ByteArrayType>(group)
        }
    }
}

fn as_json(row: &Document) -> String {
    serde_json::to_string(&Values { fields: &row.fields, detail: Detail::Exact }).unwrap_or_default()
}

/// A column of lists as the format has it: which values are there, and which begin a list.
struct Levels<T> {
    values: Vec<T>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
}

impl<T> Levels<T> {
    fn of(rows: &[Document], list: impl Fn(&Document) -> Vec<T>) -> Self {
        let mut levels = Levels { values: Vec::new(), defined: Vec::new(), repeated: Vec::new() };
        for row in rows {
            let values = list(row);
            if values.is_empty() {
                levels.defined.push(0);
                levels.repeated.push(0);
            }
            for (number, value) in values.into_iter().enumerate() {
                levels.values.push(value);
                levels.defined.push(1);
                levels.repeated.push(i16::from(number > 0));
            }
        }
        levels
    }

    fn write<W: Write + Send, D: DataType<T = T>>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> io::Result<()> {
        column_of::<W, D>(group, &self.values, Some(&self.defined), Some(&self.repeated))
    }
}

fn column_of<W: Write + Send, D: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[D::T],
    defined: Option<&[i16]>,
    repeated: Option<&[i16]>,
) -> io::Result<()> {
    let Some(mut column) = group.next_column().map_err(failed)? else {
        return Err(io::Error::other("the schema has fewer columns than a row"));
    };
    column.typed::<D>().write_batch(values, defined, repeated).map_err(failed)?;
    column.close().map_err(failed)
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => source.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn rows_come_back_with_their_lists() {
        let text = |text: &str| text.to_owned();
        let aliases = [vec![], vec![text("x"), text("y")], vec![], vec![text("z")]];
        let documents = aliases.iter().enumerate().map(|(n, aliases)| Document {
            id: format!("id{n}"),
            url: text("http://h/ü"),
            title: text(""),
            body: "word ".repeat(n * 100),
            aside: "more".to_owned(),
            aliases: aliases.clone(),
            ..Document::default()
        });
        let mut bytes = Vec::new();
        let mut writer = TableWriter::new(&mut bytes).unwrap();
        let documents: Vec<Document> = documents.collect();
        for (number, document) in documents.iter().enumerate() {
            writer.add(document.clone()).unwrap();
            if number == 1 {
                writer.write().unwrap();
            }
        }
        writer.finish().unwrap();
        let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let rows: Vec<serde_json::Value> =
            reader.get_row_iter(None).unwrap().map(|row| as_json(&row.unwrap())).collect();
        let expected: Vec<serde_json::Value> = documents
            .iter()
            .map(|document| serde_json::from_str(&super::super::line(document, Detail::Exact)).unwrap())
            .collect();
        assert_eq!(rows, expected);
    }

    use hyper::body::Bytes;
    use parquet::record::{Field, Row};

    /// A row as a line of JSON has it.
    fn as_json(row: &Row) -> serde_json::Value {
        let value = |field: &Field| match field {
            Field::Str(text) => serde_json::json!(text),
            Field::ListInternal(list) => list
                .elements()
                .iter()
                .map(|element| match element {
                    Field::Str(text) => serde_json::json!(text),
                    other => panic!("{other:?}"),
                })
                .collect(),
            other => panic!("{other:?}"),
        };
        let column = |(name, field): (&String, &Field)| match (name.as_str(), field) {
            // The typed columns are looked at where their values are.
            ("fields", _) => None,
            ("fields_json", Field::Str(json)) => Some(("fields".to_owned(), serde_json::from_str(json).unwrap())),
            _ => Some((name.clone(), value(field))),
        };
        row.get_column_iter().filter_map(column).collect::<serde_json::Map<_, _>>().into()
    }

    #[test]
    fn fields_are_columns_of_their_types() {
        use unhusk_pages::field::{Amount, Date, Place, Source, Value};
        let mut fields = unhusk_pages::field::Fields::default();
        let value = |content| Value { content, source: Source::JsonLd, place: Place::default() };
        fields.add("author", value(Content::Keyword("Jane Doe".to_owned())));
        fields.add("author", value(Content::Keyword("Ann Roe".to_owned())));
        fields.add("published", value(Content::Date(Date::day(1970, 1, 2).unwrap())));
        fields.add("published", value(Content::Text("soon".to_owned())));
        fields.add("price", value(Content::Number { amount: Amount::new(12.5).unwrap(), unit: None }));
        let mut bytes = Vec::new();
        let mut writer = TableWriter::new(&mut bytes).unwrap();
        writer.add(Document { fields, ..Document::default() }).unwrap();
        writer.finish().unwrap();
        let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
        let row = reader.get_row_iter(None).unwrap().next().unwrap().unwrap();
        let written = row.to_string();
        assert!(written.contains(r#"author: ["Jane Doe", "Ann Roe"]"#), "{written}");
        assert!(written.contains("price: [12.5]"), "{written}");
        assert!(written.contains("published: [1970-01-02"), "{written}");
        assert!(written.contains("soon"), "what is no date is in the JSON: {written}");
    }

    #[test]
    fn a_file_without_rows_is_a_file() {
        let mut bytes = Vec::new();
        TableWriter::new(&mut bytes).unwrap().finish().unwrap();
        assert_eq!(SerializedFileReader::new(Bytes::from(bytes)).unwrap().metadata().file_metadata().num_rows(), 0);
    }
}
