//! What a library declares of a state object: the subobjects of its runtime data.
//!
//! In: the RDAT part of a container. Out: [`Subobjects`], which owns everything, and answers which
//! subobjects belong to an export (`associate`). What must hold: the rules are those of one library
//! (DirectX-Specs, Raytracing, "Subobject association behavior"); what a state object adds around
//! the library is the application's to apply. The sizes of all lists are bounded over the library,
//! because its records may share strings, lists and bytes.

mod associate;
mod print;
mod read;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use foldhash::HashMap;

use crate::binding::RootSignature;
use crate::container::SubobjectKind;
use dxil_base::entity::SecondaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::lists::Lists;

pub use crate::container::HitGroupType;

/// A subobject: a part of a state object that the library declares.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Subobject {
    /// Its name, by which associations refer to it. The name of a hit group is an export.
    pub name: Arc<str>,
    /// What it says.
    pub content: SubobjectContent,
    /// A number that subobjects of equal content share.
    definition: u32,
    /// The number of its name.
    id: NameId,
    /// Of an association with exports, the name of the subobject that is associated.
    target: Option<NameId>,
}

entity! {
    /// A name that subobjects have or refer to: of a subobject, an export or a shader.
    struct NameId, "n";
}

/// The content of a subobject.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubobjectContent {
    /// `D3D12_STATE_OBJECT_CONFIG`.
    #[non_exhaustive]
    StateObjectConfig {
        /// `D3D12_STATE_OBJECT_FLAGS`.
        flags: u32,
    },
    /// `D3D12_GLOBAL_ROOT_SIGNATURE`.
    GlobalRootSignature(Arc<RootSignature>),
    /// `D3D12_LOCAL_ROOT_SIGNATURE`, for the arguments in shader records.
    LocalRootSignature(Arc<RootSignature>),
    /// `D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION`.
    #[non_exhaustive]
    Association {
        /// Name of the subobject that is associated. The library need not declare it.
        subobject: Arc<str>,
        /// Names of the exports, plain or mangled. Without any, the subobject is the default.
        exports: Vec<Arc<str>>,
    },
    /// `D3D12_RAYTRACING_SHADER_CONFIG`.
    ShaderConfig(ShaderConfig),
    /// `D3D12_RAYTRACING_PIPELINE_CONFIG` or `D3D12_RAYTRACING_PIPELINE_CONFIG1`.
    PipelineConfig(PipelineConfig),
    /// `D3D12_HIT_GROUP_DESC`.
    HitGroup(HitGroup),
    /// A kind that this version does not know, by its number in `DXIL::SubobjectKind`.
    Unknown(u32),
}

/// The sizes of a ray-tracing pipeline's data: `maxPipelineRayPayloadSize` and
/// `maxPipelineRayHitAttributeSize` of `VkRayTracingPipelineInterfaceCreateInfoKHR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ShaderConfig {
    /// Largest payload or callable parameter, in bytes.
    pub payload_bytes: u32,
    /// Largest attribute structure, in bytes.
    pub attribute_bytes: u32,
}

/// The properties of a ray-tracing pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PipelineConfig {
    /// Largest depth of recursion of TraceRay: `maxPipelineRayRecursionDepth`.
    pub recursion: u32,
    /// `D3D12_RAYTRACING_PIPELINE_FLAGS`; 0 for a config without flags.
    pub flags: u32,
}

impl PipelineConfig {
    /// `D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES`: traversal skips all triangles
    /// (`VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR`).
    pub fn skips_triangles(self) -> bool {
        self.flags & 0x100 != 0
    }

    /// `D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES`: traversal skips all procedural
    /// primitives (`VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR`).
    pub fn skips_procedural_primitives(self) -> bool {
        self.flags & 0x200 != 0
    }
}

/// The shaders of a hit group, by the names that its library or others give them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HitGroup {
    /// Kind of the geometry: triangles, or procedural primitives.
    pub geometry: HitGroupType,
    /// The any-hit shader.
    pub any_hit: Option<Arc<str>>,
    /// The closest-hit shader.
    pub closest_hit: Option<Arc<str>>,
    /// The intersection shader, which hit groups of procedural primitives have.
    pub intersection: Option<Arc<str>>,
}

impl HitGroup {
    /// The shaders that the group has.
    pub fn shaders(&self) -> impl Iterator<Item = &Arc<str>> {
        [&self.any_hit, &self.closest_hit, &self.intersection].into_iter().flatten()
    }
}

impl Subobject {
    /// The kind of the subobject. Both versions of the pipeline config are
    /// `RaytracingPipelineConfig`.
    pub fn kind(&self) -> SubobjectKind {
        match &self.content {
            SubobjectContent::StateObjectConfig { .. } => SubobjectKind::StateObjectConfig,
            SubobjectContent::GlobalRootSignature(_) => SubobjectKind::GlobalRootSignature,
            SubobjectContent::LocalRootSignature(_) => SubobjectKind::LocalRootSignature,
            SubobjectContent::Association { .. } => SubobjectKind::SubobjectToExportsAssociation,
            SubobjectContent::ShaderConfig(_) => SubobjectKind::RaytracingShaderConfig,
            SubobjectContent::PipelineConfig(_) => SubobjectKind::RaytracingPipelineConfig,
            SubobjectContent::HitGroup(_) => SubobjectKind::HitGroup,
            &SubobjectContent::Unknown(number) => SubobjectKind::Other(number),
        }
    }

    /// The root signature, global or local, that the subobject is.
    pub fn root_signature(&self) -> Option<&RootSignature> {
        match &self.content {
            SubobjectContent::GlobalRootSignature(signature) | SubobjectContent::LocalRootSignature(signature) => {
                Some(signature)
            }
            _ => None,
        }
    }
}

/// The subobjects that a library declares, in the order of its runtime data.
#[derive(Clone, Debug, Default)]
pub struct Subobjects {
    all: Vec<Subobject>,
    names: HashMap<Arc<str>, NameId>,
    /// The subobject that each name means, where the library declares it.
    by_name: SecondaryMap<NameId, Option<usize>>,
    /// The associations that name an export. The others are defaults.
    explicit: Lists<NameId, usize>,
    /// The subobjects of each kind that are defaults; of those with equal content the first.
    defaults: HashMap<SubobjectKind, Vec<usize>>,
    /// The hit groups that name a shader.
    groups_of: Lists<NameId, usize>,
    /// Bytes on the heap.
    heap_bytes: usize,
}

impl Subobjects {
    /// All subobjects.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Subobject> {
        self.all.iter()
    }

    /// Whether the library declares none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The subobject with this name.
    pub fn get(&self, name: &str) -> Option<&Subobject> {
        self.all.get(self.by_name[*self.names.get(name)?]?)
    }

    /// The hit groups with their names, which are exports.
    pub fn hit_groups(&self) -> impl Iterator<Item = (&str, &HitGroup)> {
        self.all.iter().filter_map(|subobject| match &subobject.content {
            SubobjectContent::HitGroup(group) => Some((&*subobject.name, group)),
            _ => None,
        })
    }

    /// The shader config, if the library declares one, or several that are equal. D3D12 wants the
    /// same one for all exports of a state object.
    pub fn shader_config(&self) -> Option<ShaderConfig> {
        self.only(|content| match content {
            SubobjectContent::ShaderConfig(config) => Some(*config),
            _ => None,
        })
    }

    /// The pipeline config, if the library declares one, or several that are equal. D3D12 wants the
    /// same one for all exports of a state object.
    pub fn pipeline_config(&self) -> Option<PipelineConfig> {
        self.only(|content| match content {
            SubobjectContent::PipelineConfig(config) => Some(*config),
            _ => None,
        })
    }

    fn only<T: PartialEq>(&self, of: impl Fn(&SubobjectContent) -> Option<T>) -> Option<T> {
        let mut found = self.all.iter().filter_map(|subobject| of(&subobject.content));
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// The local root signature with this name.
    ///
    /// # Errors
    /// `Unsupported` if the library declares no local root signature of the name. The message lists
    /// those there are.
    pub fn local_root_signature(&self, name: &str) -> Result<&RootSignature> {
        let found = self.get(name).map(|subobject| &subobject.content);
        match found {
            Some(SubobjectContent::LocalRootSignature(signature)) => Ok(signature),
            _ => {
                let there = listed(self.by_kind(SubobjectKind::LocalRootSignature).map(|s| &*s.name));
                let there = if there.is_empty() { "none".to_owned() } else { there };
                let name = name.escape_debug();
                Err(unsupported!(Place::Input, "no local root signature `{name}`; the library declares {there}"))
            }
        }
    }

    fn by_kind(&self, kind: SubobjectKind) -> impl Iterator<Item = &Subobject> {
        self.all.iter().filter(move |subobject| subobject.kind() == kind)
    }

    /// Bytes of the maps, with the lists in them.
    fn map_bytes(&self) -> usize {
        fn map<K, V>(map: &HashMap<K, V>) -> usize {
            // A byte of each place says whether it is taken.
            map.capacity() * (size_of::<(K, V)>() + 1)
        }
        let defaults: usize = self.defaults.values().map(|list| list.capacity() * size_of::<usize>()).sum();
        let lists = defaults + self.explicit.heap_bytes() + self.groups_of.heap_bytes();
        lists + map(&self.names) + self.by_name.heap_bytes() + map(&self.defaults)
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.heap_bytes
    }
}

/// The largest number of names in a message.
const LISTED: usize = 32;

/// Names for a message, in quotes.
pub fn listed<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let shown = names.by_ref().take(LISTED).map(|name| format!("`{}`", name.escape_debug()));
    let text = shown.collect::<Vec<_>>().join(", ");
    // The others are counted before they are made text, because names may be long and many.
    match names.count() {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
