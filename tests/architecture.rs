//! Compares ARCHITECTURE.md with the code: which room may import which, where `unsafe` may be, what the pure rooms must not
//! use, and what the library must not depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Places of `unsafe`: backends call drivers, one type cuts a borrow into disjoint ones, one function calls code compiled for
/// the processor at hand, and unsafe constructors take texts and images of kernels.
const UNSAFE_PLACES: [&str; 5] = [
    "src/devices/",
    "src/data/disjoint.rs",
    "src/kernel/processor.rs",
    "src/kernel/device_source.rs",
    "src/kernel/cuda.rs",
];
/// Rooms without threads, clocks and files.
const PURE_ROOMS: [&str; 2] = ["sched", "model"];
/// Modules of `std` that the pure rooms must not name.
const IMPURE_STD: [&str; 5] = ["thread", "fs", "net", "env", "process"];
/// Types and crates that the pure rooms must not name.
const IMPURE_NAMES: [&str; 3] = ["SystemTime", "rayon", "libloading"];
/// The one file of the pure rooms that reads and writes files: the machine description. The table's notes say so.
const READS_FILES: &str = "src/model/machine.rs";
/// What only the program needs.
const PROGRAM_ONLY: [&str; 4] = ["clap", "plotters", "indicatif", "statrs"];

/// A source file: its path from the repository's root, and its text.
struct Source {
    path: String,
    text: String,
}

// --- The checks. Each returns what is wrong, one line each. ---

/// Room -> rooms that it may import, in the order of the table.
type Table = Vec<(String, Vec<String>)>;

fn table(document: &str) -> Result<Table, String> {
    let mut rows = Vec::new();
    let mut lines = document.lines().skip_while(|line| !line.replace(' ', "").starts_with("|room|mayimport|"));
    lines.next().ok_or("there is no table that starts with `| room | may import |`")?;
    for line in lines.skip(1).take_while(|line| line.trim_start().starts_with('|')) {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [room, imports, ..] = cells[..] else { return Err(format!("this row has fewer than two cells: {line}")) };
        // Names stand between backquotes; anything else is for the reader.
        let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        match names(room).as_slice() {
            [room] => rows.push((room.clone(), names(imports))),
            _ => return Err(format!("this row names not exactly one room: {line}")),
        }
    }
    if rows.is_empty() { Err("the table `may import` has no rows".into()) } else { Ok(rows) }
}

/// Checks the table itself: each room once, only rooms as imports, and no circle of imports.
fn wrong_table(table: &Table) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (room, imports) in table {
        if !seen.insert(room.as_str()) {
            wrong.push(format!("ARCHITECTURE.md: room `{room}` has two rows"));
        }
        for import in imports.iter().filter(|import| table.iter().all(|(room, _)| room != *import)) {
            wrong.push(format!("ARCHITECTURE.md: `{room}` may import `{import}`, which is no room"));
        }
    }
    let mut settled: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = settled.len();
        for (room, imports) in table {
            if imports.iter().all(|import| settled.contains(import.as_str())) {
                settled.insert(room);
            }
        }
        if settled.len() == before {
            break;
        }
    }
    let circle: Vec<_> = seen.iter().filter(|room| !settled.contains(**room)).collect();
    if !circle.is_empty() {
        wrong.push(format!("ARCHITECTURE.md: these rooms import one another in a circle: {circle:?}"));
    }
    wrong
}

/// Imports that the table does not allow, and rooms that are in the table or the code alone.
fn wrong_imports(table: &Table, sources: &[Source]) -> Vec<String> {
    let allowed: BTreeMap<&str, &Vec<String>> = table.iter().map(|(room, imports)| (room.as_str(), imports)).collect();
    let mut wrong = Vec::new();
    let mut rooms = BTreeSet::new();
    for source in sources {
        let Some(room) = room_of(&source.path) else { continue };
        let Some(imports) = allowed.get(room) else {
            wrong.push(format!("{}: room `{room}` has no row in ARCHITECTURE.md", source.path));
            continue;
        };
        rooms.insert(room);
        for (line, target) in crate_paths(source) {
            // The crate's root re-exports these.
            let target = if target == "Error" || target == "Result" { "error" } else { &target };
            let place = format!("{}:{line}", source.path);
            if !allowed.contains_key(target) {
                wrong.push(format!("{place}: `crate::{target}` is no room of ARCHITECTURE.md"));
            } else if target != room && imports.iter().all(|import| import != target) {
                wrong.push(format!("{place}: `{room}` imports `{target}`, which ARCHITECTURE.md does not allow"));
            }
        }
    }
    for (room, _) in table.iter().filter(|(room, _)| !rooms.contains(room.as_str())) {
        wrong.push(format!("ARCHITECTURE.md: room `{room}` has a row, but no file in src/"));
    }
    wrong
}

fn wrong_unsafe(sources: &[Source]) -> Vec<String> {
    let elsewhere = sources.iter().filter(|s| !UNSAFE_PLACES.iter().any(|place| s.path.starts_with(place)));
    let lines = elsewhere.flat_map(|source| {
        let tokens = tokens(&source.text);
        let found = tokens.into_iter().filter(|token| token.text == "unsafe" || token.text == "unsafe_code");
        found.map(|token| format!("{}:{}: `{}`", source.path, token.line, token.text)).collect::<Vec<_>>()
    });
    lines.map(|line| format!("{line}; its places are {}", UNSAFE_PLACES.join(" and "))).collect()
}

fn wrong_purity(sources: &[Source]) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|s| room_of(&s.path).is_some_and(|room| PURE_ROOMS.contains(&room))) {
        let tokens = without_tests(tokens(&source.text));
        let mut report = |token: &Token, what: &str| {
            wrong.push(format!("{}:{}: `{what}` in a room without threads, clocks and files", source.path, token.line));
        };
        for (token, rest) in (0..tokens.len()).map(|i| (&tokens[i], &tokens[i..])) {
            if IMPURE_NAMES.contains(&token.text.as_str()) {
                report(token, &token.text);
            }
            if !starts_with(rest, &["std", ":", ":"]) {
                continue;
            }
            for path in paths_below(&rest[3..]) {
                let impure = path.first().is_some_and(|module| IMPURE_STD.contains(&module.as_str()));
                if impure && source.path != READS_FILES {
                    report(token, &format!("std::{}", path[0]));
                }
                // Another type of that name is fine, such as an instant of virtual time.
                if path.first().is_some_and(|module| module == "time")
                    && path.iter().any(|name| name == "Instant" || name == "*")
                {
                    report(token, "std::time::Instant");
                }
            }
        }
    }
    wrong
}

/// Dependencies of the library that only the program needs. Development dependencies do not count.
fn wrong_dependencies(manifest: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        let name = if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            let mut parts = section.split('.').rev();
            let last = parts.next().unwrap_or_default();
            let tables = ["dependencies", "build-dependencies"];
            counts = tables.contains(&last);
            // `[dependencies.clap]` is one dependency written as a section.
            if parts.next().is_some_and(|table| tables.contains(&table)) { last } else { continue }
        } else if counts {
            line.split(['=', '.']).next().unwrap_or_default()
        } else {
            continue;
        };
        let name = name.trim().trim_matches('"');
        if PROGRAM_ONLY.contains(&name) {
            wrong.push(format!("Cargo.toml: the library depends on `{name}`, which only the program needs"));
        }
    }
    wrong
}

// --- Reading sources. ---

/// The room of a file; `None` for the crate's root and the prelude, which may import anything.
fn room_of(path: &str) -> Option<&str> {
    let room = path.strip_prefix("src/")?.split('/').next()?.trim_end_matches(".rs");
    (!["lib", "prelude"].contains(&room)).then_some(room)
}

/// The names that follow `crate::`, or a `super::` that reaches the crate's root, with their lines.
fn crate_paths(source: &Source) -> Vec<(usize, String)> {
    let tokens = without_tests(tokens(&source.text));
    // How deep the file's own module lies below the crate's root.
    let steps = source.path.trim_start_matches("src/").trim_end_matches(".rs").split('/');
    let depth = steps.filter(|step| *step != "mod").count();
    // Brace depths of the inline modules that are open.
    let (mut braces, mut modules) = (0usize, Vec::new());
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        match tokens[at].text.as_str() {
            "mod" if rest.get(2).is_some_and(|token| token.text == "{") => modules.push(braces),
            "{" => braces += 1,
            "}" => {
                braces = braces.saturating_sub(1);
                if modules.last() == Some(&braces) {
                    modules.pop();
                }
            }
            _ => {}
        }
        let supers = rest.chunks(3).take_while(|step| starts_with(step, &["super", ":", ":"])).count();
        let below = if starts_with(rest, &["crate", ":", ":"]) {
            Some(3)
        } else if supers > 0 && supers >= depth + modules.len() {
            Some(3 * supers)
        } else {
            None
        };
        if let Some(below) = below {
            let line = tokens[at].line;
            found
                .extend(paths_below(&rest[below..]).into_iter().filter_map(|path| Some((line, path.first()?.clone()))));
        }
        at += (3 * supers).max(1);
    }
    found
}

/// The paths of the use tree or the single path that starts here: `a::b`, `{a::b, c::{d, e}}`.
fn paths_below(tokens: &[Token]) -> Vec<Vec<String>> {
    fn tree(tokens: &[Token], at: &mut usize, prefix: &[String], found: &mut Vec<Vec<String>>) {
        let mut path = prefix.to_vec();
        while let Some(token) = tokens.get(*at) {
            if token.text == "{" {
                *at += 1;
                while tokens.get(*at).is_some_and(|token| token.text != "}") {
                    let before = *at;
                    tree(tokens, at, &path, found);
                    while tokens.get(*at).is_some_and(|token| token.text != "," && token.text != "}") {
                        *at += 1;
                    }
                    *at += usize::from(tokens.get(*at).is_some_and(|token| token.text == ","));
                    if *at == before {
                        break;
                    }
                }
                *at += 1;
                return;
            }
            path.push(token.text.clone());
            *at += 1;
            if !starts_with(&tokens[*at..], &[":", ":"]) {
                break;
            }
            *at += 2;
        }
        found.push(path);
    }
    let mut found = Vec::new();
    tree(tokens, &mut 0, &[], &mut found);
    found
}

/// A word or a sign.
#[derive(Clone, Debug)]
struct Token {
    line: usize,
    text: String,
}

fn starts_with(tokens: &[Token], words: &[&str]) -> bool {
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| token.text == *word)
}

/// The words and signs of a source text, without comments, strings and characters.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut at, mut line) = (0, 1);
    let mut tokens = Vec::new();
    // Moves on by `count`, counting lines.
    let go = |at: &mut usize, line: &mut usize, count: usize| {
        let end = (*at + count).min(chars.len());
        *line += chars[*at..end].iter().filter(|&&c| c == '\n').count();
        *at = end;
    };
    while let Some(&c) = chars.get(at) {
        let next = |i: usize| chars.get(at + i).copied().unwrap_or('\0');
        match c {
            '/' if next(1) == '/' => {
                let length = chars[at..].iter().take_while(|&&c| c != '\n').count();
                go(&mut at, &mut line, length);
            }
            '/' if next(1) == '*' => {
                let (mut open, mut length) = (0, 0);
                loop {
                    match (next(length), next(length + 1)) {
                        ('/', '*') => (open, length) = (open + 1, length + 2),
                        ('*', '/') => (open, length) = (open - 1, length + 2),
                        _ => length += 1,
                    }
                    if open == 0 || at + length >= chars.len() {
                        break;
                    }
                }
                go(&mut at, &mut line, length);
            }
            '"' => {
                let mut length = 1;
                while at + length < chars.len() && next(length) != '"' {
                    length += if next(length) == '\\' { 2 } else { 1 };
                }
                go(&mut at, &mut line, length + 1);
            }
            // 'a' and '\n' are characters, 'a without an end is a lifetime.
            '\'' if next(1) == '\\' => {
                let length = 3 + chars[(at + 3).min(chars.len())..].iter().take_while(|&&c| c != '\'').count();
                go(&mut at, &mut line, length + 1);
            }
            '\'' if next(2) == '\'' => go(&mut at, &mut line, 3),
            c if word(c) => {
                let length = chars[at..].iter().take_while(|&&c| word(c)).count();
                let text: String = chars[at..at + length].iter().collect();
                let hashes = chars[at + length..].iter().take_while(|&&c| c == '#').count();
                let raw = ["r", "br", "cr"].contains(&text.as_str());
                if raw && chars.get(at + length + hashes) == Some(&'"') {
                    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                    let body = at + length + hashes + 1;
                    let end = (body..chars.len()).find(|&i| chars[i..].starts_with(&close)).unwrap_or(chars.len());
                    let whole = end + close.len() - at;
                    go(&mut at, &mut line, whole);
                } else {
                    tokens.push(Token { line, text });
                    go(&mut at, &mut line, length);
                }
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push(Token { line, text: c.to_string() });
                }
                go(&mut at, &mut line, 1);
            }
        }
    }
    tokens
}

/// Drops the items that only tests compile.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut left = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let test = starts_with(rest, &["#", "[", "cfg", "(", "test", ")", "]"])
            || starts_with(rest, &["#", "[", "cfg", "(", "all", "(", "test", ","]);
        if !test {
            left.push(tokens[at].clone());
            at += 1;
            continue;
        }
        // Skips to the end of the item: a semicolon, or the brace that closes its body.
        let mut depth = 0usize;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token.text.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && token.text == "}" {
                        break;
                    }
                }
                ";" if depth == 0 => break,
                _ => {}
            }
        }
    }
    left
}

// --- The tests. ---

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    walk(&root().join("src"), &mut files);
    files.sort();
    let read = |path: &PathBuf| Source {
        path: path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"),
        text: fs::read_to_string(path).unwrap(),
    };
    files.iter().map(read).collect()
}

fn document() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

fn nothing(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn rooms_import_only_what_the_table_allows() {
    nothing(wrong_imports(&table(&document()).unwrap(), &sources()));
}

#[test]
fn the_table_has_each_room_once_and_no_circle() {
    nothing(wrong_table(&table(&document()).unwrap()));
}

#[test]
fn unsafe_code_stays_in_its_places() {
    nothing(wrong_unsafe(&sources()));
}

#[test]
fn policies_and_models_know_no_thread_clock_or_file() {
    nothing(wrong_purity(&sources()));
    let document = document();
    let row = document.lines().find(|line| line.starts_with("| `model`")).unwrap();
    assert!(row.contains("machine.rs"), "the exception for {READS_FILES} is not in the notes of the table: {row}");
}

#[test]
fn the_library_does_not_depend_on_what_only_the_program_needs() {
    nothing(wrong_dependencies(&fs::read_to_string(root().join("Cargo.toml")).unwrap()));
}

#[test]
fn files_that_the_document_names_are_there() {
    // Words between backquotes that look like paths in the repository; `NAME` stands for a file still to be made.
    let document = document();
    let named = document.split('`').skip(1).step_by(2).filter(|word| {
        let places = ["src/", "tests/", "kernels/", "machines/", "cli/", "docs/", "xtask/"];
        places.iter().any(|place| word.starts_with(place)) && !word.contains(['*', ' ', '<', '\n'])
    });
    let missing: Vec<_> = named.filter(|word| !word.contains("NAME") && !root().join(word).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
}

// --- The checks can fail. ---

fn example_table() -> Table {
    table("text\n\n| room | may import | notes |\n|---|---|---|\n| `low` | | |\n| `high` | `low`, `error` | x |\n| `error` | nothing | |\n\nmore `text` | ")
        .unwrap()
}

fn files(list: &[(&str, &str)]) -> Vec<Source> {
    // A file for each room, so that only the tested file can be wrong.
    let all = [("src/low/mod.rs", ""), ("src/high.rs", ""), ("src/error.rs", "")];
    let source = |&(path, text): &(&str, &str)| Source { path: path.into(), text: text.into() };
    list.iter().chain(&all).map(source).collect()
}

#[test]
fn an_import_that_is_not_allowed_is_named_with_file_and_line() {
    for (path, text, line) in [
        ("src/low/a.rs", "//! Doc.\nuse crate::high::Thing;", 2),
        ("src/low/a.rs", "fn f() {}\n\nfn g() -> crate::high::T { todo!() }", 3),
        ("src/low/a.rs", "use crate::{\n    low::x,\n    high::{y, z},\n};", 1),
        ("src/low/a.rs", "use super::super::high;", 1),
        ("src/low/mod.rs", "use super::high::X;", 1),
        ("src/error.rs", "use super::{low, high};", 1),
        ("src/low/a/b.rs", "mod inner {\n    use super::super::super::super::high::X;\n}", 2),
        ("src/low/a.rs", "macro_rules! m { () => { $crate::high::f() } }", 1),
    ] {
        let wrong = wrong_imports(&example_table(), &files(&[(path, text)]));
        assert!(wrong.iter().any(|w| w.starts_with(&format!("{path}:{line}: "))), "{text}: {wrong:?}");
    }
}

#[test]
fn what_is_allowed_commented_quoted_or_in_tests_passes() {
    for (path, text) in [
        ("src/high.rs", "use crate::low::X; use crate::{Error, Result}; use crate::high::Own;"),
        ("src/low/a.rs", "// use crate::high::X;\n/* crate::high /* nested */ crate::high */ //! crate::high"),
        ("src/low/a.rs", r##"const A: &str = "crate::high \" crate::high"; const B: &str = r#"crate::high" "#;"##),
        (
            "src/low/a.rs",
            "#[cfg(test)]\nmod tests { use crate::high::X; fn f() {} }\nfn g<'a>(x: &'a str) -> char { '\"' }",
        ),
        ("src/low/a.rs", "use super::sibling::X;"),
        ("src/low/mod.rs", "mod inner { use super::a::X; }"),
        ("src/lib.rs", "pub use crate::anything::X;"),
    ] {
        assert_eq!(wrong_imports(&example_table(), &files(&[(path, text)])), [""; 0], "{text}");
    }
}

#[test]
fn rooms_that_only_table_or_code_has_are_named() {
    let wrong = wrong_imports(&example_table(), &files(&[("src/cellar.rs", "")]));
    assert!(wrong.len() == 1 && wrong[0].contains("`cellar` has no row"), "{wrong:?}");
    let wrong = wrong_imports(&example_table(), &files(&[("src/low/a.rs", "use crate::attic::X;")]));
    assert!(wrong.len() == 1 && wrong[0].contains("`crate::attic` is no room"), "{wrong:?}");
    let wrong = wrong_imports(&example_table(), &[]);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
}

#[test]
fn circles_and_unknown_rooms_in_the_table_are_named() {
    let rows = |rows: &str| table(&format!("| room | may import |\n|---|---|\n{rows}")).unwrap();
    assert!(wrong_table(&rows("| `a` | |\n| `b` | `a` |")).is_empty());
    assert!(wrong_table(&rows("| `a` | `b` |\n| `b` | `a` |"))[0].contains("circle"));
    assert!(wrong_table(&rows("| `a` | `nobody` |"))[0].contains("`nobody`"));
    assert!(wrong_table(&rows("| `a` | |\n| `a` | |"))[0].contains("two rows"));
    assert!(table("no table").is_err());
}

#[test]
fn unsafe_elsewhere_is_named_and_in_comments_it_is_not() {
    let source = |path: &str, text: &str| [Source { path: path.into(), text: text.into() }];
    assert_eq!(wrong_unsafe(&source("src/model/x.rs", "fn f() {\n    unsafe { g() }\n}")).len(), 1);
    assert_eq!(wrong_unsafe(&source("src/data/mod.rs", "#![allow(unsafe_code)]")).len(), 1);
    assert!(wrong_unsafe(&source("src/devices/opencl/mod.rs", "unsafe { g() }")).is_empty());
    assert!(wrong_unsafe(&source("src/data/disjoint.rs", "unsafe { g() }")).is_empty());
    assert!(wrong_unsafe(&source("src/model/x.rs", "// unsafe\nconst A: &str = \"unsafe\";")).is_empty());
}

#[test]
fn threads_clocks_and_files_in_pure_rooms_are_named() {
    let wrong = |path: &str, text: &str| wrong_purity(&[Source { path: path.into(), text: text.into() }]);
    for text in [
        "use std::time::Instant;",
        "use std::{fmt, time::{Duration, Instant}};",
        "fn f() { std::thread::sleep(d); }",
        "use std::{collections::HashMap, fs};",
        "use std::time::SystemTime;",
        "rayon::join(a, b);",
    ] {
        assert!(!wrong("src/sched/x.rs", text).is_empty(), "{text}");
        assert!(wrong("src/runtime/x.rs", text).is_empty(), "{text}");
    }
    assert!(wrong("src/sched/x.rs", "use std::time::Duration; struct Instant(f64); // std::fs").is_empty());
    assert!(wrong("src/model/machine.rs", "use std::fs;").is_empty());
    assert!(!wrong("src/model/machine/validate.rs", "use std::fs;").is_empty());
}

#[test]
fn the_programs_dependencies_in_the_library_are_named() {
    assert_eq!(wrong_dependencies("[dependencies]\nrayon = \"1\"\nclap = \"4\"").len(), 1);
    assert_eq!(wrong_dependencies("[dependencies.plotters]\nversion = \"0.3\"").len(), 1);
    assert_eq!(wrong_dependencies("[target.'cfg(unix)'.dependencies]\nindicatif.workspace = true").len(), 1);
    assert!(wrong_dependencies("[dev-dependencies]\nclap = \"4\"\n[features]\nstatrs = []").is_empty());
}
