// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_of_cells! {
    pub fn c0(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u8 = ((4u8) >> ((w[j] | (98u8).wrapping_mul(0u8)) & 7));
        let mut t2 = 0u32;
        while t2 < 5 {
            t2 += 1;
            if (49u8) >= ((t1).min(t1)) { break; }
            let mut t3 = 0u32;
            while t3 < 1 {
                t3 += 1;
                if ((t1 | t1)) < ((t1).wrapping_mul(t1)) { break; }
                t1 |= (!(w[j]));
                t1 |= t1;
            }
            if (((81u64 as u32) & (t1 as u32))) != (((b * 1e9) as u32)) && (a) <= ((a).ceil()) {
                t1 = t1;
                let t4: i64 = ((((b * 1e9) as u8) as i64) % (((7i64 % 8) & 7) + 9));
            } else {
                t1 ^= (!((w[j] | t1)));
                let t5: i32 = ((((34i64) >> (36i64 & 7)) as i32)).wrapping_mul((!(k)));
            }
        }
        t1 = t1;
        let mut t6: f32 = (((-(0.75f32)) - (a).mul_add(a, 0.25)) / (((x[i * n + j + n * 2 - n]).abs().sqrt() / ((a + a) + 3.5)) + 3.5));
        let mut t7 = 0u32;
        while t7 < 5 {
            t7 += 1;
            if ((if (((48u32) << (t2 & 7))) > (t2) { ((i * 1000 + j) as u64) } else { ((i * 1000 + j) as u64) })) == (((i * 1000 + j) as u64)) { break; }
            let t8: u8 = match (!(t2)) % 6 {
                0 => (if (t6) > ((-(t6))) { (56u32 as u8) } else { (71u8).min(94u8) }),
                1 | 4 => ((t1 % 2)).wrapping_sub(t1),
                2..=3 => t1,
                _ => {
                    t1 ^= (!(((t1) << (t1 & 7))));
                    t1
                }
            };
        }
        let mut s = 0.0f32;
        for p in 0..3 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((!(((i * 1000 + j) as u64)))) != ((((i * 1000 + j) as u64) / (((i as u64) & 7) + 1))) { i * n + j + n * 1 - n } else { i * n + j + n * 0 - n };
        y[at] = s + ((((a).max(a) * 1e9) as i32) as f32) + x[either];
        z[at] = (k / 2) | 1;
        e[j + n * i] = e[at] * 0.5 + d[i] + b;
        q[at] ^= 78u64 ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((d[i] / (b + 3.5)) * 1e9) as u64) & 0xffff
    }
    pub fn c1(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = (((29i64).wrapping_mul(90i64) % (((68i64 ^ 16i64) & 7) + 9)) & (73i64).wrapping_mul((25i64 % ((41i64 & 7) + 9))));
        let mut t2 = [(if ((((i * 1000 + j) as u64) / ((96u64 & 7) + 1))) != ((((i * 1000 + j) as u64) / ((((i * 1000 + j) as u64) & 7) + 1))) { (a).max(a) } else { (if (((b * 1e9) as u32)) < (24u32) { a } else { x[j - 1 + (i - 1) * n] }) }); 4];
        for t3 in 0..4usize {
            t2[t3] = ((36u64 as f32) / ((a).mul_add(x[j + n * (i + 1)], 0.25) + 3.5));
        }
        let t4 = t2[0];
        let mut t5 = [((41u32).max(97u32)).max(81u32); 4];
        for t6 in 0..4usize {
            t5[t6] = 20u32;
        }
        let t7 = t5[2];
        let t8: i32 = match (if ((w[j]).max(w[j])) > (w[j]) { (t7 % 7) } else { (78u32).max(t7) }) % 6 {
            0 => ((59i32).wrapping_mul(78i32) % (((k).wrapping_sub(k) & 7) + 9)),
            1 | 4 => (if (((a * 1e9) as u32)) < ((t7 & t7)) { ((85i32) << (66i32 & 7)) } else { (10i32).wrapping_add(k) }),
            2..=3 => ((d[i] * b) as i32),
            _ => {
                ((92i32) << ((7i32 % 7) & 7))
            }
        };
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 0) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((if ((!(21i64))) > ((59i64 % ((t1 & 7) + 9))) { 68i64 } else { t1 })) > ((t1).min(t1)) { n * (i + 1) + j - 1 } else { i * n + j + n * 1 - n };
        y[at] = s + (if ((if ((34u32).wrapping_sub(t7)) != (((a * 1e9) as u32)) { t4 } else { 0.75f32 })) < ((-(t4))) { ((-(x[i * n + j + n * 1 - n]))).mul_add((-(0.75f32)), 0.25) } else { ((-(t4))).abs().sqrt() }) + x[either];
        if ((29u8).max(w[j])) < (((b * 1e9) as u8)) && i > 1 && j + 2 < n {
            z[i * n + j] ^= k ^ v[(i - 2) * n + j + 2];
        }
        e[j + n * i] = e[at] * 0.5 + d[i] + b;
        q[at] ^= (((i * 1000 + j) as u64)).wrapping_add(((if (a) < ((x[i * n + j + 1] + t4)) { 60u64 } else { ((i * 1000 + j) as u64) })).wrapping_mul((w[j] as u64))) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        ((i * 1000 + j) as u64) & 0xffff
    }
    pub fn c2(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [((k % 3)).wrapping_mul((98i32).max(k)); 4];
        for t2 in 0..4usize {
            t1[t2] = k;
        }
        let t3 = t1[0];
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if (((55i64) >> (22i64 & 7))) == ((57i64 ^ 50i64)) { j - 1 + i * n } else { j + n * (i + 1) };
        y[at] = s + (((a).max(0.75f32) + (a * a))).trunc() + x[either];
        if ((b * b)) >= ((b).max(b)) && i > 1 && j + 2 < n {
            z[i * n + j] ^= ((k / 9) ^ (v[n * (i + 1) + j - 1] | t3)) ^ v[(i - 2) * n + j + 2];
        }
        e[j + n * i] = e[at] * 0.5 + d[i] + ((-(b)) + (d[i]).trunc());
        q[at] ^= ((((0u8 / ((22u8 & 7) + 1)) as f32) * 1e9) as u64) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((b).trunc() * 1e9) as u64) & 0xffff
    }
    pub fn c3(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u8 = (((w[j] / 6) % 9)).min(((72i64 % 8) as u8));
        for t2 in 0u8..3u8 {
            let mut t3 = [((i * 1000 + j) as u64); 4];
            for t4 in 0..4usize {
                t3[t4] = (if ((if (a) < ((a).abs().sqrt()) { t2 } else { t2 })) == ((t2 / ((t1 & 7) + 1))) { ((b * 1e9) as u64) } else { (!(87u64)) });
            }
            let t5 = t3[0];
            if (t5) != ((t2 as u64)) {
                t1 = (!((w[j] / ((89u8 & 7) + 1))));
            } else {
                t1 |= t2;
            }
        }
        for t6 in 2usize..=3usize {
            t1 |= (((-(b)) * 1e9) as u8);
        }
        for t7 in 2i32..2i32 {
            if (25u32) == (11u32) {
                t1 |= t1;
                let t8: u32 = (((32u32) << ((d[i] as u32) & 7))).max(((x[i * n + j + n * 2 - n] - a) as u32));
            } else {
                let t9: f64 = (((d[i]).abs() - (b / (b + 3.5)))).abs().sqrt();
                t1 |= ((t1 / ((49u8 & 7) + 1)) / (((t1).min(t1) & 7) + 1));
            }
            let t10: u8 = ((((x[j + i * n]).abs() + (a).abs()) * 1e9) as u8);
        }
        let mut s = 0.0f32;
        for p in 0..3 {
            for r in j - 0..j + 2 {
                s = s * 0.5 + x[(i + p - 0) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((71i64 ^ 79i64)) <= ((!(14i64))) { j + i * n } else { i * n + j + n * 2 - n };
        y[at] = s + x[n * (i + 1) + j - 1] + x[either];
        z[at] = (!((v[j - 1 + (i - 1) * n] % ((k & 7) + 9)))) | 1;
        e[j + n * i] = e[at] * 0.5 + d[i] + ((-(b))).abs();
        q[at] ^= ((((i * 1000 + j) as u64)) << (30u64 & 7)) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((0.75f32 + a) * 1e9) as u64) & 0xffff
    }
    pub fn c4(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..=5u8 {
            if (98u8) == ((t1 / ((t1 & 7) + 1))) {
                let t2: f64 = (if ((57u32).min(11u32)) == (((70u32) >> (16u32 & 7))) { (-((-(3.5f64)))) } else { (b).mul_add((b / (d[i] + 3.5)), 0.25) });
            } else {
                let t3: i64 = (13i64 % ((((!(27i64)) % (((36i64 / 8) & 7) + 9)) & 7) + 9));
            }
            let mut t4 = 0u32;
            while t4 < 2 {
                t4 += 1;
                if ((((i * 1000 + j) as u64)).min((i as u64))) < (((i * 1000 + j) as u64)) { break; }
            }
        }
        for t5 in 1i32..=2i32 {
            let t6: f32 = ((-((if ((((i * 1000 + j) as u64) / 5)) != ((((i * 1000 + j) as u64)).wrapping_mul(85u64)) { a } else { a }))) - a);
        }
        let mut s = 0.0f32;
        for p in 0..3 {
            for r in j - 0..j + 2 {
                s = s * 0.5 + x[(i + p - 0) * n + r];
            }
        }
        let at = i * n + j;
        let either = if (b) < (b) { i * n + j + n * 2 - n } else { i * n + j + n * 2 - n };
        y[at] = s + (((0.75f32).trunc()).mul_add((a).abs().sqrt(), 0.25)).min((-((0.75f32).max(0.75f32)))) + x[either];
        z[at] = ((!(k))).wrapping_mul(k) | 1;
        e[j + n * i] = e[at] * 0.5 + d[i] + d[i];
        if ((1i64).max((if ((!(((i * 1000 + j) as u64)))) > (((i as u64)).min(((i * 1000 + j) as u64))) { 92i64 } else { 33i64 }))) < ((!(16i64))) { return v[at - n] as u64 & 255; }
        q[at] ^= (((73i64 as u64) | (!(((i * 1000 + j) as u64))))).wrapping_sub(32u64) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        ((b - b) as u64) & 0xffff
    }
    pub fn c5(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i32 = v[(i - 1) * n + j + 1];
        let mut t2 = [(-(a)); 4];
        for t3 in 0..4usize {
            t2[t3] = (((0.75f32 * 1e9) as u8) as f32);
        }
        let t4 = t2[3];
        t1 |= (((32u64 as i32)) >> ((if ((if (((34u8) >> (7u8 & 7))) < ((if (84i64) < ((13i64 | 79i64)) { w[j] } else { w[j] })) { 57i64 } else { 46i64 })) > (((0.75f32 * 1e9) as i64)) { t1 } else { v[i * n + j - 1] }) & 7));
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((w[j] & w[j])) >= ((!(63u8))) { j - 1 + (i - 1) * n } else { i * n + j + n * 2 - n };
        y[at] = s + (if (((b * 1e9) as u8)) <= ((14u8 / ((w[j] & 7) + 1))) { x[i * n + j] } else { ((t4 / (a + 3.5))).min(x[j + 1 + (i - 1) * n]) }) + x[either];
        if (51i64) < ((0.75f32 as i64)) && i > 1 && j + 2 < n {
            z[i * n + j] ^= ((v[i * n + j - 1] ^ 6i32) / 5) ^ v[(i - 2) * n + j + 2];
        }
        e[j + n * i] = e[at] * 0.5 + d[i] + (b).min(b);
        q[at] ^= (((!((8u64).wrapping_add(((i * 1000 + j) as u64))))) << ((((t4 * 1e9) as u64) & ((t4 * 1e9) as u64)) & 7)) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((i as u64)) << ((67u64 | ((i * 1000 + j) as u64)) & 7)) & 0xffff
    }
    pub fn c6(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..=4i32 {
            let t2: f64 = ((d[i]).max(b)).abs().sqrt();
        }
        let mut t3: i32 = ((21i32) >> ((k & k) & 7));
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 0) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((k as u64)) != (((d[i] * 1e9) as u64)) { i * n + j + n * 1 - n } else { j + i * n };
        y[at] = s + (if ((w[j] & w[j])) == (w[j]) { ((a).mul_add(0.75f32, 0.25) * (a).abs().sqrt()) } else { ((a).abs().sqrt()).trunc() }) + x[either];
        z[at] = (k).min((v[i * n + j + n * 2 - n] as i32)) | 1;
        e[j + n * i] = e[at] * 0.5 + d[i] + (if ((b).ceil()) > ((b + b)) { (b).trunc() } else { d[i] });
        q[at] ^= ((if (((b * 1e9) as i64)) > (31i64) { (85i64 as u64) } else { ((i * 1000 + j) as u64) })).max(((42i64).wrapping_mul(11i64) as u64)) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((if ((a as i64)) <= ((55i64 / 3)) { d[i] } else { b }) * 1e9) as u64) & 0xffff
    }
    pub fn c7(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 1i32..=2i32 {
            let t2: f32 = match ((40u32 ^ 71u32) ^ ((a * 1e9) as u32)) % 6 {
                0 => a,
                1 | 4 => ((4u32 as u32) as f32),
                2..=3 => ((x[i * n + j + n * 2 - n] - a) + (a / (a + 3.5))),
                _ => {
                    (a).abs().sqrt()
                }
            };
        }
        for t3 in 1usize..=5usize {
            let mut t4 = [((39u8 as i32) & ((b * 1e9) as i32)); 4];
            for t5 in 0..4usize {
                t4[t5] = ((0.75f32 * 1e9) as i32);
            }
            let t6 = t4[0];
        }
        let mut s = 0.0f32;
        for p in 0..3 {
            for r in j - 0..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((62i64 & 40i64)) == ((59i64 | 15i64)) { i * n + j + n * 0 - n } else { i * n + j + n * 0 - n };
        y[at] = s + (x[j + (i - 1) * n]).min((if ((((i * 1000 + j) as u64) / (((i as u64) & 7) + 1))) <= ((((i * 1000 + j) as u64) & 98u64)) { (a).mul_add(0.75f32, 0.25) } else { a })) + x[either];
        if ((k as i32)) == ((k % ((k & 7) + 9))) && i > 1 && j + 2 < n {
            z[i * n + j] ^= (!(((k) << (k & 7)))) ^ v[(i - 2) * n + j + 2];
        }
        e[j + n * i] = e[at] * 0.5 + d[i] + ((if ((25u32 / ((24u32 & 7) + 1))) <= ((61u32).min(48u32)) { 1.75e9f64 } else { 2.25e-3f64 })).mul_add((-(d[i])), 0.25);
        q[at] ^= 90u64 ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        19u64 & 0xffff
    }
    pub fn c8(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: f64 = (((b + 0.0f64)).min((d[i] * b)) - (-((b).min(b))));
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if (((x[i * n + j + n * 1 - n] * 1e9) as i64)) > ((97i64 % 2)) { j + 1 + (i - 1) * n } else { j + n * (i + 1) };
        y[at] = s + (((49u32 as f32) + (a * x[j + 1 + n * (i + 1)]))).trunc() + x[either];
        z[at] = k | 1;
        e[j + n * i] = e[at] * 0.5 + d[i] + (if ((!(94i64))) < ((69i64).max(91i64)) { b } else { (if (((66u64) << ((i as u64) & 7))) <= ((((i * 1000 + j) as u64) % 2)) { 0.125f64 } else { d[i] }) });
        q[at] ^= (((if ((51u8 | 78u8)) >= ((a as u8)) { 27u64 } else { (i as u64) }) ^ (b as u64))).max(((((i * 1000 + j) as u64) % 1) | (a as u64))) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        ((i * 1000 + j) as u64) & 0xffff
    }
    pub fn c9(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(((0u64 / (((i as u64) & 7) + 1))) >> (((i * 1000 + j) as u64) & 7)); 4];
        for t2 in 0..4usize {
            t1[t2] = (((d[i] * 1e9) as u64)).wrapping_add((((i * 1000 + j) as u64) / ((((i * 1000 + j) as u64) & 7) + 1)));
        }
        let t3 = t1[1];
        let mut t4 = 0u32;
        while t4 < 5 {
            t4 += 1;
            if ((b).floor()) < (b) { break; }
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if ((!(8i64))) != ((15i64).wrapping_sub(25i64)) { continue; }
            }
        }
        let t6: f32 = match 46u32 % 6 {
            0 => (if ((18u8).wrapping_add(93u8)) == ((w[j] | 55u8)) { x[i * n + j + n * 2 - n] } else { (a).mul_add(a, 0.25) }),
            1 | 4 => a,
            2..=3 => 0.75f32,
            _ => {
                (if ((89i64).min(88i64)) != ((if ((a / (a + 3.5))) >= ((-(a))) { 72i64 } else { 25i64 })) { (26u8 as f32) } else { (a).trunc() })
            }
        };
        let mut t7: i64 = ((!(61i64)) | (!((if (((b * 1e9) as u8)) == (((w[j]) >> (54u8 & 7))) { 38i64 } else { 18i64 }))));
        let mut s = 0.0f32;
        for p in 0..3 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if (((w[j]) >> (w[j] & 7))) >= ((w[j] ^ w[j])) { i * n + j + 1 } else { i * n + j };
        y[at] = s + t6 + x[either];
        if ((b).mul_add(d[i], 0.25)) <= ((d[i] - d[i])) && i > 1 && j + 2 < n {
            z[i * n + j] ^= (((4i32) << (k & 7)) ^ v[i * n + j + n * 2 - n]) ^ v[(i - 2) * n + j + 2];
        }
        e[j + n * i] = e[at] * 0.5 + d[i] + ((b * b)).max(2.75e9f64);
        if ((-((0.75f32 as f64)))) > ((x[i * n + j + n * 1 - n] as f64)) { return v[at - n] as u64 & 255; }
        q[at] ^= t3 ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((t6 * 1e9) as u64)).wrapping_sub((t3 & 88u64)) & 0xffff
    }
    pub fn c10(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i64 = (!((((1u32 as f32) * 1e9) as i64)));
        let mut t2 = 0u32;
        while t2 < 5 {
            t2 += 1;
            if (a) != ((a / (a + 3.5))) { break; }
            let t3: u8 = match ((((i * 1000 + j) as u64) | ((i * 1000 + j) as u64)) as u32) % 6 {
                0 => (!(((b * 1e9) as u8))),
                1 | 4 => (((41u8).wrapping_add(w[j])) << ((97u8 / ((74u8 & 7) + 1)) & 7)),
                2..=3 => (56u8 & ((44u8) >> (w[j] & 7))),
                _ => {
                    t1 ^= t1;
                    ((1.5f64).mul_add(b, 0.25) as u8)
                }
            };
        }
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((47u8 as u8)) != ((61u8 | 96u8)) { i * n + j + n * 2 - n } else { i * n + j + n * 0 - n };
        y[at] = s + (-((-((a + a))))) + x[either];
        if ((if (((22u8) << (36u8 & 7))) <= ((!(27u8))) { t1 } else { 86i64 })) < ((19i64 / 1)) && i > 1 && j + 2 < n {
            z[i * n + j] ^= (k).wrapping_mul((k % 2)) ^ v[(i - 2) * n + j + 2];
        }
        e[j + n * i] = e[at] * 0.5 + d[i] + ((b).abs().sqrt() + (d[i]).min(d[i]));
        q[at] ^= (((i * 1000 + j) as u64)).wrapping_add(((i * 1000 + j) as u64)) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        (((b + b) * 1e9) as u64) & 0xffff
    }
    pub fn c11(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 2 {
            t1 += 1;
            if ((43i64).wrapping_add(85i64)) <= ((70i64 ^ 58i64)) { break; }
            for t2 in 2i32..3i32 {
                let mut t3: u8 = ((((-(a)) * 1e9) as u8)).wrapping_add(((64i64).max(86i64) as u8));
            }
        }
        let mut t4 = [t1; 4];
        for t5 in 0..4usize {
            t4[t5] = 43u32;
        }
        let t6 = t4[3];
        let mut t7 = [(!((47i32).wrapping_sub(k))); 4];
        for t8 in 0..4usize {
            t7[t8] = (!(((d[i] * 1e9) as i32)));
        }
        let t9 = t7[3];
        let mut s = 0.0f32;
        for p in 0..2 {
            for r in j - 1..j + 2 {
                s = s * 0.5 + x[(i + p - 1) * n + r];
            }
        }
        let at = i * n + j;
        let either = if ((85u32 | 75u32)) > ((t1 / ((26u32 & 7) + 1))) { j + n * (i + 1) } else { n * (i + 1) + j + 1 };
        y[at] = s + (((w[j] / ((w[j] & 7) + 1)) as f32)).mul_add(((a).mul_add(a, 0.25)).floor(), 0.25) + x[either];
        z[at] = (if ((57u8 / ((63u8 & 7) + 1))) < ((63u8 | w[j])) { (a as i32) } else { (v[(i - 1) * n + j - 1] / 3) }) | 1;
        e[j + n * i] = e[at] * 0.5 + d[i] + d[i];
        q[at] ^= ((i * 1000 + j) as u64) ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;
        7u64 & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::Program; 12] = [
    (plain::c0, crate::of_mapped!(c0)),
    (plain::c1, crate::of_mapped!(c1)),
    (plain::c2, crate::of_mapped!(c2)),
    (plain::c3, crate::of_mapped!(c3)),
    (plain::c4, crate::of_mapped!(c4)),
    (plain::c5, crate::of_mapped!(c5)),
    (plain::c6, crate::of_mapped!(c6)),
    (plain::c7, crate::of_mapped!(c7)),
    (plain::c8, crate::of_mapped!(c8)),
    (plain::c9, crate::of_mapped!(c9)),
    (plain::c10, crate::of_mapped!(c10)),
    (plain::c11, crate::of_mapped!(c11)),
];
