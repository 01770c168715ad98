//! The seam to the translator: everything the layer asks of it, in the layer's terms.
//!
//! In: bytes and plain data. Out: parsed shaders, plans, words. What must hold: no Vulkan handle crosses this line, and a panic
//! of the translator comes back as an error of kind `Bug`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use dxil_translator::internals::dxil::consts::SemanticKind;
use dxil_translator::{Entry, Options, PipelineStage, PlanInputs, ShaderStage};

pub use dxil_translator::{
    BindingOptions, BindingPlan as Plan, DeviceProfile, Error, ErrorKind, Feature, FloatControls, LayoutBinding,
    PipelineLayout, Place, PushRange, VULKAN_1_1_FLOOR,
};

/// A shader's front end: parsed and verified, immutable.
pub struct Shader(dxil_translator::Shader);

/// What of a pipeline's state the code depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Target 0 is blended with two sources.
    pub dual_source: bool,
    /// A layer, viewport or shading rate that the stage writes goes to the next shader stage, not to the rasterizer.
    pub feeds_stage: bool,
    /// Samples of the targets, where the shader asks for them; 0: it does not, or the pipeline does not say.
    pub samples: u32,
}

/// As options of `dxil2spv`, each behind a blank.
impl std::fmt::Display for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Facts { dual_source, feeds_stage, samples } = *self;
        if dual_source {
            f.write_str(" --dual-source")?;
        }
        if feeds_stage {
            f.write_str(" --feeds-stage")?;
        }
        if samples != 0 {
            write!(f, " --samples {samples}")?;
        }
        Ok(())
    }
}

/// What a translation gives back.
pub struct Translation {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// The entry point's name in it.
    pub entry: String,
    /// `[WaveSize]`: the subgroup size that the pipeline stage must ask for.
    pub required_subgroup_size: Option<u32>,
}

/// The translator refuses instead of panicking; should it do so after all, the application still gets an error.
fn guarded<T>(what: &str, body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|_| Err(Error::new(ErrorKind::Bug, Place::Input, format!("the translator panicked ({what})"))))
}

impl Shader {
    /// Parses and verifies a blob that begins with `DXBC`.
    ///
    /// # Errors
    /// The translator's.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        guarded("parse", || dxil_translator::Shader::parse(bytes).map(Self))
    }

    /// Names of the entry points.
    pub fn entries(&self) -> Vec<&str> {
        self.0.entries().map(|(_, entry)| &*entry.name).collect()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.0.entry(self.0.find_entry(Some(name)).ok()?)
    }

    /// Whether the entry is a pixel shader with a second output that blending can take as second source.
    pub fn has_second_target(&self, entry: &str) -> bool {
        self.entry(entry).is_some_and(|entry| {
            let targets = entry.outputs.elements.iter().filter(|e| e.semantic == SemanticKind::Target);
            entry.stage == ShaderStage::Pixel && targets.flat_map(|e| &e.indices).any(|&index| index == 1)
        })
    }

    /// Whether the entry writes a layer, viewport or shading rate: the rasterizer's, or plain values where another shader stage follows.
    pub fn writes_for_rasterizer(&self, entry: &str) -> bool {
        use SemanticKind as S;
        let values = [S::RenderTargetArrayIndex, S::ViewPortArrayIndex, S::ShadingRate];
        self.entry(entry).is_some_and(|entry| entry.outputs.elements.iter().any(|e| values.contains(&e.semantic)))
    }

    /// Whether the entry is a pixel shader that asks for the samples of its targets.
    pub fn asks_for_samples(&self, entry: &str) -> bool {
        self.entry(entry).is_some_and(Entry::asks_for_samples)
    }

    /// Whether the blob is a library: no entry can be chosen before a pipeline names it.
    pub fn is_library(&self) -> bool {
        self.0.is_library()
    }

    /// Bytes it occupies.
    pub fn byte_size(&self) -> usize {
        self.0.memory_size()
    }
}

/// The binding plans of a pipeline's DXIL stages, one each.
///
/// # Errors
/// The translator's, mostly of kind `Binding`.
pub fn plan(
    stages: &[(&Shader, &str)],
    options: &BindingOptions,
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<Vec<Plan>, Error> {
    guarded("plan", || {
        let stage = |(shader, entry): &(&'_ Shader, &str)| Ok((shader.0.clone(), shader.0.find_entry(Some(entry))?));
        let stages = stages.iter().map(stage).collect::<Result<Vec<_>, Error>>()?;
        let stages: Vec<_> = stages.iter().map(|(shader, entry)| PipelineStage::new(shader, *entry)).collect();
        let inputs = PlanInputs::new(profile).with_options(*options).with_layout(layout);
        let plan = dxil_translator::plan(&stages, &inputs)?;
        if plan.second_choice {
            static ONCE: AtomicBool = AtomicBool::new(false);
            if !ONCE.swap(true, Ordering::Relaxed) {
                log::info!("bindings = auto: the {} model, because the pipeline layout matches that one", plan.model);
            }
        }
        Ok(plan.stages)
    })
}

/// The SPIR-V of one entry point under a plan.
///
/// # Errors
/// The translator's.
pub fn translate(
    shader: &Shader,
    entry: &str,
    plan: &Plan,
    facts: Facts,
    profile: &DeviceProfile,
) -> Result<Translation, Error> {
    guarded("translate", || {
        let entry = shader.0.find_entry(Some(entry))?;
        let mut options = Options::new(profile.clone());
        options.facts.dual_source = facts.dual_source;
        options.facts.feeds_stage = facts.feeds_stage;
        options.facts.samples = facts.samples;
        let translation = dxil_translator::translate(&shader.0, entry, plan, &options)?;
        let reflection = translation.reflection;
        let required_subgroup_size = match reflection.wave_size {
            Some(wave_size) => subgroup_size(wave_size, profile)?,
            None => None,
        };
        Ok(Translation { words: translation.words, entry: reflection.entry.into(), required_subgroup_size })
    })
}

/// The subgroup size to ask for, of `[WaveSize(least, most, preferred)]`; none where the device has only the right one.
fn subgroup_size([least, most, preferred]: [u32; 3], profile: &DeviceProfile) -> Result<Option<u32>, Error> {
    let most = if most == 0 { least } else { most };
    let device = &profile.subgroup;
    let fits = |size: u32| (least..=most).contains(&size);
    if device.min_size == device.max_size && fits(device.size) {
        return Ok(None);
    }
    let possible =
        |size: u32| size.is_power_of_two() && fits(size) && (device.min_size..=device.max_size).contains(&size);
    let sizes = [preferred, device.size].into_iter().chain((0..8).map(|shift| 1 << shift));
    let size = sizes.into_iter().find(|&size| possible(size));
    match size {
        Some(size) if profile.has(Feature::SubgroupSizeControl) => Ok(Some(size)),
        _ => Err(Error::new(
            ErrorKind::MissingFeature(Feature::SubgroupSizeControl),
            Place::Input,
            format!(
                "the shader asks for waves of {least} to {most} lanes; the device has {} to {}, {} by default",
                device.min_size, device.max_size, device.size
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(size: u32, min_size: u32, max_size: u32, control: bool) -> DeviceProfile {
        let mut profile = VULKAN_1_1_FLOOR;
        (profile.subgroup.size, profile.subgroup.min_size, profile.subgroup.max_size) = (size, min_size, max_size);
        profile.features.set(Feature::SubgroupSizeControl, control);
        profile
    }

    #[test]
    fn subgroup_sizes() {
        let fixed = profile(8, 8, 8, false);
        assert_eq!(subgroup_size([8, 0, 0], &fixed), Ok(None));
        assert!(subgroup_size([32, 0, 0], &fixed).is_err());
        let wide = profile(32, 8, 64, true);
        assert_eq!(subgroup_size([16, 0, 0], &wide), Ok(Some(16)));
        assert_eq!(subgroup_size([16, 64, 0], &wide), Ok(Some(32)));
        assert_eq!(subgroup_size([16, 64, 64], &wide), Ok(Some(64)));
        assert!(subgroup_size([128, 0, 0], &wide).is_err());
        assert!(subgroup_size([16, 0, 0], &profile(32, 8, 64, false)).is_err());
    }

    #[test]
    fn facts_are_options_of_the_tool() {
        assert_eq!(Facts::default().to_string(), "");
        let facts = Facts { dual_source: true, feeds_stage: true, samples: 4 };
        assert_eq!(facts.to_string(), " --dual-source --feeds-stage --samples 4");
    }
}
