//! DXIL inside SPIR-V: a valid SPIR-V module that carries a container word for word.
//!
//! In: a container, or the bytes of a module. Out: the module, or the container in it. What must
//! hold: the module is valid for every device that has the stages of its entry points, and does
//! nothing there; taking the container out gives the very bytes that were put in, or an error; the
//! work is linear in the input, and so is the memory.
//!
//! Applications and libraries look for SPIR-V's magic number before Vulkan sees the code. They take
//! such a module, and so does a validation layer above the layer. docs/layer.md, «DXIL embedded in
//! SPIR-V», is the format's description for those who write it with other tools:
//!
//! ```text
//! word 2      GENERATOR, by which one comparison tells all other modules apart
//! OpString    DXIL.Container.1 bytes=<N> blake3=<64 digits> pieces=<P>
//! OpString    DXIL.Piece 1 <base64>
//! …
//! OpString    DXIL.Piece P <base64>
//! ```
//!
//! Why strings: they are core SPIR-V of every version, so that the module is valid on an instance
//! of Vulkan 1.0 without extensions, where a non-semantic instruction set is not; no driver
//! compiles them; and optimisers and capture tools keep them, where they drop constants that
//! nothing uses.

mod body;
mod names;
mod read;
mod root_signature;
mod strings;

use foldhash::HashSet;

use crate::container::{CONTAINER_MAGIC, Container};
use crate::lower;
use crate::shader::Shader;
use dxil_base::error::{Place, Result};
use names::{answers, by_name, named};

pub use body::GENERATOR;
pub use read::{Embedded, extract, has_lost_generator, is_embedded, is_spirv};

/// How a container is embedded.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct EmbedOptions<'a> {
    /// The entry points that the module declares, each under the name given here. If the list is
    /// empty, all entry points are declared, each under every name that it answers to: its name in
    /// the container, its plain name, and `main` if it is the only one.
    pub entries: &'a [&'a str],
    /// A module that is used without the layer. It keeps its own entry points. The container must
    /// have one of them at least, and those that both have in the same stage.
    pub body: Option<&'a [u32]>,
}

impl<'a> EmbedOptions<'a> {
    /// The same options with these entry points.
    #[must_use]
    pub fn with_entries(self, entries: &'a [&'a str]) -> Self {
        Self { entries, ..self }
    }

    /// The same options with this module as the body.
    #[must_use]
    pub fn with_body(self, body: &'a [u32]) -> Self {
        Self { body: Some(body), ..self }
    }
}

/// A SPIR-V module that carries this container.
///
/// ```
/// use dxil_translator::{EmbedOptions, Result, embed, extract};
///
/// /// What an application hands to a library that takes SPIR-V alone.
/// fn for_a_library(container: &[u8]) -> Result<Vec<u32>> {
///     let words = embed(container, &EmbedOptions::default())?;
///     let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
///     assert!(extract(&bytes)?.is_some_and(|embedded| embedded.container == container));
///     Ok(words)
/// }
/// assert!(for_a_library(b"not a container").is_err());
/// ```
///
/// # Errors
/// Those of [`Shader::parse`]; `Unsupported` for bitcode without a container, for a container or an
/// entry point that no module can declare, and where the container has no entry point of the body;
/// `Malformed` where the container or the body is an embedded module already, or the
/// body is not a module; `Limit`.
pub fn embed(container: &[u8], options: &EmbedOptions<'_>) -> Result<Vec<u32>> {
    if is_embedded(container) {
        return Err(malformed!(Place::Input, "the input is a SPIR-V module that carries a container already"));
    }
    if !container.starts_with(&CONTAINER_MAGIC) {
        // Says what else the input is, unless it is bitcode.
        Container::parse(container)?;
        return Err(unsupported!(
            Place::Input,
            "the input does not begin with `DXBC`; only a DXIL container can be embedded"
        ));
    }
    let shader = Shader::parse(container)?;
    let stub;
    let body = match options.body {
        Some(body) => {
            body::check(body, &shader, options.entries)?;
            body
        }
        None => {
            stub = lower::stub(&declared(&shader, options.entries)?)?;
            stub.as_slice()
        }
    };
    // The texts and the module take memory as well, and need nothing of the shader.
    drop(shader);
    body::with_strings(body, &strings::encode(container)?)
}

/// The entry points of a stub with their names.
fn declared<'a>(shader: &'a Shader, names: &[&'a str]) -> Result<Vec<lower::NamedEntry<'a>>> {
    if names.is_empty() {
        let all = answers(shader);
        if all.is_empty() {
            // Its error says that the library has functions only.
            shader.find_entry(None)?;
        }
        return Ok(all);
    }
    let (all, mut given) = (by_name(shader), HashSet::default());
    let mut declared = Vec::with_capacity(names.len());
    for &name in names {
        if !given.insert(name) {
            return Err(unsupported!(Place::Input, "entry point `{}` is given twice", name.escape_debug()));
        }
        declared.push(lower::NamedEntry { name, entry: named(shader, &all, name)? });
    }
    Ok(declared)
}
