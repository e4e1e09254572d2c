// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

crate::both! {
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

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
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
