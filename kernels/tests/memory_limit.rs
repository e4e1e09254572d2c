//! A limit that the system sets is an error, not the end of the program.
#![cfg(target_os = "linux")]

use apportion::Error;
use apportion::kernel::ElementType;
use apportion_kernels::WORKLOADS;
use std::process::Command;

const LIMITED: &str = "APPORTION_TEST_LIMITED";

/// Runs itself again under the shell's `ulimit`.
#[test]
fn under_a_limit_each_is_refused_cleanly_and_small_ones_run() {
    if std::env::var_os(LIMITED).is_some() {
        return limited();
    }
    for limit in ["-v 4000000", "-d 4000000"] {
        let child = Command::new("sh")
            .args(["-c", &format!("ulimit {limit} && exec \"$0\" --exact --nocapture \"$1\"")])
            .arg(std::env::current_exe().unwrap())
            .arg("under_a_limit_each_is_refused_cleanly_and_small_ones_run")
            .env(LIMITED, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success() && text.contains("1 passed"), "ulimit {limit}: {}: {text}", child.status);
    }
}

/// Everything takes more than 4 GB.
fn limited() {
    for entry in WORKLOADS {
        for &element in entry.elements {
            let n = match entry.name {
                "axpy" => 1 << 29,
                "sum" => 1 << 30,
                "matvec" => 1 << 15,
                "bm2d" => 45_008,
                _ => 25_000,
            };
            let bytes = entry.outline(n, element).unwrap().bytes().unwrap();
            assert!(bytes > 4_000_000_000 && bytes < 20_000_000_000, "{} {element}: {bytes}", entry.name);
            let error = entry.build(n, element, 1).map(|_| ()).unwrap_err();
            assert!(matches!(error, Error::TooLarge(_)), "{} {element}: {error}", entry.name);
        }
        let mut small = entry.build(64, ElementType::F32, 1).unwrap();
        let reduced = small.run_rayon();
        assert!(small.verify(reduced).ok, "{}", entry.name);
    }
}
