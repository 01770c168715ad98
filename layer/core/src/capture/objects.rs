//! The create infos of a device's objects, stored until pipelines refer to them.
//!
//! In: creations and destructions. Out: copies of the create infos. What must hold: a record is
//! complete when its pipeline is created, because the application may destroy the objects that it
//! refers to afterwards (specification, "Object Lifetime").

use std::sync::{Arc, OnceLock};

use dxil_capture::Digest;
use dxil_capture::model::{Code, Device, RenderPass};

use crate::capture::folder::{Built, Folder};
use crate::capture::layouts::Layouts;
use crate::translate::{FoundContainer, Identifier, Store, dxil_in};
use crate::vulkan::dispatch::CaptureTable;
use crate::vulkan::handles::Handles;
use crate::vulkan::reads::Rules;

/// The capture state of a device.
pub struct Capture {
    _built: Built,
    pub(super) folder: Arc<Folder>,
    /// The containers that identifiers name.
    store: Arc<Store>,
    /// Commands of the next layer that are intercepted only for captures.
    pub table: CaptureTable,
    /// The record of the device.
    device: Device,
    /// The digest of that record, once it is written.
    device_name: OnceLock<Option<Digest>>,
    pub(super) rules: Rules,
    /// Pipeline layouts, and the objects that they refer to.
    pub layouts: Layouts,
    /// Render passes.
    pub passes: Handles<RenderPass>,
    /// Shader modules, with or without DXIL.
    pub modules: Handles<Module>,
    /// Pipeline libraries.
    pub libraries: Handles<Library>,
}

/// The code of a shader module.
pub struct Module {
    bytes: Box<[u8]>,
    /// The name of the code, once it is written.
    code: OnceLock<Code>,
}

/// A pipeline library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Library {
    /// The name of its record.
    pub name: Digest,
    /// It or one of its own libraries has DXIL.
    pub has_dxil: bool,
}

impl Module {
    /// A module that was created from this code.
    pub fn new(code: &[u8]) -> Self {
        Self { bytes: code.into(), code: OnceLock::new() }
    }

    /// Whether the code is DXIL.
    pub(super) fn is_dxil(&self) -> bool {
        dxil_in(&self.bytes).is_some()
    }

    /// Writes the code to the folder.
    pub(super) fn code(&self, capture: &Capture) -> Code {
        *self.code.get_or_init(|| capture.code(&self.bytes))
    }
}

impl Capture {
    /// A device without objects.
    pub fn new(folder: Arc<Folder>, store: Arc<Store>, device: Device, rules: Rules, table: CaptureTable) -> Self {
        Self {
            _built: folder.built,
            folder,
            store,
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

    /// The digest of the device's record, which is written on first use.
    pub(super) fn device(&self) -> Option<Digest> {
        *self.device_name.get_or_init(|| self.folder.device(&self.device))
    }

    /// Adds code to the folder. A SPIR-V module whose embedded container is damaged is stored
    /// unchanged.
    pub(super) fn code(&self, bytes: &[u8]) -> Code {
        if bytes.is_empty() {
            return Code::Missing;
        }
        match dxil_in(bytes).map(|code| FoundContainer::from_code(code.into())) {
            Some(Ok(blob)) => self.container(&blob),
            _ => {
                let digest = Digest::new(bytes);
                self.folder.spirv(digest, bytes);
                Code::Spirv(digest)
            }
        }
    }

    /// Adds a container to the folder.
    pub(super) fn container(&self, source: &FoundContainer) -> Code {
        let digest = Digest(source.hash.0);
        self.folder.dxil(digest, &source.bytes);
        Code::Dxil(digest)
    }

    /// The container that an identifier names, if the cache or a module has it.
    pub(super) fn identified(&self, identifier: Identifier) -> Option<Arc<FoundContainer>> {
        self.store.identified(identifier)?.ok()?.source.upgrade()
    }
}
