//! Topology: a machine stored by hwloc, a made-up `/sys`, and the machine that runs this test.

mod common;

use apportion::devices::topology::{CpuList, HowKnown, Topology, bind_current_thread, current_affinity};
use apportion::runtime::Runtime;
use apportion::space::DeviceId;
use apportion::units::Bytes;
use common::triple_add;
use std::path::Path;

/// Two packages of four cores with two threads each. Each package has a memory node; the second has one more, without cores.
const TWO_SOCKETS: &str = include_str!("fixtures/two-sockets.hwloc.xml");

fn cpus(text: &str) -> CpuList {
    text.parse().unwrap()
}

fn lists<'a>(lists: impl IntoIterator<Item = &'a CpuList>) -> Vec<String> {
    lists.into_iter().map(ToString::to_string).collect()
}

#[test]
fn a_machine_of_two_sockets_is_read_from_hwloc() {
    let topology = Topology::from_hwloc_xml(TWO_SOCKETS, &cpus("0-1023")).unwrap();
    assert_eq!(lists(topology.packages.iter().map(|p| &p.cpus)), ["0-3,8-11", "4-7,12-15"]);
    assert_eq!(topology.packages[1].os_index, 1);
    assert_eq!(lists(topology.numa_nodes.iter().map(|n| &n.cpus)), ["0-3,8-11", "4-7,12-15", "4-7,12-15"]);
    assert_eq!(topology.numa_nodes[0].memory, Bytes(68_719_476_736));
    assert_eq!(topology.numa_nodes[2].memory, Bytes(17_179_869_184));
    assert_eq!(
        lists(topology.cores.iter().map(|c| &c.cpus)),
        ["0,8", "1,9", "2,10", "3,11", "4,12", "5,13", "6,14", "7,15"]
    );
    assert_eq!(topology.cpus_core_first(), (0..16).collect::<Vec<_>>());
    assert_eq!(topology.node_of(13).unwrap().os_index, 1);
    assert_eq!(topology.describe(), "2 packages, 3 NUMA nodes, 8 cores, 16 CPUs (0-15), by hwloc");
}

#[test]
fn only_what_the_process_may_use_is_kept() {
    let topology = Topology::from_hwloc_xml(TWO_SOCKETS, &cpus("5,6,14,99")).unwrap();
    assert_eq!(lists(topology.packages.iter().map(|p| &p.cpus)), ["5,6,14"]);
    assert_eq!(topology.packages[0].os_index, 1);
    assert_eq!(lists(topology.cores.iter().map(|c| &c.cpus)), ["5", "6,14"]);
    assert_eq!(topology.cpus_core_first(), [5, 6, 14]);
    assert_eq!(topology.describe(), "1 package, 2 NUMA nodes, 2 cores, 3 CPUs (5,6,14), by hwloc");
    assert!(Topology::from_hwloc_xml(TWO_SOCKETS, &cpus("99")).unwrap_err().contains("none of the CPUs"));
}

#[test]
fn text_that_is_no_topology_is_refused() {
    for text in ["", "{}", "<topology", "<html></html>", "<topology version=\"2.0\"></topology>"] {
        assert!(Topology::from_hwloc_xml(text, &cpus("0")).is_err(), "{text}");
    }
    let bad_set = "<topology><object type=\"PU\" os_index=\"0\" cpuset=\"0xzz\"/></topology>";
    assert!(Topology::from_hwloc_xml(bad_set, &cpus("0")).unwrap_err().contains("`0xzz`"));
}

#[test]
fn cores_and_nodes_that_hwloc_leaves_out_are_filled_in() {
    let bare = "<topology><object type=\"Machine\"><object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/>\
                <object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/></object></topology>";
    let topology = Topology::from_hwloc_xml(bare, &cpus("0-7")).unwrap();
    assert_eq!(lists(topology.cores.iter().map(|c| &c.cpus)), ["0", "1"]);
    assert_eq!((topology.packages.len(), topology.numa_nodes.len()), (1, 1));
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Two packages with one node each. Package 0: two cores with two threads. Package 1: four slow cores.
fn made_up_sys() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cpu/online", "0-7\n");
    for (cpu, package, core, siblings) in [
        (0, 0, 0, "0,2"),
        (1, 0, 1, "1,3"),
        (2, 0, 0, "0,2"),
        (3, 0, 1, "1,3"),
        (4, 1, 0, "4"),
        (5, 1, 1, "5"),
        (6, 1, 2, "6"),
        (7, 1, 3, "7"),
    ] {
        let topology = format!("cpu/cpu{cpu}/topology");
        write(root, &format!("{topology}/physical_package_id"), &format!("{package}\n"));
        write(root, &format!("{topology}/core_id"), &format!("{core}\n"));
        // One package has the older file name, the other the newer.
        let name = if package == 0 { "thread_siblings_list" } else { "core_cpus_list" };
        write(root, &format!("{topology}/{name}"), &format!("{siblings}\n"));
        let frequency = if package == 0 { "5000000\n" } else { "3200000\n" };
        write(root, &format!("cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq"), frequency);
    }
    write(root, "node/online", "0-1\n");
    write(root, "node/node0/cpulist", "0-3\n");
    write(root, "node/node0/meminfo", "Node 0 MemTotal:       1000 kB\nNode 0 MemFree:        500 kB\n");
    write(root, "node/node1/cpulist", "4-7\n");
    folder
}

#[test]
fn a_machine_is_read_from_sys() {
    let sys = made_up_sys();
    let topology = Topology::from_sys(sys.path(), &cpus("0-1023")).unwrap();
    assert_eq!(topology.source, HowKnown::Sys);
    assert_eq!(lists(topology.packages.iter().map(|p| &p.cpus)), ["0-3", "4-7"]);
    assert_eq!(lists(topology.numa_nodes.iter().map(|n| &n.cpus)), ["0-3", "4-7"]);
    assert_eq!((topology.numa_nodes[0].memory, topology.numa_nodes[1].memory), (Bytes(1_024_000), Bytes(0)));
    assert_eq!(lists(topology.cores.iter().map(|c| &c.cpus)), ["0,2", "1,3", "4", "5", "6", "7"]);
    assert_eq!(topology.cores[0].speed, Some(5_000_000));
    assert_eq!(topology.cpus_core_first(), [0, 1, 4, 5, 6, 7, 2, 3]);
    assert_eq!(
        topology.describe(),
        "2 packages, 2 NUMA nodes, 6 cores, 8 CPUs (0-7), the fastest core 1.6 x the slowest, by /sys"
    );
    let part = Topology::from_sys(sys.path(), &cpus("2,4")).unwrap();
    assert_eq!(lists(part.cores.iter().map(|c| &c.cpus)), ["2", "4"]);
}

#[test]
fn the_capacity_that_the_kernel_says_counts_before_the_frequency() {
    let sys = made_up_sys();
    for cpu in 0..8 {
        write(sys.path(), &format!("cpu/cpu{cpu}/cpu_capacity"), if cpu < 4 { "1024\n" } else { "1000\n" });
    }
    let topology = Topology::from_sys(sys.path(), &cpus("0-7")).unwrap();
    assert_eq!(topology.cores[5].speed, Some(1000));
    assert_eq!(topology.unequal_cores(), None, "a few per cent are one kind");
}

#[test]
fn a_sys_without_details_is_flat() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Topology::from_sys(folder.path(), &cpus("0")).unwrap_err().contains("cpu/online cannot be read"));
    write(folder.path(), "cpu/online", "0-3");
    write(folder.path(), "cpu/cpu0/topology/physical_package_id", "-1");
    let topology = Topology::from_sys(folder.path(), &cpus("0-3")).unwrap();
    assert_eq!((topology.cores.len(), topology.packages.len(), topology.numa_nodes.len()), (4, 1, 1));
}

#[test]
fn this_machine_is_found_and_each_usable_cpu_is_in_one_core() {
    let topology = Topology::detect();
    println!("{}", topology.describe());
    let mut seen: Vec<usize> = topology.cores.iter().flat_map(|core| core.cpus.iter()).collect();
    seen.sort_unstable();
    assert_eq!(seen, topology.cpus.iter().collect::<Vec<_>>());
    assert!(!topology.packages.is_empty() && !topology.numa_nodes.is_empty());
    assert!(topology.cpus.iter().all(|cpu| topology.node_of(cpu).is_some()));
    if let Ok(mask) = current_affinity() {
        assert_eq!(topology.cpus.intersection(&mask), topology.cpus);
    }
}

#[test]
fn a_cpu_that_is_opened_alone_has_all_its_cores() {
    let alone = Runtime::detect_only("0").unwrap();
    let devices: Vec<_> = alone.devices().collect();
    assert_eq!((devices.len(), devices[0].id), (1, DeviceId(0)));
    assert_eq!(devices[0].threads, Some(Topology::detect().threads()));
    for device in Runtime::detect().unwrap().devices() {
        let only = Runtime::detect_only(device.id).unwrap();
        assert_eq!(only.devices().map(|device| device.id).collect::<Vec<_>>(), [device.id]);
    }
    let error = Runtime::detect_only("99").unwrap_err().to_string();
    assert!(error.contains("there is no device 99. Devices: 0 host"), "{error}");
}

#[test]
fn opencl_on_the_cpu_is_used_where_it_is_named_and_not_else() {
    let cores = Topology::detect().threads();
    let required = std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|value| !value.is_empty() && value != "0");
    let both = match Runtime::detect_only("0,:OCLCPU") {
        Ok(both) => both,
        Err(why) if required => panic!("APPORTION_REQUIRE_OPENCL is set, but {why}"),
        Err(why) => return println!("skipped: {why}"),
    };
    let ids = |rt: &Runtime| rt.devices().map(|device| device.id).collect::<Vec<_>>();
    let units = |rt: &Runtime, id: DeviceId| {
        let entry = rt.machine().devices.iter().find(|entry| entry.device_id() == id).unwrap();
        entry.opencl.as_ref().unwrap().compute_units
    };
    let [host, opencl] = ids(&both)[..] else { panic!("{:?}", ids(&both)) };
    let on_host = both.devices().next().unwrap().threads.unwrap();
    let on_opencl = units(&both, opencl).unwrap() as usize;
    assert!(cores == 1 || on_host + on_opencl == cores, "{on_host} and {on_opencl} of {cores}");
    let name = both.machine().devices[opencl.0].name.clone();
    // By default it is described, and the notes say how to use it.
    let all = Runtime::detect().unwrap();
    assert!(!ids(&all).contains(&opencl) && all.devices().next().unwrap().threads.unwrap() >= on_host);
    let told = format!("{name}: not enabled: ");
    let named = format!("`Runtime::detect_only(\"0,{opencl}\")`");
    assert!(all.notes().iter().any(|note| note.starts_with(&told) && note.contains(&named)), "{:?}", all.notes());
    assert!(!both.notes().iter().any(|note| note.starts_with(&told)), "{:?}", both.notes());
    // So does the error of a loop that asks for it.
    let mut y = vec![1u64; 10];
    for devices in [opencl.to_string(), name.clone(), "0,:OCLCPU".to_owned()] {
        let bound = triple_add().bind().to(&[2u64; 10]).align().tofrom(&mut y).align();
        let error = all.parallel_for(0..10u64, bound).devices(&*devices).run().unwrap_err().to_string();
        assert!(error.contains(&format!("device {opencl} `{name}` is not enabled: ")), "{devices}: {error}");
        assert!(error.contains(&named), "{error}");
    }
    // Each way to name it does.
    for devices in [format!("0,{opencl}"), format!("{name},host"), format!("*, {name}")] {
        assert!(ids(&Runtime::detect_only(&*devices).unwrap()).contains(&opencl), "{devices}");
    }
    assert_eq!(ids(&Runtime::detect_only(&*format!("0,{opencl}")).unwrap()), [host, opencl]);
    // Alone it has all cores, and leaves none to the host.
    for devices in [opencl.to_string(), name, ":OCLCPU".to_owned(), "0:*:OCLCPU".to_owned()] {
        let alone = Runtime::detect_only(&*devices).unwrap();
        assert_eq!((ids(&alone), units(&alone, opencl)), (vec![opencl], None), "{devices}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn hwloc_and_sys_agree_on_this_machine() {
    let detected = Topology::detect();
    let Ok(from_sys) = Topology::from_sys(Path::new("/sys/devices/system"), &detected.cpus) else {
        println!("skipped: no usable /sys here");
        return;
    };
    let cores = |topology: &Topology| lists(topology.cores.iter().map(|core| &core.cpus));
    assert_eq!(cores(&detected), cores(&from_sys));
}

#[test]
#[cfg(target_os = "linux")]
fn a_thread_is_bound_to_a_cpu_and_to_none_that_is_not_there() {
    let last = current_affinity().unwrap().iter().next_back().unwrap();
    std::thread::spawn(move || {
        bind_current_thread(last).unwrap();
        assert_eq!(current_affinity().unwrap().to_string(), last.to_string());
        assert_eq!(Topology::detect().cpus.to_string(), last.to_string(), "the mask is respected");
        for absent in [65_000, usize::MAX] {
            let error = bind_current_thread(absent).unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
            assert!(error.to_string().contains(&absent.to_string()), "{error}");
        }
    })
    .join()
    .unwrap();
}
