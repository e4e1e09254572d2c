// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

crate::both! {
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
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
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
];
