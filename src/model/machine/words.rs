//! What is said of files that are of another kind, and of values of another type.

use super::SCHEMA;

/// What a file with this text is, if it is certainly not of the kind `mine`, such as `apportion.history`: `is a machine description
/// (apportion.machine/1)`. A file of another version is of the kind, and so is a text that ends early.
pub fn foreign(bytes: &[u8], mine: &str) -> Option<String> {
    let kind = |schema: &str| schema.rsplit_once('/').map_or(schema, |(kind, _)| kind).to_owned();
    let Ok(document) = serde_json::from_slice::<serde_json::Value>(bytes) else {
        // It began like such a file, as far as it goes.
        let head = format!("{{\"schema\":\"{mine}/");
        let begins = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
        let like = begins.zip(head.bytes()).all(|(byte, wanted)| byte == wanted);
        return (!like).then(|| "is no JSON".to_owned());
    };
    match document.get("schema").and_then(serde_json::Value::as_str) {
        Some(schema) if kind(schema) == mine => None,
        Some(schema) if kind(schema) == kind(SCHEMA) => Some(format!("is a machine description ({schema})")),
        Some(schema) => Some(format!("is of schema `{schema}`")),
        None => Some("is JSON without a schema".to_owned()),
    }
}

/// The types that serde names in `expected ..`, and what they are in a file.
const PLAIN: [(&str, &str); 16] = [
    ("u8", "a whole number from 0 up"),
    ("u16", "a whole number from 0 up"),
    ("u32", "a whole number from 0 up"),
    ("u64", "a whole number from 0 up"),
    ("usize", "a whole number from 0 up"),
    ("i8", "a whole number"),
    ("i16", "a whole number"),
    ("i32", "a whole number"),
    ("i64", "a whole number"),
    ("isize", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("a boolean", "true or false"),
    ("a string", "a text in quotes"),
];

/// A message of serde without the names of Rust's types.
pub fn plainly(message: &str) -> String {
    let message = message.replacen("invalid type: map,", "invalid type: an object,", 1).replacen(
        "invalid type: sequence,",
        "invalid type: a list,",
        1,
    );
    let Some((before, wanted)) = message.rsplit_once("expected ") else { return message };
    // What follows is the place, ` at line 3 column 7`.
    let ends = |rest: &&str| rest.is_empty() || rest.starts_with([' ', ',']);
    if let Some(named) = wanted.strip_prefix("struct ") {
        let rest = named.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        return format!("{before}expected an object{rest}");
    }
    if let Some(size) = wanted.strip_prefix("a tuple of size ") {
        return format!("{before}expected a list of length {size}");
    }
    let plain = PLAIN.iter().find_map(|(of_rust, plain)| {
        wanted.strip_prefix(of_rust).filter(ends).map(|rest| format!("{before}expected {plain}{rest}"))
    });
    plain.unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_plain_names() {
        for (of_serde, plain) in [
            ("invalid type: string \"8\", expected f64", "invalid type: string \"8\", expected a number"),
            (
                "invalid value: integer `-1`, expected usize at line 3 column 7",
                "invalid value: integer `-1`, expected a whole number from 0 up at line 3 column 7",
            ),
            ("invalid type: map, expected a sequence", "invalid type: an object, expected a list"),
            ("invalid type: sequence, expected struct Runtime", "invalid type: a list, expected an object"),
            ("invalid length 3, expected a tuple of size 4", "invalid length 3, expected a list of length 4"),
            ("expected value at line 1 column 1", "expected value at line 1 column 1"),
            ("unknown field `a`, expected one of `b`, `c`", "unknown field `a`, expected one of `b`, `c`"),
        ] {
            assert_eq!(plainly(of_serde), plain);
        }
    }

    #[test]
    fn a_file_is_foreign_only_if_it_cannot_be_of_the_kind() {
        let what = |text: &str| foreign(text.as_bytes(), "apportion.machine");
        for own in ["", " \n", "{\"schema\": \"apportion.machine/9\"}", "{\n \"schema\": \"apportion.machine/1\", \"na"]
        {
            assert_eq!(what(own), None, "{own}");
        }
        assert_eq!(what("%PDF-1.7").unwrap(), "is no JSON");
        assert_eq!(what("[1, 2]").unwrap(), "is JSON without a schema");
        assert_eq!(what("{\"schema\": \"apportion.record/1\"}").unwrap(), "is of schema `apportion.record/1`");
    }
}
