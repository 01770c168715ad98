//! Files and standard streams by one name: `-` is standard input or output.

use std::fs;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::Path;

use dxil_translator::DeviceProfile;
use dxil_translator::internals::limits;

use crate::failure::Failure;

/// The name of standard input and output.
pub const STREAM: &str = "-";

/// A file's bytes, or standard input's. One byte above the translator's limit is enough to be refused.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let most = limits::INPUT_BYTES as u64 + 1;
    let read = if path == Path::new(STREAM) {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::usage(path, format_args!("can not be read: {error}")))?;
    Ok(bytes)
}

/// A text file, or standard input.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|_| Failure::usage(path, "is no UTF-8 text"))
}

/// The profile of this name, or that a text file holds.
pub fn profile(name: &Path) -> Result<DeviceProfile, Failure> {
    match name.to_str().and_then(DeviceProfile::named) {
        Some(profile) => Ok(profile),
        None => DeviceProfile::parse(&read_text(name)?).map_err(|error| Failure::translator(name, &error)),
    }
}

/// Writes a file, or to standard output. A reader that closes standard output early has what it wanted.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = if path == Path::new(STREAM) {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    } else {
        fs::write(path, bytes)
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::usage(path, format_args!("can not be written: {error}")))
        }
        _ => Ok(()),
    }
}
