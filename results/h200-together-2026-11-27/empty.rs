use apportion::kernel::{DeviceImage, Grid};
use apportion::model::Machine;
use apportion::prelude::*;
fn gpu(index: usize) -> String {
    let figure = |name: &str, value: f64| format!(r#""{name}": {{"value": {value}, "source": "assumed"}}"#);
    let way = format!("{{{}, {}}}", figure("latency_us", 5.0), figure("bandwidth_gb_per_s", 20.0));
    format!(
        r#"{{"id": {index}, "name": "cuda:{index}", "kind": "cuda", "type": "NVGPU", "memory": "discrete",
           "cuda": {{"index": {index}}}, "link": {{"to": {way}, "from": {way}}}, {}, {}, {}, {}, {}}}"#,
        figure("memory_gib", 0.06), figure("f32_gflop_per_s", 40.0), figure("f64_gflop_per_s", 40.0),
        figure("memory_gb_per_s", 100.0), figure("launch_us", 5.0),
    )
}
fn main() {
    let a: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let list: Vec<String> = (0..4).map(gpu).collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
    let rt = Runtime::from_machine(Machine::from_json(&text).unwrap()).unwrap();
    let kernel = Kernel::new("empty").cuda_image(unsafe { DeviceImage::new("standin:", "empty", Grid::per_iteration(32)) });
    let spec = (0..a[1]).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    for _ in 0..a[0] {
        rt.parallel_for(0..a[1] as u64, kernel.bind()).devices(&spec).policy(Policy::Block).run().unwrap();
    }
}
