// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn p20(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u32 = (((b as i64) as u32) ^ ((63u32 as u32) % 6));
        t1 ^= ((!(54u32))).wrapping_sub((!(t1)));
        if (29u64) > (((71u64) >> (22u64 & 7))) && (k) > (v[i * n + n / 2]) {
            let mut t2 = 0u32;
            while t2 < 1 {
                t2 += 1;
                if (((a * 1e9) as i64)) > ((72i64 | 80i64)) { break; }
                t1 |= (((b * 1e9) as u32) % 9);
                t1 = ((!(t1)) / (((k as u32) & 7) + 1));
            }
            if (53u8) >= ((w[3] ^ w[3])) {
                let t3: i64 = 79i64;
            } else {
                t1 ^= (((!(53u32))) >> (((a * 1e9) as u32) & 7));
            }
        } else {
            let mut t4 = 0u32;
            while t4 < 5 {
                t4 += 1;
                if (b) > ((t1 as f64)) { break; }
                let t5: f32 = (if ((k as f64)) >= ((d[i]).min(b)) { a } else { ((w[3] | w[3]) as f32) });
            }
            let mut t6 = 0u32;
            while t6 < 2 {
                t6 += 1;
                if (((a * 1e9) as u8)) == (80u8) { break; }
                let mut t7: f64 = b;
            }
        }
        let t8: u32 = match (!(((b * 1e9) as u32))) % 6 {
            0 => (((t1) << (t1 & 7)) | t1),
            1 | 4 => ((((x[(i + 1) * n + n / 2] * 1e9) as u32)) << (24u32 & 7)),
            2..=3 => ((b * 1e9) as u32),
            _ => {
                let mut t9: f64 = (((b / (1.5e19f64 + 3.5))).min((b / (d[i] + 3.5)))).abs().sqrt();
                (!(((x[i * n + n / 2] * 1e9) as u32)))
            }
        };
        t1 |= ((((0.125f32 * 1e9) as u32)) << ((38u32 / 5) & 7));
        let mut s = 0.0f64;
        for j in 0..n {
            let mut t10: i64 = (!(42i64));
            y[i * n + j] = ((((if (69u64) >= (27u64) { v[i * n + n - 1 - j] } else { k })) >> ((k).min(k) & 7)) as f32);
            s += (b * (b).ceil()) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b + b) * (b / (b + 3.5)));
        if ((!((21u8 & w[3])))) <= ((if ((!(v[i * n + n / 2]))) != (k) { 98u8 } else { 45u8 })) && ((!(t1))) <= ((17u32 % 9)) { return v[i * n] as u64 & 255; }
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = 34u64;
        q[2 * i + 1] ^= (((i as u64) % 9) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        ((!(6u64))).max((12u64 / ((91u64 & 7) + 1))) & 0xffff
    }
    pub fn p21(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 1i32..3i32 {
            for t2 in 2usize..2usize {
                let mut t3: i32 = (((b).floor() * 1e9) as i32);
            }
        }
        for t4 in 0i32..=3i32 {
            let t5: i64 = match 57u32 % 6 {
                0 => 49i64,
                1 | 4 => (if ((i as u64)) < ((31u64 ^ 33u64)) { (71i64).wrapping_add(33i64) } else { (10i64 & 97i64) }),
                2..=3 => (!((78i64 / 3))),
                _ => {
                    ((58u32).wrapping_mul(87u32) as i64)
                }
            };
        }
        let mut t6 = [((b - d[i]) - (b).abs().sqrt()); 4];
        for t7 in 0..4usize {
            t6[t7] = ((d[i] + d[i])).max((3.25f64 + b));
        }
        let t8 = t6[2];
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let mut t9 = 0u32;
            while t9 < 3 {
                t9 += 1;
                if ((!(97u32))) >= (0u32) { break; }
                let t10: u32 = (!(((26u32 / ((96u32 & 7) + 1)) / 4)));
                let t11: u32 = (t10).min((if (k) < ((k % 7)) { (t10 / 8) } else { (62u8 as u32) }));
            }
            for t12 in 1usize..2usize {
                let mut t13: i32 = k;
            }
            y[i * n + j] = (if ((!(k))) < (((a * 1e9) as i32)) { ((a * a) * (x[i * n + n - 1 - j] / (a + 3.5))) } else { x[(i + 1) * n + j] });
            s += ((t8 / (b + 3.5))).abs().sqrt() * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            for t14 in 0usize..=4usize {
                let t15: i64 = (1i64).wrapping_mul(((67i64).wrapping_mul(48i64)).max(71i64));
            }
            y[i * n + j] = (y[i * n + j] * 0.5).max(((61u32 as f32)).mul_add((if ((75u32 / 1)) > ((if (((b * 1e9) as u64)) > (25u64) { 92u32 } else { 12u32 })) { x[(i + 1) * n + j] } else { x[i * n + j] }), 0.25));
        }
        e[i] = s + d[i] * 0.5 + ((2.25f64).abs().sqrt() * (b).mul_add(0.25f64, 0.25));
        z[i] = (k / 9) ^ v[i * n + 1];
        q[2 * i] = (((i as u64) / (((58u64 & (i as u64)) & 7) + 1)) / 3);
        q[2 * i + 1] ^= ((!(88u64)) / 8) ^ x[i * n] as u64 ^ w[1] as u64;
        (((24u64).wrapping_sub((i as u64))) << (2u64 & 7)) & 0xffff
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
        let t4: i32 = ((((a / (a + 3.5)) * (-(a))) * 1e9) as i32);
        let t5: u32 = ((((d[i]).abs()).mul_add((b).floor(), 0.25) * 1e9) as u32);
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            for t6 in 2i32..=5i32 {
                let mut t7: u64 = (((!(((42u64) >> ((i as u64) & 7))))) >> ((if ((if (18i64) != (35i64) { a } else { x[(i + 1) * n + j] })) <= ((a / (a + 3.5))) { 33u64 } else { 94u64 }) & 7));
            }
            y[i * n + j] = (((t4 as f32) * (a).max(a)) / (((a * a)).ceil() + 3.5));
            s += ((a * a) as f64) * 0.001;
        }
        for j in 2..=n - 1 {
            if ((t5).wrapping_mul(t5)) >= (((83u32) >> (t5 & 7))) { y[i * n + j] = (-((a / (a + 3.5)))) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + (b).abs().sqrt();
        if (((53i64).wrapping_add(4i64) ^ (21i64).wrapping_add(60i64))) >= (((i as u64) as i64)) { return v[i * n] as u64 & 255; }
        z[i] = (!(((v[i * n + n / 2] / 9)).wrapping_add(k))) ^ v[i * n + 1];
        q[2 * i] = (((((i as u64) / (((i as u64) & 7) + 1))) >> (((i as u64)).wrapping_add(74u64) & 7)) / ((75u64 & 7) + 1));
        q[2 * i + 1] ^= (((i as u64) | (i as u64)) / 3) ^ x[i * n] as u64 ^ w[1] as u64;
        24u64 & 0xffff
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
        let t3: u32 = match ((52u32 / ((59u32 & 7) + 1))).wrapping_add(((t1 * 1e9) as u32)) % 6 {
            0 => (40u32 / (((55u32 | 46u32) & 7) + 1)),
            1 | 4 => (15u32 ^ (if ((if ((38u64 & 49u64)) > (((i as u64) / (((i as u64) & 7) + 1))) { 41i64 } else { 63i64 })) < ((b as i64)) { 13u32 } else { 45u32 })),
            2..=3 => (((b - b) * 1e9) as u32),
            _ => {
                let t4: i64 = 90i64;
                38u32
            }
        };
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let mut t5 = [((-(b))).ceil(); 4];
            for t6 in 0..4usize {
                t5[t6] = ((74i64 as f64) + (3.5f64).abs().sqrt());
            }
            let t7 = t5[3];
            let mut t8 = 0u32;
            while t8 < 1 {
                t8 += 1;
                if ((if ((79u64).max(86u64)) <= (((27u64) >> ((i as u64) & 7))) { 54u8 } else { w[j] })) <= ((82u8).max(25u8)) { break; }
                let mut t9: u8 = ((15u8 | 92u8)).min((((!(w[j]))) >> (((t1 * 1e9) as u8) & 7)));
            }
            let mut t10 = [(!((t8).min(t8))); 4];
            for t11 in 0..4usize {
                t10[t11] = ((t8 ^ t8)).wrapping_sub((t3 ^ 99u32));
            }
            let t12 = t10[3];
            y[i * n + j] = ((d[i]).abs() as f32);
            s += (if (k) != ((!(k))) { (45i64 as f64) } else { (b).mul_add(d[i], 0.25) }) * 0.001;
        }
        for _ in 0..k as usize {
            for j in (1..n).rev().step_by(3) {
                let mut t13: u64 = ((!(((13u64) >> (39u64 & 7))))).wrapping_mul((((a - x[(i + 1) * n + j]) * 1e9) as u64));
                let mut t14: u32 = ((if (27i64) > (67i64) { ((t3) >> (t3 & 7)) } else { ((t3) << (83u32 & 7)) }) / (((t3 % 2) & 7) + 1));
                y[i * n + j] = (y[i * n + j] * 0.5).max(((v[i * n + j] as f32)).max((x[i * n + n - 1 - j]).abs().sqrt()));
            }
        }
        e[i] = s + d[i] * 0.5 + ((if (40u8) <= ((w[3] | 92u8)) { a } else { x[(i + 1) * n + n / 2] }) as f64);
        if (t3) <= ((t3 / ((t3 & 7) + 1))) { return v[i * n] as u64 & 255; }
        z[i] = 11i32 ^ v[i * n + 1];
        q[2 * i] = ((((i as u64)).max((i as u64)) | 31u64)).max(((x[(i + 1) * n + n / 2]).mul_add(x[i * n + n / 2], 0.25) as u64));
        q[2 * i + 1] ^= (68u32 as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((79u64 / 6)) < (((b * 1e9) as u64)) { (i as u64) } else { (24u64).max(24u64) }) & 0xffff
    }
    pub fn p24(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((((x[i * n + n / 2] * 1e9) as u32)) << ((if ((if ((b * d[i])) < ((d[i] - b)) { 12u32 } else { 70u32 })) != (89u32) { 84u32 } else { 72u32 }) & 7)) % 6 {
            0 => ((15i64).wrapping_mul(50i64) / 4),
            1 | 4 => (39i64 % (((if ((73i64 ^ 64i64)) < ((98i64 % ((20i64 & 7) + 9))) { 31i64 } else { 68i64 }) & 7) + 9)),
            2..=3 => ((35i64).wrapping_mul(2i64)).wrapping_add(92i64),
            _ => {
                33i64
            }
        };
        for t2 in 1u8..5u8 {
        }
        let mut t3: u32 = (((41u32) >> (40u32 & 7))).wrapping_sub((!((32u32 / ((3u32 & 7) + 1)))));
        let mut s = 0.0f64;
        for j in 0..n {
            let t4: i64 = (((a as i64)) >> ((if ((66u8).wrapping_mul(92u8)) > (((x[i * n + j] * 1e9) as u8)) { (t1 ^ t1) } else { ((a * 1e9) as i64) }) & 7));
            y[i * n + j] = (if ((8u8).max(w[j])) != (((65u8) >> (5u8 & 7))) { (-((a - a))) } else { (if ((if ((t3 as i32)) > (((17i32) >> (v[(i - 1) * n + j] & 7))) { 30u64 } else { 34u64 })) != (((50u64) >> (99u64 & 7))) { (a * a) } else { (a).max(1.125f32) }) });
            s += ((b).max(b)).min((b / (b + 3.5))) * 0.001;
        }
        for j in (1..n).rev() {
            y[i * n + j] = ((a).ceil() / ((a).mul_add(a, 0.25) + 3.5));
        }
        e[i] = s + d[i] * 0.5 + 3.125f64;
        z[i] = k ^ v[i * n + 1];
        q[2 * i] = ((((!((i as u64)))) >> ((47u64 / 2) & 7)) / 8);
        q[2 * i + 1] ^= ((!((i as u64)))).min((i as u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((i as u64)).wrapping_sub((if ((i as u64)) == (((i as u64) as u64)) { (i as u64) } else { (i as u64) })) & 0xffff
    }
    pub fn p25(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 5 {
            t1 += 1;
            if (70u32) > ((87u32 ^ 18u32)) { continue; }
            for t2 in 0u8..5u8 {
            }
            let t3: i32 = match (((2.25e-3f64 - b) * 1e9) as u32) % 6 {
                0 => (((v[(i - 1) * n + n / 2] | k)) >> (k & 7)),
                1 | 4 => (if (b) == ((3.5f64 + b)) { (k % ((v[(i - 1) * n + n / 2] & 7) + 9)) } else { (k % ((k & 7) + 9)) }),
                2..=3 => ((v[i * n + n / 2]).max(k) ^ (if ((40u32 as u64)) != ((84u64 | 79u64)) { k } else { 31i32 })),
                _ => {
                    let t4: i64 = 46i64;
                    ((49u64 as i32) & (t4 as i32))
                }
            };
        }
        if ((if (9u32) == ((if ((t1 / 4)) <= ((!(t1))) { 96u32 } else { t1 })) { ((k) >> (40i32 & 7)) } else { (k).wrapping_add(k) })) >= ((k & k)) {
            if (((3.0f64).abs().sqrt()).abs().sqrt()) == ((b).abs().sqrt()) {
                let mut t5: f32 = (x[(i + 1) * n + n / 2]).min((-((a + a))));
            } else {
                let t6: f64 = (((-(b))).min((b).abs())).mul_add(((1.25e-3f64).mul_add(b, 0.25)).mul_add((d[i]).abs().sqrt(), 0.25), 0.25);
            }
        } else {
            let mut t7 = [((5u64 as f64)).abs().sqrt(); 4];
            for t8 in 0..4usize {
                t7[t8] = (3.25e-3f64 - (b).abs().sqrt());
            }
            let t9 = t7[1];
        }
        let mut s = 0.0f64;
        for j in 0..n {
            let t10: i32 = ((if ((v[(i - 1) * n + j] & k)) >= ((w[j] as i32)) { ((k) << (k & 7)) } else { ((x[(i + 1) * n + j] * 1e9) as i32) }) | v[i * n + j]);
            let t11: f32 = 1.5f32;
            if (((t11).mul_add(x[i * n + j], 0.25) / ((a - t11) + 3.5))) <= (a) && ((t10 as i64)) < (5i64) {
                let t12: i64 = ((11i64 | ((b * 1e9) as i64)) % 4);
            } else {
                let t13: f64 = (-((if ((3.25e-3f32 as f64)) > ((1u8 as f64)) { d[i] } else { (2.0f64).max(d[i]) })));
                let mut t14: f64 = (1.0f64 * ((d[i] / (3.5f64 + 3.5))).ceil());
            }
            y[i * n + j] = x[(i + 1) * n + j];
            s += (if ((t10).min(t10)) < ((t10).min(t10)) { (b / (b + 3.5)) } else { (if ((b).mul_add(b, 0.25)) != ((b - 1.25f64)) { b } else { b }) }) * 0.001;
        }
        for j in (1..n).rev() {
            if ((!((33u32 as u32)))) != (t1) {
                let mut t15: i64 = (((!(((i as u64) as i64)))) >> ((!((94i64 % ((68i64 & 7) + 9)))) & 7));
            } else {
            }
            y[i * n + j] = (y[i * n + j] * 0.5).max((-((55u8 as f32))));
        }
        e[i] = s + d[i] * 0.5 + (-((b).abs().sqrt()));
        if (((a).abs().sqrt()) < ((a).floor()) || (79i64) >= ((if ((a as f64)) <= ((b + b)) { 96i64 } else { 40i64 }))) { return v[i * n] as u64 & 255; }
        z[i] = ((((b / (b + 3.5)) * 1e9) as i32) | (((k / 9)) >> ((v[i * n + n / 2] % ((k & 7) + 9)) & 7))) ^ v[i * n + 1];
        q[2 * i] = (!((((i as u64)).min(59u64) / ((((0u64) << (36u64 & 7)) & 7) + 1))));
        q[2 * i + 1] ^= ((!(59u64)) % 4) ^ x[i * n] as u64 ^ w[1] as u64;
        (((a).min(a) * 1e9) as u64) & 0xffff
    }
    pub fn p26(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match (((3.5e19f32 * 1e9) as u32) / 5) % 6 {
            0 => 84i64,
            1 | 4 => (((97i64 % ((9i64 & 7) + 9))) >> ((b as i64) & 7)),
            2..=3 => (if ((a).min(a)) <= (a) { (17i64).wrapping_sub(60i64) } else { (!(43i64)) }),
            _ => {
                let t2: i32 = (((k % ((91i32 & 7) + 9)) % 9) % 8);
                ((81i64 % 1) / 8)
            }
        };
        let mut t3: i32 = (((85i32) >> (((b * 1e9) as i32) & 7))).min(((w[3]).wrapping_sub(38u8) as i32));
        let mut t4 = 0u32;
        while t4 < 1 {
            t4 += 1;
            if ((2.5f64).max(b)) <= ((0.25f64 / (d[i] + 3.5))) { continue; }
            for t5 in 0i32..=4i32 {
                let t6: u64 = ((((36u64 / ((44u64 & 7) + 1)) / (((!((i as u64))) & 7) + 1))) >> (((44u64).wrapping_add((i as u64))).wrapping_mul(((i as u64) as u64)) & 7));
            }
        }
        let mut t7 = [(a + (if ((9i32 % ((t3 & 7) + 9))) == ((v[i * n + n / 2]).wrapping_add(k)) { a } else { a })); 4];
        for t8 in 0..4usize {
            t7[t8] = ((a).mul_add(a, 0.25) + (a).mul_add(0.0f32, 0.25));
        }
        let t9 = t7[0];
        let mut s = 0.0f64;
        for j in 2..n {
            y[i * n + j] = t9;
            s += (if ((t9 + a)) < ((x[(i + 1) * n + j]).max(a)) { (if ((t4).wrapping_add(47u32)) > ((t4 / 9)) { b } else { b }) } else { (b).mul_add(d[i], 0.25) }) * 0.001;
        }
        for _ in 0..k as usize {
            for j in 2..=n - 1 {
                let mut t10 = 0u32;
                while t10 < 1 {
                    t10 += 1;
                    if ((t1 % ((t1 & 7) + 9))) > ((78u64 as i64)) { break; }
                    let mut t11: u8 = ((if ((w[j] / 4)) > ((w[j]).wrapping_add(8u8)) { (w[j] / ((94u8 & 7) + 1)) } else { (!(63u8)) })).wrapping_mul(46u8);
                    t11 = ((t11).wrapping_add(63u8) as u8);
                }
                y[i * n + j] = x[i * n + j];
            }
        }
        e[i] = s + d[i] * 0.5 + (3.5e19f64 - (d[i] - b));
        z[i] = ((b * 1e9) as i32) ^ v[i * n + 1];
        q[2 * i] = ((((((i as u64)) << (53u64 & 7)) / 1)) << (61u64 & 7));
        q[2 * i + 1] ^= ((!(t1)) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        95u64 & 0xffff
    }
    pub fn p27(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f32 = match (!((22u32 / ((19u32 & 7) + 1)))) % 6 {
            0 => (if ((x[(i + 1) * n + n / 2] - x[(i + 1) * n + n / 2])) == ((-(a))) { x[(i + 1) * n + n / 2] } else { a }),
            1 | 4 => (-(a)),
            2..=3 => (-(a)),
            _ => {
                let mut t2: i64 = ((a as i64)).wrapping_add((if ((((i as u64)) << ((i as u64) & 7))) > (96u64) { (24i64).wrapping_add(47i64) } else { ((b * 1e9) as i64) }));
                (-((a).trunc()))
            }
        };
        let t3: i64 = ((10i64) << ((90i64 % (((23i64 | 44i64) & 7) + 9)) & 7));
        if ((90u64 & (41u64 / 4))) != ((99u64).wrapping_sub((i as u64))) {
            for t4 in 0usize..=2usize {
                let t5: i32 = ((k) >> ((((k) << (k & 7)) % ((((k) >> (v[i * n + n / 2] & 7)) & 7) + 9)) & 7));
            }
        } else {
            for t6 in 2i32..=5i32 {
            }
            let mut t7: f64 = (((d[i] as u32) as f64)).abs().sqrt();
        }
        let mut t8: i32 = ((((if ((8u32 % 1)) > (43u32) { a } else { x[(i + 1) * n + n / 2] })).abs() * 1e9) as i32);
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            let t9: u32 = (((if ((if ((80u64).wrapping_add((i as u64))) > ((54u64 | (i as u64))) { t3 } else { 57i64 })) <= ((t3 % ((t3 & 7) + 9))) { b } else { (b).abs() }) * 1e9) as u32);
            y[i * n + j] = (if (39u64) != (25u64) { ((t1).mul_add(a, 0.25)).abs().sqrt() } else { t1 });
            s += ((-(b)) * (-(b))) * 0.001;
        }
        for j in (1..n).rev() {
            let t10: f32 = match (((78u32 / ((98u32 & 7) + 1))) << ((8u32).max(49u32) & 7)) % 6 {
                0 => (3.125f32).abs().sqrt(),
                1 | 4 => (if ((2.5f64).mul_add(d[i], 0.25)) < (b) { (x[i * n + j] / (a + 3.5)) } else { (a / (x[(i + 1) * n + j] + 3.5)) }),
                2..=3 => ((x[(i + 1) * n + j] + a)).min((-(t1))),
                _ => {
                    ((-(t1)) * (a).min(t1))
                }
            };
            if (((d[i] * 1e9) as i32)) == ((t8).wrapping_sub(t8)) { y[i * n + j] = ((t10).ceil() + (t10).abs().sqrt()) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + b;
        z[i] = ((77i32 ^ (t8 % ((k & 7) + 9))) % 1) ^ v[i * n + 1];
        q[2 * i] = ((((t1 / (x[i * n + n / 2] + 3.5)) * 1e9) as u64) | (((a + a) * 1e9) as u64));
        q[2 * i + 1] ^= (if ((t8).min(t8)) >= (k) { (i as u64) } else { ((i as u64) & (i as u64)) }) ^ x[i * n] as u64 ^ w[1] as u64;
        (24u64 / (((if (((16u32) >> (73u32 & 7))) != ((17u32).max(83u32)) { (i as u64) } else { 28u64 }) & 7) + 1)) & 0xffff
    }
    pub fn p28(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: i32 = (((k).wrapping_mul(v[i * n + n / 2])) << (((96u32 & 79u32) as i32) & 7));
        for t2 in 0u8..4u8 {
            for t3 in 0i32..=4i32 {
                let mut t4: f32 = ((((37u8) << (11u8 & 7)) as f32)).abs().sqrt();
                let t5: u64 = (((86u64 / ((5u64 & 7) + 1)) % 6)).wrapping_add((51u64).min((17u64 / ((74u64 & 7) + 1))));
            }
        }
        t1 ^= ((if (((83u32) << (49u32 & 7))) <= ((if ((-(d[i]))) == ((if (k) <= (t1) { b } else { b })) { 27u32 } else { 39u32 })) { t1 } else { k }) % ((((a * 1e9) as i32) & 7) + 9));
        t1 = ((k).wrapping_add(v[(i - 1) * n + n / 2]) | ((3.25e-3f32 * 1e9) as i32));
        t1 |= ((if ((3.0f32 / (a + 3.5))) == ((a).trunc()) { t1 } else { 94i32 })).wrapping_mul((k & v[i * n + n / 2]));
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = (if (a) >= ((x[i * n + j] - a)) { ((w[j] as f32) * (if (0.5f32) != ((a).mul_add(a, 0.25)) { a } else { a })) } else { ((a).abs().sqrt()).abs().sqrt() });
            s += ((33i64 as f64)).trunc() * 0.001;
        }
        for j in (0..n).step_by(2) {
            let mut t6 = 0u32;
            while t6 < 2 {
                t6 += 1;
                if ((48u8 / ((w[j] & 7) + 1))) >= (9u8) { continue; }
            }
            y[i * n + j] = x[(i + 1) * n + j];
        }
        e[i] = s + d[i] * 0.5 + b;
        z[i] = ((k) << (t1 & 7)) ^ v[i * n + 1];
        q[2 * i] = ((((-(a)) * (x[(i + 1) * n + n / 2]).min(a)) * 1e9) as u64);
        q[2 * i + 1] ^= (((a * 1e9) as u64) / ((28u64 & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((63u64 | 66u64)).min((39u64).max(23u64)) & 0xffff
    }
    pub fn p29(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [(if ((if (a) < ((a).max(a)) { 2.125f32 } else { a })) > ((x[i * n + n / 2]).trunc()) { (24u32 / ((78u32 & 7) + 1)) } else { 42u32 }); 4];
        for t2 in 0..4usize {
            t1[t2] = ((((99u32) >> (38u32 & 7))) << ((30u32 % 3) & 7));
        }
        let t3 = t1[3];
        let t4: f32 = (if (((b * 1e9) as i32)) > (((0.5f64 * 1e9) as i32)) { (if (b) <= (b) { (x[(i + 1) * n + n / 2] * a) } else { (a).max(a) }) } else { a });
        let mut s = 0.0f64;
        for j in 0..n {
            y[i * n + j] = (((a).floor()).mul_add((if ((((i as u64)) >> ((i as u64) & 7))) >= ((91u64 / (((i as u64) & 7) + 1))) { x[(i + 1) * n + j] } else { x[i * n + j] }), 0.25) + ((-(t4))).abs().sqrt());
            s += ((b).floor() / ((d[i] * b) + 3.5)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + b;
        z[i] = (k).wrapping_sub(k) ^ v[i * n + 1];
        q[2 * i] = ((!((93u32 % 9))) as u64);
        q[2 * i + 1] ^= (((92u64 % 6)) << ((i as u64) & 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((89u64 / ((90u64 & 7) + 1)) / (((46u64).min(71u64) & 7) + 1)) & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
    (plain::p20, crate::of_slices!(p20), p20::kernel),
    (plain::p21, crate::of_slices!(p21), p21::kernel),
    (plain::p22, crate::of_slices!(p22), p22::kernel),
    (plain::p23, crate::of_slices!(p23), p23::kernel),
    (plain::p24, crate::of_slices!(p24), p24::kernel),
    (plain::p25, crate::of_slices!(p25), p25::kernel),
    (plain::p26, crate::of_slices!(p26), p26::kernel),
    (plain::p27, crate::of_slices!(p27), p27::kernel),
    (plain::p28, crate::of_slices!(p28), p28::kernel),
    (plain::p29, crate::of_slices!(p29), p29::kernel),
];
