//! The table of docs/kernel-code.md with what `#[kernel]` derives for the workloads and applications. `UPDATE_DOCUMENT=1`
//! writes it.

use apportion::kernel::Maps;
use apportion_kernels::single::{self, bm2d};
use std::path::Path;

fn row(maps: &Maps) -> String {
    let array = |a: &apportion::kernel::MapNote| format!("{} `{}` {}", a.array, a.direction, a.distribution);
    let arrays: Vec<_> = maps.arrays.iter().map(array).collect();
    let Maps { kernel, flops, loads, stores, grid, .. } = maps;
    format!("| `{kernel}` | {} | {flops} | {loads} | {stores} | {grid} |\n", arrays.join("; ")).replace('*', "\\*")
}

#[test]
fn the_document_has_the_maps_of_all_workloads_and_applications() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/kernel-code.md");
    let before = std::fs::read_to_string(&path).unwrap();
    let all = [
        single::axpy::<f32>::maps(),
        single::sum::<f32>::maps(),
        single::matvec::<f32>::maps(),
        single::matmul::<f32>::maps(),
        single::stencil2d::<f32>::maps(),
        bm2d::maps(),
        single::jacobi::<f32>::maps(),
        single::heat2d::<f32>::maps(),
        single::heat3d_fixed::<f32>::maps(),
        single::heat3d_periodic::<f32>::maps(),
        single::cardiac::<f32>::maps(),
        single::mixcp::<f32>::maps(),
        single::mixenth::<f32>::maps(),
    ];
    let head = "| kernel | arrays | flops | bytes read | bytes written | on GPUs |\n|---|---|---|---|---|---|\n";
    let table = head.to_owned() + &all.iter().map(row).collect::<String>();
    let mark = "<!-- maps of workloads -->\n";
    let (start, rest) = before.split_once(mark).expect("docs/kernel-code.md has the mark");
    let document = format!("{start}{mark}{table}{}", &rest[rest.find("\n\n").unwrap() + 1..]);
    if std::env::var_os("UPDATE_DOCUMENT").is_some() {
        std::fs::write(&path, &document).unwrap();
    } else {
        assert!(document == before, "docs/kernel-code.md: run this test with UPDATE_DOCUMENT=1");
    }
}
