//! The fixture format of docs/testing.md, as data.
//!
//! In: an HLSL file with directives on top. Out: a [`Fixture`]: everything the harness runs and compares. What holds: every
//! word of every directive was understood; nothing is guessed.

mod check;
mod line;
pub mod parse;
mod parse_resource;
pub mod pass;
pub mod pattern;
pub mod resource;

use std::path::PathBuf;

use ash::vk;

use crate::compare::Tolerance;
pub use line::parse_word;
pub use pass::{Blend, Depth, Draw, ImagePart, Indices, Pass, Stage, Target, VertexInput, Work};
pub use pattern::Pattern;
pub use resource::{Kind, Mips, Place, Register, Resource, SamplerState};

/// How the layer places resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingModel {
    /// Set = space, binding = register + shift.
    Register,
    /// By the shader's root signature.
    RootSignature,
}

/// Who says what is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// DXC's SPIR-V of the same source on the same driver.
    Spirv,
    /// Written-down words.
    Expect,
}

/// One expected word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Exactly this word (or close to it, where a tolerance is given).
    Word(u32),
    /// Any f32 NaN.
    AnyNan,
    /// Not compared.
    Any,
}

/// What happens on the queue, one after the other, each after all that went before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A pass, by its index, does its work.
    Run(usize, Work),
    /// Words are written to the start of a buffer, which is the memory of the resource with this index.
    Update(usize, Vec<u32>),
}

/// Everything that a fixture's directives say.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// `group/name`.
    pub name: String,
    /// The HLSL file; compiled forms lie beside it.
    pub source: PathBuf,
    /// The passes: one without a name in an ordinary fixture, several with names in a program.
    pub passes: Vec<Pass>,
    /// The steps: one run of the one pass in an ordinary fixture.
    pub steps: Vec<Step>,
    /// Features without which a driver skips it.
    pub require: Vec<String>,
    /// Features that the layer must do without, by their Vulkan names: its setting `profile_cap`.
    pub without: Vec<String>,
    /// Drivers, and the validation layer, that are known to get it wrong, each with what the fault is.
    pub faults: Vec<(String, String)>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Push constants: size in bytes and contents.
    pub push: Option<(u32, Pattern)>,
    /// How the layer places resources.
    pub bindings: BindingModel,
    /// Who says what is right; all must agree.
    pub judges: Vec<Judge>,
    /// Expected words by output.
    pub expect: Vec<(String, Vec<Want>)>,
    /// Tolerances by output; `*` is every output.
    pub tolerance: Vec<(String, Tolerance)>,
}

impl Fixture {
    /// The stages of all passes, each with its pass: the order in which their code is handed over.
    pub fn stages(&self) -> impl Iterator<Item = (&Pass, &Stage)> {
        self.passes.iter().flat_map(|pass| pass.stages.iter().map(move |stage| (pass, stage)))
    }

    /// The stage flags of all stages of all passes.
    #[must_use]
    pub fn stage_flags(&self) -> vk::ShaderStageFlags {
        self.passes.iter().map(Pass::stage_flags).fold(vk::ShaderStageFlags::empty(), |all, flags| all | flags)
    }

    /// The path of a stage's compiled form: `extension` is `dxil` or `spv`.
    #[must_use]
    pub fn code_path(&self, pass: &Pass, stage: &Stage, extension: &str) -> PathBuf {
        match (pass.name.as_str(), pass.stages.len()) {
            ("", 1) => self.source.with_extension(extension),
            ("", _) => self.source.with_extension(format!("{}.{extension}", stage.short())),
            (name, _) => self.source.with_extension(format!("{name}.{}.{extension}", stage.short())),
        }
    }

    /// The resource at a register, and its index.
    #[must_use]
    pub fn resource(&self, register: Register) -> Option<(usize, &Resource)> {
        self.resources.iter().enumerate().find(|(_, resource)| resource.register == register)
    }

    /// The index of the resource that has the memory which a resource is seen through.
    #[must_use]
    pub fn memory_of(&self, resource: &Resource) -> Option<usize> {
        self.resource(resource.alias.unwrap_or(resource.register)).map(|(index, _)| index)
    }

    /// The draws of a pass.
    pub fn draws(&self, pass: usize) -> impl Iterator<Item = Draw> {
        self.steps.iter().filter_map(move |step| match step {
            Step::Run(index, Work::Draw(draw)) if *index == pass => Some(*draw),
            _ => None,
        })
    }

    /// The names of everything that is read back, in a fixed order.
    #[must_use]
    pub fn outputs(&self) -> Vec<String> {
        let resources = self.resources.iter().filter(|resource| resource.out);
        let resources = resources.map(|resource| resource.register.output());
        resources.chain(self.passes.iter().flat_map(Pass::outputs)).collect()
    }

    /// The tolerance of an output; a line that names it goes before `*`.
    #[must_use]
    pub fn tolerance_of(&self, output: &str) -> Tolerance {
        let named =
            |wanted: &str| self.tolerance.iter().find(|(name, _)| name == wanted).map(|(_, tolerance)| *tolerance);
        named(output).or_else(|| named("*")).unwrap_or_default()
    }
}
