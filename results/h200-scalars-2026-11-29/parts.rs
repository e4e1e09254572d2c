//! The parts of a step of conjugate gradients, as an example of the crate beside `cg.rs`: `parts DEVICES`. Prints rows, part, microseconds
//! until all is begun, and until all is done, for each of 400.
use apportion::prelude::*;
use apportion::region::{Dims, Later};
use std::time::Instant;
#[path = "cg.rs"]
#[allow(dead_code)]
mod cg;
use cg::{product, step, turn};
fn main() -> Result<()> {
    for m in [300usize, 1000] {
        let n = m * m;
        let rt = Runtime::detect()?;
        let (mut starts, mut columns, mut values) = (vec![0u32], Vec::new(), Vec::new());
        for i in 0..n {
            for d in 0..5 {
                columns.push(((i + d * m / 2) % n) as u32);
                values.push(1e-3);
            }
            starts.push(columns.len() as u32);
        }
        let heat = vec![1.0f64; n];
        let (mut x, mut r, mut p, mut all) = (vec![0.0; n], heat.clone(), heat.clone(), heat.clone());
        let mut region = rt.data_region().devices(&*std::env::args().nth(1).unwrap());
        let (s_, c_, v_) = (
            region.to(&starts, [n + 1].full()),
            region.to(&columns, [columns.len()].full()),
            region.to(&values, [values.len()].full()),
        );
        let (x_, r_, p_) = (
            region.tofrom(&mut x, [n].named("x")),
            region.tofrom(&mut r, [n].named("r")),
            region.tofrom(&mut p, [n].named("p")),
        );
        let q = region.alloc::<f64>([n].named("q"));
        let all_ = region.tofrom(&mut all, [n].full().named("all of p"));
        region.parallel_for(0..n, turn(0.0, 1.0, r_, p_)).run()?;
        for round in 0..2 {
            for what in [
                "whole, waited", "whole",
                "whole, value",
                "whole, numbers",
                "product",
                "step late",
                "step numbers",
                "turn late",
                "turn",
                "copy",
                "product+copy",
                "turn+copy",
            ] {
                let k = 400;
                region.wait()?;
                let mut left = Later::from(1.0);
                let start = Instant::now();
                for _ in 0..k {
                    match what {
                        "whole" | "whole, value" => {
                            let along = region.parallel_for(0..n, product(s_, c_, v_, all_, q)).reduce_later(Sum)?;
                            let next =
                                region.parallel_for(0..n, step(&left, &along, p_, q, x_, r_)).reduce_later(Sum)?;
                            region.parallel_for(0..n, turn(&next, &left, r_, p_)).run()?;
                            region.copy(p_, all_)?;
                            if what.ends_with("value") {
                                let _ = region.value(&left)?;
                            }
                            left = next;
                        }
                        "whole, waited" => {
                        let along: f64 = region.parallel_for(0..n, product(s_, c_, v_, all_, q)).reduce(Sum)?;
                        let _next: f64 = region.parallel_for(0..n, step(1e-9 * along, 1.0, p_, q, x_, r_)).reduce(Sum)?;
                        region.parallel_for(0..n, turn(1e-3, 1.0, r_, p_)).run()?;
                        region.copy(p_, all_)?;
                    }
                    "whole, numbers" => {
                            let _ = region.parallel_for(0..n, product(s_, c_, v_, all_, q)).reduce_later::<f64>(Sum)?;
                            let _ =
                                region.parallel_for(0..n, step(1e-3, 1.0, p_, q, x_, r_)).reduce_later::<f64>(Sum)?;
                            region.parallel_for(0..n, turn(1e-3, 1.0, r_, p_)).run()?;
                            region.copy(p_, all_)?;
                        }
                        "product" => {
                            let _ = region.parallel_for(0..n, product(s_, c_, v_, all_, q)).reduce_later::<f64>(Sum)?;
                        }
                        "product+copy" => {
                            let _ = region.parallel_for(0..n, product(s_, c_, v_, all_, q)).reduce_later::<f64>(Sum)?;
                            region.copy(p_, all_)?;
                        }
                        "step late" => {
                            left = region.parallel_for(0..n, step(&left, 1e9, p_, q, x_, r_)).reduce_later(Sum)?;
                        }
                        "step numbers" => {
                            let _ =
                                region.parallel_for(0..n, step(1e-3, 1e9, p_, q, x_, r_)).reduce_later::<f64>(Sum)?;
                        }
                        "turn late" => {
                            region.parallel_for(0..n, turn(&left, 1e9, r_, p_)).run()?;
                        }
                        "turn+copy" => {
                            region.parallel_for(0..n, turn(1e-3, 1.0, r_, p_)).run()?;
                            region.copy(p_, all_)?;
                        }
                        "turn" => {
                            region.parallel_for(0..n, turn(1e-3, 1.0, r_, p_)).run()?;
                        }
                        _ => region.copy(p_, all_)?,
                    }
                }
                let begun = start.elapsed() / k;
                region.wait()?;
                let done = start.elapsed() / k;
                if round == 1 {
                    println!("{n},{what},{:.2},{:.2}", begun.as_secs_f64() * 1e6, done.as_secs_f64() * 1e6);
                }
            }
        }
        region.finish()?;
    }
    Ok(())
}
