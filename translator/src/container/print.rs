//! The text form of a container: `dxil2spv --emit container`.
//!
//! In: a [`Container`]. Out: one line per part, with its typed content indented below. What must
//! hold: a part that is refused prints its error instead of its content, and text from the input is
//! escaped.

use std::fmt::{Display, Formatter, Result};

use super::{
    Container, Dependencies, FourCc, Part, PipelineStateValidation, ProgramBitcode, PsvElement, RuntimeData,
    RuntimeSubobject, RuntimeSubobjectContent, Signature, StageInfo, Words,
};
use dxil_base::error;
use dxil_base::names::unmarked;

impl Display for Container<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let size = self.bytes.len();
        match (&self.bare, self.digest()) {
            (Some(program), _) => {
                return writeln!(f, "bitcode without container, {size} bytes, {}", ProgramText(program));
            }
            (None, Some(digest)) => {
                let ((major, minor), count) = (self.version, self.parts.len());
                writeln!(f, "container {major}.{minor}, {size} bytes, {count} parts, digest {digest}")?;
            }
            (None, None) => {}
        }
        if self.trailing != 0 {
            writeln!(f, "{} bytes follow the container", self.trailing)?;
        }
        for part in &self.parts {
            let description = part.fourcc.description().unwrap_or("unknown");
            writeln!(f, "{} at {}, {} bytes: {description}", part.fourcc, part.offset, part.data.len())?;
            self.print_content(f, part)?;
        }
        Ok(())
    }
}

impl Container<'_> {
    fn print_content(&self, f: &mut Formatter<'_>, part: &Part<'_>) -> Result {
        match part.fourcc {
            FourCc::DXIL => print(f, self.program().map(Some), |f, program| line(f, ProgramText(program))),
            FourCc::ILDB => print(f, self.debug_program(), |f, program| line(f, ProgramText(program))),
            FourCc::STAT => print(f, self.reflection_program(), |f, program| line(f, ProgramText(program))),
            FourCc::ISG1 | FourCc::ISGN => print(f, self.input_signature(), print_signature),
            FourCc::OSG1 | FourCc::OSG5 | FourCc::OSGN => print(f, self.output_signature(), print_signature),
            FourCc::PSG1 | FourCc::PCSG => print(f, self.patch_constant_signature(), print_signature),
            FourCc::PSV0 => print(f, self.pipeline_state_validation(), print_psv),
            FourCc::SFI0 => print(f, self.feature_flags(), |f, flags| line(f, flags)),
            FourCc::RDAT => print(f, self.runtime_data(), print_runtime_data),
            FourCc::HASH => print(f, self.shader_hash(), |f, hash| {
                let of = if hash.includes_source() { "with source" } else { "without source" };
                writeln!(f, "  {} {of}", Hex(&hash.digest))
            }),
            FourCc::ILDN => print(f, self.debug_name(), |f, name| line(f, EscapedName(name))),
            FourCc::PDBI => print(f, self.pdb_info(), |f, info| {
                let (version, compression, size) = (info.version, info.compression, info.uncompressed_size);
                writeln!(f, "  version {version}, compression {compression}, {size} bytes uncompressed")
            }),
            FourCc::VERS => print(f, self.compiler_version(), |f, version| {
                let (major, minor) = version.version;
                let (commit, text) = (EscapedName(version.commit), EscapedName(version.text));
                let (flags, count) = (version.flags, version.commit_count);
                writeln!(f, "  {major}.{minor} flags {flags:#x}, commit {commit} ({count}), {text}")
            }),
            FourCc::SRCI => print(f, self.source_info(), |f, info| {
                for section in &info.sections {
                    writeln!(f, "  {}, {} bytes", section.kind, section.data.len())?;
                }
                for (name, value) in &info.arguments {
                    writeln!(f, "  argument {} {}", EscapedName(name), EscapedName(value))?;
                }
                Ok(())
            }),
            _ => Ok(()),
        }
    }
}

/// Prints a typed part, or the error of its accessor.
fn print<T>(
    f: &mut Formatter<'_>,
    content: error::Result<Option<T>>,
    show: impl FnOnce(&mut Formatter<'_>, &T) -> Result,
) -> Result {
    match content {
        Ok(Some(content)) => show(f, &content),
        Ok(None) => Ok(()),
        Err(error) => writeln!(f, "  refused: {error}"),
    }
}

fn line(f: &mut Formatter<'_>, content: impl Display) -> Result {
    writeln!(f, "  {content}")
}

struct Hex<'a>(&'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

struct ProgramText<'a, 'b>(&'b ProgramBitcode<'a>);

impl Display for ProgramText<'_, '_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(target) = self.0.target {
            write!(f, "{target}, ")?;
        }
        write!(f, "{} bytes of bitcode at {}", self.0.bitcode.len(), self.0.offset)
    }
}

fn print_signature(f: &mut Formatter<'_>, signature: &Signature<'_>) -> Result {
    signature.elements.iter().try_for_each(|element| line(f, element))
}

fn print_psv(f: &mut Formatter<'_>, psv: &PipelineStateValidation<'_>) -> Result {
    write!(f, "  version {}", psv.version)?;
    if let Some(shape) = psv.shape {
        write!(f, ", {}", shape.kind)?;
    }
    if let Some(name) = psv.entry_name {
        write!(f, ", entry `{}`", EscapedName(name))?;
    }
    writeln!(f)?;
    if psv.stage != StageInfo::Other {
        writeln!(f, "  {:?}", psv.stage)?;
    }
    writeln!(f, "  wave lanes {} to {}", psv.min_wave_lanes, UpperBound(psv.max_wave_lanes))?;
    if let Some([x, y, z]) = psv.num_threads {
        writeln!(f, "  threads {x} × {y} × {z}")?;
    }
    if let Some(bytes) = psv.groupshared_bytes {
        writeln!(f, "  groupshared {bytes} bytes")?;
    }
    if let Some(shape) = psv.shape {
        writeln!(f, "  vectors {} in, {:?} out", shape.input_vectors, shape.output_vectors)?;
        if shape.patch_or_primitive_vectors != 0 {
            writeln!(f, "  patch constant or primitive vectors {}", shape.patch_or_primitive_vectors)?;
        }
        if shape.max_vertex_count != 0 {
            writeln!(f, "  vertices at most {}", shape.max_vertex_count)?;
        }
        if shape.mesh_topology != 0 {
            writeln!(f, "  mesh topology {}", shape.mesh_topology)?;
        }
        if shape.uses_view_id {
            writeln!(f, "  uses SV_ViewID")?;
        }
    }
    for resource in &psv.resources {
        write!(f, "  {}", resource.resource_type)?;
        write!(f, " space {} registers {} to {}", resource.space, resource.lower, UpperBound(resource.upper))?;
        if let Some((kind, flags)) = resource.kind_and_flags {
            write!(f, " {kind} flags {flags:#x}")?;
        }
        writeln!(f)?;
    }
    for (what, elements) in
        [("in", &psv.inputs), ("out", &psv.outputs), ("patch or primitive", &psv.patch_or_primitive)]
    {
        elements.iter().try_for_each(|element| writeln!(f, "  {what} {element}"))?;
    }
    let mut tables: Vec<(String, Dependencies<'_>)> = Vec::new();
    let streams = psv.view_id_outputs.iter().zip(&psv.input_outputs).enumerate();
    for (stream, (by_view, by_input)) in streams {
        tables.push((format!("outputs of stream {stream} by SV_ViewID"), *by_view));
        tables.push((format!("outputs of stream {stream} by inputs"), *by_input));
    }
    tables.push(("patch constants or primitives by SV_ViewID".to_owned(), psv.view_id_patch_or_primitive));
    tables.push(("patch constants by inputs".to_owned(), psv.input_patch_constants));
    tables.push(("outputs by patch constants".to_owned(), psv.patch_constant_outputs));
    for (what, table) in tables.iter().filter(|(_, table)| !table.words.is_empty()) {
        writeln!(f, "  {what}:{}", HexWords(table.words))?;
    }
    if psv.trailing != 0 {
        writeln!(f, "  {} bytes follow", psv.trailing)?;
    }
    Ok(())
}

/// An upper bound; `u32::MAX` is printed as unbounded.
struct UpperBound(u32);

impl Display for UpperBound {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.0 == u32::MAX { f.write_str("unbounded") } else { Display::fmt(&self.0, f) }
    }
}

/// Largest number of printed numbers of an array and characters of a name. In a hostile input many
/// records may share one long array or name.
const SHOWN: usize = 256;

/// The largest number of names that are printed of the lists of all functions or subobjects. They
/// may share one list.
const SHOWN_OF_ALL: usize = 1 << 14;

/// Text from the input, escaped, without LLVM's mark of a mangled name.
struct EscapedName<'a>(&'a str);

impl Display for EscapedName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut characters = unmarked(self.0).chars();
        characters.by_ref().take(SHOWN).try_for_each(|character| write!(f, "{}", character.escape_debug()))?;
        if characters.next().is_some() { f.write_str("…") } else { Ok(()) }
    }
}

struct WordList<'a>(Words<'a>);

impl Display for WordList<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut separator = "[";
        for word in self.0.iter().take(SHOWN) {
            write!(f, "{separator}{word}")?;
            separator = ", ";
        }
        match self.0.len() {
            0 => f.write_str("[]"),
            len if len > SHOWN => write!(f, " and {} more]", len - SHOWN),
            _ => f.write_str("]"),
        }
    }
}

struct HexWords<'a>(Words<'a>);

impl Display for HexWords<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.iter().try_for_each(|word| write!(f, " {word:x}"))
    }
}

impl Display for PsvElement<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.name.is_empty() {
            write!(f, "{}", self.semantic)?;
        } else {
            write!(f, "{} {}", EscapedName(self.name), self.semantic)?;
        }
        write!(f, " {} {} columns {}", WordList(self.indexes), self.component_type, self.columns)?;
        if self.allocated {
            write!(f, " at r{}.{}", self.start_row, self.start_column)?;
        }
        write!(f, " {}", self.interpolation)?;
        if self.dynamic_mask != 0 {
            write!(f, " dynamic {:#x}", self.dynamic_mask)?;
        }
        if self.stream != 0 {
            write!(f, " stream {}", self.stream)?;
        }
        Ok(())
    }
}

fn print_runtime_data(f: &mut Formatter<'_>, data: &RuntimeData<'_>) -> Result {
    writeln!(f, "  version {:#x}", data.version)?;
    for part in &data.parts {
        write!(f, "  {} at {}, {} bytes", part.kind, part.offset, part.data.len())?;
        match part.table_shape() {
            Some((count, stride)) => writeln!(f, ", {count} records of {stride}")?,
            None => writeln!(f)?,
        }
    }
    for resource in &data.resources {
        write!(f, "  resource {} {} {}", resource.class, resource.kind, resource.id)?;
        write!(f, " space {} registers {} to {}", resource.space, resource.lower, UpperBound(resource.upper))?;
        writeln!(f, " `{}` flags {:#x}", EscapedName(resource.name), resource.flags)?;
    }
    let mut left = SHOWN_OF_ALL;
    for function in &data.functions {
        write!(
            f,
            "  function {} `{}` `{}`",
            function.kind,
            EscapedName(function.unmangled_name),
            EscapedName(function.name)
        )?;
        write!(f, " payload {} attributes {}", function.payload_bytes, function.attribute_bytes)?;
        write!(f, " resources {}", WordList(function.resources))?;
        write!(f, " features {}", function.features)?;
        writeln!(f, " stages {:#x} target {:#x}", function.stages, function.min_target)?;
        for dependency in function.dependencies.iter().take(SHOWN.min(left)) {
            left -= 1;
            match data.string(dependency) {
                Ok(name) => writeln!(f, "    calls `{}`", EscapedName(name))?,
                Err(error) => writeln!(f, "    refused: {error}")?,
            }
        }
    }
    if data.has_functions_only() {
        writeln!(f, "  functions only: no entry point")?;
    }
    let mut left = SHOWN_OF_ALL;
    data.subobjects.iter().try_for_each(|subobject| print_subobject(f, data, subobject, &mut left))
}

/// Prints a subobject. `left` counts the names that may still be printed.
fn print_subobject(
    f: &mut Formatter<'_>,
    data: &RuntimeData<'_>,
    subobject: &RuntimeSubobject<'_>,
    left: &mut usize,
) -> Result {
    use RuntimeSubobjectContent as Content;
    write!(f, "  subobject {} `{}`", subobject.kind, EscapedName(subobject.name))?;
    match subobject.content {
        Content::StateObjectConfig { flags } => write!(f, " flags {flags:#x}")?,
        Content::RootSignature { offset, bytes } => write!(f, " {} bytes at {offset}", bytes.len())?,
        Content::Association { subobject, exports } => {
            write!(f, " `{}` with", EscapedName(subobject))?;
            for export in exports.iter().take(SHOWN.min(*left)) {
                *left -= 1;
                match data.string(export) {
                    Ok(export) => write!(f, " `{}`", EscapedName(export))?,
                    Err(error) => write!(f, " (refused: {error})")?,
                }
            }
            match exports.len() {
                0 => f.write_str(" all other exports")?,
                len if len > SHOWN => write!(f, " and {} more", len - SHOWN)?,
                _ => {}
            }
        }
        Content::ShaderConfig { payload_bytes, attribute_bytes } => {
            write!(f, " payload {payload_bytes} attributes {attribute_bytes}")?;
        }
        Content::PipelineConfig { recursion, flags } => write!(f, " recursion {recursion} flags {flags:#x}")?,
        Content::HitGroup { ty, any_hit, closest_hit, intersection } => {
            write!(f, " {ty}")?;
            for (what, shader) in [("any", any_hit), ("closest", closest_hit), ("intersection", intersection)] {
                if !shader.is_empty() {
                    write!(f, " {what} `{}`", EscapedName(shader))?;
                }
            }
        }
        Content::Unknown => {}
    }
    writeln!(f)
}
