use apportion::kernel;

mod physics {
    pub fn energy(v: f32) -> f32 {
        0.5 * v * v
    }
}

fn twice(v: f32) -> f32 {
    2.0 * v
}

#[kernel]
fn plain(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = twice(x[i]);
}

#[kernel]
fn of_a_module(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = physics::energy(x[i]);
}

#[kernel(helper)]
fn of_a_helper(v: f32) -> f32 {
    physics::energy(v) + 1.0
}

fn main() {}
