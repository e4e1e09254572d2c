// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

crate::both! {
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
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
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
];
