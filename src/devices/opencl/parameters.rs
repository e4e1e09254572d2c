//! Compares the number and types of a kernel's parameters with the bound arguments.

use super::objects::KernelObject;
use crate::element::ElementType;
use crate::kernel::{Argument, Checks, Reduction};
use opencl3::kernel::{CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_LOCAL};

/// A parameter as the calling convention wants it.
struct Wanted {
    element: ElementType,
    pointer: bool,
    what: String,
}

fn convention(
    checks: Checks,
    arguments: &[Argument<'_>],
    reduction: Option<Reduction>,
    two_dimensional: bool,
) -> Vec<Wanted> {
    let long = |what: String| Wanted { element: ElementType::I64, pointer: false, what };
    let mut wanted = vec![long("the first iteration".to_owned()), long("the end of the iterations".to_owned())];
    if two_dimensional {
        wanted.push(long("the first column of the iterations".to_owned()));
        wanted.push(long("the end of the iterations' columns".to_owned()));
    }
    for (position, argument) in arguments.iter().enumerate() {
        match argument {
            Argument::Scalar(scalar) => wanted.push(Wanted {
                element: scalar.element(),
                pointer: false,
                what: format!("argument {position}, a scalar"),
            }),
            Argument::Array(map) => {
                let array = match map.name {
                    Some(name) => format!("argument {position}, array `{name}`"),
                    None => format!("argument {position}, an array"),
                };
                wanted.push(Wanted { element: map.element, pointer: true, what: array.clone() });
                wanted.push(long(format!("the index of the first element of {array}")));
                if checks.counts(position) {
                    wanted.push(long(format!("the number of elements of {array}")));
                }
                if two_dimensional {
                    wanted.push(long(format!("the elements from row to row of {array}")));
                }
            }
        }
    }
    wanted.extend(reduction.map(|reduction| Wanted {
        element: reduction.element,
        pointer: true,
        what: "the reduction's partial results".to_owned(),
    }));
    wanted.extend(checks.reports.then(|| Wanted {
        element: ElementType::U64,
        pointer: true,
        what: "the report of accesses outside of arrays".to_owned(),
    }));
    wanted
}

/// Compares the parameters of a kernel function with the calling convention and the bound arguments.
///
/// # Errors
/// That their number is wrong, or the first parameter of a wrong type.
pub fn check(
    kernel: &KernelObject,
    parameters: usize,
    entry: &str,
    checks: Checks,
    arguments: &[Argument<'_>],
    reduction: Option<Reduction>,
    two_dimensional: bool,
) -> Result<(), String> {
    let wanted = convention(checks, arguments, reduction, two_dimensional);
    if wanted.len() != parameters {
        return Err(format!(
            "kernel `{entry}` has {parameters} parameters, but is called with {}: lo and hi{}, one for each scalar, {} for \
             each array (pointer, index of its first element{}){}",
            wanted.len(),
            if two_dimensional { ", the same of the columns" } else { "" },
            if two_dimensional { "three" } else { "two" },
            if two_dimensional { ", elements from row to row" } else { "" },
            if reduction.is_some() { ", one for the reduction" } else { "" }
        ));
    }
    for (index, wanted) in wanted.iter().enumerate() {
        // Without argument information (an old driver), only the driver's own check of sizes is left.
        let Some(found) = type_of(kernel, index as u32) else { continue };
        if let Some(problem) = mismatch(&found, wanted) {
            let name = kernel.raw.get_arg_name(index as u32).unwrap_or_default();
            return Err(format!(
                "kernel `{entry}`: parameter {index} (`{found} {name}`) is {problem}: it stands for {}",
                wanted.what
            ));
        }
    }
    Ok(())
}

/// The type of a parameter, such as `__global float*`.
fn type_of(kernel: &KernelObject, index: u32) -> Option<String> {
    let name = kernel.raw.get_arg_type_name(index).ok().filter(|name| !name.is_empty())?;
    let space = match kernel.raw.get_arg_address_qualifier(index).ok()? {
        CL_KERNEL_ARG_ADDRESS_GLOBAL => "__global ",
        CL_KERNEL_ARG_ADDRESS_LOCAL => "__local ",
        CL_KERNEL_ARG_ADDRESS_CONSTANT => "__constant ",
        _ => "",
    };
    Some(format!("{space}{name}"))
}

/// Why a parameter of type `found` cannot take what is wanted. Reports only types that are surely wrong: own types, vectors and
/// bytes are left to the kernel's author.
fn mismatch(found: &str, wanted: &Wanted) -> Option<String> {
    let pointer = found.contains('*');
    if pointer != wanted.pointer {
        return Some(if pointer { "a pointer, not a scalar" } else { "a scalar, not a pointer" }.to_owned());
    }
    if pointer && !(found.starts_with("__global") || found.starts_with("__constant")) {
        return Some("a pointer, but not to `__global` memory".to_owned());
    }
    let base = found.trim_start_matches("__global").trim_start_matches("__constant").replace(['*', ' '], "");
    let (bytes, float) = match &*base.replace("unsigned", "u").replace("signed", "") {
        "char" | "uchar" => (1, false),
        "short" | "ushort" => (2, false),
        "half" => (2, true),
        "int" | "uint" | "u" => (4, false),
        "long" | "ulong" => (8, false),
        "float" => (4, true),
        "double" => (8, true),
        _ => return None,
    };
    let wants_float = matches!(wanted.element, ElementType::F32 | ElementType::F64);
    let bytes_view = pointer && bytes == 1;
    // In arrays, integers of the other signedness, or a float's bits as an integer of the same size, may be intended.
    let same = bytes == wanted.element.bytes() && (float == wants_float || pointer);
    (!same && !bytes_view).then(|| {
        let wanted = match wanted.element {
            ElementType::F32 => "float",
            ElementType::F64 => "double",
            ElementType::I32 => "int",
            ElementType::U32 => "uint",
            ElementType::I64 => "long",
            ElementType::U64 => "ulong",
            ElementType::I8 => "char",
            ElementType::U8 => "uchar",
            ElementType::I16 => "short",
            ElementType::U16 => "ushort",
        };
        format!("no `{wanted}{}`", if pointer { "*" } else { "" })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(found: &str, element: ElementType, pointer: bool) -> Option<String> {
        mismatch(found, &Wanted { element, pointer, what: String::new() })
    }

    #[test]
    fn types_that_are_surely_wrong_are_told_and_others_left_to_the_author() {
        use ElementType::*;
        for (found, element, pointer) in [
            ("float", F32, false),
            ("__global float*", F32, true),
            ("__constant double*", F64, true),
            ("__global uchar*", F32, true),
            ("__global uint*", F32, true),
            ("__global float4*", F32, true),
            ("real", F64, false),
            ("ulong", I64, false),
            ("unsigned int", U32, false),
            ("char", I8, false),
            ("__global signed char*", I8, true),
            ("short", I16, false),
            ("unsigned short", U16, false),
            ("__global ushort*", I16, true),
            ("__global char*", U16, true),
        ] {
            assert_eq!(said(found, element, pointer), None, "{found} for {element}");
        }
        for (found, element, pointer) in [
            ("double", F32, false),
            ("int", I64, false),
            ("int", F32, false),
            ("float", F32, true),
            ("__global float*", F32, false),
            ("__local float*", F32, true),
            ("__global double*", F32, true),
            ("__global float*", F64, true),
            ("short", I8, false),
            ("int", I16, false),
            ("signed char", I16, false),
            ("half", U16, false),
            ("__global int*", U16, true),
            ("__global short*", I8, true),
        ] {
            assert!(said(found, element, pointer).is_some(), "{found} for {element}");
        }
    }
}
