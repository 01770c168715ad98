//! Entry points that do nothing, for a module that only has to be valid.
//!
//! In: entry points and the names under which they are declared. Out: a module with these entry
//! points, their stages and execution modes, and a body that has no effect. What must hold: the
//! module is valid for every device that has the stage, so it declares the capability of the stage
//! alone; its SPIR-V version is the lowest that has the stage; a draw or dispatch with it changes
//! no memory and no attachment.

use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, FunctionControl, Op, StorageClass};

use super::entry::execution_model;
use crate::analysis::program::Entry;
use crate::ir::declarations::StageProperties;
use crate::lower::stages::{geometry, group, mesh, tessellation};
use crate::ops::consts::{PrimitiveTopology, ShaderStage, TessellatorOutputPrimitive};
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits::{GROUP_THREADS, MESH_THREADS};
use dxil_base::profile::{DeviceProfile, Feature, FeatureSet, VULKAN_1_1_FLOOR};
use dxil_spirv_builder::{Id, Module, OpenBlock, Terminated};

/// A device with the features of all stages. A stub uses no others.
#[expect(clippy::disallowed_fields, reason = "makes a profile of its own")]
fn device_of_all_stages() -> DeviceProfile {
    let mut profile = VULKAN_1_1_FLOOR;
    profile.spirv = (1, 4);
    profile.features = FeatureSet::from_features(&[
        Feature::GeometryShader,
        Feature::TessellationShader,
        Feature::MeshShader,
        Feature::TaskShader,
        Feature::RayTracingPipeline,
    ]);
    profile
}

/// An entry point and a name of it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct NamedEntry<'a> {
    /// The name.
    pub name: &'a str,
    /// The entry point.
    pub entry: &'a Entry,
}

/// A module with these entry points, each under its name.
///
/// # Errors
/// `Unsupported` for a stage without an execution model, and for a name that SPIR-V cannot have;
/// `Malformed` where metadata does not say what a stage has to declare. The message names the entry
/// point.
pub fn stub(entries: &[NamedEntry<'_>]) -> Result<Vec<u32>> {
    let needs_1_4 =
        |stage: ShaderStage| stage.is_rays() || matches!(stage, ShaderStage::Mesh | ShaderStage::Amplification);
    let version = if entries.iter().any(|named| needs_1_4(named.entry.stage)) { (1, 4) } else { (1, 0) };
    let profile = device_of_all_stages();
    let mut module = Module::new(&profile, version, false);
    for &NamedEntry { name, entry } in entries {
        declare(&mut module, name, entry).map_err(|error| {
            let name = name.escape_debug();
            Error::new(error.kind(), error.place(), format!("entry point `{name}`: {}", error.message()))
        })?;
    }
    module.finish()
}

fn declare(module: &mut Module<'_>, name: &str, entry: &Entry) -> Result<()> {
    if name.contains('\0') || name.len() > Module::NAME_BYTES {
        let most = Module::NAME_BYTES;
        return Err(unsupported!(
            Place::Input,
            "a name of {} bytes, which has at most {most} bytes and no NUL in SPIR-V",
            name.len()
        ));
    }
    let model = execution_model(entry.stage)?;
    module.begin_entry();
    capability(entry.stage).map_or(Ok(()), |capability| module.caps.capability(capability))?;
    let main = module.fresh();
    let void = module.type_void();
    let ty = module.type_function(void, &[]);
    let block = module.function(main, ty, FunctionControl::NONE).open_new();
    body(block, entry.stage)?.end();
    module.entry_point(model, main, name);
    match entry.stage {
        ShaderStage::Compute => {
            group::local_size(entry, module, main, GROUP_THREADS, None)?;
        }
        ShaderStage::Pixel => module.execution_mode(main, ExecutionMode::OriginUpperLeft, &[]),
        ShaderStage::Geometry => geometry::modes(&without_points(&entry.properties), module, main)?,
        ShaderStage::Hull | ShaderStage::Domain => {
            tessellation::modes(&without_points(&entry.properties), None, module, main)?;
        }
        ShaderStage::Mesh => {
            group::local_size(entry, module, main, MESH_THREADS, None)?;
            mesh::shape(entry, module, main)?;
        }
        ShaderStage::Amplification => {
            group::local_size(entry, module, main, MESH_THREADS, None)?;
        }
        _ => {}
    }
    Ok(())
}

/// The properties of a stage, with triangles in the place of points. Whether a stage that outputs
/// points has to write their size, or must not, depends on a feature of the device
/// (VUID-VkGraphicsPipelineCreateInfo-Geometry-07725 and 07726, TessellationEvaluation-07723 and
/// 07724). A stub has no output, so that what it would be does not matter.
fn without_points(properties: &StageProperties) -> StageProperties {
    let mut properties = properties.clone();
    match &mut properties {
        StageProperties::Geometry { output: output @ PrimitiveTopology::PointList, .. } => {
            *output = PrimitiveTopology::TriangleStrip;
        }
        StageProperties::Hull { output: output @ TessellatorOutputPrimitive::Point, .. } => {
            *output = TessellatorOutputPrimitive::TriangleCw;
        }
        _ => {}
    }
    properties
}

/// The capability of a stage.
fn capability(stage: ShaderStage) -> Option<Capability> {
    match stage {
        ShaderStage::Geometry => Some(Capability::Geometry),
        ShaderStage::Hull | ShaderStage::Domain => Some(Capability::Tessellation),
        ShaderStage::Mesh | ShaderStage::Amplification => Some(Capability::MeshShadingEXT),
        stage if stage.is_rays() => Some(Capability::RayTracingKHR),
        _ => None,
    }
}

/// The code of a stage. What a stage leaves unwritten is undefined in Vulkan, so each one says that
/// it has no result: a position that is clipped, a patch that is culled, a fragment that is
/// discarded, groups of no output.
fn body<'m, 'p>(mut code: OpenBlock<'m, 'p>, stage: ShaderStage) -> Result<Terminated<'m, 'p>> {
    match stage {
        ShaderStage::Vertex => {
            clipped(&mut code)?;
            // A pipeline that draws points has to write their size (Vulkan, "PointSize"). The other
            // stages may do so only with a feature of the device.
            let (float, one) = (code.type_f32(), code.const_f32(1.0));
            let size = code.builtin_variable(StorageClass::Output, float, BuiltIn::PointSize)?;
            code.store(size, one);
            code.ret()
        }
        ShaderStage::Domain => {
            clipped(&mut code)?;
            code.ret()
        }
        ShaderStage::Hull => {
            culled(&mut code)?;
            code.ret()
        }
        ShaderStage::Pixel => code.kill(),
        ShaderStage::Mesh => {
            let zero = code.const_u32(0);
            code.stmt(Op::SetMeshOutputsEXT, &[zero, zero]);
            code.ret()
        }
        ShaderStage::Amplification => {
            let zero = code.const_u32(0);
            code.emit_mesh_tasks([zero; 3], None)
        }
        _ => code.ret(),
    }
}

/// Writes a position outside of the clip volume, x > w (Vulkan, "Primitive Clipping").
fn clipped(code: &mut OpenBlock<'_, '_>) -> Result<()> {
    let float = code.type_f32();
    let vector = code.type_vector(float, 4);
    let (two, zero, one) = (code.const_f32(2.0), code.const_f32(0.0), code.const_f32(1.0));
    let outside = code.const_composite(vector, &[two, zero, zero, one]);
    let position = code.builtin_variable(StorageClass::Output, vector, BuiltIn::Position)?;
    code.store(position, outside);
    Ok(())
}

/// Writes outer tessellation levels of zero, which cull the patch (Vulkan, "Tessellator Patch
/// Discard").
fn culled(code: &mut OpenBlock<'_, '_>) -> Result<()> {
    let float = code.type_f32();
    let array: Id = code.type_array(float, 4, None);
    let zero = code.const_f32(0.0);
    let zeros = code.const_composite(array, &[zero; 4]);
    let levels = code.builtin_variable(StorageClass::Output, array, BuiltIn::TessLevelOuter)?;
    code.decorate(levels, Decoration::Patch, &[0u32; 0]);
    code.store(levels, zeros);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::Shader;
    use dxil_base::error::ErrorKind;

    fn shader(fixture: &str) -> Shader {
        let path = format!("{}/../tests/fixtures/{fixture}.dxil", env!("CARGO_MANIFEST_DIR"));
        Shader::parse(&std::fs::read(path).unwrap()).unwrap()
    }

    /// The operands of all OpCapability of a module. They come first.
    fn capabilities(words: &[u32]) -> Vec<u32> {
        let pairs = words[5..].chunks_exact(2).take_while(|pair| pair[0] == 2 << 16 | Op::Capability as u32);
        pairs.map(|pair| pair[1]).collect()
    }

    #[test]
    fn a_stub_declares_the_capability_of_its_stage() {
        for (fixture, of_stage) in [
            ("control/binary_search", None),
            ("geometry/lines.gs", Some(Capability::Geometry)),
            ("tessellation/control_points.hs", Some(Capability::Tessellation)),
            ("tessellation/control_points.ds", Some(Capability::Tessellation)),
            ("mesh/view.ms", Some(Capability::MeshShadingEXT)),
            ("tracing/callables", Some(Capability::RayTracingKHR)),
        ] {
            let shader = shader(fixture);
            let (_, entry) = shader.entries().next().unwrap();
            let found = capabilities(&stub(&[NamedEntry { name: "main", entry }]).unwrap());
            let stage = of_stage.map(|capability| capability as u32);
            assert_eq!(
                stage.is_some(),
                found.iter().any(|&other| other != Capability::Shader as u32),
                "{fixture}: {found:?}"
            );
            assert!(stage.is_none_or(|stage| found.contains(&stage)), "{fixture}: {found:?}");
        }
    }

    /// SPIR-V ends a name at NUL, and tools have limits for its length.
    #[test]
    fn names_that_spirv_cannot_have_are_refused() {
        let shader = shader("control/binary_search");
        let (_, entry) = shader.entries().next().unwrap();
        let longest = "x".repeat(Module::NAME_BYTES);
        assert!(stub(&[NamedEntry { name: &longest, entry }]).is_ok());
        for name in [format!("{longest}x"), "two\0parts".to_owned()] {
            let error = stub(&[NamedEntry { name: &name, entry }]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            assert!(error.message().contains("at most 1024 bytes and no NUL"), "{error}");
        }
    }
}
