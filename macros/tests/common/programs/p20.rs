// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

crate::both! {
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
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
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
];
