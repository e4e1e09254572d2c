//! Compares the documents with the code: policies, machine descriptions, specifiers, links.

use apportion::devices::specifier::Specifier;
use apportion::model::Machine;
use apportion::model::history::{ArrayMemory, History, KEPT, Key, Observation};
use apportion::runtime::HISTORY_VARIABLE;
use apportion::sched::{POLICIES, Policy};
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The first cell of each row of all tables.
fn first_cells(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).collect()
}

/// The code blocks in a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let open = format!("```{language}\n");
    text.split(open.as_str()).skip(1).map(|rest| rest.split("\n```").next().unwrap_or(rest)).collect()
}

#[test]
fn every_policy_is_in_the_tables_with_its_default() {
    for file in ["README.md", "docs/policies.md"] {
        let text = read(file);
        for entry in POLICIES {
            let name = format!("`{}`", entry.name);
            let rows: Vec<_> = text.lines().filter(|line| line.starts_with(&format!("| {name} |"))).collect();
            let [row] = rows[..] else { panic!("{file}: {name} has {} rows", rows.len()) };
            let policy: Policy = entry.name.parse().unwrap();
            let written = policy.to_string();
            let parameters = written.split(':').skip(1);
            assert!(parameters.clone().all(|p| row.contains(p)), "{file}: {row} lacks a default of {written}");
            let cutoff = if entry.takes_cutoff { "| yes |" } else { "| no |" };
            assert!(row.contains(cutoff), "{file}: {row} should say {cutoff}");
        }
    }
    let text = read("docs/policies.md");
    for entry in POLICIES {
        assert!(text.contains(&format!("\n## {}\n", entry.name)), "docs/policies.md has no section on {}", entry.name);
    }
}

#[test]
fn the_description_in_the_document_is_valid_and_every_key_is_explained() {
    let text = read("docs/machine.md");
    let examples = blocks(&text, "json");
    assert_eq!(examples.len(), 1);
    Machine::from_json(examples[0]).unwrap_or_else(|error| panic!("docs/machine.md: {error}"));

    fn keys(value: &serde_json::Value, found: &mut Vec<String>) {
        let Some(object) = value.as_object() else { return };
        if let Some(properties) = object.get("properties").and_then(|p| p.as_object()) {
            found.extend(properties.keys().cloned());
        }
        object.values().for_each(|inner| keys(inner, found));
    }
    let mut found = Vec::new();
    keys(&serde_json::from_str(&Machine::json_schema()).unwrap(), &mut found);
    assert!(found.len() > 30, "{found:?}");
    let unexplained: Vec<_> = found
        .iter()
        .filter(|key| !text.contains(&format!("`{key}`")) && !text.contains(&format!("\"{key}\"")))
        .collect();
    assert!(unexplained.is_empty(), "docs/machine.md does not explain {unexplained:?}");
}

#[test]
fn every_key_of_a_history_is_explained() {
    let text = read("docs/history.md");
    let key = Key {
        kernel: Some("k".into()),
        code: Some(1),
        block: Some(1),
        precision: Default::default(),
        device: "d".into(),
        memory: ArrayMemory::Plain,
        policy: Some("BLOCK".into()),
        host: Some("h".into()),
    };
    let mut history = History::default();
    let once = Some(apportion::units::Seconds(1.0));
    history.record(&key, &Observation { iterations: 1, once, ..Observation::default() });
    let value: serde_json::Value = serde_json::from_str(&history.to_json()).unwrap();
    let entry = value["entries"][0].as_object().unwrap();
    let keys =
        entry.keys().chain(entry["loops"][0].as_object().unwrap().keys()).chain(value.as_object().unwrap().keys());
    let unexplained: Vec<_> =
        keys.filter(|key| !text.contains(&format!("`{key}`")) && !text.contains(&format!("\"{key}\""))).collect();
    assert!(unexplained.is_empty(), "docs/history.md does not explain {unexplained:?}");
    for memory in [ArrayMemory::InPlace, ArrayMemory::PageLocked, ArrayMemory::Plain, ArrayMemory::Mixed] {
        assert!(text.contains(&format!("`{}`", memory.name())));
    }
    assert!(text.contains(HISTORY_VARIABLE) && text.contains(&format!("last {KEPT} samples")));
}

#[test]
fn the_specifiers_in_the_document_can_be_read() {
    let text = read("docs/specifier.md");
    let mut count = 0;
    for cell in first_cells(&text).into_iter().filter(|cell| cell.starts_with('`')) {
        for specifier in cell.split('`').skip(1).step_by(2) {
            specifier.parse::<Specifier>().unwrap_or_else(|error| panic!("{error}"));
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let in_root = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from);
    let in_docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let in_docs = in_docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let mut count = 0;
    for file in in_root.into_iter().chain(in_docs) {
        let path = root().join(&file);
        let text = std::fs::read_to_string(&path).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            // Links to other sites are not checked.
            if target.starts_with("http") || target.starts_with('#') {
                continue;
            }
            let there = path.parent().unwrap().join(target.split('#').next().unwrap_or(target));
            assert!(there.exists(), "{}: {target}", file.display());
            count += 1;
        }
    }
    assert!(count > 5);
}
