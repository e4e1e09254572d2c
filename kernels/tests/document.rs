//! The table of docs/kernel.md with what `#[kernel]` derives for the workloads and applications. `UPDATE_DOCUMENT=1` writes it.

use apportion::kernel::Maps;
use apportion_kernels::single::{bm2d, in_f32};
use std::path::Path;

fn row(maps: &Maps) -> String {
    let array = |a: &apportion::kernel::MapNote| format!("{} `{}` {}", a.array, a.direction, a.distribution);
    let arrays: Vec<_> = maps.arrays.iter().map(array).collect();
    let Maps { kernel, flops, loads, stores, grid, .. } = maps;
    format!("| `{kernel}` | {} | {flops} | {loads} | {stores} | {grid} |\n", arrays.join("; ")).replace('*', "\\*")
}

#[test]
fn the_document_has_the_maps_of_all_workloads_and_applications() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/kernel.md");
    let before = std::fs::read_to_string(&path).unwrap();
    let all = [
        in_f32::axpy::maps(),
        in_f32::sum::maps(),
        in_f32::matvec::maps(),
        in_f32::matmul::maps(),
        in_f32::stencil2d::maps(),
        bm2d::maps(),
        in_f32::jacobi::maps(),
        in_f32::heat2d::maps(),
        in_f32::heat3d_fixed::maps(),
        in_f32::heat3d_periodic::maps(),
        in_f32::cardiac::maps(),
        in_f32::mixcp::maps(),
        in_f32::mixenth::maps(),
    ];
    let head = "| kernel | arrays | flops | bytes read | bytes written | on GPUs |\n|---|---|---|---|---|---|\n";
    let table = head.to_owned() + &all.iter().map(row).collect::<String>();
    let mark = "<!-- maps of workloads -->\n";
    let (start, rest) = before.split_once(mark).expect("docs/kernel.md has the mark");
    let document = format!("{start}{mark}{table}{}", &rest[rest.find("\n\n").unwrap() + 1..]);
    if std::env::var_os("UPDATE_DOCUMENT").is_some() {
        std::fs::write(&path, &document).unwrap();
    } else {
        assert!(document == before, "docs/kernel.md: run this test with UPDATE_DOCUMENT=1");
    }
}
