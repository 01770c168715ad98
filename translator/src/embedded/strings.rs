//! A container as the strings of a module: a head with length and digest, then pieces in base64.
//!
//! In: a container, or the texts of strings. Out: the texts, or what they say. What must hold: no
//! text has more bytes than SPIR-V's universal limit for a literal string (2.17, «Universal
//! Limits»), and none has a NUL.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::request::BlobDigest;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// The beginning of the head, without the version.
pub const HEAD: &str = "DXIL.Container.";
/// The version of the format that is written.
const VERSION: &str = "1";
/// The beginning of a piece.
pub const PIECE: &str = "DXIL.Piece ";
/// The most bytes of a literal string (SPIR-V, 2.17).
pub const STRING_BYTES: usize = 65_535;
/// The bytes of the container in a piece: their base64 and the beginning of the piece, with a
/// number of up to seven digits, are within [`STRING_BYTES`].
pub const PIECE_BYTES: usize = 49_137;

/// Checks the number of bytes of a container.
fn check_size(place: Place, bytes: usize) -> Result<()> {
    limits::check(place, "bytes of an embedded container", bytes, limits::INPUT_BYTES)
}

/// The texts of a container, in their order.
///
/// # Errors
/// `Limit` for a container that is too large.
pub fn encode(container: &[u8]) -> Result<Vec<String>> {
    check_size(Place::Input, container.len())?;
    let (bytes, digest) = (container.len(), BlobDigest::from_bytes(container));
    let pieces = container.chunks(PIECE_BYTES);
    let mut texts = vec![format!("{HEAD}{VERSION} bytes={bytes} blake3={digest} pieces={}", pieces.len())];
    texts.extend(pieces.zip(1..).map(|(piece, number): (_, u32)| {
        // A number has up to ten digits, and base64 four characters for three bytes.
        let mut text = String::with_capacity(PIECE.len() + 11 + piece.len().div_ceil(3) * 4);
        text.push_str(&format!("{PIECE}{number} "));
        STANDARD.encode_string(piece, &mut text);
        text
    }));
    Ok(texts)
}

/// What the head says of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedHeader {
    /// Its length.
    pub bytes: usize,
    /// Its digest.
    pub digest: BlobDigest,
    /// The number of its pieces.
    pub pieces: usize,
}

/// What a head says; `None` for a string that is none.
///
/// # Errors
/// `Unsupported` for another version of the format, `Malformed` for a head that is not as the
/// format says.
pub fn head(text: &[u8], place: Place) -> Result<Option<EmbeddedHeader>> {
    let Some(rest) = text.strip_prefix(HEAD.as_bytes()) else { return Ok(None) };
    let text = String::from_utf8_lossy(rest);
    let (version, rest) = text.split_once(' ').unwrap_or((&text, ""));
    if version != VERSION {
        return Err(unsupported!(
            place,
            "an embedded container of format `{}`; this translator reads format {VERSION}",
            shown(version)
        ));
    }
    let fields = || {
        let (bytes, rest) = rest.strip_prefix("bytes=")?.split_once(" blake3=")?;
        let (digest, pieces) = rest.split_once(" pieces=")?;
        Some(EmbeddedHeader { bytes: number(bytes)?, digest: digest.parse().ok()?, pieces: number(pieces)? })
    };
    let found = fields().ok_or_else(|| {
        malformed!(
            place,
            "the head of an embedded container is `{}`; expected `bytes=<number> blake3=<64 digits> pieces=<number>`",
            shown(rest)
        )
    })?;
    check_size(place, found.bytes)?;
    Ok(Some(found))
}

/// Appends the bytes of piece `number` to the container; `false` for a string that is no piece.
///
/// # Errors
/// `Malformed` for another piece than this one, and for a text that is not base64.
pub fn piece(text: &[u8], number: usize, container: &mut Vec<u8>, place: Place) -> Result<bool> {
    let Some(rest) = text.strip_prefix(PIECE.as_bytes()) else { return Ok(false) };
    let space = rest.iter().position(|&byte| byte == b' ').unwrap_or(rest.len());
    let (found, base64) = rest.split_at(space);
    let found = String::from_utf8_lossy(found);
    if self::number(&found) != Some(number) {
        return Err(malformed!(place, "piece `{}` of an embedded container; expected piece {number}", shown(&found)));
    }
    let base64 = base64.get(1..).unwrap_or_default();
    let decoded = STANDARD.decode_vec(base64, container);
    decoded.map_err(|error| malformed!(place, "piece {number} of an embedded container is not base64: {error}"))?;
    Ok(true)
}

/// A decimal number without a sign or leading zeros.
fn number(text: &str) -> Option<usize> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if canonical { text.parse().ok() } else { None }
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::{STRING_BYTES, encode};
    use dxil_base::limits;

    /// The pieces of the largest container are within SPIR-V's limit, also those with the longest
    /// numbers.
    #[test]
    fn every_piece_is_within_the_limit() {
        let texts = encode(&vec![0xa5; limits::INPUT_BYTES]).unwrap();
        assert!(texts.len() > 1_000);
        assert_eq!(texts.iter().filter(|text| text.len() > STRING_BYTES).count(), 0);
    }
}
