//! Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

crate::both! {
    pub fn p0(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..=3u8 {
            let t2: f64 = match ((47u32).wrapping_add(67u32) | (23u32 / ((11u32 & 7) + 1))) % 6 {
                0 => b,
                1 | 4 => ((if ((b / (1.5f64 + 3.5))) <= (b) { 1.0f64 } else { b })).floor(),
                2..=3 => ((b).ceil() * (b / (b + 3.5))),
                _ => {
                    let t3: i32 = (v[(i - 1) * n + n / 2]).min(v[i * n + n / 2]);
                    ((b).abs() - (b - b))
                }
            };
            let t4: i64 = (!((4i64 ^ 92i64)));
        }
        let t5: i32 = match 8u32 % 6 {
            0 => ((k) >> (((v[i * n + n / 2]) >> (k & 7)) & 7)),
            1 | 4 => ((!(v[i * n + n / 2]))).max((v[i * n + n / 2]).max(k)),
            2..=3 => ((-(b)) as i32),
            _ => {
                (!((!(k))))
            }
        };
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let mut t6 = 0u32;
            while t6 < 2 {
                t6 += 1;
                if (((55u32) << (61u32 & 7))) != ((88i64 as u32)) { break; }
                let mut t7: u64 = (((87u64).max(72u64) ^ ((i as u64) ^ 8u64)) | ((54u64 | (i as u64)) % 3));
            }
            y[i * n + j] = (-(a));
            s += (b).mul_add((b).floor(), 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b).abs().sqrt()).min(d[i]);
        z[i] = ((t5) >> (k & 7)) ^ v[i * n + 1];
        q[2 * i] = (!((84u64).wrapping_add((i as u64))));
        q[2 * i + 1] ^= ((77u64 ^ 30u64)).wrapping_add((if ((a).floor()) >= (a) { 56u64 } else { (i as u64) })) ^ x[i * n] as u64 ^ w[1] as u64;
        ((!(w[3])) as u64) & 0xffff
    }
    pub fn p1(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i64 = 76i64;
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = a;
            s += ((1.5f64 + b)).abs() * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((-(d[i]))).mul_add((if ((if ((if ((!(94u8))) != (49u8) { b } else { b })) <= ((0.5f64 / (2.25f64 + 3.5))) { 51u32 } else { 32u32 })) <= ((!(34u32))) { b } else { b }), 0.25);
        if (((if (5u8) > (49u8) { (32u64 as u32) } else { (12u32).wrapping_add(95u32) })) < (38u32) || ((t1 & t1)) < ((t1 % ((t1 & 7) + 9)))) { return v[i * n] as u64 & 255; }
        z[i] = (((!(93i32)) ^ ((29i32) << (k & 7))) ^ ((k) << ((k).min(k) & 7))) ^ v[i * n + 1];
        q[2 * i] = (!((i as u64)));
        q[2 * i + 1] ^= ((x[i * n + n / 2]).abs().sqrt() as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((91u64 ^ 81u64) | ((20u64) << (70u64 & 7))) & 0xffff
    }
    pub fn p2(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 5 {
            t1 += 1;
            if ((80u64).wrapping_add(97u64)) >= ((79u64 | 60u64)) { break; }
        }
        let t2: u64 = match (if ((t1 % 8)) < (68u32) { (82u32 / ((87u32 & 7) + 1)) } else { (92u32 / ((2u32 & 7) + 1)) }) % 6 {
            0 => ((if ((if ((k).wrapping_add(k)) != ((!(k))) { 51u64 } else { 31u64 })) > ((k as u64)) { 2u64 } else { 0u64 })).wrapping_sub((18u64).wrapping_add(57u64)),
            1 | 4 => (i as u64),
            2..=3 => (!((47u64).min((i as u64)))),
            _ => {
                (i as u64)
            }
        };
        let t3: i32 = (if ((b).mul_add(b, 0.25)) >= (b) { (!((k ^ v[(i - 1) * n + n / 2]))) } else { ((87i32).min(k) & k) });
        let t4: u32 = match ((36u32 / 9)).max((68u32).min(t1)) % 6 {
            0 => t1,
            1 | 4 => ((t1).max(t1)).max((t1).wrapping_mul(79u32)),
            2..=3 => (((t1 / ((t1 & 7) + 1))) >> ((t2 as u32) & 7)),
            _ => {
                let t5: u8 = (((26u8 / ((72u8 & 7) + 1))).min((w[3]).wrapping_add(w[3])) / ((((9u8 ^ w[3]) ^ (if ((3.0f32).abs().sqrt()) >= ((a / (x[(i + 1) * n + n / 2] + 3.5))) { w[3] } else { w[3] })) & 7) + 1));
                ((11u32 / ((58u32 & 7) + 1))).max(t1)
            }
        };
        for j in 2..n {
            let mut t6 = 0u32;
            while t6 < 1 {
                t6 += 1;
                if ((39u8).wrapping_sub(34u8)) != ((k as u8)) { continue; }
            }
            let t7: i32 = v[(i - 1) * n + j];
            if (b) <= ((b).ceil()) && ((23u32 % 9)) < (t6) {
            } else {
            }
            y[i * n + j] = (((a).mul_add(a, 0.25) / ((a / (a + 3.5)) + 3.5))).floor();
        }
        e[i] = d[i] * 0.5 + ((-(1.125f64)) / ((1.25f64 / (b + 3.5)) + 3.5));
        z[i] = (((k as i32)) << ((85i64 as i32) & 7)) ^ v[i * n + 1];
        q[2 * i] = (if ((if (27i64) != (55i64) { t2 } else { t2 })) <= ((t2).max(t2)) { ((54u64).wrapping_sub(92u64)).min((t2 / 9)) } else { (if (t2) <= (((i as u64) & t2)) { (7u64 / ((t2 & 7) + 1)) } else { (!(t2)) }) });
        q[2 * i + 1] ^= ((t2).wrapping_sub(t2) % 9) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if ((t2 / ((t2 & 7) + 1))) <= ((19u64 / ((t2 & 7) + 1))) { 44u64 } else { t2 }) & (if ((if ((v[i * n + n / 2]).min(t3)) <= (((t3) >> (k & 7))) { t2 } else { 46u64 })) <= (((t2) << ((i as u64) & 7))) { t2 } else { t2 })) & 0xffff
    }
    pub fn p3(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [((13u8 / ((9u8 & 7) + 1))).wrapping_mul((if ((19i64 & 57i64)) <= ((18i64).wrapping_sub(77i64)) { w[3] } else { 72u8 })); 4];
        for t2 in 0..4usize {
            t1[t2] = ((80u8 / 5)).max((if ((a + a)) <= ((a).max(a)) { 27u8 } else { 44u8 }));
        }
        let t3 = t1[2];
        for t4 in 1usize..2usize {
            let mut t5 = [84i64; 4];
            for t6 in 0..4usize {
                t5[t6] = 22i64;
            }
            let t7 = t5[3];
            let t8: u8 = (((67u32 / 5) as u8)).wrapping_sub((if ((k ^ 2i32)) < ((k).wrapping_sub(v[i * n + n / 2])) { (6u8 | t3) } else { (t3).min(t3) }));
        }
        if ((!(t3))) > ((t3).wrapping_mul(t3)) {
            let mut t9 = 0u32;
            while t9 < 3 {
                t9 += 1;
                if ((55u32).max(57u32)) < ((55u32 % 4)) { break; }
            }
        } else {
            let t10: u32 = (!((if ((62u64 ^ (i as u64))) < (65u64) { (k as u32) } else { 34u32 })));
        }
        for j in 1..n - 1 {
            let mut t11 = [((a).abs().sqrt() / (a + 3.5)); 4];
            for t12 in 0..4usize {
                t11[t12] = (x[i * n + n - 1 - j]).abs().sqrt();
            }
            let t13 = t11[1];
            y[i * n + j] = (((-(x[i * n + j])) / ((a).trunc() + 3.5))).trunc();
        }
        e[i] = d[i] * 0.5 + (if (((20u64) << ((i as u64) & 7))) == ((0u64 % 7)) { (b).trunc() } else { (b).abs().sqrt() });
        z[i] = ((((k).max(k) % (((k).wrapping_sub(k) & 7) + 9))) << (((d[i] as i32)).max(((k) << (v[i * n + n / 2] & 7))) & 7)) ^ v[i * n + 1];
        q[2 * i] = ((((33i64 & 44i64) as u64)) << (((i as u64)).wrapping_mul((i as u64)) & 7));
        q[2 * i + 1] ^= 45u64 ^ x[i * n] as u64 ^ w[1] as u64;
        85u64 & 0xffff
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
            let t8: i32 = match (((if ((3.25f32 / (t7 + 3.5))) < (a) { 24u32 } else { 39u32 })) << ((1u32 & 9u32) & 7)) % 6 {
                0 => ((k % ((k & 7) + 9)) | k),
                1 | 4 => ((k).min(v[(i - 1) * n + n / 2]) ^ (k / 6)),
                2..=3 => k,
                _ => {
                    t1 ^= ((if ((x[i * n + n / 2]).abs()) > ((t7 as f32)) { t1 } else { t1 })).wrapping_mul((t4).wrapping_mul(t1));
                    k
                }
            };
        }
        for j in 1..n - 1 {
            let t9: u64 = match ((t6 as u32) & (if ((0.0f64 - b)) != (3.125f64) { t6 } else { t6 })) % 6 {
                0 => (((i as u64) & (i as u64)) / (((91u64 / (((i as u64) & 7) + 1)) & 7) + 1)),
                1 | 4 => 36u64,
                2..=3 => (!((29u64 % 5))),
                _ => {
                    (((70u64 ^ 84u64)) >> ((t1 as u64) & 7))
                }
            };
            y[i * n + j] = (((if (t9) != ((60u64 | (i as u64))) { x[(i + 1) * n + j] } else { a }) - a)).mul_add(((a + 2.125f32)).mul_add((t9 as f32), 0.25), 0.25);
        }
        e[i] = d[i] * 0.5 + ((2.5f64).floor() + (b).mul_add(b, 0.25));
        if ((!((35i32 & k)))) <= (((k) >> (k & 7))) && ((if ((k / 6)) <= ((k).wrapping_add(k)) { t6 } else { t6 })) == (((t6) << (72u32 & 7))) { return v[i * n] as u64 & 255; }
        z[i] = v[(i - 1) * n + n / 2] ^ v[i * n + 1];
        q[2 * i] = (((if ((!(v[i * n + n / 2]))) != (k) { ((i as u64)).wrapping_mul(91u64) } else { 7u64 })) >> (((42u64 | 5u64) / 4) & 7));
        q[2 * i + 1] ^= ((t4 / 7) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (92u64 / ((78u64 & 7) + 1)) & 0xffff
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
        let mut t3: f64 = (1.125f64).abs().sqrt();
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
                0 => (((i as u64) | (i as u64)) / (((if ((27u64).max(45u64)) >= (((i as u64) / ((87u64 & 7) + 1))) { 86u64 } else { 70u64 }) & 7) + 1)),
                1 | 4 => (((i as u64) / ((13u64 & 7) + 1)) ^ 40u64),
                2..=3 => (if (((93i64) << (47i64 & 7))) < (81i64) { 62u64 } else { ((i as u64) & (i as u64)) }),
                _ => {
                    (i as u64)
                }
            };
            y[i * n + j] = (((a).abs()).max((-(x[i * n + j])))).abs().sqrt();
            s += ((d[i] / (b + 3.5))).min((-(1.5f64))) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (t3).max(b);
        if ((((t4 / ((t4 & 7) + 1)) / 8)) >= ((t4 / ((50u8 & 7) + 1))) || ((x[i * n + n / 2] * a)) != ((x[(i + 1) * n + n / 2] / (a + 3.5)))) { return v[i * n] as u64 & 255; }
        z[i] = (if ((k as u8)) < ((!(t4))) { ((if ((a).max(a)) == (a) { 94u32 } else { t5 }) as i32) } else { ((d[i]).mul_add(t3, 0.25) as i32) }) ^ v[i * n + 1];
        q[2 * i] = (((59u64 / 9) / (((64u64 | 94u64) & 7) + 1)) / ((68u64 & 7) + 1));
        q[2 * i + 1] ^= 29u64 ^ x[i * n] as u64 ^ w[1] as u64;
        (if (3i32) >= (v[(i - 1) * n + n / 2]) { (k as u64) } else { (i as u64) }) & 0xffff
    }
    pub fn p6(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if ((if ((b as u64)) == ((i as u64)) { (20u64 | (i as u64)) } else { (56u64 | (i as u64)) })) > (((52u64) >> (5u64 & 7))) {
            for t1 in 0usize..4usize {
                let mut t2: i32 = (((k % ((k & 7) + 9))).min((35i32).max(k)) ^ ((k).min(k) ^ k));
            }
            let mut t3: i64 = (if ((58i64).wrapping_mul(47i64)) == ((51i64 ^ 7i64)) { (if (55u64) > ((72u64 / 3)) { (66i64).min(1i64) } else { 0i64 }) } else { 24i64 });
        } else {
            let mut t4 = [(!(74u32)); 4];
            for t5 in 0..4usize {
                t4[t5] = 58u32;
            }
            let t6 = t4[1];
        }
        if ((!((19u64 as u32)))) == ((21u32).wrapping_sub(24u32)) && ((if ((b / (b + 3.5))) == ((if ((a).abs()) >= ((if ((70u64 / 8)) != (((79u64) << (10u64 & 7))) { a } else { a })) { b } else { b })) { 0u32 } else { 21u32 })) < ((!(97u32))) {
            let mut t7 = [((a).mul_add(a, 0.25) + (x[i * n + n / 2] / (a + 3.5))); 4];
            for t8 in 0..4usize {
                t7[t8] = ((a).mul_add(a, 0.25)).ceil();
            }
            let t9 = t7[0];
        } else {
            let mut t10: u64 = (((80u64 ^ (i as u64))).wrapping_add(((i as u64)).wrapping_add(5u64)) % 4);
            let mut t11 = 0u32;
            while t11 < 5 {
                t11 += 1;
                if (t10) < ((!(t10))) { continue; }
                t10 ^= t10;
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            for t12 in 2usize..3usize {
                let t13: f64 = (((if ((if ((k as f64)) == ((if ((x[i * n + j] / (a + 3.5))) >= ((x[i * n + n - 1 - j]).mul_add(x[(i + 1) * n + j], 0.25)) { b } else { b })) { 64u64 } else { (i as u64) })) == (((i as u64) | (i as u64))) { b } else { 1.125f64 }) - (if ((3.5f64).min(b)) >= (b) { b } else { b })) - b);
            }
            for t14 in 1u8..5u8 {
            }
            y[i * n + j] = (a).mul_add(((3.5f32 * a)).abs(), 0.25);
            s += ((b).abs().sqrt()).mul_add(1.5f64, 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((17u8 as u64) as f64);
        z[i] = (if ((32u8 / 9)) < ((w[3]).max(17u8)) { (!((32i32).max(k))) } else { k }) ^ v[i * n + 1];
        q[2 * i] = ((((36u64) << ((i as u64) & 7))).wrapping_add((23u64).max(7u64)) ^ ((v[(i - 1) * n + n / 2] as u64) / ((80u64 & 7) + 1)));
        q[2 * i + 1] ^= (((i as u64) % 3)).max((if ((98u32).max(63u32)) < ((69u32 | 51u32)) { (i as u64) } else { 21u64 })) ^ x[i * n] as u64 ^ w[1] as u64;
        ((61u64).wrapping_add((i as u64))).wrapping_add(((i as u64) / (((i as u64) & 7) + 1))) & 0xffff
    }
    pub fn p7(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i32 = (((if ((44u8 | 97u8)) <= (((93u8) << (34u8 & 7))) { (52u8 as i32) } else { v[i * n + n / 2] })) >> (((22i32 % ((v[(i - 1) * n + n / 2] & 7) + 9))).wrapping_mul((x[(i + 1) * n + n / 2] as i32)) & 7));
        let mut t2: f64 = (-((b).trunc()));
        for j in 2..n {
            y[i * n + j] = a;
        }
        e[i] = d[i] * 0.5 + (t2).mul_add(b, 0.25);
        z[i] = ((t1 | ((v[i * n + n / 2]) << (t1 & 7)))).min((38i32).wrapping_sub(((k) >> (t1 & 7)))) ^ v[i * n + 1];
        q[2 * i] = (i as u64);
        q[2 * i + 1] ^= ((81u64 & (i as u64))).wrapping_mul(((i as u64) / (((i as u64) & 7) + 1))) ^ x[i * n] as u64 ^ w[1] as u64;
        (((t1 as u64)) << (77u64 & 7)) & 0xffff
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
                0 => ((!(k)) % (((k | k) & 7) + 9)),
                1 | 4 => ((26i32 % 5)).wrapping_mul(((k) << (20i32 & 7))),
                2..=3 => ((!(81i32))).wrapping_add((k & k)),
                _ => {
                    let mut t9: f32 = (t7 / (((x[(i + 1) * n + j] + a) * (a).abs().sqrt()) + 3.5));
                    k
                }
            };
            y[i * n + j] = (((t1).wrapping_add(t1) as f32) / (t7 + 3.5));
        }
        e[i] = d[i] * 0.5 + b;
        if (t7) < ((a).mul_add(x[i * n + n / 2], 0.25)) { return v[i * n] as u64 & 255; }
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = (78u64 ^ (54u64).max(((i as u64) / 9)));
        q[2 * i + 1] ^= ((!(66u64)) / (((82u64 | 11u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (44u64).wrapping_add(((i as u64) & (i as u64))) & 0xffff
    }
    pub fn p9(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if ((((62u32 / 9)) >> ((41u32 / ((20u32 & 7) + 1)) & 7))) < ((!(22u32))) {
        } else {
        }
        let t1: f32 = (if ((a - a)) == ((w[3] as f32)) { (a / ((b as f32) + 3.5)) } else { ((a).max(x[(i + 1) * n + n / 2])).max((-(a))) });
        let t2: u8 = ((w[3] & (52u8 | 20u8)) & (w[3] ^ 3u8));
        let mut s = 0.0f64;
        for j in 2..n {
            if (((99u64 ^ (i as u64)) & (if (b) > ((b).abs().sqrt()) { 94u64 } else { (i as u64) }))) >= ((46u64 | 45u64)) {
            } else {
                let t3: u8 = t2;
            }
            y[i * n + j] = (((t1).floor()).min(t1)).min((a * (if ((!(14u64))) > ((29i64 as u64)) { a } else { x[(i + 1) * n + j] })));
            s += (if ((a * x[(i + 1) * n + j])) < ((a).trunc()) { (if ((k).wrapping_add(k)) >= ((if ((69u8).wrapping_mul(67u8)) <= ((t2).max(t2)) { k } else { k })) { b } else { b }) } else { (0.25f64).mul_add(b, 0.25) }) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b / (2.25f64 + 3.5)) - b);
        if (((!((i as u64)))).min((i as u64))) == ((i as u64)) { return v[i * n] as u64 & 255; }
        z[i] = (((57u32).min(35u32)).wrapping_add((t1 as u32)) as i32) ^ v[i * n + 1];
        q[2 * i] = (!(((if (37u64) >= ((i as u64)) { 64u64 } else { (i as u64) })).max((i as u64))));
        q[2 * i + 1] ^= (((v[i * n + n / 2]) >> (k & 7)) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((73u64).wrapping_sub(56u64) as u64) & 0xffff
    }
    pub fn p10(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = (((if (70u32) >= ((23u32).max(55u32)) { d[i] } else { b }) as i32) as i64);
        let t2: u8 = match (((26u32 / ((44u32 & 7) + 1))) >> ((68u64 as u32) & 7)) % 6 {
            0 => 31u8,
            1 | 4 => 17u8,
            2..=3 => 44u8,
            _ => {
                (!((b as u8)))
            }
        };
        if (((((96u32) << (23u32 & 7))) >> ((!(67u32)) & 7))) < (22u32) {
            let t3: u32 = match 53u32 % 6 {
                0 => (!((51u32 & 67u32))),
                1 | 4 => 92u32,
                2..=3 => 42u32,
                _ => {
                    let mut t4: f32 = (((a - a)).abs().sqrt()).mul_add(((a as f32)).trunc(), 0.25);
                    (((12u32 / 3)) << ((if ((k % ((k & 7) + 9))) == ((!(k))) { 97u32 } else { 1u32 }) & 7))
                }
            };
        } else {
            let t5: f64 = match ((t2 as u32)).wrapping_sub(38u32) % 6 {
                0 => (b).abs(),
                1 | 4 => ((b).max(b)).floor(),
                2..=3 => (if ((v[i * n + n / 2] / 3)) > ((v[(i - 1) * n + n / 2]).max(k)) { (b).floor() } else { (-(b)) }),
                _ => {
                    2.0f64
                }
            };
        }
        let t6: u8 = match ((17u32 / ((63u32 & 7) + 1))).max(82u32) % 6 {
            0 => (t2 ^ (t2 & 86u8)),
            1 | 4 => ((w[3] / ((w[3] & 7) + 1))).wrapping_sub(99u8),
            2..=3 => (((if (b) >= (b) { t2 } else { t2 })) >> ((27u8 % 6) & 7)),
            _ => {
                let mut t7: f32 = (a).max(((a).mul_add(x[(i + 1) * n + n / 2], 0.25)).mul_add((x[(i + 1) * n + n / 2]).trunc(), 0.25));
                (!((w[3]).wrapping_add(t2)))
            }
        };
        for j in 0..n {
            let t8: f64 = (b).floor();
            y[i * n + j] = ((a / ((a).abs().sqrt() + 3.5))).min(a);
        }
        e[i] = d[i] * 0.5 + ((0.5f64 * b) / ((b).abs().sqrt() + 3.5));
        z[i] = ((((if ((x[(i + 1) * n + n / 2] as i64)) < ((2i64 % 9)) { k } else { k })) << (((v[i * n + n / 2]) << (k & 7)) & 7))).min(((v[i * n + n / 2]).wrapping_mul(50i32) % (((k).wrapping_sub(k) & 7) + 9))) ^ v[i * n + 1];
        q[2 * i] = (!((i as u64)));
        q[2 * i + 1] ^= (a as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64) | 99u64) | ((23u64) >> (21u64 & 7))) & 0xffff
    }
    pub fn p11(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(((b as i32)) << ((k ^ v[(i - 1) * n + n / 2]) & 7)); 4];
        for t2 in 0..4usize {
            t1[t2] = (if (b) != ((1.125f64).mul_add(2.0f64, 0.25)) { (v[(i - 1) * n + n / 2] % ((30i32 & 7) + 9)) } else { (k).min(v[i * n + n / 2]) });
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
        e[i] = s + d[i] * 0.5 + 0.25f64;
        if (2.0f64) <= (b) && ((68u8 as f64)) >= ((-(b))) { return v[i * n] as u64 & 255; }
        z[i] = ((((66i32 & t3)).wrapping_mul((t3 & 27i32))) << (((k % ((t3 & 7) + 9)) & (b as i32)) & 7)) ^ v[i * n + 1];
        q[2 * i] = 40u64;
        q[2 * i + 1] ^= ((57u64).wrapping_sub((i as u64)) / (((!(44u64)) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p12(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = b;
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = 3.25f32;
            s += ((b / (b + 3.5)) / ((-(1.0f64)) + 3.5)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((t1 as f64)).floor();
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = 68u64;
        q[2 * i + 1] ^= (((69u64) >> (27u64 & 7))).wrapping_add((19u64 ^ 91u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64)).min(50u64) | ((i as u64) / ((90u64 & 7) + 1))) & 0xffff
    }
    pub fn p13(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..4i32 {
            let mut t2 = [(((v[(i - 1) * n + n / 2]).min(k)) >> ((v[(i - 1) * n + n / 2] ^ v[i * n + n / 2]) & 7)); 4];
            for t3 in 0..4usize {
                t2[t3] = ((14i32 ^ k) % (((k | t1) & 7) + 9));
            }
            let t4 = t2[3];
            for t5 in 2i32..5i32 {
            }
        }
        let mut t6 = [(((!(66u64))) >> ((18u64).wrapping_sub((i as u64)) & 7)); 4];
        for t7 in 0..4usize {
            t6[t7] = ((36u64).wrapping_sub(95u64) ^ ((i as u64)).wrapping_add((i as u64)));
        }
        let t8 = t6[2];
        let t9: u8 = match ((21u32 & 90u32) | (57u32 / 3)) % 6 {
            0 => (if ((51i64).wrapping_add(57i64)) != ((8i64 % ((24i64 & 7) + 9))) { (if ((48u8 | w[3])) == ((76u8 | 57u8)) { 16u8 } else { w[3] }) } else { ((45u8) >> (12u8 & 7)) }),
            1 | 4 => ((w[3] / 2)).min((w[3]).wrapping_add(30u8)),
            2..=3 => (!((10u8 & 36u8))),
            _ => {
                let mut t10: u32 = ((!(((44u32) >> (81u32 & 7))))).wrapping_sub((!((!(8u32)))));
                ((a as u8) & 7u8)
            }
        };
        let t11: i64 = ((((16i64 & 68i64)).wrapping_mul((22i64 % ((0i64 & 7) + 9)))) >> (86i64 & 7));
        let t12: i32 = ((((if ((t9).max(t9)) == ((t9).min(t9)) { 13i32 } else { k })) >> ((k).wrapping_add(69i32) & 7)) & (if ((d[i] / (b + 3.5))) == ((3.5f32 as f64)) { (k % 1) } else { (k).max(k) }));
        for j in 0..n {
            let mut t13 = [((i as u64) ^ (if (((t12) << (34i32 & 7))) <= ((!(v[(i - 1) * n + j]))) { t8 } else { 43u64 })); 4];
            for t14 in 0..4usize {
                t13[t14] = ((90u64 / ((t8 & 7) + 1))).max(27u64);
            }
            let t15 = t13[3];
            y[i * n + j] = (1.5f32).abs().sqrt();
        }
        e[i] = d[i] * 0.5 + b;
        if (58u64) <= ((t8 | 41u64)) && ((t9 / 2)) >= ((49u8).min(t9)) { return v[i * n] as u64 & 255; }
        z[i] = (((t12).min(t12) & t12) / 9) ^ v[i * n + 1];
        q[2 * i] = t8;
        q[2 * i + 1] ^= ((t8 & (i as u64))).max((!(t8))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if ((t9 % 7)) < (t9) { (i as u64) } else { t8 })).wrapping_sub((!(t8))) & 0xffff
    }
    pub fn p14(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..5u8 {
            let mut t2: u32 = 47u32;
            let mut t3: f64 = ((-((k as f64))) * ((b).mul_add(d[i], 0.25)).abs().sqrt());
        }
        let mut t4: i64 = 56i64;
        let mut t5 = [((t4 | t4)).wrapping_sub((t4 ^ t4)); 4];
        for t6 in 0..4usize {
            t5[t6] = (if ((i as u64)) >= ((8u64).min((i as u64))) { (t4 % ((7i64 & 7) + 9)) } else { (t4).min(t4) });
        }
        let t7 = t5[0];
        let mut t8: u64 = (if (((31u32) << (35u32 & 7))) < (4u32) { ((71u64).wrapping_mul(59u64) & (!((i as u64)))) } else { (if ((33i32).wrapping_mul(k)) <= ((k % 3)) { ((38u64) >> (23u64 & 7)) } else { (12u64).min(21u64) }) });
        for j in 1..n - 1 {
            if (((x[i * n + n - 1 - j] + a) - (1.125f32).mul_add(a, 0.25))) == (x[(i + 1) * n + j]) {
            } else {
            }
            for t9 in 1usize..3usize {
            }
            y[i * n + j] = (((a).max(3.0f32) * (x[(i + 1) * n + j] - a))).ceil();
        }
        e[i] = d[i] * 0.5 + (b * (b + b));
        z[i] = (k % ((k & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (((!(k)) ^ (k & k)) as u64);
        q[2 * i + 1] ^= (i as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        t8 & 0xffff
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
        let mut t6 = [((k).min(k) ^ (k).wrapping_add(k)); 4];
        for t7 in 0..4usize {
            t6[t7] = k;
        }
        let t8 = t6[1];
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = a;
            s += ((if ((75i64).wrapping_sub(18i64)) != ((13i64).wrapping_sub(23i64)) { b } else { 0.125f64 }) - (b + b)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b).trunc()).mul_add((1.5f64).mul_add(2.0f64, 0.25), 0.25);
        z[i] = (((!(t8))).wrapping_add((v[i * n + n / 2] | k)) as i32) ^ v[i * n + 1];
        q[2 * i] = (i as u64);
        q[2 * i + 1] ^= (if ((x[i * n + n / 2] * a)) < ((a).ceil()) { (!((i as u64))) } else { (4u64 / ((27u64 & 7) + 1)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        94u64 & 0xffff
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
                if ((k & 85i32)) <= ((k ^ k)) { continue; }
                let t6: i64 = 70i64;
            }
            let mut t7 = 0u32;
            while t7 < 3 {
                t7 += 1;
                if (v[i * n + j]) < (k) { continue; }
                let t8: f64 = (((2.0f64).abs().sqrt()).min((1.5f64 - b)) as f64);
            }
            y[i * n + j] = ((4u64 as f32) * ((-(a))).abs());
        }
        e[i] = d[i] * 0.5 + ((b).abs().sqrt() / ((b * b) + 3.5));
        z[i] = (if (a) < ((t1 as f32)) { ((v[(i - 1) * n + n / 2]) >> ((57i32 as i32) & 7)) } else { (!((v[i * n + n / 2] as i32))) }) ^ v[i * n + 1];
        q[2 * i] = ((((94i64) << (50i64 & 7)) % ((((35i64) << (49i64 & 7)) & 7) + 9)) as u64);
        q[2 * i + 1] ^= ((39u64 | (i as u64)) / (((t4 as u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p17(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(!((30u32 % 6))); 4];
        for t2 in 0..4usize {
            t1[t2] = ((65u32 | 42u32) ^ (40u32 | 23u32));
        }
        let t3 = t1[2];
        for j in 2..n {
            let t4: u8 = (((62u8).max(90u8) & (4u8).max(w[j])) & 92u8);
            let mut t5: i32 = ((((k).min(k)).wrapping_mul(k)) << (((v[i * n + n - 1 - j]) << ((90i64 as i32) & 7)) & 7));
            y[i * n + j] = (a).abs().sqrt();
        }
        e[i] = d[i] * 0.5 + (-((if ((if ((w[3] & w[3])) > (((21u8) << (52u8 & 7))) { b } else { 2.25f64 })) == ((b - b)) { 2.125f64 } else { b })));
        if (((!(95u64))).max((86u64).min(12u64))) > (((91u64) >> (9u64 & 7))) { return v[i * n] as u64 & 255; }
        z[i] = (!((((k) >> (k & 7)) ^ (if ((w[3]).max(74u8)) < ((!(52u8))) { v[(i - 1) * n + n / 2] } else { k })))) ^ v[i * n + 1];
        q[2 * i] = ((if ((!(k))) != ((!(k))) { (if (62u64) < ((if (t3) > ((t3 % 4)) { 60u64 } else { 72u64 })) { (i as u64) } else { 3u64 }) } else { (((i as u64)) >> (94u64 & 7)) }) / (((((0u64).max(85u64)) >> ((32u64 ^ 42u64) & 7)) & 7) + 1));
        q[2 * i + 1] ^= (if ((86u32).max(t3)) >= ((9u32 % 3)) { 45u64 } else { (!(68u64)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if ((k ^ v[(i - 1) * n + n / 2])) < ((b as i32)) { 52u64 } else { (i as u64) }) % 7) & 0xffff
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
                let mut t11: i64 = (!((28i64).min((32i64 ^ 25i64))));
                t11 ^= ((t11).wrapping_mul(t11) / 5);
            }
        }
        let mut t12 = [((a).abs().sqrt() as f32); 4];
        for t13 in 0..4usize {
            t12[t13] = ((a * a) - (d[i] as f32));
        }
        let t14 = t12[1];
        for j in 2..n {
            let mut t15: u8 = (((w[j] / ((w[j] & 7) + 1)) / (((w[j]).max(w[j]) & 7) + 1)) / ((((!(47u8))).max((47u8 / ((w[j] & 7) + 1))) & 7) + 1));
            y[i * n + j] = a;
        }
        e[i] = d[i] * 0.5 + (x[i * n + n / 2] as f64);
        if (((if (13u8) > ((69u8 & 85u8)) { 34i64 } else { 86i64 }) | 37i64)) == (66i64) { return v[i * n] as u64 & 255; }
        z[i] = (!((((v[i * n + n / 2]) << (k & 7)) % (((k | v[i * n + n / 2]) & 7) + 9)))) ^ v[i * n + 1];
        q[2 * i] = (((if ((if (v[i * n + n / 2]) < ((k & v[i * n + n / 2])) { 57u64 } else { 32u64 })) <= ((22u64 / 8)) { (i as u64) } else { 92u64 })) >> (((((i as u64)).wrapping_mul((i as u64))) >> (((27u64) << (82u64 & 7)) & 7)) & 7));
        q[2 * i + 1] ^= (i as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        35u64 & 0xffff
    }
    pub fn p19(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 2 {
            t1 += 1;
            if ((if ((x[(i + 1) * n + n / 2]).mul_add(a, 0.25)) <= ((a).mul_add(a, 0.25)) { x[(i + 1) * n + n / 2] } else { 2.5f32 })) == ((x[i * n + n / 2] + x[(i + 1) * n + n / 2])) { continue; }
        }
        let mut t2 = 0u32;
        while t2 < 4 {
            t2 += 1;
            if ((61i64 | 62i64)) < ((!(82i64))) { break; }
            if ((if ((60u64 as i64)) >= ((!(39i64))) { (b - b) } else { d[i] })) < ((-(3.125f64))) {
                let mut t3: u64 = (((83u64).max((i as u64))).min((i as u64))).max((88i64 as u64));
                let mut t4: i64 = 25i64;
            } else {
            }
            let t5: u64 = (((!(51u64))).max(((i as u64) ^ (i as u64))) & ((if ((!(69i32))) < (k) { 53u64 } else { 82u64 }) / 8));
        }
        for j in 0..n {
            let t6: f64 = match (t1 | (t2).wrapping_sub(t2)) % 6 {
                0 => (b).ceil(),
                1 | 4 => ((b).abs().sqrt() + (0.25f64).mul_add(b, 0.25)),
                2..=3 => (19i32 as f64),
                _ => {
                    let mut t7: i32 = ((k) >> (((!(k)) & (v[(i - 1) * n + j]).wrapping_add(k)) & 7));
                    ((b).mul_add(d[i], 0.25)).ceil()
                }
            };
            y[i * n + j] = (((a).abs().sqrt()).max((a).abs()) / (((x[(i + 1) * n + j]).max(a) * (a).mul_add(a, 0.25)) + 3.5));
        }
        e[i] = d[i] * 0.5 + ((b).max(0.125f64) + (b / (b + 3.5)));
        z[i] = ((!((!(k)))) % ((k & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (!((!((23u64 & (i as u64))))));
        q[2 * i + 1] ^= ((-(b)) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p20(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u32 = (((b as i64) as u32) ^ ((63u32 as u32) % 6));
        t1 ^= ((!(54u32))).wrapping_sub((!(t1)));
        if (29u64) > (((71u64) >> (22u64 & 7))) && (k) > (v[i * n + n / 2]) {
            let mut t2 = 0u32;
            while t2 < 1 {
                t2 += 1;
                if ((51i64 | 90i64)) > (((54i64) << (72i64 & 7))) { continue; }
                let mut t3: f32 = a;
                t3 *= ((k).wrapping_add(k) as f32);
            }
            let t4: i32 = match 90u32 % 6 {
                0 => k,
                1 | 4 => (!(k)),
                2..=3 => (((k % ((k & 7) + 9))) >> (15i32 & 7)),
                _ => {
                    let mut t5: u64 = ((!((53u64 / (((i as u64) & 7) + 1))))).min(28u64);
                    ((t2 % 4) as i32)
                }
            };
        } else {
            for t6 in 1i32..3i32 {
                t1 |= (60u32 | 40u32);
                t1 = ((k as u32)).min(t1);
            }
            let mut t7: f32 = ((((w[3] ^ 29u8)) << (w[3] & 7)) as f32);
        }
        let t8: u64 = (((if ((34i64 % ((35i64 & 7) + 9))) >= ((56i64 | 56i64)) { 65u64 } else { (i as u64) }) | (77u64).wrapping_sub(87u64)) & 56u64);
        if ((!((t1 & 3u32)))) <= ((if (k) == ((a as i32)) { 79u32 } else { t1 })) && ((66u8 | 15u8)) < (48u8) {
            t1 = ((b).abs().sqrt() as u32);
            let mut t9 = 0u32;
            while t9 < 5 {
                t9 += 1;
                if ((k as i64)) > (((47i64) >> (57i64 & 7))) { break; }
                t1 = ((k & v[i * n + n / 2]) as u32);
                let mut t10: f32 = (if ((41u32 % 5)) < ((t1).min(t1)) { (if ((t8 & t8)) == (((t8) >> (t8 & 7))) { a } else { (if ((!(11u8))) == ((t1 as u8)) { a } else { x[(i + 1) * n + n / 2] }) }) } else { (-((a + 1.5f32))) });
            }
        } else {
            for t11 in 0u8..5u8 {
                let mut t12: u8 = (75i64 as u8);
                t1 |= 38u32;
            }
            t1 |= t1;
        }
        for j in 2..n {
            let mut t13: u8 = (!(((67u8 | 4u8)).max((!(32u8)))));
            y[i * n + j] = ((((t1) << (t1 & 7)) as f32)).max((-((-(x[i * n + j])))));
        }
        e[i] = d[i] * 0.5 + (if (75i64) <= ((86i64 ^ 78i64)) { (-(b)) } else { 3.0f64 });
        z[i] = (((k) >> (k & 7))).wrapping_mul(((k / 4) | (k).wrapping_mul(k))) ^ v[i * n + 1];
        q[2 * i] = (if ((b).max(b)) == ((b).abs().sqrt()) { ((t8).min(t8) & (t8).wrapping_sub(t8)) } else { t8 });
        q[2 * i + 1] ^= ((25u8).min(w[3]) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((52u64) << (t8 & 7)) & 0xffff
    }
    pub fn p21(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 1i32..3i32 {
            for t2 in 2usize..2usize {
                let mut t3: i32 = (((!(v[(i - 1) * n + n / 2])) / 3) ^ (((k) << (t1 & 7))).wrapping_add((t1 % ((k & 7) + 9))));
            }
        }
        let mut t4: u64 = (((i as u64)).max((99u64).wrapping_sub((i as u64)))).wrapping_add(((7u64 | 71u64) as u64));
        t4 = (((75u64) >> ((i as u64) & 7)) | (!(33u64)));
        let mut t5: u8 = ((((if ((11u64).min(11u64)) == (((t4) << (t4 & 7))) { 18u8 } else { w[3] }) ^ (4u32 as u8))) >> ((((61u8 % 4)) >> ((t4 as u8) & 7)) & 7));
        if ((((x[i * n + n / 2] / (a + 3.5)) as i32)) <= (k) || ((84i64 ^ 88i64)) > (9i64)) {
            let t6: f64 = match (19u32 / (((77u32 ^ 85u32) & 7) + 1)) % 6 {
                0 => ((0.0f64).abs().sqrt()).ceil(),
                1 | 4 => (if ((33i64 as u32)) <= ((89u32).wrapping_sub(58u32)) { (b).mul_add(d[i], 0.25) } else { (1.125f64).abs().sqrt() }),
                2..=3 => (-(b)),
                _ => {
                    let t7: u64 = ((if ((!(t4))) != ((if ((x[i * n + n / 2] as u8)) <= ((96i64 as u8)) { t4 } else { 86u64 })) { (t4 / ((t4 & 7) + 1)) } else { (t4).wrapping_mul(t4) }) % 6);
                    (0.125f64).ceil()
                }
            };
        } else {
            let mut t8 = 0u32;
            while t8 < 1 {
                t8 += 1;
                if (b) <= (b) { continue; }
                t4 ^= ((t4 & t4) / (((!(t4)) & 7) + 1));
            }
        }
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = (((a).abs().sqrt() / ((a + x[(i + 1) * n + j]) + 3.5)) + ((a - a)).abs().sqrt());
            s += 1.5f64 * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((0.0f64).max(b) / ((b).min(b) + 3.5));
        if (((a + a) / ((x[i * n + n / 2]).abs().sqrt() + 3.5))) != ((if ((49u32).wrapping_mul(39u32)) <= ((47u32 / 3)) { a } else { a })) { return v[i * n] as u64 & 255; }
        z[i] = ((!((v[(i - 1) * n + n / 2]).max(k))) | ((if (v[i * n + n / 2]) > ((if ((x[i * n + n / 2] - 0.5f32)) <= ((-(a))) { k } else { k })) { k } else { k }) | (!(v[(i - 1) * n + n / 2])))) ^ v[i * n + 1];
        q[2 * i] = (((t4 / ((t4 & 7) + 1))).wrapping_mul(18u64) & ((81u64).min(t4) ^ (27u64 ^ t4)));
        q[2 * i + 1] ^= ((!(68u64))).wrapping_sub((!(52u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((t4 / ((66u64 & 7) + 1)) & (17i64 as u64)) & 0xffff
    }
    pub fn p22(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if ((!((79u8).max(97u8)))) >= ((76u8).wrapping_add(26u8)) {
            let mut t1 = [(((25i64 ^ 49i64)) >> (63i64 & 7)); 4];
            for t2 in 0..4usize {
                t1[t2] = ((58u32 / ((72u32 & 7) + 1)) as i64);
            }
            let t3 = t1[2];
        } else {
        }
        let mut t4: i32 = (k & (!((if ((b).mul_add(b, 0.25)) < ((b).mul_add(0.0f64, 0.25)) { k } else { v[(i - 1) * n + n / 2] }))));
        for t5 in 1i32..2i32 {
            let t6: f64 = match (((48u32 / 7)) << ((32u32 / ((29u32 & 7) + 1)) & 7)) % 6 {
                0 => (if ((b as f64)) == ((-(b))) { (d[i] / (b + 3.5)) } else { (d[i] * b) }),
                1 | 4 => ((b).floor()).abs(),
                2..=3 => (b).floor(),
                _ => {
                    t4 ^= ((!(12i32)) & t4);
                    ((94i32 ^ t5) as f64)
                }
            };
        }
        let mut t7 = [(if (((32u32) >> (68u32 & 7))) > ((!(83u32))) { (a).ceil() } else { a }); 4];
        for t8 in 0..4usize {
            t7[t8] = (-((a * a)));
        }
        let t9 = t7[1];
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            for t10 in 2usize..=2usize {
                let t11: u64 = ((((99u64).wrapping_mul(9u64)) >> ((27u64 ^ 16u64) & 7)) % 4);
            }
            y[i * n + j] = t9;
            s += b * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (if ((v[i * n + n / 2] as u32)) <= ((if ((18i64 % 1)) >= ((21i64).wrapping_add(60i64)) { 81u32 } else { 64u32 })) { (b as f64) } else { b });
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = (29u64 & ((b).min(3.125f64) as u64));
        q[2 * i + 1] ^= (((77i64) << (96i64 & 7)) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if ((40u8 / ((w[3] & 7) + 1))) == ((w[3]).wrapping_add(74u8)) { (i as u64) } else { 86u64 }) & (!(91u64))) & 0xffff
    }
    pub fn p23(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = match ((66u32 / 9) / (((65u32).wrapping_sub(82u32) & 7) + 1)) % 6 {
            0 => ((b * b)).floor(),
            1 | 4 => b,
            2..=3 => ((k as f64)).min(b),
            _ => {
                let t2: i32 = k;
                ((b).abs().sqrt() * (b + b))
            }
        };
        let t3: u32 = match (!((52u32 / ((59u32 & 7) + 1)))) % 6 {
            0 => (!((55i64 as u32))),
            1 | 4 => 58u32,
            2..=3 => (((71u32) >> (54u32 & 7)) ^ (63u32 / 9)),
            _ => {
                12u32
            }
        };
        for t4 in 0u8..=3u8 {
            let mut t5 = 0u32;
            while t5 < 1 {
                t5 += 1;
                if (1.0f32) == (a) { break; }
            }
            let mut t6 = [((!(t3))).wrapping_sub(t3); 4];
            for t7 in 0..4usize {
                t6[t7] = (!((t3).wrapping_sub(47u32)));
            }
            let t8 = t6[2];
        }
        let mut s = 0.0f64;
        for j in 2..n {
            if (((if (19u64) <= ((!((i as u64)))) { 41u8 } else { 47u8 }) | (if ((if ((79u64).max(86u64)) <= (((27u64) >> ((i as u64) & 7))) { t1 } else { b })) < ((b).max(t1)) { w[j] } else { w[j] }))) < ((90u8 as u8)) {
                let t9: u8 = (((71i64 as u8) / 6) % 2);
            } else {
                let mut t10: f64 = (((k ^ k) as f64) * t1);
            }
            let t11: u32 = (((t3 / ((t3 & 7) + 1)) % 6)).wrapping_mul(((1.25f32 as f64) as u32));
            let t12: f32 = x[(i + 1) * n + j];
            y[i * n + j] = t12;
            s += (b).mul_add((d[i] * d[i]), 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b).abs().sqrt()).ceil();
        z[i] = ((((k % 6)) << ((k / 8) & 7)) & k) ^ v[i * n + 1];
        q[2 * i] = (((if ((a).abs().sqrt()) > ((if ((t3).wrapping_sub(t3)) > ((89u32 ^ t3)) { x[i * n + n / 2] } else { a })) { 27i32 } else { 67i32 })).max(k) as u64);
        q[2 * i + 1] ^= ((25u64 % 6) ^ (i as u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (10u64).max((if (52u8) > (11u8) { 74u64 } else { 70u64 })) & 0xffff
    }
    pub fn p24(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match (if ((if ((b * d[i])) < ((d[i] - b)) { 12u32 } else { 70u32 })) != (89u32) { (26u32 ^ 72u32) } else { (24u32 / 3) }) % 6 {
            0 => (((59i64) << (15i64 & 7)) % (((61i64 % ((86i64 & 7) + 9)) & 7) + 9)),
            1 | 4 => ((a as i64) ^ 9i64),
            2..=3 => (if ((35u32).wrapping_mul(2u32)) != (92u32) { (54i64 % 6) } else { (98i64 % ((20i64 & 7) + 9)) }),
            _ => {
                let mut t2: i32 = (((57u64 ^ 83u64) as i64) as i32);
                ((if ((69u8).min(66u8)) <= (((84u8) << (w[3] & 7))) { 60i64 } else { 0i64 })).wrapping_add((38i64 & 86i64))
            }
        };
        let t3: i32 = match (82u32 ^ 95u32) % 6 {
            0 => (((k) >> (k & 7)) ^ (a as i32)),
            1 | 4 => v[(i - 1) * n + n / 2],
            2..=3 => ((68i32).min(k) % (((k & 53i32) & 7) + 9)),
            _ => {
                let t4: i32 = v[i * n + n / 2];
                (((k | t4)) >> (t4 & 7))
            }
        };
        for t5 in 1i32..=2i32 {
            let mut t6 = 0u32;
            while t6 < 5 {
                t6 += 1;
                if (w[3]) == ((!(97u8))) { break; }
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            if (k) == ((3u8 as i32)) {
            } else {
                let t7: u64 = (i as u64);
                let t8: f32 = (a).min(((k as i64) as f32));
            }
            if (((99u32 % 1) ^ (!(27u32)))) > ((!(43u32))) {
                let mut t9: u64 = ((65u64 / (((21u64 & 56u64) & 7) + 1))).max(((if ((56u8 & w[j])) >= ((38u8 | w[j])) { (i as u64) } else { 94u64 }) & (65u64).min(21u64)));
            } else {
            }
            y[i * n + j] = a;
            s += ((-(b))).abs().sqrt() * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((!(92u64)) as f64);
        z[i] = 86i32 ^ v[i * n + 1];
        q[2 * i] = (((82u64).wrapping_add(8u64) / 2) / 9);
        q[2 * i + 1] ^= ((if (((i as u64)).max((i as u64))) == ((14u64 | 57u64)) { 38u64 } else { 93u64 }) / (((97u64 % 9) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if ((87u8).max(35u8)) < (w[3]) { 19u64 } else { (i as u64) }) ^ ((i as u64) as u64)) & 0xffff
    }
    pub fn p25(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 5 {
            t1 += 1;
            if (70u32) > ((87u32 ^ 18u32)) { continue; }
            for t2 in 0u8..5u8 {
            }
            let t3: i32 = match ((if ((31u32 as u64)) > ((64u8 as u64)) { 76u32 } else { 99u32 }) & (!(60u32))) % 6 {
                0 => (k % 5),
                1 | 4 => (!((k ^ k))),
                2..=3 => v[(i - 1) * n + n / 2],
                _ => {
                    let mut t4: i64 = ((if ((52u32 / ((52u32 & 7) + 1))) < ((if ((b).min(b)) != (b) { 24u32 } else { 60u32 })) { (84i64 | 23i64) } else { (89i64).wrapping_sub(28i64) }) ^ ((29i64 ^ 10i64) % 6));
                    k
                }
            };
        }
        if (k) < (k) {
            let t5: u8 = match ((if (9u32) == ((if ((t1 / 4)) <= ((!(t1))) { 96u32 } else { t1 })) { w[3] } else { w[3] }) as u32) % 6 {
                0 => (((i as u64) | (i as u64)) as u8),
                1 | 4 => ((!(64u8)) / 8),
                2..=3 => ((54u8 | w[3]) | (!(30u8))),
                _ => {
                    let t6: f64 = (b).min(((if ((b + 0.125f64)) == ((-(1.25f64))) { b } else { b })).abs());
                    (37u8 & (52u8 & w[3]))
                }
            };
            let t7: u32 = 3u32;
        } else {
            let mut t8 = [((5u64 as f64)).abs().sqrt(); 4];
            for t9 in 0..4usize {
                t8[t9] = (3.25f64 - (b).abs().sqrt());
            }
            let t10 = t8[1];
        }
        let mut s = 0.0f64;
        for j in 0..n {
            let t11: i32 = ((if ((1.5f32 + a)) != ((w[j] as f32)) { ((k) << (k & 7)) } else { (75i32 ^ k) }) | v[i * n + j]);
            let t12: f32 = 1.0f32;
            if (((t12).mul_add(x[i * n + j], 0.25) / ((a - t12) + 3.5))) <= (a) && ((t11 as i64)) < (5i64) {
                let mut t13: i64 = ((11i64 % (((37i64 | 72i64) & 7) + 9)) & ((56i64 % ((74i64 & 7) + 9)) % ((((28i64) >> (95i64 & 7)) & 7) + 9)));
            } else {
            }
            y[i * n + j] = (if (58i64) != ((31i64 & 74i64)) { ((a).abs().sqrt()).abs().sqrt() } else { ((x[(i + 1) * n + j]).max(a)).mul_add((t12).min(a), 0.25) });
            s += (if (((v[i * n + j]) << (t11 & 7))) < (t11) { (b + 1.25f64) } else { (48u8 as f64) }) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((d[i] / (3.25f64 + 3.5))).ceil();
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = 93u64;
        q[2 * i + 1] ^= (((3u64) << ((i as u64) & 7))).wrapping_sub((78u64).wrapping_mul(11u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((k).min(k)) < ((k).min(k)) { (!(45u64)) } else { (45u64).wrapping_mul(88u64) }) & 0xffff
    }
    pub fn p26(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((34u32 & 58u32) / (((43u32 / 6) & 7) + 1)) % 6 {
            0 => ((24i64 % ((5i64 & 7) + 9))).max((!(57i64))),
            1 | 4 => 29i64,
            2..=3 => ((50i64).min(45i64)).wrapping_sub((7i64 & 17i64)),
            _ => {
                (47i64).wrapping_mul((!(81i64)))
            }
        };
        let mut t2: u32 = 99u32;
        let mut t3 = 0u32;
        while t3 < 4 {
            t3 += 1;
            if ((!(w[3]))) != ((w[3] & 89u8)) { continue; }
            t2 = (t2 % 2);
        }
        let t4: u8 = (((96u8 / ((26u8 & 7) + 1)) % 7)).wrapping_add(((58u8) >> ((94u8 | 13u8) & 7)));
        for j in 1..n - 1 {
            let mut t5 = [(((t4 as u64)) << ((53u64 | 32u64) & 7)); 4];
            for t6 in 0..4usize {
                t5[t6] = 89u64;
            }
            let t7 = t5[3];
            y[i * n + j] = ((-((a).max(a)))).min(((if ((a).abs().sqrt()) == ((a).mul_add(a, 0.25)) { a } else { a })).abs().sqrt());
        }
        e[i] = d[i] * 0.5 + ((v[i * n + n / 2] as f64) + (b / (b + 3.5)));
        z[i] = ((!((v[(i - 1) * n + n / 2] ^ v[(i - 1) * n + n / 2]))) as i32) ^ v[i * n + 1];
        q[2 * i] = (!((i as u64)));
        q[2 * i + 1] ^= (((39u64 & 24u64)) << ((k as u64) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((((i as u64)) >> (79u64 & 7)) / ((((61u64) >> (15u64 & 7)) & 7) + 1)) & 0xffff
    }
    pub fn p27(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f32 = match (!((22u32 / ((19u32 & 7) + 1)))) % 6 {
            0 => (if ((x[(i + 1) * n + n / 2] - x[(i + 1) * n + n / 2])) == ((-(a))) { x[(i + 1) * n + n / 2] } else { a }),
            1 | 4 => (-(a)),
            2..=3 => (-(a)),
            _ => {
                let t2: i64 = (if ((((i as u64)) << ((i as u64) & 7))) > (96u64) { (a as i64) } else { ((24i64).wrapping_add(47i64)).wrapping_add((48i64 ^ 83i64)) });
                a
            }
        };
        let mut t3 = [((b - b) as i64); 4];
        for t4 in 0..4usize {
            t3[t4] = (37i64).min((89i64 ^ 0i64));
        }
        let t5 = t3[3];
        if (((v[i * n + n / 2] % ((k & 7) + 9))).min((!(k)))) < (v[(i - 1) * n + n / 2]) {
        } else {
            let t6: i32 = (((k | k) % (((!(k)) & 7) + 9)) | ((!(k))).wrapping_sub((if ((v[(i - 1) * n + n / 2] | k)) <= (k) { 83i32 } else { v[i * n + n / 2] })));
            let mut t7: i32 = v[(i - 1) * n + n / 2];
        }
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = t1;
            s += (b + (b).ceil()) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b as f64) / ((d[i] - 2.0f64) + 3.5));
        z[i] = ((if (k) > ((v[i * n + n / 2] % ((k & 7) + 9))) { (84i32 % 1) } else { (v[i * n + n / 2] & k) }) % (((if ((8u32 % 1)) > (43u32) { (98i64 as i32) } else { (v[i * n + n / 2] % ((k & 7) + 9)) }) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (if ((80u64).wrapping_add((i as u64))) > ((54u64 | (i as u64))) { ((k).wrapping_add(k) as u64) } else { (((31u64) >> (74u64 & 7)) % 8) });
        q[2 * i + 1] ^= ((87u64 % 7) / ((((i as u64) / 7) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        85u64 & 0xffff
    }
    pub fn p28(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i32 = (((k).wrapping_mul(v[i * n + n / 2])) << (((96u32 & 79u32) as i32) & 7));
        for t2 in 0u8..4u8 {
            for t3 in 0i32..=4i32 {
                let mut t4: f32 = ((((37u8) << (11u8 & 7)) as f32)).abs().sqrt();
                let t5: u64 = (((86u64 / ((5u64 & 7) + 1)) % 6)).wrapping_add((51u64).min((17u64 / ((74u64 & 7) + 1))));
            }
        }
        t1 ^= ((if (((83u32) << (49u32 & 7))) <= ((if ((-(d[i]))) == ((if (k) <= (t1) { b } else { b })) { 27u32 } else { 39u32 })) { t1 } else { k }) % 9);
        t1 = ((k).wrapping_add(v[(i - 1) * n + n / 2])).min((t1 ^ 87i32));
        let mut t6: u8 = 7u8;
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = (-(((66i64 as f32) + (-(a)))));
            s += (0.0f64).trunc() * 0.001;
        }
        e[i] = s + d[i] * 0.5 + b;
        z[i] = t1 ^ v[i * n + 1];
        q[2 * i] = 40u64;
        q[2 * i + 1] ^= 4u64 ^ x[i * n] as u64 ^ w[1] as u64;
        (!((80u64 & (i as u64)))) & 0xffff
    }
    pub fn p29(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(if ((if (a) < ((a).max(a)) { 2.25f32 } else { a })) > ((x[i * n + n / 2]).trunc()) { (24u32 / ((78u32 & 7) + 1)) } else { 42u32 }); 4];
        for t2 in 0..4usize {
            t1[t2] = ((((99u32) >> (38u32 & 7))) << ((30u32 % 3) & 7));
        }
        let t3 = t1[3];
        let mut t4: f32 = (if ((k & k)) > ((a as i32)) { (if (b) <= (b) { (x[(i + 1) * n + n / 2] * a) } else { (a).max(a) }) } else { a });
        let mut s = 0.0f64;
        for j in 0..n {
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if ((11u64 / 8)) >= ((64u64 | 75u64)) { continue; }
                let mut t6: i32 = (((k % ((k & 7) + 9)) ^ k) | (if ((12u32 ^ 76u32)) >= ((t3 & 31u32)) { (k / 2) } else { (k % 8) }));
                t6 |= (if ((d[i] / (b + 3.5))) != (d[i]) { ((i as u64) as i32) } else { (v[(i - 1) * n + j]).max(k) });
            }
            if ((if ((x[(i + 1) * n + j]).abs().sqrt()) == ((if ((if ((36u8 / ((48u8 & 7) + 1))) != ((90u8 ^ 19u8)) { 3.0f64 } else { d[i] })) >= ((d[i]).abs().sqrt()) { a } else { t4 })) { (90u64 / 9) } else { 20u64 })) > (38u64) {
            } else {
                let t7: f32 = t4;
            }
            let t8: u32 = (!(((if ((61u64 / 5)) != (((i as u64) / ((24u64 & 7) + 1))) { 40u32 } else { 21u32 }) | (!(t5)))));
            y[i * n + j] = (((0.125f32 + 2.125f32) + (a / (t4 + 3.5)))).min(((a).mul_add(t4, 0.25) - (x[i * n + n - 1 - j]).mul_add(x[(i + 1) * n + j], 0.25)));
            s += ((2.125f64).abs().sqrt() / ((0.5f64 - b) + 3.5)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b).min(d[i]) / ((3.5f64 + d[i]) + 3.5));
        z[i] = (((95i32).wrapping_add(44i32)).max((k).wrapping_mul(k)) / 2) ^ v[i * n + 1];
        q[2 * i] = ((i as u64) / ((((!(63u64)) / ((((i as u64)).max(11u64) & 7) + 1)) & 7) + 1));
        q[2 * i + 1] ^= (((i as u64)) >> ((69u64).wrapping_sub((i as u64)) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((w[3] as u64)).max((88u64).max((i as u64))) & 0xffff
    }
    pub fn p30(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..2i32 {
            let t2: u8 = (((24u8) >> ((21u8 | 62u8) & 7)) | (w[3] % 2));
        }
        if (((!(65u64))).wrapping_mul((!(68u64)))) >= (((i as u64) | 63u64)) {
            let t3: f32 = (((43i64 | 37i64)).wrapping_add((!(15i64))) as f32);
        } else {
            let mut t4 = [((if ((if ((2u32).min(16u32)) < (43u32) { 23u32 } else { 56u32 })) == (66u32) { 95i64 } else { 73i64 })).wrapping_mul(42i64); 4];
            for t5 in 0..4usize {
                t4[t5] = ((76i64 % 1) ^ (91i64 % ((20i64 & 7) + 9)));
            }
            let t6 = t4[2];
            let mut t7 = 0u32;
            while t7 < 1 {
                t7 += 1;
                if (b) < ((b).min(1.0f64)) { break; }
            }
        }
        for t8 in 0u8..4u8 {
            let t9: i32 = match (if ((37u64 & 0u64)) <= (15u64) { ((31u32) >> (0u32 & 7)) } else { (v[i * n + n / 2] as u32) }) % 6 {
                0 => (((!(88i32))) << ((v[i * n + n / 2] & k) & 7)),
                1 | 4 => (!((if ((if ((b).min(d[i])) >= ((1.5f64 - b)) { (i as u64) } else { 97u64 })) == ((69u64).wrapping_sub((i as u64))) { v[(i - 1) * n + n / 2] } else { k }))),
                2..=3 => ((!(k))).max(v[(i - 1) * n + n / 2]),
                _ => {
                    (if ((v[(i - 1) * n + n / 2] % 3)) != ((k % 9)) { (!(k)) } else { (k | k) })
                }
            };
        }
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t10 = [((53u32 / ((96u32 & 7) + 1)) | (a as u32)); 4];
            for t11 in 0..4usize {
                t10[t11] = ((21u32).min(36u32)).wrapping_mul(((52u32) >> (75u32 & 7)));
            }
            let t12 = t10[2];
            if (((x[(i + 1) * n + j] + x[(i + 1) * n + j])).abs().sqrt()) != ((85u8 as f32)) && (2i32) >= ((k & k)) {
            } else {
                let t13: f64 = (-(b));
            }
            let t14: f32 = match ((t12 ^ 79u32) / 5) % 6 {
                0 => a,
                1 | 4 => a,
                2..=3 => a,
                _ => {
                    (-((a).abs().sqrt()))
                }
            };
            y[i * n + j] = (if ((t14 - a)) == ((a + a)) { (a + (x[(i + 1) * n + j] - a)) } else { ((t14).mul_add(t14, 0.25)).abs().sqrt() });
            s += ((if ((if ((k).max(v[i * n + j])) > ((k % ((k & 7) + 9))) { a } else { x[i * n + j] })) < ((t14).mul_add(t14, 0.25)) { b } else { d[i] }) / ((0.5f64 / (b + 3.5)) + 3.5)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + d[i];
        if (((!((if ((53u8).min(w[3])) <= (91u8) { 56i64 } else { 99i64 })))) < (98i64) || (21u64) <= ((if (3i64) < ((if ((91u8).wrapping_add(48u8)) <= (w[3]) { 47i64 } else { 56i64 })) { 42u64 } else { (i as u64) }))) { return v[i * n] as u64 & 255; }
        z[i] = ((if (b) >= ((b).abs().sqrt()) { (a - a) } else { a }) as i32) ^ v[i * n + 1];
        q[2 * i] = ((!((((i as u64)) >> ((i as u64) & 7)))) % 3);
        q[2 * i + 1] ^= (((b as u64)) << ((66u64 / ((59u64 & 7) + 1)) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p31(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = b;
        for j in 1..n - 1 {
            let mut t2 = 0u32;
            while t2 < 4 {
                t2 += 1;
                if ((59u32 as i64)) > ((67i64 | 8i64)) { continue; }
            }
            let mut t3: f32 = (((a - a)).trunc()).mul_add(a, 0.25);
            if (((x[i * n + j]).min(x[(i + 1) * n + j]) - a)) < ((3.125f32 * t3)) {
                let t4: u8 = ((!((88u8).wrapping_add(w[j]))) / ((30u8 & 7) + 1));
            } else {
                t3 *= ((t3 / (x[i * n + j] + 3.5)) / ((x[i * n + n - 1 - j] + t3) + 3.5));
                let t5: u64 = (!(((t1 as u64) / 7)));
            }
            y[i * n + j] = (((a).mul_add(a, 0.25) * (a - 2.5f32)) + ((a).abs().sqrt() / ((a + t3) + 3.5)));
        }
        e[i] = d[i] * 0.5 + ((2.125f64 - b) + (2.25f64).mul_add(1.0f64, 0.25));
        if (12u64) < ((if (((34u64) >> (62u64 & 7))) != ((i as u64)) { (i as u64) } else { 18u64 })) { return v[i * n] as u64 & 255; }
        z[i] = ((if ((if (((k) >> (v[i * n + n / 2] & 7))) != ((v[(i - 1) * n + n / 2] % ((v[(i - 1) * n + n / 2] & 7) + 9))) { b } else { t1 })) < ((b).min(t1)) { 16u64 } else { (if ((v[i * n + n / 2] | k)) == ((!(k))) { 72u64 } else { (i as u64) }) }) as i32) ^ v[i * n + 1];
        q[2 * i] = (((18u32 as u64) & ((97u64) >> (94u64 & 7))) / ((((if ((a / (a + 3.5))) != (a) { 55u64 } else { 19u64 }) / (((if ((70i32 % ((k & 7) + 9))) >= ((4i32 % 9)) { (i as u64) } else { 46u64 }) & 7) + 1)) & 7) + 1));
        q[2 * i + 1] ^= (if (((78u8) >> (w[3] & 7))) == (64u8) { ((22u64) >> (15u64 & 7)) } else { (i as u64) }) ^ x[i * n] as u64 ^ w[1] as u64;
        (((29i64 as u64)) >> (((i as u64) ^ 69u64) & 7)) & 0xffff
    }
    pub fn p32(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u64 = ((((47u64) >> (85u64 & 7))).wrapping_add((12u64).max((i as u64))) | ((63u64).min(72u64) / 1));
        if (((t1 | t1)).min(((t1) >> (t1 & 7)))) != (((i as u64)).max(t1)) {
            let mut t2 = [((((36u32) << (73u32 & 7))) >> ((2u32).max(70u32) & 7)); 4];
            for t3 in 0..4usize {
                t2[t3] = (((48u32) << (34u32 & 7)) % 5);
            }
            let t4 = t2[3];
        } else {
            t1 ^= (!(t1));
            if (((!(t1)) / ((((i as u64)).min(t1) & 7) + 1))) <= ((91u64 / ((t1 & 7) + 1))) {
                let t5: i64 = 45i64;
            } else {
                t1 ^= t1;
                t1 ^= (((t1) >> (24u64 & 7)) | ((t1) << (t1 & 7)));
            }
        }
        let t6: i32 = match ((67u32) >> ((w[3] as u32) & 7)) % 6 {
            0 => (((k & 59i32)) << ((k | k) & 7)),
            1 | 4 => (((if ((58i64 | 53i64)) >= (((64i64) << (72i64 & 7))) { v[i * n + n / 2] } else { k })) >> (((v[(i - 1) * n + n / 2]) << (60i32 & 7)) & 7)),
            2..=3 => (k).min(((v[i * n + n / 2]) << (k & 7))),
            _ => {
                t1 ^= (t1).wrapping_add((t1).wrapping_add(33u64));
                (!(k))
            }
        };
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = a;
            s += ((1.5f64 - 3.5f64) + (1.5f64).mul_add(b, 0.25)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (if ((84i64).max(74i64)) < ((10i64 | 39i64)) { (-(3.25f64)) } else { (1.25f64).abs().sqrt() });
        z[i] = (!(((t6).wrapping_add(t6) % ((v[(i - 1) * n + n / 2] & 7) + 9)))) ^ v[i * n + 1];
        q[2 * i] = (((10u32 as u64) ^ (if ((67u8).min(w[3])) == ((7i64 as u8)) { t1 } else { 52u64 })) | ((!(t1)) ^ (t1 / 4)));
        q[2 * i + 1] ^= ((t1 / 9) & (t1).wrapping_mul(t1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (t1 ^ (t1 ^ 23u64)) & 0xffff
    }
    pub fn p33(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = 52i64;
        let mut t2 = [((66u32 / ((77u32 & 7) + 1)) | (72u32).min(19u32)); 4];
        for t3 in 0..4usize {
            t2[t3] = ((a).max(x[(i + 1) * n + n / 2]) as u32);
        }
        let t4 = t2[1];
        let mut t5 = 0u32;
        while t5 < 2 {
            t5 += 1;
            if ((73u32 & t4)) == ((50u32 & 57u32)) { continue; }
            let mut t6: i32 = ((k / 7)).max(((k).wrapping_add(k)).min((k | v[i * n + n / 2])));
        }
        for j in 0..n {
            y[i * n + j] = (((80u8 as f32)).abs().sqrt()).min(((x[i * n + j] / (a + 3.5)) * (if ((!(t1))) > ((96i64 ^ 16i64)) { a } else { a })));
        }
        e[i] = d[i] * 0.5 + ((d[i]).abs() / (b + 3.5));
        z[i] = (!((61i32 % (((!(v[i * n + n / 2])) & 7) + 9)))) ^ v[i * n + 1];
        q[2 * i] = (i as u64);
        q[2 * i + 1] ^= ((t1 as u64) & 36u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((w[3]).max(65u8)) != ((if ((t4 % 4)) < ((t5).wrapping_mul(t5)) { 11u8 } else { 3u8 })) { (64u64 | 76u64) } else { (b as u64) }) & 0xffff
    }
    pub fn p34(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = (if ((k).max(k)) <= ((k).max(k)) { (93i64).min((34i64).max(2i64)) } else { (if (((k) << (v[i * n + n / 2] & 7))) == ((k).min(k)) { (5i64 / 3) } else { 12i64 }) });
        for j in 2..n {
            y[i * n + j] = x[(i + 1) * n + j];
        }
        e[i] = d[i] * 0.5 + (if ((x[(i + 1) * n + n / 2] / (a + 3.5))) == ((a).max(a)) { (1.25f64 / (b + 3.5)) } else { (b).mul_add(b, 0.25) });
        z[i] = (!(((v[(i - 1) * n + n / 2] / 1) & (if (2.125f64) >= ((d[i]).mul_add(b, 0.25)) { k } else { k })))) ^ v[i * n + 1];
        q[2 * i] = (7u64 ^ ((!((i as u64)))).max(((23u64) << (19u64 & 7))));
        q[2 * i + 1] ^= (b as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((77u64).max(91u64) % 6) & 0xffff
    }
    pub fn p35(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if ((if (24u32) < ((71u32).wrapping_mul(92u32)) { a } else { (a).mul_add(a, 0.25) })) != (a) {
        } else {
            if (((!((13u64).wrapping_add(4u64)))) < (((49u64) >> (68u64 & 7))) || ((43i64 % ((35i64 & 7) + 9))) == (63i64)) {
            } else {
                let t1: u8 = (((((9u8) << (1u8 & 7))) << (((13u8) >> (84u8 & 7)) & 7)) % 8);
            }
        }
        for j in 0..n {
            y[i * n + j] = (-((a * (a).mul_add(x[(i + 1) * n + j], 0.25))));
        }
        e[i] = d[i] * 0.5 + d[i];
        if ((k) < (((3i32) >> (k & 7))) || (5u8) <= ((w[3]).wrapping_sub(w[3]))) { return v[i * n] as u64 & 255; }
        z[i] = (!(k)) ^ v[i * n + 1];
        q[2 * i] = (i as u64);
        q[2 * i + 1] ^= ((42u64 / (((i as u64) & 7) + 1)) / (((k as u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((!(54u64)) & ((i as u64) / 6)) & 0xffff
    }
    pub fn p36(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..2u8 {
            if (((54u64 & 16u64) as f32)) <= (a) {
                let mut t2: u32 = 63u32;
            } else {
            }
        }
        let t3: i32 = ((!((if ((b - 2.125f64)) > ((3.5f64 / (b + 3.5))) { k } else { k }))) / 8);
        let t4: f32 = (a + ((-(3.25f32))).mul_add((x[i * n + n / 2]).abs().sqrt(), 0.25));
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if ((2.25f64 / (1.0f64 + 3.5))) == ((if ((63i32).wrapping_sub(56i32)) == ((43u8 as i32)) { b } else { b })) { continue; }
            let mut t6 = 0u32;
            while t6 < 5 {
                t6 += 1;
                if ((b - b)) < ((-(b))) { break; }
                let mut t7: u64 = 11u64;
                t7 = t7;
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t8 = [((76i64 | 92i64) % (((22i64).wrapping_sub(65i64) & 7) + 9)); 4];
            for t9 in 0..4usize {
                t8[t9] = (98i64 % (((8i64 ^ 20i64) & 7) + 9));
            }
            let t10 = t8[3];
            y[i * n + j] = (((x[i * n + j] + x[i * n + n - 1 - j])).abs().sqrt()).mul_add(((3.0f32 - x[(i + 1) * n + j])).abs().sqrt(), 0.25);
            s += (-((b).abs().sqrt())) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((if ((!(33u8))) != ((w[3]).wrapping_mul(75u8)) { b } else { b }) / ((b + b) + 3.5));
        z[i] = ((t3) >> (t3 & 7)) ^ v[i * n + 1];
        q[2 * i] = (((42u64 / (((i as u64) & 7) + 1)) % 2) % 5);
        q[2 * i + 1] ^= (52u64 / (((87u64).wrapping_add(45u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (!((52u64).wrapping_mul(24u64))) & 0xffff
    }
    pub fn p37(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = (87i64 ^ ((!(23i64)) / 7));
        let t2: u32 = match (!(33u32)) % 6 {
            0 => 39u32,
            1 | 4 => (((38u32 ^ 15u32)) << ((50u32 | 6u32) & 7)),
            2..=3 => (!((13u32 & 6u32))),
            _ => {
                let t3: u64 = (!(((((34u64) << (77u64 & 7))) >> ((63u64 as u64) & 7))));
                ((45u32).max(57u32) / (((43u32).wrapping_add(96u32) & 7) + 1))
            }
        };
        for j in 0..n {
            let mut t4 = [(a).mul_add((a).abs(), 0.25); 4];
            for t5 in 0..4usize {
                t4[t5] = ((t2 | t2) as f32);
            }
            let t6 = t4[0];
            let t7: f32 = match (((43u32).wrapping_mul(t2)) << ((77u32 | t2) & 7)) % 6 {
                0 => (if ((t2 & t2)) > (t2) { t6 } else { (-(a)) }),
                1 | 4 => (a).trunc(),
                2..=3 => ((3.0f32).abs().sqrt() - (a).max(x[(i + 1) * n + j])),
                _ => {
                    let mut t8: i32 = (((31u32 / ((t2 & 7) + 1))).max(((t2) >> (18u32 & 7))) as i32);
                    t6
                }
            };
            y[i * n + j] = (((a).max(a)).mul_add((x[i * n + n - 1 - j]).trunc(), 0.25) / (((if ((t6 - t7)) >= (t6) { 3.125f32 } else { t6 })).mul_add((t7).abs().sqrt(), 0.25) + 3.5));
        }
        e[i] = d[i] * 0.5 + ((d[i]).abs()).trunc();
        if ((((t2 / 8) / 8)) < (((t2) << (0u32 & 7))) || ((t2 / 1)) >= ((20u8 as u32))) { return v[i * n] as u64 & 255; }
        z[i] = ((v[(i - 1) * n + n / 2] % 2) | (((v[i * n + n / 2]).min(k)) << (k & 7))) ^ v[i * n + 1];
        q[2 * i] = 83u64;
        q[2 * i + 1] ^= ((35u64) << ((if ((if ((t1 as i32)) >= ((k % ((k & 7) + 9))) { k } else { k })) == ((k).wrapping_mul(k)) { 4u64 } else { 73u64 }) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((37u64 % 3) / (((93u64).wrapping_sub((i as u64)) & 7) + 1)) & 0xffff
    }
    pub fn p38(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: f32 = (a).abs();
        t1 *= a;
        if ((a as i32)) < ((if ((w[3] & 39u8)) != (45u8) { k } else { k })) {
            for t2 in 1u8..5u8 {
                t1 += ((-(x[(i + 1) * n + n / 2])) + (a).ceil());
            }
            let mut t3 = [44u8; 4];
            for t4 in 0..4usize {
                t3[t4] = (if ((24u64 | 57u64)) < ((66u64).wrapping_mul(55u64)) { (72u8 & 15u8) } else { (w[3] ^ w[3]) });
            }
            let t5 = t3[3];
        } else {
            t1 = (-(x[i * n + n / 2]));
            let t6: u8 = match (((if ((17u32).max(91u32)) >= ((90u32 % 7)) { 25u32 } else { 69u32 })) >> ((if ((w[3] ^ 48u8)) < ((70u8 / ((55u8 & 7) + 1))) { 27u32 } else { 45u32 }) & 7)) % 6 {
                0 => (((45u8) << (85u8 & 7)) / 6),
                1 | 4 => ((28u8 ^ 58u8) | (50u8 ^ 48u8)),
                2..=3 => (((w[3]) << (98u8 & 7))).min((59u8 / ((35u8 & 7) + 1))),
                _ => {
                    let t7: u8 = (!(62u8));
                    ((t7).wrapping_add(32u8)).wrapping_mul((if ((if ((if ((50u32).max(38u32)) >= ((if ((!(35u64))) > (86u64) { 3u32 } else { 64u32 })) { k } else { k })) == ((v[i * n + n / 2] % ((k & 7) + 9))) { k } else { v[(i - 1) * n + n / 2] })) < ((k | k)) { t7 } else { t7 }))
                }
            };
        }
        let mut s = 0.0f64;
        for j in 0..n {
            let mut t8: i32 = k;
            let t9: i64 = match 16u32 % 6 {
                0 => (0i64).wrapping_mul((19i64 % ((42i64 & 7) + 9))),
                1 | 4 => (((10i64) >> (78i64 & 7)) / 6),
                2..=3 => (43i64 & (11i64 % ((62i64 & 7) + 9))),
                _ => {
                    t8 |= (x[(i + 1) * n + j] as i32);
                    (if ((90u64).wrapping_mul((i as u64))) != ((i as u64)) { 31i64 } else { (if (0.25f64) > (1.25f64) { 23i64 } else { 96i64 }) })
                }
            };
            y[i * n + j] = (((a).mul_add(x[(i + 1) * n + j], 0.25)).abs().sqrt()).floor();
            s += (0.25f64).mul_add((b).abs().sqrt(), 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (b).max((b / (d[i] + 3.5)));
        z[i] = ((a as i32)).max(72i32) ^ v[i * n + 1];
        q[2 * i] = (!((((i as u64) / 8) ^ 27u64)));
        q[2 * i + 1] ^= (((53u64).wrapping_sub((i as u64))) >> ((!(26u64)) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        10u64 & 0xffff
    }
    pub fn p39(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 1 {
            t1 += 1;
            if ((!(v[(i - 1) * n + n / 2]))) == ((k % 9)) { continue; }
            if ((((-(a)) * a)) == (a) || ((48u32).wrapping_sub(8u32)) >= ((73u32).min(51u32))) {
                let mut t2: u64 = (if ((x[i * n + n / 2] as i32)) >= ((11i32 & v[(i - 1) * n + n / 2])) { ((i as u64)).wrapping_add((if (64i64) <= ((b as i64)) { 8u64 } else { 14u64 })) } else { (((if ((b).floor()) > ((-(b))) { 88u64 } else { 64u64 })) >> ((2u64 & 85u64) & 7)) });
                t2 = ((!(t2)) % 7);
            } else {
            }
        }
        let mut t3 = [((a / (a + 3.5)) / ((a / (x[i * n + n / 2] + 3.5)) + 3.5)); 4];
        for t4 in 0..4usize {
            t3[t4] = a;
        }
        let t5 = t3[0];
        let mut t6 = 0u32;
        while t6 < 2 {
            t6 += 1;
            if ((a).min(x[i * n + n / 2])) >= ((x[i * n + n / 2] / (t5 + 3.5))) { continue; }
            let mut t7: f32 = (((a).max(a) / ((x[i * n + n / 2]).abs().sqrt() + 3.5))).mul_add(((24i32 as f32)).max((a).mul_add(a, 0.25)), 0.25);
        }
        if ((-((b * b)))) <= (b) {
            let t8: u32 = ((((49u8 as u32) % 2)) >> ((if ((b).mul_add(1.5f64, 0.25)) == (b) { t6 } else { (k as u32) }) & 7));
        } else {
            if ((if ((t5).max(a)) >= ((-(t5))) { 70i64 } else { 88i64 })) >= ((54i64 & 89i64)) {
                let mut t9: f32 = (t5 - (t5 * (x[(i + 1) * n + n / 2] / (1.25f32 + 3.5))));
            } else {
                let mut t10: i64 = ((((10i64) >> (15i64 & 7))).min((!(19i64)))).wrapping_add((if ((t1 | t1)) == (t1) { ((76i64) << (30i64 & 7)) } else { 47i64 }));
            }
        }
        for j in 1..n - 1 {
            let mut t11 = [((x[i * n + j]).mul_add(t5, 0.25) as i32); 4];
            for t12 in 0..4usize {
                t11[t12] = (k).min(k);
            }
            let t13 = t11[3];
            y[i * n + j] = (-(1.0f32));
        }
        e[i] = d[i] * 0.5 + ((-(b))).min((b + b));
        if ((x[i * n + n / 2] / ((if (((56u8) >> (w[3] & 7))) >= ((b as u8)) { a } else { 2.125f32 }) + 3.5))) > ((2.5f32).mul_add(x[(i + 1) * n + n / 2], 0.25)) { return v[i * n] as u64 & 255; }
        z[i] = (if ((i as u64)) == ((8u64 ^ 24u64)) { ((v[(i - 1) * n + n / 2]) << ((93i32 & v[(i - 1) * n + n / 2]) & 7)) } else { v[(i - 1) * n + n / 2] }) ^ v[i * n + 1];
        q[2 * i] = 78u64;
        q[2 * i + 1] ^= (63u64 / (((!(56u64)) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((20u64) << ((i as u64) & 7)) as u64) & 0xffff
    }
    pub fn p40(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u64 = ((if ((w[3] ^ 95u8)) != ((w[3] ^ 13u8)) { (72u64 / ((54u64 & 7) + 1)) } else { ((i as u64) ^ (i as u64)) }) % 8);
        let mut t2: i64 = (if ((k & v[i * n + n / 2])) == (k) { (if ((t1 as i32)) <= ((k & k)) { ((45i64) >> (16i64 & 7)) } else { (71i64 ^ 68i64) }) } else { 88i64 });
        let t3: u8 = match (!((62u32 | 62u32))) % 6 {
            0 => (91u8 / 6),
            1 | 4 => (20u8 | ((57u8) >> (5u8 & 7))),
            2..=3 => 23u8,
            _ => {
                t2 ^= (((k) << (k & 7)) as i64);
                ((92u8) << ((!(97u8)) & 7))
            }
        };
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            if (((t1 ^ 4u64) as f32)) != ((a).trunc()) {
            } else {
                let mut t4: i32 = (if ((t3 | t3)) <= (94u8) { (((k).min(k)) >> ((!(k)) & 7)) } else { k });
            }
            y[i * n + j] = (((1.0f32).max(a)).mul_add((a).abs().sqrt(), 0.25) + (a - a));
            s += ((55i64 | 92i64) as f64) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (b).ceil();
        z[i] = (((k | v[(i - 1) * n + n / 2])).wrapping_mul((v[(i - 1) * n + n / 2]).wrapping_mul(k))).wrapping_mul(((v[(i - 1) * n + n / 2] & k)).min((k).min(k))) ^ v[i * n + 1];
        q[2 * i] = ((34u64 | (!(t1))) & ((t1 / ((t1 & 7) + 1)) / (((i as u64) & 7) + 1)));
        q[2 * i + 1] ^= (((t1 / ((84u64 & 7) + 1))) >> ((t1).wrapping_sub(85u64) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((12i32).min(k)) >= ((k ^ k)) { (t1 % 9) } else { (7i64 as u64) }) & 0xffff
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
            let mut t8: f32 = ((if ((b).min(b)) > ((d[i]).mul_add(b, 0.25)) { (if ((18u8 % 1)) <= ((w[j] ^ w[j])) { a } else { a }) } else { (0.25f32).mul_add(x[i * n + j], 0.25) }) - ((x[i * n + j]).min(a)).mul_add((a).mul_add(t7, 0.25), 0.25));
            let mut t9 = [((!(40u8)) / 5); 4];
            for t10 in 0..4usize {
                t9[t10] = ((33u8 / ((54u8 & 7) + 1)) / ((((w[j]) << (61u8 & 7)) & 7) + 1));
            }
            let t11 = t9[1];
            t8 *= t7;
            y[i * n + j] = (((t8 - t7) - (t8).max(a))).abs().sqrt();
        }
        e[i] = d[i] * 0.5 + ((if (9u8) == ((70u8).wrapping_add(w[3])) { t4 } else { t4 }) as f64);
        z[i] = (((81u8 ^ w[3])).min((7u8 / 8)) as i32) ^ v[i * n + 1];
        q[2 * i] = (((t4).min(96u32) as i32) as u64);
        q[2 * i + 1] ^= (((i as u64)).wrapping_mul(90u64)).wrapping_mul(((4u64) >> ((i as u64) & 7))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((((i as u64)).min(31u64)) >> ((55u64 / (((i as u64) & 7) + 1)) & 7)) & 0xffff
    }
    pub fn p42(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i32 = match (((29u32) >> (11u32 & 7)) ^ (81u32).max(73u32)) % 6 {
            0 => ((if ((b).floor()) < ((0.25f64).mul_add(1.5f64, 0.25)) { k } else { k })).wrapping_sub((k % ((k & 7) + 9))),
            1 | 4 => k,
            2..=3 => ((!(30i64)) as i32),
            _ => {
                let t2: u32 = ((b as u32) & (55u32 % 6));
                k
            }
        };
        if (((89u32 & 48u32) | (!(57u32)))) == ((3.5f64 as u32)) && ((k % 6)) <= (((k) >> (t1 & 7))) {
            if (((15i64 / 3) % ((34i64 & 7) + 9))) >= (((13i64) << (26i64 & 7))) {
                let mut t3: i32 = ((((v[i * n + n / 2] ^ k)) << ((v[(i - 1) * n + n / 2] & t1) & 7)) | ((v[(i - 1) * n + n / 2] & 84i32)).wrapping_add((t1).min(t1)));
                let mut t4: f64 = (((w[3] & 46u8) as f64)).abs();
            } else {
            }
        } else {
            let t5: u8 = (79u8 | ((78u8 / ((w[3] & 7) + 1)) / 8));
            let mut t6 = 0u32;
            while t6 < 1 {
                t6 += 1;
                if (t5) < ((if ((62u64 & 95u64)) <= (((i as u64) / (((i as u64) & 7) + 1))) { t5 } else { t5 })) { break; }
                let mut t7: f32 = a;
                t7 += (t7 / (a + 3.5));
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            if ((47u64).wrapping_sub(44u64)) == ((41u8 as u64)) && ((1.125f64).mul_add(b, 0.25)) == ((b / (b + 3.5))) {
                let t8: f32 = (b as f32);
            } else {
            }
            let mut t9: i32 = 52i32;
            let mut t10 = 0u32;
            while t10 < 5 {
                t10 += 1;
                if ((-(b))) == ((if (b) <= ((b).min(b)) { 2.125f64 } else { b })) { continue; }
                t9 ^= t1;
                t9 |= ((k % 8) % ((t1 & 7) + 9));
            }
            y[i * n + j] = a;
            s += ((b).ceil()).mul_add((t10 as f64), 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (b).abs().sqrt();
        z[i] = ((!(t1)) ^ k) ^ v[i * n + 1];
        q[2 * i] = (if ((b).mul_add(d[i], 0.25)) != ((b).mul_add(b, 0.25)) { (if ((w[3] | 35u8)) != ((w[3] & w[3])) { ((51u64) >> (14u64 & 7)) } else { ((i as u64) | 33u64) }) } else { (((i as u64) ^ (i as u64)) & (1u8 as u64)) });
        q[2 * i + 1] ^= ((23u64) << (((i as u64) | 71u64) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        (w[3] as u64) & 0xffff
    }
    pub fn p43(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let mut t1 = 0u32;
            while t1 < 1 {
                t1 += 1;
                if ((b).mul_add(d[i], 0.25)) >= ((b - b)) { break; }
                let mut t2: i32 = k;
                let t3: u64 = ((11u64 / ((92u64 & 7) + 1)) & (if ((23i64 as u64)) > (79u64) { (if ((b as i64)) != ((51i64 & 26i64)) { (i as u64) } else { 26u64 }) } else { (87u64 & 81u64) }));
            }
            let mut t4 = [(w[j] / (((68u8 & 74u8) & 7) + 1)); 4];
            for t5 in 0..4usize {
                t4[t5] = (w[j] % 3);
            }
            let t6 = t4[3];
            y[i * n + j] = (((0.25f32).abs().sqrt()).min((a).abs().sqrt())).abs().sqrt();
            s += (if ((75i64).wrapping_sub(73i64)) >= (18i64) { b } else { (if ((if (34i64) != (67i64) { 68i32 } else { k })) >= (k) { 1.5f64 } else { b }) }) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((if (v[(i - 1) * n + n / 2]) <= (k) { k } else { k }) as f64);
        if ((-((a as f32)))) > (0.0f32) && ((k | k)) != ((k).min(k)) { return v[i * n] as u64 & 255; }
        z[i] = (((k) << (92i32 & 7))).min(((!(v[(i - 1) * n + n / 2])) ^ ((v[i * n + n / 2]) >> (k & 7)))) ^ v[i * n + 1];
        q[2 * i] = (((2.0f64).abs().sqrt() as u64)).max(((!(80u64)) / 8));
        q[2 * i + 1] ^= ((!((i as u64))) / (((88u64 / ((67u64 & 7) + 1)) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (87u64 / 8) & 0xffff
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
                t6[t7] = ((b / (0.25f64 + 3.5))).abs().sqrt();
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
        e[i] = s + d[i] * 0.5 + ((b + d[i]) - (0.0f64 + b));
        if (b) <= ((b / (0.0f64 + 3.5))) { return v[i * n] as u64 & 255; }
        z[i] = ((36i32 % 9) | (v[(i - 1) * n + n / 2] % (((69i32).min(k) & 7) + 9))) ^ v[i * n + 1];
        q[2 * i] = (((27i64).wrapping_add(58i64)).wrapping_sub((k as i64)) as u64);
        q[2 * i + 1] ^= (!((if ((a).mul_add(a, 0.25)) == ((a).mul_add(x[(i + 1) * n + n / 2], 0.25)) { (i as u64) } else { t4 }))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((t4 / 8) / (((t4).min(t4) & 7) + 1)) & 0xffff
    }
    pub fn p45(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 0u8..3u8 {
            if ((if ((79u64 as u8)) == ((if ((if ((a as i32)) != (k) { (i as u64) } else { (i as u64) })) >= ((!(87u64))) { t1 } else { t1 })) { (3.0f32 * a) } else { (a - x[i * n + n / 2]) })) >= ((61u8 as f32)) {
                let mut t2: f32 = ((-(a))).abs();
            } else {
                let t3: i64 = ((if ((k | k)) <= (k) { (38i64 % 9) } else { (98i64).wrapping_mul(57i64) }) as i64);
            }
        }
        let mut t4 = [((b).abs().sqrt() as u64); 4];
        for t5 in 0..4usize {
            t4[t5] = 35u64;
        }
        let t6 = t4[1];
        let mut t7: f32 = (if ((a).min(a)) > ((x[(i + 1) * n + n / 2] * a)) { ((if ((-(0.5f64))) >= ((b - b)) { a } else { 2.5f32 })).max((if ((t6 as u64)) != ((i as u64)) { a } else { x[i * n + n / 2] })) } else { (if ((b).min(b)) >= (0.0f64) { (2.5f32 - x[(i + 1) * n + n / 2]) } else { (a).trunc() }) });
        let t8: f32 = 3.0f32;
        let mut s = 0.0f64;
        for j in 2..n {
            for t9 in 0i32..=4i32 {
                let mut t10: f32 = (x[(i + 1) * n + j] - ((x[i * n + j]).min(x[(i + 1) * n + j]) * (if ((!(62u32))) < ((50u32 ^ 95u32)) { x[(i + 1) * n + j] } else { 2.0f32 })));
            }
            y[i * n + j] = (((-(t7))).floor()).floor();
            s += ((b).abs().sqrt()).max((3.5f64).abs()) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + 3.5f64;
        if ((b) == ((b - b)) || ((!(61i64))) > (70i64)) { return v[i * n] as u64 & 255; }
        z[i] = ((if ((t6 ^ t6)) > (((91u64) << (t6 & 7))) { (v[(i - 1) * n + n / 2]).max(k) } else { (k / 7) })).wrapping_sub(((if ((if (90u8) < ((!(34u8))) { 85i64 } else { 29i64 })) < ((if ((w[3] as i32)) != ((v[(i - 1) * n + n / 2] % ((v[i * n + n / 2] & 7) + 9))) { 90i64 } else { 32i64 })) { v[i * n + n / 2] } else { v[(i - 1) * n + n / 2] }) & (58i32).wrapping_mul(k))) ^ v[i * n + 1];
        q[2 * i] = ((!(((t6) >> (t6 & 7)))) / (((t6 % 8) & 7) + 1));
        q[2 * i + 1] ^= (i as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((53u32 & 69u32)) > (74u32) { (t6 & 58u64) } else { (b as u64) }) & 0xffff
    }
    pub fn p46(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u8 = (((4u8 % 4)).wrapping_add((25u8).max(74u8)) | ((25u8 & w[3])).wrapping_sub((w[3] / 9)));
        if (((((i as u64)).max((i as u64)) / 5)) <= ((52u64 | (i as u64))) || ((39i64 % ((7i64 & 7) + 9))) == ((87i64 & 70i64))) {
            if (a) >= ((x[i * n + n / 2] - a)) {
            } else {
            }
        } else {
            for t2 in 1u8..=5u8 {
            }
            for t3 in 2usize..=5usize {
            }
        }
        let mut t4 = [((k).max(k)).wrapping_mul((k % 4)); 4];
        for t5 in 0..4usize {
            t4[t5] = ((k).wrapping_mul(k)).wrapping_add((k % 4));
        }
        let t6 = t4[3];
        let t7: u32 = ((89u32 | (b as u32))).max(((40u32 / ((97u32 & 7) + 1)) / (((if (a) >= ((x[(i + 1) * n + n / 2] / (a + 3.5))) { 44u32 } else { 18u32 }) & 7) + 1)));
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t8 = [a; 4];
            for t9 in 0..4usize {
                t8[t9] = a;
            }
            let t10 = t8[3];
            y[i * n + j] = (((-(t10))).mul_add((2.5f64 as f32), 0.25)).mul_add((if (14i64) <= ((27i64 ^ 52i64)) { (t10 + x[(i + 1) * n + j]) } else { (a).abs().sqrt() }), 0.25);
            s += ((b).max(b) / (b + 3.5)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((0.125f64 + b)).min((b * 1.0f64));
        z[i] = ((!(t6)) % 3) ^ v[i * n + 1];
        q[2 * i] = ((if (a) >= ((a).abs().sqrt()) { (88u64 / ((59u64 & 7) + 1)) } else { (!(75u64)) })).wrapping_add((if ((b).mul_add(b, 0.25)) == ((b / (b + 3.5))) { 44u64 } else { (45u64 / 3) }));
        q[2 * i + 1] ^= ((5u64).wrapping_sub((i as u64)) | (!(73u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((i as u64) & (25u64 / (((i as u64) & 7) + 1))) & 0xffff
    }
    pub fn p47(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u8 = match 82u32 % 6 {
            0 => ((w[3] / ((8u8 & 7) + 1)) | (w[3] / ((77u8 & 7) + 1))),
            1 | 4 => 95u8,
            2..=3 => ((w[3]).min(98u8)).wrapping_mul((w[3] ^ w[3])),
            _ => {
                86u8
            }
        };
        let mut t2 = 0u32;
        while t2 < 4 {
            t2 += 1;
            if (((1u32) << (98u32 & 7))) > ((45u32 | 66u32)) { continue; }
            if (((k % 1)) >= ((v[(i - 1) * n + n / 2] & k)) || ((!(37u32))) >= ((18u32 / 6))) {
            } else {
                let t3: f32 = ((if (4u64) >= (((i as u64) / 7)) { (a - a) } else { (a * a) })).trunc();
                let t4: u8 = t1;
            }
        }
        let mut t5 = 0u32;
        while t5 < 2 {
            t5 += 1;
            if ((t1 ^ 88u8)) >= ((1u8).wrapping_add(t1)) { continue; }
            let mut t6 = [(16u64).wrapping_mul((42u64 / ((29u64 & 7) + 1))); 4];
            for t7 in 0..4usize {
                t6[t7] = ((53u64 | 39u64) / (((31u64).min(14u64) & 7) + 1));
            }
            let t8 = t6[2];
        }
        let mut s = 0.0f64;
        for j in 2..n {
            y[i * n + j] = (((a * x[(i + 1) * n + j])).ceil()).abs().sqrt();
            s += b * 0.001;
        }
        e[i] = s + d[i] * 0.5 + 2.5f64;
        z[i] = (((13i32 | k) % (((k % ((k & 7) + 9)) & 7) + 9))).wrapping_mul(((if ((a - 0.5f32)) < ((x[i * n + n / 2]).mul_add(a, 0.25)) { (i as u64) } else { 95u64 }) as i32)) ^ v[i * n + 1];
        q[2 * i] = (!(((40u64 / ((59u64 & 7) + 1)) & (!(51u64)))));
        q[2 * i + 1] ^= ((66u64).min(51u64)).min(29u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64) / ((91u64 & 7) + 1))).max(((96u64) << (6u64 & 7))) & 0xffff
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
            s += (if ((k % ((46i32 & 7) + 9))) < ((k % ((k & 7) + 9))) { (b).abs().sqrt() } else { (if ((b).abs().sqrt()) <= (0.0f64) { b } else { b }) }) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((-(b))).mul_add((b).abs().sqrt(), 0.25);
        z[i] = (k % ((k & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (((54u64 / 9)) << ((i as u64) & 7));
        q[2 * i + 1] ^= (((i as u64) & 65u64) & (4u64).wrapping_add((i as u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        (!((i as u64))) & 0xffff
    }
    pub fn p49(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 1 {
            t1 += 1;
            if ((if ((if ((i as u64)) == ((2.125f32 as u64)) { 7i64 } else { 95i64 })) <= ((32i64).min(71i64)) { k } else { k })) >= (k) { continue; }
            let mut t2 = [((d[i]).ceil() / ((1.125f64).abs().sqrt() + 3.5)); 4];
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
            y[i * n + j] = (((a / (3.125f32 + 3.5))).abs().sqrt()).mul_add(((a * a) - (a + a)), 0.25);
        }
        e[i] = d[i] * 0.5 + ((0.25f64).abs().sqrt() - b);
        if ((((15u8 / ((1u8 & 7) + 1)) / (((87u8 as u8) & 7) + 1))) <= ((10u8 / ((86u8 & 7) + 1))) || ((!(v[i * n + n / 2]))) != ((k | v[i * n + n / 2]))) { return v[i * n] as u64 & 255; }
        z[i] = (if ((if ((-(a))) > (3.5f32) { t1 } else { t5 })) <= (((t1) << (t1 & 7))) { ((k).min(v[(i - 1) * n + n / 2]) / 3) } else { (((if ((95i64 as u32)) > ((if ((!(t5))) <= ((if (88u32) >= (t1) { 98u32 } else { t1 })) { t5 } else { t1 })) { k } else { v[(i - 1) * n + n / 2] })) << (k & 7)) }) ^ v[i * n + 1];
        q[2 * i] = (((!((!(66u64))))) >> ((i as u64) & 7));
        q[2 * i + 1] ^= (!((96u64 | 51u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if ((b).min(b)) < (b) { 53u64 } else { (i as u64) }) ^ (i as u64)) & 0xffff
    }
    pub fn p50(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if (((if ((96i64 | 29i64)) < ((73i64 & 58i64)) { k } else { v[(i - 1) * n + n / 2] })).min((91i32 as i32))) != ((k % ((k & 7) + 9))) {
            for t1 in 0i32..2i32 {
                let t2: i64 = 41i64;
            }
        } else {
            let mut t3: f64 = ((!((if ((6i64 % ((72i64 & 7) + 9))) != (((83i64) >> (21i64 & 7))) { k } else { v[(i - 1) * n + n / 2] }))) as f64);
            let t4: u64 = match (!((!(59u32)))) % 6 {
                0 => (if ((x[i * n + n / 2] as u64)) >= (9u64) { ((i as u64) ^ 75u64) } else { (51u8 as u64) }),
                1 | 4 => 52u64,
                2..=3 => ((((i as u64)) << (74u64 & 7)) % 4),
                _ => {
                    t3 += ((if ((w[3] as i32)) > ((63u32 as i32)) { t3 } else { d[i] })).abs();
                    96u64
                }
            };
        }
        let mut t5 = [((if (93i64) < ((!(26i64))) { (i as u64) } else { 13u64 }) / ((92u64 & 7) + 1)); 4];
        for t6 in 0..4usize {
            t5[t6] = ((!(92u64)) % 5);
        }
        let t7 = t5[0];
        for j in 1..n - 1 {
            for t8 in 1u8..2u8 {
                let t9: u8 = t8;
            }
            y[i * n + j] = (if ((a / (1.125f32 + 3.5))) < (a) { ((-(a)) + (a).abs().sqrt()) } else { ((a).ceil()).mul_add((-(a)), 0.25) });
        }
        e[i] = d[i] * 0.5 + (b - b);
        z[i] = ((48i64 as i32) / 3) ^ v[i * n + 1];
        q[2 * i] = ((t7) << (((t7 / ((55u64 & 7) + 1))).max(t7) & 7));
        q[2 * i + 1] ^= (((2.125f64 as u64)) >> (((i as u64) % 8) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((t7).wrapping_mul(92u64) / (((87u64 / ((t7 & 7) + 1)) & 7) + 1)) & 0xffff
    }
    pub fn p51(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f32 = x[i * n + n / 2];
        for t2 in 0usize..3usize {
            let mut t3: u32 = ((57u32) >> (91u32 & 7));
        }
        let mut t4 = [((87u32 as f64) as i32); 4];
        for t5 in 0..4usize {
            t4[t5] = ((b).min(b) as i32);
        }
        let t6 = t4[1];
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t7 = 0u32;
            while t7 < 5 {
                t7 += 1;
                if (v[i * n + j]) != ((k & k)) { break; }
            }
            for t8 in 2i32..=3i32 {
                let mut t9: i32 = (if ((if ((a).abs().sqrt()) == ((-(t1))) { t7 } else { 18u32 })) <= (t7) { ((!(53i32)) & (k ^ t8)) } else { (((v[(i - 1) * n + j]) << (v[i * n + n - 1 - j] & 7)) % (((t6).wrapping_mul(t6) & 7) + 9)) });
            }
            let mut t10 = [b; 4];
            for t11 in 0..4usize {
                t10[t11] = ((b).mul_add(b, 0.25) * (-(b)));
            }
            let t12 = t10[0];
            y[i * n + j] = (((x[i * n + j]).min(x[(i + 1) * n + j]) / ((-(a)) + 3.5))).mul_add(((x[(i + 1) * n + j]).abs() - (if ((!(t7))) == (t7) { x[(i + 1) * n + j] } else { x[(i + 1) * n + j] })), 0.25);
            s += ((t7 ^ 25u32) as f64) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((d[i]).floor()).mul_add((b - d[i]), 0.25);
        z[i] = (!(((b as u64) as i32))) ^ v[i * n + 1];
        q[2 * i] = (!((((i as u64)).wrapping_mul((i as u64))).wrapping_add((if (86u64) != ((21u64).max(9u64)) { (i as u64) } else { 99u64 }))));
        q[2 * i + 1] ^= (i as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        66u64 & 0xffff
    }
    pub fn p52(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((if ((b).abs().sqrt()) == ((b).min(b)) { 3u32 } else { 11u32 })).wrapping_mul((if (95u32) > (73u32) { 5u32 } else { 83u32 })) % 6 {
            0 => ((if ((if ((if (52u8) != ((w[3]).max(61u8)) { 50u64 } else { 24u64 })) < (88u64) { k } else { v[(i - 1) * n + n / 2] })) == (k) { 53u8 } else { w[3] }) as i64),
            1 | 4 => ((12u32 as i64) | ((37i64) << (65i64 & 7))),
            2..=3 => (if ((w[3] & 11u8)) < ((53u8 / ((63u8 & 7) + 1))) { (50i64).min(20i64) } else { (41i64 / 4) }),
            _ => {
                let mut t2: f32 = (((x[(i + 1) * n + n / 2]).abs().sqrt() as f32)).abs().sqrt();
                68i64
            }
        };
        let mut t3 = 0u32;
        while t3 < 5 {
            t3 += 1;
            if ((a).mul_add(a, 0.25)) > ((a * a)) { break; }
            let t4: u32 = (if ((k as f64)) != (b) { 81u32 } else { ((34u8 as f64) as u32) });
        }
        let t5: u8 = (((((w[3]) >> (42u8 & 7))).max((b as u8))) >> (11u8 & 7));
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t6: f32 = a;
            for t7 in 1usize..=3usize {
                t6 += ((x[i * n + j] / (x[(i + 1) * n + j] + 3.5))).mul_add((0.0f32 - 1.125f32), 0.25);
                t6 += ((t6 * t6) - x[(i + 1) * n + j]);
            }
            y[i * n + j] = ((0u64 as f32)).ceil();
            s += b * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((d[i] - b) * (1.0f64 / (b + 3.5)));
        z[i] = (((!(k))).max(k)).wrapping_mul(((k | k)).min(((k) << (k & 7)))) ^ v[i * n + 1];
        q[2 * i] = (!((((!(69u64))) >> ((((i as u64)) << (37u64 & 7)) & 7))));
        q[2 * i + 1] ^= ((75u32 & t3) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((47u64 & 70u64)).min((t1 as u64)) & 0xffff
    }
    pub fn p53(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u64 = match ((42u32 / ((56u32 & 7) + 1)) % 5) % 6 {
            0 => 82u64,
            1 | 4 => (((42u64) << (79u64 & 7))).max(((i as u64)).wrapping_sub((i as u64))),
            2..=3 => (if ((40u64 as f32)) >= ((if ((k).min(k)) > ((k % ((7i32 & 7) + 9))) { x[i * n + n / 2] } else { a })) { ((86u64) >> ((i as u64) & 7)) } else { ((i as u64) / ((29u64 & 7) + 1)) }),
            _ => {
                (3u64 % 1)
            }
        };
        let mut t2 = [t1; 4];
        for t3 in 0..4usize {
            t2[t3] = (((i as u64) / ((47u64 & 7) + 1)) & (27u64 | t1));
        }
        let t4 = t2[2];
        for t5 in 0u8..=2u8 {
            let t6: i32 = (v[i * n + n / 2] / 4);
            let t7: u8 = match (56u32 | (37u32).max(7u32)) % 6 {
                0 => ((48u8).max(t5) & (w[3]).min(49u8)),
                1 | 4 => (((w[3]) >> (33u8 & 7)) | (t5 & t5)),
                2..=3 => (if ((0.25f32).min(a)) != ((a).ceil()) { 11u8 } else { (t5 ^ t5) }),
                _ => {
                    t5
                }
            };
        }
        let mut t8: i64 = ((if ((if ((a - a)) >= ((a).mul_add(a, 0.25)) { 76i64 } else { 38i64 })) <= ((!(88i64))) { ((97i64) << (4i64 & 7)) } else { (39i64 % ((3i64 & 7) + 9)) }) | ((1i64).wrapping_add(77i64) % 2));
        for t9 in 2u8..5u8 {
            for t10 in 2usize..=3usize {
                let mut t11: i64 = (((!((t8).min(28i64)))) >> ((!((t8 & 65i64))) & 7));
            }
            let mut t12 = 0u32;
            while t12 < 4 {
                t12 += 1;
                if (70u32) < ((88u32 / ((8u32 & 7) + 1))) { break; }
                t8 |= t8;
                t8 = t8;
            }
        }
        let mut s = 0.0f64;
        for j in 0..n {
            y[i * n + j] = a;
            s += (b).mul_add(d[i], 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((45u32 | 29u32) as f64);
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = t4;
        q[2 * i + 1] ^= (t1).wrapping_add((60u64 ^ t4)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((k) << (v[(i - 1) * n + n / 2] & 7)) as u64) & 0xffff
    }
    pub fn p54(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 4 {
            t1 += 1;
            if ((22u8 as u32)) > ((61u32 % 8)) { break; }
            let mut t2 = 0u32;
            while t2 < 1 {
                t2 += 1;
                if ((if ((46i64).wrapping_sub(98i64)) != ((!(83i64))) { 3.125f32 } else { a })) != ((x[i * n + n / 2]).floor()) { break; }
                let t3: i64 = (4i64).min((5i64).min((35i64 / 5)));
                let mut t4: f64 = ((if ((-(b))) >= ((0.25f64).ceil()) { (-(d[i])) } else { (b - b) })).abs();
            }
        }
        if (((a + a) + (57i64 as f32))) < ((x[i * n + n / 2]).abs().sqrt()) {
        } else {
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if ((86i64 & 25i64)) < (((12i64) >> (25i64 & 7))) { break; }
                let t6: f32 = (((a).trunc()).ceil()).max(((28i32 as i32) as f32));
            }
        }
        if (((39u8 ^ ((77u8) << (28u8 & 7)))) <= ((1u8 | 51u8)) || (((i as u64) | 37u64)) == ((72u64).wrapping_mul(35u64))) {
            let mut t7 = 0u32;
            while t7 < 3 {
                t7 += 1;
                if ((!(52u64))) > (((i as u64)).min(91u64)) { break; }
                let mut t8: u32 = (((t1 / 1) & (91u32).min(t1)) as u32);
                t8 |= 67u32;
            }
            let t9: f32 = match ((t7).wrapping_sub(t1)).wrapping_sub((t7 / ((t7 & 7) + 1))) % 6 {
                0 => (-((2.5f32 / (a + 3.5)))),
                1 | 4 => ((w[3] as u32) as f32),
                2..=3 => ((x[(i + 1) * n + n / 2] + x[i * n + n / 2]) / ((x[i * n + n / 2]).trunc() + 3.5)),
                _ => {
                    a
                }
            };
        } else {
            if ((85u64 / 4)) > (((i as u64) | (i as u64))) {
            } else {
            }
        }
        let mut t10: u8 = ((((w[3]) >> (13u8 & 7)) / (((!(w[3])) & 7) + 1)) / (((((94u8).max(49u8)) << ((w[3]).wrapping_add(w[3]) & 7)) & 7) + 1));
        for j in 1..n - 1 {
            y[i * n + j] = (-(((if ((k % 8)) == ((k).wrapping_add(k)) { a } else { a }) - (3.5f32 - a))));
        }
        e[i] = d[i] * 0.5 + b;
        z[i] = ((((k) >> (98i32 & 7)) | (if ((k).min(v[(i - 1) * n + n / 2])) <= (((k) << (k & 7))) { k } else { 56i32 })) / 6) ^ v[i * n + 1];
        q[2 * i] = ((((4u64 & 2u64) / 6)) >> ((!((((i as u64)) << (59u64 & 7)))) & 7));
        q[2 * i + 1] ^= (!((i as u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        (((32u64) << (58u64 & 7)) ^ (21u64 | (i as u64))) & 0xffff
    }
    pub fn p55(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 0i32..2i32 {
            let mut t2 = [(!((16u8 % 4))); 4];
            for t3 in 0..4usize {
                t2[t3] = w[3];
            }
            let t4 = t2[0];
        }
        let t5: i64 = match (!((72u32 ^ 24u32))) % 6 {
            0 => ((58i64 ^ 99i64) | 24i64),
            1 | 4 => (9i64).min((61i64 / 8)),
            2..=3 => ((23i64).max(48i64) ^ 97i64),
            _ => {
                ((91i64 ^ 17i64) | ((i as u64) as i64))
            }
        };
        if ((((t5 | t5) | ((69i64) >> (t5 & 7)))) >= (t5) || ((42u64 / 4)) >= ((i as u64))) {
            let t6: f64 = match ((42u32 / ((72u32 & 7) + 1)) ^ (24u32 % 9)) % 6 {
                0 => ((b + b) - (b as f64)),
                1 | 4 => (2.125f64).mul_add((b).abs(), 0.25),
                2..=3 => 3.125f64,
                _ => {
                    (b).mul_add((1.125f64).mul_add(b, 0.25), 0.25)
                }
            };
        } else {
            let mut t7 = 0u32;
            while t7 < 1 {
                t7 += 1;
                if ((b * b)) != ((b / (b + 3.5))) { break; }
                let t8: i64 = ((t5) << (t5 & 7));
            }
            for t9 in 0i32..=2i32 {
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            if ((((t5 % 7) % (((1.0f64 as i64) & 7) + 9))) == (t5) || (55u32) >= ((63u32 % 9))) {
                let mut t10: i32 = ((((!(k))) >> ((t5 as i32) & 7)) % 6);
            } else {
                let mut t11: u32 = (55u32 & (if ((b - b)) == ((b / (b + 3.5))) { (!(66u32)) } else { ((43u32) << (32u32 & 7)) }));
                let mut t12: f64 = ((-((b).abs())) / ((-((b as f64))) + 3.5));
            }
            y[i * n + j] = ((if (t5) == ((t5 ^ 64i64)) { (-(a)) } else { (-(a)) })).abs().sqrt();
            s += (-((d[i] * b))) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b / (b + 3.5)) / (d[i] + 3.5));
        if (((!((if ((24u32 % 3)) <= (((27u32) >> (99u32 & 7))) { k } else { k })))) >= ((k).max(k)) || ((30u32).wrapping_add(79u32)) <= ((if (((i as u64)).wrapping_mul((i as u64))) != (((52u64) << (79u64 & 7))) { 6u32 } else { 71u32 }))) { return v[i * n] as u64 & 255; }
        z[i] = (85i32 ^ ((5i32) << ((!(k)) & 7))) ^ v[i * n + 1];
        q[2 * i] = (((14u64 % 2)).wrapping_mul((i as u64))).max(95u64);
        q[2 * i + 1] ^= (!(50u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64)).max(59u64)).wrapping_sub(92u64) & 0xffff
    }
    pub fn p56(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..2i32 {
            let mut t2: i64 = 61i64;
        }
        let t3: f32 = a;
        let mut t4 = 0u32;
        while t4 < 1 {
            t4 += 1;
            if ((!(k))) >= ((k & k)) { break; }
            if (((b / (b + 3.5)) - b)) >= ((b).mul_add(b, 0.25)) {
            } else {
            }
        }
        let t5: i32 = match (if (d[i]) > ((-(b))) { (t4 ^ 62u32) } else { t4 }) % 6 {
            0 => k,
            1 | 4 => k,
            2..=3 => (k ^ (k / 6)),
            _ => {
                let t6: u64 = ((i as u64) % 6);
                (t4 as i32)
            }
        };
        for j in 2..n {
            if ((((k) >> (v[i * n + j] & 7)) | (7i32 % ((t5 & 7) + 9)))) <= (t5) && ((t4).max(23u32)) == ((t4 % 9)) {
                let mut t7: i64 = (((if ((63i64 % ((40i64 & 7) + 9))) < (((88i64) << (27i64 & 7))) { 27i64 } else { 88i64 }) as i64) ^ ((9i64 & 46i64)).max(71i64));
            } else {
            }
            for t8 in 0usize..5usize {
            }
            y[i * n + j] = ((3i64 % (((24i64).min(67i64) & 7) + 9)) as f32);
        }
        e[i] = d[i] * 0.5 + 3.5f64;
        z[i] = (((v[(i - 1) * n + n / 2]).max(t5)).wrapping_add(22i32)).wrapping_sub((v[i * n + n / 2] % (((!(k)) & 7) + 9))) ^ v[i * n + 1];
        q[2 * i] = (25u64 ^ 10u64);
        q[2 * i + 1] ^= (((i as u64)).max(58u64)).wrapping_sub(87u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((b as i32) as u64) & 0xffff
    }
    pub fn p57(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if (((!(((k) >> (k & 7))))) >= (k) || ((17i64 | 67i64)) > ((26i64 ^ 74i64))) {
            let t1: u64 = match 74u32 % 6 {
                0 => (((i as u64) / (((i as u64) & 7) + 1)) / (((75u64 as u64) & 7) + 1)),
                1 | 4 => 87u64,
                2..=3 => (!((b as u64))),
                _ => {
                    let mut t2: f64 = (71u64 as f64);
                    49u64
                }
            };
        } else {
            if (((!(76u32))).min(33u32)) <= ((73u32 as u32)) && (((i as u64)).wrapping_sub((i as u64))) <= ((!((i as u64)))) {
                let t3: f64 = b;
            } else {
                let t4: f32 = (((x[(i + 1) * n + n / 2] - 2.25f32) + (a).mul_add(a, 0.25))).abs();
            }
            if (((a).max(a) * (a + a))) <= ((a + x[(i + 1) * n + n / 2])) && (d[i]) > (b) {
                let mut t5: i64 = (!(((53i64) >> ((!(52i64)) & 7))));
                let t6: u64 = ((!((!(26u64)))) as u64);
            } else {
            }
        }
        let t7: u32 = match ((96u32) >> (42u32 & 7)) % 6 {
            0 => ((51u32 / 1) ^ (66u32).wrapping_add(67u32)),
            1 | 4 => ((75u32) >> ((63u32 % 8) & 7)),
            2..=3 => 73u32,
            _ => {
                let t8: f32 = (((if (k) > (((v[(i - 1) * n + n / 2]) << (v[i * n + n / 2] & 7))) { a } else { a })).mul_add(a, 0.25)).mul_add((a + (a / (a + 3.5))), 0.25);
                (b as u32)
            }
        };
        let t9: i64 = match (t7 / (((t7).wrapping_sub(90u32) & 7) + 1)) % 6 {
            0 => 56i64,
            1 | 4 => ((2u32 / ((17u32 & 7) + 1)) as i64),
            2..=3 => ((69i64 % ((15i64 & 7) + 9)) % (((44u64 as i64) & 7) + 9)),
            _ => {
                (71u8 as i64)
            }
        };
        let mut t10 = [((99u64 | 9u64)).wrapping_add(((i as u64) / (((i as u64) & 7) + 1))); 4];
        for t11 in 0..4usize {
            t10[t11] = (((i as u64)).wrapping_add(58u64) ^ (3.0f32 as u64));
        }
        let t12 = t10[1];
        for j in 2..n {
            let mut t13 = 0u32;
            while t13 < 5 {
                t13 += 1;
                if ((78u8 & w[j])) > (11u8) { continue; }
                let mut t14: u64 = ((!(w[j])) as u64);
            }
            let t15: i32 = (!(((k % ((k & 7) + 9))).wrapping_mul((k % ((v[i * n + j] & 7) + 9)))));
            let t16: u32 = ((if ((t9 ^ t9)) <= ((t9 % ((9i64 & 7) + 9))) { (!(t13)) } else { t7 }) & (t7 as u32));
            y[i * n + j] = 0.25f32;
        }
        e[i] = d[i] * 0.5 + ((d[i] * b) + b);
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = (!(t12));
        q[2 * i + 1] ^= (29u64).wrapping_add((t12 ^ t12)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((t12 / ((t12 & 7) + 1))) << ((a as u64) & 7)) & 0xffff
    }
    pub fn p58(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((37i64 as u32) & ((71u32) << (31u32 & 7))) % 6 {
            0 => (31i64).wrapping_sub((88i64).min(44i64)),
            1 | 4 => ((40i64).wrapping_add(77i64) ^ 38i64),
            2..=3 => (if (47u64) <= ((i as u64)) { ((94i64) << (29i64 & 7)) } else { 41i64 }),
            _ => {
                let t2: i32 = (((a).max(a) as i32) | ((if (21u64) <= (((i as u64) / (((i as u64) & 7) + 1))) { k } else { k }) ^ (k | 0i32)));
                (12i64).min((if ((79i64 ^ 84i64)) < ((79i64).wrapping_mul(75i64)) { 60i64 } else { 59i64 }))
            }
        };
        let mut t3: i32 = ((87u64 | (4u64 / 1)) as i32);
        for t4 in 1u8..=5u8 {
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if ((40u32).wrapping_sub(98u32)) < ((15u32 % 1)) { break; }
                let t6: i64 = (84i64).max((t1 % (((21i64 as i64) & 7) + 9)));
            }
            let mut t7 = 0u32;
            while t7 < 2 {
                t7 += 1;
                if ((if (((v[i * n + n / 2]) << (k & 7))) < (t3) { (i as u64) } else { 66u64 })) < ((0u64 / (((i as u64) & 7) + 1))) { continue; }
                let t8: u8 = (if ((69u8 ^ t4)) <= (t4) { ((if ((!(t4))) > (t4) { t4 } else { 79u8 }) % 8) } else { ((a * a) as u8) });
                let mut t9: f32 = ((if ((t1 ^ 24i64)) < ((t1 % ((t1 & 7) + 9))) { x[i * n + n / 2] } else { (x[(i + 1) * n + n / 2]).mul_add(a, 0.25) })).mul_add(((89u64 / ((61u64 & 7) + 1)) as f32), 0.25);
            }
        }
        for j in 0..n {
            let mut t10 = [((x[i * n + n - 1 - j]).abs().sqrt()).trunc(); 4];
            for t11 in 0..4usize {
                t10[t11] = ((-(x[(i + 1) * n + j]))).abs().sqrt();
            }
            let t12 = t10[3];
            y[i * n + j] = (a).mul_add(((a + a)).abs().sqrt(), 0.25);
        }
        e[i] = d[i] * 0.5 + ((1.25f64 / (b + 3.5)) + (0.5f64).min(b));
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = (if (v[(i - 1) * n + n / 2]) > ((v[(i - 1) * n + n / 2] & k)) { ((!(11u8)) as u64) } else { (95u64 / (((42u32 as u64) & 7) + 1)) });
        q[2 * i + 1] ^= ((t1).max(t1) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((if (10u64) >= ((86u64 % 6)) { 14u64 } else { 37u64 }) / ((((i as u64) | 82u64) & 7) + 1)) & 0xffff
    }
    pub fn p59(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i32 = ((if ((-(a))) == (a) { (if ((if ((26u64 as f64)) == ((b).mul_add(b, 0.25)) { 79u64 } else { (i as u64) })) == ((if ((78u32 as u32)) >= ((52u32 | 78u32)) { 63u64 } else { 44u64 })) { k } else { v[(i - 1) * n + n / 2] }) } else { (!(v[i * n + n / 2])) }) % 6);
        let t2: i64 = match ((b * 3.25f64) as u32) % 6 {
            0 => ((83i64).wrapping_sub(64i64) / 9),
            1 | 4 => (!((!(9i64)))),
            2..=3 => ((82i64 % 1) ^ 54i64),
            _ => {
                ((16i64 % ((35i64 & 7) + 9))).wrapping_sub((26i64).max(85i64))
            }
        };
        if (((!((t2 % ((t2 & 7) + 9))))) == ((if ((if ((a).abs().sqrt()) < ((a / (x[i * n + n / 2] + 3.5))) { t1 } else { v[i * n + n / 2] })) > ((70i32 % ((v[i * n + n / 2] & 7) + 9))) { t2 } else { t2 })) || (42u64) < ((!(77u64)))) {
            let t3: u64 = ((81u64 % 5) % 8);
            let mut t4 = [((97u8).min(w[3]) ^ (!(22u8))); 4];
            for t5 in 0..4usize {
                t4[t5] = (21u8 / 6);
            }
            let t6 = t4[2];
        } else {
            let mut t7 = [((!(98u64)) / (((i as u64) & 7) + 1)); 4];
            for t8 in 0..4usize {
                t7[t8] = (if ((if (x[i * n + n / 2]) <= ((1.125f32 * a)) { 0.125f64 } else { b })) <= ((77u64 as f64)) { (46u64 % 1) } else { (92u64 / ((51u64 & 7) + 1)) });
            }
            let t9 = t7[0];
        }
        let mut t10: i64 = ((8i64).max((t2 % ((45i64 & 7) + 9)))).wrapping_sub((if ((13u32).wrapping_mul(7u32)) == ((30u32 / ((76u32 & 7) + 1))) { (0i32 as i64) } else { t2 }));
        for j in 0..n {
            y[i * n + j] = (((57u64 as i32) as f32) / (((a / (a + 3.5)) / ((a * a) + 3.5)) + 3.5));
        }
        e[i] = d[i] * 0.5 + ((b - b) * (b).abs());
        z[i] = ((t1).min((t1 % ((k & 7) + 9)))).wrapping_sub(((t1 % ((t1 & 7) + 9)) / 9)) ^ v[i * n + 1];
        q[2 * i] = ((((4u64) >> ((i as u64) & 7)) / (((((i as u64)) << (7u64 & 7)) & 7) + 1)) ^ (!((i as u64))));
        q[2 * i + 1] ^= ((69u64).min((i as u64)) / ((52u64 & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((t2 as u64)) >> ((57i64 as u64) & 7)) & 0xffff
    }
}

/// A program as it is, and its kernel.
pub type Program = (super::Plain, super::Bind, fn() -> apportion::kernel::Kernel);

/// All of them.
pub const ALL: [Program; 60] = [
    (plain::p0, p0, p0::kernel),
    (plain::p1, p1, p1::kernel),
    (plain::p2, p2, p2::kernel),
    (plain::p3, p3, p3::kernel),
    (plain::p4, p4, p4::kernel),
    (plain::p5, p5, p5::kernel),
    (plain::p6, p6, p6::kernel),
    (plain::p7, p7, p7::kernel),
    (plain::p8, p8, p8::kernel),
    (plain::p9, p9, p9::kernel),
    (plain::p10, p10, p10::kernel),
    (plain::p11, p11, p11::kernel),
    (plain::p12, p12, p12::kernel),
    (plain::p13, p13, p13::kernel),
    (plain::p14, p14, p14::kernel),
    (plain::p15, p15, p15::kernel),
    (plain::p16, p16, p16::kernel),
    (plain::p17, p17, p17::kernel),
    (plain::p18, p18, p18::kernel),
    (plain::p19, p19, p19::kernel),
    (plain::p20, p20, p20::kernel),
    (plain::p21, p21, p21::kernel),
    (plain::p22, p22, p22::kernel),
    (plain::p23, p23, p23::kernel),
    (plain::p24, p24, p24::kernel),
    (plain::p25, p25, p25::kernel),
    (plain::p26, p26, p26::kernel),
    (plain::p27, p27, p27::kernel),
    (plain::p28, p28, p28::kernel),
    (plain::p29, p29, p29::kernel),
    (plain::p30, p30, p30::kernel),
    (plain::p31, p31, p31::kernel),
    (plain::p32, p32, p32::kernel),
    (plain::p33, p33, p33::kernel),
    (plain::p34, p34, p34::kernel),
    (plain::p35, p35, p35::kernel),
    (plain::p36, p36, p36::kernel),
    (plain::p37, p37, p37::kernel),
    (plain::p38, p38, p38::kernel),
    (plain::p39, p39, p39::kernel),
    (plain::p40, p40, p40::kernel),
    (plain::p41, p41, p41::kernel),
    (plain::p42, p42, p42::kernel),
    (plain::p43, p43, p43::kernel),
    (plain::p44, p44, p44::kernel),
    (plain::p45, p45, p45::kernel),
    (plain::p46, p46, p46::kernel),
    (plain::p47, p47, p47::kernel),
    (plain::p48, p48, p48::kernel),
    (plain::p49, p49, p49::kernel),
    (plain::p50, p50, p50::kernel),
    (plain::p51, p51, p51::kernel),
    (plain::p52, p52, p52::kernel),
    (plain::p53, p53, p53::kernel),
    (plain::p54, p54, p54::kernel),
    (plain::p55, p55, p55::kernel),
    (plain::p56, p56, p56::kernel),
    (plain::p57, p57, p57::kernel),
    (plain::p58, p58, p58::kernel),
    (plain::p59, p59, p59::kernel),
];
