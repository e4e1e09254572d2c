// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test random` writes it again.

crate::both! {
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
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
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
];
