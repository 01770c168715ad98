//! Functions that declare the local root signature of a converter.

use crate::abi::Code;
use crate::border::{attempt, given, guard};
use crate::converter::Converter;
use crate::record::class;

/// Adds constants.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_local_root_constants(
    converter: Option<&Converter>,
    space: u32,
    register: u32,
    words: u32,
) {
    let _ = attempt(|| given(converter)?.change(|state| state.record.constants(space, register, words)));
}

/// Adds a root descriptor.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_local_root_descriptor(
    converter: Option<&Converter>,
    resource_class: i32,
    space: u32,
    register: u32,
) {
    let _ =
        attempt(|| given(converter)?.change(|state| state.record.descriptor(class(resource_class)?, space, register)));
}

/// Begins a table.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_begin_local_root_descriptor_table(converter: Option<&Converter>) -> Code {
    guard(|| given(converter)?.state()?.record.begin_table())
}

/// Adds a range to the table that has begun.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_local_root_descriptor_table(
    converter: Option<&Converter>,
    resource_class: i32,
    space: u32,
    register: u32,
    count: u32,
    offset_in_heap: u32,
) {
    let _ = attempt(|| {
        given(converter)?
            .change(|state| state.record.range(class(resource_class)?, space, register, count, offset_in_heap))
    });
}

/// Ends a table.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_end_local_root_descriptor_table(converter: Option<&Converter>) -> Code {
    guard(|| given(converter)?.state()?.record.end_table())
}
