//! What is promised of the model: the figures are those of the fit, the errors are as documented, and nothing is lost on any
//! set of devices.

use apportion_reproduce::compare::{Compared, compare, errors};
use apportion_reproduce::experiments::{CUTOFF, Set, table_v, under_all_policies};
use apportion_reproduce::kernels::Kernel;
use apportion_reproduce::node::{Kind, Node};
use apportion_reproduce::policies::Policy;
use apportion_reproduce::simulate::{Case, predict};
use apportion_reproduce::{fit, measured};
use std::path::Path;

fn node() -> Node {
    Node::built_in().unwrap()
}

fn compared(node: &Node) -> Vec<Compared> {
    compare(node, measured::built_in(node).unwrap())
}

#[test]
fn the_figures_are_those_of_the_fit_and_the_fit_looks_at_one_device_alone() {
    let node = node();
    let all = measured::built_in(&node).unwrap();
    let alone: Vec<_> = all.iter().filter(|one| one.case.devices.len() == 1).cloned().collect();
    assert_eq!((all.len(), alone.len()), (288, 144));
    for rows in [&all, &alone] {
        let fitted = fit::fit(Path::new("measured.csv"), &node, rows).unwrap();
        assert_eq!(fitted.used, 144);
        assert_eq!(fitted.machine, node.machine, "write them anew with `apportion reproduce homp --fit`");
        assert_eq!(fitted.runtime, node.runtime, "write them anew with `apportion reproduce homp --fit`");
    }
}

#[test]
fn errors_are_as_documented() {
    let all = compared(&node());
    // Devices, and the most that half of the cases and nine of ten may be wrong.
    for (devices, median, ninth) in [(1, 0.017, 0.13), (2, 0.031, 0.08), (3, 0.037, 0.18), (4, 0.12, 0.27)] {
        let errors = errors(all.iter().filter(|one| one.devices() == devices));
        assert!(errors.median <= median && errors.ninth <= ninth, "{devices} devices: {errors:?}");
    }
    let several = errors(all.iter().filter(|one| one.devices() > 1));
    assert!(several.count == 144 && several.median <= 0.046, "{several:?}");
}

#[test]
fn cases_take_what_they_took_when_this_was_written() {
    let node = node();
    let gpus = Set::Gpus(4).devices(&node);
    let all = Set::All.devices(&node);
    let golden = [
        (Kernel::Axpy, Policy::Block, &gpus, None, 521.07),
        (Kernel::Matvec, Policy::Dynamic(10.0), &gpus, None, 851.22),
        (Kernel::Matmul, Policy::Guided(15.0), &gpus, None, 1575.70),
        (Kernel::Stencil2d, Policy::Model1, &gpus, None, 10722.79),
        (Kernel::Axpy, Policy::Model2, &all, Some(CUTOFF), 516.65),
        (Kernel::Matvec, Policy::ModelProfile(5.0), &all, None, 325.45),
    ];
    for (kernel, policy, devices, cutoff, ms) in golden {
        let set = if devices.len() == 4 { Set::Gpus(4) } else { Set::All };
        let case = Case { kernel, n: set.size(kernel), devices: devices.clone(), policy, cutoff, sweeps: None };
        let outcome = predict(&node, &case);
        assert!((outcome.ms / ms - 1.0).abs() < 1e-4, "{kernel} {policy}: {}", outcome.ms);
    }
}

#[test]
fn any_set_of_devices_does_all_iterations_in_a_finite_time_under_every_policy() {
    let node = node();
    let sizes = |kernel: Kernel| match kernel {
        Kernel::Axpy | Kernel::Sum => [1, 7, 1_000_003],
        _ => [1, 13, 1024],
    };
    for set in 1_u32..128 {
        let devices: Vec<usize> = (0..7).filter(|device| set >> device & 1 == 1).collect();
        for kernel in Kernel::ALL {
            for policy in Policy::MEASURED {
                if kernel == Kernel::Stencil2d && !policy.one_chunk_each() {
                    continue;
                }
                for n in sizes(kernel) {
                    for cutoff in [None, Some(CUTOFF)] {
                        let case = Case { kernel, n, devices: devices.clone(), policy, cutoff, sweeps: None };
                        let outcome = predict(&node, &case);
                        let name = format!("{kernel} {n} {policy} {cutoff:?} on {devices:?}: {outcome:?}");
                        assert!(outcome.ms.is_finite() && outcome.ms > 0.0, "{name}");
                        let sum: u64 = outcome.parts.iter().map(|part| part.iterations).sum();
                        assert_eq!(sum, n, "{name}");
                        for part in &outcome.parts {
                            let times = part.times.0;
                            let whole: f64 = times.iter().sum();
                            // Not even -0.
                            assert!(times.iter().all(|time| time.is_sign_positive()), "{name}");
                            // Every device's time is accounted for.
                            assert!((whole / outcome.ms - 1.0).abs() < 1e-6, "{name}");
                        }
                    }
                }
            }
        }
    }
}

/// Times of 1e19 ms, whose rounding is seconds.
#[test]
fn no_device_waits_less_than_no_time_however_long_a_case_takes() {
    let node = node();
    let cases = [
        (Kernel::Stencil2d, 1_000_000_000_000, vec![(Kind::Phi, 0), (Kind::Phi, 1)], Policy::Model1, None),
        (Kernel::Stencil2d, 1_000_000_000_000, vec![(Kind::Phi, 0), (Kind::Phi, 1)], Policy::Model1, Some(0.155)),
        (Kernel::Bm2d, 10_000_000, vec![(Kind::Gpu, 0)], Policy::Model2, Some(0.01)),
        (
            Kernel::Stencil2d,
            999_999_999_999,
            vec![(Kind::Host, 0), (Kind::Gpu, 1), (Kind::Phi, 0)],
            Policy::Block,
            None,
        ),
    ];
    for (kernel, n, of, policy, cutoff) in cases {
        let place = |(kind, number): (Kind, usize)| {
            node.devices.iter().position(|device| (device.kind, device.number) == (kind, number)).unwrap()
        };
        let case = Case { kernel, n, devices: of.into_iter().map(place).collect(), policy, cutoff, sweeps: None };
        let outcome = predict(&node, &case);
        let mut times = outcome.parts.iter().flat_map(|part| part.times.0);
        assert!(times.all(|time| time.is_sign_positive() && time.is_finite()), "{outcome:?}");
    }
}

#[test]
fn the_same_case_twice_takes_the_same_time_and_alike_devices_are_alike() {
    let node = node();
    let gpus: Vec<usize> = Set::Gpus(4).devices(&node);
    let on = |devices: Vec<usize>| {
        let case =
            Case { kernel: Kernel::Axpy, n: 1_000_000, devices, policy: Policy::Block, cutoff: None, sweeps: None };
        predict(&node, &case)
    };
    assert_eq!(on(gpus.clone()), on(gpus.clone()));
    assert_eq!(on(vec![gpus[0]]).ms, on(vec![gpus[3]]).ms);
    // Two GPUs of a board share its link, of two boards they do not.
    assert!(on(vec![gpus[0], gpus[1]]).ms > on(vec![gpus[0], gpus[2]]).ms);
}

#[test]
fn a_cutoff_of_15_percent_leaves_four_gpus_for_matmul_and_makes_matvec_slower_as_in_table_v() {
    let node = node();
    let rows = table_v(&node);
    let row = |kernel| rows.iter().find(|row| row.kernel == kernel).unwrap();
    assert_eq!(row(Kernel::Matmul).devices(&node), "4 NVGPU");
    assert!(row(Kernel::Matmul).speedup() > 1.5);
    assert!(row(Kernel::Matvec).speedup() < 0.7);
    assert_eq!(row(Kernel::Stencil2d).devices(&node), "4 NVGPU");
}

#[test]
fn every_kernel_runs_on_each_set_of_the_paper() {
    let node = node();
    assert_eq!(Set::HostAndPhis.devices(&node).len(), 3);
    assert_eq!(Set::All.devices(&node).len(), 7);
    assert_eq!(node.find(Kind::Phi, 1).unwrap().name, "phi-1");
    for set in [Set::Gpus(2), Set::HostAndPhis, Set::All] {
        for kernel in Kernel::ALL {
            let count = under_all_policies(&node, set, kernel, None).len();
            assert_eq!(count, if kernel == Kernel::Stencil2d { 3 } else { 9 });
        }
    }
}
