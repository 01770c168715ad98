//! From a blob to SPIR-V, through the cache: what module creation and pipeline creation share.
//!
//! In: bytes that begin with `DXBC`. Out: parsed sources and emitted modules, shared between all who ask. What must hold: no
//! lock is held while parsing or translating; whatever fails is a [`Failure`] that names the blob.

use std::sync::Arc;
use std::time::Instant;

use crate::cache::{CACHE, Key, Value};
use crate::dump;
use crate::error::{BlobHash, Failure};
use crate::instance::Instance;
use crate::spirv;
use crate::stats::STATS;
use crate::translate::{self, DeviceProfile, Error, ErrorKind, Facts, PipelineLayout, Place, Plan, Shader};

/// What every DXIL (and DXBC) container begins with. SPIR-V's magic number is another in either byte order.
const MAGIC: &[u8; 4] = b"DXBC";

/// The code at a pointer, if it is a DXIL container.
///
/// # Safety
/// `code` must be null or point to `size` readable bytes.
pub unsafe fn sniff<'a>(code: *const u8, size: usize) -> Option<&'a [u8]> {
    if code.is_null() || size < MAGIC.len() {
        return None;
    }
    // SAFETY: the caller's bytes.
    let bytes = unsafe { std::slice::from_raw_parts(code, size) };
    bytes.starts_with(MAGIC).then_some(bytes)
}

/// A parsed blob.
pub struct Source {
    /// Its name.
    pub hash: BlobHash,
    /// Its front end.
    pub shader: Shader,
}

/// A translated entry point.
pub struct Emitted {
    /// The module, with the blob's hash in it.
    pub words: Vec<u32>,
    /// The entry point's name in the module.
    pub entry: String,
    /// The subgroup size that its pipeline stage must ask for.
    pub required_subgroup_size: Option<u32>,
}

/// What translation depends on besides shaders and layouts.
pub struct Context<'a> {
    /// Settings.
    pub instance: &'a Instance,
    /// What the device has enabled.
    pub profile: &'a Arc<DeviceProfile>,
}

impl Source {
    /// Parses a blob, or finds it parsed.
    ///
    /// # Errors
    /// The translator's.
    pub fn parse(bytes: &[u8], context: &Context<'_>) -> Result<Arc<Self>, Failure> {
        let hash = BlobHash::of(bytes);
        STATS.blob(bytes.len());
        let (value, made) = CACHE.get(Key::Source(hash), || {
            dump::blob(context, hash, bytes);
            Ok(Value::Source(Arc::new(Source { hash, shader: Shader::parse(bytes)? })))
        });
        if !made {
            STATS.hit();
        }
        match value {
            Ok(Value::Source(source)) => Ok(source),
            Ok(Value::Emitted(_)) => Err(Failure { blob: hash, entry: None, error: wrong_value() }),
            Err(error) => Err(Failure { blob: hash, entry: None, error }),
        }
    }

    /// A failure that concerns this blob.
    pub fn failure(&self, entry: Option<&str>, error: Error) -> Failure {
        Failure { blob: self.hash, entry: entry.map(str::to_string), error }
    }

    /// The entry point that a `pName` means: its own name, or `main` where the blob has one entry.
    ///
    /// # Errors
    /// `Malformed`, with the names there are.
    pub fn entry(&self, name: &str) -> Result<&str, Failure> {
        let entries = self.shader.entries();
        if let Some(entry) = entries.iter().find(|e| **e == name) {
            return Ok(entry);
        }
        match entries.as_slice() {
            [only] if name == "main" => Ok(only),
            _ => {
                let list = entries.iter().map(|e| format!("`{e}`")).collect::<Vec<_>>().join(", ");
                let reason = format!("the blob has no entry point of that name; it has {list}");
                Err(self.failure(Some(name), Error::new(ErrorKind::Malformed, Place::Input, reason)))
            }
        }
    }

    /// The key of a translation.
    pub fn key(&self, entry: &str, plan: &Plan, facts: Facts, context: &Context<'_>) -> Key {
        Key::Emitted {
            blob: self.hash,
            entry: entry.into(),
            plan: plan.clone(),
            profile: context.profile.clone(),
            facts,
        }
    }

    /// Translates an entry point under a plan, or finds it translated.
    ///
    /// # Errors
    /// The translator's.
    pub fn emit(&self, entry: &str, plan: &Plan, facts: Facts, context: &Context<'_>) -> Result<Arc<Emitted>, Failure> {
        let (value, made) = CACHE.get(self.key(entry, plan, facts, context), || {
            let start = Instant::now();
            let result = translate::translate(&self.shader, entry, plan, facts, context.profile);
            let time = start.elapsed();
            STATS.translation(time, result.as_ref().ok().map(|t| t.words.len() * 4));
            let words = result.as_ref().ok().map(|t| t.words.as_slice());
            dump::translation(context, self.hash, entry, (plan, facts), words);
            let translation = result?;
            log::debug!("blob {}, entry `{entry}`: {} words in {time:?}", self.hash, translation.words.len());
            Ok(Value::Emitted(Arc::new(Emitted {
                words: spirv::name_after(translation.words, self.hash),
                entry: translation.entry,
                required_subgroup_size: translation.required_subgroup_size,
            })))
        });
        if !made {
            STATS.hit();
        }
        match value {
            Ok(Value::Emitted(emitted)) => Ok(emitted),
            Ok(Value::Source(_)) => Err(self.failure(Some(entry), wrong_value())),
            Err(error) => Err(self.failure(Some(entry), error)),
        }
    }
}

/// The plans of a pipeline's stages.
///
/// # Errors
/// The translator's, named after the first stage's blob: what does not fit concerns all of them.
pub fn plan(
    stages: &[(&Source, &str)],
    layout: Option<&PipelineLayout>,
    context: &Context<'_>,
) -> Result<Vec<Plan>, Failure> {
    let inputs: Vec<_> = stages.iter().map(|(source, entry)| (&source.shader, *entry)).collect();
    let fail = |error| match stages.first() {
        Some((source, entry)) => source.failure(Some(entry), error),
        None => Failure { blob: BlobHash([0; 32]), entry: None, error },
    };
    let plans = translate::plan(&inputs, &context.instance.settings.bindings, layout, context.profile).map_err(fail)?;
    if plans.len() != stages.len() {
        return Err(fail(Error::new(ErrorKind::Bug, Place::Input, "not one plan for each stage")));
    }
    Ok(plans)
}

fn wrong_value() -> Error {
    Error::new(ErrorKind::Bug, Place::Input, "the cache holds a value of another kind")
}
