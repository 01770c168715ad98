//! The original library, which takes what is not translated here.
//!
//! In: the environment variable `DXIL_SPIRV_FALLBACK`, a path, and `DXIL_SPIRV_FORWARD`. Out: its
//! functions. What must hold: the library is opened once, when it is asked for, and stays; a
//! library that is this one is not used.

use std::env;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use libloading::Library;

use crate::abi::*;
use crate::log;

/// A blob or converter of the original library.
pub type Handle = *mut c_void;

macro_rules! functions {
    ($($name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the original library, by the names without `dxil_spv_`.
        #[derive(Debug)]
        pub struct Original {
            $($name: unsafe extern "C" fn($($ty),*) $(-> $result)?,)*
            /// Whether it takes what is refused here, besides what is not DXIL.
            pub takes_refused: bool,
            forwarded: AtomicU64,
        }

        impl Original {
            $(
                #[doc = concat!("`dxil_spv_", stringify!($name), "`.")]
                pub fn $name(&self, $($argument: $ty),*) $(-> $result)? {
                    // SAFETY: the function is that of the interface. Its arguments are what the
                    // program has given, or handles of the original library.
                    unsafe { (self.$name)($($argument),*) }
                }
            )*

            /// Opens a library; `None` if it is one like this.
            fn open(path: &std::ffi::OsStr, takes_refused: bool) -> Result<Option<Self>, libloading::Error> {
                // SAFETY: who sets the variable trusts the library.
                let library = unsafe { Library::new(path) }?;
                // SAFETY: the symbol is not used.
                if unsafe { library.get::<*const u8>(b"dxil_translator_is_inside\0") }.is_ok() {
                    return Ok(None);
                }
                let original = Self {
                    // SAFETY: the symbol is the function that the interface declares.
                    $($name: *unsafe { library.get(concat!("dxil_spv_", stringify!($name), "\0").as_bytes()) }?,)*
                    takes_refused,
                    forwarded: AtomicU64::new(0),
                };
                // The functions are used until the process ends.
                std::mem::forget(library);
                Ok(Some(original))
            }
        }
    };
}

functions! {
    begin_thread_allocator_context();
    end_thread_allocator_context();
    set_thread_log_callback(callback: LogCallback, user: *mut c_void);
    parse_dxil_blob(data: *const c_void, size: usize, blob: *mut Handle) -> c_int;
    parsed_blob_free(blob: Handle);
    parsed_blob_get_shader_stage(blob: Handle) -> c_int;
    parsed_blob_get_shader_stage_for_entry(blob: Handle, entry: *const c_char) -> c_int;
    parsed_blob_get_num_entry_points(blob: Handle, count: *mut u32) -> c_int;
    parsed_blob_get_entry_point_name(blob: Handle, index: u32, name: *mut *const c_char) -> c_int;
    parsed_blob_get_entry_point_demangled_name(blob: Handle, index: u32, name: *mut *const c_char) -> c_int;
    parsed_blob_get_entry_index_by_name(blob: Handle, name: *const c_char, index: *mut u32) -> c_int;
    parsed_blob_get_entry_point_node_input(blob: Handle, index: u32, data: *mut c_void) -> c_int;
    parsed_blob_get_entry_point_num_node_outputs(blob: Handle, index: u32, count: *mut u32) -> c_int;
    parsed_blob_get_entry_point_node_output(blob: Handle, index: u32, output: u32, data: *mut c_void) -> c_int;
    parsed_blob_get_num_rdat_subobjects(blob: Handle) -> u32;
    parsed_blob_get_rdat_subobject(blob: Handle, index: u32, subobject: *mut RdatSubobject);
    create_converter(blob: Handle, converter: *mut Handle) -> c_int;
    converter_free(converter: Handle);
    converter_set_entry_point(converter: Handle, name: *const c_char);
    converter_add_option(converter: Handle, option: *const u32) -> c_int;
    converter_set_root_constant_word_count(converter: Handle, words: u32);
    converter_set_root_descriptor_count(converter: Handle, count: u32);
    converter_set_srv_remapper(converter: Handle, callback: Callback<D3dBinding, SrvBinding>, user: *mut c_void);
    converter_set_uav_remapper(converter: Handle, callback: Callback<UavD3dBinding, UavBinding>, user: *mut c_void);
    converter_set_cbv_remapper(converter: Handle, callback: Callback<D3dBinding, CbvBinding>, user: *mut c_void);
    converter_set_sampler_remapper(converter: Handle, callback: Callback<D3dBinding, VulkanBinding>, user: *mut c_void);
    converter_set_vertex_input_remapper(converter: Handle, callback: Callback<StageIo, VertexInput>, user: *mut c_void);
    converter_set_stream_output_remapper(converter: Handle, callback: Callback<StreamOutputSemantic, StreamOutputPlace>, user: *mut c_void);
    converter_set_stage_input_remapper(converter: Handle, callback: Callback<StageIo, StageIoPlace>, user: *mut c_void);
    converter_set_stage_output_remapper(converter: Handle, callback: Callback<StageIo, StageIoPlace>, user: *mut c_void);
    converter_set_patch_location_offset(converter: Handle, offset: u32);
    converter_set_meta_descriptor(converter: Handle, meta: c_int, kind: c_int, set: u32, binding: u32) -> c_int;
    converter_add_local_root_constants(converter: Handle, space: u32, register: u32, words: u32);
    converter_add_local_root_descriptor(converter: Handle, class: c_int, space: u32, register: u32);
    converter_begin_local_root_descriptor_table(converter: Handle) -> c_int;
    converter_add_local_root_descriptor_table(converter: Handle, class: c_int, space: u32, register: u32, count: u32, offset: u32);
    converter_end_local_root_descriptor_table(converter: Handle) -> c_int;
    converter_run(converter: Handle) -> c_int;
    converter_get_compiled_spirv(converter: Handle, compiled: *mut CompiledSpirv) -> c_int;
    converter_get_compiled_entry_point(converter: Handle, name: *mut *const c_char) -> c_int;
    converter_get_patch_location_offset(converter: Handle, offset: *mut u32) -> c_int;
    converter_get_patch_vertex_count(converter: Handle, count: *mut u32) -> c_int;
    converter_get_compute_workgroup_dimensions(converter: Handle, x: *mut u32, y: *mut u32, z: *mut u32) -> c_int;
    converter_get_compute_wave_size_range(converter: Handle, least: *mut u32, most: *mut u32, preferred: *mut u32) -> c_int;
    converter_get_compute_heuristic_max_wave_size(converter: Handle, lanes: *mut u32) -> c_int;
    converter_get_compute_heuristic_min_wave_size(converter: Handle, lanes: *mut u32) -> c_int;
    converter_is_multiview_compatible(converter: Handle, compatible: *mut Bool) -> c_int;
}

/// By this symbol the library knows a copy of itself.
#[unsafe(no_mangle)]
pub static dxil_translator_is_inside: u8 = 1;

/// The original library; `None` if none is named, or it cannot be used.
pub fn original() -> Option<&'static Original> {
    static ORIGINAL: OnceLock<Option<Original>> = OnceLock::new();
    ORIGINAL.get_or_init(find).as_ref()
}

fn find() -> Option<Original> {
    let path = env::var_os("DXIL_SPIRV_FALLBACK").filter(|path| !path.is_empty())?;
    let takes_refused = env::var_os("DXIL_SPIRV_FORWARD").is_some_and(|what| what == "refused");
    let named = |what: &str| log::report(&format!("DXIL_SPIRV_FALLBACK={}: {what}", path.display()));
    match Original::open(&path, takes_refused) {
        Ok(Some(original)) => Some(original),
        // It has the same variable, and would forward to itself.
        Ok(None) => {
            named("this is the library that forwards, or a copy of it");
            None
        }
        Err(error) => {
            named(&error.to_string());
            None
        }
    }
}

/// A blob of the original library.
#[derive(Debug)]
pub struct ForeignBlob {
    /// The library.
    pub library: &'static Original,
    /// The blob.
    pub handle: Handle,
}

// SAFETY: a parsed blob does not change, and the interface lets threads share it.
unsafe impl Send for ForeignBlob {}
// SAFETY: as above.
unsafe impl Sync for ForeignBlob {}

impl ForeignBlob {
    /// Parses a container there; the original library's code if it refuses it.
    ///
    /// # Errors
    /// The code.
    pub fn parse(library: &'static Original, bytes: &[u8]) -> Result<Self, c_int> {
        let mut handle = ptr::null_mut();
        match library.parse_dxil_blob(bytes.as_ptr().cast(), bytes.len(), &mut handle) {
            0 if !handle.is_null() => Ok(Self { library, handle }),
            code => Err(code),
        }
    }
}

impl Drop for ForeignBlob {
    fn drop(&mut self) {
        self.library.parsed_blob_free(self.handle);
    }
}

/// A converter of the original library, which has run.
#[derive(Debug)]
pub struct ForeignConverter {
    /// The library.
    pub library: &'static Original,
    /// The converter.
    pub handle: Handle,
}

/// A call of a converter, made again on that of the original library.
pub type Call = Box<dyn Fn(&Original, Handle)>;

impl ForeignConverter {
    /// Makes a converter for a blob, repeats the calls and runs it.
    ///
    /// # Errors
    /// The original library's code.
    pub fn run(blob: &ForeignBlob, calls: &[Call]) -> Result<Self, c_int> {
        let mut handle = ptr::null_mut();
        let library = blob.library;
        match library.create_converter(blob.handle, &mut handle) {
            0 if !handle.is_null() => {}
            code => return Err(code),
        }
        let converter = Self { library, handle };
        calls.iter().for_each(|call| call(library, handle));
        match library.converter_run(handle) {
            0 => {
                library.forwarded.fetch_add(1, Ordering::Relaxed);
                Ok(converter)
            }
            code => Err(code),
        }
    }
}

impl Original {
    /// The number of shaders that it has translated.
    pub fn forwarded(&self) -> u64 {
        self.forwarded.load(Ordering::Relaxed)
    }
}

impl Drop for ForeignConverter {
    fn drop(&mut self) {
        self.library.converter_free(self.handle);
    }
}
