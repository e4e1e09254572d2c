//! Modules, functions and launches.

use super::device::{MAX_BLOCK, MAX_GRID, MAX_THREADS, SHARED, SHARED_OPT_IN};
use crate::codes::*;
use crate::kernels::{KERNELS, Launch, layout};
use crate::operations::Operation;
use crate::state::{Function, Handle, Held, Module, Out, in_context, releasing};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// The text of an image; `None` for a binary one, whose length is unknown.
///
/// # Safety
/// `image` is not null and points to an image as the driver takes it: a text that ends with a NUL, or a binary of at
/// least four bytes.
unsafe fn text<'a>(image: *const c_void) -> Option<&'a [u8]> {
    let readable = |byte: u8| byte == b'\n' || byte == b'\t' || byte == b'\r' || (b' '..=b'~').contains(&byte);
    for i in 0..4 {
        // SAFETY: the first four bytes of a binary can be read, and all bytes of a text up to the NUL, where this stops.
        let byte = unsafe { image.cast::<u8>().add(i).read() };
        if byte == 0 {
            break;
        }
        if !readable(byte) {
            return None;
        }
    }
    // SAFETY: then it is a text, which ends with a NUL.
    Some(unsafe { CStr::from_ptr(image.cast()) }.to_bytes())
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

fn load(s: &mut Held, context: u64, module: &Out<Handle>, image: *const c_void) -> Outcome {
    if image.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null; the rest is what the caller of the entry point promises.
    let text = unsafe { text(image) };
    if text.is_some_and(|text| text.starts_with(b"bad")) {
        return Err(INVALID_IMAGE);
    }
    // PTX names the types of its instructions: code with doubles only never names f32.
    let reals = match text.map(|text| (contains(text, b"f32"), contains(text, b"f64"))) {
        Some((false, true)) => 8,
        Some((true, _)) => 4,
        _ => s.config.reals,
    };
    let handle = s.handle();
    module.put(handle as Handle)?;
    s.modules.insert(handle, Module { context, reals });
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadData(module: Out<Handle>, image: *const c_void) -> Code {
    in_context("cuModuleLoadData", |s, context| load(s, context, &module, image))
}

/// Writes a line to the caller's error log, if it gave one.
///
/// # Safety
/// There are `count` options and as many values, and those of the error log are a place and its size.
unsafe fn complain(count: c_uint, options: *const c_uint, values: *mut *mut c_void) {
    const ERROR_LOG: c_uint = 5;
    const ERROR_LOG_SIZE: c_uint = 6;
    if options.is_null() || values.is_null() {
        return;
    }
    // SAFETY: by this function's contract.
    let (options, values) = unsafe {
        let count = count as usize;
        (std::slice::from_raw_parts(options, count), std::slice::from_raw_parts_mut(values, count))
    };
    let find = |which| options.iter().position(|option| *option == which);
    let (Some(log), Some(size)) = (find(ERROR_LOG), find(ERROR_LOG_SIZE)) else { return };
    let line = b"stand-in: this image says that it is bad\0";
    // The size is passed as the value itself, not by address.
    let len = line.len().min(values[size] as usize);
    if !values[log].is_null() {
        // SAFETY: the log has room for as many bytes as its size says, and `line` has `len` as well.
        unsafe { std::ptr::copy_nonoverlapping(line.as_ptr(), values[log].cast(), len) };
        values[size] = len as *mut c_void;
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: Out<Handle>,
    image: *const c_void,
    count: c_uint,
    options: *const c_uint,
    values: *mut *mut c_void,
) -> Code {
    in_context("cuModuleLoadDataEx", |s, context| {
        load(s, context, &module, image).inspect_err(|_| {
            // SAFETY: the caller of the entry point promises what `complain` asks for.
            unsafe { complain(count, options, values) }
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleUnload(module: Handle) -> Code {
    releasing("cuModuleUnload", |s, _| {
        s.modules.remove(&(module as u64)).ok_or(INVALID_HANDLE)?;
        s.functions.retain(|_, function| function.module != module as u64);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(function: Out<Handle>, module: Handle, name: *const c_char) -> Code {
    in_context("cuModuleGetFunction", |s, _| {
        let &Module { context, reals } = s.modules.get(&(module as u64)).ok_or(INVALID_HANDLE)?;
        if name.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: not null, and the caller of the entry point promises a text that ends with a NUL.
        let name = unsafe { CStr::from_ptr(name) }.to_bytes();
        let kernel = KERNELS.iter().position(|kernel| kernel.name.as_bytes() == name).ok_or(NOT_FOUND)?;
        let handle = s.handle();
        function.put(handle as Handle)?;
        let module = module as u64;
        s.functions.insert(handle, Function { module, context, kernel, reals, most_shared: SHARED });
        Ok(())
    })
}

fn find(s: &Held, function: Handle) -> Outcome<&Function> {
    s.functions.get(&(function as u64)).ok_or(INVALID_HANDLE)
}

const MAX_DYNAMIC_SHARED: c_uint = 8;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncGetAttribute(value: Out<c_int>, which: c_uint, function: Handle) -> Code {
    in_context("cuFuncGetAttribute", |s, _| {
        let function = find(s, function)?;
        value.put(match which {
            0 => MAX_THREADS as c_int,
            // Registers; versions of PTX and of the binary: compute capability 9.0.
            4 => 32,
            5 | 6 => 90,
            MAX_DYNAMIC_SHARED => function.most_shared,
            // No static shared, constant or local memory, and no preferences.
            1..=16 => 0,
            _ => return Err(INVALID_VALUE),
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncSetAttribute(function: Handle, which: c_uint, value: c_int) -> Code {
    in_context("cuFuncSetAttribute", |s, _| {
        let function = s.functions.get_mut(&(function as u64)).ok_or(INVALID_HANDLE)?;
        match which {
            MAX_DYNAMIC_SHARED if (0..=SHARED_OPT_IN).contains(&value) => function.most_shared = value,
            9..=15 => {}
            _ => return Err(INVALID_VALUE),
        }
        Ok(())
    })
}

/// Past the last parameter the result is INVALID_VALUE; programs count parameters by that. `size` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncGetParamInfo(
    function: Handle,
    index: usize,
    offset: Out<usize>,
    size: Out<usize>,
) -> Code {
    in_context("cuFuncGetParamInfo", |s, _| {
        let function = find(s, function)?;
        let (at, bytes) = layout(&KERNELS[function.kernel], function.reals, index).ok_or(INVALID_VALUE)?;
        offset.put(at)?;
        if size.is_null() { Ok(()) } else { size.put(bytes) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    blocks: Out<c_int>,
    function: Handle,
    threads: c_int,
    _shared: usize,
) -> Code {
    in_context("cuOccupancyMaxActiveBlocksPerMultiprocessor", |s, _| {
        find(s, function)?;
        if !(1..=MAX_THREADS as c_int).contains(&threads) {
            return Err(INVALID_VALUE);
        }
        blocks.put((2048 / threads).min(32))
    })
}

/// Reads the arguments now: later changes do not reach the kernel.
///
/// # Safety
/// `arguments` is null or points to as many pointers as the function has parameters, each to a value of its type.
unsafe fn arguments(function: &Function, arguments: *const *const c_void) -> Outcome<Vec<[u8; 8]>> {
    if arguments.is_null() {
        return Err(INVALID_VALUE);
    }
    let params = KERNELS[function.kernel].params.iter().enumerate();
    let read = params.map(|(i, param)| {
        // SAFETY: by this function's contract there is a pointer for each parameter.
        let value = unsafe { *arguments.add(i) };
        if value.is_null() {
            return Err(INVALID_VALUE);
        }
        let mut bytes = [0; 8];
        // SAFETY: by this function's contract it points to a value of this type, whose size is 8 at most.
        unsafe { std::ptr::copy_nonoverlapping(value.cast(), bytes.as_mut_ptr(), param.size(function.reals)) };
        Ok(bytes)
    });
    read.collect()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: Handle,
    params: *const *const c_void,
    extra: *const *const c_void,
) -> Code {
    in_context("cuLaunchKernel", |s, context| {
        let id = s.stream(stream as u64, context)?;
        let owner = s.streams.get(&id).map(|stream| stream.context);
        let function = find(s, function)?;
        if owner != Some(context) || function.context != context {
            return Err(INVALID_HANDLE);
        }
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        let within = |size: [u32; 3], most: [u32; 3]| size.iter().zip(most).all(|(n, most)| (1..=most).contains(n));
        let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
        let shared_fits = i64::from(shared) <= i64::from(function.most_shared);
        if !within(grid, MAX_GRID) || !within(block, MAX_BLOCK) || threads > MAX_THREADS.into() || !shared_fits {
            return Err(INVALID_VALUE);
        }
        // Arguments in one block, which this backend never passes.
        if !extra.is_null() {
            return Err(NOT_SUPPORTED);
        }
        // SAFETY: the caller of the entry point promises arguments that fit the function.
        let arguments = unsafe { arguments(function, params) }?;
        let launch = Launch { kernel: function.kernel, reals: function.reals, blocks: grid_x, rows: grid_y, arguments };
        s.enqueue(id, Operation::Kernel(launch)).map(|_| ())
    })
}
