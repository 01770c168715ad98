//! The setting `validate`: SPIRV-Tools' validator checks modules before the driver gets them.
//!
//! In: a request, and its module. Out: an error for a module that is not valid for the request's
//! device. What must hold: a module is validated once. The validator is in the library only with
//! the cargo feature `validate`, because it is C++ and as large as the rest of the library.
//!
//! The layer uses the library and not the program `spirv-val`, because a layer must not start
//! processes in an application, and so that the version is the one of the project's tests.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::translate::pdb::PdbDigest;
use crate::translate::store::Emitted;
use crate::translator::{DeviceProfile, Error, ErrorKind, Place, Request};

/// A request, and the PDB of its blob.
type Translated = (Arc<Request>, Option<PdbDigest>);

/// The validator of one instance, and its results.
pub struct Validator {
    verdicts: Mutex<HashMap<Translated, Result<(), Error>>>,
    validate: fn(&[u32], &DeviceProfile) -> Result<(), String>,
}

impl Validator {
    /// The validator; `None` if this library was built without it.
    pub fn new() -> Option<Self> {
        #[cfg(feature = "validate")]
        return Some(Self::with(crate::translate::seam::validate));
        #[cfg(not(feature = "validate"))]
        None
    }

    /// A validator with the results of this function.
    #[cfg(any(feature = "validate", test))]
    fn with(validate: fn(&[u32], &DeviceProfile) -> Result<(), String>) -> Self {
        Self { verdicts: Mutex::default(), validate }
    }

    /// Validates the module of a request, unless that is already done.
    ///
    /// # Errors
    /// `Bug` for a translation, `Malformed` for a file of `override_dir`.
    pub fn check(&self, request: &Arc<Request>, pdb: Option<PdbDigest>, module: &Emitted) -> Result<(), Error> {
        let key = (request.clone(), pdb);
        if let Some(verdict) = self.verdicts.lock().get(&key) {
            return verdict.clone();
        }
        let profile = &request.options.profile;
        let verdict = (self.validate)(&module.words, profile).map_err(|reason| {
            let (kind, what) = match module.name_at {
                Some(_) => (ErrorKind::Bug, "its translation"),
                None => (ErrorKind::Malformed, "the file of override_dir that replaces its translation"),
            };
            let (major, minor) = profile.api;
            let text = format!("{what} is not valid SPIR-V for Vulkan {major}.{minor} (setting validate): {reason}");
            Error::new(kind, Place::Input, text)
        });
        self.verdicts.lock().insert(key, verdict.clone());
        verdict
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;
    use crate::translate::context::Context;
    use crate::translate::module::Module;
    use crate::translate::store::Store;
    use crate::translator::{BindingOptions, CodeOptions, VULKAN_1_1_FLOOR};

    /// A compute shader with one resource, which can be bound without a pipeline layout.
    fn shader() -> Vec<u8> {
        dxil_test_support::fixture("buffer/raw_read_write.dxil")
    }

    /// Makes a shader module of the shader, and returns its words.
    fn module(validator: &Validator) -> Result<Vec<u32>, String> {
        let mut bindings = BindingOptions::default();
        bindings.shifts = "t=100,u=200".parse().unwrap();
        let context = Context {
            bindings: &bindings,
            signatures: Default::default(),
            map: None,
            code: CodeOptions::default(),
            profile: &Arc::new(VULKAN_1_1_FLOOR),
            pdb_path: None,
            dump: None,
            overrides: None,
            validator: Some(validator),
            store: &Store::default(),
            scope: None,
        };
        let (module, emitted) =
            Module::new(&shader(), Default::default(), &context).map_err(|failure| failure.to_string())?;
        Ok(module.words(emitted.as_deref()).into_owned())
    }

    #[test]
    fn what_the_validator_refuses_is_an_error() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let validator = Validator::with(|_, _| {
            CALLS.fetch_add(1, Relaxed);
            Err("error:7:0 - a fault".into())
        });
        for _ in 0..2 {
            let Err(text) = module(&validator) else { panic!("accepted") };
            let expected = "its translation is not valid SPIR-V for Vulkan 1.1 (setting validate): error:7:0 - a fault";
            assert!(text.contains(expected), "{text}");
        }
        assert_eq!(CALLS.load(Relaxed), 1, "a module is validated once");
        assert!(module(&Validator::with(|_, _| Ok(()))).is_ok());
    }

    #[cfg(feature = "validate")]
    #[test]
    fn spirv_tools_finds_an_invalid_module() {
        assert!(module(&Validator::new().unwrap()).is_ok());
        let validator = Validator::new().unwrap();
        let words = module(&validator).unwrap();
        assert_eq!(crate::translate::seam::validate(&words, &VULKAN_1_1_FLOOR), Ok(()));
        // The bound of ids is too small then.
        let mut damaged = words.clone();
        damaged[3] = 2;
        let error = crate::translate::seam::validate(&damaged, &VULKAN_1_1_FLOOR).unwrap_err();
        assert!(error.contains("bound"), "{error}");
    }

    #[cfg(not(feature = "validate"))]
    #[test]
    fn the_shipped_library_has_no_validator() {
        assert!(Validator::new().is_none());
    }
}
