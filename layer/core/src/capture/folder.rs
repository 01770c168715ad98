//! The folder of the setting `capture_dir`.
//!
//! In: code, requests, records. Out: files. What must hold: the code, the requests and the device
//! of a record are written before the record. After the first write error nothing more is written,
//! so that the capture has no record without its code, and the log has one warning.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use dxil_capture::Digest;
use dxil_capture::folder::{NotWritten, Writer};
use dxil_capture::model::{Application, Device, Record};
use parking_lot::Mutex;

/// A proof that this build has captures. Without the cargo feature it has no value, so that the
/// compiler drops what only captures reach.
#[cfg(feature = "captures")]
pub type Built = ();
#[cfg(not(feature = "captures"))]
pub type Built = std::convert::Infallible;

#[cfg(feature = "captures")]
const BUILT: Option<Built> = Some(());
#[cfg(not(feature = "captures"))]
const BUILT: Option<Built> = None;

/// The capture folder of an instance, and the instance data for its records.
pub struct Folder {
    /// The extensions of the instance that the application enabled.
    pub extensions: Vec<String>,
    /// What the application says of itself.
    pub application: Option<Application>,
    pub(super) built: Built,
    writer: Writer,
    ended: AtomicBool,
    /// The names of the files that this instance has written, which saves file system queries.
    written: Mutex<HashSet<Digest>>,
}

impl Folder {
    /// A folder, which is created when it is needed; `None` in a build without captures. `bound` is
    /// in bytes.
    pub fn new(dir: PathBuf, bound: u64, extensions: Vec<String>, application: Option<Application>) -> Option<Self> {
        let (writer, ended, written) = (Writer::new(dir, bound), AtomicBool::new(false), Mutex::default());
        BUILT.map(|built| Self { extensions, application, built, writer, ended, written })
    }

    /// Adds a DXIL container of this digest.
    pub fn dxil(&self, digest: Digest, bytes: &[u8]) {
        self.once(digest, |writer| writer.dxil(bytes));
    }

    /// Adds a SPIR-V module of this digest.
    pub fn spirv(&self, digest: Digest, bytes: &[u8]) {
        self.once(digest, |writer| writer.spirv(bytes));
    }

    /// Adds the text of a request and returns its digest.
    pub fn request(&self, text: &str) -> Digest {
        let digest = Digest::new(text.as_bytes());
        self.once(digest, |writer| writer.request(text));
        digest
    }

    /// Adds a device; `None` if it was not written.
    pub fn device(&self, device: &Device) -> Option<Digest> {
        self.write(|writer| writer.device(device))
    }

    /// Adds a record. Its code and requests must have been added.
    pub fn record(&self, record: &Record) {
        self.write(|writer| writer.record(record));
    }

    /// Writes a warning about the folder to the log, unless the capture has ended.
    pub fn warn(&self, text: &str) {
        if !self.ended.load(Relaxed) {
            log::warn!("capture_dir {}: {text}", self.writer.dir().display());
        }
    }

    /// Adds the file with this digest, unless this instance has already written it.
    fn once(&self, digest: Digest, add: impl FnOnce(&Writer) -> Result<Digest, NotWritten>) {
        if self.written.lock().contains(&digest) {
            return;
        }
        // Another thread may write the same file concurrently. The name is recorded after the
        // write, so that no record is written before its code.
        if self.write(add).is_some() {
            self.written.lock().insert(digest);
        }
    }

    fn write(&self, add: impl FnOnce(&Writer) -> Result<Digest, NotWritten>) -> Option<Digest> {
        if self.ended.load(Relaxed) {
            return None;
        }
        let error = match add(&self.writer) {
            Ok(digest) => return Some(digest),
            Err(error) => error,
        };
        if !self.ended.swap(true, Relaxed) {
            let dir = self.writer.dir().display();
            let hint = if matches!(error, NotWritten::Full(_)) { " (setting capture_mb)" } else { "" };
            log::warn!("capture_dir {dir}: {error}{hint}; this instance captures nothing more");
        }
        None
    }
}
