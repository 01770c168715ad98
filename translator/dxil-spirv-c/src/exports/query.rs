//! Questions about the shader of a converter.

use std::ffi::c_char;
use std::ptr;

use dxil_translator::analysis::program::Entry;
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::ops::OpCode;
use dxil_translator::{PipelineState, ShaderStage};

use crate::abi::{Bool, Code};
use crate::border::{self, Answer, Failure, Out, attempt, given, guard};
use crate::converter::Converter;
use crate::original::ForeignConverter;

/// Asks the original library, if it has translated the shader last.
fn forwarded(converter: Option<&Converter>, question: impl FnOnce(&ForeignConverter) -> Answer<i32>) -> Option<Answer> {
    let converter = converter?;
    let state = converter.state().ok()?;
    let foreign = state.foreign()?;
    Some(question(foreign).and_then(border::original))
}

/// Asks the entry point of a converter.
fn ask<T>(converter: Option<&Converter>, question: impl FnOnce(&Entry) -> Answer<T>) -> Answer<T> {
    let converter = given(converter)?;
    let state = converter.state()?;
    let (shader, id) = converter.entry(&state)?;
    question(shader.entry(id).ok_or_else(Failure::no_data)?)
}

/// Gives the first location of patch constants of a hull shader.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_patch_location_offset(
    converter: Option<&Converter>,
    offset: Out<u32>,
) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_get_patch_location_offset(foreign.handle, offset.pointer()?))
    };
    guard(|| {
        forwarded(converter, theirs).unwrap_or_else(|| {
            let converter = given(converter)?;
            let state = converter.state()?;
            let (shader, id) = converter.entry(&state)?;
            match shader.entry(id) {
                Some(entry) if entry.stage == ShaderStage::Hull => {
                    offset.write(shader.patch_location(id).unwrap_or(PipelineState::PATCH_LOCATION))
                }
                _ => Err(Failure::no_data()),
            }
        })
    })
}

/// Gives the number of input control points of a hull shader.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_patch_vertex_count(converter: Option<&Converter>, count: Out<u32>) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_get_patch_vertex_count(foreign.handle, count.pointer()?))
    };
    guard(|| {
        forwarded(converter, theirs).unwrap_or_else(|| {
            ask(converter, |entry| match entry.properties {
                StageProperties::Hull { input_points, .. } => count.write(input_points),
                _ => Err(Failure::no_data()),
            })
        })
    })
}

/// Gives the size of a thread group.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compute_workgroup_dimensions(
    converter: Option<&Converter>,
    x: Out<u32>,
    y: Out<u32>,
    z: Out<u32>,
) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_get_compute_workgroup_dimensions(
            foreign.handle,
            x.pointer()?,
            y.pointer()?,
            z.pointer()?,
        ))
    };
    guard(|| {
        forwarded(converter, theirs).unwrap_or_else(|| {
            let size = ask(converter, |entry| Ok(entry.properties.num_threads()))?;
            for (place, threads) in [x, y, z].into_iter().zip(size.unwrap_or_default()) {
                place.write(threads)?;
            }
            size.map(drop).ok_or_else(Failure::no_data)
        })
    })
}

/// Gives the smallest, largest and preferred wave size that the shader states; zeros without.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compute_wave_size_range(
    converter: Option<&Converter>,
    least: Out<u32>,
    most: Out<u32>,
    preferred: Out<u32>,
) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_get_compute_wave_size_range(
            foreign.handle,
            least.pointer()?,
            most.pointer()?,
            preferred.pointer()?,
        ))
    };
    guard(|| {
        forwarded(converter, theirs).unwrap_or_else(|| {
            // The program does not initialise its variables, so they are written in any case.
            let size = ask(converter, |entry| Ok(entry.properties.wave_size().unwrap_or_default()));
            for (place, lanes) in [least, most, preferred].into_iter().zip(*size.as_ref().unwrap_or(&[0; 3])) {
                place.write(lanes)?;
            }
            size.map(drop)
        })
    })
}

/// Gives the wave size that the shader requires; 0 for any, or for a range.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compute_required_wave_size(
    converter: Option<&Converter>,
    lanes: Out<u32>,
) -> Code {
    guard(|| {
        let size = ask(converter, |entry| Ok(entry.properties.wave_size().unwrap_or_default()));
        let [least, most, _] = *size.as_ref().unwrap_or(&[0; 3]);
        lanes.write(if most == 0 || most == least { least } else { 0 })?;
        size.map(drop)
    })
}

/// Gives 0: the largest wave size is not guessed.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compute_heuristic_max_wave_size(
    converter: Option<&Converter>,
    lanes: Out<u32>,
) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_get_compute_heuristic_max_wave_size(foreign.handle, lanes.pointer()?))
    };
    guard(|| forwarded(converter, theirs).unwrap_or_else(|| given(converter).and_then(|_| lanes.write(0))))
}

/// Gives 0: the smallest wave size is not guessed.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_compute_heuristic_min_wave_size(
    converter: Option<&Converter>,
    lanes: Out<u32>,
) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_get_compute_heuristic_min_wave_size(foreign.handle, lanes.pointer()?))
    };
    guard(|| forwarded(converter, theirs).unwrap_or_else(|| given(converter).and_then(|_| lanes.write(0))))
}

/// Says whether several views can be drawn at once, by Vulkan's multiview.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_is_multiview_compatible(
    converter: Option<&Converter>,
    compatible: Out<Bool>,
) -> Code {
    let theirs = |foreign: &ForeignConverter| {
        Ok(foreign.library.converter_is_multiview_compatible(foreign.handle, compatible.pointer()?))
    };
    guard(|| {
        forwarded(converter, theirs).unwrap_or_else(|| {
            let converter = given(converter)?;
            let state = converter.state()?;
            let (shader, id) = converter.entry(&state)?;
            let entry = shader.entry(id).ok_or_else(Failure::no_data)?;
            compatible.write(state.settings.has_views(entry).into())
        })
    })
}

/// Says whether the shader uses a feature: 0, native operations of 16 bits.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_uses_shader_feature(converter: Option<&Converter>, feature: i32) -> Bool {
    let uses = attempt(|| ask(converter, |entry| Ok(feature == 0 && entry.flags.native_low_precision())));
    uses.unwrap_or_default().into()
}

/// Says whether the shader asks for the number of its lane, or of lanes.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_uses_subgroup_size(converter: Option<&Converter>) -> Bool {
    let sized = [OpCode::WaveGetLaneCount, OpCode::WaveGetLaneIndex];
    let uses = |entry: &Entry| Ok(sized.iter().any(|&op| entry.reachable.operations.has(op)));
    attempt(|| ask(converter, uses)).unwrap_or_default().into()
}

/// Gives null: there are no warnings. What is not translated is refused.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_get_analysis_warnings(_converter: Option<&Converter>) -> *const c_char {
    ptr::null()
}
