//! Elements that are arrays: points, pixels and complex numbers.

use apportion::kernel::Kernel;

crate::both! {
    /// Components in a loop.
    pub fn step(i: usize, dt: f32, v: &[[f32; 3]], p: &mut [[f32; 3]]) {
        for d in 0..3 {
            p[i][d] += dt * v[i][d];
        }
    }

    /// Whole elements, taken apart and made.
    pub fn forces(i: usize, n: usize, mass: &[f32], p: &[[f32; 3]], f: &mut [[f32; 3]]) {
        let a = p[i];
        let mut s = [0.0f32; 3];
        for j in 0..n {
            let [x, y, z] = p[j];
            let d = [x - a[0], y - a[1], z - a[2]];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
            for k in 0..3 {
                s[k] += mass[j] * d[k] / square;
            }
        }
        f[i] = s;
    }

    /// Complex numbers: products, in an array that is written in whole.
    pub fn products(i: usize, a: &[[f64; 2]], b: &[[f64; 2]], c: &mut [[f64; 2]]) {
        let [re, im] = a[i];
        let w = b[i];
        c[i] = [re * w[0] - im * w[1], re * w[1] + im * w[0]];
    }

    /// Pixels, and another number of components on the other side.
    pub fn grey(i: usize, q: &[[u8; 4]], y: &mut [[u8; 2]]) {
        let [r, g, b, alpha] = q[i];
        y[i] = [((r as u32 * 77 + g as u32 * 151 + b as u32 * 28) >> 8) as u8, alpha];
    }

    /// Pixels of a row, in an inner loop.
    pub fn invert(i: usize, m: usize, q: &mut [[u8; 4]]) {
        for j in 0..m {
            let [r, .., a] = q[i * m + j];
            q[i * m + j] = [255 - r, a, 255 - q[i * m + j][2], a];
        }
    }

    /// Elements before and after the iteration's own.
    pub fn between(i: usize, p: &[[f32; 3]], y: &mut [[f32; 3]]) {
        for d in 0..3 {
            y[i][d] = 0.5 * (p[i - 1][d] + p[i + 1][2 - d]);
        }
    }

    /// Every statement about whole elements.
    pub fn statements(i: usize, p: &[[i32; 3]], at: &[u32], y: &mut [[i32; 3]]) {
        let (mut a, b): ([i32; 3], [i32; 3]) = (p[2 * i], [7; 3]);
        let [x, _, mut z]: [i32; 3] = p[2 * i + 1];
        z ^= x;
        for v in p[2 * i] {
            z = z * 3 + v;
        }
        if a[0] > b[1] {
            a = p[2 * i + 1];
            a[1] += 1;
        } else {
            (a, z) = (b, a[2]);
        }
        y[i] = a;
        y[i] = [y[i][1], y[i][2], y[i][0]];
        for d in 0..3 {
            if d != at[i] as usize {
                y[i][d] ^= z + d as i32;
            }
        }
        y[i][(at[i] % 3) as usize] += a[2];
        let [first, ..] = a;
        let [.., last] = [first, z];
        y[i][1] -= last & 7;
    }

    /// Two elements for each iteration, which change places.
    pub fn sorted(i: usize, p: &mut [[f32; 2]]) {
        if p[2 * i][0] > p[2 * i + 1][0] {
            (p[2 * i], p[2 * i + 1]) = (p[2 * i + 1], p[2 * i]);
        }
        (p[2 * i][1], _) = (p[2 * i][1] + 1.0, p[2 * i]);
    }

    /// Long elements are copied by loops.
    pub fn long(i: usize, p: &[[f32; 20]], y: &mut [[f32; 20]]) {
        let mut w = p[i];
        w[3] = 1.0;
        y[i] = w;
        y[i][19] += p[i][0];
    }

    /// Elements of one number.
    pub fn single(i: usize, p: &[[f64; 1]], y: &mut [[f64; 1]]) {
        let [x] = p[i];
        y[i] = [x + p[i][0]];
    }

    /// A sum over all components.
    pub fn energy(i: usize, m: &[f64], v: &[[f64; 3]]) -> f64 {
        let mut square = 0.0;
        for x in v[i] {
            square += x * x;
        }
        0.5 * m[i] * square
    }
}

/// A component that the data choose, and elements that a second array chooses.
#[apportion::kernel]
#[map(p: full)]
pub fn chosen(i: usize, at: &[u32], p: &[[f32; 3]], y: &mut [f32]) {
    let w = p[at[i] as usize];
    y[i] = p[i][at[i] as usize % 5 / 2] + w[0] - w[2];
}

/// The square of a distance.
#[apportion::kernel(helper)]
pub fn distance(a: &[f32; 3], b: [f32; 3]) -> f32 {
    let (x, y, z) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    x * x + y * y + z * z
}

/// How many points are near each one, and the nearest one's distance.
#[apportion::kernel]
pub fn near(i: usize, n: usize, r: f32, p: &[[f32; 3]], y: &mut [[f32; 2]]) {
    let (mut count, mut least) = (0.0, f32::MAX);
    for j in 0..n {
        if j != i {
            let d: f32 = distance(&p[i], p[j]);
            least = least.min(d);
        }
        if distance(&p[j], p[i]) < r {
            count += 1.0;
        }
    }
    y[i] = [count, least];
}

/// The sums of the points of each class, and how many there are.
#[apportion::kernel]
#[map(sums: reduce(Sum), most: reduce(Max))]
pub fn classes(i: usize, class: &[u32], p: &[[i32; 3]], sums: &mut [[i32; 4]], most: &mut [[u32; 2]]) {
    let c = class[i] as usize;
    for d in 0..3 {
        sums[c][d] += p[i][d];
    }
    sums[c][3] += 1;
    most[c][1] = most[c][1].max(i as u32);
}

/// Any type of numbers.
#[apportion::kernel(T = f32 | f64)]
pub fn scaled<T>(i: usize, by: T, p: &[[T; 2]], y: &mut [[T; 2]]) {
    y[i] = [by * p[i][1], by * p[i][0]];
}

/// Cells (i, j) of rows of `m`, whose elements are arrays.
#[apportion::kernel(i, j)]
pub fn cells(i: usize, j: usize, m: usize, p: &[[f32; 2]], y: &mut [[f32; 2]]) {
    let [a, b] = p[i * m + j];
    y[i * m + j] = [a + b, a - b];
}

/// Cells and their neighbours, of which single components are read.
#[apportion::kernel(i, j)]
pub fn stencil(i: usize, j: usize, m: usize, table: &[[f32; 3]], old: &[[f32; 2]], new: &mut [[f32; 2]]) {
    let at = i * m + j;
    let [a, b] = old[at - m];
    let mut sum = 0.0;
    for side in 0..2 {
        sum += old[at + 2 * side - 1][1 - side];
    }
    new[at] = [0.25 * sum + table[j][2], a - b + old[at + m][(i + j) % 2]];
}

/// Rows that the map states, in elements.
#[apportion::kernel]
#[map(p: rows(2) halo(0, 1), y: unsafe rows(1))]
pub fn stated(i: usize, at: &[u32], p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    let k = at[i] as usize;
    y[i + k - k] = p[2 * i + k];
}

/// A component that the data choose is written.
#[apportion::kernel]
pub fn component(i: usize, at: &[u32], y: &mut [[f32; 3]]) {
    y[i] = [0.0; 3];
    y[i][at[i] as usize] = 1.0;
}

/// Elements that numbers of 64 bits choose.
#[apportion::kernel]
#[map(q: full)]
pub fn far(i: usize, at: &[u64], q: &[[f32; 2]], y: &mut [f32]) {
    y[i] = q[at[i] as usize][1];
}

/// All these kernels.
#[allow(dead_code)]
pub fn all() -> Vec<(Kernel, &'static str)> {
    macro_rules! list {
        ($($name:ident)*) => { vec![$(($name::kernel(), $name::cuda_source())),*] };
    }
    list!(step forces products grey invert between statements chosen sorted long single energy near classes cells stencil stated component far)
}
