// Made by `generate_typed.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_with_helpers! {
helpers {
    pub fn h10_0(t1: u8, mut t2: i64) -> bool {
        for t3 in 0u8..5u8 {
            let t4: i32 = match (t2 as u32) % 6 {
                0 => 59i32,
                1 | 4 => (t1 as i32),
                2..=3 => ((t3 as i32) % ((14i32 & 7) + 9)),
                _ => {
                    let mut t5: i32 = ((((t2 as i32)) << ((!((t3 as i32))) & 7)) ^ (((3.0f64).abs().sqrt() * 1e9) as i32));
                    ((((t2 as f64) + (t2 as f64)) * 1e9) as i32)
                }
            };
            let t6: i16 = match (t3 as u32) % 6 {
                0 => (((-25i16)).wrapping_add((t2 as i16)) | (t2 as i16)),
                1 | 4 => (((t3 as i16) % (((t4 as i16) & 7) + 9)) ^ ((t3 as i16) / 8)),
                2..=3 => (((t3 as i16) % 4) & ((t1 as i16)).min((-5i16))),
                _ => {
                    t2 ^= (t2).wrapping_add(((t1 as i64) / 4));
                    29i16
                }
            };
        }
        if ((t2 as u64)) != (((u64::MAX) >> ((t2 as u64) & 7))) && (((t2 as i16)).wrapping_mul((t1 as i16))) == ((93i16 % 1)) { return (((t1 as i8)) <= (((t2 as i32) as i8)) || ((!(t1))) > ((((u8::MAX - 13)) << (8u8 & 7)))); }
        (((t1 as u32)) == ((t1 as u32)) || (((t2 as u32)).wrapping_sub((t1 as u32))) >= ((t1 as u32)))
    }
    pub fn h10_1(t1: i32, t2: usize) -> u8 {
        let mut t3 = 0u32;
        while t3 < 2 {
            t3 += 1;
            if (((((t2 as i8) as f32) * 1e9) as u32)) < ((((t2 as i8) as u32) / ((((t2 as i8) as u32) & 7) + 1))) { continue; }
            let t4: f64 = match (if (((t1 as i16)).wrapping_sub(((t2 as i8) as i16))) <= ((6i16 ^ (-87i16))) { (((t2 as i8) as u32)).max(((t2 as i8) as u32)) } else { ((t1 as u32) / ((((t2 as i8) as u32) & 7) + 1)) }) % 6 {
                0 => (((t2 as i8) as f64) * (((t2 as i8) as f64)).mul_add((t1 as f64), 0.25)),
                1 | 4 => ((-(1.125f64)) * (3.5f64).trunc()),
                2..=3 => ((1.0f64 / (0.75e9f64 + 3.5))).mul_add(((t1 as f64)).abs(), 0.25),
                _ => {
                    let t5: bool = h10_0(u8::MIN, (((t1 as i64) % ((((t2 as i8) as i64) & 7) + 9)) % ((i64::MAX & 7) + 9)));
                    ((0.75e9f64).ceil() * (0.75e9f64).mul_add(1.75e9f64, 0.25))
                }
            };
        }
        (if h10_0((t1 as u8), i64::MIN) { (t3 as u8) } else { ((((t3 as f64)).abs().sqrt() * 1e9) as u8) })
    }
    pub fn h11_0(t1: bool, t2: u8) -> i64 {
        let t3: u32 = (!(((u32::MAX - 67)).max((u32::MIN).wrapping_add((t2 as u32)))));
        if (((t3 / ((t3 & 7) + 1)) ^ (((t2 as f64) * 1e9) as u32))) <= ((t2 as u32)) { return ((if t1 { 1u64 } else { 6u64 }) as i64); }
        (if (((t2 as i16) ^ (-43i16))) < ((((t3 as i16)) << (((if t1 { 1u64 } else { 6u64 }) as i16) & 7))) { ((((t3 as i64)) >> (49i64 & 7)) / 3) } else { ((t3 as i64) | (if ((if ((3i64 as u32)) != (((if t1 { 1u64 } else { 6u64 }) as u32)) { (t2 as i64) } else { 56i64 })) == (((t2 as i64) ^ (t2 as i64))) { (t3 as i64) } else { ((if t1 { 1u64 } else { 6u64 }) as i64) })) })
    }
    pub fn h11_1(t1: usize, t2: i32, t3: &[f64; 4]) -> u64 {
        let t4: i64 = h11_0((true == ((((t3[3] as u8)).wrapping_add((t2 as u8))) == ((!((t3[0] as u8)))))), (!((((t2 as u8)) << (88u8 & 7)))));
        if ((t3[0] as u8)) != ((10u8).min((t3[0] as u8))) { return (((((t3[0] * 1e9) as u64)) << (((t3[3] as u64) / (((t4 as u64) & 7) + 1)) & 7)) ^ ((((t3[3] as u64) | (t3[3] as u64))) << (u64::MIN & 7))); }
        ((t1 as i16) as u64)
    }
    pub fn h11_2(t1: f32, mut t2: i8) -> i64 {
        t2 |= ((((-93i8)) >> (t2 & 7)) / 7);
        let mut t3: i16 = ((t2 as i16)).max(79i16);
        ((t3 as i64) & (((16i64).wrapping_add(i64::MIN)) << (((t1 as i64)).min((t1 as i64)) & 7)))
    }
    pub fn h12_0(t1: i64, t2: [i64; 4]) -> u16 {
        let mut t3 = [(((t2[0] as f32)).abs().sqrt() as i8); 4];
        for t4 in 0..4usize {
            t3[t4] = (!((t1 as i8)));
        }
        let t5 = t3[3];
        let mut t6: i16 = ((((t1 as u32) as i16) / 6) % ((((7i16).min((t1 as i16)) | ((t2[0] as i16) ^ i16::MAX)) & 7) + 9));
        for t7 in 2i32..=5i32 {
            let t8: f32 = ((if (((t5 as i32)).min(33i32)) < ((t7 % ((t7 & 7) + 9))) { ((t6 as f32) * (t5 as f32)) } else { (if ((!((t2[0] as u64)))) == ((t5 as u64)) { (t2[0] as f32) } else { (t1 as f32) }) })).mul_add(2.75e9f32, 0.25);
            let mut t9 = 0u32;
            while t9 < 2 {
                t9 += 1;
                if (((t5 as i8) as i32)) == ((t2[3] as i32)) { break; }
                let mut t10: f64 = (if ((t7 / 3)) >= (((t7 as i32) % ((t7 & 7) + 9))) { (((t2[3] as f64)).abs().sqrt() - (t8 as f64)) } else { (((t5 as f64)).trunc()).max(((t2[3] as f64)).trunc()) });
                t10 *= (((t2[3] as f64) / ((t2[3] as f64) + 3.5))).abs().sqrt();
            }
        }
        if ((((t6 as u8)).min(((t6 as u8) / (((t2[3] as u8) & 7) + 1)))) == ((if (((t5 as u32)).wrapping_mul((t2[0] as u32))) == (((t6 as u32)).max((t2[3] as u32))) { (t2[0] as u8) } else { (t2[3] as u8) })) || (((1.125f64 * 1e9) as u8)) < (((t1 as u8) | (t5 as u8)))) { return (((t1 as f64) * 1e9) as u16); }
        (((t6 as u16)) << ((((u16::MAX - 19)).wrapping_mul((t2[0] as u16)) | (!(82u16))) & 7))
    }
    pub fn h12_1(mut t1: f64, t2: f32) -> i8 {
        let t3: [i64; 4] = [((t2 as i64) & (t2 as i64)), (i64::MAX % 9), ((t2 * 1e9) as i64), ((t2 as i64) % 1)];
        let t4: u16 = h12_0(((((t1 as i64) % ((82i64 & 7) + 9))) >> ((if (((t1 as i8)).min((t1 as i8))) == (((97i8) << ((t2 as i8) & 7))) { (t1 as i64) } else { (t2 as i64) }) & 7)), t3);
        let t5: i64 = (!(57i64));
        t1 += (t2 as f64);
        26i8
    }
    pub fn h12_2(t1: bool) -> u16 {
        let mut t2 = [((if t1 { 1i8 } else { 6i8 }) % ((((if t1 { 1i8 } else { 6i8 })).wrapping_sub(((if t1 { 1i8 } else { 6i8 }) as i8)) & 7) + 9)); 4];
        for t3 in 0..4usize {
            t2[t3] = (3i8 ^ h12_1((1.5f64).mul_add(((if t1 { 1i8 } else { 6i8 }) as f64), 0.25), 0.0f32));
        }
        let t4 = t2[2];
        let t5: i8 = h12_1((if (t4) != ((if t1 { 1i8 } else { 6i8 })) { (if (((t4 as u64) as i64)) == (((79i64) >> ((-84i64) & 7))) { ((if t1 { 1i8 } else { 6i8 }) as f64) } else { 0.0f64 }) } else { (((if t1 { 1i8 } else { 6i8 }) as f64) * ((if t1 { 1i8 } else { 6i8 }) as f64)) }), ((if t1 { 1i8 } else { 6i8 }) as f32));
        let mut t6: u16 = ((if t1 { 1i8 } else { 6i8 }) as u16);
        if (((((t4 as f32)).mul_add(((if t1 { 1i8 } else { 6i8 }) as f32), 0.25) * 1e9) as i64)) < (((if t1 { 1i8 } else { 6i8 }) as i64)) && ((((if t1 { 1i8 } else { 6i8 }) as f32)).abs().sqrt()) < ((if (((87i16) >> ((t6 as i16) & 7))) == ((-23i16)) { ((if t1 { 1i8 } else { 6i8 }) as f32) } else { 3.0f32 })) { return (!(((t6 / ((t6 & 7) + 1))).min((t6 / ((t6 & 7) + 1))))); }
        (if (((t6 as f64)).abs().sqrt()) > (((t5 as f64) as f64)) { 14u16 } else { t6 })
    }
    pub fn h13_0(t1: i8, mut t2: i64) -> u32 {
        t2 |= t2;
        (((1.5f32).trunc() * 1e9) as u32)
    }
    pub fn h13_1(t1: &[u64; 4], t2: usize, t3: bool, t4: u8) -> u8 {
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if (((-93i32) % (((t4 as i32) & 7) + 9))) >= ((((if t3 { 1u8 } else { 6u8 }) as i32)).max(((if t3 { 1u8 } else { 6u8 }) as i32))) { continue; }
            let t6: u32 = h13_0((if ((3u32 ^ h13_0((t4 as i8), (t1[3] as i64)))) > (((t1[0] as u32) / (((t4 as u32) & 7) + 1))) { (if (((t4 as i64)).wrapping_add((t1[0] as i64))) != ((!(57i64))) { ((if t3 { 1u8 } else { 6u8 }) as i8) } else { ((if t3 { 1u8 } else { 6u8 }) as i8) }) } else { (i8::MIN).max(((if t3 { 1u8 } else { 6u8 }) as i8)) }), (!((if ((-(3.25e-3f64))) == ((1.0f64 / (((if t3 { 1u8 } else { 6u8 }) as f64) + 3.5))) { ((if t3 { 1u8 } else { 6u8 }) as i64) } else { ((if t3 { 1u8 } else { 6u8 }) as i64) }))));
        }
        let t7: u32 = h13_0((t4 as i8), (!(((2.25e-3f64 * 1e9) as i64))));
        (t7 as u8)
    }
    pub fn h13_2(t1: i16) -> f64 {
        let t2: [u64; 4] = [(((t1 as f32) * 1e9) as u64), ((t1 as u64) % 7), ((t1 as u64) ^ (t1 as u64)), (t1 as u64)];
        let t3: u8 = h13_1(&t2, (((3u32 ^ h13_0((t1 as i8), (t1 as i64))) ^ (t1 as u32)) as usize), (true == (((3u32 ^ h13_0((t1 as i8), (t1 as i64)))) != ((t1 as u32)))), (!((t1 as u8))));
        if ((((t1 as u16) % 5) | ((t3 as u16)).wrapping_sub((t3 as u16)))) != (((t1 as i16) as u16)) { return ((-(((t3 as f64) / ((t1 as f64) + 3.5))))).min(1.25e-3f64); }
        ((((t3 as i8) as f64)).abs().sqrt() / (2.125f64 + 3.5))
    }
    pub fn h14_0(t1: u32, t2: f32, t3: &[i8; 4]) -> i8 {
        let mut t4 = [0.25e-3f64; 4];
        for t5 in 0..4usize {
            t4[t5] = (((t1 as f64)).mul_add(2.0f64, 0.25) - (t2 as f64));
        }
        let t6 = t4[2];
        t3[0]
    }
    pub fn h14_1(t1: usize) -> f64 {
        let mut t2: i8 = (((t1 as f32) as i8) % 4);
        let mut t3 = [(t2 as i64); 4];
        for t4 in 0..4usize {
            t3[t4] = (((t2 as i64) % ((((t1 as f32) as i64) & 7) + 9)) / 5);
        }
        let t5 = t3[3];
        for t6 in 2usize..2usize {
            t2 = (((2.125f64).max(0.5f64) * 1e9) as i8);
        }
        (((-((t5 as f64)))).mul_add((-(2.0f64)), 0.25)).min((if (((t5 as u8) as i64)) != ((!(t5))) { (78u16 as f64) } else { (0.5f64).mul_add(1.5f64, 0.25) }))
    }
    pub fn h15_0(mut t1: f32, t2: usize, t3: bool, t4: [i64; 4]) -> i8 {
        let mut t5: i64 = (if (((t1 as u64) ^ (t1 as u64))) >= (((t4[3] as u64)).max((u64::MAX - 52))) { (1.25e-3f64 as i64) } else { (if ((if ((32i16).wrapping_mul((t2 as i16))) >= (((t4[0] as u8) as i16)) { 0.125f64 } else { ((t2 as i16) as f64) })) <= ((1.5f64 + 1.5f64)) { (38i64 % (((t1 as i64) & 7) + 9)) } else { (if ((t1 as i32)) >= (90i32) { t4[0] } else { t4[3] }) }) });
        ((57i8 % (((((t3 as u8 as f32) * 1e9) as i8) & 7) + 9))).min((!((t1 as i8))))
    }
    pub fn h15_1(mut t1: [i8; 4], t2: &[u64; 4], t3: f32) -> u64 {
        let mut t4: i64 = (!((((9i64).max(i64::MIN)) >> (((t1[3] as i64)).max((t1[0] as i64)) & 7))));
        if (((if (((t3 as f64) / (3.125f64 + 3.5))) < ((0.75e9f64).min((t3 as f64))) { (t1[0] as u32) } else { (t1[3] as u32) }) as f32)) > ((t3 - t3)) && (t2[0]) <= (((t3 * 1e9) as u64)) { return ((!(((t1[0] as i64)).max((t4 as i64)))) as u64); }
        (t2[3] as u64)
    }
    pub fn h15_2(t1: i8, t2: u8, t3: bool) -> f32 {
        let mut t4 = 0u32;
        while t4 < 5 {
            t4 += 1;
            if ((((if t3 { 1u16 } else { 6u16 }) as u64)).wrapping_mul((t2 as u64))) < ((!(u64::MIN))) { continue; }
            let t5: [i8; 4] = [(if ((t1 / 3)) <= (((t1) >> ((t1 as i8) & 7))) { t1 } else { t1 }), (!(i8::MIN)), (t1).min((t1 as i8)), (t1 % ((t1 & 7) + 9))];
            let t6: [u64; 4] = [(((if t3 { 1u16 } else { 6u16 }) as i64) as u64), (((t2 as f32) * 1e9) as u64), ((t2 as u64) & (t2 as u64)), ((t1 as u64) & ((if t3 { 1u16 } else { 6u16 }) as u64))];
            let t7: u64 = h15_1(t5, &t6, (if ((((if t3 { 1u16 } else { 6u16 }) as i32) % (((t1 as i32) & 7) + 9))) >= ((68i32 % 9)) { (((if t3 { 1u16 } else { 6u16 }) as f32) / (((if t3 { 1u16 } else { 6u16 }) as f32) + 3.5)) } else { (if ((((t1 as f64) * 1e9) as i64)) != ((((if t3 { 1u16 } else { 6u16 }) as i64) % 5)) { ((if t3 { 1u16 } else { 6u16 }) as f32) } else { (t2 as f32) }) }));
        }
        let t8: [i8; 4] = [((t1 as i8) % 6), (t1 / 7), (if (((if t3 { 1u16 } else { 6u16 }) as i16)) <= ((2.125f32 as i16)) { t1 } else { (t1 as i8) }), (t1).min((t2 as i8))];
        let t9: [u64; 4] = [(t1 as u64), ((t2 as u64) / 2), ((((if t3 { 1u16 } else { 6u16 }) as f32) * 1e9) as u64), (((t4 as f32) * 1e9) as u64)];
        let t10: u64 = h15_1(t8, &t9, (t2 as f32));
        if ((if (u64::MIN) <= (((if t3 { 1u16 } else { 6u16 }) as u64)) { ((if t3 { 1u16 } else { 6u16 }) as u8) } else { (if ((((t1 as f64) * 1e9) as u16)) >= (u16::MIN) { u8::MAX } else { ((if t3 { 1u16 } else { 6u16 }) as u8) }) })) != ((if (((t10 as i32) & ((if t3 { 1u16 } else { 6u16 }) as i32))) < (((t1 as i32) ^ (t2 as i32))) { (t10 as u8) } else { (t10 as u8) })) && ((t10 / ((t10 & 7) + 1))) > ((t10).wrapping_mul(t10)) { return (t10 as f32); }
        ((if t3 { 1u16 } else { 6u16 }) as f32)
    }
    pub fn h16_0(t1: i32, mut t2: i8, t3: u32, mut t4: i8) -> i32 {
        t2 = (if ((-((t4 as f64)))) <= ((0.0f64).mul_add(0.25e-3f64, 0.25)) { (t2 % (((t3 as i8) & 7) + 9)) } else { (!((t3 as i8))) });
        let t5: f64 = (t3 as f64);
        for t6 in 2u8..=3u8 {
            let t7: i8 = (((t6).min((t2 as u8)) as i8) % (((((t5 as i8) & t4)).wrapping_mul((t3 as i8)) & 7) + 9));
        }
        if (((t2 as f32) as f32)) > (((t2 as f32)).abs().sqrt()) && ((43u8 / ((3u8 & 7) + 1))) <= ((t3 as u8)) { return (!((t4 as i32))); }
        ((t3 as i32) % ((((!(t3)) as i32) & 7) + 9))
    }
    pub fn h16_1(t1: [u64; 4], mut t2: [i32; 4]) -> i16 {
        if ((((t1[0] as u16) / 6)) != (((u16::MAX - 76) / ((87u16 & 7) + 1))) || ((3i32 ^ h16_0(t2[3], (t2[0] as i8), (t1[3] as u32), (t1[3] as i8)))) >= ((t1[0] as i32))) {
            let t3: u8 = (t2[3] as u8);
        } else {
            t2[0] ^= (((1.0f64 * 1e9) as u8) as i32);
            let mut t4: u32 = (t1[3] as u32);
        }
        let t5: u64 = (((t1[0]).max(t1[0]) & (t1[0]).max(t1[3])) / 4);
        let t6: i32 = h16_0((t2[0] as i32), (17i8 / 7), (((t2[0] as u32)).max((t2[3] as u32))).wrapping_sub((((t2[0] as u32)) << ((t1[0] as u32) & 7))), (!(((t2[3] as i8)).min((t2[3] as i8)))));
        (((t6 as f32) as i16) / 3)
    }
    pub fn h17_0(t1: usize) -> i64 {
        if (((((t1 as u64) as u16) / ((u16::MAX & 7) + 1))).wrapping_add((((t1 as u64) as u16) | u16::MIN))) == (78u16) && ((3u32 | ((t1 as u64) as u32))) <= (((((t1 as u64) as f32) * 1e9) as u32)) {
            let mut t2 = [(((t1 as u64) as i64)).wrapping_sub(((52i64) >> (((t1 as u64) as i64) & 7))); 4];
            for t3 in 0..4usize {
                t2[t3] = ((((t1 as u64) as i64)).min((-98i64))).max((i8::MIN as i64));
            }
            let t4 = t2[0];
        } else {
        }
        let mut t5 = 0u32;
        while t5 < 2 {
            t5 += 1;
            if ((((t1 as u64) as i8)).wrapping_mul(((t1 as u64) as i8))) < ((((t1 as u64) as i8)).wrapping_sub(92i8)) { break; }
            if ((!((((t1 as u64) as i8) | ((t1 as u64) as i8))))) < (((((t1 as u64) as i8)) << (((t1 as u64) as i8) & 7))) {
                let mut t6: i8 = (((if (94i64) == ((((t1 as u64) as i64) & ((t1 as u64) as i64))) { (if ((((t1 as u64) as f64) + ((t1 as u64) as f64))) != ((1u32 as f64)) { ((t1 as u64) as f64) } else { ((t1 as u64) as f64) }) } else { (-(((t1 as u64) as f64))) }) * 1e9) as i8);
            } else {
                let t7: i64 = (!(((t1 as u64) as i64)));
            }
            let t8: u64 = (!((((3.5f64 - 3.125f64) * 1e9) as u64)));
        }
        (t5 as i64)
    }
    pub fn h17_1(t1: f32, t2: bool, t3: bool, t4: bool) -> f32 {
        let mut t5 = [(((if t3 { 1i32 } else { 6i32 }) as u16) as u8); 4];
        for t6 in 0..4usize {
            t5[t6] = ((if t2 { 1u32 } else { 6u32 }) as u8);
        }
        let t7 = t5[2];
        if ((3i64 ^ h17_0((((((if t3 { 1i32 } else { 6i32 }) as u32)) << (4u32 & 7)) as usize)))) > (((t7 as i64)).max(97i64)) && ((if ((((if t3 { 1i32 } else { 6i32 }) as u16)).max(84u16)) == ((((if t3 { 1i32 } else { 6i32 }) as u16) / 1)) { (-44i64) } else { ((if t3 { 1i32 } else { 6i32 }) as i64) })) < ((67i64).max(((if t2 { 1u32 } else { 6u32 }) as i64))) { return (if ((!(((if t3 { 1i32 } else { 6i32 }) as u16)))) == ((73u16 / (((t7 as u16) & 7) + 1))) { ((t1).abs().sqrt() - (t1).min(t1)) } else { (t1).abs().sqrt() }); }
        ((t4 as u8 as f64) as f32)
    }
    pub fn h17_2(t1: [i8; 4], t2: usize, mut t3: i64) -> i64 {
        t3 ^= (3i64 ^ h17_0(((((t3 as f64) * 1e9) as u32) as usize)));
        for t4 in 2u8..=2u8 {
            if ((((((t2 as u8) as f32)).abs().sqrt() * 1e9) as i16)) >= ((((t1[3] as f32) * 1e9) as i16)) && ((((t2 as u8) as i16) / 3)) > (((t3 as f32) as i16)) {
                let t5: i8 = (((((t3 as f32) * 1e9) as u64) / 8) as i8);
                let t6: i64 = h17_0((52u32 as usize));
            } else {
                t3 ^= (3i64 ^ h17_0(((!((t4 as u32))) as usize)));
            }
            let mut t7: u32 = (((if ((t1[3] as i32)) < ((((t3 as i32)) >> (((t2 as u8) as i32) & 7))) { u32::MAX } else { ((((t2 as u8) as f32) * 1e9) as u32) })) >> ((((((t2 as u8) as u32)).wrapping_sub(u32::MIN)) >> (((t1[3] as u32)).wrapping_add((t4 as u32)) & 7)) & 7));
        }
        for t8 in 0i32..5i32 {
            let t9: u16 = ((((t3 as u16)).min((t8 as u16)) ^ (t1[3] as u16))).wrapping_mul(((if (((t1[0] as i8) / 1)) == ((if ((if ((!(t1[3]))) != (((t3 as i8) / 6)) { (t2 as u8) } else { (t8 as u8) })) >= (((u8::MAX - 17)).max((t2 as u8))) { t1[3] } else { t1[0] })) { (t8 as u16) } else { (t1[3] as u16) }) / 9));
        }
        ((3i64 ^ h17_0((((t1[3] as u32)).wrapping_add((t1[3] as u32)) as usize)))).wrapping_mul((3i64 ^ h17_0(((((t1[3] as f64) * 1e9) as u32) as usize))))
    }
    pub fn h18_0(mut t1: u16, t2: bool, t3: u8) -> u16 {
        let t4: i32 = match (((-(((if t2 { 1i16 } else { 6i16 }) as f32))) * 1e9) as u32) % 6 {
            0 => ((((if t2 { 1i16 } else { 6i16 }) as i32)).wrapping_sub((t3 as i32)) % (((((if t2 { 1i16 } else { 6i16 }) as f32) as i32) & 7) + 9)),
            1 | 4 => ((t1 as i32)).max((2u32 as i32)),
            2..=3 => (!(84i32)),
            _ => {
                t1 = t1;
                26i32
            }
        };
        let t5: i16 = match ((((t3 as u32)) >> (((if t2 { 1i16 } else { 6i16 }) as u32) & 7)) % 2) % 6 {
            0 => (((-57i16) / 4)).max(((t1 as i16) % ((i16::MIN & 7) + 9))),
            1 | 4 => (if ((((if t2 { 1i16 } else { 6i16 }) as f32)).min((t4 as f32))) <= (((t4 as f32)).mul_add(((if t2 { 1i16 } else { 6i16 }) as f32), 0.25)) { ((if t2 { 1i16 } else { 6i16 }) % (((if t2 { 1i16 } else { 6i16 }) & 7) + 9)) } else { (((if t2 { 1i16 } else { 6i16 })) >> ((if t2 { 1i16 } else { 6i16 }) & 7)) }),
            2..=3 => (((if t2 { 1i16 } else { 6i16 }) / 9)).wrapping_sub(((if t2 { 1i16 } else { 6i16 }) % (((t1 as i16) & 7) + 9))),
            _ => {
                let t6: i32 = ((t4 % (((t4).max(t4) & 7) + 9)) / 3);
                (((t4 as i16) % (((t6 as i16) & 7) + 9))).wrapping_sub(((if t2 { 1i16 } else { 6i16 })).min((if t2 { 1i16 } else { 6i16 })))
            }
        };
        (!((if ((((t4 as u32)) >> (28u32 & 7))) != (((3.125f32 * 1e9) as u32)) { (t1 / ((((if t2 { 1i16 } else { 6i16 }) as u16) & 7) + 1)) } else { t1 })))
    }
    pub fn h19_0(mut t1: u16, t2: u64, t3: i64, t4: i8) -> f64 {
        for t5 in 1usize..=5usize {
            let t6: u64 = (if (((t1 as f32)).abs().sqrt()) >= (((t3 as f32) / ((t3 as f32) + 3.5))) { (((t2 as u64) ^ 0u64) / ((((t1 as u8) as u64) & 7) + 1)) } else { (t2 % 7) });
            t1 |= (if (((i32::MIN) >> ((-83i32) & 7))) == ((!(i32::MIN))) { ((0.25e-3f32 * 1e9) as u16) } else { t1 });
        }
        let mut t7 = 0u32;
        while t7 < 4 {
            t7 += 1;
            if ((if (t1) < ((t1 / ((t1 & 7) + 1))) { 28i32 } else { (t1 as i32) })) >= (((t3 as i32) % 3)) { continue; }
            let mut t8 = [(!((((t1 as f32) * 1e9) as i32))); 4];
            for t9 in 0..4usize {
                t8[t9] = (((t3 as u32) as i32)).wrapping_add(((t2 as i32) % (((t3 as i32) & 7) + 9)));
            }
            let t10 = t8[2];
        }
        if ((((t7 as u16) | t1)) >= ((t1).wrapping_add(t1)) || ((0.125f32 / ((t2 as f32) + 3.5))) > ((t3 as f32))) {
            t1 |= ((u16::MIN / 2)).wrapping_add(((t1 as u16) / ((t1 & 7) + 1)));
        } else {
            if ((t4).wrapping_add(t4)) < ((if ((!((t1 as u64)))) != (t2) { 93i8 } else { t4 })) {
                let t11: f64 = (((-((t3 as f64)))).mul_add((t4 as f64), 0.25) / ((((t4 as f64)).abs().sqrt()).min(0.5f64) + 3.5));
            } else {
                t1 ^= t1;
                let t12: u64 = ((if (0.5f64) < ((-((t4 as f64)))) { (if ((t4 as u32)) > (((t1 as i64) as u32)) { (t4 as u64) } else { t2 }) } else { (t2).min(t2) })).min(((t2).wrapping_add((u64::MAX - 94))).wrapping_add((t2 / ((t2 & 7) + 1))));
            }
        }
        if (((98u64).wrapping_sub((u64::MAX - 96)) as u64)) > ((if ((t1).wrapping_mul(t1)) <= (t1) { t2 } else { (t3 as u64) })) { return (t4 as f64); }
        ((t3 as f64)).mul_add(((if ((u64::MAX - 3)) > ((if (((t2 as u16) / (((t2 as u16) & 7) + 1))) <= (t1) { t2 } else { 24u64 })) { 0.75e9f64 } else { (t1 as f64) })).min(((t2 as f64) + 2.0f64)), 0.25)
    }
    pub fn h19_1(mut t1: i64, t2: usize) -> u8 {
        for t3 in 0usize..3usize {
            let t4: u16 = match (!((if ((0.5f64 + h19_0((t2 as u16), 35u64, t1, 16i8))) < ((((t2 as u16) as f64) * (t1 as f64))) { (t1 as u32) } else { (t1 as u32) }))) % 6 {
                0 => ((t2 as u16) % 8),
                1 | 4 => (if (((u8::MAX - 55) / (((t1 as u8) & 7) + 1))) == ((!((t1 as u8)))) { ((((t2 as u16) as f32) * 1e9) as u16) } else { (((t2 as u16) as i16) as u16) }),
                2..=3 => (((if (((-54i32)).min((t1 as i32))) != (((t2 as u16) as i32)) { (t1 as f64) } else { (t1 as f64) }) * 1e9) as u16),
                _ => {
                    let t5: f64 = h19_0((!((((t2 as u16)) >> ((t2 as u16) & 7)))), (((if ((((t1 as u8)) << (((t2 as u16) as u8) & 7))) <= ((!((t1 as u8)))) { ((t2 as u16) as u64) } else { (t1 as u64) })) << (((t1 as u64) & ((t2 as u16) as u64)) & 7)), ((98i64) >> ((((t1 as f32) * 1e9) as i64) & 7)), (((((t2 as u16) as f64)).abs().sqrt() * 1e9) as i8));
                    ((((t2 as u16) as u16) % 9) % 6)
                }
            };
        }
        if (i16::MIN) == ((88i16).wrapping_add((t1 as i16))) { return (if (((t1 as f32) * ((t2 as u16) as f32))) == ((((t2 as u16) as f32)).mul_add((t1 as f32), 0.25)) { ((((t1 as u8) / ((((t2 as u16) as u8) & 7) + 1))) >> (((2.25e-3f64 * 1e9) as u8) & 7)) } else { (((t1 as i8) / 9) as u8) }); }
        (((t1 as i8) as u8) & (((t1 as u8) / 1) / 5))
    }
}
programs {
    pub fn t10(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: u8 = h10_1(x_i32[(i + 1) * n + n / 2], (((if h10_0(o, l) { c } else { c })).max((!(x_u32[i * n + n / 2]))) as usize));
        let mut t2: f32 = f32::MAX;
        for j in 0..n {
            y_f32[i * n + j] = (((x_f64[(i - 1) * n + j] * 1e9) as u64) as f32);
            y_f64[i * n + j] = (((x_i8[i] ^ p)).wrapping_add((!(p))) as f64);
            t2 = t2.min(((a - a)).max((a).mul_add(a, 0.25)));
        }
        for j in (0..n).step_by(2) {
            y_i32[i * n + j] = ((if ((c / ((c & 7) + 1))) == (x_u32[i * n + j]) { (t2 - x_f32[(i + 1) * n + j]) } else { (-(3.0f32)) }) as i32);
            if h10_0(o, l) { y_u8[i * n + j] = ((b).floor() as u8); }
            y_i8[i * n + j] = y_i8[i * n + j].wrapping_mul(3).wrapping_add((x_f64[i * n + j] as i8));
        }
        let t4: bool = h10_0((3u8 ^ h10_1((k).min(k), (c as usize))), (l).wrapping_sub((if (b) > (b) { l } else { l })));
        y_u32[i] = (((a / ((t2).min(3.5f32) + 3.5)) * 1e9) as u32);
        y_i64[i] = ((((r) >> (x_u16[i * n + n / 2] & 7))).wrapping_add((70i16 as u16)) as i64);
        y_u64[i] ^= (c as u64);
        y_i16[i] = y_i16[i].wrapping_mul(3).wrapping_add((((x_f64[(i - 1) * n + n / 2]).max(b)).abs() as i16));
        y_u16[i] = y_u16[i].wrapping_mul(3).wrapping_add((c as u16));
        ((((-(x_f32[i * n + n / 2])) * 1e9) as u64) ^ x_i64[i] as u64 ^ x_u64[i] as u64 ^ x_u8[i] as u64 ^ x_i16[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t11(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: i64 = h11_0((true == (((x_i8[(i + 1) * n + n / 2] % 8)) != (((x_i8[i * n + n / 2]) >> (p & 7))))), ((o).wrapping_mul(o)).max((44u8 / ((o & 7) + 1))));
        for j in 1..n - 1 {
            let mut t3 = [((x_i8[i * n + j] % ((i8::MIN & 7) + 9)) % 9); 4];
            for t4 in 0..4usize {
                t3[t4] = (((a * 1e9) as i8) % ((p & 7) + 9));
            }
            let t5 = t3[0];
            y_f32[i * n + j] = ((if ((!(t1))) == ((3i64 ^ h11_2(a, p))) { a } else { (3.125f32 * a) }) / (((a * a)).mul_add((a).abs().sqrt(), 0.25) + 3.5));
            y_f64[i * n + j] = y_f64[i * n + j].max((b * ((x_f64[(i + 1) * n + j]).max(b) * (b).floor())));
            y_i32[i * n + j] = (l as i32);
            y_i64[i * n + j] = (((p ^ t5) % (((x_f64[(i + 1) * n + j] as i8) & 7) + 9)) as i64);
            if ((x_i16[i]).wrapping_add(q)) >= ((q % 5)) { y_u8[i * n + j] = ((((x_u8[(i - 1) * n + j] | o)) >> ((o).wrapping_add(o) & 7)) % 9); }
            if (o) >= (o) { y_i8[i * n + j] = (((t5 % 8) & (t1 as i8)) as i8); }
            if ((t5).max(t5)) >= ((t5 ^ t5)) { y_u16[i * n + j] = ((r / 1) as u16); }
        }
        let t6: i64 = h11_2((if (((x_f32[(i - 1) * n + n / 2] * 1e9) as i16)) > (((a * 1e9) as i16)) { (x_f32[(i - 1) * n + n / 2]).abs().sqrt() } else { a }), ((a as u32) as i8));
        if (q) > (q) { y_u32[i] = (34u32 as u32); }
        y_u64[i] = ((q).max((q % 9)) as u64);
        if ((m | m)) == ((x_u64[n / 2] ^ m)) { y_i16[i] = ((x_f32[i * n + n / 2] * 1e9) as i16); }
        (((if ((if ((21i32).min(x_i32[(i - 1) * n + n / 2])) <= ((q as i32)) { a } else { a })) > ((x_f32[(i - 1) * n + n / 2] * a)) { m } else { m })).min((x_u64[n / 2]).max(x_u64[n / 2])) ^ x_i32[i * n + n / 2] as u64 ^ x_u32[i] as u64 ^ x_i64[n / 2] as u64 ^ x_u16[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t12(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: i16 = ((if ((3i8 ^ h12_1(b, x_f32[i * n + n / 2]))) == ((if ((!(q))) > ((x_i16[i] % ((x_i16[i + 1] & 7) + 9))) { p } else { i8::MAX })) { (x_u8[(i + 1) * n + n / 2] as f32) } else { (a).mul_add(a, 0.25) }) as i16);
        let t2: u16 = h12_2((true == (((if ((c % 9)) == ((x_u32[i + 1] & c)) { 20i64 } else { l })) == ((l % ((x_i64[(i + 1) * n + n / 2] & 7) + 9))))));
        for j in 0..n {
            let t4: u16 = h12_2((true == ((l) < (l))));
            y_f32[i * n + j] = (((x_i64[(i - 1) * n + j]).max(x_i64[(i - 1) * n + j]) % ((((l) << (l & 7)) & 7) + 9)) as f32);
            y_i32[i * n + j] = y_i32[i * n + j].wrapping_mul(3).wrapping_add((o as i32));
            y_u32[i * n + j] = y_u32[i * n + j].wrapping_mul(3).wrapping_add(((((b).min(b) * 1e9) as u32) / ((((u32::MAX / ((11u32 & 7) + 1)) / 7) & 7) + 1)));
            y_i64[i * n + j] |= l;
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add(((!((if ((x_i16[i + 1]).min(q)) > ((x_i16[i]).wrapping_mul(q)) { x_u64[i + 1] } else { 79u64 }))) as u64));
            y_u8[i * n + j] = (((if (x_f32[i * n + j]) == ((b as f32)) { (x_u8[(i - 1) * n + j] / 7) } else { ((o) << (o & 7)) })) << (((o / ((o & 7) + 1)) & (x_u8[i * n + j] & o)) & 7));
            y_i8[i * n + j] = p;
            y_u16[i * n + j] = (3u16 ^ h12_2((true == (((if (((b * 1e9) as u32)) > (((b * 1e9) as u32)) { i32::MIN } else { x_i32[i + 1] })) >= ((k ^ k))))));
        }
        let t5: u16 = h12_2((true == ((x_f64[i]) > ((b).min(b)))));
        if (((b * 1e9) as i8)) != ((p % ((p & 7) + 9))) { y_f64[i] = b; }
        y_i16[i] = y_i16[i].wrapping_mul(3).wrapping_add((q / 8));
        (((k as u64)).max((m ^ m)) ^ x_i8[i * n + n / 2] as u64 ^ x_u16[n / 2] as u64) & 0xffff
    }
    pub fn t13(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let mut t1: i16 = (q % ((((b as i16)).wrapping_add(((q) << (q & 7))) & 7) + 9));
        let mut t2: i64 = (((x_i64[i + 1]).min(l) ^ (if (o) == (x_u8[(i - 1) * n + n / 2]) { l } else { l }))).wrapping_sub((l & (p as i64)));
        for j in 0..n {
            y_f32[i * n + j] = (((-(x_f32[j]))).trunc()).abs().sqrt();
            y_i32[i * n + j] = y_i32[i * n + j].wrapping_mul(3).wrapping_add((x_i8[i + 1] as i32));
            y_u32[i * n + j] = (3u32 ^ h13_0((if ((if (((p) << (p & 7))) > (((a * 1e9) as i8)) { x_i32[(i + 1) * n + j] } else { k })) <= (k) { p } else { (m as i8) }), ((l % ((l & 7) + 9))).wrapping_sub(((b * 1e9) as i64))));
            if ((x_f64[(i - 1) * n + j]).min(b)) > ((0.5f64 + h13_2(x_i16[i + 1]))) { y_i64[i * n + j] = (if (((-24i32) as i8)) > (((a * 1e9) as i8)) { ((l).min(l) % ((t2 & 7) + 9)) } else { ((t2) >> (78i64 & 7)) }); }
        }
        let t4: [u64; 4] = [m, (!(x_u64[i + 1])), (x_u64[i + 1]).min(m), (!(m))];
        let t5: u8 = h13_1(&t4, ((3u32 ^ h13_0((p / 1), ((b * 1e9) as i64))) as usize), (true == (((-(b))) == (x_f64[i * n + n / 2]))), ((o).min(o) / (((o).wrapping_sub(o) & 7) + 1)));
        y_f64[i] = y_f64[i] * 0.5 - ((0.5f64 + h13_2(((a * 1e9) as i16)))).floor();
        y_u64[i] = ((((x_f32[n / 2] * 1e9) as i16) ^ (if ((a as u64)) >= ((77u64).max(m)) { t1 } else { q })) as u64);
        if ((3u32 ^ h13_0(x_i8[i], t2))) != ((c).min(64u32)) { y_u8[i] = (t2 as u8); }
        y_i8[i] = ((((a as i8)) << ((q as i8) & 7)) ^ p);
        y_i16[i] = (x_f64[(i - 1) * n + n / 2] as i16);
        if ((x_i64[i] % ((t2 & 7) + 9))) == (x_i64[i]) { y_u16[i] = ((!((t2 % ((x_i64[i + 1] & 7) + 9)))) as u16); }
        (((if (x_i32[i * n + n / 2]) != (((x_i32[i * n + n / 2]) << (x_i32[(i + 1) * n + n / 2] & 7))) { m } else { m })).wrapping_add(((u64::MAX) << (m & 7))) ^ x_u32[n / 2] as u64 ^ x_u16[i] as u64) & 0xffff
    }
    pub fn t14(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        if (x_f64[n / 2]) > ((b).abs()) {
            let mut t1: u64 = (((if ((m).min(m)) <= (m) { x_u64[(i - 1) * n + n / 2] } else { m })).min(m) / ((m & 7) + 1));
            let t2: u16 = (((!(r)) | (x_u16[i * n + n / 2] % 3)) | (((u16::MAX - 97) / 9) / ((((b * 1e9) as u16) & 7) + 1)));
        } else {
            let mut t3 = 0u32;
            while t3 < 2 {
                t3 += 1;
                if ((-56i64)) != ((k as i64)) { break; }
                let t4: u16 = (!(((!(x_u16[(i + 1) * n + n / 2])) / 4)));
            }
        }
        let mut t5: u32 = u32::MIN;
        for j in 0..n {
            let mut t6 = [c; 4];
            for t7 in 0..4usize {
                t6[t7] = ((if ((x_i32[i * n + j] as u8)) > (((o) >> (o & 7))) { x_u32[i] } else { c }) / ((((c) >> (c & 7)) & 7) + 1));
            }
            let t8 = t6[0];
            y_u32[i * n + j] = (if ((17i16 % 1)) != (x_i16[(i + 1) * n + j]) { (if ((if ((u16::MAX - 47)) < ((r % 8)) { q } else { q })) >= ((if ((o).max(x_u8[i * n + j])) >= (51u8) { q } else { q })) { ((t8) >> (c & 7)) } else { t8 }) } else { x_u32[i + 1] });
            y_i64[i * n + j] ^= (((a + 1.5f32)).mul_add((a + a), 0.25) as i64);
            y_u64[i * n + j] ^= m;
            y_u8[i * n + j] = (((x_i16[i * n + j] as i64)).wrapping_mul(((l) >> (l & 7))) as u8);
            y_i8[i * n + j] = (if ((k % 5)) <= ((!(k))) { (if (((a * 1e9) as u32)) >= (c) { (p % ((p & 7) + 9)) } else { (p % ((p & 7) + 9)) }) } else { x_i8[(i - 1) * n + j] });
            y_i16[i * n + j] = (((t8 | c) & t8) as i16);
            if ((x_u32[i + 1]).max(t8)) <= ((77u32 / ((c & 7) + 1))) { y_u16[i * n + j] = (((x_u16[(i - 1) * n + j] % 4) / 1) as u16); }
            t5 = t5.max(((c / ((t8 & 7) + 1)) / (((c / ((c & 7) + 1)) & 7) + 1)));
        }
        for j in (0..n).step_by(2) {
        }
        let t10: [i8; 4] = [(p).max(93i8), ((p) >> (p & 7)), (if (m) <= ((m / (((u64::MAX - 40) & 7) + 1))) { p } else { x_i8[(i + 1) * n + n / 2] }), (x_i8[(i + 1) * n + n / 2] % ((p & 7) + 9))];
        let t11: i8 = h14_0(((!(c))).max((t5).min((u32::MAX - 5))), (if (l) > ((l).wrapping_sub(64i64)) { (a + x_f32[i]) } else { (a).min(x_f32[i]) }), &t10);
        y_f32[i] = (((b as u64)).min(((x_f32[i + 1] * 1e9) as u64)) as f32);
        y_f64[i] = y_f64[i] * 0.5 - b;
        y_i32[i] = (if (a) > ((x_f32[i + 1] - x_f32[i])) { ((x_i32[i * n + n / 2]).max(k) & k) } else { (k).wrapping_mul((!(k))) });
        (m ^ x_i64[n / 2] as u64) & 0xffff
    }
    pub fn t15(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 5 {
            t1 += 1;
            if ((p).max(x_i8[i * n + n / 2])) > ((p % 7)) { continue; }
            if ((((m) >> (m & 7)) ^ ((x_u64[i]) >> (m & 7)))) >= (m) {
                let t2: i8 = ((((p ^ x_i8[(i - 1) * n + n / 2])) << ((p / 3) & 7)) ^ (38i8 & p));
            } else {
                let t3: f32 = ((p as f32) - (x_f32[i * n + n / 2] / ((a * a) + 3.5)));
            }
            let t4: i16 = ((!((if ((!(x_i64[(i - 1) * n + n / 2]))) != ((!(x_i64[i * n + n / 2]))) { x_i16[(i + 1) * n + n / 2] } else { q })))).max(q);
        }
        let t5: f32 = match c % 6 {
            0 => (a).abs().sqrt(),
            1 | 4 => (x_f32[(i + 1) * n + n / 2] + (0.5f32 + h15_2((-72i8), o, (true == (((!(c))) >= ((t1 % 6))))))),
            2..=3 => ((if ((l % 8)) <= (x_i64[i * n + n / 2]) { x_u16[n / 2] } else { x_u16[n / 2] }) as f32),
            _ => {
                let mut t6: i64 = ((((3i64) << (i64::MAX & 7))).wrapping_add((if ((if ((o).wrapping_mul(o)) != ((x_u8[(i + 1) * n + n / 2] as u8)) { m } else { m })) > ((m % 1)) { l } else { l })) ^ ((l % (((-56i64) & 7) + 9))).wrapping_add(l));
                (0.5f32 + h15_2((p).min(p), (!(11u8)), (true == (((k as u64)) > ((x_u64[i + 1] / 2))))))
            }
        };
        for t7 in 1usize..5usize {
            for t8 in 0i32..=4i32 {
            }
            let t9: f32 = h15_2((if ((0.5f32 + h15_2(39i8, x_u8[(i + 1) * n + n / 2], (true == (((0.5f32 + h15_2(p, o, (true == ((t1) == ((c).max(t1))))))) == ((0.5f32 + h15_2(i8::MIN, (u8::MAX - 11), (true == (((b).abs().sqrt()) < ((b + x_f64[i + 1])))))))))))) > ((-(t5))) { (p % ((p & 7) + 9)) } else { (!(x_i8[i * n + n / 2])) }), o, (true == ((((p) >> (x_i8[(i - 1) * n + n / 2] & 7))) < ((!(p))))));
        }
        let mut t10: i8 = 0;
        for j in 0..n {
            let mut t11: i32 = ((((q % ((x_i16[(i + 1) * n + j] & 7) + 9)) as i32)) << ((if ((x_u16[j] as u16)) > (r) { k } else { (((-34i32)) >> (k & 7)) }) & 7));
            t11 = ((!(k))).max((if ((0.5f32 + h15_2(p, o, (true == ((((b * 1e9) as i16)) != (q)))))) <= ((0.5f32 + h15_2(x_i8[(i - 1) * n + j], o, (true == (((if ((-31i32)) == (((b * 1e9) as i32)) { x_i64[i * n + j] } else { l })) == ((l % ((x_i64[(i + 1) * n + j] & 7) + 9)))))))) { t11 } else { t11 }));
            y_f32[i * n + j] = (((-(t5))).trunc()).mul_add((0.5f32 + h15_2(p, (u8::MIN % 8), (true == ((t11) < (i32::MAX))))), 0.25);
            y_i32[i * n + j] = y_i32[i * n + j].wrapping_mul(3).wrapping_add(((x_f32[i * n + j]).mul_add((a).max(t5), 0.25) as i32));
            y_u32[i * n + j] = y_u32[i * n + j].wrapping_mul(3).wrapping_add(((-((t5).max(a))) as u32));
            if (q) >= (((x_f32[i * n + j] * 1e9) as i16)) { y_i64[i * n + j] = l; }
            t10 += (((41i8 as i8)) >> (p & 7)) & 1;
        }
        let mut t12: f64 = f64::MAX;
        for j in (0..n).step_by(2) {
            let t13: [i64; 4] = [(if ((q / 9)) == ((k as i16)) { l } else { 84i64 }), (x_u16[j] as i64), l, (x_i64[i * n + j] % 2)];
            let t14: i8 = h15_0(x_f32[(i - 1) * n + j], ((((b).max(x_f64[i]) * 1e9) as u32) as usize), (true == (((if ((64u16).min(x_u16[j])) == (((t5 * 1e9) as u16)) { m } else { m })) < (m))), t13);
            y_u64[i * n + j] |= ((if (t1) > ((b as u32)) { (m | x_u64[i + 1]) } else { (m).min(x_u64[i]) }) & (!((!(m)))));
            if ((o / ((73u8 & 7) + 1))) < ((if (((14i8) >> (t10 & 7))) >= ((t14 & p)) { x_u8[i * n + j] } else { x_u8[i * n + j] })) { y_u8[i * n + j] = (((o).max(o) / (((!(o)) & 7) + 1))).min((((if ((o / 7)) > ((k as u8)) { b } else { 2.125f64 }) * 1e9) as u8)); }
            if ((x_i64[(i - 1) * n + j]).max(l)) < (((b * 1e9) as i64)) { y_i8[i * n + j] = ((t10) >> ((t14 & (t10 & t14)) & 7)); }
            y_i16[i * n + j] = ((q) << (q & 7));
            if ((k % ((k & 7) + 9))) <= ((x_i16[(i + 1) * n + j] as i32)) { y_u16[i * n + j] = ((!((t10 ^ t10))) as u16); }
            t12 = t12.min(1.0f64);
        }
        let t15: [i64; 4] = [((t5 * 1e9) as i64), (l).max((-66i64)), (x_u32[n / 2] as i64), (if (((x_i16[(i + 1) * n + n / 2]) >> (q & 7))) > (x_i16[i * n + n / 2]) { l } else { l })];
        let t16: i8 = h15_0((0.5f32 + h15_2((i8::MAX).wrapping_mul(t10), (o).max(o), (true == (((q % ((q & 7) + 9))) < ((i16::MAX / 4)))))), (((!(x_i16[(i + 1) * n + n / 2])) as u32) as usize), (true == ((o) < ((o / ((53u8 & 7) + 1))))), t15);
        y_f64[i] = y_f64[i] * 0.5 - ((o | (o % 4)) as f64);
        (((m % 3) % 6) ^ x_i32[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t16(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let t1: i64 = match (if ((!(c))) <= ((x_u32[i * n + n / 2] / ((c & 7) + 1))) { (c % 5) } else { (if (((-100i32)).max(x_i32[i * n + n / 2])) != ((-42i32)) { x_u32[i * n + n / 2] } else { c }) }) % 6 {
            0 => (((b * 1e9) as u64) as i64),
            1 | 4 => (if (r) <= (r) { l } else { (!(l)) }),
            2..=3 => l,
            _ => {
                let t2: i16 = q;
                ((l % ((l & 7) + 9)) % ((((l) << (l & 7)) & 7) + 9))
            }
        };
        let mut t3: u32 = ((x_u32[(i + 1) * n + n / 2]) << ((if (x_i16[i + 1]) == ((q | q)) { (!(c)) } else { (c / ((c & 7) + 1)) }) & 7));
        for j in (0..n).rev() {
            let t5: i32 = h16_0(k, ((x_i8[i + 1]).max(p) % (((if ((((u16::MAX - 55)) << (r & 7))) < ((r / ((r & 7) + 1))) { x_i8[i + 1] } else { p }) & 7) + 9)), (!((t3 % 3))), p);
            y_f32[i * n + j] = ((3i32 ^ h16_0((q as i32), p, (!(x_u32[i * n + j])), (p & p))) as f32);
            y_f64[i * n + j] = y_f64[i * n + j].max(((((t3) << (c & 7)) as f64) / (b + 3.5)));
            y_i32[i * n + j] = (if ((r).max(r)) != ((r).min(r)) { (if (((x_f32[i] * 1e9) as u8)) != ((if ((t1).wrapping_mul(t1)) <= (((x_i64[j]) << (x_i64[j] & 7))) { o } else { o })) { (!(k)) } else { ((x_i32[i * n + j]) >> (x_i32[(i + 1) * n + j] & 7)) }) } else { (x_i16[i + 1] as i32) });
        }
        for j in (0..n).step_by(2) {
            let t7: i32 = h16_0((((k ^ k)) << (((x_f32[i] * 1e9) as i32) & 7)), ((if ((l % ((36i64 & 7) + 9))) == ((t1).min(l)) { p } else { p })).max((p).wrapping_add(x_i8[i])), ((c).wrapping_mul(t3) / 2), p);
            if ((x_u64[i + 1] % 4)) >= ((if (((m) >> (m & 7))) < ((x_u64[i + 1]).wrapping_add(m)) { x_u64[i] } else { m })) { y_u32[i * n + j] = (((t1).wrapping_sub(t1)).wrapping_sub((if ((r).wrapping_mul(r)) > ((x_i64[j] as u16)) { l } else { l })) as u32); }
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add((((x_u64[i + 1] | m) & ((x_u64[i]) >> (m & 7)))).wrapping_add(((m).wrapping_add(x_u64[i]) % 4)));
            y_i8[i * n + j] = ((x_f64[i * n + j] * 1e9) as i8);
            if (m) == (((x_u64[i]) << (x_u64[i] & 7))) { y_i16[i * n + j] = (((x_i32[i * n + j]) << ((q as i32) & 7)) as i16); }
        }
        let t8: [u64; 4] = [(t3 as u64), m, (m & (u64::MAX - 37)), (m).min(x_u64[i + 1])];
        let t9: [i32; 4] = [(3i32 ^ h16_0(x_i32[(i + 1) * n + n / 2], p, x_u32[i * n + n / 2], x_i8[i + 1])), (3i32 ^ h16_0(k, p, x_u32[i * n + n / 2], x_i8[i])), (k).max(k), k];
        let t10: i16 = h16_1(t8, t9);
        y_i64[i] = ((((a).abs().sqrt() * 1e9) as u8) as i64);
        y_u8[i] = ((((x_f64[(i + 1) * n + n / 2] as i16)) << ((x_i16[i]).min(q) & 7)) as u8);
        y_u16[i] |= ((((if ((!(x_i64[n / 2]))) != ((x_i64[n / 2] % ((x_i64[n / 2] & 7) + 9))) { b } else { 1.5f64 }) * 1e9) as u16) / ((x_u16[i * n + n / 2] & 7) + 1));
        ((m | ((m) << (m & 7))) ^ x_u8[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t17(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        let mut t1: u8 = o;
        let t2: i64 = h17_0((((c / 7) % 2) as usize));
        for j in 0..n {
            let t4: u16 = match (((x_f64[(i + 1) * n + j] * 1e9) as i16) as u32) % 6 {
                0 => ((r).max((u16::MAX - 78))).wrapping_add((r & r)),
                1 | 4 => (if ((!(k))) < ((14i32).max(k)) { r } else { (r).max(r) }),
                2..=3 => x_u16[j],
                _ => {
                    (u16::MAX - 39)
                }
            };
            let t5: u8 = ((((t1 as u8) ^ x_u8[i + 1])) >> ((if ((r).min(t4)) > ((t4).wrapping_mul(r)) { ((2.125f32 * 1e9) as u8) } else { (c as u8) }) & 7));
            y_f32[i * n + j] = (((2.125f64).abs().sqrt() * (b).mul_add(b, 0.25)) as f32);
            if ((a).max(a)) == (a) { y_i32[i * n + j] = ((((x_f64[i * n + j]).abs().sqrt()).abs().sqrt() * 1e9) as i32); }
            y_u32[i * n + j] = (((b).floor()).abs().sqrt() as u32);
            y_u64[i * n + j] = (((12i64).wrapping_mul(t2) as i64) as u64);
            y_u8[i * n + j] = ((!((if ((if ((q | x_i16[i + 1])) < (((b * 1e9) as i16)) { b } else { b })) >= (b) { t5 } else { t5 }))) ^ (if (((k) << ((-45i32) & 7))) == ((k % ((k & 7) + 9))) { (x_f32[j] as u8) } else { ((t1) >> (t5 & 7)) }));
            if (((b * 1e9) as i8)) <= ((p % ((p & 7) + 9))) { y_i8[i * n + j] = (((m ^ x_u64[j])).max(m) as i8); }
            y_i16[i * n + j] = (((a * 1e9) as i8) as i16);
            if ((if ((u16::MAX / 8)) > ((x_u16[j] / ((x_u16[j] & 7) + 1))) { m } else { x_u64[j] })) >= ((m | m)) { y_u16[i * n + j] = ((if ((if ((if ((0.5f32 + h17_1(a, (true == ((((a * 1e9) as u64)) != ((m & m)))), (true == (((k as i64)) == (x_i64[i + 1]))), (true == (((!(k))) <= (x_i32[j])))))) != ((-(a))) { (u64::MAX - 38) } else { x_u64[j] })) != ((m | x_u64[j])) { t1 } else { o })) != ((x_i8[i * n + j] as u8)) { (if ((0.5f32 + h17_1(x_f32[j], (true == (((m).max(m)) > ((if ((x_u16[j]).wrapping_add(t4)) == (r) { m } else { x_u64[j] })))), (true == (((x_i8[i * n + j] % ((p & 7) + 9))) > ((!(x_i8[i * n + j]))))), (true == (((k).wrapping_mul(x_i32[j])) != (((b * 1e9) as i32))))))) <= (x_f32[j]) { l } else { t2 }) } else { ((l) >> (x_i64[i + 1] & 7)) }) as u16); }
        }
        let t6: f32 = h17_1((x_i32[n / 2] as f32), (true == (((l % ((l & 7) + 9))) <= ((l).wrapping_add(l)))), (true == (((l ^ x_i64[i + 1])) >= ((if ((if (((b * 1e9) as i64)) != (x_i64[i + 1]) { a } else { a })) <= (a) { l } else { x_i64[i] })))), (true == (((0.25e-3f64 as f64)) != ((b + x_f64[(i - 1) * n + n / 2])))));
        y_f64[i] = (((x_f64[(i + 1) * n + n / 2] * x_f64[(i - 1) * n + n / 2])).min((x_f64[i * n + n / 2] - b))).abs().sqrt();
        y_i64[i] |= (!(((q).max(x_i16[i + 1]) as i64)));
        (((x_i64[i + 1] as u64)).max(u64::MIN) ^ x_u32[n / 2] as u64) & 0xffff
    }
    pub fn t18(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        for t1 in 1u8..=2u8 {
            let t2: i64 = ((x_i64[i * n + n / 2]) >> (l & 7));
        }
        let t3: u16 = h18_0(x_u16[i * n + n / 2], (true == ((x_i8[i * n + n / 2]) == (p))), (if (c) <= (c) { (x_u8[i * n + n / 2] / ((o & 7) + 1)) } else { o }));
        let t4: f32 = match ((c).wrapping_add(c)).max((c | c)) % 6 {
            0 => ((if ((t3).wrapping_mul(x_u16[i * n + n / 2])) < ((x_u16[(i - 1) * n + n / 2] | (u16::MAX - 21))) { a } else { x_f32[(i - 1) * n + n / 2] })).abs().sqrt(),
            1 | 4 => a,
            2..=3 => ((a / (a + 3.5)) / ((a).max(a) + 3.5)),
            _ => {
                ((a / (a + 3.5))).mul_add((a - x_f32[(i - 1) * n + n / 2]), 0.25)
            }
        };
        let mut t5: u64 = u64::MIN;
        for j in (0..n).rev() {
            if (((b * 1e9) as u8)) == ((!(o))) { y_f32[i * n + j] = (((k).max(x_i32[i]) % ((((t4 * 1e9) as i32) & 7) + 9)) as f32); }
            y_i64[i * n + j] = y_i64[i * n + j].wrapping_mul(3).wrapping_add((!(((l).wrapping_mul(l) / 6))));
            y_u64[i * n + j] = (((if (c) >= ((c / 4)) { o } else { o }) / 1) as u64);
            y_u8[i * n + j] = (c as u8);
            y_i16[i * n + j] = (x_i16[i + 1] / 8);
            t5 = t5.max((((x_f64[i * n + j]).abs().sqrt() * 1e9) as u64));
        }
        let mut t6: f64 = f64::MIN;
        for j in (0..n).step_by(2) {
            let mut t7 = [(((b).mul_add(b, 0.25) * 1e9) as u8); 4];
            for t8 in 0..4usize {
                t7[t8] = (((x_u8[i * n + j]) >> (o & 7)) / (((o % 6) & 7) + 1));
            }
            let t9 = t7[2];
            t6 = t6.max((-((-(b)))));
        }
        let t10: u16 = h18_0(r, (true == ((x_f64[i * n + n / 2]) == ((t6).abs().sqrt()))), o);
        y_f64[i] = y_f64[i].max(((((x_f32[(i - 1) * n + n / 2] * 1e9) as u8)).wrapping_add(o) as f64));
        y_i32[i] = (((x_f32[i * n + n / 2] * 1e9) as u16) as i32);
        y_u32[i] = (q as u32);
        y_i8[i] = (p as i8);
        if ((50i8 as f32)) == (a) { y_u16[i] = ((x_u16[(i + 1) * n + n / 2]) << (((b * 1e9) as u16) & 7)); }
        (x_u64[(i - 1) * n + n / 2] ^ x_u32[i * n + n / 2] as u64 ^ x_u64[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t19(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], x_i8: &[i8], x_i16: &[i16], x_u16: &[u16], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8], y_i8: &mut [i8], y_i16: &mut [i16], y_u16: &mut [u16]) -> u64 {
        for t1 in 0u8..=2u8 {
            let t2: i32 = (36i32 ^ (if ((x_i8[i + 1]).wrapping_sub(p)) == (((x_i8[i + 1]) >> (p & 7))) { (x_i32[n / 2]).wrapping_add(k) } else { (x_i32[n / 2]).wrapping_sub(x_i32[n / 2]) }));
            let mut t3: i8 = ((((a - a)).max((a * a)) * 1e9) as i8);
        }
        let t4: u32 = match (x_u32[(i - 1) * n + n / 2]).wrapping_mul(((x_f32[n / 2] * 1e9) as u32)) % 6 {
            0 => (((if (c) <= ((if (k) != (((k) << (k & 7))) { x_u32[(i + 1) * n + n / 2] } else { c })) { c } else { c })) >> (((x_u32[(i - 1) * n + n / 2]) << (c & 7)) & 7)),
            1 | 4 => (!((if (r) < (x_u16[(i - 1) * n + n / 2]) { c } else { c }))),
            2..=3 => ((c as u32) / ((c & 7) + 1)),
            _ => {
                let t5: f64 = h19_0((!(((x_f32[n / 2] * 1e9) as u16))), m, ((k / 2) as i64), x_i8[i + 1]);
                (((a * 1e9) as u32) / (((if ((x_u32[i * n + n / 2] % 6)) == ((x_u32[(i + 1) * n + n / 2]).wrapping_add(x_u32[(i - 1) * n + n / 2])) { c } else { c }) & 7) + 1))
            }
        };
        let mut t6: u32 = (r as u32);
        let mut t7: u32 = 0;
        for j in 1..n - 1 {
            y_f64[i * n + j] = (((-(x_f32[j])) / ((if ((i8::MIN).min((-43i8))) < ((p).wrapping_sub(p)) { x_f32[j] } else { a }) + 3.5)) as f64);
            y_i32[i * n + j] = y_i32[i * n + j].wrapping_mul(3).wrapping_add((b as i32));
            y_u32[i * n + j] = (t4).max((if (r) <= (r) { (l as u32) } else { (m as u32) }));
            t7 += ((((a * 1e9) as u32)) << ((q as u32) & 7)) & 1;
        }
        for j in 2..n {
            let mut t9 = [((x_i64[(i + 1) * n + j]).max(49i64) / 1); 4];
            for t10 in 0..4usize {
                t9[t10] = ((x_i64[i * n + j] / 1) % ((l & 7) + 9));
            }
            let t11 = t9[3];
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add(x_u64[(i + 1) * n + j]);
            y_u8[i * n + j] = ((((l as f32) * 1e9) as i16) as u8);
            y_i16[i * n + j] ^= (x_i32[j] as i16);
        }
        let t12: f64 = h19_0((((b as f64) * 1e9) as u16), m, (((l) >> (x_i64[(i - 1) * n + n / 2] & 7)) % (((l).wrapping_sub(l) & 7) + 9)), (((p) << (p & 7))).min((p).wrapping_sub(p)));
        y_f32[i] = y_f32[i] * 0.5 - ((((a * a) * 1e9) as i8) as f32);
        if (((-96i32) | k)) < (x_i32[n / 2]) { y_i64[i] = ((((t12).trunc() * 1e9) as u16) as i64); }
        y_i8[i] = (((if (m) < ((m).wrapping_add(m)) { p } else { p }) % (((p).max(x_i8[i + 1]) & 7) + 9)) as i8);
        y_u16[i] = ((((a * 1e9) as u16)) >> ((((r / 9)) << ((r).max(r) & 7)) & 7));
        ((((t12 * 1e9) as u64) / 5) ^ x_f64[i * n + n / 2] as u64 ^ x_u8[n / 2] as u64 ^ x_i16[(i + 1) * n + n / 2] as u64) & 0xffff
    }
}
}

/// All of them.
pub const ALL: [crate::typed::Program; 10] = [
    crate::of_typed!(t10),
    crate::of_typed!(t11),
    crate::of_typed!(t12),
    crate::of_typed!(t13),
    crate::of_typed!(t14),
    crate::of_typed!(t15),
    crate::of_typed!(t16),
    crate::of_typed!(t17),
    crate::of_typed!(t18),
    crate::of_typed!(t19),
];
