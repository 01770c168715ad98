//! The application, and the features that change what drivers compile.
//!
//! Fossilize keeps for each object which application and which features it was made with. A
//! replayer makes its device of them.

use std::ffi::CStr;

use ash::vk;
use ash::vk::StructureType as S;
use serde_json::{Map, Value, json};

use super::chain::{Structure, find, structures};
use super::hash::{Hasher, JsonNode, hex, object};
use super::unsupported::Unsupported;
use crate::archive::Tag;

/// What Fossilize stores of an application.
pub struct Application {
    hash: u64,
    payload: Vec<u8>,
}

/// The instance's application info.
pub struct Instance {
    hash: u64,
    object: Value,
}

impl Instance {
    /// # Errors
    /// A name is not UTF-8.
    ///
    /// # Safety
    /// The structure must be valid.
    pub unsafe fn new(info: Option<&vk::ApplicationInfo<'_>>) -> Result<Self, Unsupported> {
        let Some(info) = info else { return Ok(Self { hash: 0, object: json!({}) }) };
        let (hash, object) = object(|node: &mut JsonNode<'_>| {
            node.u32("applicationVersion", info.application_version);
            node.u32("apiVersion", info.api_version);
            node.u32("engineVersion", info.engine_version);
            for (member, name) in [("applicationName", info.p_application_name), ("engineName", info.p_engine_name)] {
                if name.is_null() {
                    node.hash.u32(0);
                    continue;
                }
                // SAFETY: a null-terminated name of a valid structure.
                let name = unsafe { CStr::from_ptr(name) };
                node.hash.text(name.to_bytes());
                let text = name.to_str().map_err(|_| Unsupported(format!("`{member}` is not UTF-8")))?;
                node.set(member, text);
            }
            Ok(())
        })?;
        Ok(Self { hash, object })
    }
}

impl Application {
    /// An application with the features of a device.
    ///
    /// # Safety
    /// The create info must be valid.
    pub unsafe fn new(instance: &Instance, info: &vk::DeviceCreateInfo<'_>) -> Result<Self, Unsupported> {
        // SAFETY: the chain of a valid create info, and its features.
        let (hash, features) = object(|node: &mut JsonNode<'_>| unsafe {
            let features = find::<vk::PhysicalDeviceFeatures2<'_>>(info.p_next).map(|it| &it.features);
            let features = features.or(info.p_enabled_features.as_ref());
            node.u32("robustBufferAccess", features.map_or(0, |features| features.robust_buffer_access));
            let mut all = Vec::new();
            for structure in structures(info.p_next) {
                all.extend(feature(node.hash, structure));
            }
            // The replayer's own chain begins with these.
            if !all.is_empty() {
                node.set("pNext", all);
            }
            Ok(())
        })?;
        let mut both = Hasher::default();
        both.u64(instance.hash);
        both.u64(hash);
        let payload = json!({
            "version": super::document::VERSION,
            "applicationInfo": instance.object,
            "physicalDeviceFeatures": features,
        });
        Ok(Self { hash: both.get(), payload: payload.to_string().into_bytes() })
    }

    /// Its entry.
    pub fn entry(&self) -> ((Tag, u64), &[u8]) {
        ((Tag::Application, self.hash), &self.payload)
    }

    /// The entry that links an object to this application.
    pub fn link(&self, (tag, object): (Tag, u64)) -> ((Tag, u64), Vec<u8>) {
        let mut hash = Hasher::default();
        hash.u64(self.hash);
        hash.u32(tag.number());
        hash.u64(object);
        let link = json!({ "application": hex(self.hash), "tag": tag.number(), "hash": hex(object) });
        let payload = json!({ "version": super::document::VERSION, "link": link });
        ((Tag::Link, hash.get()), payload.to_string().into_bytes())
    }
}

/// A feature structure, if it is one of those that change what drivers compile.
fn feature(hash: &mut Hasher, structure: Structure<'_>) -> Option<Value> {
    let s_type = structure.s_type();
    // The members' names, and the order in which Fossilize hashes them, as indexes.
    let (names, order): (&[&'static str], &[usize]) = match s_type {
        S::PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT => {
            (&["robustBufferAccess2", "robustImageAccess2", "nullDescriptor"], &[0, 1, 2])
        }
        S::PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES => (&["robustImageAccess"], &[0]),
        S::PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV => (
            &["fragmentShadingRateEnums", "supersampleFragmentShadingRates", "noInvocationFragmentShadingRates"],
            &[2, 0, 1],
        ),
        S::PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR => (
            &["pipelineFragmentShadingRate", "primitiveFragmentShadingRate", "attachmentFragmentShadingRate"],
            &[0, 1, 2],
        ),
        S::PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV => (&["taskShader", "meshShader"], &[0, 1]),
        S::PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT => (
            &[
                "taskShader",
                "meshShader",
                "multiviewMeshShader",
                "primitiveFragmentShadingRateMeshShader",
                "meshShaderQueries",
            ],
            &[0, 1, 2, 3, 4],
        ),
        S::PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT => (
            &[
                "descriptorBuffer",
                "descriptorBufferCaptureReplay",
                "descriptorBufferImageLayoutIgnored",
                "descriptorBufferPushDescriptors",
            ],
            &[0, 1, 2, 3],
        ),
        S::PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT => (&["shaderObject"], &[0]),
        S::PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT => (
            &[
                "primitivesGeneratedQuery",
                "primitivesGeneratedQueryWithRasterizerDiscard",
                "primitivesGeneratedQueryWithNonZeroStreams",
            ],
            &[0, 2, 1],
        ),
        S::PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT => (&["image2DViewOf3D", "sampler2DViewOf3D"], &[0, 1]),
        S::PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT => (&["pipelineRobustness"], &[0]),
        _ => return None,
    };
    // SAFETY: behind its header a feature structure is an array of VkBool32, one for each name.
    let bits = unsafe {
        let first = structure.as_ptr().add(1).cast::<vk::Bool32>();
        std::slice::from_raw_parts(first, names.len())
    };
    hash.u32(s_type.as_raw() as u32);
    order.iter().filter_map(|index| bits.get(*index)).for_each(|bit| hash.u32(*bit));
    let mut object: Map<String, Value> = Map::new();
    object.insert("sType".to_owned(), s_type.as_raw().into());
    object.extend(names.iter().zip(bits).map(|(name, bit)| ((*name).to_owned(), (*bit).into())));
    Some(object.into())
}
