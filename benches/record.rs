//! What was measured, as a table and as a file.

use crate::measure::{Series, Spread};
use apportion::units::Seconds;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// All ratios of one run, and where they were measured.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// Names this form of the file.
    pub schema: &'static str,
    /// What was run.
    pub command: String,
    /// When, RFC 3339.
    pub created: String,
    /// Where.
    pub machine: Facts,
    /// What came out.
    pub ratios: Vec<Ratio>,
}

/// The machine and the compilers.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// The processor's own name.
    pub cpu: String,
    /// CPUs that this process may use; every side uses all of them.
    pub cpus: usize,
    /// Mean number of running tasks in the minute before: what else this machine was doing.
    pub load_before: Option<f64>,
    /// The first line of `rustc --version`.
    pub rustc: Option<String>,
    /// The first line of `gcc --version`.
    pub gcc: Option<String>,
    /// The commit, with `-dirty` where files differ from it.
    pub commit: Option<String>,
}

/// One side of a ratio.
#[derive(Clone, Debug, Serialize)]
pub struct Timed {
    /// What ran.
    pub name: String,
    /// Times of one repetition in milliseconds.
    pub ms: Option<Spread>,
    /// Why it was not measured.
    pub absent: Option<String>,
}

/// What a ratio is to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Our time over theirs.
    TimeAtMost(f64),
    /// Our speed over theirs.
    SpeedAtLeast(f64),
}

/// Ours beside theirs.
#[derive(Clone, Debug, Serialize)]
pub struct Ratio {
    /// What was done.
    pub what: String,
    /// Rounds in which all sides took turns.
    pub rounds: usize,
    /// By Apportion.
    pub ours: Timed,
    /// By others; a limit stands alone here.
    pub theirs: Vec<Timed>,
    /// Which of them is compared: the one with the least median.
    pub against: String,
    /// Round by round.
    pub ratio: Spread,
    /// What the median is to be.
    pub wanted: Wanted,
    /// Whether it is.
    pub ok: bool,
    /// Whether a quartile is on the other side of what is wanted: another run may say otherwise.
    pub within_noise: bool,
}

impl Timed {
    /// A side that was measured.
    pub fn new(name: &str, series: &Series) -> Self {
        Self { name: name.to_owned(), ms: Some(series.spread().scaled(1e3)), absent: None }
    }

    /// A side that could not be.
    pub fn absent(name: &str, why: impl Into<String>) -> Self {
        Self { name: name.to_owned(), ms: None, absent: Some(why.into()) }
    }

    fn text(&self) -> String {
        match (&self.ms, &self.absent) {
            (Some(ms), _) => format!("{} {}", self.name, Seconds(ms.median * 1e-3)),
            (None, Some(why)) => format!("{} absent: {why}", self.name),
            (None, None) => self.name.clone(),
        }
    }
}

impl Ratio {
    /// Ours against the fastest of the others. Those in `absent` are only told.
    ///
    /// # Panics
    /// When there is no other.
    pub fn of(
        what: &str,
        ours: (&str, &Series),
        theirs: &[(&str, &Series)],
        absent: Vec<Timed>,
        wanted: Wanted,
    ) -> Self {
        let best = theirs
            .iter()
            .min_by(|a, b| a.1.spread().median.total_cmp(&b.1.spread().median))
            .expect("a ratio is between two");
        let ratio = match wanted {
            Wanted::TimeAtMost(_) => ours.1.over(best.1),
            Wanted::SpeedAtLeast(_) => best.1.over(ours.1),
        };
        Self {
            what: what.to_owned(),
            rounds: ours.1.rounds(),
            ours: Timed::new(ours.0, ours.1),
            theirs: theirs.iter().map(|(name, series)| Timed::new(name, series)).chain(absent).collect(),
            against: best.0.to_owned(),
            ok: wanted.holds(ratio.median),
            within_noise: wanted.crossed_by(&ratio),
            ratio,
            wanted,
        }
    }

    /// Ours against a time that it must stay within.
    pub fn of_limit(what: &str, ours: (&str, &Series), limit: Seconds) -> Self {
        let wanted = Wanted::TimeAtMost(1.0);
        let spread = ours.1.spread();
        let ratio = spread.scaled(1.0 / limit.0);
        Self {
            what: what.to_owned(),
            rounds: ours.1.rounds(),
            ours: Timed::new(ours.0, ours.1),
            theirs: vec![Timed { name: format!("limit {limit}"), ms: None, absent: None }],
            against: "limit".to_owned(),
            ok: wanted.holds(ratio.median),
            within_noise: wanted.crossed_by(&ratio),
            ratio,
            wanted,
        }
    }
}

impl Ratio {
    fn verdict(&self) -> &'static str {
        match (self.ok, self.within_noise) {
            (true, false) => "yes",
            (true, true) => "yes, within noise",
            (false, false) => "NO",
            (false, true) => "NO, within noise",
        }
    }
}

impl Wanted {
    fn holds(self, ratio: f64) -> bool {
        match self {
            Self::TimeAtMost(most) => ratio <= most,
            Self::SpeedAtLeast(least) => ratio >= least,
        }
    }

    fn crossed_by(self, ratio: &Spread) -> bool {
        self.holds(ratio.lower_quartile) != self.holds(ratio.upper_quartile)
    }

    fn text(self) -> String {
        match self {
            Self::TimeAtMost(most) => format!("time <= {most}x"),
            Self::SpeedAtLeast(least) => format!("speed >= {least}x"),
        }
    }
}

/// The ratios as a table in Markdown, which reads well on a terminal too.
pub fn table(ratios: &[Ratio]) -> String {
    let head = ["what", "ours", "theirs", "ratio (quartiles)", "wanted", "ok"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head)
        .chain(ratios.iter().map(|r| {
            [
                r.what.clone(),
                r.ours.text(),
                r.theirs.iter().map(Timed::text).collect::<Vec<_>>().join(", "),
                format!("{:.3} ({:.3} - {:.3})", r.ratio.median, r.ratio.lower_quartile, r.ratio.upper_quartile),
                r.wanted.text(),
                r.verdict().to_owned(),
            ]
        }))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(text, "| {cell:<width$} ");
        }
        text.push_str("|\n");
        if i == 0 {
            for width in widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

impl Record {
    /// Of ratios that were just measured by `command`.
    pub fn new(command: String, machine: Facts, ratios: Vec<Ratio>) -> Self {
        Self { schema: "apportion.ratios/1", command, created: now(), machine, ratios }
    }

    /// Writes `ratios.json` and `README.md` into `results/bench-<machine>-<date>` and returns that folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, results: &Path, machine: &str) -> io::Result<PathBuf> {
        let day = self.created.split('T').next().unwrap_or_default();
        let folder = results.join(format!("bench-{machine}-{day}"));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("ratios.json"), serde_json::to_string_pretty(self)? + "\n")?;
        fs::write(folder.join("README.md"), self.readme())?;
        Ok(folder)
    }

    fn readme(&self) -> String {
        let Facts { cpu, cpus, load_before, rustc, gcc, commit } = &self.machine;
        let or = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
        let load = load_before.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
        let missed: Vec<_> = self.ratios.iter().filter(|r| !r.ok).map(|r| r.what.as_str()).collect();
        let noisy: Vec<_> = self.ratios.iter().filter(|r| r.within_noise).map(|r| r.what.as_str()).collect();
        let mut reading = if missed.is_empty() {
            "All ratios are as wanted.".to_owned()
        } else {
            format!("Not as wanted: {}.", missed.join("; "))
        };
        if !noisy.is_empty() {
            let _ = write!(reading, " Within noise: {}.", noisy.join("; "));
        }
        format!(
            "# Ratios to hand-written code\n\n\
             Written by the program; nothing here is edited.\n\n\
             - command: `{}`\n- date: {}\n- processor: {cpu}, {cpus} CPUs used by every side\n\
             - load average before the run: {load}\n- compilers: {}; {}\n- commit: {}\n\n\
             {}\n{reading}\n\n\
             Sides take turns (A, B, B, A, ..). Times are medians of one repetition; a ratio is the median of the rounds' own \
             ratios, with its quartiles, against the side with the least median. \"time\" is our time over theirs, \"speed\" \
             their time over ours. \"within noise\": a quartile is on the other side of what is wanted, so that another run may \
             say otherwise. `ratios.json` has the spread of each side.\n",
            self.command,
            self.created,
            or(rustc),
            or(gcc),
            or(commit),
            table(&self.ratios),
        )
    }
}

/// The time, RFC 3339.
pub fn now() -> String {
    jiff::Timestamp::now().round(jiff::Unit::Second).map_or_else(|_| String::new(), |t| t.to_string())
}

/// What is known of this machine; asked before anything is measured, for the load's sake.
pub fn facts() -> Facts {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let load = fs::read_to_string("/proc/loadavg").ok();
    Facts {
        cpu: name.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.trim().to_owned()),
        cpus: crate::host::cpus().len(),
        load_before: load.and_then(|load| load.split_whitespace().next()?.parse().ok()),
        rustc: first_line("rustc", &["--version"]),
        gcc: first_line("gcc", &["--version"]),
        commit: first_line("git", &["describe", "--always", "--dirty", "--abbrev=12"]),
    }
}

impl Facts {
    /// A name for folders: `amd-epyc-2cpu`.
    pub fn slug(&self) -> String {
        let mut slug = String::new();
        // What makers add to names tells nothing.
        let cpu = ["(R)", "(TM)", "Processor"].iter().fold(self.cpu.clone(), |cpu, word| cpu.replace(word, ""));
        for c in format!("{cpu} {}cpu", self.cpus).to_lowercase().chars() {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.trim_matches('-').to_owned()
    }
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_between_the_quartiles_is_told() {
        let within = |micros: [f64; 4], limit| {
            let mut values = micros.map(Seconds::from_micros).into_iter().cycle();
            let mut sides: [crate::measure::Side<'_>; 1] = [Box::new(|| values.next().unwrap())];
            let effort = crate::measure::Effort { rounds: 8, time: std::time::Duration::ZERO };
            let series = crate::measure::in_turns(&mut sides, effort);
            let ratio = Ratio::of_limit("a", ("ours", &series[0]), Seconds::from_micros(limit));
            assert!(table(std::slice::from_ref(&ratio)).contains(&format!("| {} ", ratio.verdict())));
            ratio.verdict()
        };
        let times = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(within(times, 5.0), "yes");
        assert_eq!(within(times, 2.8), "yes, within noise");
        assert_eq!(within(times, 2.2), "NO, within noise");
        assert_eq!(within(times, 0.5), "NO");
        // Speeds are better above.
        let spread = Spread { lower_quartile: 0.94, median: 0.97, upper_quartile: 1.0 };
        assert!(Wanted::SpeedAtLeast(0.95).crossed_by(&spread) && !Wanted::SpeedAtLeast(0.9).crossed_by(&spread));
    }

    #[test]
    fn folders_are_named_by_processor_and_cpus() {
        let facts = Facts {
            cpu: "AMD EPYC(TM) 9654".to_owned(),
            cpus: 2,
            load_before: None,
            rustc: None,
            gcc: None,
            commit: None,
        };
        assert_eq!(facts.slug(), "amd-epyc-9654-2cpu");
    }
}
