//! A parsed container, and what the interface tells of it.
//!
//! In: bytes of a container or of bare bitcode. Out: entry points, stages, texts. What must hold:
//! the bytes are copied, so the caller may free them; names and texts live as long as the blob.

use std::ffi::{CString, c_char, c_void};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use dxil_translator::analysis::program::Entry;
use dxil_translator::container::{Container, ProgramBitcode};
use dxil_translator::{BlobDigest, EntryId, Shader, ShaderStage};

use crate::abi::{Code, STAGE_UNKNOWN};
use crate::border::{Answer, Failure, c_text};
use crate::original::{ForeignBlob, original};
use crate::subobjects::Subobjects;

/// The bytes of a shader, for messages about it and for the original library.
#[derive(Clone, Debug)]
pub struct ShaderBytes {
    bytes: Arc<[u8]>,
    /// Whether the original library takes the shader, or may take it.
    pub may_forward: bool,
    /// Why the shader is not translated here, if it is the original library's.
    pub reason: String,
}

impl ShaderBytes {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The name of the shader in messages: its hash, which nothing else needs.
    pub fn name(&self) -> String {
        format!("shader {}", BlobDigest::from_bytes(&self.bytes).short())
    }
}

/// `dxil_spv_parsed_blob`.
#[derive(Debug)]
pub struct ParsedBlob {
    /// The shader; `None` for a blob that has names for reflection alone.
    shader: Option<Shader>,
    source: ShaderBytes,
    /// Where the bitcode is among the bytes.
    bitcode: Range<usize>,
    entries: Vec<EntryNames>,
    subobjects: Subobjects,
    disassembly: OnceLock<CString>,
    /// The blob of the original library, for what is no shader here.
    foreign: Option<ForeignBlob>,
}

/// An entry point with its names as C texts.
#[derive(Debug)]
struct EntryNames {
    id: EntryId,
    mangled: CString,
    plain: CString,
}

impl ParsedBlob {
    /// A blob without content.
    fn empty(source: ShaderBytes) -> Self {
        Self {
            shader: None,
            source,
            bitcode: 0..0,
            entries: Vec::new(),
            subobjects: Subobjects::default(),
            disassembly: OnceLock::new(),
            foreign: None,
        }
    }

    /// Parses a container or bare bitcode. What is not DXIL goes to the original library, and so
    /// does what is refused, if that is wanted.
    ///
    /// # Errors
    /// Those of [`Shader::parse`], or of the original library.
    pub fn parse(bytes: &[u8]) -> Answer<Self> {
        let library = original();
        let program = Container::parse(bytes).and_then(|container| container.program().map(range));
        let parsed = program.clone().and_then(|bitcode| Ok((Shader::parse(bytes)?, bitcode)));
        let may_forward = library.is_some_and(|library| library.takes_refused);
        let mut source = ShaderBytes { bytes: bytes.into(), may_forward, reason: String::new() };
        let (shader, bitcode) = match (parsed, library) {
            (Ok(parsed), _) => parsed,
            (Err(error), Some(library)) if program.is_err() || may_forward => {
                let foreign = ForeignBlob::parse(library, bytes).map_err(Failure::from_original)?;
                (source.may_forward, source.reason) = (true, error.to_string());
                return Ok(Self { foreign: Some(foreign), ..Self::empty(source) });
            }
            (Err(error), _) => return Err(Failure::from(error).with_subject(&source.name())),
        };
        let names = |(id, entry): (EntryId, &Entry)| EntryNames {
            id,
            mangled: c_text(&entry.name),
            plain: c_text(entry.plain_name()),
        };
        let entries = shader.entries().map(names).collect();
        let subobjects = Subobjects::new(shader.subobjects());
        Ok(Self { shader: Some(shader), bitcode, entries, subobjects, ..Self::empty(source) })
    }

    /// Parses a container that has names for reflection.
    ///
    /// # Errors
    /// `NoData` if it has none, and those of [`Container::parse`].
    pub fn parse_reflection(bytes: &[u8]) -> Answer<Self> {
        let source = ShaderBytes { bytes: bytes.into(), may_forward: false, reason: String::new() };
        let program = Container::parse(bytes).and_then(|container| Ok(container.reflection_program()?.map(range)));
        let bitcode = program.map_err(|error| Failure::from(error).with_subject(&source.name()))?;
        Ok(Self { bitcode: bitcode.ok_or_else(Failure::no_data)?, ..Self::empty(source) })
    }

    /// The shader.
    ///
    /// # Errors
    /// `InvalidArgument` for a blob of names.
    pub fn shader(&self) -> Answer<&Shader> {
        self.shader.as_ref().ok_or_else(|| Failure::argument("the blob has no shader, but names for reflection"))
    }

    /// The blob of the original library.
    pub fn foreign(&self) -> Option<&ForeignBlob> {
        self.foreign.as_ref()
    }

    /// The bytes, and where they may go.
    pub fn source(&self) -> &ShaderBytes {
        &self.source
    }

    /// The LLVM bitcode.
    pub fn bitcode(&self) -> &[u8] {
        self.source.bytes.get(self.bitcode.clone()).unwrap_or_default()
    }

    /// The subobjects that a library declares.
    pub fn subobjects(&self) -> &Subobjects {
        &self.subobjects
    }

    /// The stage of the container; unknown for a library.
    pub fn stage(&self) -> i32 {
        let only = |shader: &Shader| match shader.program().kind {
            ShaderStage::Library => None,
            kind => Some(kind),
        };
        self.shader.as_ref().and_then(only).map_or(STAGE_UNKNOWN, stage_number)
    }

    /// The stage of an entry point by one of its names; unknown if there is none.
    pub fn stage_of(&self, name: &str) -> i32 {
        let entry = self.find(name).ok().and_then(|index| self.entry(index).ok());
        entry.map_or(STAGE_UNKNOWN, |(_, entry)| stage_number(entry.stage))
    }

    /// The number of entry points.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The index of an entry point by one of its names.
    ///
    /// # Errors
    /// Those of [`Shader::find_entry`].
    pub fn find(&self, name: &str) -> Answer<usize> {
        let id = self.shader()?.find_entry(Some(name)).map_err(Failure::from)?;
        self.entries.iter().position(|entry| entry.id == id).ok_or_else(Failure::no_data)
    }

    /// An entry point.
    ///
    /// # Errors
    /// `InvalidArgument` for an index that is out of range.
    pub fn entry(&self, index: usize) -> Answer<(EntryId, &Entry)> {
        let id = self.names(index)?.id;
        Ok((id, self.shader()?.entry(id).ok_or_else(Failure::no_data)?))
    }

    fn names(&self, index: usize) -> Answer<&EntryNames> {
        let wrong = || Failure::argument(&format!("entry point {index}: the blob has {}", self.entries.len()));
        self.entries.get(index).ok_or_else(wrong)
    }

    /// The mangled name of an entry point.
    ///
    /// # Errors
    /// Those of [`entry`](Self::entry).
    pub fn mangled_name(&self, index: usize) -> Answer<*const c_char> {
        Ok(self.names(index)?.mangled.as_ptr())
    }

    /// The name of an entry point in the source.
    ///
    /// # Errors
    /// Those of [`entry`](Self::entry).
    pub fn plain_name(&self, index: usize) -> Answer<*const c_char> {
        Ok(self.names(index)?.plain.as_ptr())
    }

    /// The shader as text.
    ///
    /// # Errors
    /// `InvalidArgument` for a blob of names.
    pub fn disassembly(&self) -> Answer<&CString> {
        let shader = self.shader()?;
        Ok(self.disassembly.get_or_init(|| c_text(&shader.program().to_string())))
    }

    /// The bitcode as a pointer and a size.
    pub fn bitcode_pointer(&self) -> (*const c_void, usize) {
        (self.bitcode().as_ptr().cast(), self.bitcode().len())
    }
}

/// Where the bitcode of a program is.
fn range(program: ProgramBitcode<'_>) -> Range<usize> {
    program.offset..program.offset.saturating_add(program.bitcode.len())
}

/// The interface's number of a stage.
pub fn stage_number(stage: ShaderStage) -> i32 {
    match stage {
        ShaderStage::Vertex => 1,
        ShaderStage::Hull => 2,
        ShaderStage::Domain => 3,
        ShaderStage::Geometry => 4,
        ShaderStage::Pixel => 5,
        // A node of a work graph is a compute shader of Vulkan.
        ShaderStage::Compute | ShaderStage::Node => 6,
        ShaderStage::Intersection => 7,
        ShaderStage::ClosestHit => 8,
        ShaderStage::Miss => 9,
        ShaderStage::AnyHit => 10,
        ShaderStage::RayGeneration => 11,
        ShaderStage::Callable => 12,
        ShaderStage::Amplification => 13,
        ShaderStage::Mesh => 14,
        _ => STAGE_UNKNOWN,
    }
}

/// The refusal of a question about a node of a work graph.
pub fn no_node() -> Failure {
    Failure::new(Code::Generic, "")
}
