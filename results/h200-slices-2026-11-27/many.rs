    if let Ok(reps) = std::env::var("APP_MANY") {
        let rest: u64 = std::env::var("APP_REST").ok().and_then(|t| t.parse().ok()).unwrap_or(300);
        let evict = std::env::var("APP_EVICT").is_ok();
        for _ in 0..reps.parse::<usize>()? {
            instance.reset();
            if evict {
                apportion::devices::caches::evict_arrays(&instance.bind());
            }
            let start = std::time::Instant::now();
            while start.elapsed().as_micros() < u128::from(rest) {
                std::hint::spin_loop();
            }
            let report = loops::once(rt, &mut *instance, devices, policy, Cutoff::None)?.0;
            print!("{:.3}", report.elapsed.millis());
            for device in &report.devices {
                let spans = || device.pieces.iter().flat_map(|p| [p.to, p.kernel, p.from]).flatten();
                let first = spans().map(|s| s.start.millis()).fold(f64::INFINITY, f64::min);
                let last = spans().map(|s| s.end.millis()).fold(0.0, f64::max);
                print!(" | {} {:.3}..{:.3} b{:.3}", device.name, first, last, device.busy.millis());
            }
            println!();
        }
        return Ok(());
    }
