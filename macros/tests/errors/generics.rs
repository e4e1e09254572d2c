use apportion::kernel;

#[kernel(T = f32 | f64)]
fn bounded<T: Copy>(i: usize, x: &[T], y: &mut [T]) {
    y[i] = x[i];
}

#[kernel(T = f32)]
fn missing(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel(T = f32)]
fn unnamed<T, K>(i: usize, x: &[K], y: &mut [T]) {
    y[i] = x[i] as T;
}

#[kernel(T = f32 | usize)]
fn no_element<T>(i: usize, y: &mut [T]) {
    y[i] = 0.0;
}

#[kernel(T = f32 | f32)]
fn twice<T>(i: usize, y: &mut [T]) {
    y[i] = 0.0;
}

#[kernel(T = f32 | f64)]
fn length<T, const N: usize>(i: usize, y: &mut [T]) {
    y[i] = 0.0;
}

// What is wrong for one of the types.
#[kernel(T = f32 | i32)]
fn root<T>(i: usize, y: &mut [T]) {
    y[i] = y[i].sqrt();
}

#[kernel(T = f32 | f64)]
fn halved<T>(i: usize, y: &mut [T]) {
    y[i] *= 0.5;
}

#[kernel(T = f32)]
fn clause<T>(i: usize, y: &mut [T])
where
    T: Copy,
{
    y[i] = 0.0;
}

#[kernel(T = f32, T = f64)]
fn parameter_twice<T>(i: usize, y: &mut [T]) {
    y[i] = 0.0;
}

// An array of another type than the scalar's.
#[kernel(T = f32 | f64)]
fn scaled<T>(i: usize, a: T, y: &mut [T]) {
    y[i] *= a;
}

#[kernel]
fn sized<const N: usize>(i: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..N {
        y[i * N + j] = x[i * N + j];
    }
}

fn main() {
    let mut y = vec![0.0f64; 4];
    scaled(2.0f32, &mut y);
}
