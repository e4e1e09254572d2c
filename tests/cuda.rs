//! CUDA devices. Skips by name where there is none, and fails there where `APPORTION_REQUIRE_CUDA` asks for one.

use apportion::devices::detect;
use apportion::model::machine::DeviceKind;

#[test]
fn a_cuda_device_is_found_where_one_is_required() {
    let found = detect::machine();
    if found.machine.devices.iter().any(|device| device.kind == DeviceKind::Cuda) {
        return;
    }
    let why = format!("no CUDA device is found: {}", found.notes.join("; "));
    let required = std::env::var("APPORTION_REQUIRE_CUDA").is_ok_and(|value| !value.is_empty() && value != "0");
    assert!(!required, "APPORTION_REQUIRE_CUDA is set, but {why}");
    eprintln!("skipped: {why}");
}
