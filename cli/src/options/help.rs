//! What the commands' help says after the flags: examples, and the lists of policies and workloads.

use apportion::sched::POLICIES;
use apportion_kernels::WORKLOADS;
use apportion_kernels::apps;
use std::fmt::Write as _;

pub const COMPARE_EXAMPLES: &str = "Examples:
  apportion compare                                      all loops, policies and devices
  apportion compare --machine machine.json -o results    with measured speeds; writes files
  apportion compare --workloads axpy,matmul --policies BLOCK,AUTO --size medium --devices 0,1
  apportion compare --workloads apps --scaling strong,weak -o scaling --width column --formats pdf

Where there are several devices, each also runs every loop alone: the column effic. and the figures compare with that.

";

pub const SIMULATE_EXAMPLES: &str = "Examples:
  apportion simulate --machine machine.json
  apportion simulate --machine machine.json --workloads stencil2d --n 1e5 --policies homp -o out

";

pub const EXPLAIN_EXAMPLES: &str = "Examples:
  apportion explain --workloads axpy
  apportion explain --machine machine.json --workloads axpy --size medium -o axpy.svg

";

/// The list of policies and workloads, for the help.
pub fn lists() -> String {
    let mut text = "Policies:\n".to_owned();
    for entry in POLICIES {
        let _ = writeln!(text, "  {:<20} {}", entry.name, entry.summary);
        if !entry.parameter.is_empty() {
            let _ = writeln!(text, "  {:<20} :{}", "", entry.parameter);
        }
    }
    text.push_str("\nWorkloads (n of small, medium, paper):\n");
    for entry in WORKLOADS {
        let sizes: Vec<_> = entry.sizes.named().iter().map(|(_, n)| n.to_string()).collect();
        let _ = writeln!(text, "  {:<20} {} ({})", entry.name, entry.summary, sizes.join(", "));
    }
    text
}

/// The list of applications, for the help.
pub fn applications() -> String {
    let mut text = "\nApplications (n of small, medium, paper; steps at size paper):\n".to_owned();
    for app in apps::ALL {
        let sizes: Vec<_> = app.sizes.named().iter().map(|(_, n)| n.to_string()).collect();
        let _ = writeln!(text, "  {:<20} {} ({}; {})", app.name, app.summary, sizes.join(", "), app.steps);
    }
    // One line: the help is wrapped to the terminal.
    text.push_str(
        "  They run in data regions, where no policy applies: by REGION:model (split by the models), REGION:even and \
         REGION:rebalanced (by the models, then by measured times). Their times are those of all steps but the first, \
         over arrays on the devices. Results are compared with a sequential reference, after fewer steps where that \
         would take minutes; the remarks say after how many. With --timeline or --scaling there is also \
         REGION:even-rebalanced (evenly, then by measured times).\n",
    );
    text
}
