//! Progress of long work on standard error: a bar on a terminal, plain lines elsewhere.

use crate::failure::eprintln_quietly;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;

/// Shows the progress.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For work of this many steps.
    pub fn new(steps: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(steps);
            if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        Self { bar }
    }

    /// Shows what is being done now.
    pub fn now(&self, what: impl Into<String>) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.into());
        }
    }

    /// Counts steps as done.
    pub fn advance(&self, steps: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(steps);
        }
    }

    /// Prints a line that stays.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln_quietly(text)),
            None => eprintln_quietly(text),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
