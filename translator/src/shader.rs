//! The library's main functions: [`Shader::parse`], [`plan`] and [`translate`].
//!
//! In: bytes of a container. Out: a [`Shader`], which all translations of the blob share; then
//! SPIR-V for an entry point, a plan and options. What must hold: a shader has one module in
//! memory, however many entry points it has, and it does not change after parsing.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::binding::BindingPlan;
use crate::binding::{self, PipelineLayout, PipelinePlan, PlanInputs, RootSignature, StageResources, root_signature};
use crate::bitcode;
use crate::container::Container;
use crate::dxil::consts::ShaderStage;
use crate::dxil::metadata::EntryMetadata;
use crate::dxil::program::{Entry, EntryId, Program};
use crate::dxil::{assemble, decode, metadata, verify};
use crate::entity::{Entity, SecondaryMap};
use crate::error::{Place, Result};
use crate::limits;
use crate::lower;
use crate::options::Options;
use crate::passes;
use crate::reflect::Reflection;

/// A parsed and verified container. Clones share one copy in memory.
#[derive(Clone, Debug)]
pub struct Shader(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    program: Program,
    root_signatures: RootSignatures,
}

/// The root signatures of a container.
#[derive(Debug, Default)]
struct RootSignatures {
    /// Those of the metadata, if there is no RTS0 part; otherwise the one in that part.
    all: Vec<RootSignature>,
    /// The index of each entry point's root signature.
    of_entry: SecondaryMap<EntryId, Option<usize>>,
}

impl RootSignatures {
    /// Reads the RTS0 part, or the metadata of a container without one (LLVM, "Root Signatures").
    fn read(container: &Container<'_>, module: &bitcode::Module, entries: &[EntryMetadata]) -> Result<Self> {
        // A record without functions carries the shared properties of a library, and is not an
        // entry point.
        let functions = |entry: &EntryMetadata| [entry.function, entry.patch_function];
        let entries = entries.iter().map(functions).filter(|of| of.iter().any(Option::is_some));
        let ids = entries.enumerate().map(|(index, functions)| (EntryId::new(index), functions));
        let mut found = Self::default();
        if let Some(signature) = RootSignature::of(container)? {
            found.all.push(signature);
            for (id, _) in ids {
                found.of_entry[id] = Some(0);
            }
            return Ok(found);
        }
        let mut by_function = FxHashMap::default();
        for (index, (function, signature)) in root_signature::by_function(module)?.into_iter().enumerate() {
            by_function.insert(function, index);
            found.all.push(signature);
        }
        for (id, functions) in ids {
            found.of_entry[id] =
                functions.into_iter().flatten().find_map(|function| by_function.get(&function).copied());
        }
        Ok(found)
    }
}

/// The SPIR-V of one entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Translation {
    /// The module's words.
    pub words: Vec<u32>,
    /// Facts about the module that SPIR-V does not carry, or that are hard to find in it.
    pub reflection: Reflection,
}

impl Shader {
    /// Parses, decodes and verifies a container, or bare LLVM bitcode.
    ///
    /// # Errors
    /// `Malformed`, with the byte or instruction; `Unsupported`, with the name of the construct;
    /// `Limit`.
    pub fn parse(bytes: &[u8]) -> Result<Shader> {
        limits::check(Place::Input, "bytes of input", bytes.len(), limits::INPUT_BYTES)?;
        let container = Container::parse(bytes)?;
        let program = container.program()?;
        let at = program.offset as u64;
        let module = bitcode::read(program.bitcode).map_err(|e| e.offset_by(at))?;
        let mut metadata = metadata::read(&module)?;
        let mut decoded = decode::decode(&module).map_err(|e| e.offset_by(at))?;
        let root_signatures = RootSignatures::read(&container, &module, &metadata.entries)?;
        drop(module);
        verify::verify(&decoded.module)?;
        let roots = assemble::roots(std::mem::take(&mut metadata.entries), &decoded.functions)?;
        let symbols = assemble::resource_globals(&metadata, &decoded);
        let entered: Vec<_> = roots.iter().flat_map(assemble::Root::functions).collect();
        passes::run(&mut decoded.module, &entered)?;
        let program = assemble::assemble(decoded.module, metadata, roots, &symbols)?;
        if program.entries.is_empty() {
            return Err(unsupported!(Place::Input, "a container without entry points"));
        }
        Ok(Shader(Arc::new(Parsed { program, root_signatures })))
    }

    /// The entry points, in the order of the container.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryId, &Entry)> {
        self.0.program.entries()
    }

    /// An entry point; `None` if the id belongs to another shader.
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.0.program.entries.get(id)
    }

    /// The entry point with this name, mangled or plain. Without a name, the container's only entry
    /// point.
    ///
    /// # Errors
    /// `Unsupported` if no entry point has the name, if several have it as their plain name, or if
    /// no name is given and the container has several entry points.
    pub fn find_entry(&self, name: Option<&str>) -> Result<EntryId> {
        let entries = &self.0.program.entries;
        let only = || entries.keys().next().filter(|_| entries.len() == 1);
        let Some(name) = name else {
            let several =
                || unsupported!(Place::Input, "the container has several entry points; name one of {}", self.names());
            return only().ok_or_else(several);
        };
        if let Some((id, _)) = entries.iter().find(|(_, entry)| &*entry.name == name) {
            return Ok(id);
        }
        let mut plain = entries.iter().filter(|(_, entry)| &*entry.plain_name == name).map(|(id, _)| id);
        match (plain.next(), plain.next()) {
            (Some(id), None) => Ok(id),
            (Some(_), Some(_)) => Err(unsupported!(
                Place::Input,
                "several entry points are called `{name}` in the source; use the mangled name, one of {}",
                self.names()
            )),
            (None, _) => match only() {
                // A container with one entry point also answers to `main`, the name that Vulkan
                // applications use.
                Some(id) if name == "main" => Ok(id),
                _ => Err(unsupported!(Place::Input, "no entry point `{name}`; the container has {}", self.names())),
            },
        }
    }

    /// The names of the entry points, for messages.
    fn names(&self) -> String {
        const LISTED: usize = 32;
        let entries = &self.0.program.entries;
        let names: Vec<_> = entries.values().take(LISTED).map(|e| format!("`{}`", e.name.escape_debug())).collect();
        let more = match entries.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        names.join(", ") + &more
    }

    /// Whether the container is a library: it has several entry points, or one whose stage occurs
    /// in libraries only. A pipeline names the entry point of a library that it uses.
    pub fn is_library(&self) -> bool {
        // The numbers of mesh and amplification shaders follow those of the library stages, but
        // they are not library stages.
        let alone =
            |stage| stage < ShaderStage::Library || matches!(stage, ShaderStage::Mesh | ShaderStage::Amplification);
        let entries = &self.0.program.entries;
        entries.len() > 1 || entries.values().any(|entry| !alone(entry.stage))
    }

    /// The root signature of an entry point: the one in the container's RTS0 part, otherwise the one
    /// that the `dx.rootsignatures` metadata gives its function.
    pub fn entry_root_signature(&self, entry: EntryId) -> Option<&RootSignature> {
        let found = &self.0.root_signatures;
        found.all.get(found.of_entry[entry]?)
    }

    /// The root signature of the first entry point that has one. All entry points of a container
    /// with an RTS0 part have that one.
    pub fn root_signature(&self) -> Option<&RootSignature> {
        self.0.program.entries.keys().find_map(|entry| self.entry_root_signature(entry))
    }

    /// The memory that the shader occupies, in bytes. A cache counts the shader with this size.
    pub fn memory_size(&self) -> usize {
        size_of::<Parsed>() + self.0.program.heap_bytes()
    }

    /// The parsed program, for tools that inspect it.
    pub fn program(&self) -> &Program {
        &self.0.program
    }
}

/// One stage of a pipeline: an entry point and, if it has one, the local root signature of its
/// shader records.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PipelineStage<'a> {
    /// The shader.
    pub shader: &'a Shader,
    /// The entry point of the shader that the stage runs.
    pub entry: EntryId,
    /// The local root signature.
    pub local_root_signature: Option<&'a RootSignature>,
}

impl<'a> PipelineStage<'a> {
    /// A stage without a local root signature.
    pub fn new(shader: &'a Shader, entry: EntryId) -> Self {
        Self { shader, entry, local_root_signature: None }
    }

    /// The resources of the stage, as input of the binding models.
    ///
    /// # Errors
    /// `Unsupported` if the entry point belongs to another shader.
    pub fn resources(&self) -> Result<StageResources<'a>> {
        let entry = entry_of(self.shader.program(), self.entry)?;
        Ok(StageResources {
            stage: entry.stage,
            resources: &self.shader.program().resources,
            used: Some(&entry.reach.resources),
            root_signature: self.shader.entry_root_signature(self.entry),
            local_root_signature: self.local_root_signature,
        })
    }
}

fn entry_of(program: &Program, id: EntryId) -> Result<&Entry> {
    let entry = program.entries.get(id);
    entry.ok_or_else(|| {
        unsupported!(Place::Input, "no entry point with id {id}; the shader has {}", program.entries.len())
    })
}

/// Plans the bindings of a pipeline over all its stages. The result has one [`BindingPlan`] per
/// stage, in their order.
///
/// # Errors
/// The errors of [`binding::plan_pipeline`]; `Unsupported` if an entry point belongs to another
/// shader.
pub fn plan(stages: &[PipelineStage<'_>], inputs: &PlanInputs<'_>) -> Result<PipelinePlan> {
    let resources: Vec<StageResources<'_>> = stages.iter().map(PipelineStage::resources).collect::<Result<_>>()?;
    binding::plan_pipeline(&resources, inputs)
}

/// The smallest pipeline layout that fits a plan: what an application has to declare. An unbounded
/// array has `u32::MAX` descriptors there. `stages` and `inputs` are those that the plan was made
/// from; planning again with this layout gives the same plan.
///
/// # Errors
/// `Limit` where the plan has more descriptor sets than any device; `Unsupported` where a stage's
/// entry point is one of another shader.
pub fn required_layout(
    stages: &[PipelineStage<'_>],
    inputs: &PlanInputs<'_>,
    plan: &PipelinePlan,
) -> Result<PipelineLayout> {
    let resources: Vec<StageResources<'_>> = stages.iter().map(PipelineStage::resources).collect::<Result<_>>()?;
    binding::required_layout(&resources, inputs.root_signature, plan)
}

/// Translates one entry point under a binding plan.
///
/// # Errors
/// `Unsupported`, with the name of the construct; `MissingFeature`; `Binding`; `Limit`.
pub fn translate(shader: &Shader, entry: EntryId, plan: &BindingPlan, options: &Options) -> Result<Translation> {
    let entry = entry_of(shader.program(), entry)?;
    let (words, reflection) = lower::lower(shader.program(), entry, plan, options)?;
    Ok(Translation { words, reflection })
}
