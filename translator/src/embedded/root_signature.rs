//! Root signatures in any form, also in a container that SPIR-V carries.
//!
//! In: the bytes of a file. Out: the [`RootSignature`] in it. What must hold: whatever takes code
//! takes an embedded container.

use std::borrow::Cow;

use super::read;
use crate::binding::RootSignature;
use crate::binding::root_signature::RootVersion;
use dxil_base::error::{Place, Result};

impl RootSignature {
    /// Reads a root signature in any form: a container with an RTS0 part or with
    /// `dx.rootsignatures` metadata, also embedded in SPIR-V ([`embed`](super::embed)), LLVM
    /// bitcode with such metadata, the content of an RTS0 part, or HLSL root signature text. Text
    /// is read with the given version, as [`parse_text`](Self::parse_text) does; other forms state
    /// their version, and are converted to the given one.
    ///
    /// # Errors
    /// The errors of the form. `Malformed` also where a container or module has no root signature;
    /// `Unsupported` where the functions of a module have different ones, or where the version
    /// cannot express the signature.
    pub fn from_bytes(bytes: &[u8], version: Option<RootVersion>) -> Result<Self> {
        Self::from_bytes_of(bytes, None, version)
    }

    /// As [`from_bytes`](Self::from_bytes). If the input has metadata and no RTS0 part, the root
    /// signature is the one of the function with this name.
    ///
    /// # Errors
    /// Those of [`from_bytes`](Self::from_bytes); `Malformed` where the function has no root
    /// signature.
    pub fn from_bytes_of(bytes: &[u8], function: Option<&str>, version: Option<RootVersion>) -> Result<Self> {
        let bytes = match read::extract(bytes)? {
            Some(embedded) => Cow::Owned(embedded.container),
            None if read::is_spirv(bytes) => {
                return Err(malformed!(
                    Place::Byte(0),
                    "not a root signature: a SPIR-V module that carries no DXIL container"
                ));
            }
            None => Cow::Borrowed(bytes),
        };
        Self::from_plain_bytes(&bytes, function, version)
    }
}
