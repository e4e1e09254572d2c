//! A program opens the library by its path and then finds it under the driver's name.

#![allow(unsafe_code)] // It opens a library.

use std::ffi::{CString, c_int, c_uint};

#[test]
fn opened_by_its_path_it_is_libcuda() {
    let mut path = std::env::current_exe().expect("the test knows where it is");
    path.pop();
    let path = path.join("libapportion_standin_cuda.so");
    let path = CString::new(path.to_str().expect("the path is text")).expect("it has no NUL");
    // SAFETY: opening it runs no code of its own; the names below are functions of these types in it and in the driver.
    unsafe {
        assert!(!libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL).is_null(), "cannot open {path:?}");
        let driver = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_NOLOAD);
        assert!(!driver.is_null(), "its name is not libcuda.so.1");
        let reset = libc::dlsym(driver, c"standin_reset".as_ptr());
        let init = libc::dlsym(driver, c"cuInit".as_ptr());
        assert!(!reset.is_null() && !init.is_null());
        std::mem::transmute::<*mut libc::c_void, extern "C" fn()>(reset)();
        assert_eq!(std::mem::transmute::<*mut libc::c_void, extern "C" fn(c_uint) -> c_int>(init)(0), 0);
    }
}
