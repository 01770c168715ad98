//! A converter: one translation, from options and callbacks to words.
//!
//! In: a parsed blob, and calls that describe the translation. Out: words. What must hold: the blob may
//! be freed before the converter; words that were given live until the converter is freed; a call that
//! comes while another thread or a callback is inside the converter is refused.

use std::ffi::{CString, c_char};
use std::sync::{Mutex, MutexGuard, TryLockError};

use dxil_translator::{EntryId, Shader, translate};

use crate::abi::{Code, CompiledSpirv, NONE};
use crate::blob::ParsedBlob;
use crate::border::{Answer, Failure};
use crate::entry_name;
use crate::links::{Links, PATCH_LOCATION};
use crate::record::ShaderRecord;
use crate::remap::{Places, Remappers};
use crate::settings::Settings;

/// The name of the entry point in the words.
const ENTRY: &str = "main";

/// `dxil_spv_converter`.
#[derive(Debug)]
pub struct Converter {
    shader: Shader,
    hash: String,
    state: Mutex<State>,
}

/// What the calls have said so far.
#[derive(Debug)]
pub struct State {
    /// The name of the entry point; without one, the only entry point.
    pub entry: Option<String>,
    /// The options.
    pub settings: Settings,
    /// The callbacks for resources.
    pub remappers: Remappers,
    /// The callbacks for inputs and outputs.
    pub links: Links,
    /// The local root signature.
    pub record: ShaderRecord,
    /// The number of root descriptors.
    pub descriptors: u32,
    /// The words of the root block after the root descriptors.
    pub words: u32,
    /// The first location of patch constants that a domain shader was told.
    pub patch_location: u32,
    /// What went wrong in a call that has no result.
    failure: Option<Failure>,
    /// The words of each run. Those of an earlier run may still be in use.
    outputs: Vec<Box<[u32]>>,
    name: CString,
}

impl Converter {
    /// A converter for a blob.
    ///
    /// # Errors
    /// `InvalidArgument` for a blob of names.
    pub fn new(blob: &ParsedBlob) -> Answer<Self> {
        let state = State {
            entry: None,
            settings: Settings::new(),
            remappers: Remappers::default(),
            links: Links::default(),
            record: ShaderRecord::default(),
            descriptors: 0,
            words: 0,
            patch_location: NONE,
            failure: None,
            outputs: Vec::new(),
            name: CString::new(ENTRY).unwrap_or_default(),
        };
        Ok(Self { shader: blob.shader()?.clone(), hash: blob.hash().to_owned(), state: Mutex::new(state) })
    }

    /// The state.
    ///
    /// # Errors
    /// `Generic` while another call is inside the converter.
    pub fn state(&self) -> Answer<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            // A panic was told already. The state is data that each call replaces as a whole.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Failure::new(
                Code::Generic,
                "another call is inside the converter, in a thread or above a callback",
            )),
        }
    }

    /// Changes the state by a call that has no result. Its failure is that of the translation.
    pub fn change(&self, change: impl FnOnce(&mut State) -> Answer) -> Answer {
        let mut state = self.state()?;
        let changed = change(&mut state);
        if let Err(failure) = changed {
            state.failure.get_or_insert(failure);
        }
        Ok(())
    }

    /// The shader and its entry point.
    ///
    /// # Errors
    /// Those of [`Shader::find_entry`].
    pub fn entry(&self, state: &State) -> Answer<(&Shader, EntryId)> {
        Ok((&self.shader, self.shader.find_entry(state.entry.as_deref())?))
    }

    /// Translates.
    ///
    /// # Errors
    /// Those of the translator, with the hash of the shader.
    pub fn run(&self) -> Answer {
        let mut state = self.state()?;
        let words = self.words(&mut state).map_err(|failure| failure.of(&format!("shader {}", self.hash)))?;
        state.outputs.push(words.into_boxed_slice());
        Ok(())
    }

    fn words(&self, state: &mut State) -> Answer<Vec<u32>> {
        if let Some(failure) = state.failure.take() {
            return Err(failure);
        }
        let (shader, id) = self.entry(state)?;
        let entry = shader.entry(id).ok_or_else(Failure::no_data)?;
        if ![NONE, PATCH_LOCATION].contains(&state.patch_location) {
            let location = state.patch_location;
            let message = format!("patch constants begin at location {location}; expected {PATCH_LOCATION}");
            return Err(Failure::new(Code::UnsupportedFeature, message));
        }
        let mesh_outputs = state.links.resolve(shader, id, entry)?;
        let places = Places {
            remappers: &state.remappers,
            settings: &state.settings,
            record: &state.record,
            descriptors: state.descriptors,
            words: state.words,
        };
        let plan = places.plan(shader, id)?;
        let mut options = state.settings.translation(entry);
        options.pipeline.mesh_outputs = mesh_outputs;
        let translation = translate(shader, id, &plan, &options)?;
        Ok(entry_name::rename(&translation.words, ENTRY))
    }
}

impl State {
    /// The words of the last run.
    ///
    /// # Errors
    /// `NoData` if nothing was translated.
    pub fn compiled(&self) -> Answer<CompiledSpirv> {
        let words = self.outputs.last().ok_or_else(Failure::no_data)?;
        Ok(CompiledSpirv { data: words.as_ptr().cast(), size: size_of_val(&**words) })
    }

    /// The name of the entry point in the words.
    pub fn name(&self) -> *const c_char {
        self.name.as_ptr()
    }
}
