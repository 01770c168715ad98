//! A converter: one translation, from options and callbacks to words.
//!
//! In: a parsed blob, and calls that describe the translation. Out: words. What must hold: the blob
//! may be freed before the converter; words that were given live until the converter is freed; a
//! call that comes while another thread or a callback is inside the converter is refused.

use std::ffi::{CString, c_char};
use std::sync::{Mutex, MutexGuard, TryLockError};

use dxil_translator::{EntryId, Shader, ShaderStage, translate};

use crate::abi::{Code, CompiledSpirv, NONE};
use crate::blob::{ParsedBlob, ShaderBytes};
use crate::border::{self, Answer, Failure};
use crate::links::Links;
use crate::log;
use crate::original::{Call, ForeignBlob, ForeignConverter, Handle, Original, original};
use crate::record::ShaderRecord;
use crate::remap::{Places, Remappers};
use crate::settings::Settings;

/// The name of the entry point in the words.
const ENTRY: &str = "main";

/// `dxil_spv_converter`.
pub struct Converter {
    /// The shader; `None` if it is the original library's.
    shader: Option<Shader>,
    source: ShaderBytes,
    state: Mutex<State>,
}

/// What the calls have said so far.
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
    /// The first location of patch constants that a domain shader was given.
    pub patch_location: u32,
    /// What went wrong in a call that has no result.
    failure: Option<Failure>,
    /// An option that is refused here, and that the original library may know.
    refusal: Option<Failure>,
    /// The words of each run. Those of an earlier run may still be in use.
    outputs: Vec<Box<[u32]>>,
    name: CString,
    /// The calls, if there is an original library that may have to hear them.
    calls: Vec<Call>,
    /// The converters of the original library, with their blobs. The last one has the words, if the
    /// last run was there.
    foreign: Vec<ForeignConverter>,
    blobs: Vec<ForeignBlob>,
    is_foreign: bool,
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
            refusal: None,
            outputs: Vec::new(),
            name: CString::new(ENTRY).unwrap_or_default(),
            calls: Vec::new(),
            foreign: Vec::new(),
            blobs: Vec::new(),
            is_foreign: false,
        };
        let shader = match blob.foreign() {
            Some(_) => None,
            None => Some(blob.shader()?.clone()),
        };
        Ok(Self { shader, source: blob.source().clone(), state: Mutex::new(state) })
    }

    /// The state.
    ///
    /// # Errors
    /// `Generic` while another call is inside the converter.
    pub fn state(&self) -> Answer<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            // A panic was reported already. The state is data that each call replaces as a whole.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Failure::new(
                Code::Generic,
                "another call is inside the converter, in a thread or above a callback",
            )),
        }
    }

    /// Changes the state by a call that has no result. Its failure is that of the translation.
    ///
    /// # Errors
    /// Another call is inside the converter; that of `change`.
    pub fn change(&self, change: impl FnOnce(&mut State) -> Answer) -> Answer {
        let mut state = self.state()?;
        let changed = change(&mut state);
        if let Err(failure) = changed {
            state.failure.get_or_insert(failure);
        }
        Ok(())
    }

    /// Keeps a call for the original library, if there is one that may take the shader.
    ///
    /// # Errors
    /// Those of [`state`](Self::state).
    pub fn record(&self, call: impl Fn(&Original, Handle) + 'static) -> Answer {
        if self.may_forward() {
            self.state()?.calls.push(Box::new(call));
        }
        Ok(())
    }

    /// Whether the original library takes the shader, or may take it.
    pub fn may_forward(&self) -> bool {
        self.source.may_forward
    }

    /// The shader and its entry point.
    ///
    /// # Errors
    /// Those of [`Shader::find_entry`]; `NoData` for a shader of the original library.
    pub fn entry(&self, state: &State) -> Answer<(&Shader, EntryId)> {
        let shader = self.shader.as_ref().ok_or_else(Failure::no_data)?;
        Ok((shader, shader.find_entry(state.entry.as_deref())?))
    }

    /// Translates, here or in the original library.
    ///
    /// # Errors
    /// Those of the translator, with the hash of the shader; or of the original library.
    pub fn run(&self) -> Answer {
        let mut state = self.state()?;
        let words = match self.shader {
            Some(_) => self.words(&mut state),
            None => Err(Failure::new(Code::Parser, self.source.reason.clone())),
        };
        let failure = match words {
            Ok(words) => {
                state.is_foreign = false;
                state.outputs.push(words.into_boxed_slice());
                return Ok(());
            }
            Err(failure) => failure.with_subject(&self.source.name()),
        };
        let (true, Some(library)) = (self.may_forward(), original()) else { return Err(failure) };
        let blob = ForeignBlob::parse(library, self.source.bytes()).map_err(Failure::from_original)?;
        let converter = ForeignConverter::run(&blob, &state.calls);
        let converter = converter.map_err(|code| Failure::from_original(code).or(failure.message()))?;
        let number = library.forwarded();
        log::warn(&format!("{}; forwarded to the original library, which has translated {number}", failure.message()));
        state.foreign.push(converter);
        state.blobs.push(blob);
        state.is_foreign = true;
        Ok(())
    }

    fn words(&self, state: &mut State) -> Answer<Vec<u32>> {
        if let Some(failure) = state.failure.take() {
            return Err(failure);
        }
        if let Some(refusal) = &state.refusal {
            return Err(refusal.clone());
        }
        let (shader, id) = self.entry(state)?;
        let entry = shader.entry(id).ok_or_else(Failure::no_data)?;
        if self.may_forward() {
            state.settings.leave_views(entry)?;
        }
        let linked = state.links.resolve(shader, id, entry)?;
        let places = Places {
            remappers: &state.remappers,
            settings: &state.settings,
            record: &state.record,
            descriptors: state.descriptors,
            words: state.words,
        };
        let plan = places.plan(shader, id)?;
        let mut options = state.settings.translation(entry);
        options.entry_point_name = Some(ENTRY.into());
        options.pipeline.mesh_outputs = linked.mesh_outputs;
        options.pipeline.stream_output = linked.stream_output;
        // The program gives a domain shader the answer for its hull shader.
        options.pipeline.patch_location = match entry.stage {
            ShaderStage::Domain => Some(state.patch_location).filter(|&location| location != NONE),
            _ => shader.patch_location(id),
        };
        Ok(translate(shader, id, &plan, &options)?.words)
    }
}

impl State {
    /// The converter of the original library, if the last run was there.
    pub fn foreign(&self) -> Option<&ForeignConverter> {
        self.foreign.last().filter(|_| self.is_foreign)
    }

    /// Keeps a refusal for all runs, where the original library may take the shader.
    pub fn refuse(&mut self, failure: Failure) {
        self.refusal.get_or_insert(failure);
    }

    /// The words of the last run.
    ///
    /// # Errors
    /// `NoData` if nothing was translated.
    pub fn compiled(&self) -> Answer<CompiledSpirv> {
        if let Some(ForeignConverter { library, handle }) = self.foreign() {
            let mut compiled = CompiledSpirv { data: std::ptr::null(), size: 0 };
            border::original(library.converter_get_compiled_spirv(*handle, &mut compiled))?;
            return Ok(compiled);
        }
        let words = self.outputs.last().ok_or_else(Failure::no_data)?;
        Ok(CompiledSpirv { data: words.as_ptr().cast(), size: size_of_val(&**words) })
    }

    /// The name of the entry point in the words.
    pub fn name(&self) -> *const c_char {
        self.name.as_ptr()
    }
}
