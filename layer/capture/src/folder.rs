//! The folder of a capture.
//!
//! ```text
//! blobs/<digest>.dxil         DXIL containers
//! blobs/<digest>.spv          SPIR-V modules of the same pipelines
//! requests/<digest>.request   texts of translation requests, for `dxil2spv --request`
//! devices/<digest>.json       devices
//! pipelines/<digest>-<device>.json   records; <device> is the beginning of the device's digest
//! ```
//!
//! In: records and code. Out: the same. What must hold: a file is complete or absent, even if its
//! writer is killed; a writer follows no link; what one [`Writer`] adds stays below its bound; a
//! reader allocates at most [`FILE_BYTES`] for a file and refuses JSON beyond [`JSON_BYTES`], which
//! a writer does not write either; an unusable file is a [`Fault`] that concerns that file alone.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::{fmt, str};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::digest::Digest;
use crate::model::{Device, Record};

/// The largest file that a reader takes, in bytes: the translator's largest input.
pub const FILE_BYTES: u64 = 64 << 20;

/// The largest record or device, in bytes. A parsed record can take about 20 times the memory of
/// its text: an absent set of a layout is `null,` in the text and 80 bytes in memory. The record of
/// a ray-tracing pipeline with 10,000 shaders and as many groups has about 4 MiB, others a few KiB.
pub const JSON_BYTES: u64 = 8 << 20;

/// Why a file of a capture was not written.
#[derive(Debug)]
pub enum NotWritten {
    /// The files would exceed the writer's bound, in bytes.
    Full(u64),
    /// The text of this record or device is larger than [`JSON_BYTES`], so readers refuse it.
    Large(usize),
    /// An I/O error for this file.
    Io(PathBuf, io::Error),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(bound) => write!(f, "the files would exceed {} MiB", bound >> 20),
            Self::Large(size) => {
                write!(f, "the text has {size} bytes, and readers take {} MiB", JSON_BYTES >> 20)
            }
            Self::Io(path, error) => write!(f, "cannot write {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for NotWritten {}

/// Adds to a capture. Several writers may add to one folder, in several processes too.
pub struct Writer {
    dir: PathBuf,
    bound: u64,
    bytes: AtomicU64,
}

impl Writer {
    /// A writer into a folder, which is created when it is needed. `bound` is in bytes.
    pub fn new(dir: PathBuf, bound: u64) -> Self {
        Self { dir, bound, bytes: AtomicU64::new(0) }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Adds a DXIL container.
    ///
    /// # Errors
    /// See [`NotWritten`]; the same holds for the methods below.
    pub fn dxil(&self, bytes: &[u8]) -> Result<Digest, NotWritten> {
        self.named("blobs", "dxil", bytes)
    }

    /// Adds a SPIR-V module.
    ///
    /// # Errors
    /// As above.
    pub fn spirv(&self, bytes: &[u8]) -> Result<Digest, NotWritten> {
        self.named("blobs", "spv", bytes)
    }

    /// Adds the text of a request.
    ///
    /// # Errors
    /// As above.
    pub fn request(&self, text: &str) -> Result<Digest, NotWritten> {
        self.named("requests", "request", text.as_bytes())
    }

    /// Adds a device.
    ///
    /// # Errors
    /// As above.
    pub fn device(&self, device: &Device) -> Result<Digest, NotWritten> {
        self.named("devices", "json", &text_of(device)?)
    }

    /// Adds a record and returns the name of its pipeline. The files that it refers to should exist
    /// already, so that an interrupted capture has no record without its code.
    ///
    /// # Errors
    /// As above.
    pub fn record(&self, record: &Record) -> Result<Digest, NotWritten> {
        let digest = record.pipeline.digest();
        let name = match &record.device {
            Some(device) => format!("{digest}-{}.json", device.short()),
            None => format!("{digest}.json"),
        };
        self.add("pipelines", &name, &text_of(record)?)?;
        Ok(digest)
    }

    fn named(&self, folder: &str, ending: &str, bytes: &[u8]) -> Result<Digest, NotWritten> {
        let digest = Digest::new(bytes);
        self.add(folder, &format!("{digest}.{ending}"), bytes)?;
        Ok(digest)
    }

    /// Adds a file, unless one of that name is there.
    fn add(&self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), NotWritten> {
        let folder = self.dir.join(folder);
        let path = folder.join(name);
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return Ok(());
        }
        let size = bytes.len() as u64;
        let reserved = self
            .bytes
            .fetch_update(Relaxed, Relaxed, |before| before.checked_add(size).filter(|after| *after <= self.bound));
        if reserved.is_err() {
            return Err(NotWritten::Full(self.bound));
        }
        let written = fs::create_dir_all(&folder).and_then(|()| write_whole(&folder, name, bytes));
        written.map_err(|error| NotWritten::Io(path, error))
    }
}

/// Writes a file atomically: under an unused temporary name, which is then renamed. A rename
/// replaces a link of that name instead of following it.
///
/// # Errors
/// The I/O error.
pub fn write_whole(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let temporary = dir.join(format!(".{name}.{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Relaxed)));
    let write = |mut file: File| file.write_all(bytes).and_then(|()| file.flush());
    let result = File::create_new(&temporary).and_then(write).and_then(|()| fs::rename(&temporary, dir.join(name)));
    if result.is_err() {
        // An incomplete temporary file has no use.
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// The text of a record, indented for readers.
fn text_of(record: &impl Serialize) -> Result<Vec<u8>, NotWritten> {
    // Every type in a record can be expressed in JSON.
    let mut text = serde_json::to_vec_pretty(record).unwrap_or_default();
    text.push(b'\n');
    if text.len() as u64 > JSON_BYTES { Err(NotWritten::Large(text.len())) } else { Ok(text) }
}

/// A file of a capture that cannot be used.
#[derive(Debug)]
pub struct Fault {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for Fault {}

/// Reads a capture.
pub struct Capture {
    dir: PathBuf,
    records: Vec<(Digest, PathBuf)>,
}

impl Capture {
    /// Lists the records of a folder, in the order of their names.
    ///
    /// # Errors
    /// A fault if the folder is no capture or cannot be read.
    pub fn open(dir: &Path) -> Result<Self, Fault> {
        let folder = dir.join("pipelines");
        let fault = |error: io::Error| Fault {
            path: folder.clone(),
            what: format!("{error}; a capture has a folder `pipelines` (setting `capture_dir`, or `dxil-lab synth`)"),
        };
        let mut records = Vec::new();
        for file in fs::read_dir(&folder).map_err(fault)? {
            let path = file.map_err(fault)?.path();
            // Other names are unfinished or foreign files.
            if let Some(digest) = digest_in(&path) {
                records.push((digest, path));
            }
        }
        records.sort();
        Ok(Self { dir: dir.to_owned(), records })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records, in the order of their pipelines' names. The iterator reads each one lazily.
    pub fn records(&self) -> impl Iterator<Item = (Digest, Result<Record, Fault>)> + '_ {
        self.records.iter().map(|(digest, path)| (*digest, record(*digest, path)))
    }

    /// The names of the pipelines, sorted, without duplicates.
    pub fn names(&self) -> impl Iterator<Item = Digest> + '_ {
        self.records.chunk_by(|a, b| a.0 == b.0).filter_map(|same| same.first()).map(|(digest, _)| *digest)
    }

    /// Whether the capture had a record of this pipeline when it was opened.
    pub fn has(&self, pipeline: Digest) -> bool {
        self.records.binary_search_by_key(&pipeline, |(digest, _)| *digest).is_ok()
    }

    /// The record of a pipeline: the first, if several devices have it.
    ///
    /// # Errors
    /// A fault if there is none, or it cannot be used.
    pub fn record(&self, pipeline: Digest) -> Result<Record, Fault> {
        let at = self.records.partition_point(|(digest, _)| *digest < pipeline);
        match self.records.get(at).filter(|(digest, _)| *digest == pipeline) {
            Some((_, path)) => record(pipeline, path),
            None => Err(Fault { path: self.dir.join("pipelines"), what: format!("there is no pipeline {pipeline}") }),
        }
    }

    /// A DXIL container.
    ///
    /// # Errors
    /// A fault if it does not exist or its content has another digest; the same holds for the
    /// methods below.
    pub fn dxil(&self, digest: Digest) -> Result<Vec<u8>, Fault> {
        self.named("blobs", "dxil", FILE_BYTES, digest)
    }

    /// A SPIR-V module.
    ///
    /// # Errors
    /// As above.
    pub fn spirv(&self, digest: Digest) -> Result<Vec<u8>, Fault> {
        self.named("blobs", "spv", FILE_BYTES, digest)
    }

    /// The text of a request.
    ///
    /// # Errors
    /// As above.
    pub fn request(&self, digest: Digest) -> Result<String, Fault> {
        let bytes = self.named("requests", "request", FILE_BYTES, digest)?;
        let path = self.path("requests", "request", digest);
        String::from_utf8(bytes).map_err(|error| Fault { path, what: error.to_string() })
    }

    /// A device.
    ///
    /// # Errors
    /// As above.
    pub fn device(&self, digest: Digest) -> Result<Device, Fault> {
        let bytes = self.named("devices", "json", JSON_BYTES, digest)?;
        parse(&self.path("devices", "json", digest), &bytes)
    }

    fn path(&self, folder: &str, ending: &str, digest: Digest) -> PathBuf {
        self.dir.join(folder).join(format!("{digest}.{ending}"))
    }

    /// Reads a file that is named by the digest of its content.
    fn named(&self, folder: &str, ending: &str, most: u64, digest: Digest) -> Result<Vec<u8>, Fault> {
        let path = self.path(folder, ending, digest);
        let bytes = read(&path, most)?;
        let found = Digest::new(&bytes);
        if found != digest {
            let what = format!("the file is cut short or changed: its content has the digest {found}");
            return Err(Fault { path, what });
        }
        Ok(bytes)
    }
}

/// The digest with which a record's file name begins.
fn digest_in(path: &Path) -> Option<Digest> {
    let name = path.file_name()?.to_str()?.strip_suffix(".json")?;
    name.split('-').next()?.parse().ok()
}

/// Reads a record and checks that its pipeline has the digest in the file's name.
fn record(digest: Digest, path: &Path) -> Result<Record, Fault> {
    let fault = |what: String| Fault { path: path.to_owned(), what };
    let record: Record = parse(path, &read(path, JSON_BYTES)?)?;
    if record.format != Record::FORMAT {
        let (found, known) = (record.format, Record::FORMAT);
        return Err(fault(format!("the record has format {found}, and this version reads format {known}")));
    }
    let found = record.pipeline.digest();
    if found != digest {
        return Err(fault(format!("the record was changed: its pipeline has the digest {found}")));
    }
    Ok(record)
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(bytes).map_err(|error| {
        let what = if error.is_eof() { format!("the file is cut short ({error})") } else { error.to_string() };
        Fault { path: path.to_owned(), what }
    })
}

/// Reads a file of at most `most` bytes.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, Fault> {
    let fault = |what: String| Fault { path: path.to_owned(), what };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| fault(error.to_string()))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| fault(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(fault(format!("the file is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}
