//! Shader stages and their code.

use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::digest::Bytes;
use dxil_capture::model::{Code, Constant, Stage};

use crate::capture::chains::chain;
use crate::capture::objects::{Capture, Module};
use crate::translate::{FoundContainer, Identifier, dxil_in};
use crate::vulkan::arrays::{bytes, slice};
use crate::vulkan::shader_code::{self, StageCode};

/// Where the code of a stage is.
pub enum CodeLocation<'a> {
    /// In a module.
    Module(Arc<Module>),
    /// In the chain of the stage, or in a shader object's create info.
    Bytes(&'a [u8]),
    /// In the cache, where an identifier found it.
    Identified(Arc<FoundContainer>),
    /// Nowhere, although an identifier of the layer names it.
    Forgotten,
    /// Unknown to the layer.
    Missing,
}

/// The code of the stages of one call, by address: stages may share code.
#[derive(Default)]
pub struct Codes(HashMap<(usize, usize), Code>);

impl CodeLocation<'_> {
    /// Whether the code is DXIL.
    pub fn is_dxil(&self) -> bool {
        match self {
            CodeLocation::Module(module) => module.is_dxil(),
            CodeLocation::Bytes(code) => dxil_in(code).is_some(),
            CodeLocation::Identified(_) | CodeLocation::Forgotten => true,
            CodeLocation::Missing => false,
        }
    }

    /// Writes the code to the folder.
    pub fn code(&self, capture: &Capture, codes: &mut Codes) -> Code {
        match self {
            CodeLocation::Module(module) => module.code(capture),
            // The code does not move during a call, and many stages may have the same library.
            CodeLocation::Bytes(code) => {
                *codes.0.entry((code.as_ptr() as usize, code.len())).or_insert_with(|| capture.code(code))
            }
            CodeLocation::Identified(source) => capture.container(source),
            CodeLocation::Forgotten | CodeLocation::Missing => Code::Missing,
        }
    }
}

/// Finds the code of a pipeline's stage.
///
/// # Safety
/// The stage must be valid and outlive the result.
pub unsafe fn code_location<'a>(capture: &Capture, stage: &shader_code::Stage) -> CodeLocation<'a> {
    // SAFETY: the caller's stage.
    match unsafe { shader_code::stage_code(stage) } {
        Some(StageCode::Module(module)) => {
            capture.modules.get(module).map_or(CodeLocation::Missing, CodeLocation::Module)
        }
        Some(StageCode::Chained(code)) => CodeLocation::Bytes(code),
        // A driver's own identifiers are those of SPIR-V.
        Some(StageCode::Identified(bytes)) => Identifier::read(bytes).map_or(CodeLocation::Missing, |identifier| {
            capture.identified(identifier).map_or(CodeLocation::Forgotten, CodeLocation::Identified)
        }),
        None => CodeLocation::Missing,
    }
}

/// The stage of a pipeline.
///
/// # Safety
/// The stage must be valid.
pub unsafe fn stage(stage: &shader_code::Stage, code: Code) -> Stage {
    // The record has the code itself, so these two structures are left out.
    let elsewhere = [
        vk::ShaderModuleCreateInfo::STRUCTURE_TYPE,
        vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::STRUCTURE_TYPE,
    ];
    // SAFETY: the members of a valid stage.
    let (entry, constants, chain) =
        unsafe { (entry(stage.p_name), constants(stage.p_specialization_info), chain(stage.p_next, &elsewhere)) };
    let flags = stage.flags.as_raw();
    Stage { stage: stage.stage.as_raw(), flags, code, entry, constants, next_stages: None, layout: None, chain }
}

/// A shader object.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn shader(info: &vk::ShaderCreateInfoEXT<'_>, code: Code, capture: &Capture) -> Stage {
    // SAFETY: the members of a valid create info.
    let (entry, constants, chain, sets, ranges) = unsafe {
        (
            entry(info.p_name),
            constants(info.p_specialization_info),
            chain(info.p_next, &[]),
            slice(info.p_set_layouts, info.set_layout_count),
            slice(info.p_push_constant_ranges, info.push_constant_range_count),
        )
    };
    Stage {
        stage: info.stage.as_raw(),
        flags: info.flags.as_raw(),
        code,
        entry,
        constants,
        next_stages: Some(info.next_stage.as_raw()),
        layout: Some(capture.layouts.with_sets(sets, ranges)),
        chain,
    }
}

/// A `pName`.
///
/// # Safety
/// The name must be null or valid.
unsafe fn entry(name: *const c_char) -> String {
    // SAFETY: the caller's name.
    let name = if name.is_null() { c"main" } else { unsafe { CStr::from_ptr(name) } };
    name.to_string_lossy().into_owned()
}

/// The constants of a `pSpecializationInfo`.
///
/// # Safety
/// The pointer must be null or valid.
unsafe fn constants(info: *const vk::SpecializationInfo<'_>) -> Vec<Constant> {
    // SAFETY: the caller's pointer.
    let Some(info) = (unsafe { info.as_ref() }) else { return Vec::new() };
    // SAFETY: the arrays of a valid structure.
    let (entries, data) =
        unsafe { (slice(info.p_map_entries, info.map_entry_count), bytes(info.p_data, info.data_size)) };
    let constant = |entry: &vk::SpecializationMapEntry| {
        // A constant outside the data violates valid usage and is left out.
        Constant { id: entry.constant_id, value: Bytes(value(entry, data).unwrap_or_default()) }
    };
    entries.iter().map(constant).collect()
}

/// The largest specialization constant, in bytes.
const CONSTANT_BYTES: usize = 8;

/// The bytes of a constant. Valid usage allows entries of other sizes if they match no constant of
/// the shader. They are left out, because each of thousands of entries could refer to all of the
/// data.
fn value(entry: &vk::SpecializationMapEntry, data: &[u8]) -> Option<Vec<u8>> {
    let start = entry.offset as usize;
    let bytes = data.get(start..start.checked_add(entry.size)?)?;
    (bytes.len() <= CONSTANT_BYTES).then(|| bytes.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_constants() {
        let data = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let of = |offset, size| value(&vk::SpecializationMapEntry { constant_id: 0, offset, size }, &data);
        assert_eq!(of(0, 8), Some(data[..8].to_vec()));
        assert_eq!(of(8, 1), Some(vec![9]));
        assert_eq!(of(0, 9), None, "no constant has so many bytes");
        assert_eq!(of(8, 4), None, "outside the data");
        assert_eq!(of(1, usize::MAX), None);
    }
}
