//! Captures a run by RenderDoc, whose layer is below the layer under test and so gets SPIR-V.
//!
//! RenderDoc captures frames, and a fixture presents none. Its interface for applications
//! (`renderdoc_app.h`) says where a capture begins and ends.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;

use ash::vk;
use libloading::os::unix::{Library, RTLD_NOW};
use renderdoc_sys::{RENDERDOC_API_1_6_0, eRENDERDOC_API_Version_1_1_2, pRENDERDOC_GetAPI};

use crate::error::{Error, Result};

/// The name of RenderDoc's layer.
pub const LAYER: &CStr = c"VK_LAYER_RENDERDOC_Capture";
/// The manifest of the layer in Debian's package librenderdoc.
const MANIFEST: &str = "/usr/share/vulkan/implicit_layer.d/renderdoc_capture.json";
/// The version of Vulkan that RenderDoc gives devices, and the newest header revision that it
/// knows.
pub const VERSION: (u32, u32) = (vk::API_VERSION_1_2, 203);
/// The library, which is the layer as well.
const LIBRARY: &str = "librenderdoc.so";

/// The folder of the layer's manifest.
///
/// # Errors
/// A skip if RenderDoc is not installed.
pub fn manifest_folder() -> Result<PathBuf> {
    let manifest = Path::new(MANIFEST);
    match manifest.parent().filter(|_| manifest.exists()) {
        Some(folder) => Ok(folder.to_owned()),
        None => Err(Error::Skip(format!("RenderDoc is not installed: {MANIFEST} does not exist"))),
    }
}

/// RenderDoc's interface in this process.
pub struct RenderDoc {
    functions: *const RENDERDOC_API_1_6_0,
    // The functions are in it.
    _library: Library,
}

impl RenderDoc {
    /// Loads RenderDoc, which must precede the first instance of Vulkan. Captures are written to
    /// `file`, to whose name RenderDoc appends `_capture.rdc`.
    ///
    /// # Errors
    /// If the library cannot be loaded, or does not have version 1.1.2 of the interface.
    pub fn load(file: &Path) -> Result<Self> {
        let io = |what: String| Error::Io(format!("RenderDoc: {what}"));
        let file = CString::new(file.as_os_str().as_bytes()).map_err(|e| io(e.to_string()))?;
        // SAFETY: running the initialisers of RenderDoc's library has no preconditions.
        let library = unsafe { Library::open(Some(LIBRARY), RTLD_NOW) }.map_err(|e| io(e.to_string()))?;
        // SAFETY: the library exports a function of this type.
        let get = unsafe { library.get::<pRENDERDOC_GetAPI>(b"RENDERDOC_GetAPI\0") };
        let get = get.map_err(|e| io(e.to_string()))?.ok_or_else(|| io("it has no interface".into()))?;
        let mut functions = ptr::null_mut();
        // SAFETY: the function writes the address of a table, or nothing.
        unsafe { get(eRENDERDOC_API_Version_1_1_2, &raw mut functions) };
        let renderdoc = Self { functions: functions.cast_const().cast(), _library: library };
        let table = renderdoc.table()?;
        // SAFETY: both members of the union are one function under two names. It copies the path.
        unsafe {
            let set = table.__bindgen_anon_2.SetCaptureFilePathTemplate;
            set.ok_or_else(|| io("it cannot name captures".into()))?(file.as_ptr());
        }
        Ok(renderdoc)
    }

    fn table(&self) -> Result<&RENDERDOC_API_1_6_0> {
        // SAFETY: the library owns the table. It has all functions of version 1.1.2, which are the
        // first ones of the type, and no others are used.
        let table = unsafe { self.functions.as_ref() };
        table.ok_or_else(|| Error::Io("RenderDoc does not have version 1.1.2 of its interface".into()))
    }

    /// Captures what `submit` submits.
    ///
    /// # Errors
    /// If RenderDoc captured nothing, or `submit` failed.
    pub fn capture(&self, submit: impl FnOnce() -> Result<()>) -> Result<()> {
        let table = self.table()?;
        let both = table.StartFrameCapture.zip(table.EndFrameCapture);
        let (start, end) = both.ok_or_else(|| Error::Io("RenderDoc cannot capture".into()))?;
        // SAFETY: null stands for the only device and for no window.
        unsafe { start(ptr::null_mut(), ptr::null_mut()) };
        let submitted = submit();
        // SAFETY: as above.
        let captured = unsafe { end(ptr::null_mut(), ptr::null_mut()) };
        submitted?;
        if captured == 1 { Ok(()) } else { Err(Error::Wrong("RenderDoc captured nothing".into())) }
    }
}
