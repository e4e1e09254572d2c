// Made by `generate_points.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test points` writes it again.

programs! {
    pub fn r0(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        (y[i], y[i][((54i32 % 17) & 1) as usize], z[i]) = (p[i], p[i][0].wrapping_add(q[at[i] as usize % n][0]), q[at[i] as usize % n]);
        y[i] = [64i32.wrapping_add(z[i][(p[i][1].wrapping_add(18i32) & 1) as usize]); 3];
        let t1 = [q[at[i] as usize % n][1].wrapping_add(49i32), (q[at[i] as usize % n][0] ^ q[at[i] as usize % n][0]), p[i - 1][2].wrapping_mul(q[at[i] as usize % n][0])];
        (y[i], y[i][(at[i] % 3) as usize], z[i]) = (p[i - 1], q[at[i] as usize % n][0].wrapping_mul(p[i - 1][0]), [(p[i - 1][2] % 17), q[n - 1 - i][0].wrapping_add(t1[2])]);
        for t2 in 0..3 {
            for t3 in 0..5 {
                let mut t4 = q[n - 1 - i];
                y[i][(at[i] % 3) as usize] &= (if 76i32 < 3i32 { t1[1] } else { t4[0] }).wrapping_add(p[i - 1][t3 / 2]);
                let mut t5 = t4;
            }
        }
        z[i] = [q[at[i] as usize % n][1], (if p[i - 1][1] != p[i - 1][1] { (if p[i][1] >= z[i][0] { q[at[i] as usize % n][0] } else { z[i][1] }) } else { z[i][1].wrapping_mul(q[at[i] as usize % n][0]) }).wrapping_add((if y[i][0] != p[i + 1][2] { (16i32 ^ p[i - 1][2]) } else { z[i][1].wrapping_mul(q[at[i] as usize % n][1]) }))];
        y[i][0] ^= (if t1[1] != t1[1] { y[i][1] } else { z[i][0] }).wrapping_add(p[i][(at[i] % 3) as usize]);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r1(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        for t1 in 0..3 {
            y[i][t1] = (if p[i - 1][0] < p[i][2] { p[i - 1][1] } else { 1i32 }).wrapping_add((q[(at[i] as usize + i) % n][0] % 17));
            y[i] = [(q[(at[i] as usize + i) % n][1] ^ p[i + 1][0]); 3];
        }
        let [t2, t3, t4] = [y[i][0].wrapping_add(25i32); 3];
        y[i][(y[i][2].wrapping_add(q[n - 1 - i][1]) & 1) as usize] ^= y[i][1].wrapping_mul(p[i][2]).wrapping_sub(z[i][1].wrapping_add(z[i][(at[i] % 2) as usize]));
        if z[i][0] != t3 {
            let [t5, t6, t7] = y[i];
            let [t8, t9] = z[i];
            let t10 = q[(at[i] as usize + i) % n];
        } else {
            let (t11, mut t12): ([i32; 3], i32) = ([p[i][2].wrapping_add(p[i - 1][2]); 3], (if t3 != t2 { 27i32 } else { q[(at[i] as usize + i) % n][0] }));
            let (t13, mut t14): ([i32; 2], i32) = ([q[n - 1 - i][1].wrapping_add(z[i][1]); 2], 49i32.wrapping_add(89i32));
            z[i] = [t14.wrapping_add(q[(at[i] as usize + i) % n][0]); 2];
        }
        let t15: i32 = mixed(&p[i - 1], y[i]);
        y[i] = [(p[i][0] ^ t3); 3];
        let t16: i32 = mixed(&p[i], y[i]);
        let [t17, ..] = q[(at[i] as usize + i) % n];
        let mut t19 = q[n - 1 - i];
        z[i] = [q[at[i] as usize % n][1], (t19[0].wrapping_sub(y[i][1]).wrapping_add((t3 ^ 80i32)) ^ (58i32.wrapping_sub(t19[1]) ^ z[i][1].wrapping_sub(t15)))];
        y[i][at[i] as usize % 3] ^= ((if z[i][0] < 34i32 { z[i][0] } else { q[n - 1 - i][1] }) % 17);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r2(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        y[i] = p[i];
        (y[i], y[i][0], z[i]) = (p[i], y[i][0].wrapping_add(q[at[i] as usize % n][0]), z[i]);
        let mut t1 = y[i][1].wrapping_add(y[i][0]).wrapping_add(q[n - 1 - i][1].wrapping_add(p[i - 1][0]));
        for t2 in p[i] {
            let mut t3 = (t2 % 17).wrapping_add(z[i][1]);
            y[i][(at[i] % 3) as usize] &= 79i32.wrapping_mul(q[(at[i] as usize + i) % n][0]).wrapping_add(z[i][0]);
            let t4: i32 = mixed(&p[i - 1], y[i]);
        }
        for t5 in p[i - 1] {
            y[i][2] &= ((if 71i32 < 9i32 { p[i][0] } else { q[at[i] as usize % n][0] }) ^ q[at[i] as usize % n][1].wrapping_mul(t1));
            (y[i], y[i][at[i] as usize % 3], z[i]) = ([t5.wrapping_mul(88i32); 3], q[(at[i] as usize + i) % n][1].wrapping_add(y[i][0]), [60i32.wrapping_add(q[n - 1 - i][1]); 2]);
            z[i] = [81i32.wrapping_add(26i32); 2];
        }
        let (t6, mut t7): ([i32; 3], i32) = (p[i + 1], (86i32 ^ p[i][0]));
        for t8 in 0..4 {
            for t9 in z[i] {
                t7 |= ((if t9 >= 77i32 { 3i32 } else { q[at[i] as usize % n][0] }) ^ t6[2].wrapping_add(q[n - 1 - i][1]));
                let t10 = [(if t6[2] != t1 { q[(at[i] as usize + i) % n][0] } else { 87i32 }); 2];
                let mut t11 = q[at[i] as usize % n][1].wrapping_add(61i32).wrapping_add(t10[((t9 % 17) & 1) as usize]);
            }
        }
        for t12 in 0..3 {
            t1 = t7.wrapping_mul(t1).wrapping_add((if t1 >= q[at[i] as usize % n][0] { t1 } else { t7 }));
            for t13 in [t7.wrapping_mul(z[i][0]), t1.wrapping_add(z[i][t12 / 2]), t7.wrapping_add(73i32)] {
                let mut t14 = ((y[i][1] ^ t6[2]) % 17);
            }
        }
        z[i] = [q[at[i] as usize % n][1], (if z[i][1] >= z[i][1] { t1.wrapping_mul(q[(at[i] as usize + i) % n][0]).wrapping_mul(q[(at[i] as usize + i) % n][1].wrapping_sub(q[at[i] as usize % n][0])) } else { p[i - 1][2].wrapping_add(z[i][1]).wrapping_add(t6[((t1 ^ 77i32) & 1) as usize]) })];
        y[i][1] ^= (q[at[i] as usize % n][0].wrapping_add(p[i - 1][0]) ^ (z[i][0] ^ q[at[i] as usize % n][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r3(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        if q[n - 1 - i][1] != 84i32 {
            if 74i32 != q[n - 1 - i][1] {
                let [.., mut t1] = [45i32.wrapping_add(25i32), p[i][0].wrapping_add(p[i - 1][0])];
                let mut t3 = q[n - 1 - i][0].wrapping_sub(87i32).wrapping_sub(t1.wrapping_add(y[i][at[i] as usize % 3]));
                let t4: i32 = mixed(&p[i], p[i]);
            } else {
                let t5: i32 = mixed(&p[i], p[i + 1]);
            }
        } else {
            let (t6, mut t7): ([i32; 2], i32) = (z[i], (if 30i32 >= p[i][1] { p[i][0] } else { q[n - 1 - i][0] }));
        }
        let [t8, t9] = z[i];
        for t10 in q[at[i] as usize % n] {
            y[i] = y[i];
            (y[i], y[i][1], z[i]) = ([(z[i][1] ^ z[i][1]); 3], (q[n - 1 - i][0] ^ q[n - 1 - i][0]), [86i32.wrapping_mul(z[i][1]), (if p[i + 1][0] >= p[i][1] { t10 } else { y[i][2] })]);
            for t11 in 0..2 {
                let [t12, t13] = z[i];
                let mut t14 = p[i + 1];
                y[i][at[i] as usize % 3] ^= (if p[i][1] < t14[2] { p[i + 1][1] } else { 21i32 }).wrapping_add(t9.wrapping_add(q[n - 1 - i][(at[i] % 2) as usize]));
            }
        }
        let t15: i32 = mixed(&y[i], p[i]);
        let mut t16 = (if y[i][0] < t15 { 59i32 } else { p[i - 1][2] }).wrapping_add((if z[i][0] != z[i][1] { t9 } else { z[i][0] }));
        let mut t17 = ((if p[i + 1][1] >= p[i - 1][2] { t8 } else { z[i][0] }) ^ y[i][1].wrapping_add(z[i][0]));
        y[i] = [(q[n - 1 - i][0] % 17), (if t9 != t15 { 83i32 } else { 84i32 }), q[n - 1 - i][1].wrapping_mul(t15)];
        z[i] = [q[at[i] as usize % n][1], y[i][0].wrapping_add(p[i + 1][2]).wrapping_add(p[i - 1][2].wrapping_add(t16)).wrapping_add(q[at[i] as usize % n][1])];
        y[i][2] ^= (10i32 % 17).wrapping_add(q[at[i] as usize % n][0].wrapping_mul(q[(at[i] as usize + i) % n][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r4(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        z[i] = q[n - 1 - i];
        let (t1, mut t2): ([i32; 2], i32) = ([(if p[i + 1][2] != z[i][0] { 76i32 } else { 82i32 }); 2], 6i32.wrapping_add(q[n - 1 - i][1]));
        let t3: i32 = mixed(&p[i - 1], p[i + 1]);
        let t4: i32 = mixed(&p[i], p[i]);
        y[i][(t2.wrapping_add(t1[(at[i] % 2) as usize]) & 1) as usize] |= (t2.wrapping_add(p[i][(44i32.wrapping_add(t1[0]) & 1) as usize]) ^ (q[n - 1 - i][0] ^ p[i][0]));
        z[i] = [t2.wrapping_sub(41i32); 2];
        for t5 in 0..2 {
            y[i] = y[i];
            y[i] = [66i32.wrapping_add(z[i][at[i] as usize % 2]); 3];
            let (t6, mut t7): ([i32; 2], i32) = (q[(at[i] as usize + i) % n], q[(at[i] as usize + i) % n][0].wrapping_mul(23i32));
        }
        z[i] = [q[at[i] as usize % n][1], ((t3 % 17) % 17).wrapping_add(q[(at[i] as usize + i) % n][(16i32.wrapping_add(p[i - 1][2]) & 1) as usize])];
        y[i][0] ^= ((if t1[1] >= y[i][0] { p[i - 1][2] } else { p[i][0] }) ^ (t2 ^ t2));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r5(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        for t1 in p[i + 1] {
            let t2: i32 = mixed(&y[i], p[i]);
            for t3 in 0..2 {
                let mut t4 = (q[(at[i] as usize + i) % n][0].wrapping_add(y[i][0]) % 17);
                y[i] = p[i + 1];
                y[i] = y[i];
            }
            let (t5, mut t6): ([i32; 2], i32) = ([t2.wrapping_add(29i32), q[at[i] as usize % n][1].wrapping_add(y[i][(at[i] % 3) as usize])], (if t2 != z[i][1] { t1 } else { y[i][1] }));
        }
        y[i] = [51i32.wrapping_add(q[at[i] as usize % n][1]); 3];
        y[i] = [q[(at[i] as usize + i) % n][0].wrapping_add(71i32); 3];
        let mut t7 = (z[i][1].wrapping_sub(q[at[i] as usize % n][1]) % 17);
        t7 ^= (81i32 % 17).wrapping_add(p[i][1].wrapping_add(y[i][1]));
        z[i] = [q[at[i] as usize % n][1], t7.wrapping_add(z[i][0]).wrapping_add(q[(at[i] as usize + i) % n][(p[i][1].wrapping_add(z[i][(at[i] % 2) as usize]) & 1) as usize]).wrapping_add((z[i][1] % 17).wrapping_mul(46i32.wrapping_add(49i32)))];
        y[i][(t7.wrapping_sub(q[at[i] as usize % n][1]) & 1) as usize] ^= (if t7 >= 1i32 { p[i + 1][1] } else { y[i][0] }).wrapping_add(63i32.wrapping_add(p[i - 1][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r6(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let mut t1 = (if 71i32 != p[i - 1][2] { 21i32 } else { q[n - 1 - i][0] }).wrapping_add(z[i][(at[i] % 2) as usize]);
        let t2 = [82i32.wrapping_add(y[i][0]); 2];
        for t3 in [(if q[(at[i] as usize + i) % n][1] < y[i][0] { z[i][0] } else { p[i][1] }), y[i][2].wrapping_add(p[i - 1][0]), y[i][2].wrapping_add(z[i][0])] {
            y[i] = y[i];
        }
        let mut t4 = [t1.wrapping_add(49i32), t1.wrapping_sub(t1)];
        let mut t5 = [(73i32 ^ p[i + 1][1]); 2];
        for t6 in 0..3 {
            let mut t7 = [48i32.wrapping_sub(y[i][0]); 3];
        }
        (y[i], t5[at[i] as usize % 2], z[i]) = ([t1.wrapping_add(y[i][1]); 3], y[i][2].wrapping_mul(p[i - 1][2]), q[(at[i] as usize + i) % n]);
        if q[n - 1 - i][0] < t1 {
            let (t8, mut t9): ([i32; 3], i32) = (y[i], 88i32.wrapping_mul(y[i][0]));
        } else {
            z[i][at[i] as usize % 2] ^= t1.wrapping_sub(66i32).wrapping_add((if p[i][2] < p[i][1] { t2[0] } else { t1 }));
        }
        z[i] = [q[at[i] as usize % n][1], 18i32.wrapping_add(t1).wrapping_add((if t1 >= y[i][2] { y[i][2] } else { t1 })).wrapping_add(t1.wrapping_add(t1).wrapping_add((p[i][0] ^ 55i32)))];
        y[i][0] ^= q[n - 1 - i][1].wrapping_add(p[i - 1][0]).wrapping_add(z[i][1]);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r7(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let mut t1 = z[i];
        z[i][(at[i] % 2) as usize] = (if q[at[i] as usize % n][0] < y[i][0] { y[i][0] } else { y[i][1] }).wrapping_add((62i32 % 17));
        for t2 in 0..3 {
            let [_, t4, t5] = y[i];
        }
        y[i][((if y[i][0] != z[i][1] { p[i][0] } else { p[i - 1][2] }) & 1) as usize] |= (t1[0] ^ 74i32).wrapping_add(y[i][at[i] as usize % 3]);
        let t6 = p[i + 1];
        if q[at[i] as usize % n][1] != 6i32 {
            let mut t7 = (18i32 ^ y[i][1]).wrapping_sub(z[i][0].wrapping_sub(q[(at[i] as usize + i) % n][0]));
            for t8 in 0..5 {
                let [_, t10] = [(if 5i32 != 3i32 { q[(at[i] as usize + i) % n][0] } else { t7 }), t7.wrapping_add(q[n - 1 - i][1])];
                let t11 = q[(at[i] as usize + i) % n];
            }
            let t12: i32 = mixed(&t6, y[i]);
        } else {
            for t13 in 0..4 {
                let mut t14 = [p[i][1].wrapping_sub(q[at[i] as usize % n][1]), (q[(at[i] as usize + i) % n][1] ^ 36i32)];
                t1[t13 / 2] ^= (66i32 % 17).wrapping_add(z[i][0]);
            }
            for t15 in 0..3 {
                let t16: i32 = mixed(&y[i], t6);
            }
        }
        let [t17, t18] = t1;
        let t19 = q[(at[i] as usize + i) % n];
        let t20: i32 = mixed(&t6, y[i]);
        z[i] = [q[at[i] as usize % n][1], (p[i + 1][0].wrapping_add(t6[0]) % 17).wrapping_sub(z[i][1].wrapping_add(t19[1]).wrapping_add(t18.wrapping_add(t18)))];
        y[i][2] ^= (if q[n - 1 - i][1] < t20 { p[i][2] } else { t20 }).wrapping_mul((p[i + 1][0] ^ y[i][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r8(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let t1: i32 = mixed(&p[i], p[i]);
        if q[at[i] as usize % n][1] < 50i32 {
            y[i][(at[i] % 3) as usize] = q[n - 1 - i][1].wrapping_add(p[i + 1][0]).wrapping_mul(y[i][0].wrapping_add(t1));
        } else {
            let (t2, mut t3): ([i32; 3], i32) = (p[i], t1.wrapping_sub(q[n - 1 - i][0]));
        }
        let mut t4 = (q[(at[i] as usize + i) % n][1] ^ 47i32).wrapping_add(t1.wrapping_add(p[i + 1][0]));
        let t5: i32 = mixed(&y[i], y[i]);
        if t1 >= y[i][0] {
            let mut t6 = 41i32.wrapping_sub(q[at[i] as usize % n][0]).wrapping_add(p[i + 1][(at[i] % 3) as usize]);
        } else {
            let mut t7 = t5.wrapping_add(p[i][1]).wrapping_add(q[n - 1 - i][((if q[(at[i] as usize + i) % n][1] != p[i - 1][2] { p[i][2] } else { q[(at[i] as usize + i) % n][0] }) & 1) as usize]);
            z[i] = q[at[i] as usize % n];
        }
        for t8 in 0..4 {
            let (t9, mut t10): ([i32; 2], i32) = ([q[n - 1 - i][1].wrapping_add(p[i][(at[i] % 3) as usize]); 2], (z[i][0] ^ p[i][1]));
        }
        y[i][at[i] as usize % 3] |= t5.wrapping_add(y[i][0]).wrapping_add(p[i - 1][0]);
        z[i] = z[i];
        if z[i][1] != z[i][1] {
            if q[at[i] as usize % n][0] < t4 {
                let [t11, ..] = y[i];
                t4 ^= (if t11 != 47i32 { p[i + 1][1] } else { z[i][0] }).wrapping_mul(q[at[i] as usize % n][1].wrapping_add(t11));
            } else {
                let (t14, mut t15): ([i32; 2], i32) = ([(t1 % 17); 2], t5.wrapping_mul(t4));
            }
            let mut t16 = (y[i][1].wrapping_add(p[i - 1][2]) % 17);
            let mut t17 = [t16.wrapping_add(p[i][(t16.wrapping_add(y[i][(z[i][1].wrapping_add(q[(at[i] as usize + i) % n][1]) & 1) as usize]) & 1) as usize]); 2];
        } else {
            let (t18, mut t19): ([i32; 2], i32) = (q[(at[i] as usize + i) % n], z[i][1].wrapping_mul(76i32));
            t4 ^= (if t4 != t19 { t1 } else { t5 }).wrapping_sub((p[i][1] ^ 70i32));
        }
        z[i] = [q[at[i] as usize % n][1], ((q[(at[i] as usize + i) % n][0].wrapping_mul(y[i][0]) % 17) % 17)];
        y[i][((t5 % 17) & 1) as usize] ^= (if z[i][0] >= q[n - 1 - i][0] { t4.wrapping_sub(q[(at[i] as usize + i) % n][0]) } else { (if p[i + 1][1] != p[i - 1][1] { 21i32 } else { t5 }) });
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r9(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let t1 = z[i];
        (y[i], y[i][(y[i][1].wrapping_sub(q[n - 1 - i][0]) & 1) as usize], z[i]) = ([(if p[i - 1][1] < y[i][1] { q[(at[i] as usize + i) % n][1] } else { 76i32 }), p[i][2].wrapping_add(y[i][1]), 47i32.wrapping_add(q[at[i] as usize % n][0])], 34i32.wrapping_add(z[i][((y[i][0] ^ y[i][2]) & 1) as usize]), [(if q[at[i] as usize % n][1] < y[i][2] { z[i][1] } else { 55i32 }), q[at[i] as usize % n][0].wrapping_add(q[at[i] as usize % n][1])]);
        (y[i], y[i][(at[i] % 3) as usize], z[i]) = (p[i + 1], y[i][1].wrapping_mul(p[i][0]), [z[i][0].wrapping_add(p[i - 1][1]); 2]);
        z[i] = [24i32.wrapping_sub(z[i][1]); 2];
        let mut t2 = [(if 38i32 < y[i][1] { q[at[i] as usize % n][0] } else { p[i + 1][0] }); 3];
        for t3 in 0..2 {
            for t4 in 0..5 {
                z[i] = q[at[i] as usize % n];
                y[i][t4 / 2] ^= (if q[n - 1 - i][0] < z[i][1] { p[i + 1][0] } else { y[i][1] }).wrapping_add(18i32.wrapping_mul(y[i][0]));
                z[i] = z[i];
            }
        }
        z[i] = [q[at[i] as usize % n][1], (if 65i32 < t2[2] { (p[i + 1][1] ^ t1[1]) } else { (t1[1] ^ p[i - 1][1]) }).wrapping_add(q[at[i] as usize % n][1])];
        y[i][(at[i] % 3) as usize] ^= t1[1].wrapping_add(p[i][2]).wrapping_add(p[i + 1][2].wrapping_sub(q[at[i] as usize % n][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r10(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        for t1 in 0..2 {
            y[i] = [(if q[at[i] as usize % n][1] != 43i32 { 7i32 } else { p[i - 1][2] }); 3];
            for t2 in 0..2 {
                y[i][at[i] as usize % 3] = q[n - 1 - i][1].wrapping_add(z[i][(at[i] % 2) as usize]).wrapping_add(p[i - 1][(y[i][2].wrapping_sub(z[i][1]) & 1) as usize]);
                let mut t3 = (40i32 % 17).wrapping_add(y[i][0].wrapping_add(p[i + 1][0]));
            }
        }
        let t4: i32 = mixed(&p[i], y[i]);
        let (t5, mut t6): ([i32; 3], i32) = (p[i], (q[n - 1 - i][0] ^ 67i32));
        let (t7, mut t8): ([i32; 2], i32) = (z[i], 33i32.wrapping_add(t6));
        let t9: i32 = mixed(&t5, t5);
        (y[i], y[i][(at[i] % 3) as usize], z[i]) = (t5, (t9 ^ t6), q[at[i] as usize % n]);
        let [t10, t11, t12] = [t5[2].wrapping_add(q[(at[i] as usize + i) % n][(at[i] % 2) as usize]); 3];
        let mut t13 = t7;
        z[i] = [q[at[i] as usize % n][1], (if t6 != t13[0] { t6.wrapping_add(t4).wrapping_mul(53i32.wrapping_add(t5[2])) } else { t5[2].wrapping_add(p[i][2]).wrapping_mul(p[i][1].wrapping_mul(t7[0])) })];
        y[i][at[i] as usize % 3] ^= t8.wrapping_mul(t10).wrapping_mul(p[i - 1][0].wrapping_add(t10));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r11(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let (t1, mut t2): ([i32; 2], i32) = ([(y[i][0] ^ p[i - 1][1]), (p[i + 1][0] ^ p[i - 1][1])], p[i - 1][1].wrapping_add(z[i][(at[i] % 2) as usize]));
        if p[i - 1][1] >= q[n - 1 - i][0] {
            let (t3, mut t4): ([i32; 2], i32) = (q[at[i] as usize % n], (t1[1] ^ z[i][0]));
        } else {
            let mut t5 = y[i][2].wrapping_add(t1[0]).wrapping_add((if q[at[i] as usize % n][0] >= t2 { t2 } else { t2 }));
            for t6 in 0..3 {
                y[i] = p[i - 1];
            }
        }
        z[i][1] ^= t2.wrapping_add(t1[1]).wrapping_add(t1[((if t2 >= t2 { t2 } else { y[i][1] }) & 1) as usize]);
        let t7: i32 = mixed(&y[i], p[i]);
        if p[i][1] < q[(at[i] as usize + i) % n][0] {
            y[i][((t7 % 17) & 1) as usize] &= (t7 ^ p[i][1]).wrapping_add(q[(at[i] as usize + i) % n][at[i] as usize % 2]);
            for t8 in 0..3 {
                y[i][t8] |= (t2.wrapping_mul(t7) ^ (t2 % 17));
            }
        } else {
            if t2 != t1[1] {
                let t9 = z[i];
                z[i][(at[i] % 2) as usize] |= t2.wrapping_sub(p[i + 1][0]).wrapping_add(y[i][at[i] as usize % 3]);
            } else {
                y[i] = p[i];
                let t10: i32 = mixed(&y[i], y[i]);
            }
            y[i] = [(t1[0] % 17); 3];
        }
        y[i][1] |= (if q[(at[i] as usize + i) % n][1] >= t1[1] { t2.wrapping_add(p[i - 1][2]) } else { t7.wrapping_mul(z[i][1]) });
        let (t11, mut t12): ([i32; 3], i32) = (p[i], (z[i][1] ^ 1i32));
        z[i] = [q[at[i] as usize % n][1], (if t1[1] >= t1[1] { (p[i - 1][0] % 17) } else { (y[i][0] ^ t1[1]) }).wrapping_add(p[i + 1][at[i] as usize % 3])];
        y[i][2] ^= (12i32.wrapping_add(t11[1]) % 17);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r12(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        y[i] = p[i];
        for t1 in p[i - 1] {
            y[i][0] = (p[i - 1][1].wrapping_add(t1) % 17);
        }
        (y[i], y[i][(at[i] % 3) as usize], z[i]) = ([(8i32 ^ q[n - 1 - i][1]), (if p[i][2] >= 31i32 { 49i32 } else { z[i][1] }), z[i][1].wrapping_add(y[i][1])], z[i][1].wrapping_add(z[i][at[i] as usize % 2]), [11i32.wrapping_add(87i32), p[i][0].wrapping_sub(p[i][0])]);
        let (t2, mut t3): ([i32; 3], i32) = ([(p[i - 1][1] % 17), q[at[i] as usize % n][0].wrapping_add(z[i][0]), (q[at[i] as usize % n][1] ^ 54i32)], (if 18i32 != q[at[i] as usize % n][1] { p[i - 1][1] } else { p[i][2] }));
        y[i][1] ^= q[at[i] as usize % n][0].wrapping_add(q[at[i] as usize % n][0]).wrapping_add(q[(at[i] as usize + i) % n][(q[at[i] as usize % n][1].wrapping_add(q[(at[i] as usize + i) % n][1]) & 1) as usize]);
        let t4: i32 = mixed(&y[i], p[i - 1]);
        z[i] = [q[at[i] as usize % n][1], t3.wrapping_add(t4).wrapping_add(p[i][0]).wrapping_add((if t3 >= p[i][2] { (t4 ^ z[i][1]) } else { t3.wrapping_sub(q[at[i] as usize % n][1]) }))];
        y[i][(at[i] % 3) as usize] ^= (if t2[0] != q[at[i] as usize % n][1] { 29i32 } else { t4 }).wrapping_mul(t3.wrapping_add(q[n - 1 - i][1]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r13(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        z[i][0] ^= z[i][0].wrapping_add(82i32).wrapping_sub((73i32 ^ y[i][2]));
        y[i][(at[i] % 3) as usize] &= (58i32.wrapping_sub(p[i][2]) ^ q[n - 1 - i][1].wrapping_mul(y[i][0]));
        let t1: i32 = mixed(&p[i], y[i]);
        y[i] = y[i];
        (y[i], y[i][2], z[i]) = (y[i], t1.wrapping_mul(p[i - 1][2]), [(t1 ^ p[i - 1][2]), t1.wrapping_add(p[i + 1][(at[i] % 3) as usize])]);
        if 78i32 < t1 {
            for t2 in 0..4 {
                y[i] = [p[i + 1][2].wrapping_sub(q[n - 1 - i][1]); 3];
            }
        } else {
            let mut t3 = (if y[i][0] != q[(at[i] as usize + i) % n][0] { y[i][1].wrapping_sub(y[i][1]) } else { t1.wrapping_add(q[at[i] as usize % n][1]) });
        }
        z[i] = [q[at[i] as usize % n][1], (if y[i][2] >= t1 { (p[i][0].wrapping_add(y[i][1]) ^ (t1 % 17)) } else { (t1 % 17).wrapping_add((if z[i][0] >= 13i32 { t1 } else { p[i][1] })) })];
        y[i][2] ^= t1.wrapping_add(y[i][1]).wrapping_add(y[i][1]);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r14(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let t1: i32 = mixed(&p[i + 1], y[i]);
        let (t2, mut t3): ([i32; 3], i32) = ([p[i][2].wrapping_add(z[i][(at[i] % 2) as usize]); 3], (q[at[i] as usize % n][0] % 17));
        z[i] = q[at[i] as usize % n];
        let t4 = t2;
        for t5 in 0..3 {
            for t6 in 0..3 {
                y[i] = p[i - 1];
            }
            (y[i], y[i][(32i32.wrapping_add(z[i][0]) & 1) as usize], z[i]) = (p[i], q[(at[i] as usize + i) % n][0].wrapping_add(q[n - 1 - i][(at[i] % 2) as usize]), [y[i][0].wrapping_mul(t1), t3.wrapping_add(q[at[i] as usize % n][1])]);
        }
        z[i] = [q[at[i] as usize % n][1], ((t1.wrapping_add(z[i][0]) ^ 32i32.wrapping_add(z[i][0])) % 17)];
        y[i][2] ^= t2[1].wrapping_add(63i32).wrapping_add((y[i][0] ^ q[at[i] as usize % n][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r15(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        (y[i], y[i][0], z[i]) = ([p[i + 1][1].wrapping_sub(77i32); 3], 47i32.wrapping_add(q[at[i] as usize % n][1]), q[(at[i] as usize + i) % n]);
        for t1 in 0..3 {
            let (t2, mut t3): ([i32; 2], i32) = (q[(at[i] as usize + i) % n], q[n - 1 - i][1].wrapping_add(p[i - 1][1]));
            z[i] = q[(at[i] as usize + i) % n];
            z[i] = [(if 47i32 >= 7i32 { q[(at[i] as usize + i) % n][0] } else { y[i][0] }); 2];
        }
        for t4 in [p[i][2].wrapping_add(q[(at[i] as usize + i) % n][0]); 3] {
            let mut t5 = t4.wrapping_mul(q[(at[i] as usize + i) % n][1]).wrapping_add((if 72i32 < q[n - 1 - i][1] { 25i32 } else { 19i32 }));
            let mut t6 = (p[i][1].wrapping_add(y[i][1]) ^ (t5 ^ t4));
            let t7: i32 = mixed(&y[i], p[i - 1]);
        }
        let t8: i32 = mixed(&p[i + 1], y[i]);
        for t9 in 0..4 {
            let (t10, mut t11): ([i32; 3], i32) = ([(if 49i32 != p[i][0] { p[i][2] } else { t8 }), q[(at[i] as usize + i) % n][1].wrapping_sub(t8), p[i][0].wrapping_mul(51i32)], (t8 % 17));
        }
        (y[i], y[i][at[i] as usize % 3], z[i]) = ([49i32.wrapping_mul(p[i][2]), 25i32.wrapping_sub(p[i][0]), t8.wrapping_add(p[i + 1][1])], p[i - 1][0].wrapping_mul(q[at[i] as usize % n][1]), [q[(at[i] as usize + i) % n][1].wrapping_mul(60i32), t8.wrapping_sub(36i32)]);
        z[i] = [q[n - 1 - i][1].wrapping_add(t8); 2];
        let mut t12 = (q[n - 1 - i][0] ^ 53i32).wrapping_sub((if t8 != 73i32 { p[i - 1][1] } else { 16i32 }));
        z[i] = [q[at[i] as usize % n][1], (q[at[i] as usize % n][1].wrapping_add(q[at[i] as usize % n][(at[i] % 2) as usize]) ^ (31i32 % 17)).wrapping_add(y[i][1])];
        y[i][at[i] as usize % 3] ^= t8.wrapping_sub(t12).wrapping_add(q[at[i] as usize % n][((t12 % 17) & 1) as usize]);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r16(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        if q[at[i] as usize % n][1] != 18i32 {
            for t1 in [(if y[i][0] != q[n - 1 - i][1] { 52i32 } else { 81i32 }); 3] {
                y[i] = [(t1 % 17); 3];
            }
        } else {
            y[i][at[i] as usize % 3] ^= (q[n - 1 - i][0].wrapping_add(q[n - 1 - i][0]) ^ (p[i][2] % 17));
        }
        z[i] = q[(at[i] as usize + i) % n];
        let mut t2 = z[i];
        t2[(51i32.wrapping_add(q[(at[i] as usize + i) % n][0]) & 1) as usize] ^= ((q[at[i] as usize % n][1] % 17) % 17);
        z[i][(at[i] % 2) as usize] = (if y[i][1] != 5i32 { 68i32.wrapping_add(y[i][0]) } else { (y[i][2] % 17) });
        let [t3, t4] = z[i];
        z[i] = [q[at[i] as usize % n][1], (t2[1].wrapping_mul(t3).wrapping_add((if t4 < q[at[i] as usize % n][1] { p[i - 1][1] } else { t4 })) ^ (t4 ^ 22i32).wrapping_mul(p[i - 1][2].wrapping_add(t3)))];
        y[i][(87i32.wrapping_add(p[i - 1][((if t3 >= t4 { t3 } else { 85i32 }) & 1) as usize]) & 1) as usize] ^= t2[0].wrapping_mul(p[i][2]).wrapping_add(q[at[i] as usize % n][1]);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r17(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let (t1, mut t2): ([i32; 3], i32) = (p[i + 1], q[n - 1 - i][1].wrapping_mul(70i32));
        let t3: i32 = mixed(&t1, t1);
        for t4 in [(5i32 ^ t2), (t3 ^ t3)] {
            if t3 < q[n - 1 - i][0] {
                let mut t5 = (if t3 >= q[n - 1 - i][0] { 20i32 } else { z[i][1] }).wrapping_add(q[n - 1 - i][1].wrapping_add(q[at[i] as usize % n][((44i32 % 17) & 1) as usize]));
            } else {
                let mut t6 = ((if 26i32 >= t2 { z[i][1] } else { 49i32 }) % 17);
            }
            z[i] = z[i];
            let mut t7 = (if t1[1] >= q[at[i] as usize % n][1] { t3.wrapping_add(z[i][(at[i] % 2) as usize]) } else { (q[(at[i] as usize + i) % n][1] % 17) });
        }
        for t8 in 0..5 {
            let mut t9 = t2.wrapping_add(z[i][1]).wrapping_sub(t2.wrapping_add(q[at[i] as usize % n][0]));
            for t10 in 0..2 {
                let t11: i32 = mixed(&t1, t1);
                y[i] = p[i + 1];
                let (t12, mut t13): ([i32; 3], i32) = (p[i], t11.wrapping_add(z[i][t10]));
            }
        }
        y[i][1] ^= (q[at[i] as usize % n][1].wrapping_add(q[at[i] as usize % n][0]) ^ t1[0].wrapping_mul(y[i][0]));
        z[i] = [q[at[i] as usize % n][1], q[n - 1 - i][0].wrapping_sub(t2).wrapping_add((z[i][1] ^ 63i32)).wrapping_mul((t3.wrapping_add(z[i][1]) ^ (if q[at[i] as usize % n][1] >= q[at[i] as usize % n][1] { t2 } else { t3 })))];
        y[i][2] ^= p[i - 1][0].wrapping_sub(y[i][2]).wrapping_add(q[n - 1 - i][1]);
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r18(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        for t1 in [z[i][0].wrapping_mul(q[at[i] as usize % n][1]), (52i32 % 17)] {
            z[i] = [(if p[i + 1][2] < q[n - 1 - i][1] { t1 } else { p[i][1] }), q[n - 1 - i][0].wrapping_sub(4i32)];
            let (t2, mut t3): ([i32; 3], i32) = ([(if q[(at[i] as usize + i) % n][0] >= q[n - 1 - i][1] { t1 } else { p[i + 1][0] }), (z[i][0] ^ 69i32), p[i][1].wrapping_add(q[at[i] as usize % n][1])], t1.wrapping_add(q[at[i] as usize % n][at[i] as usize % 2]));
            z[i] = [(q[n - 1 - i][0] ^ t3), (if z[i][0] != t1 { 51i32 } else { q[(at[i] as usize + i) % n][0] })];
        }
        if p[i + 1][0] < p[i][2] {
            let t4 = [q[n - 1 - i][0].wrapping_mul(y[i][2]), y[i][1].wrapping_add(p[i][2])];
            for t5 in 0..3 {
                let [t6, t7, t8] = [q[at[i] as usize % n][0].wrapping_add(p[i][1]), p[i + 1][0].wrapping_add(y[i][0]), 76i32.wrapping_mul(34i32)];
                z[i] = [(y[i][2] % 17), q[at[i] as usize % n][0].wrapping_add(t4[(t6.wrapping_sub(t4[0]) & 1) as usize])];
            }
            y[i][(24i32.wrapping_sub(33i32) & 1) as usize] |= (if p[i - 1][1] >= z[i][0] { 78i32 } else { p[i - 1][1] }).wrapping_add(77i32.wrapping_add(p[i][(p[i - 1][1].wrapping_add(z[i][(at[i] % 2) as usize]) & 1) as usize]));
        } else {
            z[i][(at[i] % 2) as usize] = (14i32 % 17).wrapping_mul(q[at[i] as usize % n][1].wrapping_add(33i32));
            if p[i + 1][2] >= 34i32 {
                let t9 = [q[(at[i] as usize + i) % n][0].wrapping_add(53i32), q[at[i] as usize % n][0].wrapping_sub(y[i][0]), (if q[at[i] as usize % n][1] != 69i32 { p[i][2] } else { q[n - 1 - i][0] })];
            } else {
                let [t10, t11] = [y[i][0].wrapping_add(22i32); 2];
                let mut t12 = (if t11 < p[i][2] { t10 } else { p[i - 1][1] }).wrapping_mul(p[i + 1][1].wrapping_add(p[i - 1][1]));
                y[i][(t11.wrapping_add(y[i][0]) & 1) as usize] |= (q[(at[i] as usize + i) % n][0].wrapping_add(t10) % 17);
            }
        }
        y[i] = [q[n - 1 - i][0].wrapping_add(q[n - 1 - i][1]), q[at[i] as usize % n][0].wrapping_add(84i32), 23i32.wrapping_add(y[i][0])];
        z[i] = [(if p[i][1] < q[n - 1 - i][1] { q[n - 1 - i][0] } else { p[i + 1][0] }), (27i32 % 17)];
        let (t13, mut t14): ([i32; 3], i32) = ([y[i][2].wrapping_add(p[i + 1][1]); 3], 13i32.wrapping_add(q[n - 1 - i][0]));
        let (t15, mut t16): ([i32; 3], i32) = (t13, (if 58i32 < t14 { 5i32 } else { t14 }));
        let (t17, mut t18): ([i32; 3], i32) = (t15, 49i32.wrapping_add(p[i - 1][0]));
        z[i] = [q[at[i] as usize % n][1], 85i32.wrapping_add(y[i][(at[i] % 3) as usize]).wrapping_add((t16 ^ p[i - 1][1])).wrapping_add(t18.wrapping_add(q[n - 1 - i][0]).wrapping_add(z[i][1].wrapping_add(z[i][at[i] as usize % 2])))];
        y[i][1] ^= 12i32.wrapping_add(14i32).wrapping_add(41i32.wrapping_add(p[i][(at[i] % 3) as usize]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r19(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let mut t1 = p[i][0].wrapping_add(p[i - 1][1]).wrapping_mul((if p[i][0] >= p[i + 1][0] { z[i][1] } else { q[at[i] as usize % n][1] }));
        for t2 in 0..3 {
            let [.., mut t3] = p[i - 1];
            let t6 = p[i + 1];
        }
        z[i] = [t1.wrapping_sub(z[i][0]); 2];
        let mut t7 = [t1.wrapping_add(t1); 2];
        t1 &= q[(at[i] as usize + i) % n][1].wrapping_add(t1).wrapping_add(q[at[i] as usize % n][0]);
        t7[(at[i] % 2) as usize] = t1.wrapping_add(t1).wrapping_add(q[at[i] as usize % n][1]);
        let t8: i32 = mixed(&y[i], p[i - 1]);
        let t9: i32 = mixed(&y[i], y[i]);
        let (t10, mut t11): ([i32; 2], i32) = ([(q[at[i] as usize % n][1] ^ y[i][1]); 2], p[i][1].wrapping_add(y[i][2]));
        z[i] = [q[at[i] as usize % n][1], (if q[at[i] as usize % n][1] != t8 { t9.wrapping_add(t8) } else { t1.wrapping_add(z[i][0]) }).wrapping_add(p[i][2])];
        y[i][2] ^= t7[1].wrapping_add(t10[1]).wrapping_add(t9.wrapping_add(q[(at[i] as usize + i) % n][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r20(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let mut t1 = [(if p[i][0] < p[i - 1][2] { p[i + 1][2] } else { p[i][2] }), (y[i][2] % 17), (28i32 ^ 55i32)];
        for t2 in 0..4 {
            let t3 = [32i32.wrapping_add(q[at[i] as usize % n][(at[i] % 2) as usize]); 2];
            for t4 in 0..5 {
                t1[(at[i] % 3) as usize] ^= q[(at[i] as usize + i) % n][1].wrapping_sub(q[(at[i] as usize + i) % n][0]).wrapping_add(t3[at[i] as usize % 2]);
                let mut t5 = (q[(at[i] as usize + i) % n][1] ^ 36i32).wrapping_add(p[i - 1][t4 / 2]);
                let [t6, t7] = [(t5 ^ t5); 2];
            }
        }
        let [_, t9] = q[n - 1 - i];
        for t10 in q[at[i] as usize % n] {
            if 39i32 != z[i][0] {
                y[i][at[i] as usize % 3] ^= p[i - 1][0].wrapping_add(z[i][1]).wrapping_sub((t9 % 17));
                let [t11, t12, t13] = y[i];
                (t1, t1[2], z[i]) = ([t9.wrapping_add(y[i][0]), p[i - 1][1].wrapping_mul(z[i][1]), q[(at[i] as usize + i) % n][0].wrapping_add(z[i][1])], 8i32.wrapping_add(q[at[i] as usize % n][(at[i] % 2) as usize]), [t12.wrapping_add(y[i][0]); 2]);
            } else {
                y[i][(p[i][2].wrapping_sub(q[at[i] as usize % n][1]) & 1) as usize] ^= p[i][2].wrapping_sub(57i32).wrapping_sub((t9 ^ z[i][0]));
                t1[0] |= 77i32.wrapping_sub(q[n - 1 - i][0]).wrapping_add(p[i][0].wrapping_add(p[i + 1][0]));
                y[i][0] |= (p[i - 1][2] ^ 40i32).wrapping_add(71i32.wrapping_add(q[(at[i] as usize + i) % n][((t1[2] % 17) & 1) as usize]));
            }
        }
        for t14 in [z[i][1].wrapping_add(71i32); 3] {
            for t15 in q[at[i] as usize % n] {
                let [_, t17, t18] = p[i + 1];
                z[i][1] ^= t18.wrapping_add(34i32).wrapping_add(y[i][(at[i] % 3) as usize]);
            }
            let mut t19 = (t9 ^ p[i + 1][1]).wrapping_add(t14.wrapping_add(q[at[i] as usize % n][1]));
            if q[at[i] as usize % n][1] != t14 {
                y[i] = t1;
                t1 = p[i];
            } else {
                (y[i], t19, z[i]) = (t1, (t9 % 17), [(q[n - 1 - i][1] ^ y[i][0]); 2]);
                let [t20, t21] = q[at[i] as usize % n];
            }
        }
        z[i] = [q[at[i] as usize % n][1], q[(at[i] as usize + i) % n][1].wrapping_add(y[i][0]).wrapping_add(q[at[i] as usize % n][0]).wrapping_mul(q[at[i] as usize % n][0].wrapping_sub(t9).wrapping_add((q[at[i] as usize % n][0] ^ t9)))];
        y[i][at[i] as usize % 3] ^= (t9 % 17).wrapping_add(q[(at[i] as usize + i) % n][0].wrapping_sub(z[i][0]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r21(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        (y[i], z[i][(at[i] % 2) as usize], z[i]) = ([q[(at[i] as usize + i) % n][1].wrapping_add(5i32), 72i32.wrapping_add(p[i + 1][(y[i][0].wrapping_sub(p[i + 1][0]) & 1) as usize]), p[i - 1][1].wrapping_add(51i32)], (p[i][2] % 17), q[(at[i] as usize + i) % n]);
        (y[i], y[i][((q[(at[i] as usize + i) % n][1] ^ q[(at[i] as usize + i) % n][1]) & 1) as usize], z[i]) = ([(33i32 % 17), z[i][0].wrapping_add(1i32), 57i32.wrapping_add(q[at[i] as usize % n][0])], 1i32.wrapping_sub(21i32), [q[n - 1 - i][0].wrapping_add(y[i][0]), p[i][2].wrapping_add(p[i + 1][at[i] as usize % 3])]);
        if 74i32 < 33i32 {
            let t1: i32 = mixed(&y[i], y[i]);
        } else {
            if q[at[i] as usize % n][0] < p[i - 1][1] {
                (y[i], y[i][at[i] as usize % 3], z[i]) = ([(y[i][1] ^ q[(at[i] as usize + i) % n][1]); 3], p[i + 1][1].wrapping_sub(z[i][0]), z[i]);
            } else {
                let t2: i32 = mixed(&y[i], p[i]);
            }
            z[i] = q[at[i] as usize % n];
            let [.., mut t3] = q[(at[i] as usize + i) % n];
        }
        let (t5, mut t6): ([i32; 2], i32) = (q[at[i] as usize % n], 41i32.wrapping_sub(21i32));
        y[i] = [y[i][0].wrapping_add(q[at[i] as usize % n][1]), (t6 ^ t5[0]), t6.wrapping_add(p[i][1])];
        (y[i], t6, z[i]) = (y[i], 27i32.wrapping_sub(p[i][1]), [(if y[i][1] < q[(at[i] as usize + i) % n][1] { y[i][0] } else { y[i][2] }); 2]);
        z[i] = [q[at[i] as usize % n][1], t6.wrapping_mul(p[i][0]).wrapping_add(z[i][1].wrapping_sub(p[i - 1][1])).wrapping_sub((t6 ^ 32i32).wrapping_sub(t6.wrapping_add(y[i][1])))];
        y[i][1] ^= (t6 ^ p[i][1]).wrapping_sub(p[i][1].wrapping_mul(z[i][1]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r22(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        for t1 in 0..3 {
            for t2 in [p[i - 1][1].wrapping_add(p[i + 1][(at[i] % 3) as usize]), (if z[i][0] != p[i][1] { z[i][1] } else { z[i][0] })] {
                let (t3, mut t4): ([i32; 3], i32) = (y[i], (y[i][2] ^ t2));
                y[i][t1] |= (if q[n - 1 - i][0] >= z[i][0] { t2 } else { t4 }).wrapping_mul(34i32.wrapping_add(t4));
            }
        }
        let t5: i32 = mixed(&y[i], p[i]);
        let mut t6 = t5.wrapping_add(82i32).wrapping_add(q[at[i] as usize % n][0]);
        let (t7, mut t8): ([i32; 2], i32) = (q[at[i] as usize % n], y[i][2].wrapping_add(68i32));
        let mut t9 = [p[i - 1][1].wrapping_add(64i32); 3];
        z[i] = [q[at[i] as usize % n][1], (if 45i32 >= t8 { (z[i][0].wrapping_add(p[i][(at[i] % 3) as usize]) % 17) } else { q[at[i] as usize % n][1].wrapping_add(t8).wrapping_mul((p[i + 1][1] ^ q[at[i] as usize % n][0])) })];
        y[i][1] ^= (if t5 != t5 { p[i][1] } else { q[n - 1 - i][0] }).wrapping_add(q[at[i] as usize % n][1].wrapping_add(q[n - 1 - i][1]));
        (p[i][0] ^ y[i][1]) as i64
    }
    pub fn r23(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], z: &mut [[i32; 2]]) -> i64 {
        let [.., mut t1] = p[i + 1];
        z[i] = q[n - 1 - i];
        let mut t4 = t1.wrapping_mul(t1).wrapping_mul((if t1 != q[(at[i] as usize + i) % n][1] { y[i][0] } else { 61i32 }));
        (y[i], z[i][(at[i] % 2) as usize], z[i]) = ([z[i][0].wrapping_add(t1); 3], 64i32.wrapping_add(34i32), [z[i][1].wrapping_mul(28i32), (t1 % 17)]);
        for t5 in 0..5 {
            let t6: i32 = mixed(&p[i + 1], y[i]);
            if p[i][0] < t6 {
                z[i][at[i] as usize % 2] = ((if 1i32 >= y[i][0] { p[i][1] } else { p[i][2] }) % 17);
                let mut t7 = [p[i + 1][0].wrapping_add(q[(at[i] as usize + i) % n][0]), t6.wrapping_mul(74i32)];
            } else {
                let t8: i32 = mixed(&p[i], p[i]);
                let [_, t10, t11] = [q[(at[i] as usize + i) % n][1].wrapping_add(p[i][t5 / 2]); 3];
                y[i] = [t4.wrapping_mul(z[i][1]); 3];
            }
        }
        let mut t12 = t1.wrapping_add(p[i - 1][0]).wrapping_mul((q[at[i] as usize % n][1] ^ t4));
        for t13 in 0..3 {
            (y[i], t1, z[i]) = (p[i + 1], t1.wrapping_add(q[at[i] as usize % n][t13 / 2]), [57i32.wrapping_add(y[i][1]), (t4 % 17)]);
            if y[i][0] < t4 {
                let [t14, ..] = q[(at[i] as usize + i) % n];
                let t16 = y[i];
                t4 &= 18i32.wrapping_add(t4).wrapping_add(p[i][t13]);
            } else {
                let t17: i32 = mixed(&y[i], p[i]);
                let t18: i32 = mixed(&p[i], p[i]);
            }
            for t19 in [(t4 ^ y[i][0]); 3] {
                y[i] = [t12.wrapping_mul(q[at[i] as usize % n][1]); 3];
                let mut t20 = [(z[i][1] % 17), (if t19 != 79i32 { t1 } else { t12 })];
                t1 ^= (t19.wrapping_add(t20[t13 / 2]) ^ p[i][1].wrapping_mul(9i32));
            }
        }
        z[i] = [q[at[i] as usize % n][1], ((q[n - 1 - i][1] ^ z[i][1]).wrapping_mul((q[at[i] as usize % n][0] ^ z[i][1])) ^ t12.wrapping_add(p[i + 1][2]).wrapping_sub(q[n - 1 - i][0].wrapping_add(y[i][0])))];
        y[i][at[i] as usize % 3] ^= (if p[i + 1][1] != t1 { y[i][1] } else { q[(at[i] as usize + i) % n][1] }).wrapping_add(p[i][(at[i] % 3) as usize]);
        (p[i][0] ^ y[i][1]) as i64
    }
}
