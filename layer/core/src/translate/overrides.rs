//! The setting `override_dir`: SPIR-V files that replace translations, for experiments with a
//! driver.
//!
//! In: a request and its translation. Out: the words of the file `<blob>-<n>.spv`, which is also
//! the name of the translation in `dump_dir`, or of `<blob>.spv`, which replaces all translations
//! of a blob. What must hold: a file that is not a SPIR-V module with the entry point in the
//! translation's stage causes a warning and is not used; a file is read once.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::translate::store::Emitted;
use crate::translate::{files, spirv};
use crate::translator::Request;

/// The largest shader file, in bytes.
const FILE_BYTES: u64 = 64 << 20;

/// The folder of the setting `override_dir`, and the replacements read from it.
pub struct Overrides {
    dir: PathBuf,
    found: Mutex<HashMap<Arc<Request>, Option<Arc<Emitted>>>>,
}

impl Overrides {
    /// Overrides from a folder.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir, found: Mutex::default() }
    }

    /// The replacement of a translation; `None` if the folder has none.
    pub fn get(&self, request: &Arc<Request>, translated: &Emitted) -> Option<Arc<Emitted>> {
        if let Some(found) = self.found.lock().get(request) {
            return found.clone();
        }
        let found = self.read(request, translated).map(Arc::new);
        self.found.lock().insert(request.clone(), found.clone());
        found
    }

    fn read(&self, request: &Request, translated: &Emitted) -> Option<Emitted> {
        let names = [files::name_and_text(request).0, request.blob.short()];
        let path = names.map(|name| self.dir.join(format!("{name}.spv"))).into_iter().find(|path| path.is_file())?;
        match words(&path)
            .and_then(|words| spirv::check_entry(&words, &translated.stage.entry, &translated.words).map(|()| words))
        {
            Ok(words) => {
                log::info!("override_dir: {} replaces entry `{}` of its blob", path.display(), request.entry_name);
                Some(Emitted { words, name_at: None, stage: translated.stage.clone() })
            }
            Err(reason) => {
                log::warn!("override_dir: {} is not used: {reason}", path.display());
                None
            }
        }
    }
}

/// Reads the words of a file.
fn words(path: &Path) -> Result<Vec<u32>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(format!("it has more than {FILE_BYTES} bytes"));
    }
    if !bytes.len().is_multiple_of(4) {
        return Err(format!("its length of {} bytes is not a multiple of 4", bytes.len()));
    }
    Ok(bytes.chunks_exact(4).filter_map(|word| word.try_into().ok().map(u32::from_le_bytes)).collect())
}
