//! The library's main functions: [`Shader::parse`], [`plan`] and [`translate`].
//!
//! In: bytes of a container. Out: a [`Shader`], which all translations of the blob share; then
//! SPIR-V for an entry point, a plan and options. What must hold: a shader has one module in
//! memory, however many entry points it has, and it does not change after parsing.

mod debug;
mod entry_names;
mod front;
mod heap_names;
mod located;
mod long_vectors;
mod pdb;

use std::sync::Arc;

use foldhash::HashMap;

use crate::analysis::program::{Entry, EntryId, Program};
use crate::analysis::program::{assemble, names};
use crate::binding::BindingPlan;
use crate::binding::options::Model;
use crate::binding::{self, PipelineLayout, PipelinePlan, PlanInputs, RootSignature, StageResources, root_signature};
use crate::container::{Container, SubobjectKind};
use crate::decode;
use crate::decode::metadata;
use crate::decode::metadata::EntryMetadata;
use crate::ir::members::BufferMembers;
use crate::ir::resources::{Resource, ResourceId};
use crate::library::{Subobject, Subobjects, listed};
use crate::lower;
use crate::ops::consts::{ResourceKind, ShaderStage};
use crate::options::{Debug, MeshOutput, Options, Tessellation, VertexLocations};
use crate::passes::VectorForm;
use crate::reflect::{Reflection, VertexInput};
use crate::shader::debug::{DebugVersion, debug_part};
use crate::shader::entry_names::{EntryNames, NameMatch};
use crate::shader::long_vectors::LongVectorVersion;
use dxil_base::entity::{Entity, EntitySet, PrimaryMap, SecondaryMap};
use dxil_base::error::{Error, ErrorKind, Place, Result};
use dxil_base::limits;
use dxil_base::limits::{Budget, Fuel};
use dxil_base::lists::Lists;
use dxil_base::names::unmarked;
use dxil_bitcode as bitcode;

/// A parsed and verified container. Clones share one copy in memory.
#[derive(Clone, Debug)]
pub struct Shader(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    program: Program,
    /// The entry points by their names.
    names: EntryNames,
    root_signatures: RootSignatures,
    /// What a library declares of a state object.
    subobjects: Subobjects,
    associated: Associated,
    /// The functions that a library exports besides its entry points.
    functions: Vec<Arc<str>>,
    /// The program with debug information, once it is asked for.
    debug: DebugVersion,
    /// The program with long vectors, once a device has them.
    long_vectors: LongVectorVersion,
}

/// The indexes of the root signatures that the library associates with each entry point.
#[derive(Debug, Default)]
struct Associated {
    global: Lists<EntryId, usize>,
    local: Lists<EntryId, usize>,
}

/// The root signatures of a container, except those in a library's subobjects.
#[derive(Debug, Default)]
struct RootSignatures {
    /// Those of the metadata, if there is no RTS0 part; otherwise the one in that part.
    all: Vec<RootSignature>,
    /// The index of each entry point's root signature.
    of_entry: SecondaryMap<EntryId, Option<usize>>,
}

impl RootSignatures {
    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize {
        let content: usize = self.all.iter().map(RootSignature::heap_bytes).sum();
        self.all.capacity() * size_of::<RootSignature>() + content + self.of_entry.heap_bytes()
    }

    /// Reads the RTS0 part, or the metadata of a container without one (LLVM, "Root Signatures").
    fn read(container: &Container<'_>, module: &bitcode::Module, entries: &[EntryMetadata]) -> Result<Self> {
        // A record without functions carries the shared properties of a library, and is not an
        // entry point.
        let functions = |entry: &EntryMetadata| [entry.function, entry.patch_function];
        let entries = entries.iter().map(functions).filter(|of| of.iter().any(Option::is_some));
        let ids = entries.enumerate().map(|(index, functions)| (EntryId::new(index), functions));
        let mut found = Self::default();
        if let Some(signature) = RootSignature::from_container(container)? {
            found.all.push(signature);
            for (id, _) in ids {
                found.of_entry[id] = Some(0);
            }
            return Ok(found);
        }
        let mut by_function = HashMap::default();
        for (index, (function, signature)) in root_signature::by_function(module)?.into_iter().enumerate() {
            by_function.insert(function, index);
            found.all.push(signature);
        }
        for (id, functions) in ids.filter(|_| !by_function.is_empty()) {
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
    /// Properties of the module that SPIR-V does not carry, or that are hard to find in it.
    pub reflection: Reflection,
}

impl Shader {
    /// Parses, decodes and verifies a container, or bare LLVM bitcode. A library of functions only
    /// is accepted; it has no entry point to translate.
    ///
    /// # Errors
    /// `Malformed`, with the byte or instruction; `Unsupported`, with the name of the construct;
    /// `Limit`.
    pub fn parse(bytes: &[u8]) -> Result<Shader> {
        Self::parse_within(bytes, Budget::default())
    }

    /// [`parse`](Self::parse) of a container that must be as it was signed. One that was damaged or
    /// edited after it was signed may still parse, and means something else. A container without a
    /// signature is accepted.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse). `Malformed` also if the digest is not that of the content.
    pub fn parse_unchanged(bytes: &[u8]) -> Result<Shader> {
        limits::check(Place::Input, "bytes of input", bytes.len(), limits::INPUT_BYTES)?;
        Container::parse(bytes)?.check_digest()?;
        Self::parse(bytes)
    }

    /// [`parse`](Self::parse) with another budget, for tools.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_within(bytes: &[u8], budget: Budget) -> Result<Shader> {
        Self::parse_with_fuel(bytes, &Fuel::new(budget, bytes.len()))
    }

    /// [`parse`](Self::parse) with fuel, which tells the cost afterwards.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_with_fuel(bytes: &[u8], fuel: &Fuel) -> Result<Shader> {
        limits::check(Place::Input, "bytes of input", bytes.len(), limits::INPUT_BYTES)?;
        let container = Container::parse(bytes)?;
        let program = container.program()?;
        let at = program.offset as u64;
        let mut bodies = bitcode::Bodies::open(program.bitcode, fuel).map_err(|e| e.offset_by(at))?;
        let metadata = match metadata::read(bodies.module()) {
            Ok(metadata) => metadata,
            // Bitcode that cannot be read is the first error.
            Err(error) => return Err(bodies.read_all().map_or_else(|first| first.offset_by(at), |_| error)),
        };
        let debug_part = debug_part(&container, program, bodies.module());
        let located = |error| located::parsing(error, program, debug_part);
        let mut decoded = decode::decode_bodies(&mut bodies, fuel).map_err(|error| located(error.offset_by(at)))?;
        let root_signatures = RootSignatures::read(&container, bodies.module(), &metadata.entries)?;
        let (mut subobjects, mut functions) = (Subobjects::default(), Vec::new());
        if metadata.stage == ShaderStage::Library {
            functions = assemble::exported_functions(bodies.module(), &metadata.entries);
            // Only libraries need their runtime data: its root signatures and associations.
            if let Some(data) = container.runtime_data()? {
                subobjects = Subobjects::read(&data)?;
            }
        }
        bodies.close();
        let mut parsed = front::program(&mut decoded, metadata, VectorForm::Core, fuel).map_err(located)?;
        let long_vectors = LongVectorVersion::new(program.bitcode, &parsed);
        parsed.input_bytes = bytes.len();
        parsed.named_part = named_part(&container, &parsed).map(Box::from);
        if parsed.entries.is_empty() && functions.is_empty() {
            return Err(unsupported!(Place::Input, "a container without entry points"));
        }
        let associated = associated(&parsed, &subobjects, fuel)?;
        let names = EntryNames::new(&parsed.entries);
        let debug = DebugVersion::new(debug_part, &container);
        let parsed =
            Parsed { program: parsed, names, root_signatures, subobjects, associated, functions, debug, long_vectors };
        Ok(Shader(Arc::new(parsed)))
    }

    /// The same shader, whose resources have their names in the source, for listings. They change
    /// neither plans nor words.
    #[must_use]
    pub fn with_source_names(self) -> Shader {
        let named = located::named(self.program(), &self.0.debug);
        let mut shared = self.0;
        if let Some(parsed) = Arc::get_mut(&mut shared) {
            parsed.program.resources = named;
        }
        Shader(shared)
    }

    /// The members of constant buffers as the source declares them, for listings. A container that
    /// was stripped of reflection and debug information has none.
    pub fn buffer_members(&self) -> Vec<BufferMembers> {
        let program = self.program();
        let all = names::buffer_members(program, Budget::default()).into_iter();
        all.map(|(id, members)| BufferMembers { id, resource: program.resources[id].to_string(), members }).collect()
    }

    /// Why translations cannot say anything of the source
    /// ([`Options::debug`](Options::debug)). `None` if they can.
    pub fn debug_warning(&self) -> Option<String> {
        self.debug_program().err().map(|error| error.message().to_owned())
    }

    /// The same program with debug information, which is parsed when it is first asked for.
    ///
    /// # Errors
    /// `Unsupported` if the container has no debug information, `Malformed` if it cannot be read.
    pub fn debug_program(&self) -> Result<&Program> {
        self.0.debug.program(&self.0.program)
    }

    /// Translates the program with debug information if the options ask for it, otherwise the one
    /// with long vectors if the device has them. Where these fail, it is the program without
    /// either: what is said of the source, and the form of vectors, are never why a shader is
    /// refused.
    fn translated<T>(&self, options: &Options, translate: impl Fn(&Program) -> Result<T>) -> Result<T> {
        let Parsed { program, debug, long_vectors, .. } = &*self.0;
        if options.debug != Debug::None
            && let Ok(with_debug) = debug.program(program)
            && let Ok(translated) = translate(with_debug)
        {
            return Ok(translated);
        }
        if let Some(translated) = long_vectors.program(program, options).and_then(|long| translate(long).ok()) {
            return Ok(translated);
        }
        translate(program).map_err(|error| {
            // The same error, with the names of resources, which are read only now.
            let mut named = program.clone();
            named.resources = located::named(program, debug);
            let again = translate(&named).err().filter(|again| again.place() == error.place());
            located::located(again.unwrap_or(error), &named, debug)
        })
    }

    /// The entry points, in the order of the container.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryId, &Entry)> {
        self.0.program.entries()
    }

    /// An entry point; `None` if the id belongs to another shader.
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.0.program.entries.get(id)
    }

    /// The functions that a library exports besides its entry points, by their names in the
    /// container.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.functions.iter().map(|name| &**name)
    }

    /// The error for an entry point of a library that has functions only.
    fn has_functions_only(&self) -> Error {
        let functions = listed(self.functions());
        unsupported!(
            Place::Input,
            "the library has functions only: {functions}; a pipeline needs an entry point, so link them with one that calls them"
        )
    }

    /// The entry point with this name, mangled or plain. Without a name, the container's only entry
    /// point.
    ///
    /// # Errors
    /// `Unsupported` if no entry point has the name, if several have it as their plain name, if no
    /// name is given and the container has several entry points, or if it has functions only.
    pub fn find_entry(&self, name: Option<&str>) -> Result<EntryId> {
        let entries = &self.0.program.entries;
        if entries.is_empty() {
            return Err(self.has_functions_only());
        }
        let only = || entries.keys().next().filter(|_| entries.len() == 1);
        let Some(name) = name else {
            let several =
                || unsupported!(Place::Input, "the container has several entry points; name one of {}", self.names());
            return only().ok_or_else(several);
        };
        let name = unmarked(name);
        match self.0.names.find(entries, name) {
            NameMatch::One(id) => Ok(id),
            NameMatch::Several => Err(unsupported!(
                Place::Input,
                "several entry points are called `{}` in the source; use the mangled name, one of {}",
                name.escape_debug(),
                self.names()
            )),
            NameMatch::None => match only() {
                // A container with one entry point also answers to `main`, the name that Vulkan
                // applications use.
                Some(id) if name == "main" => Ok(id),
                _ => {
                    let (name, there) = (name.escape_debug(), self.names());
                    Err(unsupported!(Place::Input, "no entry point `{name}`; the container has {there}"))
                }
            },
        }
    }

    /// The names of the entry points, for messages.
    fn names(&self) -> String {
        listed(self.0.program.entries.values().map(|entry| &*entry.name))
    }

    /// Whether the container is a library: it has several entry points, or one whose stage occurs
    /// in libraries only, or functions only. A pipeline names the entry point of a library that it
    /// uses.
    pub fn is_library(&self) -> bool {
        // The numbers of mesh and amplification shaders follow those of the library stages, but
        // they are not library stages.
        let alone =
            |stage| stage < ShaderStage::Library || matches!(stage, ShaderStage::Mesh | ShaderStage::Amplification);
        let entries = &self.0.program.entries;
        entries.len() != 1 || entries.values().any(|entry| !alone(entry.stage))
    }

    /// The subobjects that a library declares: hit groups, configs, root signatures and their
    /// associations.
    pub fn subobjects(&self) -> &Subobjects {
        &self.0.subobjects
    }

    /// The subobjects of a kind that the library associates with an entry point. Of subobjects with
    /// equal content there is one. D3D12 wants at most one of each kind for a shader of a hit
    /// group; several are alternatives, and a caller that knows the hit group or the state object
    /// chooses.
    pub fn associated(&self, entry: EntryId, kind: SubobjectKind) -> Vec<&Subobject> {
        let Parsed { subobjects, associated, .. } = &*self.0;
        let known = match kind {
            SubobjectKind::GlobalRootSignature => &associated.global[entry],
            SubobjectKind::LocalRootSignature => &associated.local[entry],
            _ => {
                let entry = self.entry(entry);
                return entry.map_or_else(Vec::new, |entry| subobjects.associated(kind, &names_of(entry)));
            }
        };
        known.iter().filter_map(|&index| subobjects.by_index(index)).collect()
    }

    /// The global root signature of an entry point: the one in the container's RTS0 part, otherwise
    /// the one that the `dx.rootsignatures` metadata gives its function, otherwise the one that the
    /// library associates with it. `None` also where the library associates several.
    pub fn entry_root_signature(&self, entry: EntryId) -> Option<&RootSignature> {
        let found = &self.0.root_signatures;
        match found.of_entry[entry] {
            Some(index) => found.all.get(index),
            None => self.only_of(&self.0.associated.global[entry]),
        }
    }

    /// The local root signature that the library associates with an entry point. `None` also where
    /// it associates several: the caller then chooses one of
    /// [`entry_local_root_signatures`](Self::entry_local_root_signatures).
    pub fn entry_local_root_signature(&self, entry: EntryId) -> Option<&RootSignature> {
        self.only_of(&self.0.associated.local[entry])
    }

    /// The root signature of a list that has one. Of a long list no other list is made, because
    /// each stage of a pipeline asks, and all of a library's defaults may be in it.
    fn only_of(&self, indexes: &[usize]) -> Option<&RootSignature> {
        match indexes {
            [only] => self.0.subobjects.by_index(*only)?.root_signature(),
            _ => None,
        }
    }

    /// The local root signatures that an entry point may have, with the names of their subobjects.
    /// A shader of several hit groups may have one for each of them.
    pub fn entry_local_root_signatures(&self, entry: EntryId) -> Vec<(&str, &RootSignature)> {
        let found = self.associated(entry, SubobjectKind::LocalRootSignature);
        found.into_iter().filter_map(|subobject| Some((&*subobject.name, subobject.root_signature()?))).collect()
    }

    /// The root signature of the first entry point that has one. All entry points of a container
    /// with an RTS0 part have that one.
    pub fn root_signature(&self) -> Option<&RootSignature> {
        self.0.program.entries.keys().find_map(|entry| self.entry_root_signature(entry))
    }

    /// The outputs of a mesh shader, which the translation of the pipeline's pixel shader needs
    /// ([`PipelineState::mesh_outputs`](crate::options::PipelineState::mesh_outputs)). `None` if
    /// the entry point is of another stage.
    pub fn mesh_outputs(&self, entry: EntryId) -> Option<Arc<[MeshOutput]>> {
        lower::mesh_outputs(self.entry(entry)?).map(Arc::from)
    }

    /// The inputs of a vertex shader that come from vertex buffers, in the order of its signature.
    /// Other stages have none.
    ///
    /// # Errors
    /// `Unsupported` if the entry point belongs to another shader; `Binding` if the choice of
    /// locations gives an input none.
    pub fn vertex_inputs(&self, entry: EntryId, locations: VertexLocations) -> Result<Vec<VertexInput>> {
        let entry = self.known(entry)?;
        if entry.stage == ShaderStage::Vertex { lower::vertex_inputs(entry, locations) } else { Ok(Vec::new()) }
    }

    /// How a hull shader divides its patches, which the translation of a domain shader for a shader
    /// object needs ([`PipelineState::tessellation`](crate::options::PipelineState::tessellation)).
    /// `None` if the entry point is of another stage, or does not say it.
    pub fn tessellation(&self, entry: EntryId) -> Option<Tessellation> {
        lower::division(&self.entry(entry)?.properties).ok().flatten()
    }

    /// The first location of the patch constants of a hull shader whose rows do not fit around
    /// [`PATCH_LOCATION`](crate::options::PipelineState::PATCH_LOCATION): the translations of the
    /// hull and the domain shader need it
    /// ([`PipelineState::patch_location`](crate::options::PipelineState::patch_location)). `None`
    /// for other shaders.
    pub fn patch_location(&self, entry: EntryId) -> Option<u32> {
        lower::patch_location(self.entry(entry)?)
    }

    /// The memory that the shader occupies, in bytes. A cache counts the shader with this size.
    pub fn memory_size(&self) -> usize {
        let Parsed {
            program,
            names: entry_names,
            root_signatures,
            subobjects,
            associated,
            functions,
            debug,
            long_vectors,
        } = &*self.0;
        let names: usize = functions.iter().map(|name| size_of::<Arc<str>>() + name.len()).sum();
        let indexes = associated.global.heap_bytes() + associated.local.heap_bytes();
        let libraries = subobjects.heap_bytes() + indexes + entry_names.heap_bytes();
        let versions = debug.heap_bytes() + long_vectors.heap_bytes();
        let content = program.heap_bytes() + root_signatures.heap_bytes() + libraries + names + versions;
        size_of::<Parsed>() + content
    }

    /// The parsed program, for tools that inspect it.
    pub fn program(&self) -> &Program {
        &self.0.program
    }
}

/// The bitcode of the container's part in which resources and members of constant buffers have
/// their names: the reflection program, otherwise the program with debug information, otherwise the
/// program itself, if resources have their names there. `None` if there is nothing to name, or no
/// such part. A faulty part is as good as none, because names are for people only.
fn named_part<'a>(container: &Container<'a>, program: &Program) -> Option<&'a [u8]> {
    let mut declared = program.resources.values().filter(|resource| resource.is_declared());
    let has_names = declared.clone().all(|resource| !resource.name.is_empty());
    if has_names && !declared.any(|resource| matches!(resource.kind, ResourceKind::CBuffer | ResourceKind::TBuffer)) {
        return None;
    }
    let reflection = container.reflection_program().ok().flatten();
    let part = reflection.or_else(|| container.debug_program().ok().flatten());
    let part = part.or_else(|| container.program().ok().filter(|_| has_names))?;
    Some(part.bitcode)
}

/// The root signatures that a library associates with each of its entry points. They are found
/// once, because planning asks for them several times, and thousands of entry points may have one
/// name.
///
/// # Errors
/// `Limit` if all entry points together take more steps than the budget has left.
fn associated(program: &Program, subobjects: &Subobjects, fuel: &Fuel) -> Result<Associated> {
    if subobjects.is_empty() {
        return Ok(Associated::default());
    }
    let [mut global, mut local] = [Vec::new(), Vec::new()];
    for (id, entry) in program.entries.iter() {
        let mentions = subobjects.mentions(&names_of(entry));
        let kinds = [SubobjectKind::GlobalRootSignature, SubobjectKind::LocalRootSignature];
        for (found, kind) in [&mut global, &mut local].into_iter().zip(kinds) {
            let visited = subobjects.find(kind, &mentions, |index| found.push((id, index)));
            fuel.steps(Place::Input, "the associations of entry points", visited)?;
        }
    }
    let lists = |found: Vec<(EntryId, usize)>| Lists::new(program.entries.len(), found.iter().copied());
    Ok(Associated { global: lists(global), local: lists(local) })
}

/// The names of an entry point, by which subobjects refer to it.
fn names_of(entry: &Entry) -> [&str; 2] {
    [entry.plain_name(), &entry.name]
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
    /// Whether the caller chose the local root signature.
    chosen: bool,
}

impl<'a> PipelineStage<'a> {
    /// A stage with the local root signature that its library associates with it, if that is only
    /// one.
    pub fn new(shader: &'a Shader, entry: EntryId) -> Self {
        Self { shader, entry, local_root_signature: shader.entry_local_root_signature(entry), chosen: false }
    }

    /// The same stage with another local root signature, or with none.
    #[must_use]
    pub fn with_local_root_signature(self, local_root_signature: Option<&'a RootSignature>) -> Self {
        Self { local_root_signature, chosen: true, ..self }
    }

    /// The resources of the stage, as input of the binding models.
    ///
    /// # Errors
    /// `Unsupported` if the entry point belongs to another shader, or the shader has functions
    /// only. `Binding` if the library associates several local root signatures with the entry
    /// point, one of them declares a resource that it uses, and the caller chose none. `Limit` if
    /// the root signatures and the resources are too many.
    pub fn resources(&self) -> Result<StageResources<'a>> {
        self.resources_counted(&mut 0)
    }

    /// [`resources`](Self::resources), of several stages. `visited` is that of
    /// [`binding::in_records`].
    fn resources_counted(&self, visited: &mut usize) -> Result<StageResources<'a>> {
        let entry = self.shader.known(self.entry)?;
        self.is_decided(entry, visited)?;
        Ok(StageResources {
            name: entry.plain_name(),
            stage: entry.stage,
            resources: &self.shader.program().resources,
            used: Some(&entry.reachable.resources),
            root_signature: self.shader.entry_root_signature(self.entry),
            // The defaults of a library are for all of its exports, but other stages have no
            // records.
            local_root_signature: self.local_root_signature.filter(|_| self.chosen || entry.stage.is_rays()),
        })
    }

    /// Checks that the local root signature is known, or does not matter: that none of those that
    /// the entry point may have declares a resource that it uses.
    fn is_decided(&self, entry: &Entry, visited: &mut usize) -> Result<()> {
        if self.chosen || self.local_root_signature.is_some() || !entry.stage.is_rays() {
            return Ok(());
        }
        let resources = &self.shader.program().resources;
        let used = resources.iter().filter(|(id, _)| entry.reachable.resources.contains(*id));
        let mut used = used.map(|(_, resource)| resource).peekable();
        if used.peek().is_none() {
            return Ok(());
        }
        let all = self.shader.entry_local_root_signatures(self.entry);
        let Some(resource) = binding::in_records(all.iter().map(|(_, signature)| *signature), used, visited)? else {
            return Ok(());
        };
        let names = listed(all.iter().map(|(name, _)| *name));
        let looked = self.shader.subobjects().searched(SubobjectKind::LocalRootSignature, &names_of(entry));
        Err(binding_error!(
            resource.place(),
            "entry point `{}` may have one of several local root signatures, {names}, and {resource} is in a record of \
             them; choose one (PipelineStage::with_local_root_signature, in the tool --local-root-signature){}",
            entry.name.escape_debug(),
            looked.map_or_else(String::new, |looked| format!("; {looked}"))
        ))
    }

    /// What an error of planning adds for a stage whose library has root signatures, none of which
    /// is the stage's.
    fn searched(&self, kind: SubobjectKind) -> Option<String> {
        let entry = self.shader.entry(self.entry)?;
        let looked = self.shader.subobjects().searched(kind, &names_of(entry))?;
        Some(format!("entry point `{}` has no {kind}: {looked}", entry.name.escape_debug()))
    }
}

impl Shader {
    /// An entry point of this shader.
    fn known(&self, id: EntryId) -> Result<&Entry> {
        let entries = &self.0.program.entries;
        entries.get(id).ok_or_else(|| match entries.len() {
            0 => self.has_functions_only(),
            count => unsupported!(Place::Input, "no entry point with id {id}; the shader has {count}"),
        })
    }
}

/// An entry point of one of a shader's programs, which have the same ones.
fn known(program: &Program, id: EntryId) -> Result<&Entry> {
    program.entries.get(id).ok_or_else(|| bug!(Place::Input, "a program of the shader has no entry point {id}"))
}

/// The resources of each stage of a pipeline.
fn resources_of<'a>(stages: &[PipelineStage<'a>]) -> Result<Vec<StageResources<'a>>> {
    let mut visited = 0;
    stages.iter().map(|stage| stage.resources_counted(&mut visited)).collect()
}

/// Plans the bindings of a pipeline over all its stages. The result has one [`BindingPlan`] per
/// stage, in their order.
///
/// # Errors
/// The errors of [`binding::plan_pipeline`] and of [`PipelineStage::resources`]. `Binding` also
/// where a library associates several global root signatures with a stage, and the inputs have
/// none.
pub fn plan(stages: &[PipelineStage<'_>], inputs: &PlanInputs<'_>) -> Result<PipelinePlan> {
    let resources = resources_of(stages)?;
    let by_signature = matches!(inputs.options.model, Model::Auto | Model::RootSignature) && inputs.map.is_none();
    for stage in stages.iter().filter(|_| by_signature && inputs.root_signature.is_none()) {
        let global = &stage.shader.0.associated.global[stage.entry];
        if global.len() > 1 && stage.shader.entry_root_signature(stage.entry).is_none() {
            let several = stage.shader.associated(stage.entry, SubobjectKind::GlobalRootSignature);
            let names = listed(several.iter().map(|subobject| &*subobject.name));
            let searched = stage.searched(SubobjectKind::GlobalRootSignature).unwrap_or_default();
            return Err(binding_error!(
                Place::Input,
                "several global root signatures, {names}, are for one stage; give the pipeline's (PlanInputs::with_root_signature, \
                 in the tool --root-signature): {searched}"
            ));
        }
    }
    binding::plan_pipeline(&resources, inputs).map_err(|error| {
        if error.kind() != ErrorKind::Binding {
            return error;
        }
        let error = planned_by_name(stages, &resources, inputs).unwrap_or(error);
        let unplaced = stages.iter().filter(|stage| !stage.chosen && stage.local_root_signature.is_none());
        let searched = unplaced.filter_map(|stage| stage.searched(SubobjectKind::LocalRootSignature)).take(SEARCHED);
        let message = searched.fold(error.message().to_owned(), |text, more| text + "\n" + &more);
        let source = error.source_place().map(str::to_owned);
        Error::new(error.kind(), error.place(), message).in_source(source)
    })
}

/// The error of planning in the terms of the source: the same plan with the names of resources,
/// which are read only now.
fn planned_by_name(
    stages: &[PipelineStage<'_>],
    resources: &[StageResources<'_>],
    inputs: &PlanInputs<'_>,
) -> Option<Error> {
    /// Resources whose names are read at most. An error names few of them.
    const NAMED: usize = 4096;
    // Many stages may be of one shader.
    let mut named: Vec<(&Shader, PrimaryMap<ResourceId, Resource>)> = Vec::new();
    let mut left = NAMED;
    for stage in stages {
        if !named.iter().any(|(shader, _)| Arc::ptr_eq(&shader.0, &stage.shader.0)) {
            left = left.checked_sub(stage.shader.program().resources.len())?;
            named.push((stage.shader, located::named(stage.shader.program(), &stage.shader.0.debug)));
        }
    }
    let resources = stages.iter().zip(resources).map(|(stage, resources)| {
        let own = named.iter().find(|(shader, _)| Arc::ptr_eq(&shader.0, &stage.shader.0));
        own.map_or(*resources, |(_, named)| StageResources { resources: named, ..*resources })
    });
    let error = binding::plan_pipeline(&resources.collect::<Vec<_>>(), inputs).err()?;
    let source = named.iter().find_map(|(_, resources)| located::resource(error.place(), resources));
    Some(error.in_source(source))
}

/// The largest number of stages whose search for a root signature an error tells.
const SEARCHED: usize = 8;

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
    let resources = resources_of(stages)?;
    binding::required_layout(&resources, inputs.root_signature, plan)
}

/// An entry point of a library, and its plan.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlannedEntry<'a> {
    /// The entry point.
    pub entry: EntryId,
    /// The plan that it is translated under.
    pub plan: &'a BindingPlan,
}

impl<'a> PlannedEntry<'a> {
    /// An entry point under a plan.
    pub fn new(entry: EntryId, plan: &'a BindingPlan) -> Self {
        Self { entry, plan }
    }
}

/// The SPIR-V of several entry points in one module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryTranslation {
    /// The module's words.
    pub words: Vec<u32>,
    /// Reflection of each entry point, in the order in which they were given.
    pub reflections: Vec<Reflection>,
}

/// Translates several entry points of a library to one module, each under a plan of its own. They
/// share types and constants. The capabilities of the module are those of all entry points, so a
/// device has to have the features of all of them.
///
/// # Errors
/// Those of [`translate`]; the message names the entry point. `Unsupported` also if an entry point
/// is given twice, or none.
pub fn translate_library(
    shader: &Shader,
    entries: &[PlannedEntry<'_>],
    options: &Options,
) -> Result<LibraryTranslation> {
    // Each entry point looks at the usage and the places of all resources.
    let planned = entries.len().saturating_mul(shader.program().resources.len());
    limits::check(Place::Input, "resources of the entry points", planned, limits::PLANNED_RESOURCES)?;
    let mut seen = EntitySet::new();
    for planned in entries {
        let entry = shader.known(planned.entry)?;
        if !seen.insert(planned.entry) {
            let name = entry.name.escape_debug();
            return Err(unsupported!(Place::Input, "entry point `{name}` is given twice for one module"));
        }
    }
    if entries.is_empty() {
        return Err(match shader.entries().len() {
            0 => shader.has_functions_only(),
            _ => unsupported!(Place::Input, "no entry point is given; the container has {}", shader.names()),
        });
    }
    let (words, reflections) = shader.translated(options, |program| {
        let chosen =
            |&PlannedEntry { entry, plan }: &_| Ok(lower::EntryWithPlan { entry: known(program, entry)?, plan });
        lower::lower_library(program, &entries.iter().map(chosen).collect::<Result<Vec<_>>>()?, options)
    })?;
    Ok(LibraryTranslation { words, reflections })
}

/// Translates one entry point under a binding plan.
///
/// # Errors
/// `Unsupported`, with the name of the construct; `MissingFeature`; `Binding`; `Limit`.
pub fn translate(shader: &Shader, entry: EntryId, plan: &BindingPlan, options: &Options) -> Result<Translation> {
    shader.known(entry)?;
    let (words, reflection) =
        shader.translated(options, |program| lower::lower(program, known(program, entry)?, plan, options))?;
    Ok(Translation { words, reflection })
}
