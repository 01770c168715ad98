//! Root signatures.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use crate::border::{bytes, free, given, guard, hand, value};
use crate::error::{ErrorHandle, Result};
use crate::texts::Texts;

/// A root signature: how a D3D12 application binds resources. It does not change after its
/// creation.
#[derive(Debug)]
pub struct RootSignature {
    pub(crate) signature: Arc<dxil_translator::RootSignature>,
    texts: Texts,
}

impl RootSignature {
    pub(crate) fn new(signature: dxil_translator::RootSignature) -> Self {
        Self { signature: Arc::new(signature), texts: Texts::default() }
    }
}

/// Reads a root signature from `size` bytes at `data`: a DXIL container with one, its RTS0 part
/// alone (what D3D12SerializeVersionedRootSignature writes, too), or the text of HLSL's attribute
/// `[RootSignature("...")]`. The bytes are not needed after the call.
///
/// On success `*root_signature` is a handle, which the program frees with dxtr_root_signature_free;
/// otherwise it is null. `error` may be null; otherwise `*error` is null on success, and an error
/// that the program frees. Codes: MALFORMED, UNSUPPORTED, LIMIT, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_root_signature_parse(
    data: *const c_void,
    size: usize,
    root_signature: *mut *mut RootSignature,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(root_signature, || {
            let bytes = bytes(data, size)?;
            Ok(RootSignature::new(dxil_translator::RootSignature::from_bytes(bytes, None)?))
        })
    })
}

/// The text of a root signature, in the form of HLSL's attribute. It lives as long as the root
/// signature. Null for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_root_signature_text(root_signature: Option<&RootSignature>) -> *const c_char {
    value(std::ptr::null(), || {
        let root_signature = given(root_signature, "the root signature")?;
        Ok(root_signature.texts.pointer(&root_signature.signature.to_string()))
    })
}

/// Frees a root signature. Null is accepted. Plans that were made from it stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_root_signature_free(root_signature: Option<Box<RootSignature>>) {
    free(root_signature);
}
