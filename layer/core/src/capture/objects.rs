//! What is kept of the objects of a device until pipelines refer to them.
//!
//! In: creations and destructions. Out: what was said at their creation. What must hold: a record is
//! complete when its pipeline is created, because what it refers to may be destroyed by then
//! (specification, "Object Lifetime").

use std::sync::{Arc, OnceLock};

use dxil_capture::Digest;
use dxil_capture::model::{Code, Device, RenderPass};

use crate::capture::folder::Folder;
use crate::capture::layouts::Layouts;
use crate::translate::{Blob, dxil_in};
use crate::vulkan::dispatch::CaptureTable;
use crate::vulkan::handles::Handles;
use crate::vulkan::reads::Rules;

/// What is captured of a device.
pub struct Capture {
    pub(super) folder: Arc<Folder>,
    /// Commands of the next layer that are intercepted for captures alone.
    pub table: CaptureTable,
    /// The record of the device.
    device: Device,
    /// Its digest, once it is written.
    device_name: OnceLock<Option<Digest>>,
    pub(super) rules: Rules,
    /// Pipeline layouts, and what they refer to.
    pub layouts: Layouts,
    /// Render passes.
    pub passes: Handles<RenderPass>,
    /// Shader modules of any code.
    pub modules: Handles<Module>,
    /// Pipeline libraries.
    pub libraries: Handles<Library>,
}

/// The code of a shader module.
pub struct Module {
    bytes: Box<[u8]>,
    /// Its name, once the code is written.
    code: OnceLock<Code>,
}

/// A pipeline that others may be linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Library {
    /// The name of its record.
    pub name: Digest,
    /// It has DXIL, itself or in its own libraries.
    pub has_dxil: bool,
}

impl Module {
    /// A module that was created of this code.
    pub fn new(code: &[u8]) -> Self {
        Self { bytes: code.into(), code: OnceLock::new() }
    }

    /// Whether the code is DXIL.
    pub(super) fn is_dxil(&self) -> bool {
        dxil_in(&self.bytes).is_some()
    }

    /// The code, in the folder.
    pub(super) fn code(&self, capture: &Capture) -> Code {
        *self.code.get_or_init(|| capture.code(&self.bytes))
    }
}

impl Capture {
    /// A device without objects.
    pub fn new(folder: Arc<Folder>, device: Device, rules: Rules, table: CaptureTable) -> Self {
        Self {
            folder,
            table,
            device,
            device_name: OnceLock::new(),
            rules,
            layouts: Layouts::default(),
            passes: Handles::default(),
            modules: Handles::default(),
            libraries: Handles::default(),
        }
    }

    /// The digest of the device's record, which is written now if it was not before.
    pub(super) fn device(&self) -> Option<Digest> {
        *self.device_name.get_or_init(|| self.folder.device(&self.device))
    }

    /// Adds code to the folder. A SPIR-V module whose container is not whole is kept as it is.
    pub(super) fn code(&self, bytes: &[u8]) -> Code {
        if bytes.is_empty() {
            return Code::Missing;
        }
        match dxil_in(bytes).map(Blob::of) {
            Some(Ok(blob)) => {
                let digest = Digest(blob.hash.0);
                self.folder.dxil(digest, &blob.bytes);
                Code::Dxil(digest)
            }
            _ => {
                let digest = Digest::of(bytes);
                self.folder.spirv(digest, bytes);
                Code::Spirv(digest)
            }
        }
    }
}
