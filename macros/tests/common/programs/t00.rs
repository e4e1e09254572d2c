// Made by `generate_typed.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_with_helpers! {
helpers {
    pub fn h0_0(t1: bool, t2: u64, t3: u64) -> u64 {
        let t4: u64 = (((if ((((if t1 { 1u32 } else { 6u32 }) as u8) / ((((if t1 { 1u32 } else { 6u32 }) as u8) & 7) + 1))) > (((((if t1 { 1u32 } else { 6u32 }) as f32) * 1e9) as u8)) { (0.125f64).max((t2 as f64)) } else { (if ((if ((((if t1 { 1u32 } else { 6u32 }) as f64)).abs().sqrt()) != (((t2 as f64)).mul_add(((if t1 { 1u32 } else { 6u32 }) as f64), 0.25)) { (t2 as u8) } else { ((if t1 { 1u32 } else { 6u32 }) as u8) })) < ((((if t1 { 1u32 } else { 6u32 }) as i32) as u8)) { ((if t1 { 1u32 } else { 6u32 }) as f64) } else { (t3 as f64) }) }) * 1e9) as u64);
        if ((((t2 as i64)) << (((-44i64) & ((if t1 { 1u32 } else { 6u32 }) as i64)) & 7))) < (((-24i64) % 3)) {
        } else {
            let t5: i32 = match (((!((if t1 { 1u32 } else { 6u32 })))) >> (((((if t1 { 1u32 } else { 6u32 }) as f32) * 1e9) as u32) & 7)) % 6 {
                0 => (!((((if t1 { 1u32 } else { 6u32 }) as i32) | (t2 as i32)))),
                1 | 4 => ((if t1 { 1u32 } else { 6u32 }) as i32),
                2..=3 => ((t3 as i32) / 3),
                _ => {
                    let mut t6: u32 = (!(((t4 as u8) as u32)));
                    ((!(47i32)) & (t6 as i32))
                }
            };
        }
        if (((((t3 as u8)) >> ((t2 as u8) & 7)) as f64)) > (((t3 as f64)).abs()) && (((if t1 { 1u32 } else { 6u32 }) & (if t1 { 1u32 } else { 6u32 }))) != ((t2 as u32)) { return ((if (((t4 as f64)).mul_add(((if t1 { 1u32 } else { 6u32 }) as f64), 0.25)) != ((t4 as f64)) { ((if t1 { 1u32 } else { 6u32 }) as u8) } else { (if ((t3 as i32)) == (((if t1 { 1u32 } else { 6u32 }) as i32)) { (t4 as u8) } else { (t3 as u8) }) }) as u64); }
        t2
    }
    pub fn h1_0(t1: u64, mut t2: u32, t3: &[i32; 4]) -> bool {
        let t4: u32 = match (if ((-(2.5f32))) >= (((t3[0] as f32) - 0.5f32)) { (3.25e-3f64 as u32) } else { (i64::MAX as u32) }) % 6 {
            0 => (((t2 / 7)) >> (((3.125f32 * 1e9) as u32) & 7)),
            1 | 4 => (t1 as u32),
            2..=3 => t2,
            _ => {
                let t5: u8 = (if ((!((t2 as i32)))) != ((!((t3[3] as i32)))) { ((t1 as u8)).max((((t2 as f32) * 1e9) as u8)) } else { (((if (3.0f64) >= ((2.125f64).min(0.5f64)) { (t1 as u8) } else { u8::MIN })) << (((t1 as u8)).wrapping_mul((t3[0] as u8)) & 7)) });
                ((t2).min(90u32) / (((!(t2)) & 7) + 1))
            }
        };
        t2 = t2;
        if ((-21i64)) < ((t1 as i64)) { return (u64::MIN) > ((t1 ^ t1)); }
        (((2.125f32 * 1e9) as i32)) < (t3[0]) && ((t2 as u32)) >= (t2)
    }
    pub fn h1_1(t1: bool) -> f64 {
        let mut t2 = 0u32;
        while t2 < 5 {
            t2 += 1;
            if (((1.5f64 * 1e9) as i64)) >= ((((if t1 { 1u64 } else { 6u64 }) as i64) ^ 24i64)) { break; }
            let t3: [i32; 4] = [(((if t1 { 1u64 } else { 6u64 }) as i32) % ((((if t1 { 1u64 } else { 6u64 }) as i32) & 7) + 9)), (!(((if t1 { 1u64 } else { 6u64 }) as i32))), (((if t1 { 1u64 } else { 6u64 }) as i32)).max(((if t1 { 1u64 } else { 6u64 }) as i32)), ((if t1 { 1u64 } else { 6u64 }) as i32)];
            let t4: bool = h1_0((if t1 { 1u64 } else { 6u64 }), ((if t1 { 1u64 } else { 6u64 }) as u32), &t3);
        }
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if ((((if t1 { 1u64 } else { 6u64 }) as f64)).trunc()) >= (((t2 as f64)).min(((if t1 { 1u64 } else { 6u64 }) as f64))) { continue; }
            let t6: u8 = (t2 as u8);
            let mut t7 = [((((t2 as i64)) << ((t6 as i64) & 7)) as f64); 4];
            for t8 in 0..4usize {
                t7[t8] = ((((if t1 { 1u64 } else { 6u64 }) as f64) - (t6 as f64)) + (i32::MAX as f64));
            }
            let t9 = t7[0];
        }
        1.75e9f64
    }
    pub fn h1_2(t1: u8, mut t2: i32, t3: f32) -> u8 {
        let mut t4 = 0u32;
        while t4 < 3 {
            t4 += 1;
            if ((!((t2 as i64)))) > (((-22i64)).wrapping_add(i64::MAX)) { continue; }
            t2 = (((t1 as f64) * 1e9) as i32);
            let mut t5: f32 = 1.5f32;
        }
        let mut t6 = [((0.75e9f64 - (t1 as f64)) as i32); 4];
        for t7 in 0..4usize {
            t6[t7] = (!((t4 as i32)));
        }
        let t8 = t6[0];
        for t9 in 0usize..2usize {
            let mut t10 = [(t3 as u64); 4];
            for t11 in 0..4usize {
                t10[t11] = (if ((t1 as f32)) <= ((t3 + t3)) { ((t1 as u64)).min((t3 as u64)) } else { ((t8 as u64) & 74u64) });
            }
            let t12 = t10[0];
            for t13 in 0u8..=5u8 {
                let mut t14: i64 = ((((36i64) << (98i64 & 7))).max(((t8 as i64) % ((i64::MAX & 7) + 9))) % (((if (((u32::MAX - 8) / ((34u32 & 7) + 1))) >= ((t4 ^ t4)) { (!((-6i64))) } else { (t8 as i64) }) & 7) + 9));
            }
        }
        if ((!((3.125f64 as u32)))) == ((t2 as u32)) { return (((0.5f64 + h1_1((true == (((((t2 as u64)) >> ((t1 as u64) & 7))) >= ((t1 as u64))))))).ceil() as u8); }
        ((if ((if ((t8 as u64)) >= (((t8 as u64) % 9)) { (t4 as i32) } else { t2 })) <= ((((t1 as f32) * 1e9) as i32)) { (t1 & t1) } else { t1 }) / ((((if ((if (((t1 as f64) as i32)) != (((-50i32)).min((t2 as i32))) { (t4 as u64) } else { (t2 as u64) })) > (98u64) { t1 } else { t1 }) ^ (t1 & (t1 as u8))) & 7) + 1))
    }
    pub fn h2_0(t1: i32, t2: f32, t3: u32, t4: usize) -> i32 {
        (((((t3 as i64) as i32)) << ((t1 | t1) & 7))).min(t1)
    }
    pub fn h2_1(mut t1: f32, t2: f64) -> u8 {
        t1 *= ((if ((t2 as i64)) <= ((((t1 as i64)) << ((t2 as i64) & 7))) { t1 } else { (t1 as f32) }) / (((t2 as u32) as f32) + 3.5));
        if (((t2 as i32)) == (((t2 as i32) / 4)) || ((!((t2 as i64)))) >= (((t1 as i64) | (t2 as i64)))) {
            let t3: i32 = h2_0(((3i32 ^ h2_0((t1 as i32), (t1 as f32), (t1 as u32), ((t2 as u32) as usize))) ^ ((t2 as i32)).wrapping_sub((t1 as i32))), 3.75e9f32, ((((t1 as f32) * 1e9) as u32) / (((t2 as u32) & 7) + 1)), (((!((t2 as u32))) % 3) as usize));
            t1 = ((-(t1)) + ((t3 as f32)).abs().sqrt());
        } else {
            let mut t4 = 0u32;
            while t4 < 5 {
                t4 += 1;
                if ((t1 as u8)) > (((t1 as u8)).wrapping_mul(48u8)) { break; }
                let t5: i32 = h2_0(((t1 as i32) % (((t2 as i32) & 7) + 9)), (-((0.0f32 / (t1 + 3.5)))), ((t2).abs().sqrt() as u32), (((!((t1 as u32))) & (if (t2) == ((t2 / ((t1 as f64) + 3.5))) { (t2 as u32) } else { (u32::MAX - 48) })) as usize));
                t1 = (t1).ceil();
            }
        }
        if ((!((!((t1 as u64)))))) > ((((t1 as u64)) << ((t1 as u64) & 7))) {
            t1 *= t1;
        } else {
            if (((!((t1 as u8))) / (((t2 as u8) & 7) + 1))) < ((!((t2 as u8)))) {
                t1 *= (t2 as f32);
            } else {
                let t6: i32 = h2_0((93i32).max(((t1 as i32)).max(3i32)), ((t1).abs().sqrt()).mul_add(1.125f32, 0.25), (((if (((t1 as i64)).wrapping_sub((t1 as i64))) > ((!((t2 as i64)))) { (t2 as f32) } else { (t1 as f32) }) * 1e9) as u32), (((t1 as u32)).min(80u32) as usize));
            }
            let t7: i32 = h2_0((((3.0f64 * 1e9) as i32) / 4), t1, ((t1 as u32) / (((if ((!(i64::MIN))) == ((if ((14i32 | (t2 as i32))) <= (((t1 * 1e9) as i32)) { (t2 as i64) } else { (t2 as i64) })) { u32::MAX } else { (t1 as u32) }) & 7) + 1)), ((!(((t2 as u32) ^ (t1 as u32)))) as usize));
        }
        if (((t2 as u8) ^ (!((t2 as u8))))) <= ((t1 as u8)) && (((t2 as u64) ^ (t2 as u64))) < ((!((t1 as u64)))) { return ((!(((t2 as u8) % 4))) / 9); }
        (if ((t1 as i64)) < ((72u8 as i64)) { (t2 as u8) } else { (((98u32) << ((t1 as u32) & 7)) as u8) })
    }
    pub fn h3_0(t1: u8, t2: usize, t3: u32) -> f64 {
        for t4 in 0u8..2u8 {
            if (((u32::MIN).wrapping_sub(t3)).min((((t1 as f64) * 1e9) as u32))) >= (t3) {
                let t5: f32 = (((3.25e-3f32).abs().sqrt() + ((t3 as f32)).min((t1 as f32)))).abs().sqrt();
            } else {
                let mut t6: i64 = ((!(((t2 as i64)).max((t2 as i64))))).min((t2 as i64));
                t6 = ((t2 as i64)).min(((t2 as i64) & t6));
            }
        }
        let mut t7: i32 = (((((t3 as f32) * ((t2 as i64) as f32)) * 1e9) as i32) % (((((((t2 as i64) as f32) * 1e9) as i32) % ((((t3 as i32)).max(((t2 as i64) as i32)) & 7) + 9)) & 7) + 9));
        t7 ^= ((!(t7))).wrapping_mul(98i32);
        (((t2 as i64) as f64)).abs().sqrt()
    }
    pub fn h3_1(t1: usize, t2: f64, mut t3: f64, mut t4: f32) -> f64 {
        let mut t5: u8 = ((!(((t2 as u8) / 5)))).max(((((t1 as i32) as u8)).wrapping_add(((t1 as i32) as u8)) / ((((t2 as u8)).min((t4 as u8)) & 7) + 1)));
        let mut t6 = [(((99u8 as i32)) << (((t1 as i32) & (t1 as i32)) & 7)); 4];
        for t7 in 0..4usize {
            t6[t7] = (t1 as i32);
        }
        let t8 = t6[1];
        if (((t2 + t2)).max(t3)) < (t2) { return (-(t3)); }
        ((((t4 as u64)).wrapping_mul((t8 as u64)) as f64)).mul_add((((t5 as f64)).min(t2)).max((t3).mul_add((t2 as f64), 0.25)), 0.25)
    }
    pub fn h4_0(mut t1: i32) -> f32 {
        for t2 in 2i32..4i32 {
            for t3 in 0usize..=4usize {
                let t4: i64 = (((if ((3.25e-3f32).abs().sqrt()) < ((-((t1 as f32)))) { (t2 as i64) } else { (t1 as i64) }) / 2) ^ 52i64);
            }
            let mut t5: u64 = (t2 as u64);
        }
        (((if ((t1 as f32)) <= ((2.25e-3f32).abs().sqrt()) { (t1 as f32) } else { (t1 as f32) })).floor()).max(((-(1.25e-3f32)) / ((-(3.0f32)) + 3.5)))
    }
    pub fn h5_0(t1: u32, t2: i64, mut t3: i32, t4: i64) -> bool {
        if (((!((t4 as u8))) as u64)) != (((84u64) << ((t2 as u64) & 7))) {
            let mut t5: f64 = ((if ((0.125f32).floor()) < ((2.125f32 * (t3 as f32))) { (t3 as f32) } else { ((t4 as f32) / ((t2 as f32) + 3.5)) }) as f64);
            t3 = (!((t3).wrapping_mul(91i32)));
        } else {
            t3 = ((t3).wrapping_sub(t3)).max((t3 % ((t3 & 7) + 9)));
        }
        for t6 in 1u8..=5u8 {
            let mut t7: i32 = (((((t3 as u32) & t1) as i32)) >> ((if (((t2 as u32)).max(t1)) >= (t1) { ((t6 as u8) as i32) } else { (t3).max(t3) }) & 7));
            let t8: i64 = ((t2 / 8)).min(t2);
        }
        t3 = ((((t2 as f64) * 1e9) as i32) / 1);
        (t1) < (((t3 as f32) as u32)) && (((t3 as u64) % 9)) != ((((t3 as f32) * 1e9) as u64))
    }
    pub fn h6_0(mut t1: f64, t2: &[u8; 4], t3: bool) -> f64 {
        let t4: u64 = (((if ((if ((t1 as u32)) <= ((if (((t2[3] as u64) & ((if t3 { 1i32 } else { 6i32 }) as u64))) == ((if ((((t2[0] as u32)) >> (u32::MAX & 7))) < (((((if t3 { 1i32 } else { 6i32 }) as f64) * 1e9) as u32)) { 67u64 } else { 79u64 })) { (t1 as u32) } else { ((if t3 { 1i32 } else { 6i32 }) as u32) })) { (t2[0] as i64) } else { ((if t3 { 1i32 } else { 6i32 }) as i64) })) != ((t2[0] as i64)) { (((u64::MAX - 95)) >> (((if t3 { 1i32 } else { 6i32 }) as u64) & 7)) } else { ((t1 as i64) as u64) })) >> (((if (((t1 * 1e9) as i32)) < ((if t3 { 1i32 } else { 6i32 })) { ((if t3 { 1i32 } else { 6i32 }) as u32) } else { ((if t3 { 1i32 } else { 6i32 }) as u32) }) as u64) & 7));
        for t5 in 0usize..=2usize {
            let t6: i32 = match ((if (((t1 as u8) / 7)) > (((t2[0] as u8) / ((t2[3] & 7) + 1))) { (t2[3] as u32) } else { (t2[3] as u32) }) / ((((t4 as f32) as u32) & 7) + 1)) % 6 {
                0 => (!(((if t3 { 1i32 } else { 6i32 })).wrapping_add((if t3 { 1i32 } else { 6i32 })))),
                1 | 4 => ((-29i32)).wrapping_add((!(((if t3 { 1i32 } else { 6i32 }) as i32)))),
                2..=3 => (if ((t2[0] as f32)) == ((t2[0] as f32)) { (((t4 as f64) * 1e9) as i32) } else { ((if t3 { 1i32 } else { 6i32 })).wrapping_add((if t3 { 1i32 } else { 6i32 })) }),
                _ => {
                    t1 *= ((t1).floor() - (t1 - t1));
                    (!((((t1 as i32)) >> ((if t3 { 1i32 } else { 6i32 }) & 7))))
                }
            };
        }
        for t7 in 2usize..4usize {
            let mut t8: f32 = (t4 as f32);
            if (((t8 as u8) / 4)) <= (t2[3]) {
                t8 += ((if ((!((t1 as u32)))) != (((t1 * 1e9) as u32)) { 1.25e-3f32 } else { t8 })).abs().sqrt();
                t1 *= ((t1).min(t1)).abs().sqrt();
            } else {
                let t9: u64 = (((((t2[3] as u64) & t4)).wrapping_add(2u64)) << ((if (18i64) <= ((i64::MAX as i64)) { (t4).max(t4) } else { ((t4) >> ((t4 as u64) & 7)) }) & 7));
                let t10: i64 = (((t1 as i64)).wrapping_add((t2[3] as i64)) % 3);
            }
        }
        if (((t1 as u32)) >= ((t1 as u32)) || ((if (((t4 as u8) & t2[0])) == ((t2[3] as u8)) { (t2[0] as i64) } else { (t2[3] as i64) })) > ((!(40i64)))) { return ((((if t3 { 1i32 } else { 6i32 }) as f64)).min((t1).max(t1))).mul_add((-((t1).mul_add((t2[3] as f64), 0.25))), 0.25); }
        ((t4 as f64) * (((t4 as f64)).abs() / ((-(t1)) + 3.5)))
    }
    pub fn h8_0(t1: &[u32; 4]) -> i64 {
        for t2 in 1usize..2usize {
            let mut t3: i64 = (t1[0] as i64);
            let mut t4: f32 = (2.0f32 / ((t1[0] as f32) + 3.5));
        }
        if (t1[0]) < ((t1[3] / 9)) {
            let t5: i64 = (t1[0] as i64);
        } else {
            let mut t6: u64 = (if ((if ((u64::MAX - 59)) != ((47u64 % 5)) { (t1[3] as i32) } else { (t1[3] as i32) })) <= (((-51i32) % (((-68i32) & 7) + 9))) { ((((t1[0] as f32)).abs().sqrt() * 1e9) as u64) } else { ((((t1[3] as f64) as f64) * 1e9) as u64) });
            let t7: f32 = (-((((t1[0] as f32)).abs() + (0.125f32 * 1.5f32))));
        }
        if ((-((t1[0] as f32)))) == (((t1[3] as f32)).mul_add((t1[3] as f32), 0.25)) && (((t1[3] as u64) ^ 80u64)) < ((t1[3] as u64)) {
            if ((((t1[0] as f32) as i64)) <= ((t1[3] as i64)) || (((t1[0] as f32) - (t1[3] as f32))) == ((t1[3] as f32))) {
            } else {
                let mut t8: u32 = t1[3];
                let mut t9: u32 = ((2.25e-3f64 * 1e9) as u32);
            }
            for t10 in 1usize..3usize {
                let t11: i64 = (((((t1[3] as i64) % (((t1[3] as i64) & 7) + 9)) & (i64::MAX).wrapping_mul((t1[0] as i64)))) << ((!((!(32i64)))) & 7));
            }
        } else {
            let mut t12: u64 = (!((t1[3] as u64)));
            t12 |= ((!((t12 as u64))) ^ (t12 / (((t12 as u64) & 7) + 1)));
        }
        if (((((t1[3] | t1[0])) >> ((if (((t1[0] as u32) & t1[3])) >= (t1[3]) { t1[0] } else { t1[3] }) & 7))) < (((t1[0] as u32) | t1[3])) || (((t1[0] as i32) ^ (t1[3] as i32))) < ((!((t1[0] as i32))))) { return (((((t1[3] as f64)).min((t1[3] as f64)) * 1e9) as i64) % ((((0i64 % (((t1[0] as i64) & 7) + 9))).min((((t1[0] as f32) * 1e9) as i64)) & 7) + 9)); }
        (((t1[0] as i64) / 3)).max(((t1[0] as i64)).max((18i64).max((t1[0] as i64))))
    }
    pub fn h9_0(t1: u32, t2: usize, mut t3: f64) -> u64 {
        if ((((-(((t2 as f64) as f32))) as u64)) <= (((t1 as u64) ^ (t3 as u64))) || ((8i64 / 9)) <= (((t3 as i64) as i64))) {
            t3 = (if ((t1 / ((t1 & 7) + 1))) != ((t1 / 9)) { (-((t3 as f64))) } else { (3.0f64).ceil() });
        } else {
            let mut t4 = 0u32;
            while t4 < 1 {
                t4 += 1;
                if (((t2 as f64) as u8)) > (((((t2 as f64) as f32) * 1e9) as u8)) { break; }
                t3 *= (t2 as f64);
            }
        }
        (!(((t2 as f64) as u64)))
    }
    pub fn h9_1(t1: u8, t2: bool) -> i64 {
        let t3: u64 = h9_0((!((((if t2 { 1u64 } else { 6u64 }) as u32)).max((u32::MAX - 16)))), (((((t1 as f64) as u32)) << (((if t2 { 1u64 } else { 6u64 }) as u32) & 7)) as usize), ((3.0f32 as f64)).abs().sqrt());
        if (((3.75e9f32 as i64)) < ((t3 as i64)) || (((t1 as f32)).mul_add((t3 as f32), 0.25)) != ((1.75e9f32).mul_add((t3 as f32), 0.25))) { return (if (((56i32) >> ((t3 as i32) & 7))) == ((i32::MAX % ((40i32 & 7) + 9))) { (((t1 as u32) as i64)).max(((((if t2 { 1u64 } else { 6u64 }) as f32) * 1e9) as i64)) } else { ((if (((t1 as u32) as i32)) <= (((63i32) >> ((-67i32) & 7))) { (t1 as i64) } else { i64::MIN }) % ((((t3 as i64)).wrapping_add((-57i64)) & 7) + 9)) }); }
        (((((t3 as i64)).min(((if t2 { 1u64 } else { 6u64 }) as i64))).min(((-1i64) % ((((if t2 { 1u64 } else { 6u64 }) as i64) & 7) + 9)))) >> (((((-18i64)) << ((-35i64) & 7)) ^ (((if t2 { 1u64 } else { 6u64 }) as i64) % ((21i64 & 7) + 9))) & 7))
    }
}
programs {
    pub fn t0(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let mut t1: u64 = ((((0.75e9f64 * 1e9) as u64)).wrapping_mul((m).max(m)) % 4);
        let t2: f64 = ((k).wrapping_sub((k).max(k)) as f64);
        let mut t3: i64 = i64::MIN;
        for j in (0..n).rev() {
            let t4: u64 = h0_0((true == (((3.125f32 as u32)) != ((x_u32[i * n + j] & c)))), x_u64[(i - 1) * n + j], (t1 / 9));
            if ((if ((x_f32[j]).min(a)) > ((a).abs()) { (if ((if ((m as f64)) < ((if (((x_f64[i + 1] * 1e9) as u32)) >= (c) { x_f64[i + 1] } else { b })) { c } else { c })) > ((c).wrapping_sub(x_u32[i * n + j])) { k } else { x_i32[i] }) } else { ((t2 * 1e9) as i32) })) >= ((!(k))) && (l) <= ((l % 9)) {
            } else {
                let t5: u64 = h0_0((true == (((x_f32[j]).mul_add(a, 0.25)) <= ((x_i64[(i + 1) * n + j] as f32)))), x_u64[(i - 1) * n + j], (3u64 ^ h0_0((true == ((c) < ((c).min(u32::MAX)))), ((a * 1e9) as u64), (3u64 ^ h0_0((true == (((if (((o) << (o & 7))) < ((if ((b).mul_add(b, 0.25)) != ((b * t2)) { 36u8 } else { o })) { x_u32[i * n + j] } else { c })) > ((x_u32[i * n + j]).wrapping_add(c)))), t4, t1)))));
            }
            y_f32[i * n + j] = (((a).min(a)).mul_add(a, 0.25) as f32);
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add((k as u64));
            y_u8[i * n + j] = ((((x_f32[j]).abs().sqrt() * 1e9) as u8) / ((((o).wrapping_sub(o) / 7) & 7) + 1));
            t3 = t3.max((if (((0.5f64 * 1e9) as u64)) < ((3u64 ^ h0_0((true == (((a).min(a)) != (a))), m, m))) { (l ^ x_i64[i * n + j]) } else { l }));
        }
        let mut t6: i64 = i64::MAX;
        for j in 0..n {
            let mut t7 = [(!(o)); 4];
            for t8 in 0..4usize {
                t7[t8] = x_u8[j];
            }
            let t9 = t7[2];
            t6 = t6.min(((t9 as i64)).max((t3 / 7)));
        }
        let t10: u64 = h0_0((true == ((((c) << (c & 7))) >= ((x_u32[i * n + n / 2] % 2)))), (if ((b - 0.125f64)) == ((if (((x_u8[n / 2]) >> (o & 7))) == (o) { b } else { t2 })) { (t1).max(t1) } else { ((a * 1e9) as u64) }), (t3 as u64));
        if ((3u64 ^ h0_0((true == (((a).mul_add(a, 0.25)) >= (x_f32[n / 2]))), u64::MAX, t10))) <= ((if (o) <= ((x_u8[n / 2]).max(o)) { t1 } else { m })) { y_f64[i] = x_f64[i + 1]; }
        y_i32[i] = y_i32[i].wrapping_mul(3).wrapping_add(((!(x_u32[(i - 1) * n + n / 2])) as i32));
        y_u32[i] ^= (!((((if ((t1 as f32)) < (a) { (u32::MAX - 83) } else { c })) << ((if ((x_u64[i * n + n / 2]).min(m)) < ((c as u64)) { u32::MAX } else { x_u32[(i + 1) * n + n / 2] }) & 7))));
        y_i64[i] = (x_u64[(i + 1) * n + n / 2] as i64);
        (((x_u64[i * n + n / 2]).max(m)).wrapping_sub((!(x_u64[(i + 1) * n + n / 2])))) & 0xffff
    }
    pub fn t1(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: [i32; 4] = [(k % 2), (k).min(k), ((x_i32[i + 1]) >> (k & 7)), k];
        let t2: bool = h1_0(((if ((m).min(m)) >= (((a * 1e9) as u64)) { x_u64[i] } else { m }) % 1), ((!(c)) / (((!(c)) & 7) + 1)), &t1);
        let t3: u8 = h1_2((((x_f32[(i + 1) * n + n / 2] * a) * 1e9) as u8), ((t2 as i32) % ((((t2 as i32) | 51i32) & 7) + 9)), (-((x_f32[(i + 1) * n + n / 2]).abs().sqrt())));
        let mut t4: u8 = u8::MIN;
        for j in (0..n).rev() {
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if (((t3) >> (o & 7))) == ((3u8 ^ h1_2(x_u8[i * n + j], k, a))) { break; }
                let mut t6: u64 = ((m / ((m & 7) + 1))).max(m);
                let t7: i64 = ((if ((a / (a + 3.5))) == ((x_f32[(i - 1) * n + j] * a)) { (a).abs().sqrt() } else { a }) as i64);
            }
            t4 = t4.max((c as u8));
        }
        let mut t8: u64 = u64::MAX;
        for j in 0..n {
            let mut t9: u64 = m;
            y_i32[i * n + j] = (c as i32);
            y_i64[i * n + j] = y_i64[i * n + j].wrapping_mul(3).wrapping_add((((c).wrapping_mul((u32::MAX - 14)) as f32) as i64));
            y_u64[i * n + j] = (((a * 1e9) as u64) % 2);
            y_u8[i * n + j] = (x_u8[i * n + j] & (3u8 ^ h1_2((x_u8[(i - 1) * n + j]).wrapping_add(u8::MIN), ((t2 as i32)).max((t2 as i32)), (-(2.25e-3f32)))));
            t8 = t8.min(((3u8 ^ h1_2(x_u8[(i + 1) * n + j], (t2 as i32), a)) as u64));
        }
        let t10: [i32; 4] = [((b * 1e9) as i32), (x_f32[i * n + n / 2] as i32), ((k) >> (x_i32[i + 1] & 7)), (x_i32[i + 1]).wrapping_mul(81i32)];
        let t11: bool = h1_0((!((if ((t8).wrapping_add(t8)) < ((a as u64)) { t8 } else { m }))), c, &t10);
        y_f32[i] = (((0.5f64 + h1_1((true == (((x_f32[(i - 1) * n + n / 2]).mul_add(x_f32[i * n + n / 2], 0.25)) >= ((x_f32[(i - 1) * n + n / 2] / (a + 3.5))))))) + (b).abs().sqrt()) as f32);
        if ((3u8 ^ h1_2(t3, (t2 as i32), a))) == ((3u8 ^ h1_2(t4, (t11 as i32), a))) { y_f64[i] = (0.5f64 + h1_1((true == (((b - b)) == ((if ((o).min(x_u8[i * n + n / 2])) >= ((3u8 ^ h1_2(x_u8[i * n + n / 2], (t2 as i32), a))) { x_f64[i + 1] } else { b })))))); }
        y_u32[i] = ((((a).mul_add(a, 0.25) * 1e9) as u32) as u32);
        ((((a * 1e9) as u64) & x_u64[i]) ^ x_u32[i] as u64 ^ x_i64[i] as u64) & 0xffff
    }
    pub fn t2(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: u8 = h2_1((a * (x_f32[n / 2] - x_f32[n / 2])), x_f64[i * n + n / 2]);
        let t2: i32 = h2_0((3i32 ^ h2_0(((k) >> (x_i32[i + 1] & 7)), (a - a), (c ^ c), ((!(c)) as usize))), ((x_f32[n / 2] * a) * (a).floor()), x_u32[n / 2], ((!(((0.5f32 * 1e9) as u32))) as usize));
        let mut t3: u8 = u8::MIN;
        for j in 1..n - 1 {
            y_f32[i * n + j] = ((((l) >> (l & 7)) as f32) as f32);
            t3 = t3.max((u8::MAX - 33));
        }
        for j in (0..n).step_by(2) {
            let t5: i64 = match (if (t3) <= ((t1 / 1)) { x_u32[j] } else { (if ((!(l))) >= ((l).wrapping_add(l)) { x_u32[j] } else { x_u32[j] }) }) % 6 {
                0 => ((l % ((x_i64[i + 1] & 7) + 9)) % (((x_i64[i + 1] ^ l) & 7) + 9)),
                1 | 4 => l,
                2..=3 => ((u8::MAX - 58) as i64),
                _ => {
                    (40i64).wrapping_sub((l % 1))
                }
            };
            if ((!(t5))) > (((a * 1e9) as i64)) { y_u32[i * n + j] = c; }
            y_i64[i * n + j] = (((b - b)).trunc() as i64);
            y_u64[i * n + j] = ((!((m).max(m))) as u64);
        }
        let t6: u8 = h2_1(a, ((x_f64[i * n + n / 2] / (b + 3.5))).ceil());
        y_f64[i] = y_f64[i] * 0.5 - (((l as f64) / (b + 3.5))).abs();
        y_i32[i] = (x_u32[n / 2] as i32);
        if ((a).trunc()) <= ((a + a)) { y_u8[i] = ((((a * 1e9) as u64) / (((!(m)) & 7) + 1)) as u8); }
        (((x_u64[i]).max(m) / 5) ^ x_u64[i + 1] as u64 ^ x_u8[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t3(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        for j in 0..n {
            let t2: f64 = h3_0((if ((c).wrapping_add(c)) >= ((if ((a - a)) < (a) { c } else { c })) { ((u8::MAX - 66) % 7) } else { (o).min(o) }), (((if ((u8::MAX ^ x_u8[(i + 1) * n + j])) != ((u8::MAX - 77)) { i32::MAX } else { k }) as u32) as usize), (c).min(x_u32[j]));
            let mut t3: i32 = (!(((if ((l % ((l & 7) + 9))) >= (((l) >> (l & 7))) { k } else { k })).min((!(x_i32[i * n + j])))));
            y_f32[i * n + j] = x_f32[(i - 1) * n + j];
            y_f64[i * n + j] = ((x_i32[i * n + j] as u8) as f64);
            y_u32[i * n + j] = (if ((if ((k as u32)) != ((x_i64[(i + 1) * n + j] as u32)) { x_u32[j] } else { c })) < ((!((u32::MAX - 73)))) { ((x_u8[i * n + j] as u32)).max((o as u32)) } else { c });
            y_u8[i * n + j] = (o as u8);
        }
        let t4: f64 = h3_1(((((a * a) * 1e9) as u32) as usize), b, ((2.125f64 + b) + b), ((a).mul_add(a, 0.25)).min(a));
        y_i32[i] = (if ((c / 5)) == ((c ^ c)) { k } else { (((t4 * 1e9) as u32) as i32) });
        y_i64[i] = y_i64[i].wrapping_mul(3).wrapping_add(((c & ((t4 * 1e9) as u32)) as i64));
        y_u64[i] = (((o % 5) & (x_u8[(i + 1) * n + n / 2]).wrapping_add(o)) as u64);
        (((x_u64[(i - 1) * n + n / 2]) << ((x_f32[i * n + n / 2] as u64) & 7)) ^ x_f64[i] as u64 ^ x_u64[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t4(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: i32 = match ((c).wrapping_add(x_u32[(i - 1) * n + n / 2])).min(c) % 6 {
            0 => (k).min(k),
            1 | 4 => ((((94i32) >> (k & 7))) >> ((if (k) <= (x_i32[n / 2]) { (-22i32) } else { x_i32[n / 2] }) & 7)),
            2..=3 => ((3.125f32 * 1e9) as i32),
            _ => {
                (((c as f32) * 1e9) as i32)
            }
        };
        let mut t2: u8 = (((if ((-(1.25e-3f64))) <= (x_f64[n / 2]) { (u8::MAX - 15) } else { o }) % 7) / (((!(o)) & 7) + 1));
        let t3: f32 = h4_0((k).min(((b * 1e9) as i32)));
        let mut t4: u32 = u32::MAX;
        for j in 0..n {
            y_f32[i * n + j] = ((((k) >> ((-12i32) & 7))).wrapping_sub((36i32 | k)) as f32);
            y_f64[i * n + j] = (((t3 * 1.75e9f32)).trunc() as f64);
            y_u32[i * n + j] = y_u32[i * n + j].wrapping_mul(3).wrapping_add(((((2.25e-3f32).trunc() * 1e9) as u8) as u32));
            y_i64[i * n + j] = (x_i64[i * n + j]).wrapping_add(((l).wrapping_add(x_i64[i * n + j])).max((if ((k & k)) > (x_i32[j]) { x_i64[i * n + j] } else { l })));
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add((((a / (a + 3.5))).abs().sqrt() as u64));
            y_u8[i * n + j] = (b as u8);
            t4 = t4.min((((0.5f64 * 1e9) as u32)).min((if ((!(m))) <= ((x_u32[(i + 1) * n + j] as u64)) { c } else { c })));
        }
        let mut t5: i32 = i32::MAX;
        for j in 2..n {
            for t6 in 1u8..=2u8 {
                let t7: i64 = ((((l % 7)) << ((l).min(x_i64[i * n + j]) & 7))).wrapping_sub(l);
            }
            let t8: f32 = h4_0(((k).wrapping_add(t1)).wrapping_add((i32::MAX).wrapping_mul(99i32)));
            t5 = t5.min(((!(k)) / 7));
        }
        let t9: f32 = h4_0(t1);
        if ((0.5f32 + h4_0(k))) <= ((0.5f32 + h4_0(x_i32[n / 2]))) { y_i32[i] = (((53i32).wrapping_sub(x_i32[n / 2]) % 3)).max(((x_i32[n / 2] % ((k & 7) + 9))).wrapping_sub((t5 % ((t1 & 7) + 9)))); }
        ((if (x_u8[n / 2]) >= ((m as u8)) { (if ((if ((b).ceil()) != ((b).mul_add(x_f64[n / 2], 0.25)) { o } else { 77u8 })) > ((x_u8[n / 2] / ((t2 & 7) + 1))) { m } else { m }) } else { (m / ((m & 7) + 1)) }) ^ x_f32[(i + 1) * n + n / 2] as u64 ^ x_u64[i * n + n / 2] as u64 ^ x_u8[n / 2] as u64) & 0xffff
    }
    pub fn t5(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: bool = h5_0(x_u32[n / 2], (((x_f64[i * n + n / 2] * 1e9) as i64)).wrapping_add((l % ((x_i64[(i - 1) * n + n / 2] & 7) + 9))), (k).min((x_i32[n / 2] & k)), (l as i64));
        let mut t2: i64 = i64::MAX;
        for j in 1..n - 1 {
            let t3: i64 = match ((c).wrapping_sub(c) / (((if ((a).ceil()) <= ((a).abs()) { x_u32[j] } else { c }) & 7) + 1)) % 6 {
                0 => l,
                1 | 4 => l,
                2..=3 => ((l / 8) % (((a as i64) & 7) + 9)),
                _ => {
                    (l % ((((l) >> (l & 7)) & 7) + 9))
                }
            };
            let t4: f64 = (((b + b) / ((x_f64[(i - 1) * n + j] / (b + 3.5)) + 3.5)) - (if ((b * b)) == ((b / (x_f64[i * n + j] + 3.5))) { (x_f64[(i - 1) * n + j] + b) } else { x_f64[i * n + j] }));
            y_f64[i * n + j] = y_f64[i * n + j] * 0.5 - (((l).max(x_i64[(i - 1) * n + j]) % ((56i64 & 7) + 9)) as f64);
            t2 = t2.min((if h5_0(c, t3, k, t3) { (t3).wrapping_sub(t3) } else { t3 }));
        }
        for j in (0..n).step_by(2) {
            y_i32[i * n + j] &= (l as i32);
            y_i64[i * n + j] = (c as i64);
            if h5_0(x_u32[j], t2, x_i32[j], l) { y_u64[i * n + j] = (((b).abs().sqrt() - (0.125f64).trunc()) as u64); }
            y_u8[i * n + j] &= (x_i64[i * n + j] as u8);
        }
        let t6: bool = h5_0((!(((1.25e-3f32 * 1e9) as u32))), (x_i64[i * n + n / 2] | (!(l))), (!((k).min((-52i32)))), (t2).wrapping_sub((x_i64[(i + 1) * n + n / 2] as i64)));
        y_f32[i] = (((a).mul_add(a, 0.25) * (if h5_0(45u32, x_i64[(i - 1) * n + n / 2], x_i32[n / 2], l) { a } else { a }))).abs().sqrt();
        if h5_0(x_u32[n / 2], t2, x_i32[n / 2], x_i64[i * n + n / 2]) { y_u32[i] = (((c / 2)).wrapping_add(((a * 1e9) as u32)) as u32); }
        (((m).max(m)).wrapping_sub((m).wrapping_sub(m)) ^ x_f32[(i - 1) * n + n / 2] as u64 ^ x_u64[i * n + n / 2] as u64 ^ x_u8[n / 2] as u64) & 0xffff
    }
    pub fn t6(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let mut t1 = [((b - b)).min((b).floor()); 4];
        for t2 in 0..4usize {
            t1[t2] = ((x_f64[i * n + n / 2] / (b + 3.5))).mul_add((a as f64), 0.25);
        }
        let t3 = t1[0];
        for j in 0..n {
            let t5: [u8; 4] = [(o).min(o), x_u8[j], (if ((a).max(a)) == (x_f32[i]) { o } else { o }), (o & o)];
            let t6: f64 = h6_0(t3, &t5, (true == (((l % ((l & 7) + 9))) == (l))));
            let t7: i64 = match (!((x_u32[j]).wrapping_sub(c))) % 6 {
                0 => (((l) << (l & 7)) ^ ((x_f64[(i - 1) * n + j] * 1e9) as i64)),
                1 | 4 => (!((x_i64[(i + 1) * n + j] % ((x_i64[i * n + j] & 7) + 9)))),
                2..=3 => (l).min(l),
                _ => {
                    x_i64[i * n + j]
                }
            };
            y_f32[i * n + j] = (((a).ceil()).mul_add(a, 0.25)).min((-((a / (x_f32[i + 1] + 3.5)))));
            if ((x_u8[j] as f32)) >= ((a).min(a)) { y_i32[i * n + j] = x_i32[i * n + j]; }
            y_u32[i * n + j] = (((t7) << ((!(l)) & 7)) as u32);
        }
        for j in (0..n).step_by(2) {
            y_u8[i * n + j] = (((l % ((l & 7) + 9)) / 6) as u8);
        }
        let t9: [u8; 4] = [((b * 1e9) as u8), (x_u8[n / 2] ^ o), (o % 1), (o).max(o)];
        let t10: f64 = h6_0(((b / (x_f64[(i + 1) * n + n / 2] + 3.5))).abs(), &t9, (true == (((x_i64[(i - 1) * n + n / 2] ^ x_i64[i * n + n / 2])) > (19i64))));
        y_f64[i] = ((((k as f32) * 1e9) as u64) as f64);
        y_i64[i] = (m as i64);
        y_u64[i] |= (((if ((o / ((o & 7) + 1))) > ((o / 6)) { (-34i64) } else { x_i64[i * n + n / 2] }) / 9) as u64);
        ((x_u64[(i - 1) * n + n / 2]).wrapping_sub((if (((x_i32[(i + 1) * n + n / 2]) << (x_i32[(i + 1) * n + n / 2] & 7))) > ((!(k))) { m } else { x_u64[i * n + n / 2] })) ^ x_u64[(i - 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t7(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: f64 = (((m).min(m)).min(((a * 1e9) as u64)) as f64);
        let mut t2: i64 = i64::MAX;
        for j in 0..n {
            for t3 in 0usize..=3usize {
                let mut t4: i32 = (9i32).min(((x_i32[i * n + j] as i32)).max(((a * 1e9) as i32)));
            }
            t2 = t2.min((((x_i64[i]) << (l & 7))).max((l).wrapping_mul(l)));
        }
        let mut t5: u64 = 0;
        for j in 2..n {
            let mut t6 = [((x_f64[i + 1] * 2.25e-3f64)).ceil(); 4];
            for t7 in 0..4usize {
                t6[t7] = ((b).abs() as f64);
            }
            let t8 = t6[2];
            let mut t9: u8 = (!(((2.75e9f64 as u64) as u8)));
            y_f32[i * n + j] = ((((b).mul_add(2.75e9f64, 0.25) * 1e9) as u32) as f32);
            y_f64[i * n + j] = ((!((c as u64))) as f64);
            y_i64[i * n + j] = i64::MAX;
            if ((!(m))) >= (((m) >> (m & 7))) { y_u64[i * n + j] = m; }
            t5 += ((m) << (x_u64[i + 1] & 7)) & 1;
        }
        y_i32[i] = ((if (((t1 * 1e9) as u8)) <= ((!(x_u8[n / 2]))) { ((m) << (m & 7)) } else { ((t1 * 1e9) as u64) }) as i32);
        y_u32[i] = (c).min(x_u32[i]);
        y_u8[i] = (x_u8[n / 2] as u8);
        (((0.25e-3f64 - b) as u64) ^ x_f32[i + 1] as u64) & 0xffff
    }
    pub fn t8(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: i32 = match (!((c ^ c))) % 6 {
            0 => ((if ((c).wrapping_sub(x_u32[i])) == (c) { k } else { k }) % (((k | k) & 7) + 9)),
            1 | 4 => (((a * 1e9) as i32)).max((k).wrapping_mul(k)),
            2..=3 => ((12i32).wrapping_sub(x_i32[i])).wrapping_mul((if ((if ((o / 6)) > ((l as u8)) { b } else { x_f64[(i + 1) * n + n / 2] })) > ((b + x_f64[i * n + n / 2])) { (-97i32) } else { k })),
            _ => {
                let t2: [u32; 4] = [c, (x_u32[i + 1] % 1), c, (c % 7)];
                let t3: i64 = h8_0(&t2);
                k
            }
        };
        let mut t4: i32 = i32::MAX;
        for j in 0..n {
            let t5: u32 = (if ((x_f64[(i - 1) * n + j] / (x_f64[i * n + j] + 3.5))) == ((b).abs()) { (if ((if (a) == ((if ((m as i64)) != (l) { a } else { x_f32[i + 1] })) { m } else { x_u64[i] })) != (m) { (c / ((c & 7) + 1)) } else { (c % 4) }) } else { c });
            t4 = t4.min(((if ((t5).min(c)) <= ((l as u32)) { t1 } else { 26i32 }) / 2));
        }
        let mut t6: u64 = u64::MAX;
        for j in 0..n {
            if (x_u32[i]) < (((c) << (x_u32[i] & 7))) { y_f32[i * n + j] = ((if (((a * 1e9) as i64)) > ((3.75e9f32 as i64)) { (x_f32[i] / (x_f32[i] + 3.5)) } else { (a).abs().sqrt() }) / (((x_f32[i] * a)).mul_add((x_f32[i] / (x_f32[i + 1] + 3.5)), 0.25) + 3.5)); }
            y_u64[i * n + j] = m;
            t6 = t6.min(m);
        }
        let t7: [u32; 4] = [(x_u32[i + 1] | x_u32[i]), (c).wrapping_sub(c), u32::MAX, ((x_f32[i] * 1e9) as u32)];
        let t8: i64 = h8_0(&t7);
        y_f64[i] = (((b).mul_add(b, 0.25) as i64) as f64);
        if ((t6 / ((x_u64[i] & 7) + 1))) < (((a * 1e9) as u64)) { y_i32[i] = (((0.25e-3f64 / (x_f64[i * n + n / 2] + 3.5))).abs().sqrt() as i32); }
        if ((if ((b - b)) >= ((if ((x_u8[n / 2] & o)) > ((!(o))) { b } else { x_f64[i * n + n / 2] })) { t8 } else { l })) <= (t8) { y_u32[i] = (((a / (a + 3.5)) + (-(a))) as u32); }
        if (l) >= ((l).min(t8)) { y_i64[i] = t8; }
        y_u8[i] = (c as u8);
        (m ^ x_i64[(i - 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t9(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        for j in 1..n - 1 {
            let mut t2: f64 = ((-(b))).ceil();
            y_f32[i * n + j] = ((if ((a / (a + 3.5))) != ((a).ceil()) { (c ^ c) } else { (a as u32) }) as f32);
            y_u32[i * n + j] = (((!(x_u32[(i + 1) * n + j]))).max((if (o) >= ((if ((3u64 ^ h9_0(c, (c as usize), b))) > ((a as u64)) { o } else { o })) { x_u32[i * n + j] } else { c }))).wrapping_add(((!(c))).max(x_u32[(i - 1) * n + j]));
        }
        let t3: i64 = h9_1(((x_i32[i] as u8) / (((c as u8) & 7) + 1)), (true == (((a).mul_add(x_f32[(i + 1) * n + n / 2], 0.25)) >= ((-(x_f32[i * n + n / 2]))))));
        y_f64[i] = ((if ((x_f64[i * n + n / 2] / (b + 3.5))) < ((-(b))) { l } else { ((-86i64)).wrapping_add(x_i64[(i - 1) * n + n / 2]) }) as f64);
        y_i32[i] = (x_u8[n / 2] as i32);
        y_i64[i] = ((((a - a) * 1e9) as i64)).max(t3);
        y_u64[i] = (((2.0f32).abs().sqrt() + a) as u64);
        y_u8[i] = ((b).mul_add((b).floor(), 0.25) as u8);
        (m ^ x_u64[n / 2] as u64) & 0xffff
    }
}
}

/// All of them.
pub const ALL: [crate::typed::Program; 10] = [
    crate::of_typed!(t0),
    crate::of_typed!(t1),
    crate::of_typed!(t2),
    crate::of_typed!(t3),
    crate::of_typed!(t4),
    crate::of_typed!(t5),
    crate::of_typed!(t6),
    crate::of_typed!(t7),
    crate::of_typed!(t8),
    crate::of_typed!(t9),
];
