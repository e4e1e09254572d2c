// Made by `generate_ends.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn l0(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        z[i] = v[i * n] ^ 5;
        for _ in (0..2usize.min(c).min(4)).rev() {
            for t in 0..2 {
                q[2 * i + t] = c as u64 + t as u64;
            }
        }
        for t in m.max(c)..9 { s += w[t - 5] as u64; }
        for _ in m.max(0)..3 {
            'a: for j in m.saturating_sub(c)..c.min(n) {
                y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
            }
        }
        for _ in c..2 {
            e[i] = d[i] * 0.5 + x[i * n] as f64;
        }
        s + c as u64
    }
    pub fn l1(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in 0usize.max(m)..3 {
            'a: for j in m.saturating_sub(c)..n.min(none) {
                for _ in 0..c.min(3) {
                    for _ in m.max(0)..3 {
                        y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                    }
                }
                if w[2] > 100 { break; }
            }
        }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        for t in 0..2usize.min(c) {
            q[2 * i + t] = c as u64 + t as u64;
            if v[i * n] > 0 { break; }
        }
        for _ in 0..3usize.min(none) {
            for _ in (c..2).step_by(2) {
                e[i] = d[i] * 0.5 + x[i * n] as f64;
                if v[i * n] > 0 { continue; }
            }
        }
        for _ in m.max(0)..3 {
            z[i] = v[i * n] ^ 5;
        }
        if w[2] > 100 { return s; }
        s + c as u64
    }
    pub fn l2(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in (m.max(0)..3).step_by(2) {
            for _ in 0..3usize.min(none) {
                e[i] = d[i] * 0.5 + x[i * n] as f64;
            }
        }
        for _ in 0..2usize.min(c).min(4) {
            for t in 0..2usize.min(none) {
                q[2 * i + t] = c as u64 + t as u64;
            }
        }
        for _ in 1..4usize.min(m) {
            for _ in 0usize.max(m)..3 {
                'a: for j in m..n {
                    for _ in m.max(0)..3 {
                        y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                    }
                }
            }
        }
        for _ in c.saturating_sub(9)..2 {
            z[i] = v[i * n] ^ 5;
        }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        s + c as u64
    }
    pub fn l3(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in 0..none.min(3) {
            for t in 0..2usize.min(c) {
                q[2 * i + t] = c as u64 + t as u64;
                if v[i * n] > 0 { break; }
            }
        }
        if w[2] > 100 { return s; }
        'a: for j in 0usize.max(c)..n.min(c) {
            for t in 0..3 { if t + 4 > c { continue 'a; } s += 1; }
            for _ in c..2 {
                if (j & 7) < c { y[i * n + j] = x[i * n + j] * 0.5 + j as f32; }
            }
        }
        for _ in 0..3 {
            for _ in (c..2).rev() {
                e[i] = d[i] * 0.5 + x[i * n] as f64;
                if x[i * n] < 0.25 { continue; }
            }
        }
        for _ in 0..3 {
            z[i] = v[i * n] ^ 5;
            if c > 6 { break; }
        }
        if d[i] > 0.5 { return s; }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        s + c as u64
    }
    pub fn l4(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        'a: for j in 0usize.max(c)..n {
            for t in 0..3 { if t + 4 > c { continue 'a; } s += 1; }
            for _ in 0..3usize.min(none) {
                y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
            }
        }
        for _ in c..2 {
            for _ in 0..3 {
                for t in 0..2 {
                    q[2 * i + t] = c as u64 + t as u64;
                }
            }
        }
        for _ in 0..3 {
            z[i] = v[i * n] ^ 5;
        }
        for _ in (m.max(0)..3).rev() {
            for _ in (0..3).step_by(2) {
                e[i] = d[i] * 0.5 + x[i * n] as f64;
            }
        }
        for t in m.max(c)..9 { s += w[t - 5] as u64; }
        if w[2] > 100 { return s; }
        s + c as u64
    }
    pub fn l5(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for t in 0..2 {
            q[2 * i + t] = c as u64 + t as u64;
        }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        for t in 0..(c & 7).min(n + 3) { s += w[t] as u64; }
        z[i] = v[i * n] ^ 5;
        'a: for j in c.saturating_sub(3)..n.min(none) {
            if w[2] > 100 { break; }
            for t in 0..3 { if t + 4 > c { continue; } s += 1; }
            y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
        }
        s + c as u64
    }
    pub fn l6(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in 1..4usize.min(m) {
            for _ in 0..3 {
                e[i] = d[i] * 0.5 + x[i * n] as f64;
            }
        }
        for _ in 0..c.min(3) {
            for t in 0..2usize.min(c) {
                q[2 * i + t] = c as u64 + t as u64;
                if d[i] > 0.5 { break; }
            }
        }
        for _ in 1..4usize.min(m) {
            'a: for j in m..n.min(c) {
                for t in 0..3 { if t + 4 > c { break; } s += 1; }
                for _ in 0usize.max(m)..3 {
                    for _ in 0..3usize.min(none) {
                        y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                    }
                }
            }
        }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        for _ in 0..3 {
            z[i] = v[i * n] ^ 5;
        }
        s + c as u64
    }
    pub fn l7(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in m.max(0)..3 {
            'a: for j in c.saturating_sub(3)..m.min(n) {
                for _ in (0..3usize.min(none)).rev() {
                    if (j & 7) < c { y[i * n + j] = x[i * n + j] * 0.5 + j as f32; }
                }
                if x[i * n] < 0.25 { break; }
            }
        }
        z[i] = v[i * n] ^ 5;
        if d[i] > 0.5 { return s; }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        if w[2] > 100 { s += 2; }
        for t in 0..2usize.min(none) {
            q[2 * i + t] = c as u64 + t as u64;
        }
        for _ in 0..c.min(none) { s += w[n + 1] as u64; }
        s + c as u64
    }
    pub fn l8(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in m.max(0)..3 {
            e[i] = d[i] * 0.5 + x[i * n] as f64;
            if v[i * n] > 0 { break; }
        }
        if v[i * n] > 0 { return s; }
        for t in 0..(c & 7).min(n + 3) { s += w[t] as u64; }
        z[i] = v[i * n] ^ 5;
        'a: for j in c.saturating_sub(3)..c.min(n) {
            for _ in (0usize.max(m)..3).rev() {
                y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
            }
        }
        for _ in 0usize.max(m)..3 {
            for _ in 0..2usize.min(c).min(4) {
                for t in 0..2usize.min(c) {
                    q[2 * i + t] = c as u64 + t as u64;
                    if x[i * n] < 0.25 { break; }
                }
            }
        }
        s + c as u64
    }
    pub fn l9(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        z[i] = v[i * n] ^ 5;
        for _ in (0..2usize.min(c).min(4)).step_by(2) {
            for t in 0..2 {
                q[2 * i + t] = c as u64 + t as u64;
            }
        }
        for t in 0..(c & 7).min(n + 3) { s += w[t] as u64; }
        if x[i * n] < 0.25 { return s; }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        for _ in c.saturating_sub(9)..2 {
            'a: for j in 0..m.min(n) {
                y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
            }
        }
        s + c as u64
    }
    pub fn l10(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in 0..c.min(3) {
            'a: for j in m..n {
                if w[2] > 100 { continue; }
                for _ in (0..3usize.min(none)).step_by(2) {
                    for _ in 1..4usize.min(m) {
                        y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                    }
                }
            }
        }
        for _ in 1..4usize.min(m) {
            for t in 0..2usize.min(none) {
                q[2 * i + t] = c as u64 + t as u64;
            }
        }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        for _ in (0..none.min(3)).rev() {
            z[i] = v[i * n] ^ 5;
        }
        if x[i * n] < 0.25 { return s; }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        s + c as u64
    }
    pub fn l11(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        for _ in 0..2usize.min(c).min(4) {
            for _ in (c.saturating_sub(9)..2).rev() {
                for t in c..2 {
                    q[2 * i + t] = c as u64 + t as u64;
                }
            }
        }
        if v[i * n] > 0 { return s; }
        for _ in (0usize.max(m)..3).step_by(2) {
            for _ in 0..3 {
                'a: for j in 0..n {
                    if v[i * n] > 0 { break; }
                    for _ in (0..3).rev() {
                        for _ in (0..3usize.min(none)).rev() {
                            y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                        }
                    }
                    if x[i * n] < 0.25 { break; }
                }
            }
        }
        for _ in (0..none.min(3)).rev() {
            z[i] = v[i * n] ^ 5;
        }
        s + c as u64
    }
    pub fn l12(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for t in 0..(c & 7).min(n + 3) { s += w[t] as u64; }
        for _ in 0..2usize.min(c).min(4) {
            for _ in (1..4usize.min(m)).step_by(2) {
                'a: for j in 0..m.min(n) {
                    y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                }
            }
        }
        for _ in 0..c.min(3) {
            for _ in 0..3 {
                z[i] = v[i * n] ^ 5;
            }
        }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        for _ in 0..3 {
            for t in 0..2usize.min(none) {
                q[2 * i + t] = c as u64 + t as u64;
            }
        }
        s + c as u64
    }
    pub fn l13(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for t in c..2 {
            q[2 * i + t] = c as u64 + t as u64;
        }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        for _ in (0..2usize.min(c).min(4)).step_by(2) {
            for _ in (0..none.min(3)).step_by(2) {
                'a: for j in 0..m.min(n) {
                    for _ in 0..2usize.min(c).min(4) {
                        for _ in (1..4usize.min(m)).step_by(2) {
                            y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
                        }
                    }
                }
            }
        }
        for _ in 0..3 {
            for _ in 0..c.min(3) {
                z[i] = v[i * n] ^ 5;
            }
        }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        s + c as u64
    }
    pub fn l14(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for t in 0..2usize.min(none) {
            q[2 * i + t] = c as u64 + t as u64;
        }
        'a: for j in 0..n.min(c) {
            if (j & 7) < c { y[i * n + j] = x[i * n + j] * 0.5 + j as f32; }
            if x[i * n] < 0.25 { break; }
        }
        for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }
        for _ in 0..none.min(3) {
            z[i] = v[i * n] ^ 5;
        }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        if v[i * n] > 0 { return s; }
        s + c as u64
    }
    pub fn l15(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let c = (v[i * n + 1] & 15) as usize;
        let m = k as usize;
        let none = n.saturating_sub(200);
        let mut s = (w[0] as u64) & 3;
        for _ in (0..2usize.min(c).min(4)).step_by(2) {
            z[i] = v[i * n] ^ 5;
        }
        if w[2] > 100 { return s; }
        for t in m.max(c)..9 { s += w[t - 5] as u64; }
        for _ in 0usize.max(m)..3 {
            for t in 0..2usize.min(c) {
                q[2 * i + t] = c as u64 + t as u64;
                if v[i * n] > 0 { break; }
            }
        }
        'a: for j in (0..n).rev() {
            for _ in m.max(0)..3 {
                y[i * n + j] = x[i * n + j] * 0.5 + j as f32;
            }
        }
        e[i] = d[i] * 0.5 + x[i * n] as f64;
        if d[i] > 0.5 { return s; }
        s + c as u64
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 16] = [
    (plain::l0, crate::of_slices!(l0), l0::kernel),
    (plain::l1, crate::of_slices!(l1), l1::kernel),
    (plain::l2, crate::of_slices!(l2), l2::kernel),
    (plain::l3, crate::of_slices!(l3), l3::kernel),
    (plain::l4, crate::of_slices!(l4), l4::kernel),
    (plain::l5, crate::of_slices!(l5), l5::kernel),
    (plain::l6, crate::of_slices!(l6), l6::kernel),
    (plain::l7, crate::of_slices!(l7), l7::kernel),
    (plain::l8, crate::of_slices!(l8), l8::kernel),
    (plain::l9, crate::of_slices!(l9), l9::kernel),
    (plain::l10, crate::of_slices!(l10), l10::kernel),
    (plain::l11, crate::of_slices!(l11), l11::kernel),
    (plain::l12, crate::of_slices!(l12), l12::kernel),
    (plain::l13, crate::of_slices!(l13), l13::kernel),
    (plain::l14, crate::of_slices!(l14), l14::kernel),
    (plain::l15, crate::of_slices!(l15), l15::kernel),
];
