//! The program as a user starts it.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::process::{Command, Output};

/// The program, without what earlier runs have learned.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_apportion"));
    command.env("APPORTION_HISTORY", "off");
    command
}

pub fn apportion(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What it prints.
#[track_caller]
pub fn succeeds(arguments: &[&str]) -> String {
    let output = apportion(arguments);
    assert!(output.status.success(), "{arguments:?}: {:?}\n{}", output.status, text(&output.stderr));
    text(&output.stdout)
}

/// It ends with this status, these words on standard error, and nothing on standard output.
#[track_caller]
pub fn fails(arguments: &[&str], status: i32, words: &[&str]) {
    let output = apportion(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{error}");
    assert!(!error.contains("panicked"), "{arguments:?}\n{error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?}: no `{word}` in\n{error}");
    }
    assert!(output.stdout.is_empty(), "{arguments:?} wrote to standard output:\n{}", text(&output.stdout));
}
