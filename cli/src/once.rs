//! One run of a workload's loop, on arrays that are reset and lie in memory, or as they are.

use apportion::devices::caches;
use apportion::kernel::{Element, ElementType, Reduce, Reduction, Scalar};
use apportion::runtime::{Loop, Report, Runtime};
use apportion_kernels::Instance;
use std::time::{Duration, Instant};

/// Resets the arrays and evicts them from caches, as after other work: data that the cores have just written, or read in the loop
/// before, would reach a GPU at a third of its link's speed, and the cores at several times their memory's.
pub fn prepare(instance: &mut dyn Instance) {
    instance.reset();
    caches::evict_arrays(&instance.bind());
    // Threads that did this look out for more work for a while, which would disturb the loop; so would those of the loop before.
    let start = Instant::now();
    while start.elapsed() < Duration::from_micros(300) {
        std::hint::spin_loop();
    }
}

/// Runs the workload's loop once, after [`prepare`].
pub fn run_loop<'r, 'a>(
    runtime: &'r Runtime,
    instance: &'a mut dyn Instance,
    configure: impl FnOnce(Loop<'r, 'a>) -> Loop<'r, 'a>,
) -> apportion::Result<(Report, Option<Scalar>)> {
    prepare(instance);
    run_again(runtime, instance, configure)
}

/// Runs the workload's loop once, with its reduction if it has one, on its arrays as they are.
pub fn run_again<'r, 'a>(
    runtime: &'r Runtime,
    instance: &'a mut dyn Instance,
    configure: impl FnOnce(Loop<'r, 'a>) -> Loop<'r, 'a>,
) -> apportion::Result<(Report, Option<Scalar>)> {
    fn reduce<T: Element>(a_loop: Loop<'_, '_>, operator: Reduce) -> apportion::Result<(Report, Option<Scalar>)> {
        let reduced = a_loop.reduce::<T>(operator)?;
        Ok((reduced.report, Some(reduced.value.to_scalar())))
    }
    let (iterations, reduction) = (instance.iterations(), instance.reduction());
    let a_loop = configure(runtime.parallel_for(0..iterations, instance.bind()));
    let Some(Reduction { operator, element }) = reduction else {
        return a_loop.run().map(|report| (report, None));
    };
    match element {
        ElementType::F32 => reduce::<f32>(a_loop, operator),
        ElementType::F64 => reduce::<f64>(a_loop, operator),
        ElementType::I32 => reduce::<i32>(a_loop, operator),
        ElementType::U32 => reduce::<u32>(a_loop, operator),
        ElementType::I64 => reduce::<i64>(a_loop, operator),
        ElementType::U64 => reduce::<u64>(a_loop, operator),
        ElementType::I8 => reduce::<i8>(a_loop, operator),
        ElementType::U8 => reduce::<u8>(a_loop, operator),
        ElementType::I16 => reduce::<i16>(a_loop, operator),
        ElementType::U16 => reduce::<u16>(a_loop, operator),
    }
}
