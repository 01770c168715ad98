//! The fixture format of docs/testing.md as data.
//!
//! In: an HLSL file with directives on top. Out: a [`Fixture`], which has everything that the
//! harness runs and compares. What must hold: every word of every directive is understood, or the
//! fixture is refused.

mod check;
pub mod heap;
mod line;
pub mod parse;
mod parse_resource;
pub mod pass;
pub mod pattern;
pub mod rays;
pub mod resource;
pub mod scene;

use std::path::{Path, PathBuf};

use ash::vk;

use crate::compare::{Tolerance, Want};
pub use heap::Heaps;
pub use line::{parse_want, parse_word};
pub use pass::{Blend, Depth, Draw, ImagePart, Indices, Libraries, Pass, Stage, Target, VertexInput, Work};
pub use pattern::Pattern;
pub use resource::{Kind, Mips, Register, Resource, SamplerState, SetBinding};
pub use scene::Scene;

/// The model by which the layer places resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BindingModel {
    /// The set is the register space, and the binding is the register number plus a shift.
    #[default]
    Register,
    /// As `Register`, but the container's registers have the shifts in them already.
    Shifted,
    /// The places follow from the shader's root signature.
    RootSignature,
    /// The places are in a binding map, a file beside the fixture ([`Fixture::map_path`]).
    Map,
}

/// The source of the expected outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// DXC's SPIR-V of the same source, run on the same driver.
    Spirv,
    /// The words of `expect` lines and `.words` files.
    Expect,
}

/// A step of a program. The steps run one after another, separated by barriers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Runs the pass with this index.
    Run(usize, Work),
    /// Writes words to the start of the buffer of the resource with this index.
    Update(usize, Vec<u32>),
}

/// The contents of a fixture's directives.
#[derive(Debug, Clone, Default)]
pub struct Fixture {
    /// The name, `group/name`.
    pub name: String,
    /// The path of the HLSL file. Compiled forms are in the same folder.
    pub source: PathBuf,
    /// The passes. An ordinary fixture has one pass without a name, a program has named passes.
    pub passes: Vec<Pass>,
    /// The steps. An ordinary fixture has one step, which runs its pass.
    pub steps: Vec<Step>,
    /// The features without which the fixture is skipped.
    pub require: Vec<String>,
    /// The features that translated code must not use, by the names of the setting `profile_cap`.
    pub without: Vec<String>,
    /// The device is created without robustness, so that the layer requests it for the stages.
    pub robust_stages: bool,
    /// Lavapipe compiles the shaders without LLVM's optimiser.
    pub unoptimised: bool,
    /// Known faults: the name of a driver or of the validation layer, and a description of its
    /// fault.
    pub faults: Vec<(String, String)>,
    /// The resources.
    pub resources: Vec<Resource>,
    /// The acceleration structures.
    pub scene: Scene,
    /// The stride and offset, in addresses, of each address in a buffer that lists some; by default
    /// they follow each other.
    pub address_place: Option<[u32; 2]>,
    /// The push constants: their size in bytes and their contents.
    pub push: Option<(u32, Pattern)>,
    /// The set that is a push-descriptor set, if there is one.
    pub push_set: Option<u32>,
    /// The sets are in descriptor buffers.
    pub descriptor_buffer: bool,
    /// The model by which the layer places resources.
    pub bindings: BindingModel,
    /// More settings of the layer, by name.
    pub settings: Vec<(String, String)>,
    /// The descriptor heaps.
    pub heaps: Option<Heaps>,
    /// The least number of sets in the pipeline layout. Sets without resources are empty.
    pub sets: u32,
    /// The judges. All of them must agree.
    pub judges: Vec<Judge>,
    /// The expected words by output.
    pub expect: Vec<(String, Vec<Want>)>,
    /// The tolerances by output; `*` stands for every output.
    pub tolerance: Vec<(String, Tolerance)>,
}

impl Fixture {
    /// A fixture without directives: one pass without a name, no steps.
    #[must_use]
    pub fn new(name: &str, source: &Path) -> Self {
        Self { name: name.to_owned(), source: source.to_owned(), passes: vec![Pass::new("")], ..Self::default() }
    }

    /// The stages of all passes, each with its pass. The code of stages is passed in this order.
    pub fn stages(&self) -> impl Iterator<Item = (&Pass, &Stage)> {
        self.passes.iter().flat_map(|pass| pass.stages.iter().map(move |stage| (pass, stage)))
    }

    /// The stage flags of all stages of all passes.
    #[must_use]
    pub fn stage_flags(&self) -> vk::ShaderStageFlags {
        self.passes.iter().map(Pass::stage_flags).fold(vk::ShaderStageFlags::empty(), |all, flags| all | flags)
    }

    /// The stage flags of the descriptors of a set: those of all stages, or of the pipeline
    /// libraries whose layouts have the set.
    #[must_use]
    pub fn set_flags(&self, set: u32) -> vk::ShaderStageFlags {
        let pixel = vk::ShaderStageFlags::FRAGMENT;
        let of_pass = |pass: &Pass| {
            let all = pass.stage_flags();
            let Some(Libraries { vertex, fragment }) = &pass.libraries else { return all };
            let before = if vertex.contains(&set) { all & !pixel } else { vk::ShaderStageFlags::empty() };
            if fragment.contains(&set) { before | all & pixel } else { before }
        };
        self.passes.iter().map(of_pass).fold(vk::ShaderStageFlags::empty(), |all, flags| all | flags)
    }

    /// The path of a stage's compiled form. `extension` is `dxil` or `spv`.
    #[must_use]
    pub fn code_path(&self, pass: &Pass, stage: &Stage, extension: &str) -> PathBuf {
        match (pass.name.as_str(), pass.stages.len()) {
            ("", 1) => self.source.with_extension(extension),
            ("", _) => self.source.with_extension(format!("{}.{extension}", pass.part(stage))),
            (name, _) => self.source.with_extension(format!("{name}.{}.{extension}", pass.part(stage))),
        }
    }

    /// The file of the binding map, for `bindings map`.
    #[must_use]
    pub fn map_path(&self) -> PathBuf {
        self.source.with_extension("map.toml")
    }

    /// The resource at a register, and its index.
    #[must_use]
    pub fn resource(&self, register: Register) -> Option<(usize, &Resource)> {
        self.resources.iter().enumerate().find(|(_, resource)| resource.register == register)
    }

    /// The index of the resource whose memory a resource uses: its own, or that of the one that
    /// `is=` names.
    #[must_use]
    pub fn memory_of(&self, resource: &Resource) -> Option<usize> {
        self.resource(resource.alias.unwrap_or(resource.register)).map(|(index, _)| index)
    }

    /// The descriptor types of a mutable heap. The list has acceleration structures only where the
    /// fixture has some in the heap, because devices without them do not know the type.
    pub fn heap_types(&self) -> impl Iterator<Item = vk::DescriptorType> + use<> {
        let in_heap = |resource: &Resource| resource.heap.is_some() && matches!(resource.kind, Kind::Structures(_));
        let structures = self.resources.iter().any(in_heap);
        let fits = move |ty: &vk::DescriptorType| structures || *ty != vk::DescriptorType::ACCELERATION_STRUCTURE_KHR;
        heap::TYPES.into_iter().filter(fits)
    }

    /// The resources that are input attachments. Every pass that draws has all of them.
    pub fn input_attachments(&self) -> impl Iterator<Item = (usize, &Resource)> {
        let all = self.resources.iter().enumerate();
        all.filter(|(_, resource)| resource.descriptor == vk::DescriptorType::INPUT_ATTACHMENT)
    }

    /// The draws of a pass.
    pub fn draws(&self, pass: usize) -> impl Iterator<Item = Draw> {
        self.steps.iter().filter_map(move |step| match step {
            Step::Run(index, Work::Draw(draw)) if *index == pass => Some(*draw),
            _ => None,
        })
    }

    /// The names of all outputs, in a fixed order.
    #[must_use]
    pub fn outputs(&self) -> Vec<String> {
        let resources = self.resources.iter().filter(|resource| resource.out);
        let resources = resources.map(|resource| resource.register.output());
        resources.chain(self.passes.iter().flat_map(Pass::outputs)).collect()
    }

    /// The tolerance of an output. A line with the output's name takes precedence over `*`.
    #[must_use]
    pub fn tolerance_of(&self, output: &str) -> Tolerance {
        let named =
            |wanted: &str| self.tolerance.iter().find(|(name, _)| name == wanted).map(|(_, tolerance)| *tolerance);
        named(output).or_else(|| named("*")).unwrap_or_default()
    }
}
