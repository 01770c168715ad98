//! Captures by RenderDoc, whose layer stands below the DXIL layer and so gets SPIR-V.
//!
//! In: the name of a file. Out: a capture of what happens between two calls. What must hold:
//! RenderDoc's library is loaded before the first instance of Vulkan, and its layer is the same
//! library.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr;

use libloading::os::unix::{Library, RTLD_NOW};
use renderdoc_sys::{RENDERDOC_API_1_6_0, eRENDERDOC_API_Version_1_1_2, pRENDERDOC_GetAPI};
use thiserror::Error;

/// The name of RenderDoc's layer.
pub const RENDERDOC_LAYER: &CStr = c"VK_LAYER_RENDERDOC_Capture";
/// The library, which is the layer as well.
const LIBRARY: &str = "librenderdoc.so";

/// Why RenderDoc captures nothing.
#[derive(Debug, Error)]
pub enum NoRenderDoc {
    /// The library cannot be loaded.
    #[error("RenderDoc is not installed (Debian: package renderdoc): {0}")]
    NotInstalled(#[from] libloading::Error),
    /// The library has another interface.
    #[error("RenderDoc's library does not have version 1.1.2 of its interface")]
    Interface,
    /// The file's name cannot be passed on.
    #[error("the name of RenderDoc's file has a NUL")]
    Name,
}

/// RenderDoc's interface in this process.
#[derive(Debug)]
pub struct RenderDoc {
    functions: *const RENDERDOC_API_1_6_0,
    // The functions are in it.
    _library: Library,
}

impl RenderDoc {
    /// Loads RenderDoc. It writes a capture, to the end of whose name it adds `_capture.rdc`.
    ///
    /// # Errors
    /// The library is not there, or is another one.
    pub fn load(file: &Path) -> Result<Self, NoRenderDoc> {
        let file = CString::new(file.as_os_str().as_bytes()).map_err(|_| NoRenderDoc::Name)?;
        // SAFETY: running the initialisers of RenderDoc's library has no preconditions.
        let library = unsafe { Library::open(Some(LIBRARY), RTLD_NOW) }?;
        // SAFETY: the library exports a function of this type.
        let get = unsafe { library.get::<pRENDERDOC_GetAPI>(b"RENDERDOC_GetAPI\0") }?.ok_or(NoRenderDoc::Interface)?;
        let mut functions = ptr::null_mut();
        // SAFETY: the function writes the address of a table, or nothing.
        unsafe { get(eRENDERDOC_API_Version_1_1_2, &raw mut functions) };
        let renderdoc = Self { functions: functions.cast_const().cast(), _library: library };
        let table = renderdoc.table().ok_or(NoRenderDoc::Interface)?;
        // SAFETY: both members of the union are one function under two names. It copies the path.
        unsafe {
            let set = table.__bindgen_anon_2.SetCaptureFilePathTemplate;
            set.ok_or(NoRenderDoc::Interface)?(file.as_ptr());
        }
        Ok(renderdoc)
    }

    fn table(&self) -> Option<&RENDERDOC_API_1_6_0> {
        // SAFETY: the library owns the table. It has all functions of version 1.1.2, which are the
        // first ones of the type, and no others are used.
        unsafe { self.functions.as_ref() }
    }

    /// Captures what `work` does with the only device. Returns its result, and whether RenderDoc
    /// captured it.
    pub fn capture<T>(&self, work: impl FnOnce() -> T) -> (T, bool) {
        let both = self.table().and_then(|table| table.StartFrameCapture.zip(table.EndFrameCapture));
        let Some((start, end)) = both else { return (work(), false) };
        // SAFETY: null stands for the only device and for no window.
        unsafe { start(ptr::null_mut(), ptr::null_mut()) };
        let done = work();
        // SAFETY: as above.
        let captured = unsafe { end(ptr::null_mut(), ptr::null_mut()) };
        (done, captured == 1)
    }
}
