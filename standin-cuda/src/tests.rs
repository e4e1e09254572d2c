//! What the stand-in is for, shown on itself: each of these fails when it lets a mistake pass.

mod boxes;
mod driver;
mod errors;
mod kernels;
mod order;
