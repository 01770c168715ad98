//! Libraries as one module: `translate_library` for every container of a fixture.
//!
//! In: a fixture, and the folder into which the layer dumped the translations of its pipelines.
//! Out: the code of every stage, where each container is one SPIR-V module with all entry points
//! that the pipelines use, and their names in that module. What must hold: plans and options are
//! those of the layer's translations, so that only the way to a module differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dxil_translator::{BlobDigest, PlannedEntry, Request, Shader, translate_library};

use crate::error::{Error, Result};
use crate::run::Code;
use crate::spec::{Fixture, Pass, Stage};

/// Whether a stage is a DXIL library with several entry points.
#[must_use]
pub fn has_several_entries(stage: &Stage) -> bool {
    stage.is_library() && !stage.spirv && stage.entries.len() > 1
}

/// Translates every DXIL container of a fixture to one module.
///
/// # Errors
/// If a file cannot be read, if the layer translated an entry point of a container under two plans
/// or the entry points under different options, or if the translation fails.
pub fn modules<'f>(fixture: &'f Fixture, dump: &Path) -> Result<Vec<Code<'f>>> {
    fixture.stages().map(|(pass, stage)| module(fixture, pass, stage, dump)).collect()
}

fn module<'f>(fixture: &'f Fixture, pass: &Pass, stage: &'f Stage, dump: &Path) -> Result<Code<'f>> {
    let path = fixture.code_path(pass, stage, if stage.spirv { "spv" } else { "dxil" });
    let wrong = |what: String| Error::Wrong(format!("{}: {what}", path.display()));
    let bytes = fs::read(&path).map_err(|e| wrong(e.to_string()))?;
    if stage.spirv {
        return Ok(Code::new(stage, &bytes));
    }
    let shader = Shader::parse(&bytes).map_err(|e| wrong(e.to_string()))?;
    let requests = requests(dump, BlobDigest::from_bytes(&bytes), &shader).map_err(wrong)?;
    let mut entries = BTreeMap::new();
    for request in &requests {
        if entries.insert(request.entry, &request.plan).is_some() {
            return Err(wrong(format!("the layer translated `{}` under two plans", request.entry_name)));
        }
    }
    let options = match &requests[..] {
        [] => return Err(wrong("the layer dumped no translation".into())),
        [first, rest @ ..] if rest.iter().all(|request| request.options == first.options) => &first.options,
        _ => return Err(wrong("the layer translated the entry points under different options".into())),
    };
    let entries: Vec<_> = entries.into_iter().map(|(entry, plan)| PlannedEntry::new(entry, plan)).collect();
    let translated = translate_library(&shader, &entries, options).map_err(|e| wrong(e.to_string()))?;
    let bytes: Vec<u8> = translated.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut code = Code::new(stage, &bytes);
    for (planned, reflection) in entries.iter().zip(&translated.reflections) {
        let plain = shader.entry(planned.entry).map_or("", |entry| entry.plain_name());
        code.rename(plain, &reflection.entry);
    }
    Ok(code)
}

/// The requests of one container, in the order of their files.
fn requests(dump: &Path, digest: BlobDigest, shader: &Shader) -> std::result::Result<Vec<Request>, String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dump).map_err(|e| format!("{}: {e}", dump.display()))? {
        paths.push(entry.map_err(|e| format!("{}: {e}", dump.display()))?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "request"));
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        if Request::blob_of(&text).map_err(|e| e.to_string())? == digest {
            found.push(Request::parse(&text, shader).map_err(|e| e.to_string())?);
        }
    }
    Ok(found)
}
