//! Every application, in both precisions, over several steps: on the host, on devices with their own memory, on OpenCL and on
//! GPUs, against its reference. One `parallel_for` is one step, after which the test swaps the arrays.
//!
//! A kind of device that is not there is skipped by name, and fails where `APPORTION_REQUIRE_OPENCL` or
//! `APPORTION_REQUIRE_CUDA=1` asks for it.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]

use apportion::kernel::{DeviceSource, HostArgument, Kernel, Reduce, Scalar};
use apportion::prelude::*;
use apportion_kernels::apps::{
    self, cardiac::Cardiac, heat2d::Heat2d, heat3d::Edges, heat3d::Heat3d, jacobi::Jacobi, s3d::Property, s3d::S3d,
    s3d::SPECIES,
};
use apportion_kernels::{Memory, Real, Verification};
use proptest::prelude::*;

const FIGURES: &str = r#""f32_gflop_per_s": {"value": 20, "source": "assumed"}, "f64_gflop_per_s": {"value": 10, "source": "assumed"},
    "memory_gb_per_s": {"value": 50, "source": "assumed"}, "launch_us": {"value": 10, "source": "assumed"}"#;
const SHARED: &str = r#""memory": "shared""#;
const DISCRETE: &str = r#""memory": "discrete", "memory_gib": {"value": 1, "source": "assumed"},
    "link": {"to": {"latency_us": {"value": 5, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}},
             "from": {"latency_us": {"value": 5, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}}}"#;
const HOST: &str = r#""kind": "host", "type": "HOSTCPU", "host": {"leave_free": 0}"#;
const EMULATED: &str = r#""kind": "emulated", "type": "NVGPU""#;
const OPENCL: &str = r#""kind": "opencl", "type": "OCLCPU", "opencl": {"platform": "portable"}"#;

fn runtime(devices: &[(String, &str)]) -> Result<Runtime> {
    let list = devices.iter().enumerate();
    let list: Vec<_> = list
        .map(|(i, (kind, memory))| format!(r#"{{"id": {i}, "name": "d{i}", {kind}, {memory}, {FIGURES}}}"#))
        .collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
    Runtime::from_machine(apportion::model::Machine::from_json(&text)?)
}

/// Runs a test on each kind of devices that this machine has.
fn on_each_kind_of_device(test: impl Fn(&Runtime)) {
    let device = |kind: &str, memory| (kind.to_owned(), memory);
    test(&runtime(&[device(HOST, SHARED)]).unwrap());
    test(&runtime(&[device(HOST, SHARED), device(EMULATED, DISCRETE), device(EMULATED, DISCRETE)]).unwrap());
    for devices in [&[device(OPENCL, SHARED)][..], &[device(HOST, SHARED), device(OPENCL, DISCRETE)]] {
        match runtime(devices) {
            Ok(rt) => test(&rt),
            Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => println!("skipped: {error}"),
            Err(error) => panic!("OpenCL is required here: {error}"),
        }
    }
    match apportion::devices::cuda::discover() {
        Ok(found) => {
            let device =
                |index| (format!(r#""kind": "cuda", "type": "NVGPU", "cuda": {{"index": {index}}}"#), DISCRETE);
            let gpus: Vec<_> = found.iter().map(|gpu| device(gpu.index)).collect();
            test(&runtime(&gpus[..1]).unwrap());
            test(&runtime(&[vec![(HOST.to_owned(), SHARED)], gpus].concat()).unwrap());
        }
        Err(why) if std::env::var("APPORTION_REQUIRE_CUDA").is_ok_and(|value| value == "1") => {
            panic!("CUDA is required here: {why}")
        }
        Err(why) => println!("skipped: {why}"),
    }
}

/// In both precisions, on each kind of device.
macro_rules! everywhere {
    ($test:ident) => {
        on_each_kind_of_device(|rt| {
            $test::<f32>(rt);
            $test::<f64>(rt);
        })
    };
}

#[track_caller]
fn accept(what: &str, verified: Verification) {
    assert!(verified.ok, "{what}: {verified}");
}

/// Poison in rows `rows`, so that a cell that no step writes shows.
fn poison<T: Real>(array: &mut [T], row_len: usize, rows: std::ops::Range<u64>) {
    array[rows.start as usize * row_len..rows.end as usize * row_len].fill(T::NAN);
}

/// Widths around vectors, tiles of a group and segments, with and without rows that begin at 16 bytes.
const WIDTHS: [usize; 10] = [3, 4, 7, 16, 33, 64, 129, 514, 1027, 1028];

#[test]
fn jacobi_relaxes_and_sums_its_residuals() {
    fn check<T: Real>(rt: &Runtime) {
        for m in WIDTHS {
            let jacobi = Jacobi::<T>::new(27, m, 5).unwrap();
            let (f, mut u, mut old) =
                (jacobi.f(Memory::Plain).unwrap(), jacobi.u(Memory::Plain).unwrap(), jacobi.u(Memory::Plain).unwrap());
            let steps = 9;
            let (expected, sums) = jacobi.reference(steps).unwrap();
            for expected in sums {
                std::mem::swap(&mut u, &mut old);
                poison(&mut u, m, jacobi.rows());
                let bound = jacobi.bind().to(&f).named("f").align_rows(m);
                let bound = bound.to(&old).named("old").align_rows(m).halo(1);
                let bound = bound.tofrom(&mut u).named("u").align_rows(m);
                let sum = rt.parallel_for(jacobi.rows(), bound).reduce::<f64>(Reduce::Sum).unwrap().value;
                let error = (sum / expected - 1.0).abs();
                assert!(error < if size_of::<T>() == 4 { 1e-5 } else { 1e-12 }, "m = {m}: {sum} for {expected}");
            }
            accept(&format!("jacobi, m = {m}"), apps::compare("u", m, &u, &expected));
        }
    }
    everywhere!(check);
}

/// On CPUs the OpenCL source has a second form. Here the first runs on one, in its place.
#[test]
fn jacobi_in_the_opencl_form_for_gpus_is_right_too() {
    fn check<T: Real>(rt: &Runtime) {
        for m in WIDTHS {
            let jacobi = Jacobi::<T>::new(27, m, 5).unwrap();
            let source = jacobi.kernel().opencl_variant().unwrap().clone();
            assert!(source.source().contains("#ifdef APPORTION_CPU"));
            let text = format!("#undef APPORTION_CPU\n{}", source.source());
            // SAFETY: the other form of the same kernel.
            let source = unsafe { DeviceSource::new(text, source.entry(), source.grid().clone()) }
                .options(source.compiler_options());
            let kernel = Kernel::new("jacobi").opencl_source(source);
            let (f, mut u, old) =
                (jacobi.f(Memory::Plain).unwrap(), jacobi.u(Memory::Plain).unwrap(), jacobi.u(Memory::Plain).unwrap());
            poison(&mut u, m, jacobi.rows());
            let bound = jacobi.bind().arguments().iter().map(scalar).fold(kernel.bind(), |bound, value| match value {
                Scalar::I64(value) => bound.scalar(value),
                Scalar::F32(value) => bound.scalar(value),
                Scalar::F64(value) => bound.scalar(value),
                other => panic!("a scalar of another type: {other:?}"),
            });
            let bound = bound.to(&f).align_rows(m).to(&old).align_rows(m).halo(1).tofrom(&mut u).align_rows(m);
            let sum = rt.parallel_for(jacobi.rows(), bound).reduce::<f64>(Reduce::Sum).unwrap().value;
            let (expected, sums) = jacobi.reference(1).unwrap();
            assert!((sum / sums[0] - 1.0).abs() < if size_of::<T>() == 4 { 1e-5 } else { 1e-12 }, "m = {m}");
            accept(&format!("jacobi, m = {m}"), apps::compare("u", m, &u, &expected));
        }
    }
    match runtime(&[(OPENCL.to_owned(), DISCRETE)]) {
        Ok(rt) => {
            check::<f32>(&rt);
            check::<f64>(&rt);
        }
        Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => println!("skipped: {error}"),
        Err(error) => panic!("OpenCL is required here: {error}"),
    }
}

/// So many steps of `heat` in plain loops.
fn heat2d<T: Real>(rt: &Runtime, heat: &Heat2d<T>, steps: usize) -> Vec<T> {
    let (mut new, mut old) = (heat.start(Memory::Plain).unwrap().to_vec(), heat.start(Memory::Plain).unwrap().to_vec());
    let [_, m] = heat.extents();
    for _ in 0..steps {
        std::mem::swap(&mut new, &mut old);
        poison(&mut new, m, heat.rows());
        let bound = heat.bind().to(&old).named("old").align_rows(m).halo(1);
        rt.parallel_for(heat.rows(), bound.tofrom(&mut new).named("new").align_rows(m)).run().unwrap();
    }
    new
}

#[test]
fn heat2d_agrees_with_its_reference() {
    fn check<T: Real>(rt: &Runtime) {
        for m in WIDTHS {
            let heat = Heat2d::<T>::with_mode(21, m, [1, m.div_ceil(3)]).unwrap();
            accept(
                &format!("heat2d, m = {m}"),
                apps::compare("new", m, &heat2d(rt, &heat, 7), &heat.reference(7).unwrap()),
            );
        }
    }
    everywhere!(check);
}

#[test]
fn heat2d_lets_a_sine_mode_decay() {
    fn check<T: Real>(rt: &Runtime) {
        let heat = Heat2d::<T>::with_mode(40, 52, [3, 2]).unwrap();
        let (start, factor) = (heat.start(Memory::Plain).unwrap(), heat.decay(60));
        let expected: Vec<T> = start.iter().map(|x| T::from_f64(x.to_f64() * factor)).collect();
        assert!((0.2..0.8).contains(&factor), "{factor}");
        accept("heat2d", apps::compare("new", 52, &heat2d(rt, &heat, 60), &expected));
    }
    everywhere!(check);
}

#[test]
fn s3d_agrees_with_its_reference() {
    fn check<T: Real>(rt: &Runtime) {
        for m in WIDTHS {
            let s3d = S3d::<T>::new(9, m, 3).unwrap();
            let (t, y) = (s3d.temperatures(Memory::Plain).unwrap(), s3d.fractions(Memory::Plain).unwrap());
            let table = s3d.table(Memory::Plain).unwrap();
            for property in [Property::Heat, Property::Enthalpy] {
                let mut out = vec![T::NAN; 9 * m];
                let bound =
                    s3d.bind(property).to(&t).named("t").align_rows(m).to(&y).named("y").align_rows(SPECIES * m);
                let bound = bound.to(&table).named("table").full().from(&mut out).named("out").align_rows(m);
                rt.parallel_for(s3d.rows(), bound).run().unwrap();
                let expected = s3d.reference(property).unwrap();
                accept(&format!("s3d {property:?}, m = {m}"), apps::compare("out", m, &out, &expected));
            }
        }
    }
    everywhere!(check);
}

#[test]
fn heat3d_with_fixed_edges_agrees_with_its_reference() {
    fn check<T: Real>(rt: &Runtime) {
        for l in WIDTHS {
            let heat = Heat3d::<T>::new([9, 11, l], Edges::Fixed, 4).unwrap();
            let start = || heat.start(Memory::Plain).unwrap();
            let (mut new, mut old, plane) = (start(), start(), 11 * l);
            for _ in 0..5 {
                std::mem::swap(&mut new, &mut old);
                poison(&mut new, plane, heat.planes());
                let bound = heat.bind().to(&old).named("old").align_rows(plane).halo(1);
                rt.parallel_for(heat.planes(), bound.tofrom(&mut new).named("new").align_rows(plane)).run().unwrap();
            }
            accept(&format!("heat3d, l = {l}"), apps::compare("new", l, &new, &heat.reference(5).unwrap()));
        }
    }
    everywhere!(check);
}

/// An array with a row more on either end: iteration i of a loop over 1..n+1 is row i-1 of the array.
fn padded<T: Real>(array: &[T], row_len: usize) -> Vec<T> {
    let mut padded = vec![T::NAN; array.len() + 2 * row_len];
    padded[row_len..][..array.len()].copy_from_slice(array);
    padded
}

/// Fills the ghost rows of a padded array from rows `above` and `below` of the array.
fn fill_ghosts<T: Real>(padded: &mut [T], row_len: usize, [above, below]: [usize; 2]) {
    let end = padded.len() - row_len;
    padded.copy_within((above + 1) * row_len..(above + 2) * row_len, 0);
    padded.copy_within((below + 1) * row_len..(below + 2) * row_len, end);
}

#[test]
fn heat3d_with_periodic_edges_agrees_with_its_reference() {
    fn check<T: Real>(rt: &Runtime) {
        for l in WIDTHS {
            let (n, plane) = (9, 11 * l);
            let heat = Heat3d::<T>::new([n, 11, l], Edges::Periodic, 4).unwrap();
            assert_eq!(heat.planes(), 0..n as u64);
            let mut new = padded(&heat.start(Memory::Plain).unwrap(), plane);
            let mut old = new.clone();
            for _ in 0..5 {
                std::mem::swap(&mut new, &mut old);
                fill_ghosts(&mut old, plane, [n - 1, 0]);
                new.fill(T::NAN);
                let bound = heat.bind().to(&old).named("old").align_rows(plane).halo(1);
                rt.parallel_for(1..n as u64 + 1, bound.from(&mut new).named("new").align_rows(plane)).run().unwrap();
            }
            let inner = &new[plane..][..n * plane];
            accept(&format!("heat3d, l = {l}"), apps::compare("new", l, inner, &heat.reference(5).unwrap()));
        }
    }
    everywhere!(check);
}

#[test]
fn cardiac_agrees_with_its_reference() {
    fn check<T: Real>(rt: &Runtime) {
        for m in [2].into_iter().chain(WIDTHS) {
            let n = 14;
            let tissue = Cardiac::<T>::new(n, m).unwrap();
            assert_eq!(tissue.rows(), 0..n as u64);
            let mut e_new = padded(&tissue.e(Memory::Plain).unwrap(), m);
            let (mut e_old, mut r) = (e_new.clone(), padded(&tissue.r(Memory::Plain).unwrap(), m));
            for _ in 0..30 {
                std::mem::swap(&mut e_new, &mut e_old);
                fill_ghosts(&mut e_old, m, [1, n - 2]);
                e_new.fill(T::NAN);
                let bound = tissue.bind().to(&e_old).named("e_old").align_rows(m).halo(1);
                let bound = bound.tofrom(&mut r).named("r").align_rows(m);
                rt.parallel_for(1..n as u64 + 1, bound.from(&mut e_new).named("e_new").align_rows(m)).run().unwrap();
            }
            let (e, expected_r) = tissue.reference(30).unwrap();
            accept(&format!("cardiac, m = {m}"), apps::compare("e", m, &e_new[m..][..n * m], &e));
            accept(&format!("cardiac, m = {m}"), apps::compare("r", m, &r[m..][..n * m], &expected_r));
        }
    }
    everywhere!(check);
}

/// Calls the host body of `kernel` for rows `cuts[i]..cuts[i+1]`, each with sections as a device has them: own rows of
/// written arrays, and a ghost row or a neighbour's row on either side of `old`. Row -1 of the array is row 0 of `old`.
fn in_pieces<T: Real>(
    kernel: &Kernel,
    scalars: &[Scalar],
    row_len: usize,
    cuts: &[usize],
    old: &[T],
    written: &mut [&mut [T]],
) {
    let body = &kernel.host_variant().unwrap().body;
    for rows in cuts.windows(2).map(|w| w[0]..w[1]).filter(|rows| !rows.is_empty()) {
        let first = rows.start * row_len;
        let mut arguments: Vec<_> = scalars.iter().map(|scalar| HostArgument::Scalar(*scalar)).collect();
        // Of the first piece this index is below 0, as the ghost row is a part of the section.
        let section = &old[first..(rows.end + 2) * row_len];
        arguments.push(HostArgument::In {
            bytes: bytemuck::cast_slice(section),
            first: first.wrapping_sub(row_len),
            row_len,
        });
        for array in written.iter_mut() {
            let bytes = bytemuck::cast_slice_mut(&mut array[first..rows.end * row_len]);
            arguments.push(HostArgument::Out { bytes, first, row_len });
        }
        body.call(rows, None, &mut arguments);
    }
}

fn cuts(n: usize) -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..=n, 0..4).prop_map(move |mut cuts| {
        cuts.extend([0, n]);
        cuts.sort_unstable();
        cuts
    })
}

proptest! {
    #[test]
    fn ghost_rows_before_the_first_and_after_the_last_are_read(cuts in cuts(7), m in 3usize..40, l in 3usize..40) {
        let heat = Heat3d::<f64>::new([7, m, l], Edges::Periodic, 9).unwrap();
        let mut old = padded(&heat.start(Memory::Plain).unwrap(), m * l);
        fill_ghosts(&mut old, m * l, [6, 0]);
        let mut new = vec![f64::NAN; 7 * m * l];
        let bound = heat.bind();
        let scalars: Vec<_> = bound.arguments().iter().map(scalar).collect();
        in_pieces(heat.kernel(), &scalars, m * l, &cuts, &old, &mut [&mut new]);
        accept("heat3d", apps::compare("new", l, &new, &heat.reference(1).unwrap()));

        let tissue = Cardiac::<f64>::new(7, m).unwrap();
        // At first all rows are alike, and a mix-up of them would not show.
        let (before, mut r) = tissue.reference(30).unwrap();
        let mut old = padded(&before, m);
        fill_ghosts(&mut old, m, [1, 5]);
        let mut e = vec![f64::NAN; 7 * m];
        let bound = tissue.bind();
        let scalars: Vec<_> = bound.arguments().iter().map(scalar).collect();
        in_pieces(tissue.kernel(), &scalars, m, &cuts, &old, &mut [&mut r, &mut e]);
        let (expected_e, expected_r) = tissue.reference(31).unwrap();
        accept("cardiac", apps::compare("e", m, &e, &expected_e));
        accept("cardiac", apps::compare("r", m, &r, &expected_r));
    }
}

fn scalar(argument: &apportion::kernel::Argument<'_>) -> Scalar {
    match argument {
        apportion::kernel::Argument::Scalar(scalar) => *scalar,
        apportion::kernel::Argument::Array(map) => panic!("no array is bound yet: {map:?}"),
    }
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    for text in [
        Jacobi::<f32>::new(2, 9, 0).unwrap_err().to_string(),
        Heat2d::<f32>::new(9, 2).unwrap_err().to_string(),
        Heat3d::<f64>::new([9, 9, 2], Edges::Periodic, 0).unwrap_err().to_string(),
        Cardiac::<f64>::new(1, 9).unwrap_err().to_string(),
    ] {
        assert!(text.contains("needs at least") && (text.contains("not 2") || text.contains("not 1")), "{text}");
    }
    assert!(matches!(Jacobi::<f32>::new(1 << 40, 1 << 40, 0), Err(Error::TooLarge(_))));
    // It can be counted, but no machine has it.
    assert!(matches!(Jacobi::<f32>::new(1 << 27, 1 << 27, 0).unwrap().u(Memory::Plain), Err(Error::TooLarge(_))));
}

#[test]
fn applications_are_listed_with_names_and_ascending_sizes() {
    assert_eq!(
        apps::ALL.iter().map(|app| app.name).collect::<Vec<_>>(),
        ["jacobi", "heat2d", "heat3d", "cardiac", "s3d"]
    );
    for app in apps::ALL {
        assert!(app.sizes.small < app.sizes.medium && app.sizes.medium < app.sizes.paper, "{app:?}");
        assert!(app.steps > 0 && !app.summary.is_empty());
    }
}
