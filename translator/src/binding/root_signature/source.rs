//! Detects the format of a root signature. Containers in SPIR-V are read by the module `embedded`.
//!
//! In: the bytes of a file. Out: the [`RootSignature`] in it. What must hold: what the bytes are is
//! decided by their beginning, and an error is one of that form.

use super::{RootSignature, RootVersion, by_function};
use crate::container::{CONTAINER_MAGIC, Container};
use dxil_base::error::{ErrorKind, Place, Result};
use dxil_base::limits;
use dxil_base::names::unmarked;
use dxil_bitcode as bitcode;

/// The first bytes of LLVM bitcode.
const BITCODE_MAGIC: [u8; 4] = *b"BC\xc0\xde";

impl RootSignature {
    /// Reads what [`from_bytes_of`](Self::from_bytes_of) reads, except for SPIR-V.
    pub(crate) fn from_plain_bytes(bytes: &[u8], function: Option<&str>, version: Option<RootVersion>) -> Result<Self> {
        limits::check(Place::Input, "bytes of input", bytes.len(), limits::INPUT_BYTES)?;
        let signature = if bytes.starts_with(&CONTAINER_MAGIC) || bytes.starts_with(&BITCODE_MAGIC) {
            from_shader(&Container::parse(bytes)?, function)?
        } else if serialized(bytes) {
            Self::parse(bytes, 0)?
        } else {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                let at = Place::Byte(error.valid_up_to() as u64);
                malformed!(at, "not a root signature: neither a container, nor LLVM bitcode, nor RTS0, nor UTF-8 text")
            })?;
            return Self::parse_text(text, version);
        };
        match version {
            Some(version) => signature.to_version(version),
            None => Ok(signature),
        }
    }
}

/// Whether bytes begin as an RTS0 part does: with a small number of 32 bits. The second byte of a
/// text is never null.
fn serialized(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0, ..])
}

/// The root signature of a container: that of the RTS0 part, otherwise the one in the metadata.
fn from_shader(container: &Container<'_>, function: Option<&str>) -> Result<RootSignature> {
    if let Some(signature) = RootSignature::from_container(container)? {
        return Ok(signature);
    }
    let none = || malformed!(Place::Input, "no root signature: neither an RTS0 part nor `dx.rootsignatures` metadata");
    let program = container.program().map_err(|error| match error.kind() {
        // A container without a program.
        ErrorKind::Malformed => none(),
        _ => error,
    })?;
    let module = bitcode::read(program.bitcode).map_err(|error| error.offset_by(program.offset as u64))?;
    let name = |id| {
        let name = module.functions.get(id).map(|f| module.text(f.name));
        unmarked(&name.unwrap_or_default()).to_owned()
    };
    let mut all = by_function(&module)?.into_iter();
    if let Some(wanted) = function {
        let found = all.find(|(id, _)| name(*id) == unmarked(wanted)).map(|(_, signature)| signature);
        let none =
            || malformed!(Place::Input, "the metadata has no root signature of a function `{}`", wanted.escape_debug());
        return found.ok_or_else(none);
    }
    let (first, signature) = all.next().ok_or_else(none)?;
    match all.find(|(_, other)| !signature.is_same_as(other)) {
        None => Ok(signature),
        Some((other, _)) => Err(unsupported!(
            Place::Input,
            "the functions `{}` and `{}` have different root signatures in the metadata; name one of \
             them (in the tool by --entry)",
            name(first).escape_debug(),
            name(other).escape_debug()
        )),
    }
}
