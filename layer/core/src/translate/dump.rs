//! The setting `dump_dir`: files from which a translation can be repeated outside the application.
//!
//! In: a request and its result. Out: `<blob>.dxil`, and per translation `<blob>-<n>.request` and
//! `.spv`, where `n` is a hash of the request's text. `dxil2spv --request` repeats it. What must
//! hold: a translation has the same file names on every run, and different translations have
//! different ones; a file is complete or absent, even if the process is killed; no link is
//! followed; the total size of the files of one process is bounded; a file that cannot be written
//! causes a warning and no failure.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use dxil_capture::folder::write_whole;
use parking_lot::Mutex;

use crate::translate::files;
use crate::translate::pdb::PdbDigest;
use crate::translator::{BlobDigest, Request};

/// The folder of the setting `dump_dir`, and the files written to it.
pub struct Dump {
    dir: PathBuf,
    /// The largest number of bytes to write.
    bound: u64,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    blobs: HashSet<BlobDigest>,
    /// With the PDB of the blob.
    requests: HashSet<(Arc<Request>, Option<PdbDigest>)>,
    bytes: u64,
    full: bool,
}

impl Dump {
    /// A dump into a folder, which is created when it is needed. `bound` is in bytes.
    pub fn new(dir: PathBuf, bound: u64) -> Self {
        Self { dir, bound, written: Mutex::default() }
    }

    /// Writes a blob, unless it is already written.
    pub fn blob(&self, digest: BlobDigest, bytes: &[u8]) {
        if self.written.lock().blobs.insert(digest) {
            self.write(&format!("{}.dxil", digest.short()), bytes);
        }
    }

    /// Writes a request, and the words of its translation if it succeeded, unless they are already
    /// written. The translation may come from the cache and be older than this dump. With another
    /// PDB, it replaces the files of the one before.
    pub fn translation(
        &self,
        request: &Arc<Request>,
        pdb: Option<PdbDigest>,
        words: impl FnOnce() -> Option<Vec<u32>>,
    ) {
        if !self.written.lock().requests.insert((request.clone(), pdb)) {
            return;
        }
        let (name, text) = files::name_and_text(request);
        // A request without words means that its translation failed.
        if let Some(words) = words() {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            self.write(&format!("{name}.spv"), &bytes);
        }
        self.write(&format!("{name}.request"), text.as_bytes());
    }

    /// Writes a file, if the bound allows it.
    fn write(&self, name: &str, bytes: &[u8]) {
        let dir = self.dir.display();
        {
            let mut written = self.written.lock();
            let after = written.bytes.saturating_add(bytes.len() as u64);
            if written.full || after > self.bound {
                if !std::mem::replace(&mut written.full, true) {
                    log::warn!(
                        "dump_dir {dir}: {name} and what follows is not written, because the files would exceed {} MiB \
                         (setting dump_mb)",
                        self.bound >> 20
                    );
                }
                return;
            }
            written.bytes = after;
        }
        if let Err(error) = fs::create_dir_all(&self.dir).and_then(|()| write_whole(&self.dir, name, bytes)) {
            log::warn!("dump_dir {dir}: cannot write {name}: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dxil_test_support::TempFolder;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = TempFolder::new("link");
        let victim = folder.join("victim");
        fs::write(&victim, "precious").unwrap();
        let digest = BlobDigest([7; 32]);
        let target = folder.join(format!("{}.dxil", digest.short()));
        std::os::unix::fs::symlink(&victim, &target).unwrap();
        Dump::new(folder.to_owned(), 1 << 20).blob(digest, b"blob");
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read(&target).unwrap(), b"blob");
        assert!(!fs::symlink_metadata(&target).unwrap().is_symlink());
        assert_eq!(names(&folder).len(), 2, "no temporary file is left");
    }

    #[test]
    fn the_bound_holds() {
        let folder = TempFolder::absent("bound");
        let dump = Dump::new(folder.to_owned(), 1000);
        for n in 0..10 {
            dump.blob(BlobDigest([n; 32]), &[n; 300]);
        }
        assert_eq!(names(&folder).len(), 3);
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_not_a_failure() {
        Dump::new("/proc/no/such/folder".into(), 1000).blob(BlobDigest([1; 32]), b"blob");
    }
}
