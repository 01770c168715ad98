//! Functions that describe a translation, and run it.

use std::ffi::{CString, c_char, c_void};

use crate::abi::{
    Bool, Callback, CbvBinding, Code, CompiledSpirv, D3dBinding, SrvBinding, StageIo, StageIoPlace, StreamOutputPlace,
    StreamOutputSemantic, UavBinding, UavD3dBinding, VertexInput, VulkanBinding,
};
use crate::blob::ParsedBlob;
use crate::border::{self, Failure, Out, attempt, given, guard};
use crate::converter::{Converter, State};
use crate::options::{OwnedOption, Setting, is_known};
use crate::original::{Handle, Original};
use crate::remap::Remapper;

/// The meta descriptors of view instancing.
const VIEW_OFFSETS: i32 = 2;
const VIEW_MASK: i32 = 3;

/// Makes a converter for a blob, which may be freed before it.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_create_converter(blob: Option<&ParsedBlob>, converter: Out<*mut Converter>) -> Code {
    guard(|| {
        converter.write(std::ptr::null_mut())?;
        converter.write(Box::into_raw(Box::new(Converter::new(given(blob)?)?)))
    })
}

/// Makes a converter for a blob. The names of the other blob are for debuggers, and not used.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_create_converter_with_reflection(
    blob: Option<&ParsedBlob>,
    _reflection: Option<&ParsedBlob>,
    converter: Out<*mut Converter>,
) -> Code {
    dxil_spv_create_converter(blob, converter)
}

/// Frees a converter.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_free(converter: Option<Box<Converter>>) {
    let _ = attempt(|| {
        drop(converter);
        Ok(())
    });
}

/// Changes the state of a converter by a call that has no result, and keeps the call for the
/// original library.
fn change(converter: Option<&Converter>, call: impl Fn(&Original, Handle) + 'static, change: impl FnOnce(&mut State)) {
    let _ = attempt(|| {
        let converter = given(converter)?;
        converter.record(call)?;
        converter.change(|state| {
            change(state);
            Ok(())
        })
    });
}

/// Chooses the entry point by one of its names.
///
/// # Safety
/// `name` is null or a C text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_set_entry_point(converter: Option<&Converter>, name: *const c_char) {
    let _ = attempt(|| {
        let converter = given(converter)?;
        // SAFETY: the caller has the same contract.
        let name = unsafe { border::text(name) }.map(border::c_text);
        let owned = name.as_ref().map_or_else(|_| CString::default(), CString::clone);
        converter.record(move |original, to| original.converter_set_entry_point(to, owned.as_ptr()))?;
        converter.change(|state| {
            state.entry = Some(name?.to_string_lossy().into_owned());
            Ok(())
        })
    });
}

/// Sets an option.
///
/// # Safety
/// `option` is null or points to an option's number and, if this version has it, its structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_add_option(converter: Option<&Converter>, option: *const u32) -> Code {
    guard(|| {
        let converter = given(converter)?;
        // SAFETY: the caller has the same contract.
        let setting = unsafe { Setting::read(option) }?;
        // SAFETY: the option is the caller's.
        let owned = unsafe { OwnedOption::new(&setting) };
        converter.record(move |original, to| owned.give(|option| original.converter_add_option(to, option)))?;
        let mut state = converter.state()?;
        // SAFETY: the option is the caller's.
        match unsafe { state.settings.apply(&setting) } {
            // The original library may know what is refused here.
            Err(failure) if converter.may_forward() => {
                state.refuse(failure);
                Ok(())
            }
            applied => applied,
        }
    })
}

/// Whether an option has a row in the table of docs/d3d12.md.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_supports_option(option: u32) -> Bool {
    is_known(option).into()
}

/// Sets the number of words of the root block after the root descriptors.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_root_constant_word_count(converter: Option<&Converter>, words: u32) {
    let call = move |original: &Original, to| original.converter_set_root_constant_word_count(to, words);
    change(converter, call, |state| state.words = words);
}

/// Sets the number of root descriptors.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_root_descriptor_count(converter: Option<&Converter>, count: u32) {
    let call = move |original: &Original, to| original.converter_set_root_descriptor_count(to, count);
    change(converter, call, |state| state.descriptors = count);
}

/// Sets the callback for SRVs.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_srv_remapper(
    converter: Option<&Converter>,
    callback: Callback<D3dBinding, SrvBinding>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_srv_remapper(to, callback, user);
    change(converter, call, |state| state.remappers.srv = Remapper::new(callback, user));
}

/// Sets the callback for UAVs.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_uav_remapper(
    converter: Option<&Converter>,
    callback: Callback<UavD3dBinding, UavBinding>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_uav_remapper(to, callback, user);
    change(converter, call, |state| state.remappers.uav = Remapper::new(callback, user));
}

/// Sets the callback for constant buffers.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_cbv_remapper(
    converter: Option<&Converter>,
    callback: Callback<D3dBinding, CbvBinding>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_cbv_remapper(to, callback, user);
    change(converter, call, |state| state.remappers.cbv = Remapper::new(callback, user));
}

/// Sets the callback for samplers.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_sampler_remapper(
    converter: Option<&Converter>,
    callback: Callback<D3dBinding, VulkanBinding>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_sampler_remapper(to, callback, user);
    change(converter, call, |state| state.remappers.sampler = Remapper::new(callback, user));
}

/// Sets the callback for the inputs of a vertex shader.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_vertex_input_remapper(
    converter: Option<&Converter>,
    callback: Callback<StageIo, VertexInput>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_vertex_input_remapper(to, callback, user);
    change(converter, call, |state| state.links.vertex_input = Remapper::new(callback, user));
}

/// Sets the callback for outputs that are written to buffers.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_stream_output_remapper(
    converter: Option<&Converter>,
    callback: Callback<StreamOutputSemantic, StreamOutputPlace>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_stream_output_remapper(to, callback, user);
    change(converter, call, |state| state.links.stream_output = Remapper::new(callback, user));
}

/// Sets the callback for the inputs of a pixel shader after a mesh shader.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_stage_input_remapper(
    converter: Option<&Converter>,
    callback: Callback<StageIo, StageIoPlace>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_stage_input_remapper(to, callback, user);
    change(converter, call, |state| state.links.stage_input = Remapper::new(callback, user));
}

/// Sets the callback for the outputs of a mesh shader.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_stage_output_remapper(
    converter: Option<&Converter>,
    callback: Callback<StageIo, StageIoPlace>,
    user: *mut c_void,
) {
    let call = move |original: &Original, to| original.converter_set_stage_output_remapper(to, callback, user);
    change(converter, call, |state| state.links.stage_output = Remapper::new(callback, user));
}

/// Sets the first location of patch constants.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_patch_location_offset(converter: Option<&Converter>, offset: u32) {
    let call = move |original: &Original, to| original.converter_set_patch_location_offset(to, offset);
    change(converter, call, |state| state.patch_location = offset);
}

/// Sets the place of data about heaps, which is refused, or about views, which no shader reads: the
/// specialisation constants of option 49 have what is known of a view.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_set_meta_descriptor(
    converter: Option<&Converter>,
    meta: i32,
    kind: i32,
    set: u32,
    binding: u32,
) -> Code {
    guard(|| {
        let converter = given(converter)?;
        converter.record(move |original, to| {
            original.converter_set_meta_descriptor(to, meta, kind, set, binding);
        })?;
        if let VIEW_OFFSETS | VIEW_MASK = meta {
            return Ok(());
        }
        let failure = Failure::new(Code::UnsupportedFeature, format!("meta descriptor {meta} is not translated"));
        if !converter.may_forward() {
            return Err(failure);
        }
        converter.state()?.refuse(failure);
        Ok(())
    })
}

/// Names a root parameter for debuggers. The words do not have it.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_root_parameter_mapping(
    _converter: Option<&Converter>,
    _parameter: u32,
    _offset: u32,
) {
}

/// Names a root descriptor for debuggers. The words do not have it.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_root_descriptor_mapping(
    _converter: Option<&Converter>,
    _parameter: u32,
    _set: u32,
    _binding: u32,
) {
}

/// Adds data for debuggers. The words do not have it.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_add_non_semantic_debug_info(
    _converter: Option<&Converter>,
    _tag: *const c_char,
    _data: *const c_void,
    _size: usize,
) {
}

/// Translates.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_run(converter: Option<&Converter>) -> Code {
    guard(|| given(converter)?.run())
}

/// Gives the words, which live until the converter is freed.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compiled_spirv(
    converter: Option<&Converter>,
    compiled: Out<CompiledSpirv>,
) -> Code {
    guard(|| compiled.write(given(converter)?.state()?.compiled()?))
}

/// Gives the name of the entry point in the words.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compiled_entry_point(
    converter: Option<&Converter>,
    name: Out<*const c_char>,
) -> Code {
    guard(|| {
        let state = given(converter)?.state()?;
        if let Some(foreign) = state.foreign() {
            let (library, handle) = (foreign.library, foreign.handle);
            return border::original(library.converter_get_compiled_entry_point(handle, name.pointer()?));
        }
        state.compiled()?;
        name.write(state.name())
    })
}
