//! Structures that may grow: each begins with its size, which the program sets.
//!
//! In: pointers to structures of the program, which may be of an older or a newer version of the
//! header. Out: the structures of this version. What must hold: nothing is read or written beyond
//! the size that the program states.

use crate::border::{Answer, Failure};

/// A structure whose first member is its size in bytes.
///
/// # Safety
/// The type is `repr(C)`, its first member is a `usize`, and all-zero bytes are a value of it.
pub unsafe trait Structure: Copy {
    /// The size in the first version that has the structure.
    const LEAST: usize;
    /// Its name in the header, for messages.
    const NAME: &'static str;
    /// Sets the first member.
    fn set_size(&mut self, size: usize);
}

/// `structures! { Type; … }` makes types structures of the interface.
macro_rules! structures {
    ($($ty:ident;)+) => {$(
        // SAFETY: the type is `repr(C)`, which the header needs as well; the first member is
        // checked below; its members are numbers and raw pointers.
        unsafe impl $crate::structures::Structure for $ty {
            // No structure has grown yet.
            const LEAST: usize = size_of::<Self>();
            const NAME: &'static str = concat!("Dxtr", stringify!($ty));
            fn set_size(&mut self, size: usize) {
                self.structure_size = size;
            }
        }
        const _: () = assert!(std::mem::offset_of!($ty, structure_size) == 0);
    )+};
}
pub(crate) use structures;

/// The size that the program states.
///
/// # Errors
/// If it is less than the structure ever was.
///
/// # Safety
/// The pointer points to a `usize`.
unsafe fn stated<T: Structure>(pointer: *const T) -> Answer<usize> {
    // SAFETY: by the caller's contract.
    let size = unsafe { pointer.cast::<usize>().read_unaligned() };
    if size < T::LEAST {
        let (name, least) = (T::NAME, T::LEAST);
        return Err(Failure::argument(format!(
            "{name}::structure_size is {size}, and at least {least} is expected; set it to sizeof({name})"
        )));
    }
    Ok(size)
}

/// Fills a structure of the program, as far as the program knows it. Members that this version does
/// not know become zero.
///
/// # Errors
/// If the pointer is null, or the stated size is too small.
pub fn fill<T: Structure>(pointer: *mut T, mut value: T) -> Answer {
    if pointer.is_null() {
        return Err(Failure::argument(format!("the pointer to {} is null", T::NAME)));
    }
    // SAFETY: the pointer is not null, so by the contract of the interface it points to a structure
    // that begins with its size.
    let size = unsafe { stated::<T>(pointer) }?;
    value.set_size(size);
    let known = size.min(size_of::<T>());
    // SAFETY: the program has as many bytes as it states, and the value has at least the known
    // ones.
    unsafe {
        let bytes = pointer.cast::<u8>();
        bytes.copy_from_nonoverlapping((&raw const value).cast(), known);
        bytes.add(known).write_bytes(0, size - known);
    }
    Ok(())
}

/// Reads a structure of the program; `None` if the pointer is null.
///
/// # Errors
/// If the stated size is too small, or a member is set that this version does not know.
pub fn read<T: Structure>(pointer: *const T) -> Answer<Option<T>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the pointer is not null, so by the contract of the interface it points to a structure
    // that begins with its size.
    let size = unsafe { stated::<T>(pointer) }?;
    let known = size.min(size_of::<T>());
    // SAFETY: all-zero bytes are a value of the type.
    let mut value: T = unsafe { std::mem::zeroed() };
    // SAFETY: the program has as many bytes as it states, which are numbers and pointers.
    let unknown = unsafe {
        (&raw mut value).cast::<u8>().copy_from_nonoverlapping(pointer.cast(), known);
        std::slice::from_raw_parts(pointer.cast::<u8>().add(known), size - known)
    };
    if unknown.iter().any(|&byte| byte != 0) {
        return Err(Failure::argument(format!(
            "{} has a member that this version of the library does not know; use a newer library, or leave it zero",
            T::NAME
        )));
    }
    Ok(Some(value))
}

/// Reads an array of structures, each of which has the size that the first one states.
///
/// # Errors
/// Those of [`read`]; also if the pointer is null and the count is not zero.
pub fn read_array<T: Structure>(first: *const T, count: u32) -> Answer<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if first.is_null() {
        return Err(Failure::argument(format!("the pointer to an array of {} is null", T::NAME)));
    }
    // SAFETY: as in `read`.
    let stride = unsafe { stated::<T>(first) }?;
    let element = |index: u32| first.wrapping_byte_add(stride.wrapping_mul(index as usize));
    let mut all = Vec::new();
    for index in 0..count {
        // SAFETY: by the contract of the interface the array has `count` elements of the first
        // one's size.
        if unsafe { stated::<T>(element(index)) }? != stride {
            return Err(Failure::argument(format!("the elements of an array of {} differ in their sizes", T::NAME)));
        }
        all.extend(read(element(index))?);
    }
    Ok(all)
}
