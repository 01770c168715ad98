//! The device features that an entry point needs.
//!
//! In: a shader and one of its entry points. Out: the features beyond those that every device of
//! Vulkan 1.3 has. What must hold: they are those of a translation, so that they are never another
//! rule than lowering's own.

use crate::analysis::program::EntryId;
use crate::binding::PlanInputs;
use crate::binding::options::{BindingOptions, Model, RegisterShifts};
use crate::options::Options;
use crate::shader::{PipelineStage, Shader, plan, translate};
use dxil_base::error::{Error, ErrorKind, Result};
use dxil_base::profile::{DeviceProfile, Feature, FeatureSet, VULKAN_1_1_FLOOR, everything};

/// The features that every device of Vulkan 1.3 has (Vulkan, "Feature Requirements"), as far as
/// translated code can use them.
const GUARANTEED: &[Feature] = &[
    Feature::Multiview,
    Feature::RobustBufferAccess,
    Feature::StorageBufferStorageClass,
    Feature::UniformBufferStandardLayout,
    Feature::SubgroupExtendedTypes,
    Feature::BufferDeviceAddress,
    Feature::VulkanMemoryModel,
    Feature::VulkanMemoryModelDeviceScope,
    Feature::InlineUniformBlock,
    Feature::DemoteToHelperInvocation,
    Feature::TerminateInvocation,
    Feature::SubgroupSizeControl,
    Feature::ComputeFullSubgroups,
    Feature::IntegerDotProduct,
    Feature::Maintenance4,
    Feature::NonSemanticInfo,
];

/// What an entry point needs of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requirements {
    /// The features that it needs and Vulkan 1.3 does not guarantee. Without one of them it is
    /// refused.
    pub features: Vec<Feature>,
    /// Its translation for a device that has no other features. The places of its resources mean
    /// nothing.
    pub words: Vec<u32>,
}

/// The features that an entry point needs, and its translation for a device with these. It is
/// translated up to twice for each feature; `before_each` is asked before each translation, and may
/// refuse it.
///
/// # Errors
/// Those of [`translate`]: the entry point is refused whatever the device has. Those of
/// `before_each`.
pub fn requirements<E: From<Error>>(
    shader: &Shader,
    id: EntryId,
    mut before_each: impl FnMut() -> Result<(), E>,
) -> Result<Requirements, E> {
    let mut profile = everything();
    profile.api = (1, 3);
    profile.features = FeatureSet::from_features(GUARANTEED);
    profile.formats = VULKAN_1_1_FLOOR.formats;
    let mut features = Vec::new();
    let mut words = loop {
        before_each()?;
        match with_profile(shader, id, &profile) {
            Ok(words) => break words,
            // Each turn has one feature more, so there are at most as many turns as features.
            Err(error) => match error.kind() {
                ErrorKind::MissingFeature(feature) if !profile.has(feature) => {
                    profile.features.set(feature, true);
                    features.push(feature);
                }
                _ => return Err(error.into()),
            },
        }
    };
    // An error names one of several features that would do, and a later one may do for both. The
    // last one is needed, because the translation before it was refused.
    let earlier = features.split_last().map_or_else(Vec::new, |(_, earlier)| earlier.to_vec());
    for feature in earlier {
        before_each()?;
        profile.features.set(feature, false);
        match with_profile(shader, id, &profile) {
            Ok(without) => {
                words = without;
                features.retain(|other| *other != feature);
            }
            Err(_) => profile.features.set(feature, true),
        }
    }
    Ok(Requirements { features, words })
}

fn with_profile(shader: &Shader, id: EntryId, profile: &DeviceProfile) -> Result<Vec<u32>> {
    // The places do not matter here, but that every resource has one.
    const FAR: u32 = 1 << 28;
    let shifts = RegisterShifts { b: 0, t: FAR, u: 2 * FAR, s: 3 * FAR, c: 4 * FAR };
    let mut binding = BindingOptions::new(Model::Register, shifts);
    binding.heap_sets.resources = Some(FAR);
    binding.heap_sets.samplers = Some(FAR + 100);
    binding.heap_sets.counters = Some(FAR + 200);
    let stage = PipelineStage::new(shader, id).with_local_root_signature(None);
    let plan = plan(&[stage], &PlanInputs::new(profile).with_options(binding))?;
    let mut options = Options::new(profile.clone());
    options.names = true;
    // A shader may ask for the number of samples, which is a pipeline's.
    options.pipeline.samples = 1;
    let plan = plan.stages.into_iter().next().unwrap_or_default();
    Ok(translate(shader, id, &plan, &options)?.words)
}
