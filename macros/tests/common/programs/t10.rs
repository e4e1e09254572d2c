// Made by `generate_typed.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both_with_helpers! {
helpers {
    pub fn h10_0(t1: u64, mut t2: f64) -> bool {
        for t3 in 0u8..5u8 {
            let t4: u64 = match (t2 as u32) % 6 {
                0 => t1,
                1 | 4 => ((t3 as u64) / ((t1 & 7) + 1)),
                2..=3 => (!((((t1 as u64)) << (t1 & 7)))),
                _ => {
                    t2 += ((t2).abs().sqrt() * (t2).mul_add(t2, 0.25));
                    (!(t1))
                }
            };
            for t5 in 2i32..=2i32 {
                t2 = ((t2 as f64) - ((t5 as f64)).trunc());
                t2 = ((t2).abs().sqrt()).min((t2).floor());
            }
        }
        if (((i64::MAX & 4i64) & ((t1 as i64)).wrapping_mul((t1 as i64)))) >= ((t1 as i64)) { return (((((u32::MAX - 97)) << (37u32 & 7))).min(((t1 as u32) / (((t1 as u32) & 7) + 1)))) > (((u32::MAX - 51)).wrapping_mul((t1 as u32))); }
        (((t2).ceil()).mul_add((t2).max(t2), 0.25)) >= ((-((t1 as f64)))) && ((69u32).wrapping_add((t1 as u32))) < ((t1 as u32))
    }
    pub fn h10_1(t1: f32, t2: usize) -> i64 {
        let mut t3 = 0u32;
        while t3 < 2 {
            t3 += 1;
            if (((t1 * 1e9) as u32)) < ((((t2 as f64) as u32) / ((((t2 as f64) as u32) & 7) + 1))) { continue; }
            let t4: u32 = match (if (((t2 as f64)).floor()) <= (((t2 as f64) * 1.5f64)) { (((t2 as f64) as u32)).max(((t2 as f64) as u32)) } else { ((t1 as u32) / ((((t2 as f64) as u32) & 7) + 1)) }) % 6 {
                0 => (((t2 as f64) as u32) ^ (((t2 as f64) as u32) / (((t1 as u32) & 7) + 1))),
                1 | 4 => ((!((u32::MAX - 32))) ^ (36u32).wrapping_sub(((t2 as f64) as u32))),
                2..=3 => (((((u32::MAX - 60)) >> (u32::MAX & 7))) >> (((u32::MAX - 5) / (((t1 as u32) & 7) + 1)) & 7)),
                _ => {
                    let t5: u8 = ((((0.75e9f32 - t1) / ((if ((t1 as u32)) >= (((27u32) << ((t1 as u32) & 7))) { ((t2 as f64) as f32) } else { t1 }) + 3.5)) * 1e9) as u8);
                    (if (((t2 as f64) as i64)) <= (((t1 as i64) as i64)) { ((t1 as u32)).min(u32::MIN) } else { (u32::MAX & (t5 as u32)) })
                }
            };
        }
        55i64
    }
    pub fn h11_0(t1: bool, t2: u64) -> i64 {
        let t3: i64 = (((-68i64)).max((i64::MIN).wrapping_add((t2 as i64))) & ((if ((((t1 as u8 as f32) as f64)).mul_add((t2 as f64), 0.25)) <= ((0.0f64 as f64)) { (t2 as i64) } else { 41i64 })).wrapping_sub(((t2 as i64) ^ 86i64)));
        if (((((t1 as u8 as f32) / ((t2 as f32) + 3.5))).abs()) == (((t1 as u8 as f32)).trunc()) || ((t3 as u32)) > ((u32::MIN).wrapping_sub((t3 as u32)))) {
            let mut t4 = 0u32;
            while t4 < 4 {
                t4 += 1;
                if (((((t1 as u8 as f32) as u8)) >> ((t2 as u8) & 7))) == ((((t3 as u8)) >> ((t2 as u8) & 7))) { break; }
                let t5: f64 = (t3 as f64);
            }
            for t6 in 0u8..5u8 {
            }
        } else {
            let t7: f64 = match ((((t1 as u8 as f32) * 1e9) as u32)).max(((t1 as u8 as f32) as u32)) % 6 {
                0 => (t2 as f64),
                1 | 4 => ((((t1 as u8 as f32) as f64)).floor()).floor(),
                2..=3 => (((t1 as u8 as f32) as f64)).abs().sqrt(),
                _ => {
                    let t8: u32 = ((((t2 as f32) * 1e9) as u32) / ((((14u32) << ((((t1 as u8 as f32) as i64) as u32) & 7)) & 7) + 1));
                    (if ((t2 / 6)) > (((t3 as f64) as u64)) { (((t1 as u8 as f32) as f64)).mul_add((t3 as f64), 0.25) } else { ((t8 as f64) - (t8 as f64)) })
                }
            };
        }
        if (((((t1 as u8 as f32) as f64) - 3.75e9f64)).floor()) >= (((t3 as f64) * 0.5f64)) && ((t2 as f32)) == (((t1 as u8 as f32)).abs().sqrt()) { return (((!(t3))).min(((t2 as i64) & ((t1 as u8 as f32) as i64))) % (((if (((t1 as u8 as f32)).abs().sqrt()) != (((t1 as u8 as f32)).mul_add((t1 as u8 as f32), 0.25)) { ((((t1 as u8 as f32) as f64) * 1e9) as i64) } else { t3 }) & 7) + 9)); }
        (if (((t1 as u8 as f32)).mul_add((t2 as f32), 0.25)) <= (((t1 as u8 as f32)).min((t1 as u8 as f32))) { ((t1 as u8 as f32) as i64) } else { ((t3).wrapping_mul((-16i64))).min(t3) })
    }
    pub fn h11_1(t1: usize, t2: i32, t3: &[f64; 4]) -> f32 {
        let t4: i64 = h11_0((true == ((((t1 as u64)).min((t3[3] as u64))) == ((t1 as u64)))), ((((t3[3] as f32)).min(((t1 as u64) as f32)) * 1e9) as u64));
        if (((((if (t3[0]) < ((t3[3] / (((t1 as u64) as f64) + 3.5))) { t2 } else { (-50i32) })) << (((t3[3] * 1e9) as i32) & 7))) == (((t1 as u64) as i32)) || (((((t1 as u64) as f32) * 1e9) as u64)) >= ((!(65u64)))) { return (if ((3i64 ^ h11_0((true == (((((t1 as u64) as f32) * 0.5f32)) < (((t3[0] as f32) * (t3[3] as f32))))), (t1 as u64)))) != (((t2 as i64)).wrapping_mul(t4)) { (((t3[0] as f32) / ((t2 as f32) + 3.5))).abs().sqrt() } else { ((t4 as f32)).max((-(1.25e-3f32))) }); }
        ((t3[0] as f32) / (1.125f32 + 3.5))
    }
    pub fn h11_2(t1: i64, mut t2: i64) -> f64 {
        t2 ^= ((t1 as i64) % (((3i64 ^ h11_0((true == ((((t2 as f32) / ((t1 as f32) + 3.5))) < (((t1 as f32) / (3.75e9f32 + 3.5))))), 33u64)) & 7) + 9));
        for t3 in 2usize..3usize {
            let t4: i32 = (((((t1 as f32) / (3.125f32 + 3.5))).mul_add((3.25e-3f32).ceil(), 0.25) * 1e9) as i32);
        }
        (t1 as f64)
    }
    pub fn h12_0(t1: i64, t2: [f32; 4]) -> i64 {
        let mut t3 = [((((t1 as i64)) << (t1 & 7))).max(t1); 4];
        for t4 in 0..4usize {
            t3[t4] = (t2[0] as i64);
        }
        let t5 = t3[2];
        let mut t6 = [(if (((u64::MAX - 20)).wrapping_sub((t2[0] as u64))) < ((((t5 as f64) * 1e9) as u64)) { (if (((t5 as i64) as u32)) > (((t5 as u32)).wrapping_add(u32::MAX)) { 1.5f64 } else { (t5 as f64) }) } else { (t1 as f64) }); 4];
        for t7 in 0..4usize {
            t6[t7] = ((t5 as f64)).max((0.25e-3f64).abs().sqrt());
        }
        let t8 = t6[2];
        if ((58u32) <= (((t2[3] as u32) ^ u32::MAX)) || (i64::MAX) <= (((t2[0] * 1e9) as i64))) { return (if (((t8 * 1e9) as i32)) < ((60u64 as i32)) { (if ((((t2[3] as u64)) << ((t2[3] as u64) & 7))) == ((u64::MAX - 12)) { (if (((t8 * 1e9) as i64)) == ((t2[0] as i64)) { t5 } else { t1 }) } else { (!(t1)) }) } else { (t1 as i64) }); }
        (if ((((t8 as i32)) << ((t8 as i32) & 7))) >= ((if ((if ((((t5 as i64)) << (t1 & 7))) < (((t2[3] as i64) / 2)) { t2[0] } else { t2[3] })) <= (((t2[3] as f32)).trunc()) { 23i32 } else { (t5 as i32) })) { (t5 % 7) } else { ((t1 & t5)).max(((t2[3] * 1e9) as i64)) })
    }
    pub fn h12_1(mut t1: u64, t2: i32) -> f64 {
        let t3: [f32; 4] = [((t2 as f32) + (t2 as f32)), (0.75e9f32).abs().sqrt(), ((t2 as f32) / (1.75e9f32 + 3.5)), (2.0f32 * (t1 as f32))];
        let t4: i64 = h12_0((((t1 as i64) % ((82i64 & 7) + 9)) / 1), t3);
        let t5: i32 = (2.5f32 as i32);
        t1 |= (((t1) >> (t1 & 7))).min(t1);
        if (((t4 as f32)).abs()) <= (((t5 as f32) + (t2 as f32))) && (((t2 as u32) / (((t2 as u32) & 7) + 1))) <= (((t2 as u32)).wrapping_sub(u32::MIN)) { return (((0.5f64).mul_add(0.125f64, 0.25) / (2.25e-3f64 + 3.5))).trunc(); }
        (((if ((if ((t2 | t2)) > ((((t2 as i32)) >> (t5 & 7))) { t5 } else { t5 })) != (((t1 as i32) % ((t5 & 7) + 9))) { (t1 as f64) } else { (t1 as f64) })).abs().sqrt() - (-(((t5 as f64) / (3.125f64 + 3.5)))))
    }
    pub fn h12_2(t1: bool) -> u32 {
        let mut t2 = [(((if t1 { 1i64 } else { 6i64 }) as f64)).mul_add((((if t1 { 1i64 } else { 6i64 }) as f64)).abs(), 0.25); 4];
        for t3 in 0..4usize {
            t2[t3] = (0.5f64 + h12_1(((u64::MAX - 81) / ((((if t1 { 1i64 } else { 6i64 }) as u64) & 7) + 1)), i32::MAX));
        }
        let t4 = t2[2];
        let t5: f64 = h12_1((!((if (((if t1 { 1i64 } else { 6i64 }) as i32)) == (((79i32) >> ((-84i32) & 7))) { ((if t1 { 1i64 } else { 6i64 }) as u64) } else { u64::MIN }))), (t4 as i32));
        if (((t5 as u64)) > ((((if t1 { 1i64 } else { 6i64 }) as u64) / 1)) || ((-(((if t1 { 1i64 } else { 6i64 }) as f32)))) > (((t4 as f32)).abs().sqrt())) { return (((u8::MAX - 63) as u32) / (((((t5 * 1e9) as u32)).wrapping_add((!(36u32))) & 7) + 1)); }
        (u32::MAX - 22)
    }
    pub fn h13_0(t1: i64, mut t2: f32) -> f32 {
        t2 *= t2;
        (t2 as f32)
    }
    pub fn h13_1(t1: &[u8; 4], t2: usize, t3: bool, t4: f32) -> u32 {
        let mut t5 = 0u32;
        while t5 < 4 {
            t5 += 1;
            if ((((t2 as f64) as u64) / (((if t3 { 1u64 } else { 6u64 }) & 7) + 1))) >= ((((t2 as f64) as u64)).wrapping_add((if t3 { 1u64 } else { 6u64 }))) { continue; }
            let t6: u64 = match ((!(((if t3 { 1u64 } else { 6u64 }) as u32)))).wrapping_mul(((t4 as u32)).wrapping_add((t1[0] as u32))) % 6 {
                0 => ((((if t3 { 1u64 } else { 6u64 })) << ((t1[3] as u64) & 7)) / 8),
                1 | 4 => (((t4 as i32) as u64) ^ ((if t3 { 1u64 } else { 6u64 })).wrapping_sub((t1[3] as u64))),
                2..=3 => (u64::MAX - 52),
                _ => {
                    let t7: f32 = h13_0(((if t3 { 1u64 } else { 6u64 }) as i64), (if (((t4 * 1e9) as u32)) != ((!((t1[3] as u32)))) { (0.5f32 + h13_0(13i64, t4)) } else { (((if t3 { 1u64 } else { 6u64 }) as f32) + (t4 as f32)) }));
                    (t4 as u64)
                }
            };
        }
        let t8: u64 = match (((if (((14u32) << (t5 & 7))) != ((t5).max(t5)) { t4 } else { 2.125f32 }) * 1e9) as u32) % 6 {
            0 => (if t3 { 1u64 } else { 6u64 }),
            1 | 4 => (((t1[3] as u8) as f64) as u64),
            2..=3 => ((if ((t5 / ((t5 & 7) + 1))) > ((t5 | t5)) { ((t2 as f64) as u64) } else { (t4 as u64) })).min(((if t3 { 1u64 } else { 6u64 })).max((if t3 { 1u64 } else { 6u64 }))),
            _ => {
                let t9: u64 = (if t3 { 1u64 } else { 6u64 });
                (((-((t1[3] as f32))) * 1e9) as u64)
            }
        };
        if (((((t2 as f64) as i64)).min(((t2 as f64) as i64))).wrapping_mul(((t1[0] as i64)).min((t5 as i64)))) == (((t4 as i64)).min(59i64)) { return ((t5).min(((t8 as u32) & t5))).min(t5); }
        ((!((!(t5))))).wrapping_sub((((t2 as f64)).mul_add((t1[0] as f64), 0.25) as u32))
    }
    pub fn h13_2(t1: i64) -> f32 {
        let t2: [u8; 4] = [(((t1 as f32) * 1e9) as u8), ((t1 as u8) % 7), ((t1 as u8) ^ (t1 as u8)), (t1 as u8)];
        let t3: u32 = h13_1(&t2, (((u32::MAX - 69) ^ (!(47u32))) as usize), (true == (((((t1 as f32) * 1e9) as u64)) != ((t1 as u64)))), 0.5f32);
        if (((-((0.5f32 + h13_0(t1, (t3 as f32)))))) < ((-((t1 as f32)))) || ((t1 as u32)) <= (t3)) { return (0.5f32 + h13_0(((!(t1))).min((t1 as i64)), (0.5f32 + h13_0(((t3 as u32) as i64), (0.5f32 + h13_0((t1 as i64), 2.0f32)))))); }
        (0.5f32 + h13_0((74i64 % 4), ((t1 as f32)).mul_add((1.5f32).abs().sqrt(), 0.25)))
    }
    pub fn h14_0(t1: f64, t2: i64, t3: &[u8; 4]) -> f64 {
        let mut t4 = [t3[0]; 4];
        for t5 in 0..4usize {
            t4[t5] = (((t1 as u8) / ((t3[0] & 7) + 1)) | (t2 as u8));
        }
        let t6 = t4[2];
        t1
    }
    pub fn h14_1(t1: usize) -> u64 {
        let mut t2: u64 = (((t1 as u8) as u64) % 4);
        let mut t3 = [(t2 as f64); 4];
        for t4 in 0..4usize {
            t3[t4] = ((i64::MIN as u64) as f64);
        }
        let t5 = t3[3];
        t2 = (!((u64::MAX - 50)));
        if (((((t5 as f32)).ceil() - (-(2.5f32)))) != ((-(2.0f32))) || (((t5 as u8)).min((t1 as u8))) < ((if (((t5 as f32) - (t2 as f32))) != ((((t1 as u8) as f32) * (t5 as f32))) { (t1 as u8) } else { (t2 as u8) }))) { return ((((t5 as u64)).wrapping_mul((t2 as u64))).max((if ((t1 as u8)) < ((t1 as u8)) { t2 } else { ((t1 as u8) as u64) })) / (((((if ((if ((t2 / 8)) == ((t2 / 9)) { t5 } else { (t5 as f64) })) >= (((t5 as f64)).floor()) { t5 } else { t5 }) * 1e9) as u64) & 7) + 1)); }
        ((t1 as u8) as u64)
    }
    pub fn h15_0(mut t1: f64, t2: usize, t3: bool, t4: [f64; 4]) -> u64 {
        let t5: i32 = (((t2 as i64) as i32) & (if ((if (((t4[0] as u64) | ((if t3 { 1i32 } else { 6i32 }) as u64))) >= (((u64::MAX - 79) & (t4[0] as u64))) { u64::MAX } else { ((t2 as i64) as u64) })) <= (((t4[0] as u64) % 7)) { (((t1 as f64) * 1e9) as i32) } else { (if ((t1 as u32)) >= (90u32) { (if t3 { 1i32 } else { 6i32 }) } else { (if t3 { 1i32 } else { 6i32 }) }) }));
        (t5 as u64)
    }
    pub fn h15_1(mut t1: [u32; 4], t2: &[u8; 4], t3: f32) -> i64 {
        let t4: f32 = (((t3 - t3)).abs()).min((-(((t1[3] as f32)).mul_add(3.125f32, 0.25))));
        ((((t3).mul_add(t4, 0.25) * (-(t3))) * 1e9) as i64)
    }
    pub fn h15_2(t1: u8, t2: u32, t3: bool) -> u8 {
        let mut t4 = 0u32;
        while t4 < 5 {
            t4 += 1;
            if ((((t3 as u8 as f64) as i64)).wrapping_mul((t2 as i64))) < ((!(i64::MIN))) { continue; }
            let t5: [u32; 4] = [(if ((((t3 as u8 as f64) * 1e9) as i64)) <= ((if (t2) != ((!(t2))) { ((t3 as u8 as f64) as i64) } else { ((t3 as u8 as f64) as i64) })) { t2 } else { t2 }), ((u32::MIN) << (t2 & 7)), t2, (u32::MIN).max((t1 as u32))];
            let t6: [u8; 4] = [(t1 % 8), ((u8::MAX - 82) % 5), (((t3 as u8 as f64) as u8) / ((t1 & 7) + 1)), t1];
            let t7: i64 = h15_1(t5, &t6, ((-(2.25e-3f32)) / ((((t3 as u8 as f64) as f32) + 3.5f32) + 3.5)));
        }
        let mut t8 = [(if (((t2 as f32)).mul_add(((t3 as u8 as f64) as f32), 0.25)) >= ((3.75e9f32).abs().sqrt()) { t1 } else { t1 }); 4];
        for t9 in 0..4usize {
            t8[t9] = (if ((40u32 as f32)) < (((t3 as u8 as f64) as f32)) { (((t1 as u8)) >> ((t1 as u8) & 7)) } else { (t1).wrapping_add(t1) });
        }
        let t10 = t8[3];
        if (t1) == (t10) { return ((if ((if (((t3 as u8 as f64) as u64)) == ((t2 as u64)) { (t1 as i64) } else { 28i64 })) == ((!((t2 as i64)))) { ((t4 as u8) % 2) } else { (90i32 as u8) }) ^ ((if ((if ((t10 as f32)) >= (((t1 as f32)).mul_add((t1 as f32), 0.25)) { (-23i64) } else { (t4 as i64) })) >= ((if (((t1 as i32) as f32)) > (((t2 as f32)).min((t2 as f32))) { i64::MIN } else { (t10 as i64) })) { 97u8 } else { t10 })).min((t1 ^ (t10 as u8)))); }
        (if (((t10 as i64) as f32)) < ((t1 as f32)) { ((t1) >> (((((t3 as u8 as f64) as u8)) << (t1 & 7)) & 7)) } else { (!(((t2 as i64) as u8))) })
    }
    pub fn h16_0(t1: f64, mut t2: f64, t3: f32, mut t4: i32) -> i64 {
        t2 = (if ((!((t4 as u64)))) <= ((u64::MIN / ((u64::MAX & 7) + 1))) { (t1).mul_add((t3 as f64), 0.25) } else { (-((t3 as f64))) });
        let t5: u32 = (t3 as u32);
        for t6 in 2u8..=3u8 {
            let mut t7: i64 = (((t6).min((t2 as u8)) as i64) % (((((t5 as i64) % (((t3 as i64) & 7) + 9)) % ((((t5 as i64) % 6) & 7) + 9)) & 7) + 9));
        }
        if (38u64) <= (((t1 * 1e9) as u64)) { return (((t3 * 1e9) as u32) as i64); }
        (!((((t2 as i64) & (t4 as i64)) % ((((t3 as i64)).wrapping_mul((t5 as i64)) & 7) + 9))))
    }
    pub fn h16_1(t1: [u8; 4], mut t2: [u8; 4]) -> i64 {
        if ((((t1[0] as f64)).abs().sqrt()) != (2.5f64) || ((t1[3] as u8)) < ((((t1[3] as f32) * 1e9) as u8))) {
            t2[0] ^= (t2[0] as u8);
            let t3: i64 = h16_0((((t1[3] as f64) / ((t2[0] as f64) + 3.5))).min((1.5f64).min((t2[3] as f64))), ((t2[3] as f64) - ((t2[0] as f64) / (1.0f64 + 3.5))), (((t1[0] as f32)).ceil()).mul_add(((t1[3] as i32) as f32), 0.25), ((((t1[0] as f32) * 1e9) as i32) & ((t1[0] as u8) as i32)));
        } else {
            let t4: i64 = h16_0((((t1[3] as i64)).max((t2[3] as i64)) as f64), ((-(1.5f32)) as f64), ((1.5f32).min((t2[3] as f32))).abs().sqrt(), ((if ((t1[3] as u8)) < (((t1[0] as u8)).max(t2[3])) { (t2[0] as i32) } else { (t1[0] as i32) })).wrapping_mul(((t2[3] as i32)).wrapping_mul((t2[0] as i32))));
            t2[0] = ((t1[0] / ((t1[0] & 7) + 1)) / ((((t2[3] as u8) & (t1[3] as u8)) & 7) + 1));
        }
        let t5: i64 = h16_0((if (((t1[0] as f64) * (t2[3] as f64))) < ((0.5f64).mul_add((t2[0] as f64), 0.25)) { (0.125f64).ceil() } else { (2.0f64).min((t1[0] as f64)) }), ((1.0f32 as f64) - ((t1[0] as f64) - (t2[3] as f64))), 3.125f32, ((!((-99i32)))).wrapping_add(i32::MAX));
        t2[0] ^= ((((t1[0] as f32) * 1e9) as u8) / 6);
        if (((((t1[3] as i32) % 4) ^ ((t2[3] as i32)).min(16i32))) >= (((t1[0] as f64) as i32)) || (((t1[0] as f64)).floor()) <= ((t1[3] as f64))) { return (t5 as i64); }
        (3i64 ^ h16_0((t1[3] as f64), (if (((t1[0] as f32)).abs().sqrt()) != (((t2[0] as f32)).ceil()) { (if ((t2[3] as i32)) >= (((t2[3] as i32) / 8)) { (t1[3] as f64) } else { (t1[3] as f64) }) } else { (if ((2.5f64).trunc()) > (((t2[3] as f64)).abs().sqrt()) { (t1[0] as f64) } else { (t2[3] as f64) }) }), (if ((1.0f32).floor()) != (((t1[0] as f32) - (t1[3] as f32))) { (-((t2[0] as f32))) } else { ((t1[3] as f32) / (0.0f32 + 3.5)) }), ((-((t1[3] as f64))) as i32)))
    }
    pub fn h17_0(t1: usize) -> f64 {
        if ((((t1 as f64) / (1.0f64 + 3.5)) / ((t1 as f64) + 3.5))) == ((t1 as f64)) {
            if ((((2.75e9f32).mul_add(3.25e-3f32, 0.25) * 1e9) as u64)) < ((((t1 as f64) as u64) | 52u64)) {
                let t2: u8 = ((t1 as f64) as u8);
            } else {
            }
        } else {
            let t3: i64 = ((!((((t1 as f64) as i64) % ((((t1 as f64) as i64) & 7) + 9))))).wrapping_sub((if ((((t1 as f64) as u8)).wrapping_add(((t1 as f64) as u8))) < ((((t1 as f64) * 1e9) as u8)) { (((t1 as f64) as i64) % ((((t1 as f64) as i64) & 7) + 9)) } else { ((((t1 as f64) as i64)) << (92i64 & 7)) }));
        }
        let t4: u64 = (((u64::MAX - 24) / 2) / 4);
        let mut t5: i32 = (((if (((-12i64) & ((t1 as f64) as i64))) != ((((t4 as i64)) >> (i64::MIN & 7))) { (-77i32) } else { ((t1 as f64) as i32) })).wrapping_sub(((t1 as f64) as i32)) & 28i32);
        ((((t1 as f64)).mul_add((t1 as f64), 0.25) - ((t1 as f64) / ((t1 as f64) + 3.5)))).abs().sqrt()
    }
    pub fn h17_1(t1: u32, t2: bool, t3: bool, t4: bool) -> i64 {
        let mut t5 = [(((if t3 { 1u32 } else { 6u32 }) as f32) as i32); 4];
        for t6 in 0..4usize {
            t5[t6] = ((if t2 { 1u8 } else { 6u8 }) as i32);
        }
        let t7 = t5[2];
        if ((0.5f64 + h17_0((((((if t3 { 1u32 } else { 6u32 }) as u32)) << (4u32 & 7)) as usize)))) > (((t7 as f64)).max(2.125f64)) && (((if t2 { 1u8 } else { 6u8 })).max(((if t3 { 1u32 } else { 6u32 }) as u8))) < (((if t2 { 1u8 } else { 6u8 }) / 6)) { return ((((1.0f64).abs().sqrt()).mul_add((((if t2 { 1u8 } else { 6u8 }) as f64)).mul_add((t7 as f64), 0.25), 0.25) * 1e9) as i64); }
        (((!((-79i64)))) >> (((if (t1) >= ((if ((t7 / 3)) > (t7) { (if t3 { 1u32 } else { 6u32 }) } else { 77u32 })) { (t7 as i64) } else { ((if t2 { 1u8 } else { 6u8 }) as i64) })).wrapping_mul((!(17i64))) & 7))
    }
    pub fn h17_2(t1: [u64; 4], t2: usize, mut t3: f32) -> i64 {
        t3 += ((2.5f32 + t3) * (t3 / ((t2 as f32) + 3.5)));
        t3 *= ((44i32 as f32) * (((t2 as f32) as f32)).min(2.75e9f32));
        t3 = ((u32::MIN as f32) * ((t2 as f32)).abs().sqrt());
        (3i64 ^ h17_1(((t2 as f32) as u32), (true == (((t1[3]).max(t1[0])) <= ((t1[3] / (((t3 as u64) & 7) + 1))))), (true == ((((t2 as f32) / (t3 + 3.5))) == ((t3).abs().sqrt()))), (true == (((((t1[0] as f64) * 1e9) as u32)) < ((((t1[0] as u32)) >> ((t1[0] as u32) & 7)))))))
    }
    pub fn h18_0(mut t1: u64, t2: bool, t3: u64) -> f32 {
        let t4: f64 = match (((-(((t2 as u8 as f64) as f32))) * 1e9) as u32) % 6 {
            0 => ((!(((t2 as u8 as f64) as u32))) as f64),
            1 | 4 => (((t1 as u64) as f64)).abs().sqrt(),
            2..=3 => (t2 as u8 as f64),
            _ => {
                let mut t5: i32 = ((t1).max((t3 % 3)) as i32);
                ((((t2 as u8 as f64) as f64)).abs().sqrt()).mul_add((t2 as u8 as f64), 0.25)
            }
        };
        if (((t4 / (t4 + 3.5))) > ((-((t2 as u8 as f64)))) || (((t3 as f32)).trunc()) != ((((t2 as u8 as f64) as f32) * (t4 as f32)))) {
            let mut t6 = 0u32;
            while t6 < 1 {
                t6 += 1;
                if ((((t3 as i32)) << (3i32 & 7))) != ((((t4 as i32)) << ((t4 as i32) & 7))) { break; }
                t1 |= 88u64;
            }
            let mut t7 = [((if (t6) <= ((t3 as u32)) { (t6 as f64) } else { t4 }) + ((t2 as u8 as f64)).floor()); 4];
            for t8 in 0..4usize {
                t7[t8] = (((t6 as f64)).min((t2 as u8 as f64))).max((t2 as u8 as f64));
            }
            let t9 = t7[3];
        } else {
            let mut t10 = [(if ((((t1 as u64)) >> (t1 & 7))) != (((3.125f32 * 1e9) as u64)) { ((t1 as i32) % ((41i32 & 7) + 9)) } else { (t3 as i32) }); 4];
            for t11 in 0..4usize {
                t10[t11] = (t1 as i32);
            }
            let t12 = t10[0];
            if ((((t1 as u64) / (((t3).max(u64::MIN) & 7) + 1))) < ((t1 / ((((t2 as u8 as f64) as u64) & 7) + 1))) || ((t3 as u32)) != ((81u32).wrapping_add((u32::MAX - 48)))) {
                t1 ^= (if ((t2 as u8 as f64)) < ((t4).max(t4)) { (if ((-((t12 as f32)))) == (((t2 as u8 as f64) as f32)) { t1 } else { t3 }) } else { (t3 as u64) });
            } else {
                t1 = (((if ((!((t4 as u32)))) >= ((((t2 as u8 as f64) as u32) % 6)) { (t12 as f64) } else { (t12 as f64) }) * 1e9) as u64);
                let mut t13: f32 = ((((t12 as f32)).mul_add((t3 as f32), 0.25) + (((t2 as u8 as f64) as f32) * 3.0f32)) as f32);
            }
        }
        if (((t4 as f32) / ((0.75e9f32).mul_add(0.25e-3f32, 0.25) + 3.5))) <= (2.5f32) && ((!((t3 as i32)))) != ((t3 as i32)) { return ((if ((t3).wrapping_add(97u64)) == (t1) { (-((t1 as f32))) } else { ((t4 as f32)).mul_add((t3 as f32), 0.25) }) / ((-((2.0f32).mul_add((t1 as f32), 0.25))) + 3.5)); }
        (((-((t4 as f32)))).abs().sqrt()).min((((t4 as f32)).abs().sqrt() / (((t3 as f32) + (t4 as f32)) + 3.5)))
    }
    pub fn h19_0(mut t1: i32, t2: f64, t3: u8, t4: f64) -> f32 {
        for t5 in 1usize..=5usize {
            let t6: i64 = (((((((t2 as i64)) << ((t4 as i64) & 7))) << ((t1 as i64) & 7))) << (((i64::MIN % (((t1 as i64) & 7) + 9)) % 7) & 7));
            let mut t7 = [t6; 4];
            for t8 in 0..4usize {
                t7[t8] = (!(t6));
            }
            let t9 = t7[0];
        }
        for t10 in 2usize..2usize {
            for t11 in 0i32..5i32 {
                let t12: u32 = ((if ((16i64 % (((t1 as i64) & 7) + 9))) < ((!((t1 as i64)))) { (if (t2) < ((t2).mul_add(t2, 0.25)) { 28u32 } else { (t2 as u32) }) } else { ((t1 as u32) % 3) })).max((!((t4 as u32))));
                let t13: i32 = (!((((if ((t4 as u32)) <= (t12) { (t12 as f64) } else { t4 }) * 1e9) as i32)));
            }
        }
        let mut t14 = [(((t2 as u32)) << ((u64::MIN as u32) & 7)); 4];
        for t15 in 0..4usize {
            t14[t15] = ((t2 as u32) / (((t2 as u32) & 7) + 1));
        }
        let t16 = t14[0];
        if (((t4 * 1e9) as u32)) <= ((!(t16))) { return (t2 as f32); }
        (if (((t4 as f32) / ((t1 as f32) + 3.5))) >= (((t3 as f32)).floor()) { (t4 as f32) } else { ((-(3.125f32))).mul_add((t4 as f32), 0.25) })
    }
    pub fn h19_1(mut t1: u32, t2: usize) -> u64 {
        for t3 in 0usize..3usize {
            let t4: u32 = match ((((3.75e9f64 * 1e9) as u32)) << (((t1) << ((t1 as u32) & 7)) & 7)) % 6 {
                0 => ((t1).max(t1) % 2),
                1 | 4 => ((((t2 as i32) as u32) | t1) / (((if ((if ((t2 as i32)) != (((t2 as i32) as i32)) { (t1 as u8) } else { (u8::MAX - 9) })) >= ((!((u8::MAX - 80)))) { t1 } else { t1 }) & 7) + 1)),
                2..=3 => ((t1 / ((t1 & 7) + 1)) / 6),
                _ => {
                    let t5: i64 = (!(((((-18i64) / 9)) << ((((t2 as i32) as i64)).wrapping_mul(i64::MAX) & 7))));
                    t1
                }
            };
        }
        if ((if (((t1 as f32) / (((t2 as i32) as f32) + 3.5))) == ((t1 as f32)) { ((t1 as u64) / ((((t2 as i32) as u64) & 7) + 1)) } else { (((t2 as i32) as u64) as u64) })) > ((t1 as u64)) && ((if ((((t2 as i32) as u64) / 9)) == ((!(98u64))) { ((t2 as i32) as u8) } else { (t1 as u8) })) <= (((t1 as u8) / 8)) { return (if ((32u64 as u8)) >= ((u8::MAX - 76)) { (((((t2 as i32) as f64) * 1e9) as u64)).wrapping_mul(((((t2 as i32) as f32) * 1e9) as u64)) } else { ((t1 as u64) | (((t2 as i32) as u64)).max(((t2 as i32) as u64))) }); }
        ((((((t2 as i32) as f64) - ((t2 as i32) as f64)) + ((t1 as f64)).max((t1 as f64))) * 1e9) as u64)
    }
}
programs {
    pub fn t10(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let mut t1 = 0u32;
        while t1 < 3 {
            t1 += 1;
            if h10_0(x_u64[i + 1], b) { break; }
            let t2: bool = h10_0((!((m / 1))), (x_f64[i * n + n / 2] as f64));
        }
        let t3: i64 = h10_1(x_f32[(i - 1) * n + n / 2], ((if ((x_u32[(i + 1) * n + n / 2] / 1)) != ((c / ((t1 & 7) + 1))) { t1 } else { (t1 / ((t1 & 7) + 1)) }) as usize));
        for j in 0..n {
            y_f32[i * n + j] = ((x_f64[(i + 1) * n + j]).floor() as f32);
        }
        let mut t5: u32 = 0;
        for j in (0..n).step_by(2) {
            y_i32[i * n + j] = (((x_f64[i * n + j]).min(b) as u32) as i32);
            if h10_0(x_u64[i], x_f64[(i + 1) * n + j]) { y_u32[i * n + j] = ((((a).trunc() * 1e9) as u32)).max(((c / ((t1 & 7) + 1)) / ((x_u32[(i - 1) * n + j] & 7) + 1))); }
            y_i64[i * n + j] = (a as i64);
            y_u64[i * n + j] ^= (((x_f32[i * n + j] * (0.25e-3f32).min(a)) * 1e9) as u64);
            t5 += (((c | t1)) >> ((c).wrapping_mul(t1) & 7)) & 1;
        }
        let t6: i64 = h10_1((a * x_f32[i * n + n / 2]), ((!((b as u32))) as usize));
        y_f64[i] = (((x_u32[(i + 1) * n + n / 2]).wrapping_add(c)).wrapping_add(c) as f64);
        y_u8[i] &= ((!((92u8 & x_u8[i]))) / (((!(((o) << (o & 7)))) & 7) + 1));
        ((m / (((u64::MIN ^ m) & 7) + 1)) ^ x_i32[(i + 1) * n + n / 2] as u64 ^ x_i64[i] as u64) & 0xffff
    }
    pub fn t11(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: i64 = h11_0((true == (((0.5f64 + h11_2(l, 26i64))) != ((0.5f64 + h11_2(l, l))))), ((0.5f64 + h11_2(l, l)) as u64));
        for j in 1..n - 1 {
            y_f32[i * n + j] = (((c / ((u32::MIN & 7) + 1)) % 9) as f32);
            y_f64[i * n + j] = y_f64[i * n + j] * 0.5 - b;
            y_u32[i * n + j] = (!(c));
            if ((33i64 % ((l & 7) + 9))) <= (t1) { y_i64[i * n + j] = (3i64 ^ h11_0((true == (((t1 / 2)) != (((b * 1e9) as i64)))), ((!(m))).wrapping_add((if (m) <= ((m / (((u64::MAX - 91) & 7) + 1))) { m } else { m })))); }
            y_u64[i * n + j] = (m % 6);
        }
        let t3: i64 = h11_0((true == (((a).abs().sqrt()) > ((a + x_f32[(i + 1) * n + n / 2])))), ((m | x_u64[n / 2]) % 9));
        y_i32[i] &= (((x_u32[i]).wrapping_add(c) | (c % 5)) as i32);
        y_u8[i] = (((x_u32[i + 1] as u8) as i32) as u8);
        (((u64::MAX).min(x_u64[n / 2]) | (!(m))) ^ x_f64[i * n + n / 2] as u64 ^ x_i32[(i - 1) * n + n / 2] as u64 ^ x_i64[n / 2] as u64 ^ x_u8[(i + 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t12(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let mut t1: u64 = x_u64[i + 1];
        for j in 0..n {
            let mut t3 = [c; 4];
            for t4 in 0..4usize {
                t3[t4] = ((x_i32[i + 1] as f32) as u32);
            }
            let t5 = t3[3];
            y_f64[i * n + j] = (-(((0.5f64 + h12_1(m, k)) * (0.5f64 + h12_1(3u64, k)))));
            y_i32[i * n + j] ^= ((((a * a)).abs() * 1e9) as i32);
            y_u32[i * n + j] = y_u32[i * n + j].wrapping_mul(3).wrapping_add(c);
            y_u64[i * n + j] = (((x_u64[i]).max(x_u64[i]) / ((((t1) << (t1 & 7)) & 7) + 1)) as u64);
            y_u8[i * n + j] &= (((o | o) / 1) / 1);
        }
        let t6: f64 = h12_1((((b).abs().sqrt() * 1e9) as u64), ((i32::MAX % ((11i32 & 7) + 9)) / 7));
        y_f32[i] = ((a).min((if ((0.5f64 + h12_1(x_u64[i + 1], i32::MAX))) >= (b) { a } else { a })) - (if (l) != (((a * 1e9) as i64)) { a } else { (x_f32[(i - 1) * n + n / 2]).mul_add(a, 0.25) }));
        y_i64[i] &= l;
        ((((a + x_f32[i * n + n / 2]) * 1e9) as u64) ^ x_f64[i] as u64 ^ x_u32[i] as u64 ^ x_i64[i * n + n / 2] as u64 ^ x_u8[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t13(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: u8 = ((((b * 1e9) as u8) / 7)).min(((if (((l) << (x_i64[i] & 7))) != ((x_i64[i] & x_i64[i + 1])) { 64u8 } else { x_u8[i * n + n / 2] }) ^ (if (m) == (x_u64[i]) { x_u8[(i + 1) * n + n / 2] } else { o })));
        let t2: u32 = ((c / 9) & (((c) >> (c & 7)) / (((m as u32) & 7) + 1)));
        for j in 1..n - 1 {
            let t4: i32 = match ((t2 / 2)).wrapping_sub(((t2) >> (x_u32[j] & 7))) % 6 {
                0 => (if ((if (((c) << (c & 7))) > (((a * 1e9) as u32)) { x_f64[(i + 1) * n + j] } else { b })) <= (b) { (k).wrapping_sub(x_i32[i * n + j]) } else { (t2 as i32) }),
                1 | 4 => ((k % ((k & 7) + 9))).wrapping_sub(((b * 1e9) as i32)),
                2..=3 => x_i32[(i + 1) * n + j],
                _ => {
                    k
                }
            };
            y_f32[i * n + j] = (t2 as f32);
            y_f64[i * n + j] = y_f64[i * n + j] * 0.5 - x_f64[(i + 1) * n + j];
            y_i32[i * n + j] ^= (((a / (3.0f32 + 3.5)) / ((a).floor() + 3.5)) as i32);
            if ((c).max(x_u32[j])) > ((t2).wrapping_add(c)) { y_u32[i * n + j] = ((a / ((x_f32[j] / (x_f32[j] + 3.5)) + 3.5)) as u32); }
            y_u64[i * n + j] = ((!((x_i32[i * n + j] % ((t4 & 7) + 9)))) as u64);
            y_u8[i * n + j] = (((if ((x_i32[i * n + j] | t4)) != ((x_i32[(i - 1) * n + j] % 7)) { x_u8[(i - 1) * n + j] } else { o })).wrapping_mul(x_u8[(i - 1) * n + j])).min(((o / ((x_u8[i * n + j] & 7) + 1)) | (!(t1))));
        }
        let t5: f32 = h13_0((if ((-(b))) != ((x_f64[(i - 1) * n + n / 2] + b)) { (x_i64[i + 1] / 1) } else { (!(i64::MAX)) }), (0.5f32 + h13_0(l, (0.5f32 + h13_2(l)))));
        y_i64[i] = (l / 3);
        (((m / 5) / 2)) & 0xffff
    }
    pub fn t14(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        for j in 0..n {
            if ((l as i64)) != (((x_f32[i] * 1e9) as i64)) { y_f32[i * n + j] = ((x_f32[i] / ((a - a) + 3.5))).mul_add(((if ((3u64 ^ h14_1((98u32 as usize)))) > ((3u64 ^ h14_1((c as usize)))) { k } else { x_i32[(i - 1) * n + j] }) as f32), 0.25); }
            y_f64[i * n + j] = y_f64[i * n + j] * 0.5 - (-(x_f64[j]));
            y_u8[i * n + j] = y_u8[i * n + j].wrapping_mul(3).wrapping_add(o);
        }
        let t2: u64 = h14_1((c as usize));
        y_i32[i] = (!(((k as i32) / 4)));
        y_u32[i] = y_u32[i].wrapping_mul(3).wrapping_add(((((u32::MAX) >> (c & 7)) / (((c ^ c) & 7) + 1)) as u32));
        if ((x_f32[i + 1] / (a + 3.5))) >= ((a + 1.5f32)) { y_i64[i] = (if ((!(o))) < ((if (b) > ((3.125f64).min(0.0f64)) { x_u8[(i + 1) * n + n / 2] } else { x_u8[i * n + n / 2] })) { (if ((if ((u32::MAX - 47)) < ((c % 8)) { o } else { o })) >= ((if ((o).max(x_u8[i * n + n / 2])) >= (51u8) { o } else { o })) { ((l) >> (l & 7)) } else { l }) } else { x_i64[n / 2] }); }
        y_u64[i] = m;
        (x_u64[i * n + n / 2] ^ x_u32[i + 1] as u64 ^ x_u64[i * n + n / 2] as u64) & 0xffff
    }
    pub fn t15(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: [u32; 4] = [(24u32).max(x_u32[n / 2]), (x_u32[n / 2] / ((c & 7) + 1)), ((c) << (x_u32[n / 2] & 7)), ((19u32) >> (c & 7))];
        let t2: [u8; 4] = [(k as u8), o, (o / ((o & 7) + 1)), o];
        let t3: i64 = h15_1(t1, &t2, (x_f32[i * n + n / 2] + (a - a)));
        for j in 0..n {
            let mut t5 = 0u32;
            while t5 < 2 {
                t5 += 1;
                if ((a).abs().sqrt()) == (2.75e9f32) { break; }
            }
            for t6 in 1u8..=4u8 {
                let t7: f32 = (if ((i32::MAX ^ k)) > ((k).wrapping_add(x_i32[(i + 1) * n + j])) { ((x_f32[(i - 1) * n + j] * x_f32[(i + 1) * n + j])).mul_add((x_f32[(i + 1) * n + j]).max(a), 0.25) } else { (18i64 as f32) });
            }
            if ((m as f32)) == (x_f32[(i - 1) * n + j]) { y_f64[i * n + j] = (-(b)); }
            y_i32[i * n + j] = ((b * 1e9) as i32);
            y_u32[i * n + j] = ((t5 as i32) as u32);
            y_u64[i * n + j] = ((((-(3.125f64)) * 1e9) as i32) as u64);
            y_u8[i * n + j] = (((3u8 ^ h15_2(((o) << (u8::MAX & 7)), (if (((o) >> (o & 7))) > (((a * 1e9) as u8)) { c } else { c }), (true == ((x_i64[i * n + j]) < (t3)))))) << (((((x_f64[i + 1] * 1e9) as u8)) >> ((o | x_u8[i * n + j]) & 7)) & 7));
        }
        let t8: [f64; 4] = [b, (b).max(b), (x_f64[i + 1]).mul_add(0.25e-3f64, 0.25), b];
        let t9: u64 = h15_0((b - (b).abs().sqrt()), (((x_u32[n / 2]).wrapping_add(c) / 3) as usize), (true == (((l & t3)) <= ((if ((18u8 as u32)) > ((x_u32[n / 2] / ((x_u32[n / 2] & 7) + 1))) { x_i64[(i - 1) * n + n / 2] } else { t3 })))), t8);
        if (1.125f64) != ((b).max(b)) { y_f32[i] = (((k).min(k)).wrapping_sub((x_i32[(i + 1) * n + n / 2] % ((k & 7) + 9))) as f32); }
        y_i64[i] = (((l % ((x_i64[(i + 1) * n + n / 2] & 7) + 9)) as u8) as i64);
        (m ^ x_u64[i + 1] as u64) & 0xffff
    }
    pub fn t16(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: i64 = h16_0((b / ((if ((8u64 / ((m & 7) + 1))) == ((!(m))) { x_f64[(i - 1) * n + n / 2] } else { x_f64[i * n + n / 2] }) + 3.5)), (b / ((x_u64[i + 1] as f64) + 3.5)), a, ((x_i32[i * n + n / 2] % ((k & 7) + 9))).wrapping_sub((!(k))));
        for j in 0..n {
            if ((((l) >> (l & 7)) as i32)) > (((k) << (i32::MAX & 7))) {
            } else {
                let mut t3: i64 = (((a - a) as i64) % (((if ((((-56i32)) << (k & 7))) < ((k % ((k & 7) + 9))) { (l & l) } else { (3i64 ^ h16_0(b, b, 1.75e9f32, x_i32[(i + 1) * n + j])) }) & 7) + 9));
            }
            y_f64[i * n + j] = (((x_f64[(i - 1) * n + j] - b) - (b).mul_add(b, 0.25))).mul_add(((b).min(x_f64[(i + 1) * n + j])).mul_add((-(b)), 0.25), 0.25);
            y_i32[i * n + j] &= ((((a * 1e9) as i32) ^ (x_i32[(i - 1) * n + j]).max(k)) as i32);
            if ((3i64 ^ h16_0(b, x_f64[(i - 1) * n + j], x_f32[i], x_i32[i * n + j]))) < ((if ((a).max(a)) != ((a).min(a)) { i64::MAX } else { x_i64[j] })) { y_u32[i * n + j] = (if ((c).wrapping_mul(c)) <= (((x_u32[i * n + j]) >> (c & 7))) { ((if ((3i64 ^ h16_0(b, b, a, k))) >= ((3i64 ^ h16_0(b, b, 1.125f32, k))) { c } else { c }) as u32) } else { (c).wrapping_mul((c / ((c & 7) + 1))) }); }
            if ((m ^ u64::MAX)) <= ((m).wrapping_mul(m)) { y_i64[i * n + j] = (((b).max((b / (b + 3.5))) * 1e9) as i64); }
            y_u64[i * n + j] = y_u64[i * n + j].wrapping_mul(3).wrapping_add(((-((b + b))) as u64));
            y_u8[i * n + j] = ((3i64 ^ h16_0((x_f64[(i - 1) * n + j]).mul_add(b, 0.25), (b).abs().sqrt(), (if ((t1 | l)) >= ((x_u64[i] as i64)) { a } else { x_f32[i + 1] }), ((k) >> (x_i32[(i - 1) * n + j] & 7)))) as u8);
        }
        let t4: i64 = h16_0(x_f64[(i - 1) * n + n / 2], b, (-((-(3.5f32)))), ((o as i32)).wrapping_mul(((b * 1e9) as i32)));
        if (b) == ((x_f64[(i - 1) * n + n / 2] / (x_f64[i * n + n / 2] + 3.5))) { y_f32[i] = ((((c).min(x_u32[i * n + n / 2])) << ((m as u32) & 7)) as f32); }
        ((m ^ (if ((x_i64[n / 2] ^ l)) != (((t4) << (l & 7))) { m } else { m })) ^ x_u8[(i + 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t17(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        let t1: i64 = h17_1((c as u32), (true == (((m & m)) <= ((x_u64[n / 2] / ((m & 7) + 1))))), (true == (((-(1.5f32))) != ((if ((x_u64[n / 2]).wrapping_sub(m)) < (x_u64[n / 2]) { a } else { x_f32[n / 2] })))), (true == ((b) >= ((x_f64[(i - 1) * n + n / 2] - x_f64[i * n + n / 2])))));
        let mut t2: u8 = u8::MIN;
        for j in (0..n).rev() {
            let t3: [u64; 4] = [(a as u64), (!(m)), (o as u64), m];
            let t4: i64 = h17_2(t3, ((!((c).wrapping_add(x_u32[j]))) as usize), ((2.125f64 as f32)).mul_add((x_f32[j] - a), 0.25));
            t2 = t2.max(((u8::MIN).wrapping_sub(o)).max((!(o))));
        }
        let mut t5: f32 = f32::MAX;
        for j in (0..n).step_by(2) {
            y_f32[i * n + j] = y_f32[i * n + j].max(((!((k | k))) as f32));
            if ((c).min(c)) < ((!(c))) { y_f64[i * n + j] = b; }
            y_i32[i * n + j] = y_i32[i * n + j].wrapping_mul(3).wrapping_add((t2 as i32));
            y_u32[i * n + j] = y_u32[i * n + j].wrapping_mul(3).wrapping_add(((((a).trunc() * 1e9) as i64) as u32));
            y_u64[i * n + j] = ((((m % 3)) << ((a as u64) & 7)) ^ (((b).min(b) * 1e9) as u64));
            y_u8[i * n + j] = (((t2 / ((x_u8[i + 1] & 7) + 1)) as u64) as u8);
            t5 = t5.min(((a).mul_add(a, 0.25)).trunc());
        }
        let t6: i64 = h17_1(((x_u32[n / 2] ^ x_u32[n / 2])).min((c ^ c)), (true == (((0.5f64 + h17_0((c as usize)))) == ((x_f64[(i + 1) * n + n / 2]).mul_add(b, 0.25)))), (true == ((b) <= ((x_i32[n / 2] as f64)))), (true == (((c / 8)) < ((!(c))))));
        y_i64[i] |= ((0.5f64 + h17_0(((x_u32[n / 2] / ((c & 7) + 1)) as usize))) as i64);
        (((m % 7)).wrapping_add((l as u64)) ^ x_i64[i + 1] as u64) & 0xffff
    }
    pub fn t18(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        if ((((k) >> (k & 7))).max((!(x_i32[i])))) >= (((-82i32) / 3)) {
            let t1: f32 = (if (o) <= (o) { (a).max((a).abs().sqrt()) } else { a });
        } else {
            let mut t2 = [((!(k))).max(k); 4];
            for t3 in 0..4usize {
                t2[t3] = (if ((m as i64)) != ((o as i64)) { (!(k)) } else { (x_i32[i + 1] / 9) });
            }
            let t4 = t2[3];
        }
        for j in (0..n).rev() {
            let mut t6 = [(if ((b / (b + 3.5))) < ((-(b))) { (!(l)) } else { (if ((m | x_u64[(i - 1) * n + j])) > (m) { x_i64[(i + 1) * n + j] } else { l }) }); 4];
            for t7 in 0..4usize {
                t6[t7] = x_i64[i * n + j];
            }
            let t8 = t6[3];
            y_i32[i * n + j] = k;
            y_u32[i * n + j] = ((((b * 1e9) as u32)).wrapping_sub((c).wrapping_add(c)) as u32);
        }
        let mut t9: u32 = u32::MAX;
        for j in (0..n).step_by(2) {
            let t10: f32 = h18_0((!((m).max(m))), (true == (((k).wrapping_sub(k)) < ((k | x_i32[i + 1])))), (((x_u64[i * n + j] as f64) * 1e9) as u64));
            t9 = t9.min((((x_u32[i * n + j] / ((c & 7) + 1))) >> ((c / 1) & 7)));
        }
        let t11: f32 = h18_0(x_u64[i * n + n / 2], (true == (((x_u32[i * n + n / 2] / ((t9 & 7) + 1))) > (((c) << (x_u32[i * n + n / 2] & 7))))), ((x_u64[(i + 1) * n + n / 2] / 6) / ((m & 7) + 1)));
        y_f32[i] = y_f32[i] * 0.5 - (((t11 + t11) as f32)).min((0.5f32 + h18_0((m).max(x_u64[(i - 1) * n + n / 2]), (true == (((m as u64)) < ((if ((!(x_u64[i * n + n / 2]))) == (m) { m } else { m })))), (u64::MAX - 21))));
        y_f64[i] = (l as f64);
        y_i64[i] = (((x_u64[(i + 1) * n + n / 2] / ((m & 7) + 1)) / 4) as i64);
        y_u64[i] = ((x_u32[i * n + n / 2] as u32) as u64);
        y_u8[i] = ((((m / ((m & 7) + 1))) << ((x_u64[(i - 1) * n + n / 2] / ((x_u64[(i - 1) * n + n / 2] & 7) + 1)) & 7)) as u8);
        ((x_i32[i] as u64) ^ x_f32[i * n + n / 2] as u64 ^ x_f64[i * n + n / 2] as u64 ^ x_u8[(i + 1) * n + n / 2] as u64) & 0xffff
    }
    pub fn t19(i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, x_f32: &[f32], x_f64: &[f64], x_i32: &[i32], x_u32: &[u32], x_i64: &[i64], x_u64: &[u64], x_u8: &[u8], y_f32: &mut [f32], y_f64: &mut [f64], y_i32: &mut [i32], y_u32: &mut [u32], y_i64: &mut [i64], y_u64: &mut [u64], y_u8: &mut [u8]) -> u64 {
        if ((!((o as i32)))) != (k) {
            let t1: u64 = h19_1((((if ((m % 3)) >= (((m) >> (m & 7))) { x_f64[(i - 1) * n + n / 2] } else { b }) * 1e9) as u32), ((!(((x_u32[(i - 1) * n + n / 2]) >> (c & 7)))) as usize));
            let t2: u64 = h19_1((((a * 1e9) as u32) % 5), (((c % 6)).max((if ((0.75e9f64 * b)) < ((if (o) > (o) { x_f64[i * n + n / 2] } else { b })) { 58u32 } else { c })) as usize));
        } else {
            let t3: u64 = h19_1((((x_u32[(i + 1) * n + n / 2] / ((x_u32[(i + 1) * n + n / 2] & 7) + 1))) >> (((x_u32[(i - 1) * n + n / 2]) << (c & 7)) & 7)), (((3u64 ^ h19_1(c, (c as usize))) as u32) as usize));
            let mut t4: f64 = ((-((x_f64[(i - 1) * n + n / 2] - x_f64[i * n + n / 2]))) * ((m).wrapping_sub(x_u64[(i + 1) * n + n / 2]) as f64));
        }
        if (b) > ((if ((x_f64[i * n + n / 2]).abs().sqrt()) == ((-(b))) { b } else { b })) {
            for t5 in 0i32..3i32 {
                let mut t6: u32 = ((o as u32) / ((((l as u8) as u32) & 7) + 1));
                t6 |= ((((a * 1e9) as u32)) << ((b as u32) & 7));
            }
            let mut t7 = [((o).max(x_u8[n / 2]) / 1); 4];
            for t8 in 0..4usize {
                t7[t8] = ((o).max((u8::MAX - 89))).max((o ^ o));
            }
            let t9 = t7[2];
        } else {
            let mut t10 = 0u32;
            while t10 < 3 {
                t10 += 1;
                if ((a).floor()) != ((if ((3u64 ^ h19_1(c, (c as usize)))) == ((!(m))) { a } else { a })) { break; }
                let t11: f32 = h19_0((((x_f32[n / 2] - 0.125f32) * 1e9) as i32), (x_i64[i * n + n / 2] as f64), (((a).min(2.75e9f32) * 1e9) as u8), b);
            }
        }
        for j in 0..n {
            y_f32[i * n + j] = y_f32[i * n + j].max((((!(l)) | (l & l)) as f32));
            y_f64[i * n + j] = (a as f64);
            y_i32[i * n + j] = ((l as i32) as i32);
            y_i64[i * n + j] &= (!((((b - b) * 1e9) as i64)));
            y_u64[i * n + j] = (!(((x_u64[(i - 1) * n + j]) >> ((m).wrapping_add(m) & 7))));
            y_u8[i * n + j] = ((((o).wrapping_mul(o)) << ((x_u8[j]).min(x_u8[j]) & 7))).wrapping_mul(((if ((k % 8)) > ((if ((x_i64[i * n + j] % 8)) <= ((l % ((l & 7) + 9))) { x_i32[j] } else { k })) { x_u8[j] } else { x_u8[j] }) & (o % 5)));
        }
        let mut t13: f32 = f32::MAX;
        for j in (0..n).step_by(2) {
            let mut t14 = [(!((c / ((c & 7) + 1)))); 4];
            for t15 in 0..4usize {
                t14[t15] = (((b * 1e9) as u8) as u32);
            }
            let t16 = t14[2];
            let t17: u64 = h19_1(((o as u32)).min(((t16) << (x_u32[(i - 1) * n + j] & 7))), ((((x_f32[j] * 1e9) as u32)).wrapping_add(((x_f64[i * n + j] * 1e9) as u32)) as usize));
            t13 = t13.min((0.0f32 as f32));
        }
        let t18: u64 = h19_1(c, (((c).max((u32::MAX - 90))).wrapping_add(c) as usize));
        if ((x_u32[i * n + n / 2] % 2)) != ((x_u32[(i + 1) * n + n / 2]).min(c)) { y_u32[i] = ((if (((b * 1e9) as u64)) == ((u64::MAX - 97)) { c } else { c }) / (((((b * 1e9) as u32) / (((!(c)) & 7) + 1)) & 7) + 1)); }
        ((((a as f64) * 1e9) as u64)) & 0xffff
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
