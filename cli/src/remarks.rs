//! Remarks on rows of a table, each said once: with all the rows and devices that it is about.

/// A remark, and the rows that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    what: What,
    /// The devices that are left out; none in a remark of another kind.
    devices: Vec<String>,
    said: Said,
    rows: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    LeftOut,
    OfTheRest,
    Other,
}

impl Remark {
    /// A device that a row leaves out.
    pub fn left_out(row: usize, device: &str, reason: &str) -> Self {
        Self { what: What::LeftOut, devices: vec![device.to_owned()], said: Said::new(reason), rows: vec![row] }
    }

    /// A note of a row, whose policy has this name and may choose among these devices.
    pub fn note(row: usize, note: &str, policy: &str, devices: &[String]) -> Self {
        let rows = vec![row];
        // As `harness::split_left_out` writes it.
        if let Some((device, reason)) = note.split_once(" left out of the rest: ")
            && devices.iter().any(|name| name == device)
        {
            return Self { what: What::OfTheRest, devices: vec![device.to_owned()], said: Said::new(reason), rows };
        }
        Self { what: What::Other, devices: Vec::new(), said: Said::of_policy(note, policy), rows }
    }

    /// Each remark once: first with all devices of a row that it says the same of, then with all rows.
    pub fn merged(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut by_row: Vec<Self> = Vec::new();
        for remark in all {
            let same = |known: &&mut Self| {
                known.what == remark.what && known.rows == remark.rows && known.said.is_like(&remark.said)
            };
            match by_row.iter_mut().find(same) {
                Some(known) => {
                    known.said.add(&remark.said);
                    let new = remark.devices.into_iter().filter(|device| !known.devices.contains(device));
                    known.devices.extend(new.collect::<Vec<_>>());
                }
                None => by_row.push(remark),
            }
        }
        let mut merged: Vec<Self> = Vec::new();
        for remark in by_row {
            let same = |known: &&mut Self| {
                known.what == remark.what && known.devices == remark.devices && known.said.is_like(&remark.said)
            };
            match merged.iter_mut().find(same) {
                Some(known) => {
                    known.said.add(&remark.said);
                    known.rows.extend(remark.rows);
                }
                None => merged.push(remark),
            }
        }
        merged
    }

    /// The remark without its rows.
    pub fn text(&self) -> String {
        let said = self.said.text();
        let each = if self.devices.len() > 1 { "each: " } else { "" };
        match self.what {
            What::LeftOut => format!("left out: {} ({each}{said})", self.devices.join(", ")),
            What::OfTheRest => format!("left out of the rest: {} ({each}{said})", self.devices.join(", ")),
            What::Other => said,
        }
    }

    /// The devices that are left out, and why.
    pub fn devices_and_reason(&self) -> (String, String) {
        let each = if self.devices.len() > 1 { " (each)" } else { "" };
        (format!("{}{each}", self.devices.join(", ")), self.said.text())
    }

    /// The rows that it is about.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }
}

/// A text in words. Texts that differ in numbers with units only are one, with ranges of numbers.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    words: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq)]
enum Word {
    Plain(String),
    /// The name of the row's own policy, `None` for several, and what follows it without a space.
    Policy(Option<String>, String),
    /// The least and the largest, as they were written.
    Number(String, String),
}

impl Said {
    fn new(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        // A number without a unit counts something, and a range of counts may be true of nothing.
        let has_unit = |index: usize| {
            let next = words.get(index + 1).map(|next| next.trim_end_matches([',', ';', ':', ')', '.']));
            next.is_some_and(|next| ["%", "s", "ms", "us", "ns"].contains(&next))
        };
        let word = |(index, word): (usize, &&str)| match word.parse::<f64>() {
            Ok(_) if has_unit(index) => Word::Number((*word).to_owned(), (*word).to_owned()),
            _ => Word::Plain((*word).to_owned()),
        };
        Self { words: words.iter().enumerate().map(word).collect() }
    }

    fn of_policy(text: &str, policy: &str) -> Self {
        let word = |word: &str| match word.strip_prefix(policy) {
            Some(after) if !after.contains(|c: char| c.is_alphanumeric() || c == '_') => {
                Word::Policy(Some(policy.to_owned()), after.to_owned())
            }
            _ => Word::Plain(word.to_owned()),
        };
        Self { words: text.split_whitespace().map(word).collect() }
    }

    /// Whether both say the same but for numbers, in a reason to leave a device out, and the policy's own name.
    fn is_like(&self, other: &Self) -> bool {
        let like = |(one, other): (&Word, &Word)| match (one, other) {
            (Word::Number(..), Word::Number(..)) => true,
            (Word::Policy(_, one), Word::Policy(_, other)) => one == other,
            (one, other) => one == other,
        };
        self.words.len() == other.words.len() && self.words.iter().zip(&other.words).all(like)
    }

    fn add(&mut self, other: &Self) {
        let value = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        for (mine, other) in self.words.iter_mut().zip(&other.words) {
            match (mine, other) {
                (Word::Number(least, most), Word::Number(low, high)) => {
                    if value(low) < value(least) {
                        least.clone_from(low);
                    }
                    if value(high) > value(most) {
                        most.clone_from(high);
                    }
                }
                (Word::Policy(mine, _), Word::Policy(other, _)) if mine != other => *mine = None,
                _ => {}
            }
        }
    }

    fn text(&self) -> String {
        let word = |word: &Word| match word {
            Word::Plain(word) => word.clone(),
            Word::Policy(name, after) => format!("{}{after}", name.as_deref().unwrap_or("these policies")),
            Word::Number(least, most) if least == most => least.clone(),
            Word::Number(least, most) => format!("{least} to {most}"),
        };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(remarks: Vec<Remark>) -> Vec<(String, Vec<usize>)> {
        Remark::merged(remarks).iter().map(|remark| (remark.text(), remark.rows().to_vec())).collect()
    }

    #[test]
    fn a_reason_is_said_once_with_its_devices_rows_and_range() {
        let out = |row, device, share| {
            Remark::left_out(row, device, &format!("its share of {share} % is below the cutoff of 15.00 %"))
        };
        let found = texts(vec![
            out(0, "phi-0", "0.93"),
            out(0, "phi-1", "0.92"),
            out(1, "phi-0", "2.5"),
            out(1, "phi-1", "10.1"),
            out(2, "phi-0", "2.0"),
        ]);
        let both = "left out: phi-0, phi-1 (each: its share of 0.92 to 10.1 % is below the cutoff of 15.00 %)";
        let one = "left out: phi-0 (its share of 2.0 % is below the cutoff of 15.00 %)";
        assert_eq!(found, [(both.to_owned(), vec![0, 1]), (one.to_owned(), vec![2])]);
    }

    #[test]
    fn counts_are_not_made_ranges() {
        let out = |row, device, alike, less| {
            Remark::left_out(row, device, &format!("without it and the {alike} like it it takes {less} %, less"))
        };
        let found = texts(vec![out(0, "a", 3, "1.7"), out(0, "b", 3, "2.0"), out(0, "c", 1, "60")]);
        let text = |of: &str| format!("left out: {of}");
        assert_eq!(
            found,
            [
                (text("a, b (each: without it and the 3 like it it takes 1.7 to 2.0 %, less)"), vec![0]),
                (text("c (without it and the 1 like it it takes 60 %, less)"), vec![0]),
            ]
        );
    }

    #[test]
    fn a_note_is_said_once_whatever_its_policy_is_called() {
        let devices = ["a 1".to_owned(), "b".to_owned()];
        let note = |row, policy: &str, note: &str| Remark::note(row, &note.replace('$', policy), policy, &devices);
        let found = texts(vec![
            note(0, "BLOCK", "the cutoff means nothing to $: every device takes part"),
            note(1, "AUTO", "$ chose MODEL_2_AUTO: its time of 5 ms is the least"),
            note(2, "SCHED_DYNAMIC", "the cutoff means nothing to $: every device takes part"),
            note(2, "SCHED_DYNAMIC", "a 1 left out of the rest: slow"),
            note(2, "SCHED_DYNAMIC", "$, as asked"),
            note(3, "SCHED_DYNAMIC", "$, as asked"),
            note(3, "SCHED_GUIDED", "it took 5 ms"),
            note(4, "SCHED_GUIDED", "it took 6 ms"),
        ]);
        let found: Vec<_> = found.iter().map(|(text, rows)| (text.as_str(), rows.as_slice())).collect();
        assert_eq!(
            found,
            [
                ("the cutoff means nothing to these policies: every device takes part", &[0, 2][..]),
                ("AUTO chose MODEL_2_AUTO: its time of 5 ms is the least", &[1]),
                ("left out of the rest: a 1 (slow)", &[2]),
                ("SCHED_DYNAMIC, as asked", &[2, 3]),
                ("it took 5 ms", &[3]),
                ("it took 6 ms", &[4]),
            ]
        );
    }
}
