//! Takes the container out of a module.
//!
//! In: the bytes of any code. Out: the container; nothing, for a module of others; or an error.
//! What must hold: other modules cost one comparison; a module with the generator word gives the
//! very bytes that were embedded, which their digest shows, or an error.

use super::body::{self, GENERATOR};
use super::strings::{self, EmbeddedHeader};
use crate::container::CONTAINER_MAGIC;
use crate::request::BlobDigest;
use dxil_base::error::{Place, Result};

/// The place of the generator word.
const GENERATOR_BYTE: usize = 8;

/// A container that was taken out of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Embedded {
    /// The container, word for word.
    pub container: Vec<u8>,
    /// Its digest, which was checked.
    pub digest: BlobDigest,
}

/// Whether code is a SPIR-V module that says that it carries a container. Only its header is looked
/// at, the generator word first.
#[inline]
pub fn is_embedded(code: &[u8]) -> bool {
    code.get(GENERATOR_BYTE..GENERATOR_BYTE + 4) == Some(&GENERATOR.to_le_bytes()) && is_spirv(code)
}

/// The container that a SPIR-V module carries; `None` for code that does not say that it carries
/// one ([`is_embedded`]).
///
/// # Errors
/// `Malformed` where strings are missing, cut, doubled or out of order, where length or digest is
/// another one than the head says, and for what is no container; `Unsupported` for another version
/// of the format; `Limit`.
pub fn extract(code: &[u8]) -> Result<Option<Embedded>> {
    if !is_embedded(code) {
        return Ok(None);
    }
    let mut head: Option<(Place, EmbeddedHeader)> = None;
    let mut pieces = 0;
    let mut container = Vec::new();
    for string in body::strings(code) {
        let (place, text) = string?;
        if let Some(found) = strings::head(text, place)? {
            if head.is_some() {
                return Err(malformed!(place, "the module carries two containers; expected one"));
            }
            // The pieces are in the code, so the container is not longer than it.
            container.reserve_exact(found.bytes.min(code.len()));
            head = Some((place, found));
            continue;
        }
        let piece = strings::piece(text, pieces + 1, &mut container, place)?;
        let Some((_, head)) = &head else {
            if piece {
                return Err(malformed!(place, "a piece of an embedded container before its head"));
            }
            continue;
        };
        if !piece {
            continue;
        }
        pieces += 1;
        if pieces > head.pieces {
            return Err(malformed!(
                place,
                "piece {pieces} of an embedded container, whose head says {} pieces",
                head.pieces
            ));
        }
    }
    let (place, head) = head.ok_or_else(|| {
        malformed!(
            Place::Byte(GENERATOR_BYTE as u64),
            "the generator word says that the module carries a DXIL container, but it has no string `{}…`; a tool \
             has stripped it, as `spirv-opt --strip-debug` does",
            strings::HEAD
        )
    })?;
    if pieces != head.pieces {
        return Err(malformed!(
            place,
            "the module has {pieces} of the {} pieces of its embedded container",
            head.pieces
        ));
    }
    checked(place, head, container).map(Some)
}

/// The container, if it is what its head says.
fn checked(place: Place, head: EmbeddedHeader, container: Vec<u8>) -> Result<Embedded> {
    if container.len() != head.bytes {
        let (found, expected) = (container.len(), head.bytes);
        return Err(malformed!(place, "an embedded container of {found} bytes, whose head says {expected}"));
    }
    let digest = BlobDigest::from_bytes(&container);
    if digest != head.digest {
        let expected = head.digest;
        return Err(malformed!(
            place,
            "the embedded container has the BLAKE3 hash {digest}, and its head says {expected}"
        ));
    }
    if is_embedded(&container) {
        return Err(malformed!(
            place,
            "the embedded code is itself a SPIR-V module that carries a container; expected the container"
        ));
    }
    if !container.starts_with(&CONTAINER_MAGIC) {
        return Err(malformed!(place, "the embedded code does not begin with `DXBC`; expected a DXIL container"));
    }
    Ok(Embedded { container, digest })
}

/// Whether code is a SPIR-V module that has lost its generator word, but not the strings of a
/// container. An assembler, for one, writes a generator word of its own. The layer does not see
/// such a module, whose cost would be that of every module.
pub fn has_lost_generator(code: &[u8]) -> bool {
    let is_head = |text: &[u8]| text.starts_with(strings::HEAD.as_bytes());
    is_spirv(code) && !is_embedded(code) && body::strings(code).any(|found| found.is_ok_and(|(_, text)| is_head(text)))
}

/// Whether code begins with SPIR-V's magic number.
pub fn is_spirv(code: &[u8]) -> bool {
    code.starts_with(&rspirv::spirv::MAGIC_NUMBER.to_le_bytes())
}
