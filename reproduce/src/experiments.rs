//! The paper's experiments: figures 5 to 9 and table V, in simulation.

use crate::kernels::Kernel;
use crate::node::{Kind, Node};
use crate::policies::Policy;
use crate::simulate::{Case, Outcome, predict};

/// A case and its prediction.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// The case.
    pub case: Case,
    /// The prediction.
    pub outcome: Outcome,
}

/// The cutoff ratio of the paper's experiments: 100/7 rounded up.
pub const CUTOFF: f64 = 0.15;

/// Sets of devices with the sizes that the authors ran on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// This many GPUs, figures 5 to 7.
    Gpus(usize),
    /// The host and both Xeon Phis, figure 8.
    HostAndPhis,
    /// All seven devices, figure 9 and table V.
    All,
}

impl Set {
    /// Positions in [`Node::devices`].
    pub fn devices(self, node: &Node) -> Vec<usize> {
        let wanted = |kind: Kind, number: usize| match self {
            Self::Gpus(count) => kind == Kind::Gpu && number < count,
            Self::HostAndPhis => kind != Kind::Gpu,
            Self::All => true,
        };
        let places = node.devices.iter().enumerate();
        places.filter(|(_, device)| wanted(device.kind, device.number)).map(|(place, _)| place).collect()
    }

    /// The size of a kernel on this set.
    pub const fn size(self, kernel: Kernel) -> u64 {
        match (self, kernel) {
            (Self::Gpus(_) | Self::All, Kernel::Axpy) => 1_000_000_000,
            (Self::Gpus(_), Kernel::Sum) => 500_000_000,
            (Self::Gpus(_) | Self::All, Kernel::Matvec) => 48_000,
            (Self::Gpus(_) | Self::All, Kernel::Matmul) => 6144,
            (Self::Gpus(_), Kernel::Stencil2d) => 2048,
            (Self::Gpus(_), Kernel::Bm2d) => 512,
            (Self::HostAndPhis, Kernel::Axpy) => 10_000_000,
            (_, Kernel::Sum) => 300_000_000,
            (Self::HostAndPhis, Kernel::Matvec) => 24_000,
            (Self::HostAndPhis, Kernel::Matmul) => 2048,
            (_, Kernel::Stencil2d | Kernel::Bm2d) => 256,
        }
    }
}

/// A kernel on a set under each policy of the authors' runs that runs it; with a cutoff, only under those that take one.
pub fn under_all_policies(node: &Node, set: Set, kernel: Kernel, cutoff: Option<f64>) -> Vec<Predicted> {
    let runs = |policy: &Policy| {
        (kernel != Kernel::Stencil2d || policy.one_chunk_each()) && (cutoff.is_none() || policy.takes_cutoff())
    };
    let predicted = |policy: Policy| {
        let case = Case { kernel, n: set.size(kernel), devices: set.devices(node), policy, cutoff, sweeps: None };
        Predicted { outcome: predict(node, &case), case }
    };
    Policy::MEASURED.into_iter().filter(runs).map(predicted).collect()
}

/// All kernels on a set under all policies.
pub fn figure(node: &Node, set: Set) -> Vec<Predicted> {
    Kernel::ALL.into_iter().flat_map(|kernel| under_all_policies(node, set, kernel, None)).collect()
}

/// The prediction with the least time.
pub fn fastest(predicted: &[Predicted]) -> Option<&Predicted> {
    predicted.iter().min_by(|a, b| a.outcome.ms.total_cmp(&b.outcome.ms))
}

/// A row of table V.
#[derive(Clone, Debug)]
pub struct CutoffRow {
    /// The kernel.
    pub kernel: Kernel,
    /// Its size.
    pub n: u64,
    /// Best of all policies without a cutoff.
    pub without: Predicted,
    /// Best of the four policies that take one, with 15 %.
    pub with: Predicted,
    /// The speedup given in the paper.
    pub paper: f64,
    /// The devices that remained, according to the paper.
    pub paper_devices: &'static str,
}

impl CutoffRow {
    /// Time without the cutoff divided by time with it.
    pub fn speedup(&self) -> f64 {
        self.without.outcome.ms / self.with.outcome.ms
    }

    /// The number of devices of each kind that the run with the cutoff used.
    pub fn devices(&self, node: &Node) -> String {
        let parts = Kind::ALL.into_iter().filter_map(|kind| {
            let used = self.with.outcome.parts.iter();
            let count = used.filter(|part| part.iterations > 0 && node.devices[part.device].kind == kind).count();
            (count > 0).then(|| format!("{count} {kind}"))
        });
        parts.collect::<Vec<_>>().join(" + ")
    }
}

/// Table V of the paper, on all seven devices.
pub fn table_v(node: &Node) -> Vec<CutoffRow> {
    let paper = [
        (Kernel::Axpy, 1.35, "2 CPU + 4 GPU"),
        (Kernel::Bm2d, 1.01, "2 CPU + 4 GPU"),
        (Kernel::Matmul, 2.68, "4 GPU"),
        (Kernel::Matvec, 0.56, "4 GPU"),
        (Kernel::Stencil2d, 3.43, "4 GPU"),
        (Kernel::Sum, 2.09, "2 CPU + 4 GPU"),
    ];
    let row = |(kernel, paper, paper_devices): (Kernel, f64, &'static str)| {
        let without = fastest(&under_all_policies(node, Set::All, kernel, None))?.clone();
        let with = fastest(&under_all_policies(node, Set::All, kernel, Some(CUTOFF)))?.clone();
        Some(CutoffRow { kernel, n: Set::All.size(kernel), without, with, paper, paper_devices })
    };
    paper.into_iter().filter_map(row).collect()
}
