// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_with_whole! {
    pub fn p12(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: f64 = (-(0.125f64));
        let t2: f64 = match (74u32 / (((34u32 / ((26u32 & 7) + 1)) & 7) + 1)) % 6 {
            0 => ((t1).mul_add(1.25e-3f64, 0.25) * (t1).abs()),
            1 | 4 => ((t1 * t1)).abs().sqrt(),
            2..=3 => ((1.5e19f64 - b) + (if ((t1 / (b + 3.5))) < ((b / (b + 3.5))) { b } else { 1.5f64 })),
            _ => {
                let mut t3: f64 = t1;
                ((t3 / (b + 3.5))).abs().sqrt()
            }
        };
        let mut t4: f32 = ((if ((b + d[i])) < ((t2).mul_add(t1, 0.25)) { (x[(i + 1) * n + n / 2] + a) } else { (if ((76i64).wrapping_add(14i64)) > ((76i64 | 14i64)) { a } else { a }) })).mul_add(a, 0.25);
        t4 += t4;
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t5 = 0u32;
            while t5 < 4 {
                t5 += 1;
                if (((i as u64) & 26u64)) >= ((67u64 % 9)) { break; }
                let mut t6: f64 = t2;
            }
            y[i * n + j] = (-(((x[i * n + n - 1 - j]).abs().sqrt()).abs()));
            s += ((d[i] - b)).min((0.75e9f64 * b)) * 0.001;
        }
        e[i] = s + d[i] * 0.5 + t2;
        z[((3i64 as u8) & 15) as usize] = z[((3i64 as u8) & 15) as usize].max((!((!(v[i * n + n / 2])))));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        15u64 & 0xffff
    }
    pub fn p13(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        z[((!((!(22u8)))) & 15) as usize] = z[((!((!(22u8)))) & 15) as usize].max((((k) << (k & 7)) | (v[i * n + n / 2]).min(v[i * n + n / 2])));
        if (((a).mul_add(x[(i + 1) * n + n / 2], 0.25) - (x[i * n + n / 2] / (a + 3.5)))) == ((x[(i + 1) * n + n / 2]).max(a)) {
            let mut t1 = 0u32;
            while t1 < 3 {
                t1 += 1;
                if (b) <= ((if (b) <= ((b).max(b)) { b } else { 3.5f64 })) { break; }
                z[((if ((84i64 % ((49i64 & 7) + 9))) != ((11i64 % ((25i64 & 7) + 9))) { (if (47u8) < ((88u8 % 8)) { 38u8 } else { w[3] }) } else { (!(5u8)) }) & 15) as usize] = z[((if ((84i64 % ((49i64 & 7) + 9))) != ((11i64 % ((25i64 & 7) + 9))) { (if (47u8) < ((88u8 % 8)) { 38u8 } else { w[3] }) } else { (!(5u8)) }) & 15) as usize].max((!((k & v[i * n + n / 2]))));
            }
        } else {
            let mut t2 = [93u64; 4];
            for t3 in 0..4usize {
                t2[t3] = ((80u64) << ((94u64).wrapping_sub(4u64) & 7));
            }
            let t4 = t2[1];
            if (((39i64).wrapping_sub(90i64) as u32)) != ((!(13u32))) && (((2.0f64 * 1e9) as u8)) < ((15u8).min(18u8)) {
                let t5: u32 = (if ((37i32).wrapping_mul(v[(i - 1) * n + n / 2])) == ((t4 as i32)) { (((3.0f64).max(b) * 1e9) as u32) } else { (!(41u32)) });
                z[((16u8 / ((12u8 & 7) + 1)) & 15) as usize] = z[((16u8 / ((12u8 & 7) + 1)) & 15) as usize].max(((v[(i - 1) * n + n / 2] % ((k & 7) + 9)) % 8));
            } else {
                let mut t6: i32 = (79i32).min(((k / 6)).wrapping_mul((k).min(v[(i - 1) * n + n / 2])));
            }
        }
        let mut s = 0.0f64;
        for j in 2..n {
            let mut t7 = 0u32;
            while t7 < 3 {
                t7 += 1;
                if ((94u8 % 6)) != ((3u8).min(w[j])) { continue; }
            }
            z[((!((56u8).wrapping_add(w[j]))) & 15) as usize] = z[((!((56u8).wrapping_add(w[j]))) & 15) as usize].max(v[i * n + n - 1 - j]);
            let t8: f64 = match (if ((!(7i64))) == ((!(25i64))) { ((b * 1e9) as u32) } else { (b as u32) }) % 6 {
                0 => ((b / (b + 3.5))).ceil(),
                1 | 4 => b,
                2..=3 => ((b).abs().sqrt()).min((b).mul_add(b, 0.25)),
                _ => {
                    let mut t9: f64 = (-(((1.125f64 * b) * (b).abs())));
                    ((t9).min(t9)).abs().sqrt()
                }
            };
            y[i * n + j] = a;
            s += t8 * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((b / (b + 3.5))).mul_add((b + b), 0.25);
        z[(81u8 & 15) as usize] = z[(81u8 & 15) as usize].max(((v[(i - 1) * n + n / 2] / 7)).min(((k) << (42i32 & 7))));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (i as u64) & 0xffff
    }
    pub fn p14(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        for t1 in 1i32..=5i32 {
            if (((if (b) >= ((3.5f64).max(b)) { a } else { x[i * n + n / 2] })).min((a + a))) == ((b as f32)) {
            } else {
            }
        }
        for j in 0..n {
            y[i * n + j] = ((a).floor()).floor();
        }
        for j in (1..n).rev() {
            let mut t2 = [(((if ((33i64).min(35i64)) < (53i64) { 3.0f64 } else { b }) * 1e9) as u64); 4];
            for t3 in 0..4usize {
                t2[t3] = (if ((w[j]).min(w[j])) < ((35u8 / 1)) { ((i as u64) % 8) } else { 80u64 });
            }
            let t4 = t2[3];
            y[i * n + j] = ((a / (a + 3.5))).min(a);
        }
        e[i] = d[i] * 0.5 + ((b / (d[i] + 3.5))).trunc();
        if (((x[i * n + n / 2] * 1e9) as i32)) < ((v[i * n + n / 2] % ((v[(i - 1) * n + n / 2] & 7) + 9))) { return v[i * n] as u64 & 255; }
        q[(((45u32 % 1) / (((63u32).wrapping_sub(94u32) & 7) + 1)) % 32) as usize] += (i as u64) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (if ((66i64).wrapping_mul(87i64)) >= (23i64) { (46u64 as u64) } else { (76u32 as u64) }) & 0xffff
    }
    pub fn p15(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        z[(((if ((a * a)) > ((a).abs().sqrt()) { a } else { a }) as u8) & 15) as usize] = z[(((if ((a * a)) > ((a).abs().sqrt()) { a } else { a }) as u8) & 15) as usize].max((if (17u32) < (33u32) { (!(k)) } else { (k).max(k) }));
        q[(((92u32 / ((78u32 & 7) + 1))).min(26u32) % 32) as usize] += (((52u64 % 9)) << ((!((i as u64))) & 7)) & 255;
        let t1: i64 = (81i64 % 7);
        z[(((b * 1e9) as u8) & 15) as usize] = z[(((b * 1e9) as u8) & 15) as usize].max((((k) << (k & 7))).wrapping_sub((!(k))));
        for t2 in 1i32..3i32 {
        }
        for j in 0..n {
            y[i * n + j] = (if ((5u64 ^ (i as u64))) != (((i as u64)).min(35u64)) { x[(i + 1) * n + j] } else { ((0.25e-3f32 + x[i * n + j])).abs().sqrt() });
        }
        e[i] = d[i] * 0.5 + (((i as u64)).wrapping_sub(68u64) as f64);
        if (t1) == ((t1 & 37i64)) && ((k % 5)) >= ((k).min(k)) { return v[i * n] as u64 & 255; }
        z[(((w[3]) >> ((if ((t1).wrapping_mul(29i64)) < (t1) { w[3] } else { 38u8 }) & 7)) & 15) as usize] = z[(((w[3]) >> ((if ((t1).wrapping_mul(29i64)) < (t1) { w[3] } else { 38u8 }) & 7)) & 15) as usize].max(k);
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (((i as u64) / 4) / (((a as u64) & 7) + 1)) & 0xffff
    }
    pub fn p16(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u64 = (((if (((w[3]) >> (21u8 & 7))) == ((if (k) >= (v[i * n + n / 2]) { w[3] } else { 13u8 })) { 82u64 } else { 50u64 })).wrapping_sub((((i as u64)) >> (33u64 & 7)))).wrapping_mul((if ((7u64 & 66u64)) == (((b * 1e9) as u64)) { (i as u64) } else { (72u64 & (i as u64)) }));
        for t2 in 0u8..=2u8 {
            let t3: i32 = ((((k % ((k & 7) + 9))) >> (k & 7))).wrapping_add((((62u32 as i32)) << ((!(52i32)) & 7)));
        }
        let t4: u64 = match ((!(k)) as u32) % 6 {
            0 => t1,
            1 | 4 => ((if ((k).max(k)) == (((k) << (k & 7))) { w[3] } else { 62u8 }) as u64),
            2..=3 => ((t1 / (((i as u64) & 7) + 1))).min((t1 as u64)),
            _ => {
                let t5: u8 = (((13u8 / ((w[3] & 7) + 1)) ^ (k as u8))).min((((a).max(a) * 1e9) as u8));
                ((46i64).min(32i64) as u64)
            }
        };
        let mut t6 = 0u32;
        while t6 < 3 {
            t6 += 1;
            if ((b).trunc()) >= ((3.25f64 - b)) { break; }
            if ((k).wrapping_sub((if ((13u32 / 7)) >= ((if ((7u64).max(t4)) >= ((t4 / ((22u64 & 7) + 1))) { 56u32 } else { 95u32 })) { k } else { k }))) != ((!(k))) && ((d[i] * b)) <= ((d[i] + b)) {
                let t7: f32 = (((x[(i + 1) * n + n / 2]).mul_add(3.0f32, 0.25)).min((2.25e-3f32).abs().sqrt()) * ((a / (a + 3.5))).abs().sqrt());
                let t8: u32 = (((39u32 / ((1u32 & 7) + 1))).max((a as u32)) / 8);
            } else {
                let mut t9: u64 = ((((!(t1)) / 4)) << ((((t1).wrapping_mul(t4)) >> ((t4 | t1) & 7)) & 7));
            }
            q[((((-(0.75e9f64)) * 1e9) as u32) % 32) as usize] += ((i as u64) | t4) & 255;
        }
        let mut s = 0.0f64;
        for j in 1..n - 1 {
            y[i * n + j] = x[i * n + j];
            s += ((b / (1.5e19f64 + 3.5))).ceil() * 0.001;
        }
        for j in (1..n).rev() {
            if ((k & 51i32)) >= ((75i32 / 7)) { y[i * n + j] = (if (((a * 1e9) as i32)) < (k) { a } else { (-(a)) }) - y[i * n + j]; }
        }
        e[i] = s + d[i] * 0.5 + ((b * 2.25f64) - (0.75e9f64).ceil());
        z[(w[3] & 15) as usize] = z[(w[3] & 15) as usize].max((!(v[(i - 1) * n + n / 2])));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (28u64 % 8) & 0xffff
    }
    pub fn p17(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        q[((70u32).max((!(14u32))) % 32) as usize] += ((if (((0.125f64 * 1e9) as i64)) <= ((66i64 / 6)) { 70u64 } else { 21u64 }) / ((((i as u64) & 47u64) & 7) + 1)) & 255;
        q[((((44u32) >> (7u32 & 7)) / (((30u32).max(41u32) & 7) + 1)) % 32) as usize] += (((i as u64)).wrapping_mul((i as u64)) / (((w[3] as u64) & 7) + 1)) & 255;
        z[(0u8 & 15) as usize] = z[(0u8 & 15) as usize].max((((k) << (k & 7))).wrapping_mul(((a * 1e9) as i32)));
        for j in 2..n {
            y[i * n + j] = (b as f32);
        }
        e[i] = d[i] * 0.5 + (b + (1.0f64).min(b));
        q[((!(41u32)) % 32) as usize] += (i as u64) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (((a * 1e9) as i64) as u64) & 0xffff
    }
    pub fn p18(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i64 = match ((!(48u32))).wrapping_sub(((a * 1e9) as u32)) % 6 {
            0 => ((if ((13u8).wrapping_mul(83u8)) < (17u8) { 49i64 } else { 93i64 })).max((!(39i64))),
            1 | 4 => (((b / (b + 3.5)) * 1e9) as i64),
            2..=3 => 90i64,
            _ => {
                let t2: f64 = (b).mul_add((if ((14i64).max(5i64)) == (((a * 1e9) as i64)) { (79i64 as f64) } else { (15i64 as f64) }), 0.25);
                (((21i64 % 4)) << ((73u32 as i64) & 7))
            }
        };
        let mut t3: u32 = ((!((68u32 % 2))) / ((((16u32 / ((10u32 & 7) + 1))).wrapping_mul((if ((d[i] as u32)) <= (44u32) { 61u32 } else { 12u32 })) & 7) + 1));
        t3 = ((96u32 / ((94u32 & 7) + 1)) % 8);
        let t4: f32 = match ((4u32) << (((t3) >> (14u32 & 7)) & 7)) % 6 {
            0 => ((a).min(a)).trunc(),
            1 | 4 => (a).abs().sqrt(),
            2..=3 => ((a).mul_add(x[i * n + n / 2], 0.25) * (a).max(a)),
            _ => {
                z[((!((t3 as u8))) & 15) as usize] = z[((!((t3 as u8))) & 15) as usize].max(k);
                ((!(t3)) as f32)
            }
        };
        for j in 2..n {
            let t5: u32 = match (26u32 ^ (v[(i - 1) * n + j] as u32)) % 6 {
                0 => t3,
                1 | 4 => (if ((0.25e-3f32 - a)) <= ((1.25f64 as f32)) { (t3).wrapping_mul(50u32) } else { (97u32 | 35u32) }),
                2..=3 => (if ((w[j] | w[j])) == ((w[j] & 4u8)) { (t3 | t3) } else { (if (79u8) > ((83u8).wrapping_mul(37u8)) { t3 } else { 50u32 }) }),
                _ => {
                    (((t3) << (t3 & 7))).max(79u32)
                }
            };
            y[i * n + j] = a;
        }
        for j in (1..n).rev() {
            let mut t6 = [(if ((15u32).wrapping_sub(t3)) < ((32u32 | t3)) { (!(w[j])) } else { ((a * 1e9) as u8) }); 4];
            for t7 in 0..4usize {
                t6[t7] = ((!(w[j]))).wrapping_mul((94u8).wrapping_mul(26u8));
            }
            let t8 = t6[0];
            let t9: u64 = match (t1 as u32) % 6 {
                0 => (20u64 / 5),
                1 | 4 => (!(((6u64) << (88u64 & 7)))),
                2..=3 => (((b).trunc() * 1e9) as u64),
                _ => {
                    z[(t8 & 15) as usize] = z[(t8 & 15) as usize].max((!(((t4 * 1e9) as i32))));
                    (if (a) < ((3.25e-3f32 * t4)) { ((i as u64) ^ 7u64) } else { (92u64 / 8) })
                }
            };
            y[i * n + j] = (y[i * n + j] * 0.5).max((if ((t9 as u32)) == ((if ((15u8 / ((t8 & 7) + 1))) <= ((t8).wrapping_add(78u8)) { t3 } else { t3 })) { (3.5e19f32).floor() } else { (t4 + t4) }));
        }
        e[i] = d[i] * 0.5 + ((b).abs().sqrt() - (b).mul_add(b, 0.25));
        q[(((t3).wrapping_sub(t3)).max(((85u32) >> (17u32 & 7))) % 32) as usize] += (((2.0f64).abs().sqrt() * 1e9) as u64) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (!((!(97u64)))) & 0xffff
    }
    pub fn p19(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        q[(11u32 % 32) as usize] += (96u64 / 5) & 255;
        let mut t1: f32 = (if (((3.0f64 * 1e9) as i32)) >= ((k).max(v[i * n + n / 2])) { (x[(i + 1) * n + n / 2]).max((2.125f32).abs().sqrt()) } else { ((a).trunc() + (x[(i + 1) * n + n / 2]).abs().sqrt()) });
        let mut t2 = [(((b / (b + 3.5)) * 1e9) as i64); 4];
        for t3 in 0..4usize {
            t2[t3] = (if ((0u32 / ((4u32 & 7) + 1))) >= ((36u32 & 7u32)) { 58i64 } else { 25i64 });
        }
        let t4 = t2[3];
        let t5: u8 = (!(((b * 1e9) as u8)));
        let mut t6: i32 = (((((k).wrapping_sub(k)) << (((b * 1e9) as i32) & 7))) >> (88i32 & 7));
        let mut s = 0.0f64;
        for j in 0..n {
            let t7: u32 = ((((15u32) >> (59u32 & 7))) >> (69u32 & 7));
            y[i * n + j] = (((if (((1.5e19f64 * 1e9) as u32)) >= ((t7).wrapping_add(t7)) { x[i * n + n - 1 - j] } else { a }) * (t1).abs().sqrt())).abs();
            s += ((-(3.5f64))).abs().sqrt() * 0.001;
        }
        e[i] = s + d[i] * 0.5 + ((1.25f64).ceil()).abs().sqrt();
        z[(t5 & 15) as usize] = z[(t5 & 15) as usize].max((((if ((t5).min(w[3])) > ((w[3]).wrapping_mul(t5)) { d[i] } else { 3.25f64 }) * 1e9) as i32));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        ((1.0f64 * b) as u64) & 0xffff
    }
    pub fn p20(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let mut t1 = [((((a * 1e9) as u64)) >> ((if ((i as u64)) <= ((13u64 % 9)) { 2u64 } else { (i as u64) }) & 7)); 4];
        for t2 in 0..4usize {
            t1[t2] = (!((50u64 ^ (i as u64))));
        }
        let t3 = t1[0];
        q[(9u32 % 32) as usize] += (((95u64) >> ((i as u64) & 7)) / (((!((i as u64))) & 7) + 1)) & 255;
        let mut s = 0.0f64;
        for j in 0..n {
            if (((((73i64) << (11i64 & 7)) | (19i64 % ((80i64 & 7) + 9)))) == ((0i64 % ((5i64 & 7) + 9))) || ((b as u64)) < ((t3 | t3))) {
                let mut t4: f32 = ((-((a).floor())) - a);
                let mut t5: i64 = ((if ((b / (b + 3.5))) != (b) { (a / (t4 + 3.5)) } else { (1.75e9f32 as f32) }) as i64);
            } else {
                let mut t6: u64 = (if ((a + x[i * n + j])) < (a) { (if ((b).abs().sqrt()) < ((b - 2.25e-3f64)) { ((b * 1e9) as u64) } else { (60u32 as u64) }) } else { t3 });
                q[(((77u32).wrapping_add(36u32) & (t3 as u32)) % 32) as usize] += ((t6 ^ 41u64)).wrapping_add((t3 % 3)) & 255;
            }
            z[(((97u8) >> ((29u8 & 53u8) & 7)) & 15) as usize] = z[(((97u8) >> ((29u8 & 53u8) & 7)) & 15) as usize].max(((k % 9) % 2));
            y[i * n + j] = (-(((a + a) as f32)));
            s += ((b).abs().sqrt()).min((1.25e-3f64 as f64)) * 0.001;
        }
        for j in 2..=n - 1 {
            let t7: i64 = ((if ((32u8 % 3)) < (w[j]) { (3i64 % 5) } else { (if (w[j]) <= ((w[j] & 89u8)) { 6i64 } else { 58i64 }) }) % ((99i64 & 7) + 9));
            y[i * n + j] = a;
        }
        e[i] = s + d[i] * 0.5 + (if ((!(k))) < (((b * 1e9) as i32)) { (33u8 as f64) } else { b });
        if (((if (16i64) != ((!(41i64))) { 74u64 } else { t3 }) / (((t3 / ((t3 & 7) + 1)) & 7) + 1))) > (((0.25e-3f64 * 1e9) as u64)) { return v[i * n] as u64 & 255; }
        z[((((91u8 % 3)) >> ((w[3] / 7) & 7)) & 15) as usize] = z[((((91u8 % 3)) >> ((w[3] / 7) & 7)) & 15) as usize].max((((a).mul_add(x[i * n + n / 2], 0.25) * 1e9) as i32));
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (!(((a * 1e9) as u64))) & 0xffff
    }
    pub fn p21(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: u32 = (((62u32 / ((40u32 & 7) + 1))).wrapping_add(18u32) / 4);
        for j in 0..n {
            if ((16i64) != (((50i64) << (28i64 & 7))) || ((if (32u8) != ((49u8 ^ 71u8)) { k } else { k })) >= (((x[i * n + j] * 1e9) as i32))) {
            } else {
                z[((40u32 as u8) & 15) as usize] = z[((40u32 as u8) & 15) as usize].max(((if (96u32) != ((t1 ^ t1)) { k } else { k })).wrapping_add((!(k))));
            }
            let mut t2 = 0u32;
            while t2 < 3 {
                t2 += 1;
                if (30u64) > ((66u64 / ((95u64 & 7) + 1))) { continue; }
                let mut t3: u64 = (!((((b / (b + 3.5)) * 1e9) as u64)));
                let t4: u32 = (t1 & (((b * 1e9) as u32) / ((77u32 & 7) + 1)));
            }
            y[i * n + j] = (((53i64 | 13i64)).min((2i64 | 97i64)) as f32);
        }
        for _ in 0..k as usize {
            for j in 2..=n - 1 {
                q[(t1 % 32) as usize] += ((i as u64)).max(((i as u64) % 2)) & 255;
                y[i * n + j] = (y[i * n + j] * 0.5).max(((x[i * n + n - 1 - j]).abs().sqrt() + (a).mul_add(a, 0.25)));
            }
        }
        e[i] = d[i] * 0.5 + ((d[i] / (b + 3.5))).min((b).min(b));
        q[(((t1 % 5)).wrapping_sub((!(0u32))) % 32) as usize] += ((i as u64) / ((((i as u64) ^ (i as u64)) & 7) + 1)) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        20u64 & 0xffff
    }
    pub fn p22(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        let t1: i32 = (!(k));
        let mut t2 = [((k).wrapping_mul(50i32)).max(k); 4];
        for t3 in 0..4usize {
            t2[t3] = (t1 & (v[i * n + n / 2] | 21i32));
        }
        let t4 = t2[3];
        let mut t5 = [((80u64 % 1) / (((((i as u64)) >> ((i as u64) & 7)) & 7) + 1)); 4];
        for t6 in 0..4usize {
            t5[t6] = (if (v[i * n + n / 2]) >= (v[i * n + n / 2]) { ((i as u64) % 4) } else { 82u64 });
        }
        let t7 = t5[3];
        let mut t8 = 0u32;
        while t8 < 3 {
            t8 += 1;
            if (67u32) > ((!(97u32))) { continue; }
            let mut t9: u32 = 52u32;
        }
        if (((t4 as i32) % ((v[(i - 1) * n + n / 2] & 7) + 9))) >= (((k) << (t4 & 7))) && ((t1).max(v[(i - 1) * n + n / 2])) != ((v[(i - 1) * n + n / 2]).min(t4)) {
            let t10: i32 = (if (x[i * n + n / 2]) >= ((-(x[i * n + n / 2]))) { ((89i32 % 8) % (((v[(i - 1) * n + n / 2] / 4) & 7) + 9)) } else { ((!(v[(i - 1) * n + n / 2]))).min((t1 & t1)) });
        } else {
            for t11 in 0usize..=4usize {
            }
        }
        for j in 0..n {
            if (((0.5f64 * 1e9) as u32)) < ((b as u32)) && ((t8 / ((t8 & 7) + 1))) != ((a as u32)) {
            } else {
            }
            let t12: u64 = match (if ((t1 as f32)) > ((a / (a + 3.5))) { (t4 as u32) } else { (86u32 & t8) }) % 6 {
                0 => ((t7 / 5) ^ (t7 / 8)),
                1 | 4 => (((a * 1e9) as u64) / (((b as u64) & 7) + 1)),
                2..=3 => t7,
                _ => {
                    let mut t13: u32 = t8;
                    (!((t7 % 4)))
                }
            };
            y[i * n + j] = (if (w[j]) == (((b * 1e9) as u8)) { ((a / (x[i * n + j] + 3.5)) + (-(a))) } else { a });
        }
        for j in (0..n).step_by(2) {
            if ((11u8 / ((84u8 & 7) + 1))) <= ((if ((x[i * n + j] + x[(i + 1) * n + j])) >= (a) { w[j] } else { 3u8 })) { y[i * n + j] = ((a).mul_add(a, 0.25) + (a).abs().sqrt()) - y[i * n + j]; }
        }
        e[i] = d[i] * 0.5 + (if ((if ((21u64).wrapping_add(t7)) > ((if ((!(t7))) != ((b as u64)) { t7 } else { 53u64 })) { t7 } else { 50u64 })) != (51u64) { (-(d[i])) } else { (b - 2.0f64) });
        if (((if ((if (a) <= ((-(a))) { 96u64 } else { 94u64 })) == ((t7 % 7)) { t8 } else { (if ((71u32 as f32)) <= ((a).abs().sqrt()) { t8 } else { 41u32 }) })) == (((t8) >> (t8 & 7))) || ((57i64 % ((41i64 & 7) + 9))) != ((43i64 % ((51i64 & 7) + 9)))) { return v[i * n] as u64 & 255; }
        q[(((!(35u32))).max(((b * 1e9) as u32)) % 32) as usize] += ((50u64) << ((t7).max(t7) & 7)) & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        ((t7 % 9) / 3) & 0xffff
    }
    pub fn p23(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {
        q[(((70u32 / 3)).min(8u32) % 32) as usize] += (i as u64) & 255;
        q[(((83u32 as u32) / 6) % 32) as usize] += (((3.5f64 / (d[i] + 3.5)) * 1e9) as u64) & 255;
        if ((!(((55u32) << (98u32 & 7))))) != (3u32) {
            for t1 in 1usize..4usize {
                z[(((19u8 / 4) / (((if ((89i64 / 1)) >= (((26i64) << (58i64 & 7))) { 61u8 } else { 83u8 }) & 7) + 1)) & 15) as usize] = z[(((19u8 / 4) / (((if ((89i64 / 1)) >= (((26i64) << (58i64 & 7))) { 61u8 } else { 83u8 }) & 7) + 1)) & 15) as usize].max(k);
                let mut t2: u8 = (((25u8).wrapping_sub(w[3]) / 7)).min(60u8);
            }
        } else {
            z[((((b * 1e9) as u8) % 4) & 15) as usize] = z[((((b * 1e9) as u8) % 4) & 15) as usize].max(((19i32 / 7) % 6));
            let t3: f32 = match 31u32 % 6 {
                0 => ((58u64 as f32) - x[(i + 1) * n + n / 2]),
                1 | 4 => ((a).mul_add(1.125f32, 0.25)).min((a).trunc()),
                2..=3 => ((a + a) / ((x[(i + 1) * n + n / 2]).min(x[i * n + n / 2]) + 3.5)),
                _ => {
                    z[((w[3] | (72u8 % 9)) & 15) as usize] = z[((w[3] | (72u8 % 9)) & 15) as usize].max(7i32);
                    ((a / (a + 3.5))).abs()
                }
            };
        }
        for j in 1..n - 1 {
            if ((!(((d[i] * 1e9) as u64)))) >= (11u64) {
                let t4: u32 = (((67i64 as u32) / 5) as u32);
            } else {
            }
            let mut t5: u8 = (!(81u8));
            y[i * n + j] = a;
        }
        for _ in 0..k as usize {
            for j in 2..=n - 1 {
                if (v[(i - 1) * n + j]) < ((if (((96u64) << (29u64 & 7))) > ((84u64 % 5)) { k } else { 81i32 })) { y[i * n + j] = (-(a)) - y[i * n + j]; }
            }
        }
        e[i] = d[i] * 0.5 + b;
        q[((((a * 1e9) as u32)).wrapping_sub((0u32 ^ 83u32)) % 32) as usize] += 18u64 & 255;
        q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;
        z[0] = z[0].max(i as i32);
        (if ((42u32).max(76u32)) < (((b * 1e9) as u32)) { ((73u64) >> ((i as u64) & 7)) } else { ((i as u64)).wrapping_add(13u64) }) & 0xffff
    }
}

/// All of them.
pub const ALL: [crate::random::Program; 12] = [
    (plain::p12, crate::of_slices!(p12), p12::kernel),
    (plain::p13, crate::of_slices!(p13), p13::kernel),
    (plain::p14, crate::of_slices!(p14), p14::kernel),
    (plain::p15, crate::of_slices!(p15), p15::kernel),
    (plain::p16, crate::of_slices!(p16), p16::kernel),
    (plain::p17, crate::of_slices!(p17), p17::kernel),
    (plain::p18, crate::of_slices!(p18), p18::kernel),
    (plain::p19, crate::of_slices!(p19), p19::kernel),
    (plain::p20, crate::of_slices!(p20), p20::kernel),
    (plain::p21, crate::of_slices!(p21), p21::kernel),
    (plain::p22, crate::of_slices!(p22), p22::kernel),
    (plain::p23, crate::of_slices!(p23), p23::kernel),
];
