//! Tables of comma-separated values, with the line of each row for messages.

use crate::InputError;
use apportion::model::machine::files;
use std::path::{Path, PathBuf};

/// A table whose first row names the columns.
#[derive(Debug)]
pub struct Table {
    file: PathBuf,
    header: Vec<String>,
    rows: Vec<(u64, Vec<String>)>,
}

/// A row of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub struct Row<'t> {
    table: &'t Table,
    line: u64,
    fields: &'t [String],
}

impl Table {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not text, or is not a table with these columns.
    pub fn load(file: &Path, required: &[&str]) -> Result<Self, InputError> {
        let wrong = |problem: String| InputError { file: file.to_path_buf(), line: None, column: None, problem };
        let bytes = files::read_whole(file)
            .map_err(|error| wrong(format!("cannot be read: {error}; give the path of a CSV file")))?;
        let text = String::from_utf8(bytes)
            .map_err(|error| wrong(format!("is not text: byte {} is not UTF-8", error.utf8_error().valid_up_to())))?;
        Self::parse(file, &text, required)
    }

    /// Reads a table from text; `file` is its name in messages.
    ///
    /// # Errors
    /// For a table without one of the `required` columns or with a column twice, for a row with too few or too many
    /// fields, and for a quote that does not end.
    pub fn parse(file: &Path, text: &str, required: &[&str]) -> Result<Self, InputError> {
        let wrong = |line, problem| InputError { file: file.to_path_buf(), line, column: None, problem };
        let mut rows = records(text.strip_prefix('\u{feff}').unwrap_or(text))
            .map_err(|line| wrong(Some(line), "a quote (\") opens here and does not end".to_owned()))?;
        if rows.is_empty() {
            return Err(wrong(None, format!("is empty; its first line names the columns: {}", required.join(","))));
        }
        let (line, header) = rows.remove(0);
        let header: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
        let missing: Vec<&str> =
            required.iter().copied().filter(|name| header.iter().all(|there| there != name)).collect();
        if let [all] = header.as_slice()
            && all.contains(';')
        {
            return Err(wrong(Some(line), "has semicolons; fields are separated by commas".to_owned()));
        }
        if !missing.is_empty() {
            let problem = format!(
                "lacks {} `{}`; the first line must name the columns {}",
                if missing.len() == 1 { "the column" } else { "the columns" },
                missing.join("`, `"),
                required.join(",")
            );
            return Err(wrong(Some(line), problem));
        }
        if let Some(twice) = header.iter().enumerate().find(|(i, name)| header[..*i].contains(name)) {
            return Err(wrong(Some(line), format!("names the column `{}` twice", twice.1)));
        }
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != header.len()) {
            let problem = format!("has {} fields, but the first line names {} columns", row.len(), header.len());
            return Err(wrong(Some(*line), problem));
        }
        Ok(Self { file: file.to_path_buf(), header, rows })
    }

    /// The file's name.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Its rows, without the first.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, fields)| Row { table: self, line: *line, fields })
    }
}

impl Row<'_> {
    /// A field without surrounding blanks; `None` if there is no such column or the field is empty.
    pub fn get(&self, column: &str) -> Option<&str> {
        let place = self.table.header.iter().position(|name| name == column)?;
        self.fields.get(place).map(|field| field.trim()).filter(|field| !field.is_empty())
    }

    /// A required field; `right` says what it should hold.
    ///
    /// # Errors
    /// If it is empty.
    pub fn need(&self, column: &str, right: &str) -> Result<&str, InputError> {
        self.get(column).ok_or_else(|| self.wrong(column, format!("is empty; {right}")))
    }

    /// A number, or `None` if the field is empty.
    ///
    /// # Errors
    /// If the field holds something else.
    pub fn number(&self, column: &str) -> Result<Option<f64>, InputError> {
        let Some(text) = self.get(column) else { return Ok(None) };
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| self.wrong(column, format!("`{text}` is no number")))
    }

    /// An error about this row.
    pub fn wrong(&self, column: &str, problem: String) -> InputError {
        InputError { file: self.table.file.clone(), line: Some(self.line), column: Some(column.to_owned()), problem }
    }

    /// Its line, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }
}

/// Records with the line on which each begins; empty lines are skipped. `Err`: the line of a quote that does not end.
fn records(text: &str) -> Result<Vec<(u64, Vec<String>)>, u64> {
    let mut records = Vec::new();
    let mut fields: Vec<String> = Vec::new();
    let mut field = String::new();
    let (mut line, mut begin) = (1, 1);
    let mut quoted: Option<u64> = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        line += u64::from(c == '\n');
        match (c, quoted) {
            ('"', Some(_)) if characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            ('"', Some(_)) => quoted = None,
            (c, Some(_)) => field.push(c),
            ('"', None) if field.is_empty() => quoted = Some(line),
            (',', None) => fields.push(std::mem::take(&mut field)),
            ('\r', None) if characters.peek() == Some(&'\n') => {}
            ('\n', None) => {
                fields.push(std::mem::take(&mut field));
                let record = std::mem::take(&mut fields);
                if record.len() > 1 || !record[0].trim().is_empty() {
                    records.push((begin, record));
                }
                begin = line;
            }
            (c, None) => field.push(c),
        }
    }
    if let Some(line) = quoted {
        return Err(line);
    }
    if !field.is_empty() || !fields.is_empty() {
        fields.push(field);
        records.push((begin, fields));
    }
    Ok(records)
}

/// A field as written in a table: quoted if necessary.
pub fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
