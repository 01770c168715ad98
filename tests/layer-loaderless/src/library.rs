//! Builds and loads the layer's library, and negotiates with it.

use std::env;
use std::ffi::c_void;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use ash::vk;

/// `VkNegotiateLayerInterface`.
#[repr(C)]
pub struct Negotiation {
    pub s_type: i32,
    pub next: *mut c_void,
    pub version: u32,
    pub get_instance_proc_addr: Option<vk::PFN_vkGetInstanceProcAddr>,
    pub get_device_proc_addr: Option<vk::PFN_vkGetDeviceProcAddr>,
    pub get_physical_device_proc_addr: *const c_void,
}

impl Negotiation {
    /// The structure that a loader with this interface version passes.
    pub fn new(version: u32) -> Self {
        Self {
            s_type: 1,
            next: std::ptr::null_mut(),
            version,
            get_instance_proc_addr: None,
            get_device_proc_addr: None,
            get_physical_device_proc_addr: std::ptr::dangling(),
        }
    }
}

/// The result of a negotiation.
#[derive(Clone, Copy)]
pub struct Negotiated {
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
}

/// Builds the library with the profile that this test was built with, and returns its path. (Cargo
/// does not build a `cdylib` for crates that depend on it.)
pub fn library_path() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let program = env::current_exe().expect("current_exe");
        // This program is target/<profile>/deps/<test>. Cargo writes the library to
        // target/<profile>.
        let folder = program.ancestors().skip(1).find(|f| !f.ends_with("deps")).expect("a target folder");
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).args([
            "build",
            "--quiet",
            "--package",
            "dxil-layer",
            // Cargo takes the crates that it compiled for this package (Cargo.toml of
            // tests/support).
            "--package",
            env!("CARGO_PKG_NAME"),
            "--lib",
        ]);
        // With `--target`, the folder is target/<triple>/<profile>. Flags of the compiler then hold
        // for that target alone, as AddressSanitizer needs.
        let mut target = folder.parent();
        if let Some(triple) = target.and_then(|t| t.file_name()?.to_str()).filter(|name| name.contains("-linux-")) {
            cargo.args(["--target", triple]);
            target = target.and_then(|t| t.parent());
        }
        let mut folder = folder.to_owned();
        if let Some(target) = target {
            let mut target = target.to_owned();
            // The library has the same file name with and without the feature.
            if cfg!(feature = "validate") {
                cargo.args(["--features", "validate"]);
                target.push("validating");
                folder = target.join(folder.file_name().expect("a profile"));
            }
            cargo.arg("--target-dir").arg(target);
        }
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo").success(), "the layer does not build");
        folder.join("libVkLayer_dxil.so")
    })
    .clone()
}

/// The library, which stays loaded until the process ends.
pub fn library() -> &'static libloading::Library {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    // SAFETY: the library has no initialisers (`contract.rs` tests that loading it has no effect).
    LIBRARY.get_or_init(|| unsafe { libloading::Library::new(library_path()) }.expect("the layer loads"))
}

/// Calls the library's exported function.
pub fn negotiate_with(negotiation: *mut Negotiation) -> vk::Result {
    type Negotiate = unsafe extern "system" fn(*mut Negotiation) -> vk::Result;
    // SAFETY: the loader's interface defines the type of this symbol.
    let negotiate = unsafe { library().get::<Negotiate>(b"VK_LAYER_DXIL_translate_negotiate\0") };
    let negotiate = negotiate.expect("the symbol");
    // SAFETY: the pointer is null, which the layer must refuse, or refers to a valid structure.
    unsafe { negotiate(negotiation) }
}

/// Negotiates as a loader with interface version 2 does.
pub fn negotiate() -> Negotiated {
    let mut negotiation = Negotiation::new(2);
    assert_eq!(negotiate_with(&mut negotiation).as_raw(), 0);
    Negotiated {
        get_instance_proc_addr: negotiation.get_instance_proc_addr.expect("vkGetInstanceProcAddr"),
        get_device_proc_addr: negotiation.get_device_proc_addr.expect("vkGetDeviceProcAddr"),
    }
}
