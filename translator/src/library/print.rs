//! The text form of subobjects: one line each, as `dxil2spv resources` prints them.

use std::fmt::{Display, Formatter, Result, Write as _};

use super::{HitGroupType, Subobject, SubobjectContent, listed};

/// The bits of a number with their names; bits without a name as a number.
struct NamedBits<'a>(u32, &'a [(u32, &'a str)]);

impl Display for NamedBits<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut left = self.0;
        let mut separator = "";
        for &(bit, name) in self.1.iter().filter(|(bit, _)| self.0 & bit != 0) {
            write!(f, "{separator}{name}")?;
            left &= !bit;
            separator = " | ";
        }
        match left {
            0 if separator.is_empty() => f.write_char('0'),
            0 => Ok(()),
            left => write!(f, "{separator}{left:#x}"),
        }
    }
}

/// `D3D12_STATE_OBJECT_FLAGS`.
const STATE_OBJECT_FLAGS: &[(u32, &str)] = &[
    (1, "ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS"),
    (2, "ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS"),
    (4, "ALLOW_STATE_OBJECT_ADDITIONS"),
];

/// `D3D12_RAYTRACING_PIPELINE_FLAGS`.
const PIPELINE_FLAGS: &[(u32, &str)] =
    &[(0x100, "SKIP_TRIANGLES"), (0x200, "SKIP_PROCEDURAL_PRIMITIVES"), (0x400, "ALLOW_OPACITY_MICROMAPS")];

impl Display for Subobject {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} `{}`", self.kind(), self.name.escape_debug())?;
        match &self.content {
            SubobjectContent::StateObjectConfig { flags } => {
                write!(f, ": flags {}", NamedBits(*flags, STATE_OBJECT_FLAGS))
            }
            SubobjectContent::GlobalRootSignature(signature) | SubobjectContent::LocalRootSignature(signature) => {
                write!(f, ": {}", signature.to_string().replace('\n', " "))
            }
            SubobjectContent::Association { subobject, exports } if exports.is_empty() => {
                write!(f, ": `{}` is the default", subobject.escape_debug())
            }
            SubobjectContent::Association { subobject, exports } => {
                let exports = listed(exports.iter().map(|export| &**export));
                write!(f, ": `{}` of {exports}", subobject.escape_debug())
            }
            SubobjectContent::ShaderConfig(config) => {
                write!(f, ": payload {} bytes, attributes {} bytes", config.payload_bytes, config.attribute_bytes)
            }
            SubobjectContent::PipelineConfig(config) => {
                write!(f, ": recursion {}, flags {}", config.recursion, NamedBits(config.flags, PIPELINE_FLAGS))
            }
            SubobjectContent::HitGroup(group) => {
                f.write_str(match group.geometry {
                    HitGroupType::ProceduralPrimitive => ": procedural primitives",
                    _ => ": triangles",
                })?;
                let shaders = [
                    ("any hit", &group.any_hit),
                    ("closest hit", &group.closest_hit),
                    ("intersection", &group.intersection),
                ];
                for (what, shader) in shaders {
                    if let Some(shader) = shader {
                        write!(f, ", {what} `{}`", shader.escape_debug())?;
                    }
                }
                Ok(())
            }
            SubobjectContent::Unknown(_) => Ok(()),
        }
    }
}
