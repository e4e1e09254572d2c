//! Runs programs, and prints each command line first.

use crate::{Failure, Outcome};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

/// A program with its arguments and environment.
pub struct Line {
    program: OsString,
    arguments: Vec<OsString>,
    environment: Vec<(&'static str, Option<String>)>,
}

impl Line {
    /// The cargo that runs this program.
    pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
    }

    /// Any program.
    pub fn new<S: AsRef<OsStr>>(program: impl Into<OsString>, arguments: impl IntoIterator<Item = S>) -> Self {
        let arguments = arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
        Self { program: program.into(), arguments, environment: Vec::new() }
    }

    /// Sets an environment variable.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, Some(value.into())));
        self
    }

    /// Removes an environment variable.
    pub fn without(mut self, name: &'static str) -> Self {
        self.environment.push((name, None));
        self
    }

    /// The command line as one would type it.
    pub fn text(&self) -> String {
        let name = std::path::Path::new(&self.program).file_stem().unwrap_or(&self.program);
        let program = if name == "cargo" { name } else { &self.program };
        let set =
            self.environment.iter().filter_map(|(name, value)| Some(format!("{name}={}", quoted(value.as_ref()?))));
        let words = std::iter::once(program).chain(self.arguments.iter().map(OsString::as_os_str));
        set.chain(words.map(|word| quoted(&word.to_string_lossy()))).collect::<Vec<_>>().join(" ")
    }

    /// Prints the command line, runs it and waits.
    ///
    /// `what` names its purpose in the message of a failure: "the build".
    pub fn run(&self, what: &str) -> Outcome {
        eprintln!("\n> {}", self.text());
        let status = self.command().status().map_err(|error| {
            Failure::Failed(format!("{what}: cannot start `{}`: {error}", self.program.to_string_lossy()))
        })?;
        judge(status, what)
    }

    /// Whether it succeeds; its output is dropped.
    pub fn succeeds(&self) -> bool {
        let quiet = self.command().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    }

    /// Its standard output, if it succeeds.
    pub fn output(&self) -> Option<String> {
        let output = self.command().stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Prints the command line, runs it, waits and returns its standard output. Its messages appear as they come.
    pub fn captured(&self, what: &str) -> Outcome<String> {
        eprintln!("\n> {}", self.text());
        let output = self.command().stderr(Stdio::inherit()).output().map_err(|error| {
            Failure::Failed(format!("{what}: cannot start `{}`: {error}", self.program.to_string_lossy()))
        })?;
        judge(output.status, what)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }
}

fn judge(status: ExitStatus, what: &str) -> Outcome {
    if status.success() {
        return Ok(());
    }
    const INTERRUPTED: i32 = 130;
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        const CTRL_C: i32 = 2;
        return Err(match signal {
            CTRL_C => Failure::Interrupted,
            _ => Failure::Failed(format!("{what} was ended by signal {signal}")),
        });
    }
    match status.code() {
        Some(INTERRUPTED) => Err(Failure::Interrupted),
        Some(code) => Err(Failure::Failed(format!("{what} failed (exit status {code}); its own message is above"))),
        None => Err(Failure::Failed(format!("{what} failed; its own message is above"))),
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,%+@~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Finds a program on the search path.
pub fn on_path(program: &str) -> Option<PathBuf> {
    // `ldconfig` is in folders that only root has on the search path.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_would_be_typed() {
        let line =
            Line::new("apt-get", ["install", "a b", "it's", ""]).with("RUSTDOCFLAGS", "-D warnings").without("X");
        assert_eq!(line.text(), r"RUSTDOCFLAGS='-D warnings' apt-get install 'a b' 'it'\''s' ''");
    }

    #[test]
    fn failures_say_what_failed_and_ctrl_c_is_told_apart() {
        let run = |script: &str| Line::new("sh", ["-c", script]).run("the step");
        assert!(run("true").is_ok());
        assert!(
            matches!(run("exit 3"), Err(Failure::Failed(what)) if what.contains("the step failed (exit status 3)"))
        );
        assert!(matches!(run("exit 130"), Err(Failure::Interrupted)));
        // Background processes of a script ignore Ctrl-C, and so do their children.
        let ignored = Command::new("sh").args(["-c", "kill -INT $$"]).status().unwrap().success();
        assert!(ignored || matches!(run("kill -INT $$"), Err(Failure::Interrupted)));
        assert!(matches!(run("kill -9 $$"), Err(Failure::Failed(what)) if what.contains("signal 9")));
        let captured = |script: &str| Line::new("sh", ["-c", script]).captured("the step");
        assert!(matches!(captured("echo a; echo b"), Ok(text) if text == "a\nb\n"));
        assert!(matches!(captured("echo a; exit 3"), Err(Failure::Failed(_))));
        let missing = Line::new("no-such-program-here", [""]).run("the step");
        assert!(matches!(missing, Err(Failure::Failed(what)) if what.contains("no-such-program-here")));
    }
}
