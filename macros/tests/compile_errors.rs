//! A function that cannot be a kernel is a compile error that points at the place and says what to write instead.

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use std::fs;
use std::path::Path;

#[test]
fn errors_point_at_the_place_and_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/errors/*.rs");
}

/// Texts of the source files that no `.stderr` file contains, and why.
const OTHERS: [(&str, &str); 17] = [
    ("` is a kernel for", "of an error that only building a program finds: see docs/kernel.md"),
    (", and no other types", "of the same"),
    ("), for each of its types.", "a line of the documentation that is made"),
    ("kernels do not know this operator", "the parser leaves room for operators that Rust does not have yet"),
    ("a value of a type that is not known yet", "such a type is never wrong: what it meets decides it"),
    ("What `#[kernel]` derived for [`", "a line of the documentation that is made"),
    ("the number of arguments is compared before the loop starts", "a panic of what is made"),
    ("the loop index does not occur in its indices", "a word of `maps()`"),
    (
        "only the limits of an index are known, as of `a % b` or `a.min(b)`; where it is near row i, `rows(n) halo(h)` copies less",
        "a word of `maps()`",
    ),
    ("it is read backwards", "a word of `maps()`"),
    ("its elements do not follow the loop by one stride", "a word of `maps()`"),
    ("follows iteration i", "a word of `maps()`"),
    ("elements follow each iteration", "a word of `maps()`"),
    ("elements follows iteration i", "a word of `maps()`"),
    ("as stated", "a word of `maps()`"),
    ("as promised: it is not checked that iterations stay in their own", "a word of `maps()`"),
    ("iterations contribute to it by", "a word of `maps()`"),
];

/// The string literals of a file, without those in attributes, doc comments, tests and calls of `expect`.
fn literals(tokens: TokenStream, found: &mut Vec<Literal>) {
    let mut before: [String; 2] = Default::default();
    for tree in tokens {
        let skipped = match &tree {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Bracket => before[1] == "#" || before[1] == "!",
                Delimiter::Brace => before == ["mod", "tests"],
                _ => before[1] == "expect",
            },
            _ => false,
        };
        before = [std::mem::take(&mut before[1]), tree.to_string()];
        match tree {
            TokenTree::Group(group) if !skipped => literals(group.stream(), found),
            TokenTree::Literal(literal) => found.push(literal),
            _ => {}
        }
    }
}

/// The parts of a format text between its placeholders, without line breaks, if they have two words or more.
fn pieces(text: &str) -> Vec<String> {
    let text = text.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let plain = |piece: &str| piece.replace('\u{1}', "{").replace('\u{2}', "}").trim().to_owned();
    let outside = text.split('{').map(|piece| piece.split_once('}').map_or(piece, |(_, outside)| outside));
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let sentence = |piece: &String| piece.split_whitespace().filter(|word| is_word(word)).count() > 1;
    outside.map(plain).filter(sentence).collect()
}

/// The parts of all messages in a source file of the macro.
fn messages(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    literals(text.parse().expect("the file is Rust"), &mut found);
    let text_of = |literal: Literal| match syn::Lit::new(literal) {
        syn::Lit::Str(text) => Some(text.value()),
        _ => None,
    };
    found.into_iter().filter_map(text_of).flat_map(|text| pieces(&text)).collect()
}

/// The source files that make errors, and the one that says why an index is not known.
fn files() -> Vec<(String, String)> {
    let mut list: Vec<_> = fs::read_dir("src").unwrap().map(|entry| entry.unwrap().path()).collect();
    list.sort();
    let read = |path: &Path| (path.display().to_string(), fs::read_to_string(path).unwrap());
    let files: Vec<_> = list.iter().map(|path| read(path)).collect();
    files
        .into_iter()
        .filter(|(path, text)| {
            ["Error::new", ".error("].iter().any(|made| text.contains(made)) || path.ends_with("access.rs")
        })
        .collect()
}

/// The first lines of all recorded errors.
fn recorded() -> String {
    let list = fs::read_dir("tests/errors").unwrap().map(|entry| entry.unwrap().path());
    let texts = list.filter(|path| path.extension().is_some_and(|end| end == "stderr"));
    let lines = texts.flat_map(|path| fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.starts_with("error: ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_message_is_in_a_recorded_error() {
    let recorded = recorded();
    let mut missing = Vec::new();
    let mut others: Vec<&str> = OTHERS.iter().map(|(text, _)| *text).collect();
    let mut count = 0;
    for (file, text) in files() {
        for message in messages(&text) {
            count += 1;
            if recorded.contains(&message) {
                continue;
            }
            match OTHERS.iter().find(|(text, _)| message == *text) {
                Some((text, _)) => others.retain(|other| other != text),
                None => missing.push(format!("{file}: {message}")),
            }
        }
    }
    assert!(count > 100, "{count}");
    assert!(missing.is_empty(), "no error of tests/errors says:\n{}", missing.join("\n"));
    assert!(others.is_empty(), "these are said by an error, or not at all: {others:?}");
}

#[test]
fn a_message_is_found_wherever_it_stands() {
    let text = r#"
        //! Not of a comment or of what is said to nobody.
        #[doc = "no word of this"]
        fn f() { Err(at(span, &format!("`{name}` is never used: \
            remove {}", 1))).expect("a b c d") }
        #[cfg(test)]
        mod tests { const A: &str = "nor of the tests"; }
        const PLAIN: &str = "write `if c {{ 1 }}` instead of it"; const WORD: &str = "word";
    "#;
    assert_eq!(messages(text), ["` is never used: remove", "write `if c { 1 }` instead of it"]);
}
