//! The chain from bytes to words, in the pieces that a host keeps and repeats.
//!
//! In: bytes of a container. Out: a [`Shader`] (front end done, shared between translations), then SPIR-V per entry, plan and
//! options. What must hold: nothing here decides anything; each step is a public function of its module.

use crate::binding::{self, BindingOptions, BindingPlan, PipelineLayout, RootSignature, StageResources};
use crate::bitcode;
use crate::container::Container;
use crate::dxil::consts::ShaderStage;
use crate::dxil::metadata::{self, EntryMetadata};
use crate::dxil::program::{Entry, Program};
use crate::dxil::{decode, verify};
use crate::error::{Place, Result};
use crate::limits;
use crate::lower;
use crate::options::Options;
use crate::passes;
use crate::profile::DeviceProfile;
use crate::reflect::Reflection;

/// A parsed and verified container: one program per entry point.
#[derive(Clone, Debug)]
pub struct Shader {
    programs: Vec<Program>,
    root_signature: Option<RootSignature>,
    byte_size: usize,
}

/// The SPIR-V of one entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The module's words.
    pub words: Vec<u32>,
    /// What the words do not say.
    pub reflection: Reflection,
}

impl Shader {
    /// Parses, decodes and verifies a container, or bare LLVM bitcode.
    ///
    /// # Errors
    /// `Malformed` with the byte or instruction, `Unsupported` by name, `Limit`.
    pub fn parse(bytes: &[u8]) -> Result<Shader> {
        limits::check(Place::Input, "bytes of input", bytes.len(), limits::INPUT_BYTES)?;
        let container = Container::parse(bytes)?;
        let program = container.program()?;
        let at = program.offset as u64;
        let module = bitcode::read(program.bitcode).map_err(|e| e.offset_by(at))?;
        let meta = metadata::read(&module)?;
        let decoded = decode::decode(&module).map_err(|e| e.offset_by(at))?;
        verify::verify(&decoded.module)?;
        let mut programs = Vec::new();
        let chosen: Vec<&EntryMetadata> =
            meta.entries.iter().filter(|e| e.function.or(e.patch_function).is_some()).collect();
        let reached = chosen.iter().flat_map(|e| [e.function, e.patch_function]).flatten();
        let entries: Vec<_> = reached.filter_map(|f| decoded.functions.get(&f).copied()).collect();
        let mut module = decoded.module;
        passes::run(&mut module, &entries)?;
        let mut shared = Some(module);
        for (i, entry) in chosen.iter().enumerate() {
            let body = |f: bitcode::FunctionId| match decoded.functions.get(&f) {
                Some(&func) => Ok(func),
                None => Err(malformed!(Place::Input, "a function of entry point `{}` has no body", entry.name)),
            };
            let patch_function = entry.patch_function.map(body).transpose()?;
            let func = match (entry.function, patch_function) {
                (Some(function), _) => body(function)?,
                (None, Some(func)) => func,
                (None, None) => continue,
            };
            if entry.function.is_some() && patch_function == Some(func) {
                return Err(malformed!(Place::Input, "both phases of `{}` are one function", entry.name));
            }
            // The last entry takes the module, the ones before it a copy.
            let module = if i + 1 == chosen.len() { shared.take() } else { shared.clone() };
            let Some(module) = module else { break };
            programs.push(Program {
                module,
                shader_model: meta.shader_model,
                dxil_version: meta.dxil_version,
                validator_version: meta.validator_version,
                entry: Entry {
                    func,
                    patch_function,
                    name: entry.name.clone(),
                    stage: entry.stage,
                    properties: entry.properties.clone(),
                    flags: entry.flags,
                    inputs: entry.inputs.clone(),
                    outputs: entry.outputs.clone(),
                    patch_constants: entry.patch_constants.clone(),
                },
                resources: meta.resources.clone(),
            });
        }
        if programs.is_empty() {
            return Err(unsupported!(Place::Input, "a container without entry points"));
        }
        let root_signature = RootSignature::of(&container)?;
        Ok(Shader { programs, root_signature, byte_size: bytes.len() })
    }

    /// The programs, one per entry point.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// The program of an entry point: by name, or the only one there is.
    ///
    /// # Errors
    /// `Unsupported` where the name is missing among several, or names none.
    pub fn program(&self, entry: Option<&str>) -> Result<&Program> {
        let names = || self.programs.iter().map(|p| &*p.entry.name).collect::<Vec<_>>().join("`, `");
        match (entry, self.programs.as_slice()) {
            // A container with one entry also answers to `main`, the name that Vulkan applications use.
            (None | Some("main"), [one]) => Ok(one),
            (Some(name), programs) => programs
                .iter()
                .find(|p| &*p.entry.name == name)
                .ok_or_else(|| unsupported!(Place::Input, "no entry point `{name}`: the container has `{}`", names())),
            (None, _) => {
                Err(unsupported!(Place::Input, "an entry point must be named: the container has `{}`", names()))
            }
        }
    }

    /// Whether it is a library, whose entry a pipeline names.
    pub fn is_library(&self) -> bool {
        // Mesh and amplification shaders are numbered after the library's stages, and are none of them.
        let alone =
            |stage| stage < ShaderStage::Library || matches!(stage, ShaderStage::Mesh | ShaderStage::Amplification);
        self.programs.len() > 1 || self.programs.iter().any(|p| !alone(p.entry.stage))
    }

    /// The root signature of its RTS0 part.
    pub fn root_signature(&self) -> Option<&RootSignature> {
        self.root_signature.as_ref()
    }

    /// Bytes of the input: what a cache may count it as.
    pub fn byte_size(&self) -> usize {
        self.byte_size
    }
}

/// Translates one program under a binding plan.
///
/// # Errors
/// `Unsupported` by name, `MissingFeature`, `Binding`, `Limit`.
pub fn translate(program: &Program, plan: &BindingPlan, options: &Options) -> Result<Translation> {
    let (words, reflection) = lower::lower(program, plan, options)?;
    Ok(Translation { words, reflection })
}

/// Plans the bindings of a pipeline: one plan per program, in their order.
///
/// # Errors
/// `Binding`, as [`binding::plan_pipeline`].
pub fn plan(
    stages: &[(&Shader, &Program)],
    options: &BindingOptions,
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<Vec<BindingPlan>> {
    let resources: Vec<StageResources<'_>> = stages
        .iter()
        .map(|(shader, program)| StageResources {
            stage: program.entry.stage,
            resources: &program.resources,
            root_signature: shader.root_signature.as_ref(),
        })
        .collect();
    Ok(binding::plan_pipeline(&resources, options, layout, profile)?.stages)
}
