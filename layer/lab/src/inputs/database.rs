//! Fossilize databases that were recorded above the layer.
//!
//! In: a database. Out: its modules with DXIL, and its pipelines but for pipeline libraries. What
//! must hold: a module that is a translation, as a database from below the layer has it, is refused
//! with the way to record it.

use std::collections::BTreeMap;
use std::path::Path;

use dxil_capture::model::Group;
use serde_json::Value;

use super::error::InputError;
use super::source::{self, Code, FileContents, PipelineOfFile, RaysOfFile};
use crate::archive::{self, Entry, Tag};

/// The first bytes of a database.
pub const MAGIC: [u8; 12] = *b"\x81FOSSILIZEDB";

const HOW: &str = "the database was recorded below the layer, where code is SPIR-V already. Fossilize's layer must \
                   stand above it: VK_INSTANCE_LAYERS=VK_LAYER_fossilize:VK_LAYER_DXIL_translate";

/// Reads a database.
///
/// # Errors
/// The file cannot be read, or no module has DXIL.
pub fn read(path: &Path) -> Result<FileContents, InputError> {
    let (mut all, mut places, mut others) = (FileContents::default(), BTreeMap::new(), 0);
    let (modules, objects): (Vec<Entry>, Vec<Entry>) =
        archive::read(path)?.into_iter().partition(|entry| entry.name.0 == Tag::Module);
    for Entry { name: (_, hash), payload } in modules {
        let name = format!("{hash:016x}");
        let Some(bytes) = code(&payload) else {
            all.refused.push((name, "the entry of the module is cut or has no code".to_owned()));
            continue;
        };
        match source::code(bytes) {
            Ok(found) if !found.codes.is_empty() => {
                places.insert(hash, all.codes.len());
                all.codes.extend(found.codes.into_iter().map(|code| Code { name: name.clone(), ..code }));
            }
            Err(InputError::Spirv) => others += 1,
            Ok(_) => all.refused.push((name, "the module is no shader".to_owned())),
            Err(error) => all.refused.push((name, error.to_string())),
        }
    }
    if all.codes.is_empty() && all.refused.is_empty() {
        return Err(InputError::NoDxil { found: others, how: HOW });
    }
    for Entry { name: (tag, hash), payload } in objects {
        let Some(object) = object(tag, &payload) else { continue };
        let name = format!("{hash:016x}");
        let (Some(stages), Ok(rays)) = (stages(&object), rays(tag, &object)) else {
            let why = "the lab does not read the entry of the pipeline: it is malformed, or links pipeline libraries";
            all.refused.push((name, why.to_owned()));
            continue;
        };
        let known = stages.iter().map(|(module, entry)| Some((*places.get(module)?, Some(entry.clone()))));
        // A stage that is SPIR-V in the application itself is not for the layer.
        match known.collect() {
            Some(stages) => all.pipelines.push(PipelineOfFile { name, stages, rays }),
            None => all.refused.push((name, "not all stages of the pipeline have DXIL".to_owned())),
        }
    }
    Ok(all)
}

/// The code of a module's entry: behind the JSON and a NUL words of LEB128.
fn code(payload: &[u8]) -> Option<Vec<u8>> {
    let end = payload.iter().position(|byte| *byte == 0)?;
    let mut bytes = Vec::new();
    let (mut word, mut shift) = (0_u32, 0);
    for byte in payload.get(end + 1..)? {
        word |= u32::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte & 0x80 == 0 {
            bytes.extend(word.to_le_bytes());
            (word, shift) = (0, 0);
        }
    }
    (shift == 0 && !bytes.is_empty()).then_some(bytes)
}

/// The members of a pipeline; `None` for another object, or one that is none.
fn object(tag: Tag, payload: &[u8]) -> Option<Value> {
    let list = match tag {
        Tag::Compute => "computePipelines",
        Tag::Graphics => "graphicsPipelines",
        Tag::Rays => "raytracingPipelines",
        _ => return None,
    };
    let document: Value = serde_json::from_slice(payload).ok()?;
    document.get(list)?.as_object()?.values().next().cloned()
}

/// What makes a pipeline one that traces rays.
fn rays(tag: Tag, object: &Value) -> Result<Option<RaysOfFile>, NotRead> {
    if tag != Tag::Rays {
        return Ok(None);
    }
    let number = |of: &Value, name: &str| of.get(name)?.as_u64().and_then(|it| u32::try_from(it).ok());
    let is_linked = object.get("libraryInfo").is_some();
    let groups = object.get("groups").and_then(Value::as_array).filter(|_| !is_linked).ok_or(NotRead)?;
    let group = |group: &Value| {
        // `VK_SHADER_UNUSED_KHR`.
        let shader = |name: &str| number(group, name).filter(|index| *index != u32::MAX);
        Some(Group {
            ty: number(group, "type")?.try_into().ok()?,
            general: shader("generalShader"),
            closest_hit: shader("closestHitShader"),
            any_hit: shader("anyHitShader"),
            intersection: shader("intersectionShader"),
        })
    };
    let groups = groups.iter().map(group).collect::<Option<_>>().ok_or(NotRead)?;
    let recursion = number(object, "maxPipelineRayRecursionDepth").ok_or(NotRead)?;
    Ok(Some(RaysOfFile { groups, recursion }))
}

/// The entry of a pipeline has something else than expected.
struct NotRead;

/// The stages of a pipeline: hashes of modules, and entry points.
fn stages(object: &Value) -> Option<Vec<(u64, String)>> {
    let stages = match object.get("stages") {
        Some(stages) => stages.as_array()?.as_slice(),
        None => std::slice::from_ref(object.get("stage")?),
    };
    let stage = |stage: &Value| {
        let module = u64::from_str_radix(stage.get("module")?.as_str()?, 16).ok()?;
        Some((module, stage.get("name")?.as_str()?.to_owned()))
    };
    stages.iter().map(stage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_a_module_is_words_of_seven_bits_in_a_byte() {
        assert_eq!(code(b"{}\0\x83\x84\x8c\x39"), Some(vec![3, 2, 0x23, 7]));
        for wrong in [&b"{}"[..], b"{}\0", b"{}\0\x80", b"{}\0\x80\x80\x80\x80\x80\x80\x01"] {
            assert_eq!(code(wrong), None, "{wrong:?}");
        }
    }
}
