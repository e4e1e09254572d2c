//! An outline says of a workload what the workload itself says, without its arrays.

use apportion::kernel::ElementType;
use apportion::model::{Machine, Overlap};
use apportion::runtime::{Runtime, predict_on};
use apportion::sched::{Cutoff, Policy};
use apportion_kernels::{Form, Memory, WORKLOADS};

/// A host and two devices with memory of their own.
const MACHINE: &str = r#"{
  "schema": "apportion.machine/1", "name": "three",
  "devices": [
    {"id": 0, "name": "cpu", "kind": "emulated", "type": "HOSTCPU", "memory": "shared",
     "f32_gflop_per_s": {"value": 50, "source": "assumed"}, "f64_gflop_per_s": {"value": 20, "source": "assumed"},
     "memory_gb_per_s": {"value": 30, "source": "assumed"}, "launch_us": {"value": 3, "source": "assumed"}},
    {"id": 1, "name": "gpu", "kind": "emulated", "type": "NVGPU", "memory": "discrete",
     "memory_gib": {"value": 2, "source": "assumed"}, "alloc_us": {"value": 7, "source": "assumed"},
     "f32_gflop_per_s": {"value": 900, "source": "assumed"}, "f64_gflop_per_s": {"value": 400, "source": "assumed"},
     "memory_gb_per_s": {"value": 200, "source": "assumed"}, "launch_us": {"value": 8, "source": "assumed"},
     "link": {"to": {"latency_us": {"value": 10, "source": "assumed"},
                     "bandwidth_gb_per_s": {"value": 11, "source": "assumed"}},
              "from": {"latency_us": {"value": 9, "source": "assumed"},
                       "bandwidth_gb_per_s": {"value": 12, "source": "assumed"}}}}
  ]
}"#;

#[test]
fn an_outline_is_predicted_as_the_workload_is_and_needs_as_much_memory() {
    let machine = Machine::from_json(MACHINE).unwrap();
    let runtime = Runtime::from_machine(machine.clone()).unwrap();
    let devices: Vec<_> = machine.enabled_devices().collect();
    for entry in WORKLOADS {
        for (element, form) in [ElementType::F32, ElementType::F64].into_iter().flat_map(|e| Form::ALL.map(|f| (e, f)))
        {
            for n in [16, 160] {
                let outline = entry.outline_as(form, n, element).unwrap();
                let mut instance = entry.build_as(form, n, element, 1, Memory::default()).unwrap();
                let (sketched, built) = (outline.sketch().kernel, instance.kernel());
                assert_eq!((sketched.name(), sketched.stated_cost()), (built.name(), built.stated_cost()));
                assert_eq!(outline.bytes(), Some(instance.bytes()), "{} {element} {n}", entry.name);
                assert_eq!(outline.element(), instance.element());
                for policy in Policy::ALL_SEVEN {
                    let of_outline = predict_on(
                        &devices,
                        &machine.shared_rates(),
                        &outline.sketch(),
                        &policy,
                        Cutoff::None,
                        Overlap::Full,
                    )
                    .unwrap();
                    let iterations = instance.iterations();
                    let a_loop = runtime.parallel_for(0..iterations, instance.bind()).policy(policy.clone());
                    let of_loop = a_loop.predict().unwrap();
                    assert_eq!(of_outline.makespan, of_loop.makespan, "{} {element} {n} {policy}", entry.name);
                    assert_eq!(of_outline.decision, of_loop.decision);
                }
            }
        }
    }
}

#[test]
fn a_size_that_cannot_be_is_refused() {
    for entry in WORKLOADS {
        for n in [0, usize::MAX, 1 << 60] {
            assert!(entry.outline(n, ElementType::F32).is_err(), "{} {n}", entry.name);
        }
        assert!(entry.outline(16, ElementType::I64).is_err(), "{}", entry.name);
    }
}
