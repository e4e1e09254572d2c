//! Copies to host memory that bypass the caches.
#![allow(unsafe_code, reason = "streaming stores are intrinsics")]

/// Copies data that will not be read soon. Stores that bypass the caches avoid reading the lines that they overwrite, which saves a
/// third of the memory traffic.
pub fn copy_past_caches(to: &mut [u8], from: &[u8]) {
    assert_eq!(to.len(), from.len(), "a copy has one length");
    #[cfg(target_arch = "x86_64")]
    if to.len() >= 1 << 16 && is_x86_feature_detected!("avx") {
        // SAFETY: the processor has AVX.
        unsafe { stream(to, from) };
        return;
    }
    to.copy_from_slice(from);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn stream(to: &mut [u8], from: &[u8]) {
    use std::arch::x86_64::{_mm_sfence, _mm256_loadu_si256, _mm256_stream_si256};
    const LINE: usize = 64;
    let head = to.as_ptr().align_offset(LINE).min(to.len());
    let ((to_head, to), (from_head, from)) = (to.split_at_mut(head), from.split_at(head));
    to_head.copy_from_slice(from_head);
    let (lines, rest) = to.as_chunks_mut::<LINE>();
    let (from_lines, from_rest) = from.as_chunks::<LINE>();
    for (to, from) in lines.iter_mut().zip(from_lines) {
        // SAFETY: both have 64 bytes, and `to` starts at a multiple of 64.
        unsafe {
            let (first, second) = (from.as_ptr().cast(), from.as_ptr().add(32).cast());
            let (first, second) = (_mm256_loadu_si256(first), _mm256_loadu_si256(second));
            _mm256_stream_si256(to.as_mut_ptr().cast(), first);
            _mm256_stream_si256(to.as_mut_ptr().add(32).cast(), second);
        }
    }
    rest.copy_from_slice(from_rest);
    // Orders the streaming stores before the report that the copy is done.
    _mm_sfence();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_arrives_at_every_alignment() {
        let from: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
        for offset in [0, 1, 31, 63, 64] {
            for len in [0, 63, 70_000, 131_071, 200_000] {
                let mut to = vec![0u8; offset + len + 1];
                copy_past_caches(&mut to[offset..offset + len], &from[7..7 + len]);
                assert_eq!(to[offset..offset + len], from[7..7 + len]);
                assert_eq!(to[offset + len], 0);
            }
        }
    }
}
