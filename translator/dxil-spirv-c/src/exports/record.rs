//! Functions that declare the local root signature of a converter.

use crate::abi::Code;
use crate::border::{Answer, attempt, given, guard};
use crate::converter::Converter;
use crate::original::{Handle, Original};
use crate::record::{ShaderRecord, class};

/// Changes the record by a call that has no result, and keeps the call for the original library.
fn change(
    converter: Option<&Converter>,
    call: impl Fn(&Original, Handle) + 'static,
    change: impl FnOnce(&mut ShaderRecord) -> Answer,
) {
    let _ = attempt(|| {
        let converter = given(converter)?;
        converter.record(call)?;
        converter.change(|state| change(&mut state.record))
    });
}

/// Adds constants.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_local_root_constants(
    converter: Option<&Converter>,
    space: u32,
    register: u32,
    words: u32,
) {
    let call = move |original: &Original, to| original.converter_add_local_root_constants(to, space, register, words);
    change(converter, call, |record| record.constants(space, register, words));
}

/// Adds a root descriptor.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_local_root_descriptor(
    converter: Option<&Converter>,
    resource_class: i32,
    space: u32,
    register: u32,
) {
    let call = move |original: &Original, to| {
        original.converter_add_local_root_descriptor(to, resource_class, space, register);
    };
    change(converter, call, |record| record.descriptor(class(resource_class)?, space, register));
}

/// Begins a table.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_begin_local_root_descriptor_table(converter: Option<&Converter>) -> Code {
    guard(|| {
        let converter = given(converter)?;
        converter.record(|original, to| {
            original.converter_begin_local_root_descriptor_table(to);
        })?;
        converter.state()?.record.begin_table()
    })
}

/// Adds a range to the table that has begun.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_local_root_descriptor_table(
    converter: Option<&Converter>,
    resource_class: i32,
    space: u32,
    register: u32,
    count: u32,
    offset: u32,
) {
    let call = move |original: &Original, to| {
        original.converter_add_local_root_descriptor_table(to, resource_class, space, register, count, offset);
    };
    change(converter, call, |record| record.range(class(resource_class)?, space, register, count, offset));
}

/// Ends a table.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_end_local_root_descriptor_table(converter: Option<&Converter>) -> Code {
    guard(|| {
        let converter = given(converter)?;
        converter.record(|original, to| {
            original.converter_end_local_root_descriptor_table(to);
        })?;
        converter.state()?.record.end_table()
    })
}
