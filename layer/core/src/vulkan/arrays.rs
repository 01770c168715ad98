//! Arrays and strings of create infos.

use std::ffi::{CStr, c_char, c_void};

/// The elements of an array. If the count is 0, Vulkan ignores the pointer.
///
/// # Safety
/// `pointer` must be null or point to `count` elements that outlive the result.
pub unsafe fn slice<'a, T>(pointer: *const T, count: u32) -> &'a [T] {
    if pointer.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller's array.
    unsafe { std::slice::from_raw_parts(pointer, count as usize) }
}

/// The bytes at a pointer to code.
///
/// # Safety
/// `pointer` must be null or point to `size` bytes that outlive the result.
pub unsafe fn bytes<'a>(pointer: *const c_void, size: usize) -> &'a [u8] {
    if pointer.is_null() || size == 0 {
        return &[];
    }
    // SAFETY: the caller's bytes.
    unsafe { std::slice::from_raw_parts(pointer.cast(), size) }
}

/// The names in an array of C strings, without null pointers.
///
/// # Safety
/// `names` must be null or point to `count` pointers, each null or to a valid string that outlives
/// the result.
pub unsafe fn names<'a>(names: *const *const c_char, count: u32) -> impl Iterator<Item = &'a CStr> {
    // SAFETY: the caller's array.
    let names: &'a [*const c_char] = unsafe { slice(names, count) };
    // SAFETY: the caller's strings.
    names.iter().filter(|name| !name.is_null()).map(|&name| unsafe { CStr::from_ptr(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_of_an_empty_array_may_be_invalid() {
        let stale = std::ptr::without_provenance::<u64>(3);
        // SAFETY: an array of no elements.
        assert!(unsafe { slice(stale, 0) }.is_empty());
        // SAFETY: an array of no bytes.
        assert!(unsafe { bytes(stale.cast(), 0) }.is_empty());
        // SAFETY: an array of no names.
        assert_eq!(unsafe { names(stale.cast(), 0) }.count(), 0);
    }
}
