//! What holds for every workload of the list.

mod common;

use apportion::Error;
use apportion::data::HostMemory;
use apportion::kernel::{Argument, ElementType, Scalar};
use apportion_kernels::{Entry, Instance, Memory, WORKLOADS};
use common::run_in_chunks;
use proptest::prelude::*;

/// Sizes around blocks, lanes and radii, as the workload takes them.
fn sizes(entry: &Entry) -> Vec<usize> {
    [1, 2, 5, 6, 7, 8, 16, 32, 33, 48, 64, 100, 112, 130].into_iter().filter(|&n| build(entry, n, 1).is_ok()).collect()
}

fn build(entry: &Entry, n: usize, seed: u64) -> apportion::Result<Box<dyn Instance>> {
    entry.build(n, entry.elements[0], seed)
}

fn each(mut check: impl FnMut(&Entry, &mut dyn Instance)) {
    for entry in WORKLOADS {
        assert!(sizes(entry).len() > 2, "{}: test sizes that it takes", entry.name);
        for n in sizes(entry) {
            for &element in entry.elements {
                check(entry, &mut *entry.build(n, element, 7).expect("a size that it takes"));
            }
        }
    }
}

/// Puts byte `byte` into all of element `index` of the first written array, if there is one.
fn damage(instance: &mut dyn Instance, index: usize, byte: u8) -> bool {
    let bound = instance.bind();
    for map in bound.arguments().iter().filter_map(Argument::array) {
        if let HostMemory::Write(array) = &map.memory {
            let size = map.element.bytes();
            let index = index % map.len;
            array.lend(index * size..(index + 1) * size).expect("nobody else has it").fill(byte);
            return true;
        }
    }
    false
}

#[test]
fn names_are_unique_and_sizes_ascend() {
    for (i, entry) in WORKLOADS.iter().enumerate() {
        assert!(WORKLOADS[..i].iter().all(|other| other.name != entry.name));
        assert!(entry.sizes.small < entry.sizes.medium && entry.sizes.medium < entry.sizes.paper);
        assert_eq!(apportion_kernels::find(entry.name).unwrap().name, entry.name);
    }
    let text = apportion_kernels::find("saxpy").unwrap_err().to_string();
    assert!(text.contains("saxpy") && text.contains("axpy, sum"), "{text}");
}

#[test]
fn in_one_chunk_each_agrees_with_its_reference() {
    each(|entry, instance| {
        let reduced = run_in_chunks(instance, &[]);
        let v = instance.verify(reduced);
        assert!(v.ok, "{} n={} {}: {v}", entry.name, instance.n(), instance.element());
    });
}

#[test]
fn run_by_rayon_each_agrees_with_its_reference_again_and_again() {
    each(|entry, instance| {
        for _ in 0..2 {
            instance.reset();
            let reduced = instance.run_rayon();
            let v = instance.verify(reduced);
            assert!(v.ok, "{} n={} {}: {v}", entry.name, instance.n(), instance.element());
        }
    });
}

#[test]
fn before_it_has_run_none_passes() {
    each(|entry, instance| {
        assert!(!instance.verify(None).ok, "{} n={}", entry.name, instance.n());
        run_in_chunks(instance, &[]);
        instance.reset();
        assert!(!instance.verify(None).ok, "{} n={} after reset", entry.name, instance.n());
    });
}

#[test]
fn one_damaged_element_fails() {
    each(|entry, instance| {
        for (index, byte) in [(0, 0xff), (usize::MAX / 3, 0xff), (12_345_678, 0x41)] {
            instance.reset();
            let reduced = run_in_chunks(instance, &[]);
            let Some(sum) = reduced else {
                assert!(damage(instance, index, byte));
                let v = instance.verify(reduced);
                assert!(!v.ok && v.mismatch.is_some(), "{} n={}: {v}", entry.name, instance.n());
                continue;
            };
            let Scalar::F64(sum) = sum else { panic!("sums are f64") };
            for wrong in [sum * (1.0 + f64::EPSILON), f64::NAN, f64::INFINITY] {
                assert!(!instance.verify(Some(Scalar::F64(wrong))).ok, "{} {wrong}", entry.name);
            }
        }
    });
}

#[test]
fn an_element_type_that_there_is_not_is_refused() {
    for entry in WORKLOADS {
        let text = entry.build(64, ElementType::I64, 0).map(|_| ()).unwrap_err().to_string();
        assert!(text.contains(entry.name) && text.contains(entry.elements[0].name()), "{text}");
    }
}

#[test]
fn a_size_beyond_memory_is_refused() {
    for entry in WORKLOADS {
        for n in [1 << 48, 1 << 62, usize::MAX - 15] {
            for &element in entry.elements {
                let error = entry.build(n, element, 0).map(|_| ()).unwrap_err();
                assert!(matches!(error, Error::TooLarge(_)), "{} n={n}: {error}", entry.name);
            }
        }
    }
}

#[test]
fn at_size_0_each_is_right_or_says_what_it_needs() {
    for entry in WORKLOADS {
        match build(entry, 0, 0) {
            Ok(mut instance) => {
                let reduced = run_in_chunks(&mut *instance, &[]);
                assert!(instance.verify(reduced).ok, "{}", entry.name);
                let reduced = instance.run_rayon();
                assert!(instance.verify(reduced).ok, "{}", entry.name);
            }
            Err(error) => assert!(error.to_string().contains(entry.name) && matches!(error, Error::Call(_)), "{error}"),
        }
    }
}

#[test]
fn each_states_its_cost_and_has_an_opencl_and_a_cuda_variant() {
    each(|entry, instance| {
        let cost = instance.kernel().stated_cost().expect("a cost");
        assert!(cost.flops > 0.0 && cost.loads > 0.0, "{}", entry.name);
        let moved = (cost.loads + cost.stores) * instance.iterations() as f64;
        // Every array once, but for tofrom arrays, which count twice.
        assert!(moved >= instance.bytes() as f64 && moved <= 1.5 * instance.bytes() as f64, "{}: {moved}", entry.name);
        let source = instance.kernel().opencl_variant().expect("an OpenCL variant");
        assert!(source.source().contains(&format!("void {}(", source.entry())), "{}", entry.name);
        assert!(instance.kernel().cuda_variant().is_some(), "{}", entry.name);
    });
}

/// The bytes of all arrays.
fn contents(instance: &mut dyn Instance) -> Vec<Vec<u8>> {
    let bound = instance.bind();
    let bytes = |argument: &Argument<'_>| match &argument.array()?.memory {
        HostMemory::Read(bytes) => Some(bytes.to_vec()),
        HostMemory::Write(array) => Some(array.lend(0..array.len()).unwrap().to_vec()),
        HostMemory::Scratch => None,
    };
    bound.arguments().iter().filter_map(bytes).collect()
}

#[test]
fn the_kind_of_memory_changes_no_contents_and_plain_memory_is_never_locked() {
    for entry in WORKLOADS {
        for &element in entry.elements {
            let [mut locked, mut plain] = Memory::ALL.map(|memory| entry.build_in(64, element, 3, memory).unwrap());
            assert!(!plain.is_page_locked());
            assert!(contents(&mut *locked) == contents(&mut *plain), "{} {element}", entry.name);
            let reduced = plain.run_rayon();
            assert!(plain.verify(reduced).ok, "{} {element}", entry.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn in_any_chunks_each_agrees_with_its_reference(
        seed: u64, n in 1usize..200, cuts in prop::collection::vec(any::<u64>(), 0..6), f64 in any::<bool>(),
    ) {
        for entry in WORKLOADS {
            let n = if build(entry, n, seed).is_ok() { n } else { n.next_multiple_of(16) };
            let element = entry.elements[usize::from(f64) % entry.elements.len()];
            let mut instance = entry.build(n, element, seed).expect("a multiple of 16 suits all");
            let reduced = run_in_chunks(&mut *instance, &cuts);
            let v = instance.verify(reduced);
            prop_assert!(v.ok, "{} n={}: {}", entry.name, n, v);
        }
    }
}
