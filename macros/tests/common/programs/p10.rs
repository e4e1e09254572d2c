// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn p10(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i64 = (14u32 as i64);
        t1 = ((if (70u32) >= ((23u32).max(55u32)) { d[i] } else { b }) as i64);
        let t2: u8 = match (((26u32 / ((44u32 & 7) + 1))) >> ((68u64 as u32) & 7)) % 6 {
            0 => 31u8,
            1 | 4 => 17u8,
            2..=3 => 44u8,
            _ => {
                t1 = (!(((t1) << (t1 & 7))));
                20u8
            }
        };
        let mut t3 = 0u32;
        while t3 < 2 {
            t3 += 1;
            if ((!(k))) != ((16i32 | k)) { break; }
            let mut t4 = 0u32;
            while t4 < 2 {
                t4 += 1;
                if (((2.125f64 * 1e9) as u8)) >= ((!(w[3]))) { break; }
                let t5: f32 = (((x[i * n + n / 2]).ceil() + (-(a)))).abs();
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            y[i * n + j] = ((if (((a * 1e9) as u32)) == ((t3 % 5)) { (a).mul_add(x[(i + 1) * n + j], 0.25) } else { (a).max(a) })).abs();
            s += ((b).max(b)).floor() * 0.001;
        }
        for _ in 0..k as usize {
            for j in (1..n).rev().step_by(3) {
                y[i * n + j] = (y[i * n + j] * 0.5).max(((a - a) / ((a + a) + 3.5)));
            }
        }
        e[i] = s + d[i] * 0.5 + ((k).max(k) as f64);
        z[i] = (v[i * n + n / 2] % (((((a + x[i * n + n / 2]) * 1e9) as i32) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (i as u64);
        q[2 * i + 1] ^= ((84u64 & 23u64)).wrapping_sub((31u64 / ((79u64 & 7) + 1))) ^ x[i * n] as u64 ^ w[1] as u64;
        38u64 & 0xffff
    }
    pub fn p11(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(((b as i32)) << ((k ^ v[(i - 1) * n + n / 2]) & 7)); 4];
        for t2 in 0..4usize {
            t1[t2] = (if (b) != ((1.0f64).mul_add(2.125f64, 0.25)) { (v[(i - 1) * n + n / 2] % ((30i32 & 7) + 9)) } else { (k).min(v[i * n + n / 2]) });
        }
        let t3 = t1[3];
        let mut s = 0.0f64;
        for j in 0..n {
            let mut t4 = [((90i64 % ((92i64 & 7) + 9))).max(11i64); 4];
            for t5 in 0..4usize {
                t4[t5] = (67i64 & ((i as u64) as i64));
            }
            let t6 = t4[2];
            y[i * n + j] = x[i * n + j];
            s += (b * (b).ceil()) * 0.001;
        }
        for _ in 0..k as usize {
            for j in (1..n).rev().step_by(3) {
                let mut t7 = 0u32;
                while t7 < 2 {
                    t7 += 1;
                    if (2.5f64) <= (b) { break; }
                }
                let mut t8 = 0u32;
                while t8 < 1 {
                    t8 += 1;
                    if ((a - x[(i + 1) * n + j])) < ((-(3.5f32))) { break; }
                }
                y[i * n + j] = ((a).min(3.25e-3f32) - (a).abs().sqrt());
            }
        }
        e[i] = s + d[i] * 0.5 + (-(0.5f64));
        if ((((!(w[3])) / ((48u8 & 7) + 1))) <= (95u8) || ((a / (2.5f32 + 3.5))) == ((a / (1.125f32 + 3.5)))) { return v[i * n] as u64 & 255; }
        z[i] = v[(i - 1) * n + n / 2] ^ v[i * n + 1];
        q[2 * i] = (((96u64 / (((i as u64) & 7) + 1)) & ((i as u64)).max(81u64))).max((((a * 1e9) as u64) / ((80u64 & 7) + 1)));
        q[2 * i + 1] ^= ((31u64).wrapping_sub(62u64) / (((if ((w[3] % 6)) >= ((!(w[3]))) { 11u64 } else { (i as u64) }) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((((i as u64)).min(26u64)) >> ((i as u64) & 7)) & 0xffff
    }
    pub fn p12(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = b;
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = 3.125f32;
            s += ((b / (b + 3.5)) / ((-(1.5e19f64)) + 3.5)) * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            y[i * n + j] = (a / ((-(a)) + 3.5));
        }
        e[i] = s + d[i] * 0.5 + ((40u8 as f64) / ((-(1.25f64)) + 3.5));
        z[i] = (!(((k).wrapping_add(k) % 9))) ^ v[i * n + 1];
        q[2 * i] = ((((if ((62i64 as u64)) != ((i as u64)) { (i as u64) } else { 67u64 }) / (((i as u64) & 7) + 1))) >> ((if ((i as u64)) == (((b * 1e9) as u64)) { (!((i as u64))) } else { (i as u64) }) & 7));
        q[2 * i + 1] ^= (54u64 / 2) ^ x[i * n] as u64 ^ w[1] as u64;
        32u64 & 0xffff
    }
    pub fn p13(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..4i32 {
            let mut t2 = [(((v[(i - 1) * n + n / 2]).min(k)) >> ((v[(i - 1) * n + n / 2] ^ v[i * n + n / 2]) & 7)); 4];
            for t3 in 0..4usize {
                t2[t3] = (((b * 1e9) as i32) | t1);
            }
            let t4 = t2[0];
            let mut t5 = 0u32;
            while t5 < 1 {
                t5 += 1;
                if ((if ((57u64 / 8)) != (((30u64) << (45u64 & 7))) { d[i] } else { 0.25e-3f64 })) != ((b / (b + 3.5))) { continue; }
                let mut t6: f64 = (((2.0f64).trunc() / ((-(d[i])) + 3.5)) - ((a).mul_add(a, 0.25) as f64));
            }
        }
        let t7: i64 = ((((a * 1e9) as i64) / 2) / 7);
        let mut t8: f32 = (if ((0.25f64).min(3.125f64)) <= ((b + 0.25f64)) { ((if (((b * 1e9) as u64)) > ((!(37u64))) { a } else { 1.75e9f32 })).ceil() } else { a });
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = x[(i + 1) * n + j];
            s += (b).mul_add((if (t7) != ((t7 / 1)) { 3.75e9f64 } else { 3.25f64 }), 0.25) * 0.001;
        }
        for j in (1..n).rev() {
            let t9: u8 = ((87u8).wrapping_mul(((73u8) >> (w[j] & 7)))).max((((if ((if ((d[i] / (b + 3.5))) == ((3.75e9f32 as f64)) { t7 } else { t7 })) <= ((51i64).max(67i64)) { 51u8 } else { 65u8 })) << ((!(w[j])) & 7)));
            if ((t9 / ((t9 & 7) + 1))) > ((t9).max(27u8)) { y[i * n + j] = ((a - t8) - (t8).trunc()) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((b).ceil()).abs().sqrt();
        z[i] = (((!(v[i * n + n / 2])) / 2) % 1) ^ v[i * n + 1];
        q[2 * i] = (!((i as u64)));
        q[2 * i + 1] ^= (((x[i * n + n / 2]).mul_add(a, 0.25) * 1e9) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        47u64 & 0xffff
    }
    pub fn p14(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..5u8 {
            let mut t2: u32 = 47u32;
            let mut t3: f64 = ((-((k as f64))) * ((b).mul_add(d[i], 0.25)).abs().sqrt());
        }
        let mut t4: i64 = 56i64;
        let mut t5 = [(((1.125f64 * 1e9) as i64)).wrapping_add((!(t4))); 4];
        for t6 in 0..4usize {
            t5[t6] = ((!(t4)) as i64);
        }
        let t7 = t5[0];
        let mut t8: u64 = ((((a).abs() * 1e9) as u64)).wrapping_sub(((12u64).min(21u64) / 9));
        for j in 0..n {
            for t9 in 2u8..=3u8 {
            }
            y[i * n + j] = (a - a);
        }
        for j in (1..n).rev() {
            if (((x[i * n + n - 1 - j] + a) - (1.25f32).mul_add(a, 0.25))) == (x[(i + 1) * n + j]) {
            } else {
            }
            if (((b * 1e9) as i64)) != ((94i64 & t7)) { y[i * n + j] = ((a / (0.0f32 + 3.5)) - (a * a)) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + (-((d[i]).ceil()));
        if ((if ((t4 as f32)) >= (a) { t7 } else { t4 })) != ((if ((if ((t4 ^ 54i64)) < (t7) { k } else { k })) != (((3.25e-3f32 * 1e9) as i32)) { t4 } else { 4i64 })) { return v[i * n] as u64 & 255; }
        z[i] = ((16i32).wrapping_sub((!(k))) % (((((b / (b + 3.5)) * 1e9) as i32) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (83u64).wrapping_add(t8);
        q[2 * i + 1] ^= (if (b) == ((b).mul_add(b, 0.25)) { ((b * 1e9) as u64) } else { ((t8) << (t8 & 7)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((23u32 ^ 1u32)) > (((a * 1e9) as u32)) { (17u64).wrapping_add(74u64) } else { ((3.125f64 * 1e9) as u64) }) & 0xffff
    }
    pub fn p15(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if (13u32) == ((b as u32)) && (((26i64) << (59i64 & 7))) != ((3i64).min(7i64)) {
            for t1 in 0u8..5u8 {
                let mut t2: i32 = k;
                let mut t3: u64 = (((!((i as u64))) & (38i64 as u64))).wrapping_mul((13u64 / (((56u64).max(42u64) & 7) + 1)));
            }
        } else {
            if (42u32) <= ((61u32 / 5)) && ((if ((8i64 / 8)) > ((16i64).min(4i64)) { (i as u64) } else { 45u64 })) <= ((53u64).wrapping_sub(0u64)) {
            } else {
            }
            for t4 in 1i32..=2i32 {
                let mut t5: u32 = 62u32;
            }
        }
        let mut t6 = [((a * 1e9) as i32); 4];
        for t7 in 0..4usize {
            t6[t7] = ((v[i * n + n / 2] | k)).wrapping_mul((!(v[(i - 1) * n + n / 2])));
        }
        let t8 = t6[3];
        for j in 1..n - 1 {
            let t9: u8 = ((if ((!(72i64))) != ((55i64).max(77i64)) { (39u8).wrapping_sub(w[j]) } else { (69i64 as u8) }) / (((if ((76u64 / (((i as u64) & 7) + 1))) != (((i as u64) ^ (i as u64))) { 38u8 } else { ((b * 1e9) as u8) }) & 7) + 1));
            y[i * n + j] = 1.0f32;
        }
        for j in 2..=n - 1 {
            if (((v[i * n + j]) >> (v[i * n + j] & 7))) <= ((t8 % ((27i32 & 7) + 9))) { y[i * n + j] = ((a).floor()).floor() - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + 2.125f64;
        z[i] = (((((1.25f64 * 1e9) as i32)) >> (v[(i - 1) * n + n / 2] & 7)) as i32) ^ v[i * n + 1];
        q[2 * i] = ((!((i as u64))) ^ 24u64);
        q[2 * i + 1] ^= (!((!((i as u64))))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((i as u64) / (((((i as u64)) >> (96u64 & 7)) & 7) + 1)) & 0xffff
    }
    pub fn p16(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u8 = (((!(6u8))).wrapping_add(((w[3]) << (w[3] & 7))) / (((!((35i64 as u8))) & 7) + 1));
        let mut t2 = [(!((38u32 | 21u32))); 4];
        for t3 in 0..4usize {
            t2[t3] = (((!(80u32))) << (21u32 & 7));
        }
        let t4 = t2[2];
        for j in 2..n {
            let mut t5 = 0u32;
            while t5 < 3 {
                t5 += 1;
                if ((k & 85i32)) <= (((x[(i + 1) * n + j] * 1e9) as i32)) { continue; }
                let t6: f32 = a;
                let mut t7: i64 = (((b).max(b) - (if ((51u64 ^ 8u64)) > (((i as u64)).wrapping_mul(53u64)) { d[i] } else { b })) as i64);
            }
            y[i * n + j] = ((4u64 as f32) * ((-(a))).abs());
        }
        for j in (0..n).step_by(2) {
            let t8: f32 = match ((t4 / ((t4 & 7) + 1)) / (((t4 & t4) & 7) + 1)) % 6 {
                0 => ((57i32 as f32) / ((-(a)) + 3.5)),
                1 | 4 => (-(a)),
                2..=3 => (2.0f32 / ((t1 as f32) + 3.5)),
                _ => {
                    ((a).abs() / (a + 3.5))
                }
            };
            if (9i64) != ((!(67i64))) { y[i * n + j] = ((t8).mul_add(a, 0.25) - (t8).abs().sqrt()) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + ((2.25f64 - 3.125f64)).abs().sqrt();
        z[i] = (((-((a as f64))) * 1e9) as i32) ^ v[i * n + 1];
        q[2 * i] = 91u64;
        q[2 * i + 1] ^= ((if (((t1) >> (50u8 & 7))) != ((t1).wrapping_mul(w[3])) { (i as u64) } else { 45u64 }) / 1) ^ x[i * n] as u64 ^ w[1] as u64;
        ((74u64).wrapping_sub(95u64) as u64) & 0xffff
    }
    pub fn p17(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(!((30u32 % 6))); 4];
        for t2 in 0..4usize {
            t1[t2] = ((65u32 | 42u32) ^ (40u32 | 23u32));
        }
        let t3 = t1[2];
        for j in 2..n {
            let mut t4: u8 = (((-((-(2.25f64)))) * 1e9) as u8);
            t4 |= ((w[j]) << (((i as u64) as u8) & 7));
            y[i * n + j] = (a).abs().sqrt();
        }
        for j in (0..n).step_by(2) {
            y[i * n + j] = (if (((b * 1e9) as u8)) > ((52u8).min(72u8)) { (a - 3.25e-3f32) } else { 2.0f32 });
        }
        e[i] = d[i] * 0.5 + ((b).mul_add(d[i], 0.25)).min((-(b)));
        z[i] = (((k & k) % 5)).min((if (((b * 1e9) as u64)) == (((b * 1e9) as u64)) { (v[(i - 1) * n + n / 2]).max(v[(i - 1) * n + n / 2]) } else { ((k) >> (k & 7)) })) ^ v[i * n + 1];
        q[2 * i] = (if (62u64) < ((if (t3) > ((t3 % 4)) { 60u64 } else { 72u64 })) { ((89u64) << ((25u64).wrapping_mul(5u64) & 7)) } else { (if ((!(w[3]))) <= ((17u8 / ((w[3] & 7) + 1))) { ((i as u64) / ((37u64 & 7) + 1)) } else { (28u64 % 9) }) });
        q[2 * i + 1] ^= (((94u64 / (((i as u64) & 7) + 1))) << ((!(91u64)) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        (if (53i64) < (((42i64) >> (93i64 & 7))) { (5u64 / (((i as u64) & 7) + 1)) } else { ((48u64) << (84u64 & 7)) }) & 0xffff
    }
    pub fn p18(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = match (((8u32) >> (84u32 & 7))).wrapping_add(67u32) % 6 {
            0 => (if (((43u32) << (32u32 & 7))) > ((k as u32)) { (a as f64) } else { b }),
            1 | 4 => ((b).mul_add(b, 0.25)).max((b / (b + 3.5))),
            2..=3 => 1.25f64,
            _ => {
                let t2: i64 = ((((24i64 % 5)) >> ((54i64).wrapping_add(16i64) & 7)) % ((92i64 & 7) + 9));
                b
            }
        };
        let mut t3 = [((36u32 / 6)).wrapping_sub((0u32 / ((71u32 & 7) + 1))); 4];
        for t4 in 0..4usize {
            t3[t4] = ((25u8 as u32) / 1);
        }
        let t5 = t3[2];
        let mut t6 = 0u32;
        while t6 < 3 {
            t6 += 1;
            if (t5) >= ((!(t5))) { continue; }
        }
        for t7 in 0u8..=4u8 {
            let mut t8 = 0u32;
            while t8 < 2 {
                t8 += 1;
                if ((47i32).min(k)) != ((k).wrapping_mul(v[i * n + n / 2])) { break; }
                let t9: f64 = (((b).abs().sqrt()).abs().sqrt()).abs().sqrt();
            }
            let mut t10 = 0u32;
            while t10 < 3 {
                t10 += 1;
                if (k) >= (((v[(i - 1) * n + n / 2]) >> (v[i * n + n / 2] & 7))) { break; }
                let mut t11: i64 = (if ((-(3.25e-3f64))) >= ((-(t1))) { ((a).trunc() as i64) } else { (99i64).wrapping_sub(((x[(i + 1) * n + n / 2] * 1e9) as i64)) });
                t11 |= ((t11).wrapping_sub(t11)).max((53u64 as i64));
            }
        }
        for j in 1..n - 1 {
            y[i * n + j] = (((-(x[i * n + j]))).max((-(a)))).abs().sqrt();
        }
        for _ in 0..k as usize {
            for j in 0..n {
                if ((k as u64)) == (((b * 1e9) as u64)) { y[i * n + j] = ((1.5e19f32 - x[(i + 1) * n + j]) / ((if ((if (((t1 * 1e9) as u32)) < ((!(t5))) { 1.25e-3f64 } else { b })) < ((b / (d[i] + 3.5))) { x[i * n + n - 1 - j] } else { a }) + 3.5)) - y[i * n + j]; }
            }
        }
        e[i] = d[i] * 0.5 + ((!(v[(i - 1) * n + n / 2])) as f64);
        z[i] = ((((v[(i - 1) * n + n / 2]).wrapping_sub(v[i * n + n / 2])) << ((v[i * n + n / 2] % ((k & 7) + 9)) & 7)) / 7) ^ v[i * n + 1];
        q[2 * i] = (!((!((i as u64)))));
        q[2 * i + 1] ^= (if ((w[3] / 4)) <= ((w[3]).min(26u8)) { ((a * 1e9) as u64) } else { (9u64 & (i as u64)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        ((i as u64) & (i as u64)) & 0xffff
    }
    pub fn p19(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 2 {
            t1 += 1;
            if ((if ((x[(i + 1) * n + n / 2]).mul_add(a, 0.25)) <= ((a).mul_add(a, 0.25)) { x[(i + 1) * n + n / 2] } else { 2.75e9f32 })) == ((x[i * n + n / 2] + x[(i + 1) * n + n / 2])) { continue; }
        }
        let mut t2 = 0u32;
        while t2 < 4 {
            t2 += 1;
            if ((61i64 | 62i64)) < ((!(82i64))) { break; }
            if ((if ((60u64 as i64)) >= ((!(39i64))) { (b - b) } else { d[i] })) < ((-(3.25f64))) {
                let mut t3: u64 = (((83u64).max((i as u64))).min((i as u64))).max((88i64 as u64));
                let mut t4: i64 = 25i64;
            } else {
            }
            let mut t5: u64 = (((!(51u64)) % 5) / 8);
        }
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t6: f32 = x[(i + 1) * n + j];
            y[i * n + j] = (((t1 / ((t1 & 7) + 1)) / 5) as f32);
            s += b * 0.001;
        }
        for j in 0..n {
            let mut t7 = [((a as u8) / ((((19u8) << (69u8 & 7)) & 7) + 1)); 4];
            for t8 in 0..4usize {
                t7[t8] = (((b * 1e9) as u8)).max(((a * 1e9) as u8));
            }
            let t9 = t7[3];
            if ((t2 | 92u32)) > ((83u32 / ((t1 & 7) + 1))) { y[i * n + j] = ((a as f32)).abs().sqrt() - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((b).mul_add(b, 0.25) / ((if (55u8) > (((81u8) >> (11u8 & 7))) { d[i] } else { b }) + 3.5));
        if ((-((3.5e19f32).min(a)))) <= ((x[i * n + n / 2] - x[i * n + n / 2])) { return v[i * n] as u64 & 255; }
        z[i] = (!(((k % 1) % 8))) ^ v[i * n + 1];
        q[2 * i] = (((a).mul_add(a, 0.25)).mul_add(x[i * n + n / 2], 0.25) as u64);
        q[2 * i + 1] ^= (i as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        50u64 & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
    (plain::p10, crate::of_slices!(p10), p10::kernel),
    (plain::p11, crate::of_slices!(p11), p11::kernel),
    (plain::p12, crate::of_slices!(p12), p12::kernel),
    (plain::p13, crate::of_slices!(p13), p13::kernel),
    (plain::p14, crate::of_slices!(p14), p14::kernel),
    (plain::p15, crate::of_slices!(p15), p15::kernel),
    (plain::p16, crate::of_slices!(p16), p16::kernel),
    (plain::p17, crate::of_slices!(p17), p17::kernel),
    (plain::p18, crate::of_slices!(p18), p18::kernel),
    (plain::p19, crate::of_slices!(p19), p19::kernel),
];
