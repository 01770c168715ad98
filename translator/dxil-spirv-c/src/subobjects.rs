//! The subobjects of a library as structures of the interface.
//!
//! In: subobjects of the translator. Out: [`RdatSubobject`] with pointers into memory that lives as
//! long as the blob. What must hold: numbers are those of RDAT.

use std::ffi::{CString, c_char};
use std::ptr;

use dxil_translator::{RootSignature, Subobject, SubobjectContent};

use crate::abi::RdatSubobject;
use crate::border::c_text;

/// The subobjects of a library.
#[derive(Debug, Default)]
pub struct Subobjects(Vec<Owned>);

/// A subobject, and the memory that its structure points to.
#[derive(Debug)]
struct Owned {
    kind: u32,
    name: CString,
    hit_group_type: u32,
    /// The texts of `pointers`.
    _exports: Vec<CString>,
    pointers: Pointers,
    args: [u32; 2],
    payload: Vec<u8>,
}

/// Pointers to texts that the same structure owns and never changes.
#[derive(Debug, Default)]
struct Pointers(Vec<*const c_char>);

// SAFETY: the texts behind the pointers live as long as the pointers, and nobody writes them.
unsafe impl Send for Pointers {}
// SAFETY: as above.
unsafe impl Sync for Pointers {}

impl Subobjects {
    /// The structures of subobjects.
    pub fn new(subobjects: &dxil_translator::Subobjects) -> Self {
        Self(subobjects.iter().map(Owned::new).collect())
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The structure of a subobject.
    pub fn get(&self, index: usize) -> Option<RdatSubobject> {
        let owned = self.0.get(index)?;
        let payload = if owned.payload.is_empty() { ptr::null() } else { owned.payload.as_ptr().cast() };
        Some(RdatSubobject {
            kind: owned.kind,
            name: owned.name.as_ptr(),
            hit_group_type: owned.hit_group_type,
            exports: owned.pointers.0.as_ptr(),
            num_exports: owned.pointers.0.len() as u32,
            args: owned.args,
            payload,
            payload_size: owned.payload.len(),
        })
    }
}

impl Owned {
    fn new(subobject: &Subobject) -> Self {
        let mut owned = Self {
            kind: 0,
            name: c_text(&subobject.name),
            hit_group_type: 0,
            _exports: Vec::new(),
            pointers: Pointers::default(),
            args: [0; 2],
            payload: Vec::new(),
        };
        let bytes = |signature: &RootSignature| signature.serialize().unwrap_or_default();
        match &subobject.content {
            SubobjectContent::StateObjectConfig { flags, .. } => owned.args = [*flags, 0],
            SubobjectContent::GlobalRootSignature(signature) => (owned.kind, owned.payload) = (1, bytes(signature)),
            SubobjectContent::LocalRootSignature(signature) => (owned.kind, owned.payload) = (2, bytes(signature)),
            SubobjectContent::Association { subobject, exports, .. } => {
                owned.kind = 8;
                owned.list([subobject].into_iter().chain(exports).map(|name| &**name));
            }
            SubobjectContent::ShaderConfig(config) => {
                (owned.kind, owned.args) = (9, [config.payload_bytes, config.attribute_bytes]);
            }
            // The first version has no flags.
            SubobjectContent::PipelineConfig(config) => {
                owned.kind = if config.flags == 0 { 10 } else { 12 };
                owned.args = [config.recursion, config.flags];
            }
            SubobjectContent::HitGroup(group) => {
                (owned.kind, owned.hit_group_type) = (11, group.geometry.value());
                let shaders = [&group.any_hit, &group.closest_hit, &group.intersection];
                owned.list(shaders.into_iter().map(|name| name.as_deref().unwrap_or_default()));
            }
            SubobjectContent::Unknown(number) => owned.kind = *number,
            _ => {}
        }
        owned
    }

    /// Sets the names that the subobject lists.
    fn list<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let exports: Vec<CString> = names.map(c_text).collect();
        self.pointers = Pointers(exports.iter().map(|name| name.as_ptr()).collect());
        self._exports = exports;
    }
}
