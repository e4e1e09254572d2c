//! `cargo xtask check` and `cargo xtask schema`.

use crate::Outcome;
use crate::command::{Line, on_path};

/// Format, lints, documentation: warnings are errors.
pub fn check() -> Outcome {
    components();
    Line::cargo(["fmt", "--all", "--check"]).run("the check of the format (`cargo fmt` mends it)")?;
    Line::cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run("clippy")?;
    // The library without GPU support, and with each backend alone.
    for features in [&[][..], &["cuda"], &["opencl"]] {
        let library = ["clippy", "--package", "apportion", "--lib", "--no-default-features"];
        let arguments = library.into_iter().chain(features.iter().flat_map(|name| ["--features", *name]));
        Line::cargo(arguments.chain(["--", "-D", "warnings"])).run("clippy without some features")?;
    }
    // `--lib`: the program has the library's name, and its page would replace the library's.
    Line::cargo(["doc", "--no-deps", "--workspace", "--lib"])
        .with("RUSTDOCFLAGS", "-D warnings")
        .run("the documentation")?;
    eprintln!("\ncheck: format, lints and documentation are clean");
    Ok(())
}

/// A minimal toolchain has neither rustfmt nor clippy.
fn components() {
    let missing = |part: &&str| !Line::cargo([*part, "--version"]).succeeds();
    let names: Vec<&str> = ["fmt", "clippy"].into_iter().filter(missing).collect();
    if !names.is_empty() && on_path("rustup").is_some() {
        // If this fails, the check itself says what is missing.
        let _ = Line::new("rustup", ["component", "add", "rustfmt", "clippy"]).run("adding rustfmt and clippy");
    }
}

/// Writes the schema of machine descriptions, by the test that compares it with the types.
pub fn schema() -> Outcome {
    Line::cargo([
        "test",
        "--quiet",
        "--package",
        "apportion",
        "--test",
        "machine_files",
        "the_schema_is_that_of_the_types",
    ])
    .with("UPDATE_SCHEMA", "1")
    .run("writing the schema")?;
    eprintln!("\nschema: machines/machine.schema.json is that of the types");
    Ok(())
}
