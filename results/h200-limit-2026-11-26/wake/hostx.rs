use crate::loops::once;
use crate::{Failed, quartiles};
use apportion::kernel::ElementType;
use apportion::prelude::*;
use apportion_kernels::{Memory, find};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::*};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
const N: usize = 256;
static T0: AtomicU64 = AtomicU64::new(0);
static FIRST: [AtomicU64; N] = [const { AtomicU64::new(0) }; N];
static NEXT: AtomicUsize = AtomicUsize::new(0);
thread_local! { static ID: usize = NEXT.fetch_add(1, Relaxed) % N; }
fn now() -> u64 { static S: std::sync::OnceLock<Instant> = std::sync::OnceLock::new(); S.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1 }
fn note() { ID.with(|i| { let _ = FIRST[*i].compare_exchange(0, now(), Relaxed, Relaxed); }); }
fn spin(us: u64) { note(); let s = Instant::now(); while s.elapsed() < Duration::from_micros(us) { std::hint::spin_loop(); } }
fn rest(ms: u64) { if ms > 0 { std::thread::sleep(Duration::from_millis(ms)); } }
fn measure(label: &str, pause: u64, reps: usize, mut f: impl FnMut()) {
    let (mut total, mut firsts, mut halves, mut lasts, mut count) = (vec![], vec![], vec![], vec![], vec![]);
    for i in 0..reps + 3 {
        rest(pause);
        FIRST.iter().for_each(|f| f.store(0, Relaxed));
        let t = now(); T0.store(t, Relaxed);
        f();
        let end = now();
        if i < 3 { continue; }
        total.push((end - t) as f64 / 1e3);
        let mut all: Vec<f64> = FIRST.iter().map(|f| f.load(Relaxed)).filter(|f| *f > 0).map(|f| (f - t) as f64 / 1e3).collect();
        all.sort_by(f64::total_cmp);
        count.push(all.len() as f64);
        if !all.is_empty() { firsts.push(all[0]); halves.push(all[all.len() / 2]); lasts.push(all[all.len() - 1]); }
    }
    let q = |v: Vec<f64>| if v.is_empty() { [0.0; 3] } else { quartiles(v) };
    let [t, lo, hi] = q(total);
    println!("{label}, rest {pause} ms: {t:.0} us [{lo:.0} .. {hi:.0}]; threads {:.0}, first {:.0}, half {:.0}, last {:.0}", q(count)[0], q(firsts)[0], q(halves)[0], q(lasts)[0]);
}
struct Crew { round: Mutex<u64>, come: Condvar, job: AtomicU64, left: AtomicUsize, us: AtomicU64, threads: Mutex<Vec<std::thread::Thread>>, arity: AtomicUsize, quit: std::sync::atomic::AtomicBool }
pub fn run(machine: &str) -> Failed {
    let rt = Runtime::open(machine)?;
    let lists = crate::lists(&rt);
    let host = &lists.iter().find(|l| l.0 == "cpu").ok_or("no cpu")?.1;
    for (each, n) in [(100u64, 240usize), (25, 240), (400, 240)] {
        let kernel = Kernel::new("spin").host(move |r: Range<usize>, mut y: Out<u32>| { for i in r { spin(each); y.row_mut(i)[0] = 1; } });
        let mut y = vec![0u32; n];
        for pause in [0, 5] {
            measure(&format!("apportion host, {n} x {each} us"), pause, 25, || { rt.parallel_for(0..n, kernel.bind().from(&mut y).align()).devices(host).policy(Policy::Block).run().unwrap(); });
        }
    }
    for (w, n) in [("bm2d", 1024), ("stencil2d", 4096), ("sum", 100_000_000), ("axpy", 100_000_000), ("matvec", 8192)] {
        let mut instance = find(w)?.build_in(n, ElementType::F32, 1, Memory::PageLocked)?;
        for pause in [0, 5, 50] {
            measure(&format!("apportion host, {w} {n}"), pause, 15, || { once(&rt, &mut *instance, host, &Policy::Block, Cutoff::None).unwrap(); });
        }
        for pause in [0, 5] {
            measure(&format!("apportion gpu then host, {w} {n}"), pause, 15, || { let _ = once(&rt, &mut *instance, &lists[0].1, &Policy::Block, Cutoff::None).unwrap(); FIRST.iter().for_each(|f| f.store(0, Relaxed)); });
        }
    }
    for threads in [60, 30, 15] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        for pause in [0, 5] {
            measure(&format!("rayon {threads}, broadcast 400 us"), pause, 25, || { pool.broadcast(|_| spin(400)); });
            measure(&format!("rayon {threads}, par_iter 4 x 100 us each"), pause, 25, || { use rayon::prelude::*; pool.install(|| (0..4 * threads).into_par_iter().with_max_len(1).for_each(|_| spin(100))); });
        }
    }
    for threads in [60, 30, 15] {
        let crew = Arc::new(Crew { round: Mutex::new(0), come: Condvar::new(), job: AtomicU64::new(0), left: AtomicUsize::new(0), us: AtomicU64::new(400), threads: Mutex::default(), arity: AtomicUsize::new(0), quit: false.into() });
        let handles: Vec<_> = (0..threads).map(|i| { let c = crew.clone(); std::thread::spawn(move || {
            let mut seen = 0u64;
            loop {
                let arity = c.arity.load(SeqCst);
                if arity == 1000 {
                    let mut g = c.round.lock().unwrap();
                    while *g == seen { g = c.come.wait(g).unwrap(); }
                    drop(g);
                } else {
                    while c.job.load(SeqCst) == seen { std::thread::park(); }
                }
                seen = c.job.load(SeqCst);
                if c.quit.load(SeqCst) { return; }
                let a = c.arity.load(SeqCst);
                if a > 0 && a < 1000 {
                    let t = c.threads.lock().unwrap().clone();
                    for k in 1..=a { if let Some(t) = t.get(a * i + k) { t.unpark(); } }
                }
                spin(c.us.load(SeqCst));
                c.left.fetch_sub(1, SeqCst);
            }
        }) }).collect();
        *crew.threads.lock().unwrap() = handles.iter().map(|h| h.thread().clone()).collect();
        let list = crew.threads.lock().unwrap().clone();
        std::thread::sleep(Duration::from_millis(20));
        let mut round = 0u64;
        for arity in [0usize, 2, 4, 8] {
            crew.arity.store(arity, SeqCst);
            for pause in [0, 5] {
                measure(&format!("by hand {threads}, arity {arity}, 400 us each"), pause, 25, || {
                    round += 1;
                    crew.left.store(threads, SeqCst);
                    crew.job.store(round, SeqCst);
                    if arity == 0 { list.iter().for_each(|t| t.unpark()); } else { list[0].unpark(); }
                    while crew.left.load(SeqCst) > 0 { std::hint::spin_loop(); }
                });
            }
        }
        round += 1; crew.quit.store(true, SeqCst); crew.job.store(round, SeqCst); list.iter().for_each(|t| t.unpark());
        for h in handles { h.join().unwrap(); }
    }
    Ok(())
}
