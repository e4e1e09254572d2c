//! The library has the driver's SONAME: a program that opened it by its path finds it again as `libcuda.so.1`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
}
