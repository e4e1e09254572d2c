//! Tables of cases and measurements: what is read, and what is said of what is wrong.

use apportion_reproduce::cases::{COLUMNS, fields, load};
use apportion_reproduce::node::{Node, Runtime};
use apportion_reproduce::policies::Policy;
use apportion_reproduce::{fit, measured};
use std::path::PathBuf;

struct File(tempfile::TempDir);

impl File {
    fn new(text: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cases.csv"), text).unwrap();
        Self(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("cases.csv")
    }
}

const HEAD: &str = "kernel,size,devices,policy,chunk_pct,cutoff_pct";

fn node() -> Node {
    Node::built_in().unwrap()
}

#[test]
fn a_table_is_read_with_further_columns_quotes_and_either_line_end_in_any_order_of_columns() {
    let text = "\u{feff}policy,note,devices,kernel,cutoff_pct,size,chunk_pct\r\n\
                SCHED_DYNAMIC,\"a, \"\"b\"\"\nc\",0(HOSTCPU:0)-1(NVGPU:3), axpy ,,1000,2.5\r\n\r\n\
                MODEL_2_AUTO,,0(ITLMIC:1),matvec,15,48000,15\n";
    let node = node();
    let file = File::new(text.as_bytes());
    let cases = load(&file.path(), &node).unwrap();
    assert_eq!(cases.len(), 2);
    assert_eq!((cases[0].case.policy, cases[0].line), (Policy::Dynamic(2.5), 2));
    assert_eq!(cases[0].case.devices, [0, 4]);
    // Their number counts for nothing, and is not lost.
    assert_eq!((cases[1].case.policy, cases[1].case.cutoff), (Policy::Model2, Some(0.15)));
    assert_eq!((cases[1].fields[4].as_str(), cases[1].line), ("15", 5));
}

#[test]
fn a_case_written_and_read_again_is_the_same() {
    let node = node();
    for one in measured::built_in(&node).unwrap() {
        let line = fields(&node, &one.case).join(",");
        let file = File::new(format!("{HEAD}\n{line}\n").as_bytes());
        let read = load(&file.path(), &node).unwrap().remove(0).case;
        assert_eq!(read, apportion_reproduce::simulate::Case { sweeps: read.sweeps, ..one.case });
    }
}

#[test]
fn a_wrong_table_is_told_file_line_column_and_what_would_be_right() {
    let gpu = "0(NVGPU:0)";
    let wrong = [
        (String::new(), vec!["is empty", HEAD]),
        ("kernel,size,devices,policy,chunk_pct\n".to_owned(), vec![":1", "lacks the column `cutoff_pct`"]),
        ("kernel,kernel,size,devices,policy,chunk_pct,cutoff_pct\n".to_owned(), vec![":1", "`kernel` twice"]),
        (format!("{HEAD}\n"), vec!["holds no cases"]),
        (HEAD.replace(',', ";"), vec![":1", "has semicolons", "separated by commas"]),
        (format!("{HEAD}\naxpy,10,{gpu},BLOCK,\n"), vec![":2", "has 5 fields", "6 columns"]),
        (
            format!("{HEAD}\naxpy,10,{gpu},BLOCK,,\nsaxpy,10,{gpu},BLOCK,,\n"),
            vec![":3, column `kernel`", "`saxpy`", "axpy, matvec"],
        ),
        (format!("{HEAD}\n,10,{gpu},BLOCK,,\n"), vec![":2, column `kernel`", "is empty"]),
        (format!("{HEAD}\naxpy,0,{gpu},BLOCK,,\n"), vec![":2, column `size`", "`0`", "whole number from 1"]),
        (format!("{HEAD}\naxpy,1e9,{gpu},BLOCK,,\n"), vec!["column `size`", "`1e9`"]),
        (format!("{HEAD}\naxpy,,{gpu},BLOCK,,\n"), vec!["column `size`", "is empty"]),
        (format!("{HEAD}\naxpy,99999999999999999999,{gpu},BLOCK,,\n"), vec!["column `size`"]),
        (format!("{HEAD}\naxpy,10,{gpu},DYNAMIC,2,\n"), vec!["column `policy`", "`DYNAMIC`", "SCHED_DYNAMIC"]),
        (format!("{HEAD}\naxpy,10,{gpu},SCHED_DYNAMIC,,\n"), vec!["column `chunk_pct`", "is empty", "in percent"]),
        (format!("{HEAD}\naxpy,10,{gpu},SCHED_GUIDED,two,\n"), vec!["column `chunk_pct`", "`two` is no number"]),
        (format!("{HEAD}\naxpy,10,{gpu},SCHED_GUIDED,0,\n"), vec!["column `chunk_pct`", "0.001 to 100"]),
        (format!("{HEAD}\naxpy,10,{gpu},SCHED_GUIDED,NaN,\n"), vec!["column `chunk_pct`", "`NaN` is no number"]),
        (format!("{HEAD}\naxpy,10,{gpu},MODEL_1_AUTO,,100\n"), vec!["column `cutoff_pct`", "below 100"]),
        (format!("{HEAD}\naxpy,10,,BLOCK,,\n"), vec!["column `devices`", "is empty", "0(HOSTCPU:0)-1(NVGPU:0)"]),
        (format!("{HEAD}\naxpy,10,NVGPU,BLOCK,,\n"), vec!["column `devices`", "`NVGPU`", "is no device"]),
        (
            format!("{HEAD}\naxpy,10,0(AMDGPU:0),BLOCK,,\n"),
            vec!["no kind of device `AMDGPU`", "HOSTCPU, NVGPU, ITLMIC"],
        ),
        (format!("{HEAD}\naxpy,10,0(NVGPU:4),BLOCK,,\n"), vec!["no NVGPU:4", "it has 4 of that kind"]),
        (format!("{HEAD}\naxpy,10,0(NVGPU:1)-1(NVGPU:1),BLOCK,,\n"), vec!["names NVGPU:1 twice"]),
        (format!("{HEAD}\naxpy,10,\"{gpu},BLOCK,,\n"), vec![":2", "does not end"]),
    ];
    for (text, words) in wrong {
        let file = File::new(text.as_bytes());
        let error = load(&file.path(), &node()).unwrap_err().to_string();
        assert!(error.contains("cases.csv"), "{error}");
        for word in words {
            assert!(error.contains(word), "no `{word}` in {error}\n{text}");
        }
    }
    // Nothing is wrong with the table where the authors' runtime would refuse a case.
    let refused = format!("{HEAD}\nstencil2d,256,{gpu},SCHED_GUIDED,15,\nstencil2d,256,{gpu},BLOCK,,\n");
    let listed = load(&File::new(refused.as_bytes()).path(), &node()).unwrap();
    assert!(listed[0].refused.as_deref().unwrap().contains("use BLOCK") && listed[1].refused.is_none(), "{listed:?}");
    let error = load(&File::new(b"kernel\xff").path(), &node()).unwrap_err().to_string();
    assert!(error.contains("not UTF-8"), "{error}");
    let error = load(&PathBuf::from("/nowhere/cases.csv"), &node()).unwrap_err().to_string();
    assert!(error.contains("cannot be read"), "{error}");
}

#[test]
fn measurements_lack_no_row_and_a_fit_lacks_no_kernel() {
    let node = node();
    let columns = "device_index,off_total_ms,init_ms,mapto_ms,kern_ms,exchange_ms,mapfrom_ms,fini_ms,barrier_ms,\
                   prof_bar_ms,pre_bar_x_ms,post_bar_x_ms,dist_iters,sweeps_per_run";
    let row = |devices: &str, total: &str| format!("axpy,10,{devices},BLOCK,,,0,{total},0,1,1,0,1,0,0,0,0,0,10,1\n");
    let two = "0(NVGPU:0)-1(NVGPU:1)";
    let read = |rows: &str| {
        let file = File::new(format!("{HEAD},{columns}\n{rows}").as_bytes());
        measured::load(&file.path(), &node)
    };
    let error = read(&row(two, "3")).unwrap_err().to_string();
    assert!(error.contains("1 of the 2 rows"), "{error}");
    let error = read(&row("0(NVGPU:0)", "-3")).unwrap_err().to_string();
    assert!(error.contains(":2, column `off_total_ms`"), "{error}");
    let error = read("").unwrap_err().to_string();
    assert!(error.contains("cases.csv") && error.contains("holds no measurements"), "{error}");
    // The time of the kernel, in the second line.
    for (time, word) in [("-3", "is -3"), ("NaN", "`NaN` is no number"), ("inf", "`inf` is no number")] {
        let wrong = row("0(NVGPU:0)", "3").replacen(",0,1,1,0,", &format!(",0,1,{time},0,"), 1);
        let error = read(&wrong).unwrap_err().to_string();
        assert!(error.contains(":2, column `kern_ms`") && error.contains(word), "{error}");
    }
    let whole = read(&(row(two, "3") + &row(two, "4"))).unwrap();
    assert_eq!((whole.len(), whole[0].ms), (1, 4.0));
    let error = fit::fit(&PathBuf::from("mine.csv"), &node, &whole).unwrap_err().to_string();
    assert!(error.contains("mine.csv") && error.contains("alone under BLOCK"), "{error}");
    assert_eq!(COLUMNS.join(","), HEAD);
}

#[test]
fn figures_of_the_runtime_are_checked() {
    let good = node().runtime.to_json().unwrap();
    let file = PathBuf::from("runtime.json");
    assert_eq!(Runtime::parse(&file, &good).unwrap(), node().runtime);
    let cases = [
        ("\"outside_ms\": 0.1848", "\"outside_ms\": -1", "kinds.NVGPU.outside_ms"),
        ("homp-runtime/1", "homp-runtime/9", "at `schema`"),
        ("\"bm2d\"", "\"bm3d\"", "kernels.bm2d"),
        ("\"small_array_kib\"", "\"small\"", "unknown field `small`"),
        ("\"outside_ms\": 0.1848", "\"outside_ms\": \"0\"", "expected a number"),
    ];
    for (from, to, word) in cases {
        assert!(good.contains(from), "{from}");
        let error = Runtime::parse(&file, &good.replacen(from, to, 5)).unwrap_err().to_string();
        assert!(error.contains("runtime.json") && error.contains(word), "{error}");
    }
    assert!(Runtime::parse(&file, "").is_err());
}

proptest::proptest! {
    #[test]
    fn no_table_whatsoever_makes_the_reader_panic(text in "(kernel,size,devices,policy,chunk_pct,cutoff_pct\n)?[ -~\\n\"]{0,200}") {
        let _ = load(&File::new(text.as_bytes()).path(), &node());
    }

    #[test]
    fn fields_out_of_order_or_range_are_errors_and_no_panic(
        fields in proptest::collection::vec("axpy|sum|bm2d|[0-9.e-]{0,6}|0\\(NVGPU:[0-9]\\)|BLOCK|SCHED_GUIDED|", 6)
    ) {
        let file = File::new(format!("{HEAD}\n{}\n", fields.join(",")).as_bytes());
        if let Ok(cases) = load(&file.path(), &node()) {
            let outcome = apportion_reproduce::simulate::predict(&node(), &cases[0].case);
            proptest::prop_assert!(outcome.ms.is_finite() && outcome.ms > 0.0);
        }
    }
}
