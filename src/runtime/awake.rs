//! Threads that stay awake while a program asks for it.

use crate::devices::crew::Vigil;
use crate::kernel::CudaVariant;
use crate::model::machine::DeviceKind;
use crate::runtime::Runtime;
use crate::runtime::seats::Seat;

/// While it lives, the threads of a [`Runtime`] stay awake between loops: [`Runtime::keep_awake`].
#[must_use = "threads stay awake only while this lives"]
pub struct Awake(Vigil);

impl Drop for Awake {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl std::fmt::Debug for Awake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Awake")
    }
}

/// A runtime's own hold on its vigil, which ends with it: guards may live longer.
pub(super) struct Watch(pub Vigil);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Runtime {
    /// Before a loop of these seats: host threads that are kept awake sleep if others' threads need their cores, those that copy
    /// plain arrays, and those of GPUs that call a library, which nothing keeps off the host's cores.
    pub(super) fn share_cores(&self, seats: &[Seat<'_, '_>]) {
        if !self.vigil.0.is_kept() {
            return;
        }
        let calls = |seat: &Seat<'_, '_>| matches!(seat.proxy.work.kernel.cuda_variant(), Some(CudaVariant::Call(_)));
        let on_gpu = |seat: &Seat<'_, '_>| seat.member.kind == DeviceKind::Cuda;
        let crowded = seats.iter().any(|seat| seat.proxy.cutting.shared_out || on_gpu(seat) && calls(seat));
        for member in &self.members {
            let Some(lookouts) = &member.lookouts else { continue };
            let part = seats.iter().any(|seat| std::ptr::eq(seat.member, member));
            if crowded {
                lookouts.dismiss(part);
            } else if part {
                lookouts.admit();
            }
        }
    }

    /// Keeps the runtime's threads awake until the returned guard is dropped, as OpenMP does by `OMP_WAIT_POLICY=active`.
    ///
    /// Threads that have nothing to do sleep some 0.2 ms after a loop, and to wake many of them takes longer than a short loop.
    /// Where short loops on many cores follow one another with pauses between them, in which the program does something else, a
    /// guard makes them faster; loops on GPUs alone gain little. Its price is that the threads poll: the host device's on all of its
    /// cores, and one for each GPU. The host device's yield to other threads that are ready to run there, but still disturb them; a
    /// GPU's does not yield where there are at least four cores for each device. A program whose other threads compute between loops
    /// should not ask for it, nor one that has a quota of processor time (a container's CPU limit): polling uses it up.
    ///
    /// Loops over plain arrays on GPUs, and those that call a library there, have threads of their own on the host's cores: the
    /// host device's then sleep as ever, until a loop of another kind has a part for them, or this is called again. Threads that
    /// copy plain arrays sleep as ever too.
    ///
    /// A call wakes the threads that sleep and does not wait until they are awake. Guards may be nested, and dropped in any order and
    /// on any thread. A guard does not keep the runtime alive.
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// # fn main() -> Result<()> {
    /// #[kernel]
    /// fn step(i: usize, x: &mut [f32]) {
    ///     x[i] *= 0.5;
    /// }
    ///
    /// let (rt, mut x) = (Runtime::detect()?, vec![1.0f32; 10_000]);
    /// let awake = rt.keep_awake();
    /// for _ in 0..10 {
    ///     rt.parallel_for(0..x.len(), step(&mut x)).run()?;
    ///     // What the program does here no longer lets the threads fall asleep.
    /// }
    /// drop(awake);
    /// # Ok(())
    /// # }
    /// ```
    pub fn keep_awake(&self) -> Awake {
        self.vigil.0.begin();
        for member in &self.members {
            member.thread.call();
            if let (Some(lookouts), Some(pool)) = (&member.lookouts, &member.pool) {
                lookouts.wake(pool);
            }
        }
        Awake(self.vigil.0.clone())
    }
}
