//! What is measured of GPUs for the machine description, and what follows from it.

use crate::kernels::*;
use crate::machine::{gpu, gpu_with, host, runtime};
use crate::standin::alone;
use apportion::HostVec;
use apportion::devices::cuda::{CudaDevice, CudaOptions};
use apportion::devices::{Device, Work, with_session};
use apportion::error::Phase;
use apportion::kernel::Bound;
use apportion::model::machine::PeerAccess;
use apportion::prelude::*;
use apportion::space::IterRange;

#[test]
fn ways_between_gpus_are_measured_where_they_work() {
    alone(concat!(module_path!(), "::ways_between_gpus_are_measured_where_they_work"), |standin| {
        standin.fresh();
        standin.peer(0, 1, true);
        standin.peer(1, 0, false);
        let large = || (0..2).map(|index| gpu_with(index, 512.0, "")).collect::<Vec<_>>();
        let rt = runtime(&large());
        let peers = apportion::devices::measured_peers(rt.machine());
        assert_eq!(peers.len(), 1, "{peers:?}");
        let peer = &peers[0];
        assert!(peer.access == PeerAccess::Direct && peer.from + peer.to == 1);
        let value = |figure: &Option<apportion::model::machine::Figure>| figure.as_ref().unwrap().value;
        assert!(value(&peer.latency_us) >= 0.0 && value(&peer.bandwidth_gb_per_s) > 0.0, "{peer:?}");
        let mut machine = rt.machine().clone();
        machine.peers = peers;
        machine.validate().unwrap();
    });
}

#[test]
fn plain_arrays_are_predicted_at_the_rate_of_plain_arrays() {
    alone(concat!(module_path!(), "::plain_arrays_are_predicted_at_the_rate_of_plain_arrays"), |standin| {
        standin.fresh();
        let way = r#""bandwidth_gb_per_s": {"value": 20, "source": "assumed"}"#;
        let plain = r#""plain_gb_per_s": {"value": 2, "source": "assumed"}"#;
        let rt = runtime(&[gpu(0).replace(way, &format!("{way}, {plain}"))]);
        let n = 1_000_000;
        let (x, mut y) = (HostVec::from_slice(&numbers(n)).unwrap(), HostVec::from_slice(&numbers(n)).unwrap());
        assert!(x.is_page_locked() && y.is_page_locked());
        let locked = rt.parallel_for(0..n as u64, triple_add().bind().to(&x).align().tofrom(&mut y).align());
        let locked = locked.policy(Policy::Block).predict().unwrap().makespan;
        let (x, mut y) = (numbers(n), numbers(n));
        let plain = rt.parallel_for(0..n as u64, triple_add().bind().to(&x).align().tofrom(&mut y).align());
        let plain = plain.policy(Policy::Block).predict().unwrap().makespan;
        assert!(plain.0 > 5.0 * locked.0, "{plain} and {locked}");
    });
}

#[test]
fn threads_that_copy_plain_arrays_are_predicted_to_take_the_hosts_cores() {
    let name = concat!(module_path!(), "::threads_that_copy_plain_arrays_are_predicted_to_take_the_hosts_cores");
    alone(name, |standin| {
        standin.fresh();
        never_register(standin);
        // At most two threads.
        let threads = std::thread::available_parallelism().unwrap().get();
        let free = format!(r#""leave_free": {}"#, threads.saturating_sub(2));
        let rt = runtime(&[host().replace(r#""leave_free": 0"#, &free), gpu(0)]);
        let n = 4_000_000;
        let time = |bound: Bound<'_>, devices: &str| {
            let run = rt.parallel_for(0..n as u64, bound).devices(devices).policy(Policy::Block);
            run.predict().unwrap().makespan.0
        };
        let (x, mut y) = (numbers(n), numbers(n));
        let mut plain = |devices| time(triple_add().bind().to(&x).align().tofrom(&mut y).align(), devices);
        let [cores, gpu, both] = ["0", "1", "0,1"].map(&mut plain);
        // Three threads copy, so they take all of the host's cores.
        let expected = 0.5 * cores + 0.5 * gpu;
        assert!(both > 0.8 * expected.max(0.5 * cores).max(0.5 * gpu), "{both}, {cores}, {gpu}");
        let (x, mut y) = (HostVec::from_slice(&x).unwrap(), HostVec::from_slice(&numbers(n)).unwrap());
        let mut locked = |devices| time(triple_add().bind().to(&x).align().tofrom(&mut y).align(), devices);
        let [cores, gpu, both] = ["0", "1", "0,1"].map(&mut locked);
        assert!(both < 0.6 * cores.max(gpu), "a link needs no core: {both}, {cores}, {gpu}");
    });
}

#[test]
fn a_gpu_tells_that_it_allocated_or_compiled() {
    alone(concat!(module_path!(), "::a_gpu_tells_that_it_allocated_or_compiled"), |standin| {
        standin.fresh();
        let mut device = CudaDevice::open(CudaOptions { name: "gpu".into(), ..CudaOptions::default() }).unwrap();
        let kernel = triple_add();
        let mut grows = |n: usize| {
            let (x, mut y) = (numbers(n), numbers(n));
            let before = device.preparations();
            let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
            let range = IterRange::new(0, n as u64);
            let work = Work::of(&bound, range);
            // SAFETY: both arrays have as many elements.
            let done = unsafe {
                with_session(&mut device, &work, |begun| {
                    begun.session.submit(range).and_then(|()| begun.session.complete())
                })
            };
            done.unwrap().unwrap();
            device.preparations() > before
        };
        assert_eq!([1000, 1000, 500, 1_000_000, 1_000_000].map(&mut grows), [true, false, false, true, false]);
    });
}

#[test]
fn a_report_says_that_its_loop_compiled_the_kernel() {
    alone(concat!(module_path!(), "::a_report_says_that_its_loop_compiled_the_kernel"), |standin| {
        standin.fresh();
        let rt = runtime(&[gpu(0)]);
        let kernel = triple_add();
        let once = || {
            let (x, mut y) = (numbers(1000), numbers(1000));
            rt.parallel_for(0..1000, kernel.bind().to(&x).align().tofrom(&mut y).align()).run().unwrap()
        };
        let (first, second) = (once(), once());
        let device = &first.devices[0];
        assert!(device.compiled.0 > 0.0 && device.compiled <= device.phases[Phase::Init], "{first}");
        assert!(first.to_string().contains("compiled and loaded the kernel in"), "{first}");
        assert_eq!(second.devices[0].compiled.0, 0.0);
        assert!(!second.to_string().contains("compiled"), "{second}");
    });
}
