// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

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
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
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
];
