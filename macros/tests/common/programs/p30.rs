// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn p30(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2i32..2i32 {
            let mut t2: u8 = (((a / ((-(1.75e9f32)) + 3.5)) * 1e9) as u8);
        }
        if ((((b - b) as u32)) <= ((43u32 | 37u32)) || ((27u64).max((i as u64))) != ((!(43u64)))) {
            let t3: i32 = match (((a + a) * 1e9) as u32) % 6 {
                0 => ((k).wrapping_mul(k) % 1),
                1 | 4 => ((k ^ k) % (((v[(i - 1) * n + n / 2] % ((k & 7) + 9)) & 7) + 9)),
                2..=3 => (((1.0f32 * 1e9) as i32)).wrapping_mul(k),
                _ => {
                    ((if (73u32) == ((v[i * n + n / 2] as u32)) { k } else { k }) & ((k) << (k & 7)))
                }
            };
        } else {
            let mut t4: i64 = ((((if (((67u32) << (46u32 & 7))) < (((64u32) >> (41u32 & 7))) { 59i64 } else { 67i64 })) >> ((if ((b).min(d[i])) >= ((1.125f64 - b)) { 14i64 } else { 97i64 }) & 7)) % (((if ((k).max(v[i * n + n / 2])) <= (v[(i - 1) * n + n / 2]) { (29i64 & 26i64) } else { 94i64 }) & 7) + 9));
            t4 = ((74i64 % 4) % (((t4 & t4) & 7) + 9));
        }
        for t5 in 2u8..5u8 {
            let mut t6 = [(((!(t5))) >> ((t5).wrapping_sub(t5) & 7)); 4];
            for t7 in 0..4usize {
                t6[t7] = ((if ((if ((b / (1.125f64 + 3.5))) == ((b).abs().sqrt()) { 68u32 } else { 50u32 })) != (((d[i] * 1e9) as u32)) { t5 } else { t5 }) / (((w[3] % 2) & 7) + 1));
            }
            let t8 = t6[2];
        }
        for j in 0..n {
            y[i * n + j] = x[(i + 1) * n + j];
        }
        for j in 2..=n - 1 {
            if (a) <= ((a).abs().sqrt()) { y[i * n + j] = (2.125f32 / (a + 3.5)) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + (-(b));
        z[i] = (((a as i32) / 5) % ((k & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = ((58u64).wrapping_mul(((i as u64)).wrapping_add(32u64)) | (!((68u64 / ((71u64 & 7) + 1)))));
        q[2 * i + 1] ^= (((i as u64) | (i as u64)) | (76u64).wrapping_add((i as u64))) ^ x[i * n] as u64 ^ w[1] as u64;
        (15u64 % 4) & 0xffff
    }
    pub fn p31(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = b;
        for j in 1..n - 1 {
            let mut t2 = 0u32;
            while t2 < 4 {
                t2 += 1;
                if ((59u32 as i64)) > (((0.25f64 * 1e9) as i64)) { break; }
                let t3: u8 = ((((a * 1e9) as u8)).max((w[j] | w[j]))).wrapping_sub(25u8);
            }
            let t4: f32 = match ((if ((t1).abs().sqrt()) >= ((b / (t1 + 3.5))) { 84u32 } else { t2 }) % 1) % 6 {
                0 => a,
                1 | 4 => ((x[i * n + j]).abs().sqrt()).mul_add((x[(i + 1) * n + j] - 2.25f32), 0.25),
                2..=3 => (x[i * n + j] + (if (30u32) < (t2) { x[i * n + j] } else { a })),
                _ => {
                    let mut t5: f64 = ((if ((v[i * n + j] as i32)) != (((k) << (k & 7))) { (b / (b + 3.5)) } else { d[i] }) * (if ((a).mul_add(x[(i + 1) * n + j], 0.25)) == ((a).max(a)) { (d[i] + 3.25e-3f64) } else { (t1 + t1) }));
                    ((a).mul_add(x[(i + 1) * n + j], 0.25) - (x[i * n + j] - a))
                }
            };
            let mut t6 = [k; 4];
            for t7 in 0..4usize {
                t6[t7] = (((d[i] * 1e9) as i32) % 6);
            }
            let t8 = t6[2];
            y[i * n + j] = (if (33i64) >= ((if ((v[(i - 1) * n + j]).max(k)) >= ((t8 & k)) { 44i64 } else { 16i64 })) { (if (((t1 * 1e9) as i64)) == (((18i64) >> (4i64 & 7))) { a } else { (t4 / (1.75e9f32 + 3.5)) }) } else { (if ((9u64).max((i as u64))) == ((if ((t1).abs().sqrt()) > ((t1 as f64)) { 36u64 } else { (i as u64) })) { (a * 2.5e19f32) } else { (-(a)) }) });
        }
        for j in (0..n).step_by(2) {
            for t9 in 1i32..2i32 {
                let mut t10: u8 = (!(34u8));
            }
            let mut t11 = 0u32;
            while t11 < 3 {
                t11 += 1;
                if ((t1).ceil()) == (2.25f64) { continue; }
                let t12: f64 = ((t1).floor()).max(((t1 / (b + 3.5))).abs().sqrt());
            }
            y[i * n + j] = ((x[(i + 1) * n + j] - a) / ((if ((t1 - 0.75e9f64)) != ((-(3.5f64))) { a } else { 0.25e-3f32 }) + 3.5));
        }
        e[i] = d[i] * 0.5 + ((b).mul_add(t1, 0.25)).abs().sqrt();
        z[i] = ((((d[i]).min(b)).abs().sqrt() * 1e9) as i32) ^ v[i * n + 1];
        q[2 * i] = (((1.75e9f64 as i32) as u64) ^ 75u64);
        q[2 * i + 1] ^= ((72u64 | (i as u64)) ^ (x[i * n + n / 2] as u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (if ((k).wrapping_mul(k)) != (((41i32) >> (k & 7))) { (if ((!(33u8))) > (w[3]) { 55u64 } else { 45u64 }) } else { 19u64 }) & 0xffff
    }
    pub fn p32(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1: u64 = ((((47u64) >> (85u64 & 7))).wrapping_add((12u64).max((i as u64))) | ((63u64).min(72u64) / 1));
        if ((((b * 1e9) as u64) & (t1).min(t1))) != (((t1) << (t1 & 7))) && (((36i64) << (73i64 & 7))) == ((2i64).max(70i64)) {
            t1 = ((t1).wrapping_sub(77u64) | t1);
            t1 ^= (!(t1));
        } else {
            if (((97i32 / 5) | ((b * 1e9) as i32))) <= ((k).max(v[(i - 1) * n + n / 2])) {
                t1 ^= t1;
                t1 = (((a + x[(i + 1) * n + n / 2]) * 1e9) as u64);
            } else {
                let mut t2: i64 = (9i64 | ((17i64 ^ 51i64) % (((53i64).max(62i64) & 7) + 9)));
            }
            t1 ^= ((5u64).min(75u64)).min((2.25f64 as u64));
        }
        t1 = 56u64;
        let mut s = 0.0f64;
        for j in 0..n {
            let mut t3 = 0u32;
            while t3 < 5 {
                t3 += 1;
                if (((b * 1e9) as u32)) <= ((!(31u32))) { break; }
                let t4: u8 = w[j];
                let t5: i64 = 95i64;
            }
            for t6 in 1usize..=3usize {
                let t7: u8 = ((b * 1e9) as u8);
            }
            y[i * n + j] = x[i * n + j];
            s += (b + (1.0f64).mul_add(b, 0.25)) * 0.001;
        }
        for j in (1..n).rev().step_by(3) {
            y[i * n + j] = (y[i * n + j] * 0.5).max((if ((84i64).max(74i64)) < (((3.25e-3f64 * 1e9) as i64)) { (a / (a + 3.5)) } else { (a * a) }));
        }
        e[i] = s + d[i] * 0.5 + b;
        z[i] = (if ((if ((!(41u8))) > ((w[3]).min(50u8)) { k } else { v[i * n + n / 2] })) < (((1.5f32 * 1e9) as i32)) { v[(i - 1) * n + n / 2] } else { v[i * n + n / 2] }) ^ v[i * n + 1];
        q[2 * i] = ((t1 % 9) / (((!((a as u64))) & 7) + 1));
        q[2 * i + 1] ^= t1 ^ x[i * n] as u64 ^ w[1] as u64;
        ((((b * 1e9) as u64)) >> ((!(23u64)) & 7)) & 0xffff
    }
    pub fn p33(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = 52i64;
        let mut t2 = [((66u32 / ((77u32 & 7) + 1)) | (72u32).min(19u32)); 4];
        for t3 in 0..4usize {
            t2[t3] = (96u32).wrapping_sub(((x[(i + 1) * n + n / 2] * 1e9) as u32));
        }
        let t4 = t2[2];
        for j in 0..n {
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if (((a * 1e9) as u32)) == (t4) { break; }
            }
            let mut t6 = 0u32;
            while t6 < 1 {
                t6 += 1;
                if (((i as u64) | 65u64)) < ((50u64 / 7)) { break; }
            }
            for t7 in 2i32..=3i32 {
                let t8: i32 = (if (((w[j]) >> (96u8 & 7))) <= ((27u8 / 2)) { k } else { (((x[(i + 1) * n + j]).max(a) * 1e9) as i32) });
                let t9: f64 = ((((0.25e-3f32).abs() * 1e9) as u8) as f64);
            }
            y[i * n + j] = (((if ((w[j]).max(65u8)) != ((if ((t6 % 4)) < ((t5).wrapping_mul(t5)) { 11u8 } else { 3u8 })) { a } else { a }) * (x[(i + 1) * n + j] + x[i * n + j]))).abs();
        }
        for j in 0..n {
            let mut t10 = [(t4).max(t4); 4];
            for t11 in 0..4usize {
                t10[t11] = (((13u8 as u32)) >> ((t4 / ((17u32 & 7) + 1)) & 7));
            }
            let t12 = t10[1];
            if (t1) <= (73i64) { y[i * n + j] = (-((x[(i + 1) * n + j]).abs().sqrt())) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + ((-(b))).mul_add((d[i] / (b + 3.5)), 0.25);
        z[i] = ((if ((if (((k) << (k & 7))) > (k) { t4 } else { 67u32 })) < (((2.5f64 * 1e9) as u32)) { (k as i32) } else { (k).wrapping_mul(k) }) % (((((b * 1e9) as i32) ^ (k).max(k)) & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (!((((i as u64) ^ 57u64)).wrapping_mul((13u64).max(9u64))));
        q[2 * i + 1] ^= 27u64 ^ x[i * n] as u64 ^ w[1] as u64;
        ((a * 1e9) as u64) & 0xffff
    }
    pub fn p34(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = (if ((k).max(k)) <= ((k).max(k)) { (93i64).min((34i64).max(2i64)) } else { (if (((k) << (v[i * n + n / 2] & 7))) == ((k).min(k)) { (5i64 / 3) } else { 12i64 }) });
        for j in 2..n {
            y[i * n + j] = x[(i + 1) * n + j];
        }
        for j in (0..n).step_by(2) {
            y[i * n + j] = (y[i * n + j] * 0.5).max((if ((x[(i + 1) * n + j] / (a + 3.5))) == ((a).max(a)) { (a).mul_add(2.125f32, 0.25) } else { a }));
        }
        e[i] = d[i] * 0.5 + (if (2.5f64) >= ((d[i]).mul_add(b, 0.25)) { (b - b) } else { (d[i] - b) });
        z[i] = (if ((k % ((45i32 & 7) + 9))) > ((23i32 | v[(i - 1) * n + n / 2])) { (k % (((k % 8) & 7) + 9)) } else { (((k) << (k & 7))).min((v[i * n + n / 2] & k)) }) ^ v[i * n + 1];
        q[2 * i] = 22u64;
        q[2 * i + 1] ^= ((30u64 % 6) / (((39i64 as u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        ((!(31u64)) / 8) & 0xffff
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
        for j in 0..n {
            if ((v[i * n + j]).wrapping_mul(k)) >= ((v[(i - 1) * n + j]).wrapping_mul(k)) { y[i * n + j] = (1.5f32 - (-(3.25f32))) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + ((0.25e-3f64).abs().sqrt()).abs().sqrt();
        z[i] = (!(v[i * n + n / 2])) ^ v[i * n + 1];
        q[2 * i] = (((if ((-(0.25e-3f64))) < ((2.5e19f64 / (b + 3.5))) { 57u32 } else { 18u32 }) | (48u32).max(77u32)) as u64);
        q[2 * i + 1] ^= (76u64).max((if (((2.25f32 * 1e9) as u64)) < ((39u64 / ((37u64 & 7) + 1))) { 95u64 } else { 82u64 })) ^ x[i * n] as u64 ^ w[1] as u64;
        ((96u64 % 7) / ((44u64 & 7) + 1)) & 0xffff
    }
    pub fn p36(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 2u8..2u8 {
            if (((54u64 & 16u64) as f32)) <= (a) {
                let mut t2: u32 = 63u32;
            } else {
            }
        }
        let t3: i32 = ((!((if ((b - 2.5f64)) > ((3.25f64 / (b + 3.5))) { k } else { k }))) / 8);
        let t4: f32 = (a + ((-(3.5f32))).mul_add((x[i * n + n / 2]).abs().sqrt(), 0.25));
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if ((2.5f64 / (1.5e19f64 + 3.5))) == ((if ((63i32).wrapping_sub(56i32)) == ((43u8 as i32)) { b } else { b })) { continue; }
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
                t8[t9] = (!(98i64));
            }
            let t10 = t8[1];
            y[i * n + j] = ((t4).mul_add((if ((a / (a + 3.5))) <= ((t4 - t4)) { x[(i + 1) * n + j] } else { 1.125f32 }), 0.25)).abs().sqrt();
            s += ((d[i]).floor() * (-(b))) * 0.001;
        }
        for j in 2..=n - 1 {
            let t11: f64 = (((t5).min(t5) / (((if (((1.125f64 * 1e9) as u64)) < ((!(74u64))) { 72u32 } else { t5 }) & 7) + 1)) as f64);
            y[i * n + j] = (y[i * n + j] * 0.5).max((-((x[(i + 1) * n + j]).mul_add(x[i * n + j], 0.25))));
        }
        e[i] = s + d[i] * 0.5 + b;
        z[i] = ((((k) << (t3 & 7)) / 3)).wrapping_add(((v[(i - 1) * n + n / 2]).min(v[i * n + n / 2]) % (((if (k) < ((t3 % 2)) { k } else { t3 }) & 7) + 9))) ^ v[i * n + 1];
        q[2 * i] = 88u64;
        q[2 * i + 1] ^= (((i as u64) / ((32u64 & 7) + 1)) / ((((b * 1e9) as u64) & 7) + 1)) ^ x[i * n] as u64 ^ w[1] as u64;
        (((i as u64) | 34u64) ^ (if ((x[i * n + n / 2] / (a + 3.5))) == ((0.75e9f32 + a)) { 48u64 } else { (i as u64) })) & 0xffff
    }
    pub fn p37(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = ((((b).trunc() - (2.25e-3f64).abs().sqrt()) * 1e9) as i64);
        let t2: u64 = ((15u64) << (((((b * 1e9) as u64)) >> (((41u64) << (37u64 & 7)) & 7)) & 7));
        let t3: f64 = ((!((k).min(k))) as f64);
        let mut s = 0.0f64;
        for j in 2..n {
            y[i * n + j] = a;
            s += ((-(d[i])) * (t3 / (b + 3.5))) * 0.001;
        }
        for j in 2..=n - 1 {
            y[i * n + j] = ((a).mul_add(a, 0.25) / ((d[i] as f32) + 3.5));
        }
        e[i] = s + d[i] * 0.5 + ((-(t3))).mul_add((if ((a).floor()) > ((x[(i + 1) * n + n / 2] / (a + 3.5))) { t3 } else { t3 }), 0.25);
        z[i] = ((k % ((((k) >> (v[i * n + n / 2] & 7)) & 7) + 9)) & k) ^ v[i * n + 1];
        q[2 * i] = t2;
        q[2 * i + 1] ^= t2 ^ x[i * n] as u64 ^ w[1] as u64;
        ((2.0f32).floor() as u64) & 0xffff
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
                t3[t4] = (((t1 * 1e9) as u8)).min(((16u8) >> (17u8 & 7)));
            }
            let t5 = t3[3];
        } else {
            let t6: u32 = ((!((v[i * n + n / 2] as u32))) / ((((26u32 / ((37u32 & 7) + 1))).max(34u32) & 7) + 1));
            let mut t7 = [((if ((93u32 % 6)) <= (((45u32) >> (t6 & 7))) { 53i64 } else { 65i64 }) % ((18i64 & 7) + 9)); 4];
            for t8 in 0..4usize {
                t7[t8] = (((94i64) << (15i64 & 7)) % (((2i64 % ((45i64 & 7) + 9)) & 7) + 9));
            }
            let t9 = t7[1];
        }
        let mut s = 0.0f64;
        for j in 0..n {
            y[i * n + j] = (((a).min(a) * (t1).ceil())).mul_add(((x[(i + 1) * n + j] / (a + 3.5)) + (a).max(t1)), 0.25);
            s += ((1.125f64 * b)).abs().sqrt() * 0.001;
        }
        for j in 2..=n - 1 {
            y[i * n + j] = (y[i * n + j] * 0.5).max(((x[i * n + n - 1 - j]).abs() - (20u64 as f32)));
        }
        e[i] = s + d[i] * 0.5 + b;
        if ((38i32) >= (((x[(i + 1) * n + n / 2] * 1e9) as i32)) || ((!(26i64))) >= (77i64)) { return v[i * n] as u64 & 255; }
        z[i] = ((((k) << (v[i * n + n / 2] & 7)) % ((v[i * n + n / 2] & 7) + 9))).wrapping_sub(k) ^ v[i * n + 1];
        q[2 * i] = ((((i as u64)) << ((i as u64) & 7))).wrapping_mul(((28u64 / (((i as u64) & 7) + 1)) as u64));
        q[2 * i + 1] ^= (((a * 1e9) as u64) / 6) ^ x[i * n] as u64 ^ w[1] as u64;
        ((x[i * n + n / 2] * 1e9) as u64) & 0xffff
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
                let mut t9: f32 = (t5 - (t5 * (x[(i + 1) * n + n / 2] / (1.5f32 + 3.5))));
            } else {
                let t10: i64 = ((((10i64) >> (15i64 & 7))).min((!(19i64))) % (((if (((t5 * 1e9) as u32)) == ((!(13u32))) { ((76i64) << (30i64 & 7)) } else { 47i64 }) & 7) + 9));
            }
        }
        let mut t11 = [((x[i * n + n / 2]).mul_add(t5, 0.25) as i32); 4];
        for t12 in 0..4usize {
            t11[t12] = (k).min(k);
        }
        let t13 = t11[3];
        for j in 2..n {
            for t14 in 2u8..=3u8 {
                let mut t15: u64 = (((!((i as u64)))).wrapping_sub((85u64).min(62u64)) / (((((b / (b + 3.5)) * 1e9) as u64) & 7) + 1));
                let mut t16: i32 = (((b / (1.0f64 + 3.5)) + (-(b))) as i32);
            }
            for t17 in 2u8..2u8 {
                let t18: i32 = ((((((t5 * 1e9) as i32)) >> ((k ^ k) & 7))) >> (((k) << (k & 7)) & 7));
            }
            if ((((a * 1e9) as i32) / 5)) <= (k) {
                let t19: u8 = (((t5).abs().sqrt() as u8) & ((77u8) >> (((a * 1e9) as u8) & 7)));
            } else {
            }
            y[i * n + j] = x[(i + 1) * n + j];
        }
        for j in (1..n).rev() {
            if (((t5 * 2.125f32)).ceil()) >= ((if (((k) >> (t13 & 7))) <= (t13) { 3.25e-3f32 } else { a })) {
                let t20: i64 = 94i64;
            } else {
                let mut t21: f32 = (((a).min(x[(i + 1) * n + j]) + (x[i * n + j]).mul_add(t5, 0.25)) + ((x[(i + 1) * n + j]).abs().sqrt()).abs().sqrt());
                let mut t22: u64 = ((((1.25e-3f64 + 0.0f64) + (3.5e19f64 + b)) * 1e9) as u64);
            }
            y[i * n + j] = x[i * n + j];
        }
        e[i] = d[i] * 0.5 + (b * (b - b));
        if (((40i64).max(46i64)).min((93i64).wrapping_sub(29i64))) != (3i64) && (t1) < ((t13 as u32)) { return v[i * n] as u64 & 255; }
        z[i] = (((if ((t5).abs().sqrt()) > (x[i * n + n / 2]) { k } else { v[(i - 1) * n + n / 2] })).wrapping_sub((v[i * n + n / 2] & 92i32)) % ((3i32 & 7) + 9)) ^ v[i * n + 1];
        q[2 * i] = (!((i as u64)));
        q[2 * i + 1] ^= (98u64 & (35u64 & 61u64)) ^ x[i * n] as u64 ^ w[1] as u64;
        (t5 as u64) & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 10] = [
    (plain::p30, crate::of_slices!(p30), p30::kernel),
    (plain::p31, crate::of_slices!(p31), p31::kernel),
    (plain::p32, crate::of_slices!(p32), p32::kernel),
    (plain::p33, crate::of_slices!(p33), p33::kernel),
    (plain::p34, crate::of_slices!(p34), p34::kernel),
    (plain::p35, crate::of_slices!(p35), p35::kernel),
    (plain::p36, crate::of_slices!(p36), p36::kernel),
    (plain::p37, crate::of_slices!(p37), p37::kernel),
    (plain::p38, crate::of_slices!(p38), p38::kernel),
    (plain::p39, crate::of_slices!(p39), p39::kernel),
];
