// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn p50(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        if (((if ((33u32 / ((28u32 & 7) + 1))) > (87u32) { (if (((x[(i + 1) * n + n / 2] * 1e9) as i64)) < ((58i64).wrapping_mul(21i64)) { k } else { v[(i - 1) * n + n / 2] }) } else { (k % ((54i32 & 7) + 9)) })) != (((x[(i + 1) * n + n / 2] * 1e9) as i32)) || ((a).max(a)) != ((30u8 as f32))) {
            let mut t1 = 0u32;
            while t1 < 1 {
                t1 += 1;
                if ((if ((6i64 % ((72i64 & 7) + 9))) != (((83i64) >> (21i64 & 7))) { k } else { v[(i - 1) * n + n / 2] })) <= ((!(82i32))) { continue; }
                let mut t2: f32 = (((-(a))).mul_add((if (w[3]) < ((64u8 % 6)) { a } else { a }), 0.25) / ((((x[(i + 1) * n + n / 2] * 1e9) as u64) as f32) + 3.5));
                let t3: u8 = (if ((73u64 / ((87u64 & 7) + 1))) == (((i as u64)).wrapping_sub(18u64)) { 96u8 } else { 5u8 });
            }
        } else {
            let mut t4 = 0u32;
            while t4 < 4 {
                t4 += 1;
                if ((30u64).wrapping_mul(61u64)) != ((1u64).min((i as u64))) { continue; }
            }
        }
        for j in 0..n {
            y[i * n + j] = (((x[i * n + j]).abs() - a)).mul_add(((75u32 % 5) as f32), 0.25);
        }
        e[i] = d[i] * 0.5 + ((20u8 as f64)).floor();
        z[i] = (if (((k) >> (k & 7))) != (k) { ((k / 1)).wrapping_mul((k % ((v[i * n + n / 2] & 7) + 9))) } else { (if ((b - b)) != ((d[i] / (b + 3.5))) { (if ((a).ceil()) >= (a) { k } else { k }) } else { k }) }) ^ v[i * n + 1];
        q[2 * i] = ((if (k) <= ((!(v[i * n + n / 2]))) { ((a * 1e9) as u64) } else { ((i as u64) % 8) }) / (((55u64).wrapping_sub(31u64) & 7) + 1));
        q[2 * i + 1] ^= (((b * 1e9) as u64) / ((82u64 & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64)).min((i as u64))).wrapping_mul((87u64 / ((26u64 & 7) + 1))) & 0xffff
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
                let mut t9: i32 = (if ((28u64 / ((37u64 & 7) + 1))) != ((!(18u64))) { (if (12u32) < (((1.75e9f64 * 1e9) as u32)) { (!(53i32)) } else { ((b * 1e9) as i32) }) } else { (t7 as i32) });
            }
            for t10 in 0usize..=3usize {
            }
            y[i * n + j] = (((if ((54u8 as f32)) > ((t1 + a)) { x[i * n + j] } else { 2.75e9f32 }) - t1) / (a + 3.5));
            s += ((b + b) - (b).mul_add(b, 0.25)) * 0.001;
        }
        for j in 0..n {
            for t11 in 1u8..=3u8 {
                let t12: u64 = (((64u64 ^ (i as u64))).min(60u64) / (((i as u64) & 7) + 1));
            }
            if ((70u32 / ((95u32 & 7) + 1))) >= ((8u32 / ((91u32 & 7) + 1))) { y[i * n + j] = x[i * n + n - 1 - j] - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((2.25f64 + b) * (-(b)));
        if ((((92i64 % ((95i64 & 7) + 9)) as u32)) <= ((98u32 / ((87u32 & 7) + 1))) || ((2u32 ^ 17u32)) > ((84u32 / ((49u32 & 7) + 1)))) { return v[i * n] as u64 & 255; }
        z[i] = ((((k % ((74i32 & 7) + 9))) << (((t6) << (t6 & 7)) & 7)) / 4) ^ v[i * n + 1];
        q[2 * i] = ((!((54u32 / 9))) as u64);
        q[2 * i + 1] ^= (((3.125f32 * 1e9) as u64) / 3) ^ x[i * n] as u64 ^ w[1] as u64;
        86u64 & 0xffff
    }
    pub fn p52(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((if ((b).abs().sqrt()) == ((b).min(b)) { 3u32 } else { 11u32 })).wrapping_mul((if (95u32) > (73u32) { 5u32 } else { 83u32 })) % 6 {
            0 => ((if ((if ((if (52u8) != ((w[3]).max(61u8)) { 50u64 } else { 24u64 })) < (88u64) { k } else { v[(i - 1) * n + n / 2] })) == (k) { 53u8 } else { w[3] }) as i64),
            1 | 4 => ((12u32 as i64) | ((37i64) << (65i64 & 7))),
            2..=3 => (if (((x[(i + 1) * n + n / 2] * 1e9) as u8)) < ((63u8 / ((5u8 & 7) + 1))) { (50i64).min(20i64) } else { (41i64 / 4) }),
            _ => {
                let mut t2: u32 = (3.125f64 as u32);
                ((80i64 ^ 49i64)).min(((a * 1e9) as i64))
            }
        };
        let t3: f64 = b;
        let t4: f32 = match (68u32 / ((9u32 & 7) + 1)) % 6 {
            0 => ((if ((t3).abs().sqrt()) > ((d[i]).abs().sqrt()) { 2.0f32 } else { a }) * (if ((t3 - 2.25f64)) > ((0.5e19f64).mul_add(b, 0.25)) { a } else { a })),
            1 | 4 => ((-(0.5e19f32))).max((t3 as f32)),
            2..=3 => a,
            _ => {
                let t5: u8 = (x[i * n + n / 2] as u8);
                (a / ((2.125f32 - x[i * n + n / 2]) + 3.5))
            }
        };
        let mut s = 0.0f64;
        for j in 0..n {
            y[i * n + j] = (((29u32 as f32) * (x[(i + 1) * n + j]).mul_add(t4, 0.25)) - x[(i + 1) * n + j]);
            s += (0u64 as f64) * 0.001;
        }
        for j in 0..n {
            y[i * n + j] = (t4).ceil();
        }
        e[i] = s + d[i] * 0.5 + ((1.25f64 - t3) * (1.25f64 / (b + 3.5)));
        z[i] = (((!(k))).max(k)).wrapping_mul(((k | k)).min(((k) << (k & 7)))) ^ v[i * n + 1];
        q[2 * i] = (!((((!(69u64))) >> ((((i as u64)) << (37u64 & 7)) & 7))));
        q[2 * i + 1] ^= ((-(b)) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (11u64).min((t1 as u64)) & 0xffff
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
            t2[t3] = (((x[i * n + n / 2]).mul_add(a, 0.25) * 1e9) as u64);
        }
        let t4 = t2[1];
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if ((a / (a + 3.5))) != ((d[i] as f32)) { continue; }
            let t6: u8 = match (!((if (w[3]) >= (((a * 1e9) as u8)) { 15u32 } else { 56u32 }))) % 6 {
                0 => ((w[3] / 4)).wrapping_mul(w[3]),
                1 | 4 => (((24u8).wrapping_sub(75u8)) >> ((97u8 / ((w[3] & 7) + 1)) & 7)),
                2..=3 => (((a * 1e9) as u8)).min((1u8 % 5)),
                _ => {
                    let t7: u64 = ((((b * 1e9) as u64) / (((!(26u64)) & 7) + 1)) | ((((b * 1e9) as u64)) << (((b * 1e9) as u64) & 7)));
                    ((w[3]).wrapping_mul(19u8) & 4u8)
                }
            };
        }
        let mut t8: i64 = (((!(70i64)) | (75i64 % 2)) % (((((21i64) >> (7i64 & 7)) ^ 4i64) & 7) + 9));
        let t9: i64 = match (((t5 / ((t5 & 7) + 1))) << ((if (((7u8) << (w[3] & 7))) > ((w[3] / ((w[3] & 7) + 1))) { t5 } else { t5 }) & 7)) % 6 {
            0 => ((t8 & 60i64) as i64),
            1 | 4 => (((b * 1e9) as i64) | ((t8) << (t8 & 7))),
            2..=3 => (t8 % 3),
            _ => {
                let mut t10: f64 = (b).mul_add((-((-(b)))), 0.25);
                ((t8).wrapping_add(t8) % (((60u64 as i64) & 7) + 9))
            }
        };
        for j in 0..n {
            let mut t11 = 0u32;
            while t11 < 5 {
                t11 += 1;
                if (k) <= (42i32) { break; }
                let mut t12: i32 = (!(v[(i - 1) * n + j]));
            }
            let mut t13: f32 = a;
            y[i * n + j] = ((43u32 as f32) * ((t13 - x[(i + 1) * n + j]) - (x[(i + 1) * n + j]).mul_add(a, 0.25)));
        }
        e[i] = d[i] * 0.5 + (b).mul_add((b * d[i]), 0.25);
        if (((k).wrapping_mul(v[i * n + n / 2]) as f32)) < (2.5f32) { return v[i * n] as u64 & 255; }
        z[i] = (((b).mul_add((b).abs().sqrt(), 0.25) * 1e9) as i32) ^ v[i * n + 1];
        q[2 * i] = ((((a * 1e9) as u64)).max((t1 / ((90u64 & 7) + 1))) / (((i as u64) & 7) + 1));
        q[2 * i + 1] ^= (!(t1)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((t4).wrapping_mul((i as u64)) / 4) & 0xffff
    }
    pub fn p54(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 4 {
            t1 += 1;
            if ((22u8 as u32)) > ((61u32 % 8)) { break; }
            let mut t2 = 0u32;
            while t2 < 1 {
                t2 += 1;
                if ((if ((46i64).wrapping_sub(98i64)) != ((!(83i64))) { 3.5f32 } else { a })) != ((x[i * n + n / 2]).floor()) { break; }
                let t3: i64 = (4i64).min((5i64).min((35i64 / 5)));
                let mut t4: f64 = ((if ((-(b))) >= ((0.125f64).ceil()) { (-(d[i])) } else { (b - b) })).abs();
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
        if (((39u8 ^ ((77u8) << (28u8 & 7)))) <= ((1u8 | 51u8)) || (((a * 1e9) as u64)) == ((35u64).max((i as u64)))) {
            if ((((i as u64) / (((47u64 / (((i as u64) & 7) + 1)) & 7) + 1))) > ((!(2u64))) || ((if ((3.5e19f64).max(b)) > (b) { 90u32 } else { t1 })) >= ((73u32).wrapping_add(19u32))) {
            } else {
            }
            if ((a).mul_add(a, 0.25)) != ((87u8 as f32)) {
            } else {
                let t7: i32 = (if (x[i * n + n / 2]) == ((x[(i + 1) * n + n / 2] + a)) { ((if ((45i64).wrapping_add(78i64)) <= (((46i64) << (33i64 & 7))) { k } else { k }) % ((k & 7) + 9)) } else { (!((k % 2))) });
            }
        } else {
            if (((i as u64) / (((39u64 & (i as u64)) & 7) + 1))) < ((if (((90i64) >> (85i64 & 7))) < (41i64) { (i as u64) } else { (i as u64) })) {
                let mut t8: f32 = (-(2.5e19f32));
            } else {
            }
        }
        for t9 in 1i32..=2i32 {
            let t10: u64 = match t1 % 6 {
                0 => (!(73u64)),
                1 | 4 => (!(((5u64) << (46u64 & 7)))),
                2..=3 => ((59i64 as u64) / 3),
                _ => {
                    31u64
                }
            };
            let t11: i64 = ((((86u8 as f64)).mul_add(2.0f64, 0.25) * 1e9) as i64);
        }
        let mut s = 0.0f64;
        for j in 2..n {
            y[i * n + j] = (((x[(i + 1) * n + j]).abs().sqrt() / ((a / (a + 3.5)) + 3.5))).mul_add(((3i64 as f32) / ((if ((t1 / ((49u32 & 7) + 1))) > ((if (b) <= ((1.75e9f64 / (b + 3.5))) { t1 } else { t1 })) { a } else { 1.0f32 }) + 3.5)), 0.25);
            s += (3.125f64).abs().sqrt() * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            let mut t12 = [((x[i * n + j]).min(x[(i + 1) * n + j]) as f64); 4];
            for t13 in 0..4usize {
                t12[t13] = (((i as u64)).wrapping_sub(34u64) as f64);
            }
            let t14 = t12[0];
            let t15: f32 = match ((39u32 & t1) | (!(t1))) % 6 {
                0 => ((k).wrapping_mul(k) as f32),
                1 | 4 => (-((a).abs())),
                2..=3 => a,
                _ => {
                    let t16: u64 = (i as u64);
                    (3.125f32 + a)
                }
            };
            y[i * n + j] = ((x[(i + 1) * n + j]).min(x[i * n + j])).max((-(t15)));
        }
        e[i] = s + d[i] * 0.5 + ((3.5f64 * b) as f64);
        if (44u8) != ((w[3] / 3)) && (((w[3]) << (24u8 & 7))) >= (46u8) { return v[i * n] as u64 & 255; }
        z[i] = (if ((89u32 / ((t1 & 7) + 1))) < ((18u32).max(63u32)) { (!((k % ((k & 7) + 9)))) } else { (b as i32) }) ^ v[i * n + 1];
        q[2 * i] = 59u64;
        q[2 * i + 1] ^= ((76u64 ^ 99u64) | ((i as u64) % 7)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((23u8 as f32) as u64) & 0xffff
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
            0 => (if ((w[3] % 3)) != ((67u8).max(w[3])) { ((a * 1e9) as i64) } else { (b as i64) }),
            1 | 4 => 38i64,
            2..=3 => ((if ((48u8).wrapping_mul(59u8)) != (w[3]) { 57i64 } else { 34i64 })).wrapping_sub((1i64 % ((43i64 & 7) + 9))),
            _ => {
                ((64i64 % ((92i64 & 7) + 9)) % (((54i64 | 7i64) & 7) + 9))
            }
        };
        let t6: u8 = match ((99u32).max(42u32)).wrapping_add((98u32 / 7)) % 6 {
            0 => (((a - a) * 1e9) as u8),
            1 | 4 => w[3],
            2..=3 => (((a + a) * 1e9) as u8),
            _ => {
                let t7: u64 = 8u64;
                ((1u32 as u8) / (((w[3] / ((65u8 & 7) + 1)) & 7) + 1))
            }
        };
        for j in 0..n {
            y[i * n + j] = ((if (b) > (b) { (a * a) } else { (a / (a + 3.5)) }) / (((3.75e9f64 as f32)).trunc() + 3.5));
        }
        for j in (1..n).rev().step_by(3) {
            y[i * n + j] = ((a).min(3.25e-3f32)).mul_add((a).abs(), 0.25);
        }
        e[i] = d[i] * 0.5 + 3.5f64;
        z[i] = (v[(i - 1) * n + n / 2] % 8) ^ v[i * n + 1];
        q[2 * i] = 53u64;
        q[2 * i + 1] ^= 81u64 ^ x[i * n] as u64 ^ w[1] as u64;
        (i as u64) & 0xffff
    }
    pub fn p56(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..2i32 {
            let mut t2: i64 = 61i64;
        }
        let t3: f32 = a;
        let mut t4 = 0u32;
        while t4 < 1 {
            t4 += 1;
            if ((!(k))) >= (((t3 * 1e9) as i32)) { continue; }
            if (((b / (b + 3.5)) - b)) >= ((b).mul_add(b, 0.25)) {
            } else {
            }
            let t5: i32 = match (83u8 as u32) % 6 {
                0 => ((k % 3) % (((v[(i - 1) * n + n / 2] | k) & 7) + 9)),
                1 | 4 => (v[i * n + n / 2] & (k as i32)),
                2..=3 => (((i as u64) as i32)).wrapping_sub((k & 35i32)),
                _ => {
                    ((k | k) % (((k).min(k) & 7) + 9))
                }
            };
        }
        if (61u8) == ((78u8 % 8)) {
        } else {
            let mut t6 = 0u32;
            while t6 < 3 {
                t6 += 1;
                if ((w[3] as f64)) >= (b) { break; }
                let t7: i32 = ((((2.125f32 * x[i * n + n / 2]) * 1e9) as i32) % ((((k & 81i32) ^ (if ((b as i64)) >= ((82i64 % ((48i64 & 7) + 9))) { k } else { k })) & 7) + 9));
                let mut t8: i32 = ((if ((if ((v[(i - 1) * n + n / 2]).min(k)) != (((v[i * n + n / 2]) << (v[i * n + n / 2] & 7))) { (i as u64) } else { 78u64 })) <= ((77u64).wrapping_sub((i as u64))) { (b).min(b) } else { d[i] }) as i32);
            }
        }
        for j in 1..n - 1 {
            let mut t9 = [((!(33u64))).wrapping_sub((!(99u64))); 4];
            for t10 in 0..4usize {
                t9[t10] = (!(((b * 1e9) as u64)));
            }
            let t11 = t9[2];
            let t12: f64 = match ((t4).wrapping_sub(89u32) / 1) % 6 {
                0 => b,
                1 | 4 => ((d[i]).max(b) - (b).mul_add(0.5e19f64, 0.25)),
                2..=3 => (-((0.25e-3f64).abs().sqrt())),
                _ => {
                    b
                }
            };
            let t13: i64 = 95i64;
            y[i * n + j] = (((if ((if ((1.75e9f64 / (2.0f64 + 3.5))) < ((if ((w[j]).max(w[j])) >= ((53u8 / ((56u8 & 7) + 1))) { d[i] } else { t12 })) { t3 } else { a })) == (t3) { 20u8 } else { 94u8 }) as f32) / (((-(a))).floor() + 3.5));
        }
        for j in 2..=n - 1 {
            if ((b).ceil()) <= ((-(b))) { y[i * n + j] = (if ((86u8 / ((w[j] & 7) + 1))) == ((if ((!(19i64))) > ((d[i] as i64)) { 62u8 } else { 77u8 })) { (a / (x[(i + 1) * n + j] + 3.5)) } else { (t3 - a) }) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + (b * (68u8 as f64));
        z[i] = (k).max(((k % ((k & 7) + 9)) % ((k & 7) + 9))) ^ v[i * n + 1];
        q[2 * i] = 32u64;
        q[2 * i + 1] ^= ((((i as u64)) >> (35u64 & 7)) / (((if ((b as u32)) <= ((70i64 as u32)) { 67u64 } else { (i as u64) }) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        63u64 & 0xffff
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
                let t4: f32 = (((x[(i + 1) * n + n / 2] - 2.5f32) + (a).mul_add(a, 0.25))).abs();
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
        let mut t10 = [(((2.0f32).mul_add(x[i * n + n / 2], 0.25) * 1e9) as u64); 4];
        for t11 in 0..4usize {
            t10[t11] = (((b).abs().sqrt() * 1e9) as u64);
        }
        let t12 = t10[3];
        let mut s = 0.0f64;
        for j in 2..n {
            y[i * n + j] = (((x[i * n + j] * a) / ((x[(i + 1) * n + j] / (3.5f32 + 3.5)) + 3.5)) / ((-((x[(i + 1) * n + j]).abs().sqrt())) + 3.5));
            s += ((-(3.25f64))).floor() * 0.001;
        }
        for j in 0..n {
            y[i * n + j] = (a).trunc();
        }
        e[i] = s + d[i] * 0.5 + ((b).max(b)).min((b - 0.5e19f64));
        z[i] = (((!(k))).wrapping_sub(((v[(i - 1) * n + n / 2]) << (k & 7)))).min(((v[i * n + n / 2]).max(k) & (54i32 % ((k & 7) + 9)))) ^ v[i * n + 1];
        q[2 * i] = ((((t12 as f64)).abs().sqrt() * 1e9) as u64);
        q[2 * i + 1] ^= ((67u64 / ((90u64 & 7) + 1)) as u64) ^ x[i * n] as u64 ^ w[1] as u64;
        (((b).mul_add(3.125f64, 0.25) * 1e9) as u64) & 0xffff
    }
    pub fn p58(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((37i64 as u32) & ((71u32) << (31u32 & 7))) % 6 {
            0 => (31i64).wrapping_sub((88i64).min(44i64)),
            1 | 4 => ((40i64).wrapping_add(77i64) ^ 38i64),
            2..=3 => (if (47u64) <= ((i as u64)) { ((94i64) << (29i64 & 7)) } else { 41i64 }),
            _ => {
                let t2: i32 = ((((2.5f32 / (a + 3.5))).mul_add((a).mul_add(x[i * n + n / 2], 0.25), 0.25) * 1e9) as i32);
                (88i64 & 56i64)
            }
        };
        let mut t3 = [(if ((if ((k).min(v[i * n + n / 2])) <= ((k % ((k & 7) + 9))) { t1 } else { t1 })) <= ((63u64 as i64)) { (10u8 & w[3]) } else { (w[3] / ((80u8 & 7) + 1)) }); 4];
        for t4 in 0..4usize {
            t3[t4] = (if ((w[3] / ((21u8 & 7) + 1))) == ((if ((if (((v[i * n + n / 2]) << (k & 7))) < (k) { (i as u64) } else { 66u64 })) < ((0u64 / (((i as u64) & 7) + 1))) { 53u8 } else { 9u8 })) { (if ((!(69i64))) > ((t1).wrapping_add(t1)) { 46u8 } else { 34u8 }) } else { w[3] });
        }
        let t5 = t3[1];
        let mut t6 = [(-((t5 as f32))); 4];
        for t7 in 0..4usize {
            t6[t7] = a;
        }
        let t8 = t6[2];
        let mut s = 0.0f64;
        for j in 2..n {
            let t9: i32 = (((if ((k % ((k & 7) + 9))) < (v[(i - 1) * n + j]) { (a).max(a) } else { a }) * 1e9) as i32);
            for t10 in 0i32..=4i32 {
                let mut t11: u64 = (((((i as u64)) >> ((i as u64) & 7))).wrapping_mul((if ((88u32 as f64)) > ((d[i]).mul_add(3.25e-3f64, 0.25)) { 75u64 } else { 36u64 })) % 5);
                t11 = ((t11 / ((t11 & 7) + 1))).wrapping_add((t11 | t11));
            }
            y[i * n + j] = (-(a));
            s += ((61u32 as f64)).mul_add(3.0f64, 0.25) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + (-(2.0f64));
        if ((((t8 * 1e9) as i32) / 9)) >= ((if (91u64) == (((i as u64)).max(45u64)) { k } else { k })) { return v[i * n] as u64 & 255; }
        z[i] = (!(((!(k)) % (((k).wrapping_add(k) & 7) + 9)))) ^ v[i * n + 1];
        q[2 * i] = 14u64;
        q[2 * i + 1] ^= 13u64 ^ x[i * n] as u64 ^ w[1] as u64;
        (!(((i as u64)).wrapping_sub((i as u64)))) & 0xffff
    }
    pub fn p59(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i32 = ((if ((-(a))) == (a) { (if ((if ((26u64 as f64)) == ((b).mul_add(b, 0.25)) { 79u64 } else { (i as u64) })) == ((if ((78u32 as u32)) >= ((52u32 | 78u32)) { 63u64 } else { 44u64 })) { k } else { v[(i - 1) * n + n / 2] }) } else { (!(v[i * n + n / 2])) }) % 6);
        let t2: i64 = match ((b * 3.5f64) as u32) % 6 {
            0 => ((83i64).wrapping_sub(64i64) / 9),
            1 | 4 => ((!(9i64))).min(((0.125f64 * 1e9) as i64)),
            2..=3 => ((97i64 / 6)).max(18i64),
            _ => {
                26i64
            }
        };
        for t3 in 2usize..=3usize {
            let mut t4 = 0u32;
            while t4 < 3 {
                t4 += 1;
                if ((t2 / 5)) < ((t2).wrapping_sub(t2)) { continue; }
                let mut t5: i64 = ((!(t2)) & ((40u8 as i64) ^ (70i64 % ((34i64 & 7) + 9))));
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            if ((if ((2.25e-3f32).abs().sqrt()) > ((a).max(a)) { x[(i + 1) * n + j] } else { a })) >= ((a).max(x[i * n + n - 1 - j])) {
            } else {
                let t6: f64 = (if ((w[j]).max(8u8)) == ((if ((if (x[i * n + j]) <= ((1.5f32 * a)) { 0.0f64 } else { b })) <= ((77u64 as f64)) { 51u8 } else { w[j] })) { (b - (b / (b + 3.5))) } else { ((-(b)) / (d[i] + 3.5)) });
            }
            y[i * n + j] = ((0.0f32 / (a + 3.5))).mul_add(a, 0.25);
            s += ((d[i]).abs().sqrt() * b) * 0.001;
        }
        for _ in 0..k as usize {
            for j in 2..=n - 1 {
                let t7: i32 = match 22u32 % 6 {
                    0 => ((44i32 % ((v[i * n + j] & 7) + 9))).min((k % 1)),
                    1 | 4 => (((2.25f64 * 1e9) as i32) % 5),
                    2..=3 => ((k % 8) | (t2 as i32)),
                    _ => {
                        ((a * 1e9) as i32)
                    }
                };
                if ((96u8 % 6)) < (((a * 1e9) as u8)) { y[i * n + j] = (if (a) < ((if (a) < ((34u64 as f32)) { a } else { a })) { (x[i * n + n - 1 - j]).min(a) } else { (-(a)) }) - y[i * n + j]; }
            }
        }
        e[i] = s + d[i] * 0.5 + b;
        if ((if ((k / 8)) != ((if (((t2) << (t2 & 7))) >= ((t2).max(t2)) { k } else { k })) { 46u64 } else { (70u64 / ((52u64 & 7) + 1)) })) != ((2u64 % 2)) { return v[i * n] as u64 & 255; }
        z[i] = 90i32 ^ v[i * n + 1];
        q[2 * i] = ((i as u64) | ((if ((46u32 as i32)) < (t1) { 7u64 } else { 76u64 }) ^ 9u64));
        q[2 * i + 1] ^= (((x[i * n + n / 2] * 1e9) as u64) & ((i as u64)).max(57u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        94u64 & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
    (plain::p50, crate::of_slices!(p50), p50::kernel),
    (plain::p51, crate::of_slices!(p51), p51::kernel),
    (plain::p52, crate::of_slices!(p52), p52::kernel),
    (plain::p53, crate::of_slices!(p53), p53::kernel),
    (plain::p54, crate::of_slices!(p54), p54::kernel),
    (plain::p55, crate::of_slices!(p55), p55::kernel),
    (plain::p56, crate::of_slices!(p56), p56::kernel),
    (plain::p57, crate::of_slices!(p57), p57::kernel),
    (plain::p58, crate::of_slices!(p58), p58::kernel),
    (plain::p59, crate::of_slices!(p59), p59::kernel),
];
