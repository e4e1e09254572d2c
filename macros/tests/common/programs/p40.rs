// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn p40(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u64 = (((72u64 / ((54u64 & 7) + 1))).wrapping_add(((a * 1e9) as u64))).wrapping_sub(((((i as u64)) >> (28u64 & 7)) % 3));
        if (((if ((6u32 / ((38u32 & 7) + 1))) <= ((if ((t1 as i32)) <= (((1.0f64 * 1e9) as i32)) { 68u32 } else { 66u32 })) { 9u8 } else { (95u8 / 6) })) < ((w[3] / ((0u8 & 7) + 1))) || (((b * 1e9) as u8)) <= ((62u8).max(w[3]))) {
            let t2: u64 = (((if (((w[3]) >> (55u8 & 7))) < ((w[3] / ((85u8 & 7) + 1))) { t1 } else { (t1).wrapping_mul(91u64) })) << ((if (23i64) <= ((if ((k as u32)) != ((31u32 / 1)) { 5i64 } else { 38i64 })) { (57u32 as u64) } else { t1 }) & 7));
        } else {
        }
        let mut t3: f32 = (a + ((a).ceil()).ceil());
        t3 = ((a).max(t3)).trunc();
        for j in 2..n {
            for t4 in 1usize..=3usize {
                let t5: u64 = t1;
            }
            y[i * n + j] = ((-(x[(i + 1) * n + j]))).abs();
        }
        for j in (1..n).rev() {
            let t6: i32 = (((-(3.25f64)) as i32) % (((((29i32) >> (k & 7))).wrapping_sub((79i32 % ((k & 7) + 9))) & 7) + 9));
            y[i * n + j] = (y[i * n + j] * 0.5).max(((-(x[(i + 1) * n + j]))).mul_add((if ((t3 - t3)) <= ((x[(i + 1) * n + j] + a)) { x[i * n + j] } else { x[(i + 1) * n + j] }), 0.25));
        }
        e[i] = d[i] * 0.5 + ((b).ceil()).mul_add((0.125f64).abs().sqrt(), 0.25);
        z[i] = (((k).min(k)).wrapping_add(k)).wrapping_add(k) ^ v[i * n + 1];
        q[2 * i] = t1;
        q[2 * i + 1] ^= (i as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (!((t1).wrapping_sub(t1))) & 0xffff
    }
    pub fn p41(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [((k).wrapping_sub(k)).wrapping_add(k); 4];
        for t2 in 0..4usize {
            t1[t2] = (!(k));
        }
        let t3 = t1[1];
        let mut t4: u32 = (if ((w[3] as u64)) < ((i as u64)) { 59u32 } else { ((66u32 & 16u32)).min(59u32) });
        let mut t5 = [((a).abs().sqrt()).abs().sqrt(); 4];
        for t6 in 0..4usize {
            t5[t6] = ((a).min(x[(i + 1) * n + n / 2]) * x[(i + 1) * n + n / 2]);
        }
        let t7 = t5[3];
        for j in 2..n {
            let mut t8: f32 = ((if ((b).min(b)) > ((d[i]).mul_add(b, 0.25)) { (if ((18u8 % 1)) <= (((a * 1e9) as u8)) { a } else { a }) } else { (a).mul_add(x[i * n + j], 0.25) }) - ((x[i * n + j]).min(a)).mul_add((a).mul_add(t7, 0.25), 0.25));
            let mut t9 = [((!(40u8)) / 5); 4];
            for t10 in 0..4usize {
                t9[t10] = ((33u8 / ((54u8 & 7) + 1)) / ((((w[j]) << (61u8 & 7)) & 7) + 1));
            }
            let t11 = t9[1];
            t8 *= t7;
            y[i * n + j] = (((t8 - t7) - (t8).max(a))).abs().sqrt();
        }
        for j in (1..n).rev().step_by(3) {
            let t12: u8 = (((if ((v[i * n + n - 1 - j]).min(t3)) > (((a * 1e9) as i32)) { 46u8 } else { w[j] })).min((82u8 ^ 95u8))).wrapping_add(w[j]);
            let mut t13: f64 = (b).mul_add(((0.0f64 / (d[i] + 3.5))).min((b).min(2.75e9f64)), 0.25);
            if ((t7 / (t7 + 3.5))) <= (a) { y[i * n + j] = (if ((14i64).min(86i64)) <= ((!(21i64))) { x[i * n + n - 1 - j] } else { (x[(i + 1) * n + j] * a) }) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + b;
        z[i] = ((if (27i64) == ((14i64).wrapping_add(3i64)) { ((t7 * 1e9) as u32) } else { (if (((x[(i + 1) * n + n / 2] * 1e9) as u8)) >= ((w[3]).max(w[3])) { t4 } else { t4 }) }) as i32) ^ v[i * n + 1];
        q[2 * i] = ((((i as u64)).max(76u64)).min((!(0u64)))).min(((if (((b * 1e9) as u32)) <= ((!(91u32))) { 45u64 } else { 56u64 }) / (((87u64 ^ 66u64) & 7) + 1)));
        q[2 * i + 1] ^= 17u64 ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p42(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i32 = match (((0.125f32).mul_add(a, 0.25) * 1e9) as u32) % 6 {
            0 => ((k).wrapping_sub(k) % (((60i32).wrapping_sub(k) & 7) + 9)),
            1 | 4 => v[i * n + n / 2],
            2..=3 => ((if ((90u64 as i64)) >= ((80i64 % ((69i64 & 7) + 9))) { 53i64 } else { 56i64 }) as i32),
            _ => {
                (k % (((v[(i - 1) * n + n / 2]).wrapping_sub(k) & 7) + 9))
            }
        };
        let mut t2 = [((-(x[(i + 1) * n + n / 2])) * (-(a))); 4];
        for t3 in 0..4usize {
            t2[t3] = (-((a - a)));
        }
        let t4 = t2[0];
        let mut s = 0.0f64;
        for j in 2..n {
            let t5: u8 = ((((-(t4))).trunc() * 1e9) as u8);
            y[i * n + j] = t4;
            s += ((b + 2.0f64)).min((t5 as f64)) * 0.001;
        }
        for j in 0..n {
            if ((!(68u8))) == ((46u8).min(89u8)) { y[i * n + j] = ((50u32 as f32) - (t4 * a)) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + (-((b).trunc()));
        z[i] = t1 ^ v[i * n + 1];
        q[2 * i] = (((!((62u64 & 95u64)))) << ((((if ((b - b)) > (b) { 77u64 } else { 60u64 })) << (((i as u64) | 7u64) & 7)) & 7));
        q[2 * i + 1] ^= (if ((!(3i64))) > ((5i64).min(74i64)) { (10u32 as u64) } else { ((i as u64) | (i as u64)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        ((i as u64) % 1) & 0xffff
    }
    pub fn p43(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let mut t1 = 0u32;
            while t1 < 1 {
                t1 += 1;
                if ((b).mul_add(d[i], 0.25)) >= ((b - b)) { break; }
                let mut t2: i32 = k;
                let t3: u64 = ((((b).min(0.0f64) + (-(b))) * 1e9) as u64);
            }
            let t4: i32 = match (if ((75i64).wrapping_sub(73i64)) >= (18i64) { (0u32 & t1) } else { (if ((if (34i64) != (67i64) { 68i32 } else { k })) >= (k) { t1 } else { t1 }) }) % 6 {
                0 => ((3.75e9f64 as i32)).min((if (((b * 1e9) as i64)) != ((61i64).min(7i64)) { k } else { k })),
                1 | 4 => k,
                2..=3 => ((k as i32) % ((((3i32) << (k & 7)) & 7) + 9)),
                _ => {
                    ((v[(i - 1) * n + j] % ((k & 7) + 9))).min((k % 7))
                }
            };
            y[i * n + j] = a;
            s += ((b).min(b)).min((if ((a).mul_add(x[i * n + n - 1 - j], 0.25)) == (a) { b } else { 1.125f64 })) * 0.001;
        }
        for j in (1..n).rev() {
            if ((if (a) <= ((a / (x[(i + 1) * n + j] + 3.5))) { b } else { 2.125f64 })) < ((a as f64)) { y[i * n + j] = ((-(a)) + ((i as u64) as f32)) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((b / (b + 3.5)) - (3.5f64 + b));
        z[i] = ((k % (((if (((i as u64) as u64)) >= (((i as u64)).wrapping_sub(7u64)) { v[(i - 1) * n + n / 2] } else { k }) & 7) + 9)) as i32) ^ v[i * n + 1];
        q[2 * i] = 78u64;
        q[2 * i + 1] ^= ((35u32 as u64) / ((((a * 1e9) as u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (64u64).wrapping_add((99u8 as u64)) & 0xffff
    }
    pub fn p44(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(36i64 as u32); 4];
        for t2 in 0..4usize {
            t1[t2] = ((22u32 ^ 14u32) / 1);
        }
        let t3 = t1[1];
        let t4: u64 = (((((i as u64) % 5) % 1)) >> (59u64 & 7));
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t5: i64 = (((!(7i64))) << (((!(56i64))).wrapping_mul((51i64 % ((71i64 & 7) + 9))) & 7));
            let mut t6 = [b; 4];
            for t7 in 0..4usize {
                t6[t7] = ((b / (0.25e-3f64 + 3.5))).abs().sqrt();
            }
            let t8 = t6[1];
            let t9: u64 = match ((t3).max(t3) / (((k as u32) & 7) + 1)) % 6 {
                0 => (!((w[j] as u64))),
                1 | 4 => ((t4 % 7)).min((t4).wrapping_mul(t4)),
                2..=3 => 60u64,
                _ => {
                    let mut t10: i32 = ((((k).min(v[(i - 1) * n + j]) & k)) << ((((k) << (96i32 & 7)) & (k).max(k)) & 7));
                    (!((57u64 / ((t4 & 7) + 1))))
                }
            };
            y[i * n + j] = a;
            s += (b - (if ((t3 as i32)) < ((v[(i - 1) * n + j]).wrapping_sub(v[(i - 1) * n + j])) { b } else { t8 })) * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            let t11: u8 = 49u8;
            y[i * n + j] = (y[i * n + j] * 0.5).max(((a - a)).mul_add(a, 0.25));
        }
        e[i] = s + d[i] * 0.5 + ((b / (0.0f64 + 3.5))).mul_add(b, 0.25);
        if ((((k).wrapping_mul(v[i * n + n / 2])).min((k).min(k))) < ((k % ((k & 7) + 9))) || ((a).abs().sqrt()) != (x[i * n + n / 2])) { return v[i * n] as u64 & 255; }
        z[i] = (((-((x[i * n + n / 2]).abs())) * 1e9) as i32) ^ v[i * n + 1];
        q[2 * i] = ((!((t4 | t4))) % 7);
        q[2 * i + 1] ^= (((t4).wrapping_add(t4)) << ((!(78u64)) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((!(t4))).max(((2.0f32 * 1e9) as u64)) & 0xffff
    }
    pub fn p45(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 0u8..3u8 {
            if ((if ((79u64 as u8)) == ((if ((if ((a as i32)) != (k) { (i as u64) } else { (i as u64) })) >= ((!(87u64))) { t1 } else { t1 })) { (3.25f32 * a) } else { (a - x[i * n + n / 2]) })) >= ((61u8 as f32)) {
                let mut t2: f32 = ((-(a))).abs();
            } else {
                let mut t3: i64 = ((if (((b * 1e9) as i32)) <= ((k ^ k)) { (38i64 % 9) } else { (98i64).wrapping_mul(57i64) }) as i64);
            }
        }
        let mut t4 = 0u32;
        while t4 < 2 {
            t4 += 1;
            if (a) != (a) { continue; }
            let t5: u8 = match (((69u32) << (30u32 & 7)) & ((b * 1e9) as u32)) % 6 {
                0 => (!((2u8).wrapping_sub(70u8))),
                1 | 4 => (!((4u8 / 5))),
                2..=3 => (41u8 | (63u8).max(w[3])),
                _ => {
                    let t6: u32 = ((58u32 & ((i as u64) as u32)) | 92u32);
                    ((39u8 % 6) / (((w[3]).min(93u8) & 7) + 1))
                }
            };
            if (((((i as u64) % 5)) << ((i as u64) & 7))) < ((52u64).min(88u64)) {
                let t7: i32 = ((if (92u32) > ((!(49u32))) { (if ((!(21u32))) < (((0u32) << (84u32 & 7))) { 50i32 } else { k }) } else { (v[(i - 1) * n + n / 2] % 8) }) % (((if ((17i64 & 66i64)) == (83i64) { ((k) << (v[(i - 1) * n + n / 2] & 7)) } else { (k).wrapping_sub(k) }) & 7) + 9));
            } else {
            }
        }
        let mut t8: u32 = (36i64 as u32);
        if (((68u64).wrapping_mul(69u64) & ((a * 1e9) as u64))) > ((35u64).max((i as u64))) && ((if ((75u64 ^ 49u64)) > (((1.25e-3f64 * 1e9) as u64)) { 34i64 } else { 94i64 })) <= ((if ((if (90u8) < ((!(34u8))) { 85i64 } else { 29i64 })) < ((if ((w[3] as i32)) != ((v[(i - 1) * n + n / 2] % ((v[i * n + n / 2] & 7) + 9))) { 90i64 } else { 32i64 })) { 33i64 } else { 86i64 })) {
            if (((if ((a * a)) == ((x[(i + 1) * n + n / 2] - x[i * n + n / 2])) { b } else { 2.0f64 }) / (b + 3.5))) != ((a as f64)) {
                let t9: u32 = t8;
                t8 |= (((a * 1e9) as u8) as u32);
            } else {
                let mut t10: u32 = ((b * 1e9) as u32);
                t8 ^= (((x[i * n + n / 2] + a) * 1e9) as u32);
            }
            if ((!((((i as u64)) << ((i as u64) & 7))))) < (99u64) {
                let mut t11: i64 = (((8i64 % ((56i64 & 7) + 9))).max((79i64 % ((16i64 & 7) + 9))) % ((((42i64).max(81i64)).max((95i64).min(79i64)) & 7) + 9));
                t8 = t4;
            } else {
                let mut t12: f32 = (a).min(((a * 2.0f32)).min((w[3] as f32)));
            }
        } else {
            for t13 in 1u8..=3u8 {
                let mut t14: u8 = (((w[3]).wrapping_add(3u8)).wrapping_add((t13 / 1))).min(((t13 as u8)).min((w[3] / 4)));
                t8 |= ((t8).max(t8) / (((t8).min(2u32) & 7) + 1));
            }
            t8 |= ((71u32 / 2) % 2);
        }
        for j in 0..n {
            y[i * n + j] = (((a).ceil() - (if ((77u8 & 64u8)) == (96u8) { a } else { a }))).mul_add(a, 0.25);
        }
        for j in 2..=n - 1 {
            y[i * n + j] = (y[i * n + j] * 0.5).max((a * (x[i * n + n - 1 - j]).abs().sqrt()));
        }
        e[i] = d[i] * 0.5 + ((if ((58u8 as i64)) != ((10i64 as i64)) { d[i] } else { b }) - b);
        if ((((96u32) << (72u32 & 7)) as f32)) >= ((a * a)) && ((if ((k).max(k)) != ((98u8 as i32)) { 85u64 } else { 12u64 })) <= ((if ((if ((if ((t8 as u32)) >= (((b * 1e9) as u32)) { w[3] } else { w[3] })) != (37u8) { k } else { v[i * n + n / 2] })) != ((k % 2)) { 1u64 } else { 30u64 })) { return v[i * n] as u64 & 255; }
        z[i] = (((if ((70u32 as i64)) > ((27i64 & 31i64)) { v[i * n + n / 2] } else { k }) ^ (k % ((k & 7) + 9))) % ((((1.5e19f64 * 1e9) as i32) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (((((if ((b).abs().sqrt()) != ((b).floor()) { a } else { a }) * 1e9) as u64)) >> ((i as u64) & 7));
        q[2 * i + 1] ^= (!((if ((b - b)) >= ((b).abs().sqrt()) { (i as u64) } else { 23u64 }))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((t8).wrapping_sub(51u32) as u64) & 0xffff
    }
    pub fn p46(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u8 = ((((a + a) * (a).abs().sqrt()) * 1e9) as u8);
        t1 |= ((t1).wrapping_add(w[3]) / (((!(t1)) & 7) + 1));
        for t2 in 1u8..5u8 {
            t1 ^= 72u8;
            t1 |= t1;
        }
        t1 |= ((((i as u64)) >> (23u64 & 7)) as u8);
        for j in 1..n - 1 {
            for t3 in 2u8..2u8 {
            }
            y[i * n + j] = (a * (a).mul_add((a * 1.25e-3f32), 0.25));
        }
        e[i] = d[i] * 0.5 + b;
        if ((((b as f32) * 1e9) as u8)) > ((t1 / ((t1 & 7) + 1))) { return v[i * n] as u64 & 255; }
        z[i] = (((-((b).mul_add(b, 0.25))) * 1e9) as i32) ^ v[i * n + 1];
        q[2 * i] = (((i as u64)) >> (67u64 & 7));
        q[2 * i + 1] ^= ((((i as u64)).wrapping_add(0u64)) >> (((i as u64) / (((i as u64) & 7) + 1)) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64) | 78u64)).min(85u64) & 0xffff
    }
    pub fn p47(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u8 = match 82u32 % 6 {
            0 => ((a * 1e9) as u8),
            1 | 4 => ((w[3]).min(98u8)).wrapping_mul((w[3] ^ w[3])),
            2..=3 => ((if (((a * 1e9) as u32)) < (9u32) { 77u8 } else { 48u8 }) | ((18u8) >> (w[3] & 7))),
            _ => {
                48u8
            }
        };
        if ((!((54i64).wrapping_sub(45i64)))) <= ((!(71i64))) {
            if (((k) >> ((k).min(k) & 7))) > ((k).min(k)) {
                let mut t2: i32 = v[i * n + n / 2];
                t2 |= (((b * 1e9) as i32) / 6);
            } else {
            }
            if (((d[i] - b)).mul_add((if ((a / (a + 3.5))) == ((a).mul_add(a, 0.25)) { b } else { d[i] }), 0.25)) <= ((1.5e19f64).abs().sqrt()) {
                let mut t3: u32 = (!((34u32 / 4)));
                t3 |= (((1.0f32 * 1e9) as u32) as u32);
            } else {
            }
        } else {
            if ((41u32) <= ((26u32 / ((88u32 & 7) + 1))) || (93u64) > (95u64)) {
                let mut t4: f32 = (((a + a) * (x[(i + 1) * n + n / 2]).mul_add(a, 0.25)) / ((if (((b * 1e9) as u32)) >= ((88u32 % 5)) { (x[(i + 1) * n + n / 2] + a) } else { a }) + 3.5));
            } else {
                let mut t5: i64 = 68i64;
            }
            let mut t6 = 0u32;
            while t6 < 4 {
                t6 += 1;
                if (65u64) != (((83u64) >> (3u64 & 7))) { continue; }
            }
        }
        for j in 2..n {
            y[i * n + j] = (((t1 as f32)).trunc() + (((47u64) >> (68u64 & 7)) as f32));
        }
        for _ in 0..k as usize {
            for j in (1..n).rev() {
                let mut t7 = [((if ((42u64 as i32)) < ((if (b) == ((-(b))) { k } else { k })) { 18u64 } else { (i as u64) }) as i64); 4];
                for t8 in 0..4usize {
                    t7[t8] = 12i64;
                }
                let t9 = t7[2];
                y[i * n + j] = (y[i * n + j] * 0.5).max(a);
            }
        }
        e[i] = d[i] * 0.5 + ((b).mul_add(2.75e9f64, 0.25)).max((-(0.25f64)));
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = (((((t1) << (t1 & 7)) as u64)) << (((48u64 % 4)).max((61u64).min(10u64)) & 7));
        q[2 * i + 1] ^= ((v[(i - 1) * n + n / 2] % 7) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p48(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 0usize..=4usize {
        }
        for t2 in 0u8..=4u8 {
            let mut t3 = 0u32;
            while t3 < 4 {
                t3 += 1;
                if ((a).mul_add(a, 0.25)) < (a) { continue; }
                let t4: i64 = ((i as u64) as i64);
            }
        }
        for t5 in 2i32..2i32 {
            let mut t6 = 0u32;
            while t6 < 2 {
                t6 += 1;
                if (((i as u64)).max((i as u64))) <= ((4i64 as u64)) { break; }
                let mut t7: u64 = (i as u64);
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            if (48i64) <= (46i64) && ((-(a))) > (a) {
                let mut t8: f32 = (a).min((if ((56u64).wrapping_mul(83u64)) > (((i as u64) ^ (i as u64))) { a } else { (a).min(a) }));
            } else {
                let mut t9: f32 = a;
            }
            y[i * n + j] = ((-(a))).abs().sqrt();
            s += (if ((k % ((46i32 & 7) + 9))) < ((k % ((k & 7) + 9))) { (b).abs().sqrt() } else { (if ((b).abs().sqrt()) <= (0.25f64) { b } else { b }) }) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((2.75e9f64).mul_add(b, 0.25)).mul_add((b).min(b), 0.25);
        z[i] = ((-((if ((b + 2.0f64)) < ((b * 0.75e9f64)) { x[(i + 1) * n + n / 2] } else { a }))) as i32) ^ v[i * n + 1];
        q[2 * i] = ((((45u64 | 48u64)) << ((49u64).wrapping_add(39u64) & 7)) | ((74u8).max(40u8) as u64));
        q[2 * i + 1] ^= (b as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((82i64 / 6) as u64) & 0xffff
    }
    pub fn p49(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 1 {
            t1 += 1;
            if ((if ((if ((i as u64)) == ((2.0f32 as u64)) { 7i64 } else { 95i64 })) <= ((32i64).min(71i64)) { k } else { k })) >= (k) { continue; }
            let mut t2 = [((d[i]).ceil() / ((1.5f64).abs().sqrt() + 3.5)); 4];
            for t3 in 0..4usize {
                t2[t3] = ((b + b) * (d[i] + d[i]));
            }
            let t4 = t2[2];
        }
        let mut t5 = 0u32;
        while t5 < 2 {
            t5 += 1;
            if ((!(k))) != ((t1 as i32)) { break; }
            let mut t6 = [(w[3] / (((w[3] / ((15u8 & 7) + 1)) & 7) + 1)); 4];
            for t7 in 0..4usize {
                t6[t7] = 72u8;
            }
            let t8 = t6[1];
            if (((i as u64) as i64)) <= ((!(20i64))) {
                let t9: i32 = ((if ((if (78i64) >= ((79i64 % 2)) { a } else { a })) != ((80i64 as f32)) { (k & v[(i - 1) * n + n / 2]) } else { (!(k)) }) | k);
            } else {
            }
        }
        for j in 1..n - 1 {
            if (d[i]) > ((-(b))) {
            } else {
            }
            y[i * n + j] = (((a / (3.25f32 + 3.5))).abs().sqrt()).mul_add(((a * a) - (a + a)), 0.25);
        }
        for j in 0..n {
            y[i * n + j] = ((!(83u8)) as f32);
        }
        e[i] = d[i] * 0.5 + b;
        z[i] = ((87i32).wrapping_sub(10i32)).wrapping_add(k) ^ v[i * n + 1];
        q[2 * i] = (74u64).max(((38u64 & 88u64)).min(((i as u64) & 33u64)));
        q[2 * i + 1] ^= ((a as u64) / 3) ^ x[i * n] as u64 ^ w[1] as u64;
        ((!(19u64)) % 6) & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
    (plain::p40, crate::of_slices!(p40), p40::kernel),
    (plain::p41, crate::of_slices!(p41), p41::kernel),
    (plain::p42, crate::of_slices!(p42), p42::kernel),
    (plain::p43, crate::of_slices!(p43), p43::kernel),
    (plain::p44, crate::of_slices!(p44), p44::kernel),
    (plain::p45, crate::of_slices!(p45), p45::kernel),
    (plain::p46, crate::of_slices!(p46), p46::kernel),
    (plain::p47, crate::of_slices!(p47), p47::kernel),
    (plain::p48, crate::of_slices!(p48), p48::kernel),
    (plain::p49, crate::of_slices!(p49), p49::kernel),
];
