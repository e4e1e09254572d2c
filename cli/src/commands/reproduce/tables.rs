//! Predictions and comparisons for a terminal.

use apportion_cli::grouping::three_digits;
use apportion_reproduce::cases::{Listed, device_list};
use apportion_reproduce::compare::{Compared, best, errors, grouped, set_name};
use apportion_reproduce::experiments::{Set, fastest, figure, table_v};
use apportion_reproduce::kernels::Kernel;
use apportion_reproduce::node::Node;
use apportion_reproduce::policies::Policy;
use apportion_reproduce::simulate::Outcome;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write as _;

/// How many of the worst cases are shown.
const WORST: usize = 10;

fn table(header: Vec<String>, width: usize, texts: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index >= texts {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn lines(table: &Table) -> String {
    table.lines().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", line.trim_end());
        text
    })
}

fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The predictions of a list of cases, and why some are refused.
pub fn cases(node: &Node, predicted: &[(&Listed, Option<Outcome>)], width: usize) -> String {
    let mut table =
        table(header(&["kernel", "devices", "policy", "shares %", "size", "cutoff %", "predicted ms"]), width, 4);
    for (one, outcome) in predicted {
        let case = &one.case;
        let share = |iterations: u64| format!("{:.1}", 100.0 * iterations as f64 / case.n as f64);
        let shares =
            |outcome: &Outcome| outcome.parts.iter().map(|part| share(part.iterations)).collect::<Vec<_>>().join(" ");
        table.add_row([
            case.kernel.to_string(),
            device_list(node, &case.devices),
            case.policy.to_string(),
            outcome.as_ref().map_or_else(|| "-".to_owned(), shares),
            case.n.to_string(),
            case.cutoff.map_or_else(|| "-".to_owned(), |share| three_digits(100.0 * share)),
            outcome.as_ref().map_or_else(|| "-".to_owned(), |outcome| three_digits(outcome.ms)),
        ]);
    }
    let refused = predicted.iter().filter_map(|(one, _)| Some((one.line, one.refused.as_deref()?)));
    refused.fold(lines(&table), |mut text, (line, reason)| {
        let _ = writeln!(text, "line {line} is refused: {reason}");
        text
    })
}

fn percent(part: f64) -> String {
    format!("{:.1}", 100.0 * part)
}

/// The comparison, then the experiments without published measurements.
pub fn compared(node: &Node, all: &[Compared], width: usize) -> String {
    let mut text = String::from("Simulated against measured: size of the error, %\n\n");
    text += &lines(&error_table(node, all, width));
    text += "\nMedian error by kernel and policy on several devices, %\n\n";
    text += &lines(&policy_table(all, width));
    text += "\nBest policy: what the one with the least simulated time takes, against the least measured time\n\n";
    text += &lines(&best_table(node, all, width));
    text += "noise: largest by smallest time of policies that divide the loop alike, less 1\n";
    let _ = write!(text, "\nWorst {WORST} cases\n\n");
    text += &lines(&worst_table(node, all, width));
    for (name, set) in
        [("Figure 8, host and two Xeon Phis", Set::HostAndPhis), ("Figure 9, all seven devices", Set::All)]
    {
        let _ = write!(text, "\n{name}: simulated ms (* least)\n\n");
        text += &lines(&figure_table(node, set, width));
    }
    text += "\nTable V, speedup by a cutoff of 15 %: simulated and in the paper\n\n";
    text + &lines(&cutoff_table(node, width))
}

fn error_table(node: &Node, all: &[Compared], width: usize) -> Table {
    let mut table = table(header(&["", "cases", "median", "9 of 10", "worst", "mean with sign"]), width, 1);
    for group in grouped(node, all).iter().filter(|group| group.by != "kernel and set") {
        let name = match group.by {
            "kernel" | "policy" => format!("{}, several devices", group.name),
            _ => group.name.clone(),
        };
        let errors = &group.errors;
        let figures = [errors.median, errors.ninth, errors.worst, errors.bias].map(percent);
        table.add_row([name, errors.count.to_string()].into_iter().chain(figures));
    }
    table
}

fn policy_table(all: &[Compared], width: usize) -> Table {
    let mut names = vec!["policy".to_owned()];
    names.extend(Kernel::ALL.iter().map(ToString::to_string));
    names.push("all".to_owned());
    let mut table = table(names, width, 1);
    let mut policies: Vec<Policy> = Vec::new();
    for one in all.iter().filter(|one| one.devices() > 1) {
        if !policies.contains(&one.measured.case.policy) {
            policies.push(one.measured.case.policy);
        }
    }
    let median = |policy: Option<Policy>, kernel: Option<Kernel>| {
        let wanted = |one: &&Compared| {
            let case = &one.measured.case;
            let right = policy.is_none_or(|policy| policy == case.policy);
            one.devices() > 1 && right && kernel.is_none_or(|kernel| kernel == case.kernel)
        };
        let errors = errors(all.iter().filter(wanted));
        if errors.count > 0 { percent(errors.median) } else { "-".to_owned() }
    };
    for policy in policies.into_iter().map(Some).chain([None]) {
        let name = policy.map_or_else(|| "all".to_owned(), |policy| policy.to_string());
        let kernels = Kernel::ALL.into_iter().map(Some).chain([None]);
        table.add_row([name].into_iter().chain(kernels.map(|kernel| median(policy, kernel))));
    }
    table
}

fn names(policies: &[Policy]) -> String {
    policies.iter().map(ToString::to_string).collect::<Vec<_>>().join(" = ")
}

fn best_table(node: &Node, all: &[Compared], width: usize) -> Table {
    let titles = header(&["kernel", "devices", "simulated best", "measured best", "", "longer %", "noise %"]);
    let mut table = table(titles, width, 5);
    for one in best(all).iter().filter(|one| one.devices.len() > 1) {
        table.add_row([
            one.kernel.to_string(),
            set_name(node, &one.devices),
            names(&one.simulated),
            one.measured.to_string(),
            if one.within_noise() { "within" } else { "beyond" }.to_owned(),
            percent(one.loss()),
            percent(one.noise),
        ]);
    }
    table
}

fn worst_table(node: &Node, all: &[Compared], width: usize) -> Table {
    let mut sorted: Vec<&Compared> = all.iter().collect();
    sorted.sort_by(|a, b| b.error().abs().total_cmp(&a.error().abs()));
    let mut table = table(header(&["kernel", "devices", "policy", "measured ms", "simulated ms", "error %"]), width, 3);
    for one in sorted.into_iter().take(WORST) {
        table.add_row([
            one.measured.case.kernel.to_string(),
            set_name(node, &one.measured.case.devices),
            one.measured.case.policy.to_string(),
            three_digits(one.measured.ms),
            three_digits(one.outcome.ms),
            percent(one.error()),
        ]);
    }
    table
}

fn figure_table(node: &Node, set: Set, width: usize) -> Table {
    let predicted = figure(node, set);
    let mut titles = vec!["policy".to_owned()];
    titles.extend(Kernel::ALL.iter().map(|kernel| format!("{kernel} {}", set.size(*kernel))));
    let mut table = table(titles, width, 1);
    for policy in Policy::MEASURED {
        let cell = |kernel: Kernel| {
            let of_kernel: Vec<_> = predicted.iter().filter(|one| one.case.kernel == kernel).cloned().collect();
            let least = fastest(&of_kernel).map_or(0.0, |one| one.outcome.ms);
            let Some(one) = of_kernel.iter().find(|one| one.case.policy == policy) else { return "-".to_owned() };
            format!("{}{}", three_digits(one.outcome.ms), if one.outcome.ms <= least { "*" } else { " " })
        };
        table.add_row([policy.to_string()].into_iter().chain(Kernel::ALL.map(cell)));
    }
    table
}

fn cutoff_table(node: &Node, width: usize) -> Table {
    let titles = ["kernel", "best without", "best with", "devices left", "in the paper", "speedup", "in the paper"];
    let mut table = table(header(&titles), width, 5);
    for row in table_v(node) {
        table.add_row([
            format!("{} {}", row.kernel, row.n),
            row.without.case.policy.to_string(),
            row.with.case.policy.to_string(),
            row.devices(node),
            row.paper_devices.to_owned(),
            format!("{:.2}", row.speedup()),
            format!("{:.2}", row.paper),
        ]);
    }
    table
}
