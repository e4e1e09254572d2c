// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_with_whole! {
    pub fn p0(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 2 {
            t1 += 1;
            if ((!(20u64))) >= (((d[i] * 1e9) as u64)) { break; }
        }
        let t2: i32 = match (if ((t1 / 8)) > (((t1) >> (t1 & 7))) { 96u32 } else { (!(t1)) }) % 6 {
            0 => ((a as i32) % (((k).min(29i32) & 7) + 9)),
            1 | 4 => ((23u64 / ((61u64 & 7) + 1)) as i32),
            2..=3 => ((x[i * n + n / 2] * 1e9) as i32),
            _ => {
                let mut t3: f64 = ((b).min((v[i * n + n / 2] as f64)) + ((if ((3.5e19f64 / (b + 3.5))) <= (b) { b } else { 2.5f64 }) + (d[i]).trunc()));
                (74i32 % ((((32i32) >> (v[(i - 1) * n + n / 2] & 7)) & 7) + 9))
            }
        };
        if ((((i as u64) / ((71u64 & 7) + 1)) % 5)) >= (((i as u64) ^ 12u64)) {
            if ((if (b) != (d[i]) { (97u64).min(94u64) } else { (if ((2.125f32 + a)) <= ((if ((12i64 % 6)) <= ((!(42i64))) { a } else { a })) { 94u64 } else { (i as u64) }) })) == (96u64) {
                q[((t1 % 7) % 32) as usize] += (((53u64) << (30u64 & 7))).min((70u64 | 9u64)) & 255;
            } else {
                z[((w[3] % 8) & 15) as usize] = z[((w[3] % 8) & 15) as usize].max((((if ((b * b)) > ((-(0.0f64))) { t2 } else { t2 })) >> (t2 & 7)));
                let t4: u64 = ((((b * b) * 1e9) as u64) / 4);
            }
        } else {
            if (((!(7i64))).wrapping_sub((55i64).wrapping_sub(82i64))) >= (((a * 1e9) as i64)) {
                z[((((d[i] * 1e9) as u8) | (if ((7i64 as f32)) > (x[i * n + n / 2]) { w[3] } else { 40u8 })) & 15) as usize] = z[((((d[i] * 1e9) as u8) | (if ((7i64 as f32)) > (x[i * n + n / 2]) { w[3] } else { 40u8 })) & 15) as usize].max(v[i * n + n / 2]);
            } else {
                let t5: f64 = (((b).max(b)).max((b).abs().sqrt())).abs().sqrt();
                z[(46u8 & 15) as usize] = z[(46u8 & 15) as usize].max((((t2) << (k & 7)) | (!(k))));
            }
            z[((if (15u64) > ((99u64).max((i as u64))) { (if (((w[3]) << (52u8 & 7))) <= ((w[3] / 5)) { 40u8 } else { 4u8 }) } else { (9u8 / ((w[3] & 7) + 1)) }) & 15) as usize] = z[((if (15u64) > ((99u64).max((i as u64))) { (if (((w[3]) << (52u8 & 7))) <= ((w[3] / 5)) { 40u8 } else { 4u8 }) } else { (9u8 / ((w[3] & 7) + 1)) }) & 15) as usize].max(((k % ((k & 7) + 9))).wrapping_mul(t2));
        }
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t6 = [((27i64).wrapping_mul(5i64) % ((((62i64) >> (7i64 & 7)) & 7) + 9)); 4];
            for t7 in 0..4usize {
                t6[t7] = ((a as i64) & ((x[(i + 1) * n + j] * 1e9) as i64));
            }
            let t8 = t6[3];
            let mut t9 = 0u32;
            while t9 < 1 {
                t9 += 1;
                if (41u64) == (((97u64) << ((i as u64) & 7))) { break; }
                let mut t10: f32 = (a).mul_add(((a - x[(i + 1) * n + j])).mul_add((a + a), 0.25), 0.25);
            }
            z[(((37u8).max(69u8) as u8) & 15) as usize] = z[(((37u8).max(69u8) as u8) & 15) as usize].max((((-(3.0f64)) * 1e9) as i32));
            y[i * n + j] = (a).mul_add((-((x[i * n + j] + a))), 0.25);
            s += ((w[j] as f64)).mul_add((b / (b + 3.5)), 0.25) * 0.001;
        }
        for _ in 0..k as usize {
            for j in (1..n).rev().step_by(3) {
                for t11 in 0u8..5u8 {
                    z[(((w[j] & 39u8) & (d[i] as u8)) & 15) as usize] = z[(((w[j] & 39u8) & (d[i] as u8)) & 15) as usize].max((!(((k) >> (t2 & 7)))));
                }
                if ((78i64 & 45i64)) == ((21i64 | 74i64)) { y[i * n + j] = ((a).mul_add(x[i * n + j], 0.25)).abs().sqrt() - y[i * n + j]; }
            }
        }
        e[i] = s + d[i] * 0.5 + ((if (((i as u64) ^ (i as u64))) <= (68u64) { 95u8 } else { w[3] }) as f64);
        z[((((20u8 % 8)) >> ((81u8).wrapping_sub(95u8) & 7)) & 15) as usize] = z[((((20u8 % 8)) >> ((81u8).wrapping_sub(95u8) & 7)) & 15) as usize].max(v[(i - 1) * n + n / 2]);
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        ((73u64 | (i as u64)) | (95u64 % 4)) & 0xffff
    }
    pub fn p1(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((x[(i + 1) * n + n / 2] * 1e9) as u32) % 6 {
            0 => ((29i64 % 4) / 9),
            1 | 4 => (((b * 1e9) as u32) as i64),
            2..=3 => (if ((83i64).min(91i64)) > (11i64) { (3.5e19f64 as i64) } else { ((68i64) << (61i64 & 7)) }),
            _ => {
                let mut t2: u64 = (!((!(28u64))));
                ((84i64 % ((12i64 & 7) + 9)) % ((((x[i * n + n / 2] * 1e9) as i64) & 7) + 9))
            }
        };
        let mut s = 0.0f64;
        for j in 0..n {
            q[((((87u32) << (72u32 & 7))).min(((42u32) >> (48u32 & 7))) % 32) as usize] += (19u64).wrapping_mul(5u64) & 255;
            for t3 in 0u8..=4u8 {
                q[(8u32 % 32) as usize] += (((i as u64)).wrapping_mul(96u64) | (10u64 as u64)) & 255;
                let mut t4: f64 = ((if ((b).trunc()) != (3.5e19f64) { (w[j] as f64) } else { (b).min(b) })).trunc();
            }
            y[i * n + j] = ((a).floor() + ((-(a))).abs().sqrt());
            s += (0.125f64 - b) * 0.001;
        }
        for _ in 0..k as usize {
            for j in (0..n).step_by(2) {
                y[i * n + j] = ((-(3.0f32)) - (t1 as f32));
            }
        }
        e[i] = s + d[i] * 0.5 + ((k as f64) * b);
        z[((w[3] / (((!(w[3])) & 7) + 1)) & 15) as usize] = z[((w[3] / (((!(w[3])) & 7) + 1)) & 15) as usize].max(v[i * n + n / 2]);
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        ((49u64).max((i as u64)) / ((((50u64) >> ((i as u64) & 7)) & 7) + 1)) & 0xffff
    }
    pub fn p2(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u8 = ((((-(b)) * 1e9) as u8) % 7);
        t1 |= ((t1).max(t1)).max((74u8 & t1));
        let t2: u32 = 9u32;
        let mut t3: f32 = (a).abs().sqrt();
        let mut s = 0.0f64;
        for j in 0..n {
            y[i * n + j] = (((x[(i + 1) * n + j]).mul_add(a, 0.25) / ((x[(i + 1) * n + j]).abs().sqrt() + 3.5))).abs().sqrt();
            s += 1.125f64 * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            if ((1.75e9f32 / (x[(i + 1) * n + j] + 3.5))) < ((-(a))) { y[i * n + j] = t3 - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + (-((if ((t2).wrapping_add(t2)) <= (t2) { b } else { 3.0f64 })));
        q[(((35u32 / 2)).wrapping_mul(((b * 1e9) as u32)) % 32) as usize] += ((!(23u64))).wrapping_mul(((40u64) << ((i as u64) & 7))) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        ((i as u64) / 2) & 0xffff
    }
    pub fn p3(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        z[((if ((k as u32)) == ((17u32 / ((3u32 & 7) + 1))) { (89u8).min(58u8) } else { (7u8 % 9) }) & 15) as usize] = z[((if ((k as u32)) == ((17u32 / ((3u32 & 7) + 1))) { (89u8).min(58u8) } else { (7u8 % 9) }) & 15) as usize].max(v[i * n + n / 2]);
        q[((((d[i] * 0.5f64) * 1e9) as u32) % 32) as usize] += (((-(b)) * 1e9) as u64) & 255;
        let mut t1 = 0u32;
        while t1 < 3 {
            t1 += 1;
            if ((86u8 % 8)) <= ((if (((b * 1e9) as u8)) <= (((w[3]) >> (45u8 & 7))) { 47u8 } else { 96u8 })) { break; }
            let mut t2 = 0u32;
            while t2 < 3 {
                t2 += 1;
                if ((w[3] ^ 17u8)) == ((88u8 / 7)) { break; }
                let mut t3: u8 = ((((x[(i + 1) * n + n / 2] * a)).trunc() * 1e9) as u8);
            }
        }
        let mut s = 0.0f64;
        for j in 0..n {
            let t4: i32 = (((if ((if ((15u8).wrapping_sub(31u8)) <= ((a as u8)) { 5i64 } else { 41i64 })) <= ((82i64).wrapping_mul(72i64)) { 81i64 } else { 72i64 }) as i32) / 9);
            let t5: u64 = 25u64;
            z[(((t1 as u8)).max((!(73u8))) & 15) as usize] = z[(((t1 as u8)).max((!(73u8))) & 15) as usize].max((((b * 1e9) as i32) % 2));
            y[i * n + j] = (-(((a).ceil() + (x[i * n + j] / (a + 3.5)))));
            s += (b).abs().sqrt() * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            let t6: u32 = (!(((t1).wrapping_add(t1)).wrapping_mul((!(t1)))));
            y[i * n + j] = (-((if ((if ((16i64 & 54i64)) != ((!(39i64))) { b } else { b })) != ((-(b))) { a } else { x[i * n + j] })));
        }
        e[i] = s + d[i] * 0.5 + (((b * 1e9) as u32) as f64);
        if ((((b * 1e9) as u64)).max((29u64 / 7))) <= (98u64) && ((-(b))) == ((if ((w[3] / ((10u8 & 7) + 1))) < ((w[3] % 2)) { b } else { d[i] })) { return v[i * n] as u64 & 255; }
        z[((((-(b)) * 1e9) as u8) & 15) as usize] = z[((((-(b)) * 1e9) as u8) & 15) as usize].max((((k) << (k & 7)) ^ (if ((b as f32)) >= ((a).ceil()) { 79i32 } else { k })));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        17u64 & 0xffff
    }
    pub fn p4(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = match (if (89u32) == ((8u32 ^ 29u32)) { ((b * 1e9) as u32) } else { (x[i * n + n / 2] as u32) }) % 6 {
            0 => (-((b).max(d[i]))),
            1 | 4 => b,
            2..=3 => (if ((11u32).wrapping_mul(88u32)) >= ((68u32).wrapping_add(55u32)) { (b / (b + 3.5)) } else { (if (2.5e19f64) > ((-(0.75e9f64))) { 3.25e-3f64 } else { b }) }),
            _ => {
                let t2: u32 = (80u32 | ((if (((x[i * n + n / 2] * 1e9) as i64)) > (((63i64) << (96i64 & 7))) { 95u32 } else { 97u32 })).wrapping_mul((if ((if ((((i as u64)) >> ((i as u64) & 7))) > ((84u64 % 7)) { k } else { k })) >= ((k).min(v[i * n + n / 2])) { 38u32 } else { 76u32 })));
                ((b + 0.25e-3f64)).abs().sqrt()
            }
        };
        q[((((if ((a).mul_add(a, 0.25)) < ((a / (a + 3.5))) { 2u32 } else { 55u32 })) << ((8u32).max(62u32) & 7)) % 32) as usize] += ((23u64).wrapping_sub(84u64) ^ (b as u64)) & 255;
        if (((a as u64)).wrapping_mul((58u64 / 8))) != ((((i as u64)) >> (64u64 & 7))) && ((41u64).wrapping_add(44u64)) > (((i as u64) % 1)) {
            let t3: f32 = (-(((b).min(t1) as f32)));
            q[(72u32 % 32) as usize] += (23u64 ^ (94u64 / ((45u64 & 7) + 1))) & 255;
        } else {
            z[(w[3] & 15) as usize] = z[(w[3] & 15) as usize].max(((k / 5)).max(k));
        }
        for j in 0..n {
            y[i * n + j] = (((a).trunc()).mul_add((3.125f32 + a), 0.25) * (a).mul_add((a - x[i * n + j]), 0.25));
        }
        for _ in 0..k as usize {
            for j in 2..=n - 1 {
                y[i * n + j] = (y[i * n + j] * 0.5).max(((x[(i + 1) * n + j] * x[i * n + j]) / ((32u32 as f32) + 3.5)));
            }
        }
        e[i] = d[i] * 0.5 + ((t1).abs().sqrt()).ceil();
        if (((95u32).max(38u32) | 89u32)) == ((!(54u32))) { return v[i * n] as u64 & 255; }
        q[(((if (((0.0f32 * 1e9) as i64)) == (((d[i] * 1e9) as i64)) { 20u32 } else { 47u32 }) / (((t1 as u32) & 7) + 1)) % 32) as usize] += ((!(70u64))).max((12u64 % 6)) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (((k as u64)) >> (96u64 & 7)) & 0xffff
    }
    pub fn p5(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        z[((if (((x[i * n + n / 2] * 1e9) as i64)) == ((34i64).wrapping_sub(35i64)) { (!(25u8)) } else { 29u8 }) & 15) as usize] = z[((if (((x[i * n + n / 2] * 1e9) as i64)) == ((34i64).wrapping_sub(35i64)) { (!(25u8)) } else { 29u8 }) & 15) as usize].max(36i32);
        for j in 1..n - 1 {
            q[((if ((1.5e19f64).abs()) > (b) { 87u32 } else { 10u32 }) % 32) as usize] += (((2.25f64).mul_add(b, 0.25) * 1e9) as u64) & 255;
            y[i * n + j] = (((if ((b as i32)) < ((!(k))) { a } else { a })).max((a as f32))).abs();
        }
        for j in (0..n).step_by(2) {
            q[(((!(69u32)) / ((8u32 & 7) + 1)) % 32) as usize] += (i as u64) & 255;
            if (((70u64) >> (22u64 & 7))) != ((if ((96u32 as f64)) == ((67u32 as f64)) { 26u64 } else { (i as u64) })) { y[i * n + j] = x[(i + 1) * n + j] - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + ((b).abs().sqrt()).min((if ((41u32 / ((28u32 & 7) + 1))) != ((if ((94u8).max(67u8)) != (59u8) { 54u32 } else { 54u32 })) { 0.0f64 } else { b }));
        if (((w[3] / (((w[3] | 64u8) & 7) + 1))) < (27u8) || ((a).mul_add(a, 0.25)) <= ((k as f32))) { return v[i * n] as u64 & 255; }
        z[(w[3] & 15) as usize] = z[(w[3] & 15) as usize].max(((k).wrapping_sub(k)).wrapping_add(k));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (((x[(i + 1) * n + n / 2] * 1e9) as u64) / (((x[i * n + n / 2] as u64) & 7) + 1)) & 0xffff
    }
    pub fn p6(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = match (if ((76u32).wrapping_sub(41u32)) < ((64u32 / ((34u32 & 7) + 1))) { (59u32 / ((49u32 & 7) + 1)) } else { ((74u32) << (80u32 & 7)) }) % 6 {
            0 => ((b).abs().sqrt() / ((b / (d[i] + 3.5)) + 3.5)),
            1 | 4 => ((b).abs().sqrt() + 1.75e9f64),
            2..=3 => (-(b)),
            _ => {
                let mut t2: i32 = (((k % ((k & 7) + 9)) as f32) as i32);
                (b).mul_add((b).mul_add(b, 0.25), 0.25)
            }
        };
        let mut t3 = 0u32;
        while t3 < 3 {
            t3 += 1;
            if ((47i64 % 9)) < ((86i64).min(59i64)) { continue; }
            z[((((x[i * n + n / 2] * 1e9) as u8) % 2) & 15) as usize] = z[((((x[i * n + n / 2] * 1e9) as u8) % 2) & 15) as usize].max(((a * 1e9) as i32));
            let mut t4: u8 = (((!((36u8 | 14u8)))) << ((((70u8 % 1)) >> (((w[3]) << (46u8 & 7)) & 7)) & 7));
        }
        let mut t5 = 0u32;
        while t5 < 2 {
            t5 += 1;
            if ((t3 & t3)) == (t3) { break; }
            let t6: i32 = match (!(80u32)) % 6 {
                0 => (if ((w[3] / ((65u8 & 7) + 1))) != ((68u8 ^ w[3])) { (k % ((k & 7) + 9)) } else { k }),
                1 | 4 => ((!(k)) % (((v[i * n + n / 2] ^ k) & 7) + 9)),
                2..=3 => ((!(v[i * n + n / 2]))).min((!(k))),
                _ => {
                    let t7: u64 = (i as u64);
                    (((d[i]).trunc() * 1e9) as i32)
                }
            };
        }
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = (((a).floor() / ((a).mul_add(a, 0.25) + 3.5)) / (x[i * n + j] + 3.5));
            s += (-(t1)) * 0.001;
        }
        for _ in 0..k as usize {
            for j in (0..n).step_by(2) {
                y[i * n + j] = (y[i * n + j] * 0.5).max((t1 as f32));
            }
        }
        e[i] = s + d[i] * 0.5 + (1.0f64).min((2.5e19f64 as f64));
        q[(((14u32 & 21u32) / (((t5 & t3) & 7) + 1)) % 32) as usize] += (i as u64) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        ((i as u64)).wrapping_sub((i as u64)) & 0xffff
    }
    pub fn p7(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        z[((((21u8).max(82u8)) >> ((6u8 % 4) & 7)) & 15) as usize] = z[((((21u8).max(82u8)) >> ((6u8 % 4) & 7)) & 15) as usize].max((!(((d[i] * 1e9) as i32))));
        let mut t1 = [5u64; 4];
        for t2 in 0..4usize {
            t1[t2] = ((78u64) << ((31u32 as u64) & 7));
        }
        let t3 = t1[2];
        let t4: u32 = ((((9u32).min(56u32) % 4)) << (99u32 & 7));
        for t5 in 1u8..5u8 {
            let mut t6 = [b; 4];
            for t7 in 0..4usize {
                t6[t7] = 1.0f64;
            }
            let t8 = t6[1];
            let mut t9: f64 = (((24u8 | t5) as f64)).mul_add(b, 0.25);
        }
        for j in 0..n {
            q[(((((t4) << (74u32 & 7))) << ((t4 % 6) & 7)) % 32) as usize] += ((a * 1e9) as u64) & 255;
            y[i * n + j] = (((if ((x[i * n + j] as i64)) <= (1i64) { a } else { 2.75e9f32 })).ceil()).mul_add(((x[(i + 1) * n + j]).ceil()).floor(), 0.25);
        }
        e[i] = d[i] * 0.5 + ((b / (b + 3.5)) - (b).abs().sqrt());
        z[(((w[3]).wrapping_mul(57u8)).wrapping_add((w[3]).wrapping_sub(w[3])) & 15) as usize] = z[(((w[3]).wrapping_mul(57u8)).wrapping_add((w[3]).wrapping_sub(w[3])) & 15) as usize].max(((if ((40i64 | 70i64)) == (11i64) { 1.5e19f64 } else { 3.5e19f64 }) as i32));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        t3 & 0xffff
    }
    pub fn p8(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        z[(88u8 & 15) as usize] = z[(88u8 & 15) as usize].max(((k % 2)).wrapping_sub(k));
        q[(((48u32).max(39u32)).min(((35u32) << (57u32 & 7))) % 32) as usize] += (if ((k).max(k)) == ((!(k))) { (39u64 / ((42u64 & 7) + 1)) } else { 62u64 }) & 255;
        let t1: u8 = (((1u8).wrapping_mul(57u8)).min((w[3] ^ 99u8)) / ((((if ((b).floor()) <= (d[i]) { w[3] } else { 90u8 }) / 1) & 7) + 1));
        if (((16u32 | 90u32)).wrapping_add((54u32).wrapping_add(48u32))) < (((55u32) << (8u32 & 7))) {
            q[((if ((v[i * n + n / 2]).max(k)) == (((a * 1e9) as i32)) { (41u32).max(57u32) } else { (99u32 as u32) }) % 32) as usize] += ((26u64).min(36u64)).wrapping_add((57i64 as u64)) & 255;
        } else {
            z[((((b * 1e9) as u8) / (((w[3] as u8) & 7) + 1)) & 15) as usize] = z[((((b * 1e9) as u8) / (((w[3] as u8) & 7) + 1)) & 15) as usize].max(((((i as u64) as f64) * 1e9) as i32));
        }
        for j in 0..n {
            let mut t2 = [((i as u64) as u64); 4];
            for t3 in 0..4usize {
                t2[t3] = ((67u64 as u64) % 7);
            }
            let t4 = t2[3];
            y[i * n + j] = (-((x[i * n + j]).max(1.5e19f32)));
        }
        for j in (0..n).step_by(2) {
            y[i * n + j] = (y[i * n + j] * 0.5).max(a);
        }
        e[i] = d[i] * 0.5 + ((b / (d[i] + 3.5)) / ((-(b)) + 3.5));
        z[((!((70u8 ^ 29u8))) & 15) as usize] = z[((!((70u8 ^ 29u8))) & 15) as usize].max((((!(k))) << (k & 7)));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (((-(b)) * 1e9) as u64) & 0xffff
    }
    pub fn p9(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 0usize..=3usize {
        }
        z[((!((66u8 % 3))) & 15) as usize] = z[((!((66u8 % 3))) & 15) as usize].max(((v[(i - 1) * n + n / 2]).wrapping_sub(v[(i - 1) * n + n / 2]) & ((k) << (k & 7))));
        for j in 2..n {
            y[i * n + j] = ((i as u64) as f32);
        }
        for j in (1..n).rev().step_by(3) {
            z[((56u8).wrapping_sub(((a * 1e9) as u8)) & 15) as usize] = z[((56u8).wrapping_sub(((a * 1e9) as u8)) & 15) as usize].max(v[(i - 1) * n + j]);
            y[i * n + j] = a;
        }
        e[i] = d[i] * 0.5 + ((b).floor()).max((a as f64));
        z[((((a / (a + 3.5)) * 1e9) as u8) & 15) as usize] = z[((((a / (a + 3.5)) * 1e9) as u8) & 15) as usize].max(k);
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        80u64 & 0xffff
    }
    pub fn p10(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if (((-(a))).mul_add((a / (x[i * n + n / 2] + 3.5)), 0.25)) >= ((a * 1.125f32)) && (((i as u64)).wrapping_sub(37u64)) <= (((i as u64)).wrapping_sub((i as u64))) {
            let mut t1: u64 = 90u64;
        } else {
            let mut t2: i64 = ((if (19u32) < (((a * 1e9) as u32)) { 53i64 } else { (7i64).min(93i64) }) / 9);
        }
        q[((if (51u32) == ((41u32 / 2)) { (!(3u32)) } else { ((x[i * n + n / 2] * 1e9) as u32) }) % 32) as usize] += (i as u64) & 255;
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = (((x[i * n + j] + a) * a)).abs();
            s += (b).trunc() * 0.001;
        }
        for j in (0..n).step_by(2) {
            z[(49u8 & 15) as usize] = z[(49u8 & 15) as usize].max(((45u32 / ((81u32 & 7) + 1)) as i32));
            let mut t3: i32 = (!(((22i64 % ((80i64 & 7) + 9)) as i32)));
            y[i * n + j] = (y[i * n + j] * 0.5).max(((a).max(a)).mul_add((a).abs().sqrt(), 0.25));
        }
        e[i] = s + d[i] * 0.5 + (if ((b + b)) < ((b).mul_add(b, 0.25)) { (b).abs().sqrt() } else { (2.25e-3f64).abs().sqrt() });
        q[(64u32 % 32) as usize] += (((a * 1e9) as u64) % 5) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (if ((b).ceil()) <= ((2.125f64 + 1.5e19f64)) { ((i as u64) % 2) } else { ((2.5f64 * 1e9) as u64) }) & 0xffff
    }
    pub fn p11(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [((a).max(a) / ((a).abs().sqrt() + 3.5)); 4];
        for t2 in 0..4usize {
            t1[t2] = x[(i + 1) * n + n / 2];
        }
        let t3 = t1[1];
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let mut t4: u64 = (((!((((i as u64)) << (47u64 & 7))))) >> ((((!((i as u64)))) >> ((70u64).wrapping_add((i as u64)) & 7)) & 7));
            y[i * n + j] = (((if (w[j]) <= (w[j]) { x[(i + 1) * n + j] } else { x[i * n + n - 1 - j] }) / ((t3).floor() + 3.5)) as f32);
            s += b * 0.001;
        }
        for _ in 0..k as usize {
            for j in (1..n).rev() {
                q[(91u32 % 32) as usize] += ((93u64 % 6)).wrapping_sub((0u64 / ((17u64 & 7) + 1))) & 255;
                let t5: f32 = (((a).mul_add(2.5f32, 0.25)).min(t3)).abs().sqrt();
                if ((81i64).wrapping_add(28i64)) >= ((if ((16u64 & 13u64)) == (((i as u64) % 2)) { 63i64 } else { 60i64 })) { y[i * n + j] = ((!(69u64)) as f32) - y[i * n + j]; }
            }
        }
        e[i] = s + d[i] * 0.5 + ((b / (b + 3.5))).mul_add((b).ceil(), 0.25);
        z[((((w[3] & 99u8)) << ((59u8).wrapping_mul(5u8) & 7)) & 15) as usize] = z[((((w[3] & 99u8)) << ((59u8).wrapping_mul(5u8) & 7)) & 15) as usize].max((v[i * n + n / 2]).min(k));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (!((83u64).wrapping_mul(7u64))) & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 12] = [
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
    (plain::p10, crate::of_slices!(p10), p10::kernel),
    (plain::p11, crate::of_slices!(p11), p11::kernel),
];
