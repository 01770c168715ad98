//! Plain structures: numbers, enumerations and flags only. Their bytes can be serialised and keep
//! their meaning in another process on another machine.
//!
//! In: a structure of a chain. Out: its bytes. What must hold: padding, which is undefined in the
//! input, is zero, so that equal structures have equal bytes.

use crate::vulkan::chain::Header;

/// A row of the generated file.
type Row = (i32, usize, &'static [(usize, usize)]);

/// `sType`, size and padding of the registry's plain structures on 64-bit platforms, in order of
/// `sType`. Padding is listed by its first byte and the first one after it.
const PLAIN: &[Row] = &include!("plain.inc");

/// The size of a plain structure without its `sType` and `pNext`; `None` for unknown structures,
/// and for those with pointers or handles, whose bytes have no meaning in another process.
pub fn plain_bytes(s_type: i32) -> Option<usize> {
    row(s_type).map(|&(_, size, _)| size.saturating_sub(size_of::<Header>()))
}

fn row(s_type: i32) -> Option<&'static Row> {
    PLAIN.binary_search_by_key(&s_type, |&(known, ..)| known).ok().and_then(|at| PLAIN.get(at))
}

/// The bytes of a structure after its `sType` and `pNext`; `None` if it is not known to be plain,
/// or the platform is not 64-bit and little-endian.
///
/// # Safety
/// `node` must be a valid Vulkan structure.
pub unsafe fn bytes_of(node: *const Header) -> Option<Vec<u8>> {
    if !cfg!(all(target_pointer_width = "64", target_endian = "little")) {
        return None;
    }
    // SAFETY: the header of a valid structure.
    let s_type = unsafe { (*node).s_type }.as_raw();
    let &(_, size, padding) = row(s_type)?;
    let mut out = vec![0; size.saturating_sub(size_of::<Header>())];
    let mut at = size_of::<Header>();
    for &(start, end) in padding.iter().chain(&[(size, size)]) {
        let to = at.checked_sub(size_of::<Header>()).and_then(|from| out.get_mut(from..));
        let length = start.saturating_sub(at);
        if let Some(to) = to.and_then(|to| to.get_mut(..length)) {
            // SAFETY: the structure has `size` bytes, and these are not padding, so they are
            // initialised.
            unsafe { std::ptr::copy_nonoverlapping(node.cast::<u8>().add(at), to.as_mut_ptr(), length) };
        }
        at = end;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use ash::vk;

    use super::*;

    #[test]
    fn the_table_is_sorted_and_within_its_sizes() {
        assert!(PLAIN.is_sorted_by_key(|&(s_type, ..)| s_type));
        assert!(PLAIN.len() > 500);
        for &(s_type, size, padding) in PLAIN {
            assert!(size >= 16 && size.is_multiple_of(8), "{s_type}");
            let ends: Vec<usize> = padding.iter().flat_map(|&(start, end)| [start, end]).collect();
            assert!(ends.is_sorted() && ends.iter().all(|at| (16..=size).contains(at)), "{s_type}: {padding:?}");
        }
    }

    #[test]
    fn padding_is_zero() {
        let mut memory = [0xaau8; 32];
        let info = vk::PipelineRasterizationConservativeStateCreateInfoEXT {
            conservative_rasterization_mode: vk::ConservativeRasterizationModeEXT::OVERESTIMATE,
            extra_primitive_overestimation_size: 0.5,
            ..Default::default()
        };
        // SAFETY: the members without the four bytes of padding.
        unsafe { std::ptr::copy_nonoverlapping((&raw const info).cast::<u8>(), memory.as_mut_ptr(), 28) };
        let words: [u64; 4] = std::array::from_fn(|i| u64::from_le_bytes(memory[i * 8..][..8].try_into().unwrap()));
        // SAFETY: a structure with its members initialised.
        let bytes = unsafe { bytes_of(words.as_ptr().cast()) };
        assert_eq!(bytes, Some(vec![0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x3f, 0, 0, 0, 0]));
    }

    #[test]
    fn pointers_and_handles_are_not_plain() {
        let pointer = vk::PipelineRenderingCreateInfo::default();
        let handle = vk::SamplerYcbcrConversionInfo::default();
        let address = vk::PipelineIndirectDeviceAddressInfoNV::default();
        for node in [(&raw const pointer).cast(), (&raw const handle).cast(), (&raw const address).cast()] {
            // SAFETY: valid structures.
            assert_eq!(unsafe { bytes_of(node) }, None);
        }
    }
}
