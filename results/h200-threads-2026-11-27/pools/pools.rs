use rayon::prelude::*;
use std::time::{Duration, Instant};
fn spin(us: u64) { let s = Instant::now(); while s.elapsed() < Duration::from_micros(us) { std::hint::spin_loop(); } }
// Work of a fixed amount: iterations of a dependent multiply, calibrated on one thread.
fn work(iters: u64) -> f64 { let mut x = [1.0f64, 1.1, 1.2, 1.3]; for _ in 0..iters { for v in &mut x { *v = *v * 1.0000001 + 1e-9; } } x.iter().sum() }
fn steal() -> (u64, u64) { let t = std::fs::read_to_string("/proc/stat").unwrap_or_default(); let l = t.lines().next().unwrap_or(""); let v: Vec<u64> = l.split_whitespace().skip(1).filter_map(|x| x.parse().ok()).collect(); (v.iter().sum(), v.get(7).copied().unwrap_or(0)) }
fn med(mut v: Vec<f64>) -> (f64, f64, f64) { v.sort_by(f64::total_cmp); (v[v.len() / 4], v[v.len() / 2], v[v.len() * 3 / 4]) }
fn pool(k: usize, bind: bool) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(k).start_handler(move |i| if bind { unsafe {
        let mut s: libc::cpu_set_t = std::mem::zeroed(); libc::CPU_SET(i, &mut s); libc::sched_setaffinity(0, std::mem::size_of_val(&s), &s); } }).build().unwrap()
}
fn main() {
    let cpus = std::thread::available_parallelism().unwrap().get();
    println!("# cpus {cpus}; cpu.max {:?}", std::fs::read_to_string("/sys/fs/cgroup/cpu.max"));
    let t = Instant::now(); std::hint::black_box(work(1_000_000)); let t = t.elapsed();
    let t2 = Instant::now(); std::hint::black_box(work(1_000_000)); let t = t.min(t2.elapsed());
    let per = t.as_nanos() as f64 / 1e6;
    let iters = (100_000.0 / per) as u64;
    println!("# {iters} iterations make 100 us");
    let most = cpus - cpus.min(4).min(cpus / 4);
    let mut ks: Vec<usize> = [1, 2, 3, 4, 5, 6, 7, 8].iter().map(|e| most * e / 8).filter(|k| *k > 0).collect(); ks.dedup();
    let (a, b) = (steal(), Instant::now());
    for bind in [true, false] { for &k in &ks {
        if !bind && k < most / 2 { continue; }
        let p = pool(k, bind);
        for m in [1usize, 4, 16, 64] { for rest in [0u64, 5] {
            let reps = if m == 64 { 9 } else { 21 };
            let v: Vec<f64> = (0..reps + 2).map(|_| { if rest > 0 { std::thread::sleep(Duration::from_millis(rest)); }
                let t = Instant::now();
                p.install(|| (0..k * m).into_par_iter().with_max_len(1).for_each(|_| { std::hint::black_box(work(iters)); }));
                t.elapsed().as_secs_f64() * 1e6 }).skip(2).collect();
            let (lo, mid, hi) = med(v);
            println!("work,bind={bind},k={k},{m}x100us each,rest={rest},{mid:.0},{lo:.0},{hi:.0},cores {:.1}", (k * m) as f64 * 100.0 / mid);
        } }
    } }
    for n in [2_500_000usize, 10_000_000, 100_000_000] {
        let mut y = vec![0f32; n]; let x = vec![1f32; n];
        for &k in &ks { let p = pool(k, true); for rest in [0u64, 5] {
            let len = n.div_ceil(k * 4);
            let v: Vec<f64> = (0..23).map(|_| { if rest > 0 { std::thread::sleep(Duration::from_millis(rest)); }
                let t = Instant::now();
                p.install(|| y.par_chunks_mut(len).zip(x.par_chunks(len)).with_max_len(1).for_each(|(a, b)| a.iter_mut().zip(b).for_each(|(a, b)| *a += 0.5 * b)));
                t.elapsed().as_secs_f64() * 1e6 }).skip(2).collect();
            let (lo, mid, hi) = med(v);
            println!("axpy,{n},k={k},rest={rest},{mid:.0},{lo:.0},{hi:.0},{:.0} GB/s", 12.0 * n as f64 / mid / 1e3);
        } }
    }
    let c = steal(); println!("# {:.1} s; steal {} of {} ticks", b.elapsed().as_secs_f64(), c.1 - a.1, c.0 - a.0);
    spin(1);
}
