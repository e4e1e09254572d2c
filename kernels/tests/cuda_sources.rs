//! Every CUDA C source compiles with NVRTC, for old and new GPUs, and takes what its workload binds. No GPU is needed.
//!
//! NVRTC is looked for in the folder `APPORTION_CUDA_LIBRARIES`, or else by the system. Where it is missing the tests say so and
//! pass; with `APPORTION_REQUIRE_NVRTC=1` they fail.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]

use apportion::data::{Direction, LoopShape};
use apportion::kernel::{Argument, Bound, CudaCall, CudaVariant, DeviceArray, DeviceSource, ElementType, Gemm, Scalar};
use apportion::space::IterRange;
use apportion_kernels::apps::{
    self, cardiac::Cardiac, heat2d::Heat2d, heat3d::Edges, heat3d::Heat3d, jacobi::Jacobi, s3d::Property, s3d::S3d,
};
use apportion_kernels::{Form, Memory, Real, WORKLOADS, single};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use std::ffi::c_void;
use std::process::Command;
use std::sync::Mutex;

const FOLDER: &str = "APPORTION_CUDA_LIBRARIES";
const REQUIRE: &str = "APPORTION_REQUIRE_NVRTC";
const CHILD: &str = "APPORTION_TEST_NVRTC";

/// PTX for Turing, Ampere, Hopper and Blackwell; with `sm_90` NVRTC also makes machine code of it.
const TARGETS: [&str; 5] = ["compute_75", "compute_80", "compute_90", "compute_100", "sm_90"];

/// Runs the test of this name in a process that finds the libraries of the folder: NVRTC opens a second library, by name,
/// and the system reads the search path only as a process starts.
fn with_nvrtc(name: &str, test: impl FnOnce()) {
    if std::env::var_os(CHILD).is_some() {
        std::panic::set_hook(Box::new(|_| ()));
        let there = std::panic::catch_unwind(|| compile("", &[]));
        drop(std::panic::take_hook());
        return match there {
            Ok(Ok(_)) => test(),
            Ok(Err(error)) => panic!("NVRTC does not compile an empty program: {error}"),
            Err(_) if required() => panic!("{REQUIRE} is set, but NVRTC cannot be opened"),
            Err(_) => println!("skipped: NVRTC cannot be opened"),
        };
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "--nocapture", name]).env(CHILD, "1");
    if let Some(folder) = std::env::var_os(FOLDER) {
        let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(folder.into()).chain(std::env::split_paths(&before))).unwrap();
        child.env("LD_LIBRARY_PATH", path);
    }
    let child = child.output().unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

fn required() -> bool {
    std::env::var(REQUIRE).is_ok_and(|value| !value.is_empty() && value != "0")
}

/// The PTX, or NVRTC's log.
fn compile(source: &str, options: &[&str]) -> Result<String, String> {
    let options = options.iter().map(|&option| option.to_owned()).collect();
    match compile_ptx_with_opts(source, CompileOptions { options, ..CompileOptions::default() }) {
        Ok(ptx) => Ok(ptx.to_src()),
        Err(CompileError::CompileError { log, .. }) => Err(log.to_string_lossy().into_owned()),
        Err(error) => Err(format!("{error:?}")),
    }
}

fn compile_for(target: &str, source: &DeviceSource) -> Result<String, String> {
    let target = format!("--gpu-architecture={target}");
    let options: Vec<_> = source.compiler_options().split_whitespace().chain([target.as_str()]).collect();
    compile(source.source(), &options)
}

/// A parameter of an entry, in PTX or as the calling convention wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parameter {
    bytes: usize,
    float: bool,
    pointer: bool,
}

const INTEGER: Parameter = Parameter { bytes: 8, float: false, pointer: false };
/// Where the last group writes the result of all groups, in texts of `#[kernel]`.
const FOLDING: Parameter = Parameter { bytes: 24, float: false, pointer: false };
const POINTER: Parameter = Parameter { pointer: true, ..INTEGER };

/// What the PTX says of an entry: its parameters, and threads in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Signature {
    parameters: Vec<Parameter>,
    threads: usize,
}

fn signature(ptx: &str, entry: &str) -> Result<Signature, String> {
    let start = format!(".visible .entry {entry}(");
    let (_, rest) = ptx.split_once(&start).ok_or_else(|| format!("no `{start}`"))?;
    let (list, rest) = rest.split_once(')').ok_or("no end of the parameters")?;
    let parameters = list.split(',').map(|text| {
        let words: Vec<_> = text.split_whitespace().collect();
        let parameter = match words[..] {
            // A structure is an array of bytes.
            [".param", ".align", _, ".b8", name] => name
                .split_once('[')
                .and_then(|(_, count)| count.strip_suffix(']')?.parse().ok())
                .map(|bytes: usize| Parameter { bytes, float: false, pointer: false }),
            [".param", kind, ..] => kind[2..].parse().ok().map(|bits: usize| Parameter {
                bytes: bits / 8,
                float: kind.starts_with(".f"),
                pointer: words.contains(&".ptr"),
            }),
            _ => None,
        };
        parameter.ok_or_else(|| format!("not a parameter: `{}`", text.trim()))
    });
    let (directives, _) = rest.split_once('{').ok_or("no body")?;
    let (_, threads) = directives.split_once(".maxntid").ok_or("no launch bounds")?;
    let threads = threads.lines().next().unwrap_or_default();
    let threads = threads.split(',').map(|size| size.trim().parse::<usize>()).product::<Result<_, _>>();
    let threads = threads.map_err(|error| format!("launch bounds: {error}"))?;
    Ok(Signature { parameters: parameters.collect::<Result<_, _>>()?, threads })
}

/// The calling convention, for what is bound to a kernel.
fn wanted(bound: &Bound<'_>, reduces: bool, source: &DeviceSource) -> Signature {
    let mut parameters = vec![INTEGER, INTEGER];
    for (position, argument) in bound.arguments().iter().enumerate() {
        match argument {
            Argument::Scalar(scalar) => {
                let element = scalar.element();
                let float = matches!(element, ElementType::F32 | ElementType::F64);
                parameters.push(Parameter { bytes: element.bytes(), float, pointer: false });
            }
            Argument::Array(_) => parameters.extend([POINTER, INTEGER]),
        }
        // The array's number of elements.
        parameters.extend(source.checks().counts(position).then_some(INTEGER));
    }
    parameters.extend(reduces.then_some(POINTER));
    parameters.extend((reduces && source.checks().folds).then_some(FOLDING));
    Signature { parameters, threads: source.grid().group.iter().product() }
}

/// Compares an entry with the calling convention.
fn check(ptx: &str, entry: &str, wanted: &Signature) -> Result<(), String> {
    let (found, mut wanted) = (signature(ptx, entry)?, wanted.clone());
    // NVRTC 12 does not mark pointers.
    if !ptx.contains(" .ptr ") {
        wanted.parameters.iter_mut().for_each(|parameter| parameter.pointer = false);
    }
    if found == wanted { Ok(()) } else { Err(format!("`{entry}` takes {found:?}, is called with {wanted:?}")) }
}

/// What a loop over one of the applications binds, and whether it reduces.
fn each_app<T: Real>(mut check: impl FnMut(&str, Bound<'_>, bool)) {
    let (read, mut written, mut updated) = (vec![T::NAN; 64], vec![T::NAN; 64], vec![T::NAN; 64]);
    let jacobi = Jacobi::<T>::new(8, 8, 1).unwrap().bind();
    check("jacobi", jacobi.to(&read).to(&read).tofrom(&mut written), true);
    check("heat2d", Heat2d::<T>::new(8, 8).unwrap().bind().to(&read).tofrom(&mut written), false);
    for edges in [Edges::Fixed, Edges::Periodic] {
        let heat3d = Heat3d::<T>::new([4, 4, 4], edges, 1).unwrap().bind();
        check("heat3d", heat3d.to(&read).tofrom(&mut written), false);
    }
    check("cardiac", Cardiac::<T>::new(8, 8).unwrap().bind().to(&read).tofrom(&mut updated).from(&mut written), false);
    for property in [Property::Heat, Property::Enthalpy] {
        let bound = S3d::<T>::new(8, 8, 1).unwrap().bind(property);
        check("s3d", bound.to(&read).to(&read).to(&read).from(&mut written), false);
    }
}

/// Calls `check` with a name, a CUDA source and the calling convention for what is bound to it.
fn each_source(mut check: impl FnMut(&str, &DeviceSource, &Signature)) {
    let mut check = |name: &str, bound: &Bound<'_>, reduces: bool| {
        if let Some(CudaVariant::Source(source)) = bound.kernel().cuda_variant() {
            check(name, source, &wanted(bound, reduces, source));
        }
    };
    for entry in WORKLOADS {
        for &element in entry.elements {
            let mut instance = entry.build(64, element, 1).unwrap();
            let reduces = instance.reduction().is_some();
            check(&format!("{} {element}", entry.name), &instance.bind(), reduces);
        }
    }
    each_app::<f32>(|name, bound, reduces| check(&format!("{name} f32"), &bound, reduces));
    each_app::<f64>(|name, bound, reduces| check(&format!("{name} f64"), &bound, reduces));
}

#[test]
fn every_source_compiles_for_every_target_and_takes_what_is_bound() {
    with_nvrtc("every_source_compiles_for_every_target_and_takes_what_is_bound", || {
        let mut sources = 0;
        each_source(|name, source, wanted| {
            sources += 1;
            for target in TARGETS {
                let ptx = match compile_for(target, source) {
                    Ok(ptx) => ptx,
                    // An older NVRTC, which only a machine without that requirement has.
                    Err(log) if log.contains("invalid value for --gpu-architecture") && !required() => {
                        println!("skipped: {name} for {target}, which this NVRTC does not know");
                        continue;
                    }
                    Err(log) => panic!("{name} for {target}:\n{log}"),
                };
                check(&ptx, source.entry(), wanted).unwrap_or_else(|what| panic!("{name} for {target}: {what}"));
            }
        });
        assert!(sources >= 2 * (WORKLOADS.len() - 1 + apps::ALL.len()), "{sources} sources");
    });
}

/// The same for the kernels that `#[kernel]` makes of one function: their names do not clash with NVRTC's, either.
#[test]
fn every_text_made_from_rust_compiles_and_takes_what_is_bound() {
    with_nvrtc("every_text_made_from_rust_compiles_and_takes_what_is_bound", || {
        let mut texts = 0;
        let mut check = |name: &str, bound: Bound<'_>, reduces: bool| {
            let Some(CudaVariant::Source(source)) = bound.kernel().cuda_variant() else { panic!("{name}: no text") };
            texts += 1;
            assert!(
                !source.checks().reports,
                "{name}: an access of its text is compared with the array in each iteration"
            );
            for target in TARGETS {
                let ptx = match compile_for(target, source) {
                    Ok(ptx) => ptx,
                    Err(log) if log.contains("invalid value for --gpu-architecture") && !required() => continue,
                    Err(log) => panic!("{name} for {target}:\n{log}"),
                };
                let wanted = wanted(&bound, reduces, source);
                check(&ptx, source.entry(), &wanted).unwrap_or_else(|what| panic!("{name} for {target}: {what}"));
            }
        };
        for entry in WORKLOADS {
            for &element in entry.elements {
                let mut instance = entry.build_as(Form::Single, 64, element, 1, Memory::default()).unwrap();
                let reduces = instance.reduction().is_some();
                check(&format!("{} {element}", entry.name), instance.bind(), reduces);
            }
        }
        single_apps::<f32>(&mut check);
        single_apps::<f64>(&mut check);
        assert_eq!(
            texts,
            2 * (WORKLOADS.len() + apps::ALL.len() + 2) + 1,
            "bm2d is built once more, heat3d and s3d are two"
        );
    });
}

/// The applications' kernels from one function, with slices.
fn single_apps<T: Real>(check: &mut impl FnMut(&str, Bound<'_>, bool)) {
    let (one, read) = (T::from_f64(1.0), vec![T::NAN; 64]);
    let (mut written, mut updated) = (vec![T::NAN; 64], vec![T::NAN; 64]);
    check("jacobi", single::jacobi(8, one, one, one, one, &read, &read, &mut written), true);
    check("heat2d", single::heat2d(8, one, &read, &mut written), false);
    check("heat3d", single::heat3d_fixed(4, 4, one, &read, &mut written), false);
    check("heat3d-periodic", single::heat3d_periodic(4, 4, one, &read, &mut written), false);
    check("cardiac", single::cardiac(8, one, one, &read, &mut updated, &mut written), false);
    check("mixcp", single::mixcp(8, 2, &read, &read, &read, &mut written), false);
    check("mixenth", single::mixenth(8, 2, &read, &read, &read, &mut written), false);
}

#[test]
fn a_source_that_does_not_fit_is_found_out() {
    with_nvrtc("a_source_that_does_not_fit_is_found_out", || {
        each_source(|name, source, wanted| {
            let compiled = |from: &str, to: &str| {
                let text = source.source().replacen(from, to, 1);
                assert_ne!(text, source.source(), "{name}: no `{from}`");
                // SAFETY: it is compiled and not run.
                let changed = unsafe { DeviceSource::new(text, source.entry(), source.grid().clone()) };
                compile_for("compute_90", &changed.options(source.compiler_options()))
            };
            let log = compiled("threadIdx.x", "threadIdx.no_such").unwrap_err();
            assert!(log.contains("no_such") && log.contains("error"), "{name}: {log}");
            for (from, to, what) in [
                ("extern \"C\" __global__", "__global__", "no `.visible .entry"),
                ("long long lo, ", "int lo, ", "takes"),
                ("long long lo, ", "long long other, long long lo, ", "takes"),
                ("long long hi, ", "long long hi, double other, ", "takes"),
                ("__launch_bounds__(GROUP", "__launch_bounds__(GROUP / 2", "takes"),
            ] {
                let ptx = compiled(from, to).unwrap_or_else(|log| panic!("{name}, `{to}`:\n{log}"));
                let error = check(&ptx, source.entry(), wanted).expect_err(to);
                assert!(error.contains(what), "{name}, `{to}`: {error}");
            }
        });
    });
}

#[test]
fn a_signature_is_read_from_ptx() {
    let ptx = ".visible .entry f(
        .param .u64 f_param_0,
        .param .f32 f_param_1,
        .param .u64 .ptr .align 1 f_param_2,
        .param .align 8 .b8 f_param_3[24]
    )
    .maxntid 32, 4, 1
    {
        ret;
    }";
    let float = Parameter { bytes: 4, float: true, pointer: false };
    assert_eq!(signature(ptx, "f"), Ok(Signature { parameters: vec![INTEGER, float, POINTER, FOLDING], threads: 128 }));
    assert!(signature(ptx, "g").unwrap_err().contains("entry g("));
    assert!(signature(&ptx.replace(".f32", ".align"), "f").unwrap_err().contains("not a parameter"));
    assert!(signature(&ptx.replace(".maxntid", ".other"), "f").unwrap_err().contains("launch bounds"));
}

/// A chunk of which every array has its section on a device that is not there.
struct Chunk {
    range: IterRange,
    arrays: Vec<Option<DeviceArray>>,
    products: Mutex<Vec<Gemm>>,
}

impl CudaCall for Chunk {
    fn chunk(&self) -> IterRange {
        self.range
    }
    fn stream(&self) -> *mut c_void {
        std::ptr::null_mut()
    }
    fn array(&self, argument: usize) -> Option<DeviceArray> {
        self.arrays.get(argument).copied().flatten()
    }
    fn gemm(&self, product: Gemm) -> Result<(), String> {
        self.products.lock().unwrap().push(product);
        Ok(())
    }
}

#[test]
fn matmul_calls_for_the_product_of_its_sections() {
    let n = 40;
    let mut matmul = apportion_kernels::find("matmul").unwrap().build(n, ElementType::F32, 1).unwrap();
    let Some(CudaVariant::Call(call)) = matmul.kernel().cuda_variant().cloned() else { panic!("a call of a library") };
    let bound = matmul.bind();
    let shape = LoopShape { range: IterRange::new(0, n as u64), devices: 1 };
    for (from, to) in [(0, 40), (7, 8), (13, 37)] {
        let range = IterRange::new(from, to);
        let sections = bound.arguments().iter().map(|argument| {
            argument.array().map(|map| {
                let needed = map.section(range, &shape).needed;
                let len = map.byte_range(&needed).len() / map.element.bytes();
                DeviceArray { address: 0, first: needed.start * map.row_len as u64, len }
            })
        });
        let chunk = Chunk { range, arrays: sections.collect(), products: Mutex::default() };
        call.enqueue(&chunk).unwrap();
        let products = chunk.products.into_inner().unwrap();
        let [Gemm { m, n: columns, k, a, b, c }] = products[..] else { panic!("one product, not {products:?}") };
        assert_eq!((m, columns, k), ((to - from) as usize, n, n));
        for (argument, len, direction) in
            [(a, m * k, Direction::To), (b, k * columns, Direction::To), (c, m * columns, Direction::From)]
        {
            assert_eq!(chunk.arrays[argument].map(|array| array.len), Some(len), "argument {argument}");
            assert_eq!(bound.arguments()[argument].array().map(|map| map.direction), Some(direction));
        }
        assert!(a < b && matches!(bound.arguments()[0], Argument::Scalar(Scalar::I64(40))));
    }
}
