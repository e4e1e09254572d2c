//! NVRTC compiles every kernel's CUDA C for old and new GPUs, and the parameters are those that the kernel binds. No GPU is
//! needed.
//!
//! The tests look for NVRTC in the folder `APPORTION_CUDA_LIBRARIES`, or else where the system does. Where it is missing they
//! say so and pass; with `APPORTION_REQUIRE_NVRTC=1` they fail.
#![allow(missing_docs)]

#[allow(dead_code)]
#[path = "common/abreast.rs"]
mod abreast;
#[allow(dead_code)]
#[path = "common/bytes.rs"]
mod bytes;
#[allow(dead_code)]
mod common;
#[allow(dead_code)]
#[path = "common/contribute.rs"]
mod contribute;
#[path = "common/flow.rs"]
mod flow;
#[path = "common/functions.rs"]
mod functions;
#[path = "common/lines.rs"]
mod lines;
#[path = "common/math.rs"]
mod math;
#[path = "common/narrow.rs"]
mod narrow;
#[path = "common/operators.rs"]
mod operators;
#[path = "common/points.rs"]
mod points;
#[path = "common/programs.rs"]
mod programs;
#[path = "common/random.rs"]
mod random;
#[path = "common/random_points.rs"]
mod random_points;
#[path = "common/shared.rs"]
mod shared;
#[path = "common/strips.rs"]
mod strips;
#[path = "common/typed.rs"]
mod typed;

use apportion::kernel::{CudaVariant, DeviceSource, Kernel, ParameterType};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use std::process::Command;

const CHILD: &str = "APPORTION_TEST_NVRTC";

fn required() -> bool {
    std::env::var("APPORTION_REQUIRE_NVRTC").is_ok_and(|value| !value.is_empty() && value != "0")
}

/// Runs the test in a child process that finds the folder's libraries: NVRTC opens a second library by name, and the system
/// reads the search path only when a process starts.
fn with_nvrtc(name: &str, test: impl FnOnce()) {
    if std::env::var_os(CHILD).is_some() {
        std::panic::set_hook(Box::new(|_| ()));
        let there = std::panic::catch_unwind(|| compile("", &[]));
        drop(std::panic::take_hook());
        return match there {
            Ok(Ok(_)) => test(),
            Ok(Err(error)) => panic!("NVRTC does not compile an empty program: {error}"),
            Err(_) if required() => panic!("NVRTC is required, but cannot be opened"),
            Err(_) => println!("skipped: NVRTC cannot be opened"),
        };
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "--nocapture", name]).env(CHILD, "1");
    if let Some(folder) = std::env::var_os("APPORTION_CUDA_LIBRARIES") {
        let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(folder.into()).chain(std::env::split_paths(&before))).unwrap();
        child.env("LD_LIBRARY_PATH", path);
    }
    let child = child.output().unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

/// Compiles to PTX; an error is NVRTC's log.
fn compile(source: &str, options: &[&str]) -> Result<String, String> {
    let options = options.iter().map(|&option| option.to_owned()).collect();
    match compile_ptx_with_opts(source, CompileOptions { options, ..CompileOptions::default() }) {
        Ok(ptx) => Ok(ptx.to_src()),
        Err(CompileError::CompileError { log, .. }) => Err(log.to_string_lossy().into_owned()),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// Bytes of each parameter of the entry in the PTX.
fn parameters(ptx: &str, entry: &str) -> Vec<usize> {
    let (_, rest) = ptx.split_once(&format!(".visible .entry {entry}(")).unwrap_or_else(|| panic!("no entry {entry}"));
    let list = rest.split_once(')').unwrap().0;
    let bits = |text: &str| text.split_whitespace().nth(1).unwrap()[2..].parse::<usize>().unwrap();
    // A structure is an array of bytes.
    let bytes =
        |text: &str| text.split_once('[').map(|(_, count)| count.trim_end().trim_end_matches(']').parse().unwrap());
    list.split(',').map(|text| bytes(text).unwrap_or_else(|| bits(text) / 8)).collect()
}

fn wanted(kernel: &Kernel) -> Vec<usize> {
    let body = &kernel.host_variant().unwrap().body;
    let mut list = vec![8, 8];
    let checks = source(kernel).checks();
    for (position, parameter) in body.parameters().iter().enumerate() {
        match parameter {
            ParameterType::Scalar(element) => list.push(element.bytes()),
            ParameterType::In(_) | ParameterType::Out(_) => list.extend([8, 8]),
        }
        // The array's number of elements.
        list.extend(checks.counted.contains(&position).then_some(8));
    }
    list.extend(body.reduces().map(|_| 8));
    list.extend(checks.reports.then_some(8));
    assert_eq!(checks.folds, body.reduces().is_some());
    list.extend(checks.folds.then_some(24));
    list
}

fn source(kernel: &Kernel) -> DeviceSource {
    match kernel.cuda_variant() {
        Some(CudaVariant::Source(source)) => source.clone(),
        other => panic!("a CUDA C text, not {other:?}"),
    }
}

#[test]
fn sums_of_bytes_are_read_in_words() {
    for (kernel, words) in bytes::all() {
        assert_eq!(source(&kernel).source().contains("ap_bytes_"), words, "{kernel:?}");
    }
}

/// Without the call at each of its ends, a kernel would leave the result of its groups unwritten.
#[test]
fn entries_combine_their_groups_results_wherever_they_end() {
    let named = programs::all().into_iter().chain(shared::all()).chain(strips::all()).chain(abreast::all());
    let named = named.chain(flow::all()).chain(lines::all()).chain(points::all()).map(|(kernel, _)| kernel);
    let random = random::all().into_iter().chain(random::whole()).map(|(_, _, kernel)| kernel());
    let (mut folding, mut early) = (0, 0);
    for kernel in named.chain(random).chain(contribute::all()).chain(operators::all()) {
        let source = source(&kernel);
        if !source.checks().folds {
            continue;
        }
        folding += 1;
        let (_, entry) = source.source().rsplit_once("AP_ENTRY").unwrap();
        let (mut for_cpus, mut last) = (false, "");
        for line in entry.lines().map(str::trim) {
            match line {
                "#ifdef APPORTION_CPU" => for_cpus = true,
                "#else" | "#endif" => for_cpus = false,
                _ if for_cpus => {}
                "return;" => {
                    early += 1;
                    assert_eq!(last, "ap_fold(partial, ap_to);", "{kernel:?}\n{entry}");
                }
                _ => assert!(!line.contains("return;"), "{kernel:?}: {line}\n{entry}"),
            }
            last = line;
        }
        let end = entry.trim_end().strip_suffix('}').unwrap().trim_end();
        assert!(end.ends_with("ap_fold(partial, ap_to);"), "{kernel:?}\n{entry}");
    }
    assert!(folding > 20 && early > 0, "{folding} texts, {early} early ends");
}

#[test]
fn every_text_compiles_and_takes_what_is_bound() {
    with_nvrtc("every_text_compiles_and_takes_what_is_bound", || {
        let random = random::all().into_iter().chain(random::whole()).map(|(_, _, kernel)| kernel());
        let random = random.chain(typed::all().into_iter().map(|program| (program.kernel)()));
        let named: Vec<Kernel> = programs::all()
            .into_iter()
            .chain(shared::all())
            .chain(strips::all())
            .chain(abreast::all())
            .chain(flow::all())
            .chain(lines::all())
            .chain(bytes::all().into_iter().map(|(kernel, _)| (kernel, "")))
            .chain(points::all())
            .chain(random_points::kernels())
            .map(|(kernel, _)| kernel)
            .collect();
        let mut taken = 0;
        // Each kernel for one GPU, the named ones for all, under each operator and group size.
        for (number, kernel) in
            named.iter().cloned().chain(random).chain(operators::all()).chain(contribute::all()).enumerate()
        {
            let source = source(&kernel);
            let targets: &[&str] =
                if number < named.len() { &["compute_75", "compute_90", "sm_90"] } else { &["compute_90"] };
            for target in targets {
                let target = format!("--gpu-architecture={target}");
                let options: Vec<_> = source.compiler_options().split_whitespace().chain([target.as_str()]).collect();
                assert!(options.contains(&"--fmad=false"));
                let ptx =
                    compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}, {target}:\n{log}"));
                assert_eq!(parameters(&ptx, source.entry()), wanted(&kernel), "{kernel:?}");
                assert!(
                    !ptx.contains("fma.rn.f32") || source.source().contains("fmaf("),
                    "{kernel:?} contracts:\n{ptx}"
                );
                assert!(
                    !ptx.contains("fma.rn.f64") || source.source().contains("fma("),
                    "{kernel:?} contracts:\n{ptx}"
                );
            }
        }
        // Kernels that call the device's own functions, which may use any instructions.
        for kernel in math::ALL.iter().map(|(_, _, kernel)| kernel()).chain(functions::all()).chain(narrow::all()) {
            let source = source(&kernel);
            let options: Vec<_> =
                source.compiler_options().split_whitespace().chain(["--gpu-architecture=compute_90"]).collect();
            let ptx = compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}:\n{log}"));
            assert_eq!(parameters(&ptx, source.entry()), wanted(&kernel), "{kernel:?}");
        }
        // Groups with tiles of several iterations, of every width.
        for kernel in &named {
            for wide in [32, 64, 128, 256] {
                let source = source(kernel);
                let wide = format!("-DAP_WIDE={wide}");
                let options = [
                    "--fmad=false",
                    "-DAP_GROUP=256",
                    &wide,
                    "-DAP_SPREAD=1",
                    "-DAP_REDUCE=0",
                    "--gpu-architecture=compute_90",
                ];
                let ptx = compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}:\n{log}"));
                assert_eq!(parameters(&ptx, source.entry()), wanted(kernel), "{kernel:?}");
            }
        }
        // Scalars that come later, by address.
        for kernel in &named {
            let source = source(kernel);
            let late = source.checks().late;
            if late.is_empty() {
                continue;
            }
            let all = format!("-DAPPORTION_LATER={:#x}", late.iter().fold(0u64, |all, at| all | 1 << at));
            let options = source.compiler_options().split_whitespace().chain([&*all, "--gpu-architecture=compute_90"]);
            let options: Vec<_> = options.collect();
            let ptx = compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}:\n{log}"));
            let mut wanted = wanted(kernel);
            // The parameters before the scalar: two ends, and those of the arguments.
            let body = &kernel.host_variant().unwrap().body;
            for &at in late {
                let before = body.parameters()[..at].iter().enumerate().map(|(position, parameter)| match parameter {
                    ParameterType::Scalar(_) => 1,
                    _ => 2 + usize::from(source.checks().counted.contains(&position)),
                });
                wanted[2 + before.sum::<usize>()] = 8;
            }
            assert_eq!(parameters(&ptx, source.entry()), wanted, "{kernel:?}");
            taken += late.len();
        }
        assert!(taken > 10, "{taken}");
        // Parts of a warp.
        let lined = |kernel: &Kernel| source(kernel).source().contains("AP_LINED");
        let of_bytes = bytes::all().into_iter().map(|(kernel, _)| kernel).filter(lined);
        for kernel in lines::all().into_iter().map(|(kernel, _)| kernel).chain(of_bytes) {
            let source = source(&kernel);
            for (line, capped) in [(0, 0), (1, 1), (1, 2), (8, 1), (8, 2), (16, 0), (16, 2), (32, 0), (32, 2)] {
                let width = format!("-DAP_LINE={line}");
                let capped = format!("-DAP_CAPPED={capped}");
                let options = [
                    "--fmad=false",
                    "-DAP_GROUP=256",
                    "-DAP_WIDE=256",
                    "-DAP_SPREAD=0",
                    "-DAP_LINED=1",
                    &width,
                    &capped,
                    "-DAP_REDUCE=0",
                    "--gpu-architecture=compute_75",
                ];
                let ptx = compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}:\n{log}"));
                assert_eq!(parameters(&ptx, source.entry()), wanted(&kernel), "{kernel:?}");
                assert!(ptx.contains("shfl.sync.bfly") || line == 1, "{kernel:?}");
                // Long iterations are the warp's and the group's.
                let long = (line == 0 || !capped.ends_with('0')) && source.source().contains("AP_CAPPED");
                assert_eq!(ptx.contains(".red.or.pred"), long, "{kernel:?}, {line}:\n{ptx}");
            }
        }
        // Strips with and without vectors.
        for kernel in named.iter().filter(|kernel| source(kernel).source().contains("AP_STRIPS")) {
            for (wide, strips) in [(32, 1), (128, 1), (32, 2), (128, 2)] {
                let source = source(kernel);
                let (wide, strips) = (format!("-DAP_WIDE={wide}"), format!("-DAP_STRIPS={strips}"));
                let options = [
                    "--fmad=false",
                    "-DAP_GROUP=128",
                    &wide,
                    &strips,
                    "-DAP_SPREAD=1",
                    "-DAP_REDUCE=0",
                    "--gpu-architecture=compute_90",
                ];
                let ptx = compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}:\n{log}"));
                assert_eq!(parameters(&ptx, source.entry()), wanted(kernel), "{kernel:?}");
            }
        }
        // Group copies of arrays that iterations contribute to.
        for kernel in
            contribute::all().into_iter().filter(|kernel| source(kernel).source().contains("_part[AP_COPIES]"))
        {
            for copies in ["-DAP_COPIES=256", "-DAP_COPIES=4096"] {
                let source = source(&kernel);
                let options = ["-DAP_GROUP=256", "-DAP_WIDE=256", copies, "-DAP_REDUCE=0", "-DAP_SPREAD=0"];
                let ptx = compile(source.source(), &[&options[..], &["--gpu-architecture=compute_90"]].concat());
                let ptx = ptx.unwrap_or_else(|log| panic!("{kernel:?}, {copies}:\n{log}"));
                assert_eq!(parameters(&ptx, source.entry()), wanted(&kernel), "{kernel:?}");
                assert!(ptx.contains(".shared") && ptx.contains(".global"), "{kernel:?}");
            }
        }
        for kernel in named.iter().filter(|kernel| kernel.host_variant().unwrap().body.reduces().is_some()) {
            for operator in 1..4 {
                let source = source(kernel);
                let options = [
                    "-DAP_GROUP=32",
                    "-DAP_WIDE=32",
                    "-DAP_SPREAD=0",
                    &format!("-DAP_REDUCE={operator}"),
                    "--gpu-architecture=compute_80",
                ];
                compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}, {operator}:\n{log}"));
            }
        }
    });
}

#[test]
fn a_wrong_text_is_found_out() {
    with_nvrtc("a_wrong_text_is_found_out", || {
        let source = source(&programs::axpy::kernel());
        let text = source.source().replace("y[", "no_such[");
        let options: Vec<_> = source.compiler_options().split_whitespace().collect();
        assert!(compile(&text, &options).unwrap_err().contains("no_such"));
    });
}

/// One vector load reads a row of a stencil, and one vector store writes it.
#[test]
fn strips_move_vectors() {
    with_nvrtc("strips_move_vectors", || {
        for (kernel, rows, singles) in [(strips::star::kernel(), 7, 6), (strips::boxed::kernel(), 3, 6)] {
            let source = source(&kernel);
            let options = [
                "--fmad=false",
                "-DAP_GROUP=128",
                "-DAP_WIDE=128",
                "-DAP_STRIPS=1",
                "-DAP_SPREAD=1",
                "-DAP_REDUCE=0",
                "--gpu-architecture=compute_90",
            ];
            let ptx = compile(source.source(), &options).unwrap();
            let count =
                |words: &[&str]| ptx.lines().filter(|line| words.iter().all(|word| line.contains(word))).count();
            let (vectors, stores) = (count(&["ld.global", ".v4"]), count(&["st.global", ".v4"]));
            println!("{kernel:?}: {vectors} vectors are read, {stores} written");
            // The first rows of a strip are loaded once, the last row again and again. Columns beside a vector are loaded
            // singly, as is everything in the text for rows at the edges.
            assert!(vectors >= rows && vectors <= rows + 2 && stores == 1, "{kernel:?}: {vectors}, {stores} in\n{ptx}");
            assert!(count(&["ld.global"]) >= vectors + singles);
        }
    });
}

/// The part of a PTX text between two labels with the most loads.
fn busiest(ptx: &str) -> &str {
    let loads = |text: &&str| text.matches("ld.global").count();
    ptx.split("$L__BB").max_by_key(loads).unwrap_or_default()
}

/// A work-item keeps what it reports in a register and stores it when it ends: no load waits for a store.
#[test]
fn reports_are_stored_once() {
    with_nvrtc("reports_are_stored_once", || {
        for kernel in [lines::by_data::sparse::kernel(), lines::by_data::norm::kernel()] {
            let source = source(&kernel);
            for line in ["-DAP_LINE=1 -DAP_CAPPED=1", "-DAP_LINE=4 -DAP_CAPPED=2", "-DAP_LINE=32"] {
                let options = "--fmad=false -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -DAP_LINED=1 -DAP_REDUCE=0 \
                               --gpu-architecture=compute_90";
                let options: Vec<_> = options.split_whitespace().chain(line.split(' ')).collect();
                let ptx = compile(source.source(), &options).unwrap();
                assert_eq!(ptx.matches("st.volatile").count(), 1, "{kernel:?}, {line}:\n{ptx}");
                assert!(!ptx.contains(".local"), "{kernel:?}, {line}:\n{ptx}");
            }
        }
    });
}

/// In a stencil's loop the loads of several turns come before anything waits for them. All go through the read-only data cache,
/// and indices cost little because pointers move along.
#[test]
fn stencils_have_several_loads_in_flight_and_cheap_indices() {
    with_nvrtc("stencils_have_several_loads_in_flight_and_cheap_indices", || {
        for (kernel, each) in
            [(shared::heat2d::kernel(), 5), (programs::jacobi::kernel(), 6), (shared::heat3d::kernel(), 7)]
        {
            let source = source(&kernel);
            let wide = if each == 7 { "-DAP_WIDE=32" } else { "-DAP_WIDE=256" };
            let options = [
                "--fmad=false",
                "-DAP_GROUP=256",
                wide,
                "-DAP_SPREAD=1",
                "-DAP_REDUCE=0",
                "--gpu-architecture=compute_90",
            ];
            let ptx = compile(source.source(), &options).unwrap();
            let body = busiest(&ptx);
            let count = |word: &str| body.lines().filter(|line| line.trim_start().starts_with(word)).count();
            let (loads, products) = (count("ld.global.nc"), count("mul.lo.s64") + count("mad.lo.s64"));
            println!("{kernel:?}: {loads} loads, {products} products, {} sums of 64 bits", count("add.s64"));
            assert!(loads >= 4 * (each - 1) && count("ld.global") == loads, "{kernel:?}: {loads} loads in\n{body}");
            // For the row's index, at most once in four turns.
            assert!(products <= 4, "{kernel:?}: {products} products of 64 bits in\n{body}");
            // At most four per turn.
            assert!(count("add.s64") <= 16, "{kernel:?}: {} sums of 64 bits in\n{body}", count("add.s64"));
        }
    });
}

mod cells {
    /// Nine cells with constant weights.
    #[apportion::kernel(i, j)]
    pub fn nine(i: usize, j: usize, m: usize, old: &[f32], new: &mut [f32]) {
        let at = i * m + j;
        let above = old[at - m - 1] + old[at - m] + old[at - m + 1];
        let below = old[at + m - 1] + old[at + m] + old[at + m + 1];
        new[at] = above + below + old[at - 1] + old[at] + old[at + 1];
    }

    /// Loops around a cell, an array of weights, conditions on the whole array, and a value to reduce.
    #[apportion::kernel(i, j)]
    pub fn boxed(i: usize, j: usize, n: usize, m: usize, r: usize, w: &[f64], old: &[f64], new: &mut [f64]) -> f64 {
        let mut s = 0.0;
        if i >= r && i + r < n && j >= r && j + r < m {
            for k in 0..2 * r + 1 {
                for l in 0..2 * r + 1 {
                    s += w[k * (2 * r + 1) + l] * old[(i + k - r) * m + j + l - r];
                }
            }
        }
        new[i * m + j] = s;
        s * s
    }

    /// Every type, an array of rows and one of columns.
    #[apportion::kernel(i, j)]
    pub fn types(
        i: usize,
        j: usize,
        m: u32,
        a: i64,
        by_row: &[u8],
        by_column: &[i32],
        x: &[u64],
        y: &mut [i64],
        z: &mut [u32],
    ) -> u32 {
        let at = i * (m as usize) + j;
        y[at] = x[at] as i64 + a * by_row[i] as i64;
        z[i * (m as usize + 1) + j] = (by_column[j] + x[(i - 1) * (m as usize) + j + 2] as i32) as u32;
        z[i * (m as usize + 1) + j] & 15
    }
}

/// For rows and columns each array also has a pitch, and the columns follow the rows.
#[test]
fn texts_for_grids_compile_and_take_what_is_bound() {
    with_nvrtc("texts_for_grids_compile_and_take_what_is_bound", || {
        let kernels = [cells::nine::ap_cell_kernel(), cells::boxed::ap_cell_kernel(), cells::types::ap_cell_kernel()];
        for kernel in kernels {
            let source = source(&kernel);
            let body = &kernel.host_variant().unwrap().body;
            assert!(body.takes_columns());
            let checks = source.checks();
            // Only accesses in conditions are compared.
            assert_eq!(checks.counted.len(), if kernel.name() == "boxed" { 2 } else { 0 }, "{kernel:?}");
            let mut wanted = vec![8, 8, 8, 8];
            for (position, parameter) in body.parameters().iter().enumerate() {
                match parameter {
                    ParameterType::Scalar(element) => wanted.push(element.bytes()),
                    ParameterType::In(_) | ParameterType::Out(_) => wanted.extend([8, 8, 8]),
                }
                wanted.extend(checks.counts(position).then_some(8));
            }
            wanted.extend(body.reduces().map(|_| 8));
            wanted.extend(checks.reports.then_some(8));
            wanted.extend(checks.folds.then_some(24));
            for target in ["compute_75", "compute_90", "sm_90"] {
                let target = format!("--gpu-architecture={target}");
                let options: Vec<_> = source.compiler_options().split_whitespace().chain([target.as_str()]).collect();
                let ptx = compile(source.source(), &options).unwrap_or_else(|log| panic!("{kernel:?}:\n{log}"));
                assert!(!target.contains("compute") || parameters(&ptx, source.entry()) == wanted, "{kernel:?}");
            }
        }
    });
}

/// A stencil cell is loaded through the read-only data cache, and finding its rows takes few products.
#[test]
fn cells_have_cheap_indices() {
    with_nvrtc("cells_have_cheap_indices", || {
        let source = source(&cells::nine::ap_cell_kernel());
        let options: Vec<_> =
            source.compiler_options().split_whitespace().chain(["--gpu-architecture=compute_90"]).collect();
        let ptx = compile(source.source(), &options).unwrap();
        let body = busiest(&ptx);
        let count = |word: &str| body.lines().filter(|line| line.trim_start().starts_with(word)).count();
        let (loads, sums) = (count("ld.global.nc"), count("add.s64"));
        let products = count("mul.lo.s64") + count("mad.lo.s64");
        println!("{loads} loads, {products} products, {sums} sums of 64 bits");
        // The compiler unrolls the loop to several cells; the cells of a row are at fixed distances from one pointer.
        let cells = loads / 9;
        assert!(cells >= 1 && count("ld.global") == loads, "{loads} loads in\n{body}");
        assert!(products <= 4 && sums <= 8 * cells, "{products} products, {sums} sums in\n{body}");
    });
}
