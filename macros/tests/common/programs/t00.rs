// Made by `generate_typed.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_with_helpers! {
helpers {
    pub fn h0_0(t1: bool, t2: u16, t3: i8) -> u64 {
        let mut t4: u32 = ((((0.75e9f64).max(3.25e-3f64) * 1e9) as u32) ^ (((((if t1 { 1i64 } else { 6i64 }) as f32) * 1e9) as u32)).min((if ((((if t1 { 1i64 } else { 6i64 })) >> (21i64 & 7))) != ((!((if t1 { 1i64 } else { 6i64 })))) { ((if t1 { 1i64 } else { 6i64 }) as u32) } else { (t3 as u32) })));
        t4 = (t4 as u32);
        let mut t5 = 0u32;
        while t5 < 5 {
            t5 += 1;
            if (((if t1 { 1i64 } else { 6i64 }) % 1)) > (((if t1 { 1i64 } else { 6i64 })).max(i64::MIN)) { continue; }
            for t6 in 1u8..5u8 {
                let mut t7: i64 = ((((if t1 { 1i64 } else { 6i64 }) / 4)) >> (((!((if t1 { 1i64 } else { 6i64 }))) % 4) & 7));
            }
            let t8: u32 = match ((t4).wrapping_mul(t4) / 1) % 6 {
                0 => t4,
                1 | 4 => ((t4 / 3) ^ (74i16 as u32)),
                2..=3 => ((if t1 { 1i64 } else { 6i64 }) as u32),
                _ => {
                    t4 ^= (!(((t4 as u32) % 3)));
                    ((!(t4)) & t4)
                }
            };
        }
        (t5 as u64)
    }
    pub fn h1_0(t1: i32, mut t2: f32, t3: &[i64; 4]) -> bool {
        let t4: f64 = match (!((((t1 as u32)) >> ((t1 as u32) & 7)))) % 6 {
            0 => ((-((t1 as f64))) + (t1 as f64)),
            1 | 4 => (((t3[0] as f64) / (2.5f64 + 3.5))).min((3.125f64 / ((t3[0] as f64) + 3.5))),
            2..=3 => ((((t3[0] as u64)) >> (52u64 & 7)) as f64),
            _ => {
                t2 = t2;
                (((t3[0] as f64) - (t3[3] as f64)) - (t2 as f64))
            }
        };
        let mut t5 = [(((t2).min(t2) * 1e9) as i16); 4];
        for t6 in 0..4usize {
            t5[t6] = ((((-31i16)) << ((t3[3] as i16) & 7))).max(((t3[3] as i16)).wrapping_mul((t4 as i16)));
        }
        let t7 = t5[1];
        ((-((t4).mul_add(t4, 0.25)))) < ((t4).mul_add(t4, 0.25))
    }
    pub fn h1_1(t1: bool) -> i8 {
        let mut t2 = 0u32;
        while t2 < 5 {
            t2 += 1;
            if (((1.5f64 * 1e9) as u8)) >= ((((if t1 { 1u64 } else { 6u64 }) as u8) ^ 24u8)) { break; }
            let t3: [i64; 4] = [(((if t1 { 1u64 } else { 6u64 }) as i64) % ((((if t1 { 1u64 } else { 6u64 }) as i64) & 7) + 9)), (!(((if t1 { 1u64 } else { 6u64 }) as i64))), (((if t1 { 1u64 } else { 6u64 }) as i64)).max(((if t1 { 1u64 } else { 6u64 }) as i64)), ((if t1 { 1u64 } else { 6u64 }) as i64)];
            let t4: bool = h1_0(((if t1 { 1u64 } else { 6u64 }) as i32), ((if t1 { 1u64 } else { 6u64 }) as f32), &t3);
        }
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if ((((if t1 { 1u64 } else { 6u64 }) as f64)).trunc()) >= (((t2 as f64)).min(((if t1 { 1u64 } else { 6u64 }) as f64))) { continue; }
            let t6: i64 = (t2 as i64);
            let mut t7 = [((((t2 as i32)) << ((t6 as i32) & 7)) as f32); 4];
            for t8 in 0..4usize {
                t7[t8] = ((((if t1 { 1u64 } else { 6u64 }) as f32) - (t6 as f32)) + (i32::MAX as f32));
            }
            let t9 = t7[0];
        }
        (-94i8)
    }
    pub fn h1_2(t1: u64, mut t2: i32, t3: f64) -> u8 {
        let mut t4 = 0u32;
        while t4 < 3 {
            t4 += 1;
            if ((t3).abs().sqrt()) > (t3) { continue; }
            t2 = t2;
            for t5 in 2u8..3u8 {
                let mut t6: f32 = ((t2 as f32)).mul_add(((0.75e9f32).abs().sqrt()).mul_add(((-54i64) as f32), 0.25), 0.25);
                let t7: [i64; 4] = [((t2 as i8) as i64), ((t3 as i64) % 9), ((t3 as i64)).min(49i64), (t2 as i64)];
                let t8: bool = h1_0((((t3 as i32) / 8) | ((-70i32) % ((38i32 & 7) + 9))), ((-(t6)) / ((t6).trunc() + 3.5)), &t7);
            }
        }
        let t9: i64 = (t4 as i64);
        let t10: u32 = t4;
        (if ((t2).max((t10 as i32))) > (((0.75e9f32 * 1e9) as i32)) { ((((t10 as f32) * 1e9) as u8) / (((95u8 | (t1 as u8)) & 7) + 1)) } else { (if ((t1 as u8)) < ((u8::MIN ^ (t2 as u8))) { (u8::MIN / 6) } else { ((t4 as u8)).wrapping_add((t2 as u8)) }) })
    }
    pub fn h2_0(t1: u32, t2: f64, t3: f32, t4: usize) -> u8 {
        ((if (((t3 as u64)).min((t1 as u64))) <= ((t3 as u64)) { (if ((-(t3))) >= ((-((t1 as f32)))) { (t2 as u8) } else { (t3 as u8) }) } else { ((u8::MAX - 9) / 5) })).min((t1 as u8))
    }
    pub fn h2_1(mut t1: u64, t2: u64) -> u32 {
        t1 |= (((if ((t2 as i64)) <= ((((t1 as i64)) << ((t2 as i64) & 7))) { t2 } else { (t1 as u64) })) << (((t2 as f64) as u64) & 7));
        t1 |= (t2 as u64);
        if ((((!((t1 as u16))) / ((((t1 as u16)).wrapping_add((t2 as u16)) & 7) + 1))) < (((t1 as u16)).max((t2 as u16))) || (((t2 as f32)).abs().sqrt()) < ((if ((t1 % 1)) != (((t2 as i64) as u64)) { (t1 as f32) } else { (t2 as f32) }))) {
            if (t1) <= (((t1 as i64) as u64)) {
                t1 ^= (if (((t1 as i32)).max(81i32)) == ((83i32).min(i32::MAX)) { 49u64 } else { (((t2 as f32) * 1e9) as u64) });
                let t3: i64 = (t1 as i64);
            } else {
                let t4: u8 = h2_0((u32::MAX - 34), (t1 as f64), ((0.0f32 / ((t2 as f32) + 3.5)) * (if (((t1 as i16) as f32)) == (((t1 as f32)).min((t2 as f32))) { (t2 as f32) } else { (t2 as f32) })), (44u32 as usize));
                t1 = ((!(t2)) / (((((t2 as f64) * 1e9) as u64) & 7) + 1));
            }
        } else {
            if ((if ((!((t2 as i8)))) == ((((t1 as i8)) << ((t1 as i8) & 7))) { (if ((22i64).wrapping_sub((t1 as i64))) <= ((37i64 / 1)) { (t2 as u16) } else { (t1 as u16) }) } else { ((t2 as u16)).max((u16::MAX - 64)) })) != (((t1 as i32) as u16)) {
                t1 = ((!(t1)) / ((t2 & 7) + 1));
            } else {
                let mut t5: i8 = (((t1 as i8)) >> (((if ((t1 as u8)) == ((3u8 ^ h2_0((t1 as u32), 1.0f64, (t1 as f32), ((t2 as u32) as usize)))) { (t2 as i8) } else { (t2 as i8) })).wrapping_sub((i8::MIN % (((-29i8) & 7) + 9))) & 7));
                let t6: u8 = h2_0((((t5 as u32)).min((t2 as u32)) / (((1.125f64 as u32) & 7) + 1)), ((1.125f64).ceil() + ((t1 as f64)).mul_add((t2 as f64), 0.25)), (((t1 as f32) * (t1 as f32)) + ((t5 as f32) / ((t1 as f32) + 3.5))), (((!((t5 as u32)))).min(((t1 as i32) as u32)) as usize));
            }
            let t7: u8 = h2_0((((t1 as u32)).wrapping_mul((t1 as u32)) % 6), ((if ((t2 as u64)) != ((if ((26u8 / (((t2 as u8) & 7) + 1))) != ((3u8 ^ h2_0((t2 as u32), (t1 as f64), (t1 as f32), ((t1 as u32) as usize)))) { (u64::MAX - 14) } else { t2 })) { (t1 as f64) } else { 0.125f64 }) + (0.125f64).mul_add((t2 as f64), 0.25)), (((t2 as f32)).abs()).mul_add((-((t1 as f32))), 0.25), ((((t1 as u32) % 6) ^ ((t2 as u32)).wrapping_sub((t2 as u32))) as usize));
        }
        if ((i8::MIN).max((if ((t2 as u16)) == (((t1 as u16) % 2)) { (t2 as i8) } else { (t2 as i8) }))) > (((t2 as u16) as i8)) { return ((((if ((if (((t1 as u16)).min((t2 as u16))) > ((88u8 as u16)) { (t2 as u32) } else { (t2 as u32) })) == ((t1 as u32)) { (t2 as f32) } else { (t2 as f32) }) * 1e9) as u32) ^ (((u32::MAX - 31) / (((t2 as u32) & 7) + 1))).wrapping_mul((t1 as u32))); }
        ((((t2 as u16) as u32) | (t1 as u32))).wrapping_mul(((t1 as u32)).wrapping_add(((t1 as u32)).min((t2 as u32))))
    }
    pub fn h3_0(t1: i16, t2: usize, t3: i16) -> u32 {
        for t4 in 0u8..2u8 {
            if ((((((t2 as u32) as f64) * 1e9) as i64) / 6)) >= ((t3 as i64)) {
                let t5: i64 = ((!((74i64 / 6))) % 8);
            } else {
                let mut t6: u32 = ((((((t2 as u32) as u32)).min((t2 as u32)) / 4)) << (((((t2 as u32) ^ (t2 as u32))) << (((0.75e9f32 * 1e9) as u32) & 7)) & 7));
                let t7: u8 = (if (((t3 as i32) % 4)) > (((t4 as i32)).max((-3i32))) { t4 } else { (t4 / ((((t3 as u8)).wrapping_sub(89u8) & 7) + 1)) });
            }
        }
        let t8: u16 = ((!((((t2 as u32) as f64) as u16))) / (((((t3 as f32) * 1e9) as u16) & 7) + 1));
        let t9: i16 = ((((88u64 as i16)) >> ((!((t3 as i16))) & 7)) % 3);
        (((!((!((t2 as u32)))))) << ((((3.125f64).abs().sqrt() * 1e9) as u32) & 7))
    }
    pub fn h3_1(t1: usize, t2: u32, mut t3: i16, mut t4: u64) -> u16 {
        let mut t5: i32 = ((!(((t2 as i32) / 5)))).max(((((t1 as u32) as i32)).wrapping_add(((t1 as u32) as i32)) % ((((t2 as i32)).min((t4 as i32)) & 7) + 9)));
        let mut t6 = [((99i16 as i8) % 9); 4];
        for t7 in 0..4usize {
            t6[t7] = (((t5 as i8)) << ((((t5 as i8)) >> ((t2 as i8) & 7)) & 7));
        }
        let t8 = t6[1];
        (t2 as u16)
    }
    pub fn h4_0(mut t1: i8) -> f64 {
        for t2 in 2i32..4i32 {
            for t3 in 0usize..=4usize {
                let t4: u8 = ((52i64 as u8)).wrapping_add(((if ((t1).max(t1)) > (((t2 as i8)).wrapping_add((t2 as i8))) { (t2 as u8) } else { (t2 as u8) }) % 9));
            }
            let t5: u8 = match (t1 as u32) % 6 {
                0 => ((((t2 as u8)) >> ((u8::MAX - 11) & 7)) % 5),
                1 | 4 => (!((t1 as u8))),
                2..=3 => ((t1 as u8)).max(99u8),
                _ => {
                    let mut t6: i8 = (!(((t1 % 4) & ((0.25e-3f32 * 1e9) as i8))));
                    (((t6 as u64)).min(48u64) as u8)
                }
            };
        }
        if (((t1 % 1) | (t1 / 5))) != ((t1 | t1)) { return (1.75e9f64 / ((((t1 as f64) + (t1 as f64))).abs().sqrt() + 3.5)); }
        ((((99u16).min((t1 as u16))) << (((t1 as i8) as u16) & 7)) as f64)
    }
    pub fn h5_0(t1: u8, t2: i64, mut t3: i32, t4: f32) -> bool {
        if ((((t2 as f64)).abs().sqrt() / (((t2 as f64)).mul_add((t1 as f64), 0.25) + 3.5))) != ((t3 as f64)) {
            if ((t4).max(((t1 as f32) / (t4 + 3.5)))) >= ((t4).mul_add(t4, 0.25)) {
                let t5: i8 = (if (((t3 as u32) / 3)) <= ((t3 as u32)) { (t2 as i8) } else { (((t2 as i16) as i8) % ((((t3 as u32) as i8) & 7) + 9)) });
            } else {
                t3 |= (if (((t2 as u8) ^ t1)) >= (((t1) >> (t1 & 7))) { (t3 % (((t2 as i32) & 7) + 9)) } else { t3 });
            }
        } else {
            let t6: i8 = match (((t1 as u32)).wrapping_sub((t1 as u32))).max(((t3 as u32) / (((t3 as u32) & 7) + 1))) % 6 {
                0 => (t2 as i8),
                1 | 4 => ((2.0f64 * 1e9) as i8),
                2..=3 => ((if (((t4 as i8) as f64)) == ((t2 as f64)) { (t4 as u32) } else { (t1 as u32) }) as i8),
                _ => {
                    t3 = (((t2 as i32) % ((t3 & 7) + 9)) / 5);
                    (t1 as i8)
                }
            };
            let mut t7 = 0u32;
            while t7 < 3 {
                t7 += 1;
                if (((t4 * 1e9) as i16)) >= (((t2 as i16)).wrapping_mul((t4 as i16))) { continue; }
                let t8: i32 = (if ((if (((t3 as f32)).floor()) > ((t4).ceil()) { t1 } else { (t2 as u8) })) != (82u8) { ((t3).wrapping_add(t3) | t3) } else { (((t4 * 1e9) as i32)).max(((t4 as i32) % 9)) });
                t3 |= ((((t6 as f64)).abs().sqrt() * 1e9) as i32);
            }
        }
        let mut t9 = [(t1 as f64); 4];
        for t10 in 0..4usize {
            t9[t10] = ((0.75e9f64).ceil()).min((t2 as f64));
        }
        let t11 = t9[0];
        let t12: i32 = match (t11 as u32) % 6 {
            0 => (((32i32 / 6)) >> ((t11 as i32) & 7)),
            1 | 4 => (t4 as i32),
            2..=3 => (if ((if ((-((t2 as f32)))) != (t4) { t2 } else { t2 })) != ((t2 % ((t2 & 7) + 9))) { (if ((((t2 as u32)) << ((t1 as u32) & 7))) >= (((t1 as u32) & (t1 as u32))) { t3 } else { t3 }) } else { (t2 as i32) }),
            _ => {
                let t13: i16 = (t11 as i16);
                t3
            }
        };
        ((t1) < (((t1) >> (t1 & 7))) || ((!(t12))) < ((t4 as i32)))
    }
    pub fn h6_0(mut t1: f64, t2: &[u16; 4], t3: bool) -> i16 {
        let t4: u16 = (((((-(((if t3 { 1u16 } else { 6u16 }) as f32))) * 1e9) as u16)) >> ((((if t3 { 1u16 } else { 6u16 })).wrapping_add((if t3 { 1u16 } else { 6u16 })) / (((((u16::MAX - 3)) >> (t2[3] & 7)) & 7) + 1)) & 7));
        let t5: u16 = (((if ((((t2[0] as f32) * 1e9) as i8)) == (31i8) { (if ((((t1 as u32)) >> (u32::MAX & 7))) < ((((t2[0] as f64) * 1e9) as u32)) { t2[0] } else { t4 }) } else { ((t2[3] as i32) as u16) })) >> ((!(((if t3 { 1u16 } else { 6u16 }) / (((t4 as u16) & 7) + 1)))) & 7));
        for t6 in 0usize..=2usize {
            let t7: u64 = match ((if (((((if t3 { 1u16 } else { 6u16 }) as i64)) << ((t2[0] as i64) & 7))) > (((((if t3 { 1u16 } else { 6u16 }) as i64)) << (((if t3 { 1u16 } else { 6u16 }) as i64) & 7))) { ((if t3 { 1u16 } else { 6u16 }) as u32) } else { (t4 as u32) }) / (((t5 as u32) & 7) + 1)) % 6 {
                0 => (t2[0] as u64),
                1 | 4 => ((if t3 { 1u16 } else { 6u16 }) as u64),
                2..=3 => (u64::MIN).wrapping_add(((t2[3] as u64) & ((if t3 { 1u16 } else { 6u16 }) as u64))),
                _ => {
                    let mut t8: i32 = ((if t3 { 1u16 } else { 6u16 }) as i32);
                    (((1.125f64 * 1e9) as u64)).wrapping_add(((if t3 { 1u16 } else { 6u16 }) as u64))
                }
            };
        }
        if (((t5 as u32)) != (((t5 as u32) % 9)) || (((u8::MAX - 90)).wrapping_mul((t1 as u8))) >= ((t1 as u8))) { return (((((t1 as i16)) >> ((-63i16) & 7))).wrapping_sub((t4 as i16))).wrapping_sub((if ((t4 as u8)) >= (((t4 as u8) / 7)) { (!(40i16)) } else { (((if t3 { 1u16 } else { 6u16 }) as i16)).wrapping_add(56i16) })); }
        (t4 as i16)
    }
    pub fn h8_0(t1: &[f64; 4]) -> u32 {
        for t2 in 1usize..2usize {
            let mut t3: i64 = (t1[0] as i64);
            let t4: i64 = ((t3) << ((t1[0] as i64) & 7));
        }
        if (((((t1[3] as f32) + (t1[0] as f32)) * 1e9) as u8)) <= (((1.125f64 * 1e9) as u8)) && ((t1[0] / ((t1[0] as f64) + 3.5))) <= ((-((t1[0] as f64)))) {
            let t5: i32 = match (((if (((t1[0] as i64) & i64::MIN)) >= (((t1[0] as i64) % (((t1[3] as i64) & 7) + 9))) { (u32::MAX - 32) } else { (t1[0] as u32) })) >> ((!(55u32)) & 7)) % 6 {
                0 => (if (((t1[3] as i32) | (t1[0] as i32))) != (((-7i32) as i32)) { ((t1[0] as i32)).min((t1[3] as i32)) } else { ((t1[0] as i32) % (((-68i32) & 7) + 9)) }),
                1 | 4 => ((!((t1[3] as i32))) ^ (((t1[0] as f32) * 1e9) as i32)),
                2..=3 => (t1[3] as i32),
                _ => {
                    (((t1[3] as u8) as i32) % ((((t1[0] as i32) ^ (t1[0] as i32)) & 7) + 9))
                }
            };
            let mut t6 = [((((t1[3] as u32)).wrapping_mul(74u32)) << ((((t5 as u32)) << ((t1[0] as u32) & 7)) & 7)); 4];
            for t7 in 0..4usize {
                t6[t7] = (((t1[0] as u64) as u32)).wrapping_sub((t5 as u32));
            }
            let t8 = t6[2];
        } else {
        }
        let mut t9: i16 = (((((t1[3] as f32) * 1e9) as i16)).wrapping_sub((25i16 % 4))).min(((((t1[3] as i16) as f64) * 1e9) as i16));
        if (((!(((t9 as u32) / (((t9 as u32) & 7) + 1))))) != (u32::MIN) || ((i32::MAX as i16)) < ((!(t9)))) { return (t1[3] as u32); }
        (t1[3] as u32)
    }
    pub fn h9_0(t1: i32, t2: usize, mut t3: u8) -> u16 {
        if ((((!(t3)) as u16)) <= (((t1 as u16) ^ (t3 as u16))) || (((t3 as i64) as i32)) <= ((t1).min(t1))) {
            let mut t4: f32 = (((t1 as f32)).max((if ((50i16).wrapping_sub((t2 as i16))) <= (((t2 as i16)).max(i16::MAX)) { (t3 as f32) } else { (t1 as f32) })) + (((65u64) << ((t1 as u64) & 7)) as f32));
            t3 = (((t3 as i8) as u8)).wrapping_add(t3);
        } else {
            let t5: i64 = (((!(((t2 as i16) as i64))) % (((((t3 as i64)) >> ((t3 as i64) & 7)) & 7) + 9)) / 9);
        }
        if ((((2.5f64 * 1e9) as i16) % (((t2 as i16) & 7) + 9))) < ((!((t2 as i16)))) { return ((t3 as u16) ^ (if (t1) == (((t1) << ((t1 as i32) & 7))) { (u16::MIN).wrapping_mul((t1 as u16)) } else { (14u32 as u16) })); }
        (((t3 as f32) * 1e9) as u16)
    }
    pub fn h9_1(t1: u16, t2: bool) -> u64 {
        let t3: u16 = h9_0((!((((if t2 { 1u16 } else { 6u16 }) as i32)).max((-17i32)))), ((((t1 as u16) as u32)).max((t1 as u32)) as usize), (if (((if t2 { 1u16 } else { 6u16 }) as f64)) > (((if t2 { 1u16 } else { 6u16 }) as f64)) { (if ((t1 as f32)) != (((if t2 { 1u16 } else { 6u16 }) as f32)) { (u8::MAX - 2) } else { (t1 as u8) }) } else { (15u8).max(95u8) }));
        if ((((((if t2 { 1u16 } else { 6u16 }) as i8) % 4) % (((t3 as i8) & 7) + 9))) != (((-9i8) % 7)) || ((-((t3 as f32)))) >= ((((if t2 { 1u16 } else { 6u16 }) as f32) - (t3 as f32)))) { return ((((((if t2 { 1u16 } else { 6u16 }) as f32) * 1e9) as u64)).max(((t3 as u64) / 9))).max(((((t1 as i64)) >> ((-67i64) & 7)) as u64)); }
        ((((((if t2 { 1u16 } else { 6u16 }) as u64) / (((t1 as u64) & 7) + 1))) >> (((t3 as u8) as u64) & 7))).min((((t1 as u8) / ((((if t2 { 1u16 } else { 6u16 }) as u8) & 7) + 1)) as u64))
    }
}
programs {
    pub fn t0(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        for t1 in 1usize..=5usize {
            let t2: u64 = h0_0((true == ((q) == ((x_i16[n / 2] & x_i16[n / 2])))), ((if (((l) >> (21i64 & 7))) != ((!(l))) { x_u16[i + 1] } else { x_u16[i + 1] })).min((r ^ r)), (if (x_u8[n / 2]) > (((x_u8[n / 2]) >> (o & 7))) { (p as i8) } else { (p | x_i8[(i + 1) * n + n / 2]) }));
        }
        let t3: u64 = h0_0((true == (((l % ((l & 7) + 9))) < (((l) << (l & 7))))), (((!(r))) >> (((a * 1e9) as u16) & 7)), ((p | x_i8[i * n + n / 2]) % ((((p) >> (p & 7)) & 7) + 9)));
        let mut t4: i64 = i64::MAX;
        for j in (0..n).rev() {
            let mut t5 = [(l as u32); 4];
            for t6 in 0..4usize {
                t5[t6] = ((x_u32[(i + 1) * n + j] / ((x_u32[(i + 1) * n + j] & 7) + 1)) % 5);
            }
            let t7 = t5[0];
            if (((if (m) < ((t3).wrapping_sub(t3)) { (p & x_i8[(i + 1) * n + j]) } else { (p / 1) })) == (p) || (((k) << (k & 7))) != ((if (o) == ((x_u8[j] / ((x_u8[j] & 7) + 1))) { k } else { k }))) {
                let t8: i8 = (!(p));
            } else {
                let t9: u64 = h0_0((true == ((q) >= (q))), ((a as u16) / ((7u16 & 7) + 1)), ((t7 / ((c & 7) + 1)) as i8));
            }
            t4 = t4.min(l);
        }
        for j in 0..n {
            y_i32[i * n + j] = ((((u64::MAX) << (x_u64[(i + 1) * n + j] & 7)) / (((3u64 ^ h0_0((true == (((p / 6)) == ((if (((r) << (r & 7))) < ((if ((l % ((l & 7) + 9))) != (((b * 1e9) as i64)) { 36u16 } else { r })) { x_i8[i * n + j] } else { p })))), r, x_i8[(i + 1) * n + j])) & 7) + 1)) as i32);
            y_u32[i * n + j] |= c;
            y_u64[i * n + j] = ((q % ((q & 7) + 9)) as u64);
            y_i8[i * n + j] = y_i8[i * n + j].wrapping_mul(3).wrapping_add((a as i8));
            y_i16[i * n + j] = ((((x_f32[j]).abs().sqrt() * 1e9) as i16) % ((((q).wrapping_sub(q) / 7) & 7) + 9));
            y_u16[i * n + j] = ((((o) << (40u8 & 7)) as u16) as u16);
        }
        let t11: u64 = h0_0((true == (((t3 as f64)) == ((-(b))))), (x_u16[i + 1] | ((r) >> (r & 7))), p);
        y_f32[i] = (((x_i64[(i - 1) * n + n / 2] ^ i64::MIN) % 2) as f32);
        y_f64[i] = ((c).min((!(c))) as f64);
        y_i64[i] = ((!(((a * 1e9) as u16))) as i64);
        y_u8[i] = (((b).mul_add(x_f64[i + 1], 0.25) / ((x_f64[i + 1] / (b + 3.5)) + 3.5)) as u8);
        ((if ((a).mul_add(x_f32[n / 2], 0.25)) < (a) { (!(66u64)) } else { t11 }) ^ x_i32[i] as u64) & 0xffff
    }
    pub fn t1(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: i8 = h1_1((true == (((3u8 ^ h1_2(m, k, 1.5f64))) <= ((o / ((x_u8[(i - 1) * n + n / 2] & 7) + 1))))));
        for j in 1..n - 1 {
            let t3: i16 = ((a * 1e9) as i16);
            if ((!(q))) != (((a * 1e9) as i16)) { y_f64[i * n + j] = (if (((k) >> (x_i32[i + 1] & 7))) >= (k) { ((x_f64[i + 1] * b)).max((b + x_f64[i])) } else { ((b).max(x_f64[i])).mul_add((0.125f64 + b), 0.25) }); }
            y_i32[i * n + j] = ((!((x_u64[i + 1] as i32))) & (x_i32[i] % ((((x_i32[i]) << (k & 7)) & 7) + 9)));
            y_u32[i * n + j] = ((if (((3.25e-3f32 * 1e9) as u32)) <= ((if (((c) << (c & 7))) == ((c ^ c)) { c } else { c })) { ((c) >> (c & 7)) } else { (x_u8[(i + 1) * n + j] as u32) }) / 2);
            if ((i64::MIN % 1)) <= ((l).wrapping_sub(l)) { y_i64[i * n + j] = (((x_f64[i + 1] as i64)).max(((a * 1e9) as i64))).max((if ((r as f32)) != (a) { ((l) >> (x_i64[i] & 7)) } else { (x_f64[i + 1] as i64) })); }
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add((((u64::MAX - 5)).min((m / 7)) % 7));
            y_i8[i * n + j] = (3i8 ^ h1_1((true == ((c) <= ((u32::MIN / ((c & 7) + 1)))))));
            y_i16[i * n + j] = ((((1.125f64 * 1e9) as u32)).wrapping_mul((c).wrapping_mul(x_u32[i])) as i16);
            y_u16[i * n + j] = ((((2.125f32 - x_f32[(i - 1) * n + j]) * a) * 1e9) as u16);
        }
        let t4: u8 = h1_2(m, k, ((x_f64[i + 1]).mul_add(b, 0.25)).abs().sqrt());
        y_f32[i] = y_f32[i].max(((!(((b * 1e9) as u8))) as f32));
        y_u8[i] ^= ((((x_f64[i]).abs().sqrt() * 1e9) as i16) as u8);
        (m ^ x_i8[i + 1] as u64 ^ x_i16[n / 2] as u64 ^ x_u16[n / 2] as u64) & 0xffff
    }
    pub fn t2(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: f64 = match ((c).min(c) / (((3u32 ^ h2_1(x_u64[i], m)) & 7) + 1)) % 6 {
            0 => ((p as i8) as f64),
            1 | 4 => (b).abs().sqrt(),
            2..=3 => ((a as f64) / ((-(x_f64[i * n + n / 2])) + 3.5)),
            _ => {
                let t2: i32 = ((if ((if ((if (x_i32[i + 1]) >= ((!(x_i32[i]))) { a } else { a })) >= ((if (((q) >> (q & 7))) >= (q) { a } else { a })) { x_f32[n / 2] } else { a })) >= ((a).min(2.5f32)) { (x_i32[i + 1] as i32) } else { ((k) >> (k & 7)) }) % (((((!(k))) << ((p as i32) & 7)) & 7) + 9));
                ((b / (1.125f64 + 3.5)) / ((b).abs().sqrt() + 3.5))
            }
        };
        let mut t3: f32 = 1.75e9f32;
        t3 = ((a).mul_add(t3, 0.25)).abs().sqrt();
        let mut t4: i32 = i32::MAX;
        for j in (0..n).rev() {
            t4 = t4.min(((!(k)) % 2));
        }
        for j in (0..n).step_by(2) {
            y_f32[i * n + j] = ((!((b as u64))) as f32);
            y_f64[i * n + j] = ((3u32 ^ h2_1((m / ((m & 7) + 1)), (x_u64[i + 1]).min(x_u64[i + 1]))) as f64);
            y_i32[i * n + j] ^= ((((21u32) >> (c & 7)) / (((x_u64[i] as u32) & 7) + 1)) as i32);
            y_i64[i * n + j] = (l).max(((r as i64)).min(((3.75e9f64 * 1e9) as i64)));
            y_u64[i * n + j] = (((x_f64[(i + 1) * n + j]).abs().sqrt()).ceil() as u64);
            y_u8[i * n + j] = x_u8[(i + 1) * n + j];
            y_i8[i * n + j] ^= ((if ((m % 3)) == ((m % 4)) { 28i16 } else { q }) as i8);
            y_i16[i * n + j] = (!(((((-7i16)).wrapping_sub(q)) >> ((x_i16[i]).wrapping_sub(q) & 7))));
            y_u16[i * n + j] = ((x_f64[i * n + j] as u8) as u16);
        }
        let t6: u32 = h2_1((if (x_f32[n / 2]) != ((a).abs().sqrt()) { (m | m) } else { m }), (((t1 * 1e9) as u64) / (((m / ((m & 7) + 1)) & 7) + 1)));
        y_u32[i] = y_u32[i].wrapping_mul(3).wrapping_add(c);
        ((((b * 1e9) as u64) / ((x_u64[i + 1] & 7) + 1)) ^ x_u32[n / 2] as u64 ^ x_i64[i] as u64 ^ x_i8[n / 2] as u64 ^ x_u16[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t3(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: u32 = h3_0((x_i16[(i + 1) * n + n / 2] & ((q) << (q & 7))), ((((c) >> (c & 7))).wrapping_sub((k as u32)) as usize), (((x_i16[(i - 1) * n + n / 2]) >> (69i16 & 7)) | ((b * 1e9) as i16)));
        let t2: i32 = ((((k) << (k & 7))).max((!(x_i32[i * n + n / 2]))) % (((if (((a * 1e9) as i8)) >= ((p % 8)) { (k ^ k) } else { (-78i32) }) & 7) + 9));
        let mut t3 = [(x_i16[i * n + n / 2]).min((if ((1.5f32).min(a)) != ((a).floor()) { q } else { q })); 4];
        for t4 in 0..4usize {
            t3[t4] = x_i16[i * n + n / 2];
        }
        let t5 = t3[2];
        let mut t6: f32 = f32::MIN;
        for j in 1..n - 1 {
            let mut t7 = [((r as i8) / 6); 4];
            for t8 in 0..4usize {
                t7[t8] = ((if ((11i8 | p)) == ((if (((x_f32[(i - 1) * n + j] * 1e9) as i32)) > (48i32) { p } else { 50i8 })) { x_u32[j] } else { t1 }) as i8);
            }
            let t9 = t7[2];
            y_f32[i * n + j] = y_f32[i * n + j].max(0.75e9f32);
            y_u32[i * n + j] = c;
            y_i64[i * n + j] = x_i64[i * n + j];
            y_u64[i * n + j] = (((c / ((c & 7) + 1)) / 4) as u64);
            y_u8[i * n + j] = (if ((a as u64)) != (((m) << (m & 7))) { (((if ((q / 1)) >= ((q % ((q & 7) + 9))) { b } else { x_f64[i + 1] }) * 1e9) as u8) } else { ((x_f64[i] - b) as u8) });
            y_i16[i * n + j] = (((b).min(b)).max((b * b)) as i16);
            t6 = t6.max(((a / (a + 3.5)) - (a).abs().sqrt()));
        }
        let mut t10: i64 = 0;
        for j in 0..n {
            t10 += l & 1;
        }
        let t11: u16 = h3_1((c as usize), (t1).wrapping_mul((3u32 ^ h3_0(t5, (x_u32[n / 2] as usize), t5))), x_i16[i * n + n / 2], ((!(m)) as u64));
        y_f64[i] = (((x_i16[(i + 1) * n + n / 2]).wrapping_add(q) as i64) as f64);
        y_i32[i] = ((t6).floor() as i32);
        y_i8[i] = (((o).min(o) ^ o) as i8);
        y_u16[i] = y_u16[i].wrapping_mul(3).wrapping_add(((x_i32[(i - 1) * n + n / 2]).min(17i32) as u16));
        ((((a).mul_add(t6, 0.25) * 1e9) as u64) ^ x_u64[(i - 1) * n + n / 2] as u64 ^ x_u8[i * n + n / 2] as u64 ^ x_i8[(i - 1) * n + n / 2] as u64 ^ x_u16[n / 2] as u64) & 0xffff
    }
    pub fn t4(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        if ((k).min((k).min(k))) != ((k / 4)) {
            let t1: f64 = h4_0(((if (q) <= (x_i16[i]) { p } else { x_i8[i * n + n / 2] }) ^ ((x_i8[(i - 1) * n + n / 2]) << (p & 7))));
        } else {
            let mut t2: u64 = ((77u64) >> ((m / 7) & 7));
        }
        let t3: i8 = ((((p).wrapping_add(p)) << ((p).min(p) & 7)) ^ x_i8[(i + 1) * n + n / 2]);
        for j in 1..n - 1 {
            y_f32[i * n + j] = ((if ((a).floor()) < ((a).mul_add(a, 0.25)) { (x_u16[i * n + j] / 8) } else { (!(x_u16[i * n + j])) }) as f32);
        }
        let mut t5: i16 = i16::MIN;
        for j in 0..n {
            let mut t6 = [(0.5f64 + h4_0(t3)); 4];
            for t7 in 0..4usize {
                t6[t7] = ((q as u8) as f64);
            }
            let t8 = t6[3];
            let t9: f64 = h4_0((((0.5f64 + h4_0(t3)) * 1e9) as i8));
            if ((q as u8)) <= (49u8) { y_f64[i * n + j] = ((((34u16).wrapping_add(x_u16[(i - 1) * n + j])) >> ((r / 4) & 7)) as f64); }
            y_i32[i * n + j] = k;
            if (x_u32[i * n + j]) != ((x_u32[(i + 1) * n + j]).min(c)) { y_u32[i * n + j] = (t9 as u32); }
            if ((if ((!(p))) > ((t3 / 2)) { o } else { x_u8[j] })) <= ((if ((r / 1)) != ((x_i32[j] as u16)) { 89u8 } else { o })) { y_i64[i * n + j] = ((((q % 7)) >> ((33i16 % 6) & 7)) as i64); }
            y_u8[i * n + j] = y_u8[i * n + j].wrapping_mul(3).wrapping_add((i32::MAX as u8));
            y_i8[i * n + j] = y_i8[i * n + j].wrapping_mul(3).wrapping_add((k as i8));
            if (q) == (q) { y_u16[i * n + j] = ((((0.5f64 + h4_0(i8::MAX)) as u16)) << ((((-(a)) * 1e9) as u16) & 7)); }
            t5 = t5.max(((x_i16[i + 1]).wrapping_add(x_i16[i + 1]) % (((if ((!(x_i64[i * n + j]))) >= (l) { q } else { q }) & 7) + 9)));
        }
        let t10: f64 = h4_0(t3);
        y_u64[i] = y_u64[i].wrapping_mul(3).wrapping_add((if ((if ((x_f64[n / 2]).trunc()) >= ((x_f64[n / 2]).mul_add(x_f64[n / 2], 0.25)) { c } else { c })) != ((if ((t3).wrapping_sub(x_i8[i * n + n / 2])) < (((x_i8[i * n + n / 2]) << (t3 & 7))) { u32::MIN } else { c })) { ((m / ((21u64 & 7) + 1)) % 2) } else { ((if ((m).wrapping_sub(m)) != ((m | x_u64[i * n + n / 2])) { m } else { 77u64 }) / ((m & 7) + 1)) }));
        if (((t10 * 1e9) as i16)) != ((t5 % 7)) { y_i16[i] = ((((t3 as f64) * 1e9) as i64) as i16); }
        ((((m).wrapping_mul(m)) >> (((x_f64[n / 2] * 1e9) as u64) & 7)) ^ x_f32[(i + 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t5(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 5 {
            t1 += 1;
            if h5_0(o, l, k, 3.75e9f32) { break; }
            let mut t2 = 0u32;
            while t2 < 4 {
                t2 += 1;
                if h5_0(x_u8[n / 2], l, x_i32[n / 2], a) { break; }
                let t3: i32 = ((k) >> ((if (((x_f64[i * n + n / 2] * 1e9) as i8)) >= (((x_i8[i * n + n / 2]) << (p & 7))) { (k).min(x_i32[n / 2]) } else { (k % 8) }) & 7));
                let t4: bool = h5_0(((x_u8[n / 2] % 4)).min((if h5_0(o, l, x_i32[n / 2], a) { o } else { o })), ((!(l))).max((l | x_i64[(i - 1) * n + n / 2])), ((k % (((-76i32) & 7) + 9)) & x_i32[n / 2]), (-((a + a))));
            }
        }
        for j in 0..n {
            y_f64[i * n + j] = y_f64[i * n + j] * 0.5 - (((x_f64[i * n + j] * b)).abs()).mul_add(((2.75e9f64).mul_add(b, 0.25)).min((b + b)), 0.25);
            if (x_u16[i + 1]) >= ((!(r))) { y_i32[i * n + j] = ((if ((x_i64[(i - 1) * n + j] as i32)) <= ((k).wrapping_sub(k)) { (b).mul_add(b, 0.25) } else { (b - x_f64[i * n + j]) }) as i32); }
            y_u32[i * n + j] &= ((((-(a)) * (-(a))) * 1e9) as u32);
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add((!(((m).wrapping_mul(m) / 2))));
        }
        for j in (0..n).step_by(2) {
            if ((((a).abs().sqrt() * 1e9) as u64)) >= ((!(m))) {
            } else {
                let t7: i64 = x_i64[(i + 1) * n + j];
                let mut t8: u16 = (((r).wrapping_mul(r)).wrapping_sub((x_u16[i + 1]).wrapping_sub(r)) % 8);
            }
            y_u8[i * n + j] = y_u8[i * n + j].wrapping_mul(3).wrapping_add((o / ((((if ((!(x_u8[j]))) == (o) { 12i32 } else { x_i32[j] }) as u8) & 7) + 1)));
            y_i16[i * n + j] = (((!(((a * 1e9) as i16)))) << ((((1.125f32 * 1e9) as i16) ^ (x_i16[i + 1] % 9)) & 7));
            y_u16[i * n + j] = (!((((a * 1e9) as u16)).wrapping_mul((r % 7))));
        }
        let t9: bool = h5_0(((o).min(o) / (((o % 7) & 7) + 1)), (((l % 1)) << (43i64 & 7)), (x_i32[n / 2]).wrapping_mul((if h5_0(o, l, k, a) { k } else { k })), a);
        y_f32[i] = y_f32[i].max(((if h5_0(o, x_i64[(i - 1) * n + n / 2], k, a) { (3.75e9f32).ceil() } else { (a).min(a) })).min((t1 as f32)));
        y_i64[i] |= ((((a - 1.5f32) as i64)) << (((!(q)) as i64) & 7));
        y_i8[i] = (((!(q)) % ((i16::MIN & 7) + 9)) as i8);
        (m ^ x_f32[(i - 1) * n + n / 2] as u64 ^ x_u32[n / 2] as u64 ^ x_u64[(i + 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t6(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: [u16; 4] = [(r / ((r & 7) + 1)), (!(r)), r, (r / ((r & 7) + 1))];
        let t2: i16 = h6_0(((b).max(b) * (-(b))), &t1, (true == (((m).min(m)) <= (x_u64[(i - 1) * n + n / 2]))));
        let mut t3: i16 = 0;
        for j in 1..n - 1 {
            y_f32[i * n + j] = y_f32[i * n + j] * 0.5 - x_f32[i];
            y_u32[i * n + j] = ((((c ^ c)).max(((b * 1e9) as u32))) >> ((!((x_u32[j]).wrapping_sub(c))) & 7));
            y_i64[i * n + j] = ((!((if ((x_f64[(i - 1) * n + j]).max(b)) < ((b).mul_add(x_f64[i * n + j], 0.25)) { x_i16[(i + 1) * n + j] } else { q }))) as i64);
            if ((p ^ p)) != (((p) >> (p & 7))) { y_u64[i * n + j] = (((m).wrapping_sub(x_u64[(i - 1) * n + j]) / ((((m) << (m & 7)) & 7) + 1)) as u64); }
            y_i16[i * n + j] = (((!((l as i16)))) >> (((if ((p).wrapping_sub(p)) > ((p).max(p)) { x_u32[j] } else { c }) as i16) & 7));
            t3 += q & 1;
        }
        let mut t4: f64 = f64::MAX;
        for j in (0..n).step_by(2) {
            y_u16[i * n + j] ^= (r).min(r);
            t4 = t4.min(((x_f64[(i - 1) * n + j] / (b + 3.5)) + (x_f64[(i + 1) * n + j] as f64)));
        }
        let t5: [u16; 4] = [(!(r)), ((x_u16[(i - 1) * n + n / 2]) >> (r & 7)), (r / 9), (x_u16[i * n + n / 2] ^ r)];
        let t6: i16 = h6_0(((-(t4))).mul_add((x_f64[i * n + n / 2] / (x_f64[(i + 1) * n + n / 2] + 3.5)), 0.25), &t5, (true == (((r).wrapping_add(r)) != ((x_u16[i * n + n / 2] / ((r & 7) + 1))))));
        y_f64[i] = y_f64[i].max((t6 as f64));
        y_i32[i] = (((a).min(x_f32[i]) * (a - a)) as i32);
        y_u8[i] = ((((m as u8)) << (((o) << (x_u8[n / 2] & 7)) & 7)) / ((((((u8::MAX - 33)) >> (x_u8[n / 2] & 7)) / (((!(o)) & 7) + 1)) & 7) + 1));
        y_i8[i] = (x_i16[i * n + n / 2] as i8);
        ((if (((0.0f64 * 1e9) as u8)) < (((o) << (x_u8[n / 2] & 7))) { (m).min(m) } else { (m / ((x_u64[(i + 1) * n + n / 2] & 7) + 1)) }) ^ x_i32[(i + 1) * n + n / 2] as u64 ^ x_i64[i * n + n / 2] as u64 ^ x_i8[(i + 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t7(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let mut t1: f32 = a;
        let t2: f64 = (((t1).mul_add(a, 0.25) - (x_f32[i + 1] - t1)) as f64);
        t1 = (-(0.0f32));
        for j in 0..n {
            let mut t4 = [x_i32[i * n + j]; 4];
            for t5 in 0..4usize {
                t4[t5] = k;
            }
            let t6 = t4[1];
            y_f64[i * n + j] = (x_u32[i + 1] as f64);
            if ((a / (t1 + 3.5))) > ((a).abs().sqrt()) { y_i32[i * n + j] = (a as i32); }
            if ((93i32 as f32)) != ((-(3.125f32))) { y_i64[i * n + j] = (i8::MIN as i64); }
            if (l) < ((l % ((8i64 & 7) + 9))) { y_u64[i * n + j] = (((x_i64[i] / 6) / 5) as u64); }
            y_u8[i * n + j] = ((!((r as i64))) as u8);
            y_i8[i * n + j] = i8::MAX;
            if ((!(o))) >= (((o) >> (o & 7))) { y_i16[i * n + j] = q; }
            y_u16[i * n + j] ^= ((x_u16[i + 1] / 9) / (((if ((x_u64[i + 1]).min(x_u64[i + 1])) < ((!(m))) { (r).min(r) } else { (r ^ x_u16[i + 1]) }) & 7) + 1));
        }
        y_f32[i] = y_f32[i] * 0.5 - ((x_f32[i + 1]).abs().sqrt() + ((t1).abs()).floor());
        y_u32[i] = (m as u32);
        ((m).min((m / ((m & 7) + 1))) ^ x_f64[i] as u64 ^ x_u8[n / 2] as u64 ^ x_i8[i + 1] as u64 ^ x_i16[i + 1] as u64) & 0xffff
    }
    pub fn t8(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: u64 = (((m / ((m & 7) + 1)) ^ (if ((!(m))) >= ((if ((k).min(x_i32[i + 1])) != ((k).max(x_i32[i + 1])) { m } else { m })) { m } else { m })) | ((m).min(m) ^ ((m) << (m & 7))));
        for j in 1..n - 1 {
            y_i32[i * n + j] = ((i32::MAX / 3)).min(k);
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add(((k % (((!(k)) & 7) + 9)) as u64));
            if ((if ((if ((b * x_f64[(i + 1) * n + j])) < ((if (o) == ((o & x_u8[j])) { b } else { x_f64[(i - 1) * n + j] })) { q } else { x_i16[j] })) != ((k as i16)) { x_u16[i + 1] } else { r })) < ((if (b) < ((b + b)) { r } else { r })) { y_u8[i * n + j] = (o).wrapping_sub((((a * 1e9) as u8)).wrapping_mul((x_u8[j] / ((x_u8[j] & 7) + 1)))); }
            y_i8[i * n + j] ^= ((!((m).min(t1))) as i8);
            y_u16[i * n + j] &= (((!(k))).max(k) as u16);
        }
        let t3: [f64; 4] = [(x_u64[i + 1] as f64), (m as f64), (b).abs().sqrt(), b];
        let t4: u32 = h8_0(&t3);
        y_f32[i] = ((((x_f32[i + 1]).abs().sqrt() * 1e9) as i8) as f32);
        y_f64[i] = ((-((a).min(a))) as f64);
        if (x_i64[(i - 1) * n + n / 2]) < (((l) << (x_i64[(i - 1) * n + n / 2] & 7))) { y_u32[i] = (1.5f32 as u32); }
        y_i64[i] = l;
        y_i16[i] |= x_i16[n / 2];
        ((((m).max(x_u64[i])) >> ((t1).wrapping_mul(m) & 7)) ^ x_u32[i] as u64 ^ x_i8[(i - 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t9(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let mut t1: i64 = ((x_f32[i * n + n / 2] * 1e9) as i64);
        t1 ^= (((a).ceil() * 1e9) as i64);
        let mut t2: i8 = i8::MIN;
        for j in 0..n {
            let t3: u64 = match ((if (m) == ((if ((c | c)) <= ((c).wrapping_sub(c)) { m } else { m })) { c } else { x_u32[i * n + j] })).max((!((u32::MAX - 33)))) % 6 {
                0 => (3u64 ^ h9_1(r, (true == ((((b * 1e9) as i8)) == ((p & p)))))),
                1 | 4 => (m | m),
                2..=3 => (3u64 ^ h9_1((if ((0.5f32 / (x_f32[i * n + j] + 3.5))) <= ((a).mul_add(a, 0.25)) { 0u16 } else { x_u16[i] }), (true == (((b / (x_f64[i * n + j] + 3.5))) < ((-(0.5f64))))))),
                _ => {
                    (3u64 ^ h9_1((3u16 ^ h9_0(k, (x_u32[(i - 1) * n + j] as usize), 11u8)), (true == ((((q) << (q & 7))) != ((!(x_i16[i + 1])))))))
                }
            };
            let t4: i64 = x_i64[(i - 1) * n + j];
            t2 = t2.max(((q % ((q & 7) + 9)) as i8));
        }
        let mut t5: u32 = u32::MAX;
        for j in (0..n).step_by(2) {
            let t6: u8 = match (c).wrapping_sub((if (b) == (b) { c } else { c })) % 6 {
                0 => (o | (x_u8[j] | o)),
                1 | 4 => (((x_u8[j]) << (x_u8[j] & 7))).min((x_u8[j] / ((o & 7) + 1))),
                2..=3 => ((11u8 / ((o & 7) + 1)) / (((x_u8[j]).wrapping_add(o) & 7) + 1)),
                _ => {
                    let mut t7: i8 = ((!((x_i32[i] ^ k))) as i8);
                    ((!(o)) / 6)
                }
            };
            y_f32[i * n + j] = (a).abs().sqrt();
            y_i64[i * n + j] = y_i64[i * n + j].wrapping_mul(3).wrapping_add((((x_i32[i] % ((x_i32[i + 1] & 7) + 9)) as u8) as i64));
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add((((a / (a + 3.5))).max((a).mul_add(a, 0.25)) as u64));
            y_i8[i * n + j] |= (((if ((k & k)) > ((x_i32[i]).min(k)) { b } else { x_f64[(i - 1) * n + j] })).max(x_f64[i * n + j]) as i8);
            y_i16[i * n + j] = (u32::MAX as i16);
            y_u16[i * n + j] = ((-((a / (a + 3.5)))) as u16);
            t5 = t5.min(((((b * 1e9) as u32)) >> ((c).max(x_u32[(i - 1) * n + j]) & 7)));
        }
        let t8: u64 = h9_1((((3u16 ^ h9_0(k, (c as usize), o))) << (((r) << (r & 7)) & 7)), (true == (((!(x_u64[n / 2]))) > ((3u64 ^ h9_1(r, (true == (((x_u16[i] | r)) > (r)))))))));
        y_f64[i] = y_f64[i].max(((r).wrapping_add(r) as f64));
        y_i32[i] = (if (k) <= (((k) >> (k & 7))) { (if ((3u64 ^ h9_1(x_u16[i + 1], (true == (((t2 ^ p)) > ((!(p)))))))) < ((t8).wrapping_mul(m)) { (k as i32) } else { (!(k)) }) } else { k });
        if (k) == ((x_i32[i + 1]).wrapping_add(x_i32[i])) { y_u32[i] = ((((!(t1))) << (((x_f64[(i - 1) * n + n / 2] * 1e9) as i64) & 7)) as u32); }
        y_u8[i] = ((3u16 ^ h9_0(((x_i32[i]) << (x_i32[i] & 7)), ((x_u32[(i - 1) * n + n / 2]).wrapping_add(t5) as usize), (o).max(x_u8[n / 2]))) as u8);
        (((t8).wrapping_sub(x_u64[n / 2]) % 5) ^ x_i8[i * n + n / 2] as u64) & 0xffff
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
