// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn p0(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..=3u8 {
            let t2: f64 = match ((a * 1e9) as u32) % 6 {
                0 => ((if ((b / (1.5f64 + 3.5))) <= (b) { 1.75e9f64 } else { b })).floor(),
                1 | 4 => ((b).ceil() * (b / (b + 3.5))),
                2..=3 => b,
                _ => {
                    (d[i] + (b + 0.25e-3f64))
                }
            };
        }
        for t3 in 1u8..=5u8 {
            let mut t4 = 0u32;
            while t4 < 2 {
                t4 += 1;
                if (4u64) <= ((i as u64)) { break; }
            }
            let t5: f64 = (if ((!(24u64))) != ((if ((78u32).min(86u32)) != ((t4 / 8)) { 29u64 } else { 68u64 })) { (if ((t4).wrapping_mul(58u32)) >= ((if (((b * 1e9) as u8)) >= ((w[3] % 5)) { t4 } else { 9u32 })) { (if ((t3 as u8)) <= ((!(36u8))) { b } else { b }) } else { b }) } else { (-((b).abs().sqrt())) });
        }
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t6 = [(((b * 1e9) as u32)).min(89u32); 4];
            for t7 in 0..4usize {
                t6[t7] = ((((b * 1e9) as u32)) << ((73u32 | 79u32) & 7));
            }
            let t8 = t6[3];
            y[i * n + j] = ((if ((w[j] / ((w[j] & 7) + 1))) == (59u8) { (1.75e9f32 - a) } else { a })).trunc();
            s += ((if (((d[i] * 1e9) as u8)) >= ((if ((63u8 / ((w[j] & 7) + 1))) > (((31u8) << (9u8 & 7))) { w[j] } else { 24u8 })) { b } else { 3.25e-3f64 })).min(d[i]) * 0.001;
        }
        for j in 2..=n - 1 {
            if ((b).min(2.125f64)) > ((k as f64)) { y[i * n + j] = (-(0.5e19f32)) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((1.25f64 / (b + 3.5)) / ((b).abs().sqrt() + 3.5));
        if ((!(41u8))) > (w[3]) { return v[i * n] as u64 & 255; }
        z[i] = ((a).abs().sqrt() as i32) ^ v[i * n + 1];
        q[2 * i] = (((((i as u64) / (((i as u64) & 7) + 1)) / ((22u64 & 7) + 1))) << ((((b).trunc() * 1e9) as u64) & 7));
        q[2 * i + 1] ^= (((86u64) << (10u64 & 7))).min(18u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((a).floor()) == ((if (2.25e-3f64) != ((1.125f64).abs().sqrt()) { a } else { a })) { ((i as u64)).min(82u64) } else { ((11u64) << (11u64 & 7)) }) & 0xffff
    }
    pub fn p1(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i64 = 76i64;
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = a;
            s += ((1.0f64 + b)).abs() * 0.001;
        }
        for j in (1..n).rev() {
            if ((!(v[i * n + j]))) == ((32u64 as i32)) { y[i * n + j] = (((a * 1e9) as i64) as f32) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((1.5e19f64 / (2.25f64 + 3.5))).mul_add(1.5e19f64, 0.25);
        if ((x[i * n + n / 2]) != ((a / (a + 3.5))) || (48u32) == ((38u32).wrapping_sub(94u32))) { return v[i * n] as u64 & 255; }
        z[i] = ((((k) << (k & 7))).wrapping_sub(((b * 1e9) as i32)) ^ k) ^ v[i * n + 1];
        q[2 * i] = (!((i as u64)));
        q[2 * i + 1] ^= ((x[i * n + n / 2]).abs().sqrt() as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((91u64 ^ 81u64) | ((20u64) << (70u64 & 7))) & 0xffff
    }
    pub fn p2(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 5 {
            t1 += 1;
            if ((80u64).wrapping_add(97u64)) >= (((b * 1e9) as u64)) { continue; }
        }
        let t2: u64 = match (if ((t1 % 8)) < (68u32) { (82u32 / ((87u32 & 7) + 1)) } else { (92u32 / ((2u32 & 7) + 1)) }) % 6 {
            0 => ((if ((if ((k).wrapping_add(k)) != ((!(k))) { 51u64 } else { 31u64 })) > ((k as u64)) { 2u64 } else { 0u64 })).wrapping_sub((18u64).wrapping_add(57u64)),
            1 | 4 => (i as u64),
            2..=3 => (!((47u64).min((i as u64)))),
            _ => {
                (i as u64)
            }
        };
        let mut t3: i32 = ((((b * 1e9) as i32)).wrapping_sub((19i32 % 9)) % 9);
        let mut t4 = [(((9i64 % 7)) << ((59i64 / 9) & 7)); 4];
        for t5 in 0..4usize {
            t4[t5] = (((0.0f64 + b) * 1e9) as i64);
        }
        let t6 = t4[1];
        let mut s = 0.0f64;
        for j in 0..n {
            let t7: f64 = ((((i as u64) | t2) as f64) - ((b).mul_add(b, 0.25)).max((d[i]).min(d[i])));
            for t8 in 0i32..=5i32 {
                let mut t9: i32 = (!((t3 ^ (91i32 / 9))));
                t9 = (((-(0.5e19f64)) * 1e9) as i32);
            }
            y[i * n + j] = (((x[i * n + j]).trunc() / (a + 3.5))).ceil();
            s += ((-(b))).min(t7) * 0.001;
        }
        for j in 0..n {
            let mut t10 = [((t3 & t3) / 7); 4];
            for t11 in 0..4usize {
                t10[t11] = (t3).min(k);
            }
            let t12 = t10[2];
            y[i * n + j] = (-((-(a))));
        }
        e[i] = s + d[i] * 0.5 + ((-(b)) / ((1.25e-3f64 / (b + 3.5)) + 3.5));
        z[i] = ((((t3) << (((x[i * n + n / 2] * 1e9) as i32) & 7))) << ((t6 as i32) & 7)) ^ v[i * n + 1];
        q[2 * i] = (if (t1) != ((!(t1))) { ((54u64).wrapping_sub(92u64)).min((t2 / 9)) } else { (if (t2) <= (((b * 1e9) as u64)) { (7u64 / ((t2 & 7) + 1)) } else { (!(t2)) }) });
        q[2 * i + 1] ^= ((56u64) >> ((b as u64) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((44u8) << (6u8 & 7)) as u64) & 0xffff
    }
    pub fn p3(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(((a / (a + 3.5)) * 1e9) as u8); 4];
        for t2 in 0..4usize {
            t1[t2] = 99u8;
        }
        let t3 = t1[1];
        let t4: u64 = match (!((!(41u32)))) % 6 {
            0 => (((b * 1e9) as u64) | 75u64),
            1 | 4 => 84u64,
            2..=3 => 22u64,
            _ => {
                (if (t3) >= ((t3 as u8)) { (79u64).min(56u64) } else { ((i as u64) ^ 6u64) })
            }
        };
        for t5 in 1i32..=4i32 {
            let t6: f64 = (((d[i]).abs().sqrt()).max((b).max(b)) + ((b).abs().sqrt()).mul_add((b / (3.5f64 + 3.5)), 0.25));
        }
        for j in 2..n {
            y[i * n + j] = (((-(a))).max((-(x[i * n + j])))).floor();
        }
        for j in (1..n).rev() {
            y[i * n + j] = (y[i * n + j] * 0.5).max(((a - a)).trunc());
        }
        e[i] = d[i] * 0.5 + ((2.0f64 - b) / ((if (k) == ((v[(i - 1) * n + n / 2] & v[i * n + n / 2])) { 3.25e-3f64 } else { b }) + 3.5));
        z[i] = (((if ((t3 as i32)) < ((if ((if ((62i64 ^ 88i64)) == ((17i64 ^ 19i64)) { 23u32 } else { 73u32 })) == ((40u32 / 6)) { k } else { k })) { k } else { k })).min((k).wrapping_sub(k)) % (((((k % ((k & 7) + 9))) >> (((a * 1e9) as i32) & 7)) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = ((((t4).max(t4) / (((t4).wrapping_sub(t4) & 7) + 1))) << (((d[i] as u64)).max((t4 / 8)) & 7));
        q[2 * i + 1] ^= (((b * 1e9) as u64) / 7) ^ x[i * n] as u64 ^ w[1] as u64;
        (b as u64) & 0xffff
    }
    pub fn p4(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u8 = ((if (25i64) != (62i64) { (!(76u8)) } else { (11u8 & 81u8) })).wrapping_mul(((a as u8)).wrapping_sub(((w[3]) >> (80u8 & 7))));
        let mut t2 = [((24u8 / 7) / ((1u8 & 7) + 1)); 4];
        for t3 in 0..4usize {
            t2[t3] = (((if ((t1 / ((t1 & 7) + 1))) >= (w[3]) { t1 } else { t1 })) << ((t1 / ((t1 & 7) + 1)) & 7));
        }
        let t4 = t2[1];
        t1 ^= (!(t4));
        let t5: i64 = ((!((13i64).wrapping_add(30i64))) | 10i64);
        let mut t6 = 0u32;
        while t6 < 5 {
            t6 += 1;
            if ((a as u8)) >= ((if ((40u64).wrapping_mul(67u64)) < (((89u64) >> (48u64 & 7))) { t4 } else { t1 })) { break; }
            let mut t7: f32 = (a + x[i * n + n / 2]);
            let t8: i32 = match (((if ((3.125f32 / (t7 + 3.5))) < (a) { 24u32 } else { 39u32 })) << (((1.0f64 * 1e9) as u32) & 7)) % 6 {
                0 => (if (((b * 1e9) as u8)) > (t4) { (k | k) } else { (k / 2) }),
                1 | 4 => ((if ((x[i * n + n / 2]).abs()) > ((t7 as f32)) { k } else { k })).wrapping_mul((k).wrapping_mul(k)),
                2..=3 => (k).min((k).wrapping_add(k)),
                _ => {
                    let mut t9: u32 = 24u32;
                    (k).wrapping_mul(v[(i - 1) * n + n / 2])
                }
            };
        }
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = a;
            s += ((b + b)).abs() * 0.001;
        }
        for j in 0..n {
            for t10 in 1u8..=4u8 {
                let mut t11: u8 = (((t1 as u8)).max((if (((x[(i + 1) * n + j] * 1e9) as i32)) <= (v[i * n + j]) { t10 } else { 20u8 }))).wrapping_sub(t1);
            }
            if (83i64) < ((t5 % ((t5 & 7) + 9))) { y[i * n + j] = x[i * n + j] - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + d[i];
        if ((((k).wrapping_mul(k) % ((46i32 & 7) + 9))) > ((v[i * n + n / 2] & k)) || ((if (((i as u64)).wrapping_sub(67u64)) >= ((48u64).max(49u64)) { a } else { a })) == ((if ((k / 6)) <= ((k).wrapping_add(k)) { a } else { a }))) { return v[i * n] as u64 & 255; }
        z[i] = (if ((!(v[i * n + n / 2]))) != (k) { ((k ^ k)).wrapping_mul((k % 5)) } else { k }) ^ v[i * n + 1];
        q[2 * i] = (if ((w[3] | t1)) == (63u8) { (if (((k) << (k & 7))) == ((if ((a).ceil()) > ((a).min(3.25e-3f32)) { k } else { k })) { (0u64).wrapping_mul(89u64) } else { 86u64 }) } else { (if ((t6 / 7)) == ((t6 / 3)) { ((i as u64)).wrapping_add(83u64) } else { 75u64 }) });
        q[2 * i + 1] ^= ((9u64).max(90u64)).min(((i as u64)).min((i as u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((0u64 % 9)).wrapping_add(((78u64) << (49u64 & 7))) & 0xffff
    }
    pub fn p5(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if (a) >= ((a as f32)) {
            let mut t1 = 0u32;
            while t1 < 3 {
                t1 += 1;
                if ((!(5u32))) != (63u32) { break; }
            }
        } else {
            let mut t2: f64 = b;
        }
        let mut t3: f64 = (1.25f64).abs().sqrt();
        let t4: u8 = 42u8;
        let t5: u32 = match ((if (63u32) == (49u32) { 98u32 } else { 11u32 }) / ((11u32 & 7) + 1)) % 6 {
            0 => (!((67u32 / ((12u32 & 7) + 1)))),
            1 | 4 => (k as u32),
            2..=3 => (!((32u32 & 57u32))),
            _ => {
                t3 += ((b).ceil()).abs().sqrt();
                (if (a) <= ((a as f32)) { (21u32).wrapping_add(97u32) } else { ((86u32) << (71u32 & 7)) })
            }
        };
        let mut s = 0.0f64;
        for j in 2..n {
            let t6: u64 = match (((i as u64)).min((i as u64)) as u32) % 6 {
                0 => (!(((2.0f64 * 1e9) as u64))),
                1 | 4 => (((i as u64)).max(45u64) / ((((i as u64) / ((87u64 & 7) + 1)) & 7) + 1)),
                2..=3 => 44u64,
                _ => {
                    ((i as u64) / (((89u64 / ((2u64 & 7) + 1)) & 7) + 1))
                }
            };
            y[i * n + j] = (-(((x[i * n + j] / (1.5f32 + 3.5)) * (a).abs().sqrt())));
            s += (if (t5) == (((a * 1e9) as u32)) { (-(1.125f64)) } else { t3 }) * 0.001;
        }
        for j in (0..n).step_by(2) {
            let mut t7 = 0u32;
            while t7 < 2 {
                t7 += 1;
                if ((-(1.75e9f32))) > ((a).mul_add(a, 0.25)) { break; }
                let mut t8: i64 = ((((a * 1e9) as i64) % ((38i64 & 7) + 9)) % (((!((69i64).wrapping_mul(25i64))) & 7) + 9));
                let mut t9: i32 = ((((k | k)).wrapping_mul((v[i * n + j] % ((95i32 & 7) + 9)))) << (((t3 + d[i]) as i32) & 7));
            }
            y[i * n + j] = (y[i * n + j] * 0.5).max(((d[i]).mul_add(t3, 0.25) as f32));
        }
        e[i] = s + d[i] * 0.5 + ((if ((v[i * n + n / 2] % 1)) == ((k | v[(i - 1) * n + n / 2])) { b } else { t3 })).mul_add((b).abs().sqrt(), 0.25);
        z[i] = (!((if ((i as u64)) > ((if (3i32) >= (v[(i - 1) * n + n / 2]) { 15u64 } else { (i as u64) })) { k } else { (v[(i - 1) * n + n / 2] / 8) }))) ^ v[i * n + 1];
        q[2 * i] = ((((d[i]).max(t3)).abs().sqrt() * 1e9) as u64);
        q[2 * i + 1] ^= ((d[i]).floor() as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if (((a * 1e9) as i32)) < (((b * 1e9) as i32)) { (i as u64) } else { (i as u64) }) / (((((i as u64)) << (13u64 & 7)) & 7) + 1)) & 0xffff
    }
    pub fn p6(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if ((!(((0.75e9f32 * 1e9) as u64)))) > ((99u64 / ((70u64 & 7) + 1))) {
            if (k) == ((v[(i - 1) * n + n / 2]).min(k)) && ((2.25f32 / (a + 3.5))) >= ((a / (a + 3.5))) {
            } else {
                let t1: f64 = (((b).mul_add(2.5e19f64, 0.25) - (2.5f64).abs().sqrt())).abs().sqrt();
            }
        } else {
            let mut t2: i64 = ((!(((a * 1e9) as i64))) & ((a as i64) / 7));
            let t3: u8 = (!((if ((a).abs()) >= ((if ((70u64 / 8)) != (((79u64) << (10u64 & 7))) { a } else { a })) { 25u8 } else { (21u8 as u8) })));
        }
        let mut t4: i64 = (((b * 1e9) as i64) ^ (if ((d[i] - d[i])) >= ((if ((34i64).min(4i64)) == ((90i64 % 3)) { b } else { 1.25f64 })) { ((90i64) >> (24i64 & 7)) } else { (!(21i64)) }));
        for j in 1..n - 1 {
            y[i * n + j] = (((87u8 as f32) * (x[(i + 1) * n + j]).mul_add(a, 0.25)) - x[(i + 1) * n + j]);
        }
        for j in (0..n).step_by(2) {
            y[i * n + j] = ((a * x[(i + 1) * n + j])).mul_add((a * x[(i + 1) * n + j]), 0.25);
        }
        e[i] = d[i] * 0.5 + ((d[i] - b) - (if ((x[i * n + n / 2] / (a + 3.5))) >= ((x[i * n + n / 2]).mul_add(x[(i + 1) * n + n / 2], 0.25)) { b } else { b }));
        if (((7u8 as f32) as f64)) > ((b).mul_add(b, 0.25)) && ((b).abs().sqrt()) >= ((3.125f64 * b)) { return v[i * n] as u64 & 255; }
        z[i] = (if (((x[i * n + n / 2] * 1e9) as i64)) > ((70u32 as i64)) { k } else { (((!(k))) >> ((k / 1) & 7)) }) ^ v[i * n + 1];
        q[2 * i] = ((68u64).wrapping_mul((!((i as u64))))).max(68u64);
        q[2 * i + 1] ^= (if ((32u8 / 9)) < ((w[3]).max(17u8)) { 55u64 } else { ((7u64) >> ((i as u64) & 7)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        (((54u64) << (45u64 & 7))).wrapping_add((23u64).max(7u64)) & 0xffff
    }
    pub fn p7(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i32 = (((if ((44u8 | 97u8)) <= (((93u8) << (34u8 & 7))) { (52u8 as i32) } else { v[i * n + n / 2] })) >> (((22i32 % ((v[(i - 1) * n + n / 2] & 7) + 9))).wrapping_mul((x[(i + 1) * n + n / 2] as i32)) & 7));
        let mut t2: f64 = (-((b).trunc()));
        for j in 2..n {
            y[i * n + j] = a;
        }
        for j in (1..n).rev() {
            let mut t3 = 0u32;
            while t3 < 1 {
                t3 += 1;
                if ((!(48i64))) > (52i64) { continue; }
                let t4: u8 = (21i32 as u8);
            }
            y[i * n + j] = ((x[(i + 1) * n + j]).trunc() + a);
        }
        e[i] = d[i] * 0.5 + (t2 + 2.25e-3f64);
        z[i] = (((k ^ k) | (t1).min(v[(i - 1) * n + n / 2])) / 9) ^ v[i * n + 1];
        q[2 * i] = ((((a * 1e9) as u64) | (58u64).wrapping_sub(31u64)) as u64);
        q[2 * i + 1] ^= ((61u32 as u64) | (76u64).wrapping_add(43u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((73u32 & 80u32)) >= (((62u32) << (52u32 & 7))) { (i as u64) } else { ((a * 1e9) as u64) }) & 0xffff
    }
    pub fn p8(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 3 {
            t1 += 1;
            if ((v[i * n + n / 2] % ((k & 7) + 9))) != ((k).max(k)) { break; }
            if ((55i64 ^ 9i64)) != (50i64) {
                let mut t2: i32 = k;
                let t3: f64 = ((v[(i - 1) * n + n / 2] as f64) + ((b).abs().sqrt() - b));
            } else {
                let mut t4: u64 = (!(((i as u64) & (61u64 / ((64u64 & 7) + 1)))));
                t4 ^= ((!(88u64)) % 4);
            }
        }
        let mut t5 = [((a).max(a)).abs().sqrt(); 4];
        for t6 in 0..4usize {
            t5[t6] = (81i64 as f32);
        }
        let t7 = t5[0];
        for j in 1..n - 1 {
            if ((((((i as u64)).min(33u64)) << (89u64 & 7))) != ((i as u64)) || ((!(90i64))) > ((38i64).wrapping_sub(76i64))) {
            } else {
            }
            let t8: i32 = match ((t1 / ((t1 & 7) + 1)) / (((71u32 % 2) & 7) + 1)) % 6 {
                0 => (((!(k))) >> (((b * 1e9) as i32) & 7)),
                1 | 4 => (((b - b) * 1e9) as i32),
                2..=3 => ((-(x[i * n + j])) as i32),
                _ => {
                    let mut t9: i64 = (((b).abs().sqrt() * 1e9) as i64);
                    ((((v[i * n + j]) << (v[i * n + j] & 7))) << (k & 7))
                }
            };
            y[i * n + j] = (((3.5f32).max(a) - (a / (t7 + 3.5)))).abs().sqrt();
        }
        for j in 0..n {
            y[i * n + j] = (y[i * n + j] * 0.5).max(((x[i * n + j] * t7)).mul_add(a, 0.25));
        }
        e[i] = d[i] * 0.5 + ((t1 | 66u32) as f64);
        z[i] = (((k % ((k & 7) + 9))).max((!(k))) % ((((if ((68i64 ^ 72i64)) > ((68i64 | 65i64)) { k } else { k }) ^ (k % ((k & 7) + 9))) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = ((t7 * 1e9) as u64);
        q[2 * i + 1] ^= 49u64 ^ x[i * n] as u64 ^ w[1] as u64;
        ((x[i * n + n / 2] * 1e9) as u64) & 0xffff
    }
    pub fn p9(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if ((((62u32 / 9)) >> ((41u32 / ((20u32 & 7) + 1)) & 7))) < ((!(22u32))) {
        } else {
        }
        let t1: f32 = (if ((a - a)) == ((w[3] as f32)) { (a / ((b as f32) + 3.5)) } else { ((a).max(x[(i + 1) * n + n / 2])).max((-(a))) });
        let t2: u8 = ((((d[i]).floor() * 1e9) as u8)).wrapping_sub(((w[3] % 6)).wrapping_add(53u8));
        let mut s = 0.0f64;
        for j in 0..n {
            let mut t3 = 0u32;
            while t3 < 2 {
                t3 += 1;
                if (b) > ((b).abs().sqrt()) { continue; }
            }
            y[i * n + j] = (x[i * n + n - 1 - j] - ((if ((w[j] / ((t2 & 7) + 1))) == ((22u8 ^ t2)) { x[(i + 1) * n + j] } else { x[(i + 1) * n + j] })).min(t1));
            s += (b).abs().sqrt() * 0.001;
        }
        for j in 2..=n - 1 {
            y[i * n + j] = ((29i64 as f32)).abs().sqrt();
        }
        e[i] = s + d[i] * 0.5 + 0.25e-3f64;
        if (((7u64 / 8)).wrapping_add((16u64).wrapping_sub((i as u64)))) != ((87u64).wrapping_mul(67u64)) { return v[i * n] as u64 & 255; }
        z[i] = ((if (k) <= (((3.125f64 * 1e9) as i32)) { (78i64 as i32) } else { (!(k)) }) as i32) ^ v[i * n + 1];
        q[2 * i] = (((i as u64)) << (((72u8 & t2) as u64) & 7));
        q[2 * i + 1] ^= ((73u64).wrapping_sub(56u64) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((34u64 / (((i as u64) & 7) + 1)) ^ 61u64) & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
    (plain::p0, crate::of_slices!(p0), p0::kernel),
    (plain::p1, crate::of_slices!(p1), p1::kernel),
    (plain::p2, crate::of_slices!(p2), p2::kernel),
    (plain::p3, crate::of_slices!(p3), p3::kernel),
    (plain::p4, crate::of_slices!(p4), p4::kernel),
    (plain::p5, crate::of_slices!(p5), p5::kernel),
    (plain::p6, crate::of_slices!(p6), p6::kernel),
    (plain::p7, crate::of_slices!(p7), p7::kernel),
    (plain::p8, crate::of_slices!(p8), p8::kernel),
    (plain::p9, crate::of_slices!(p9), p9::kernel),
];
