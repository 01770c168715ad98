//! Reading and writing of files. The name `-` is standard input or standard output.

use std::fs;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::Path;

use dxil_translator::internals::limits;
use dxil_translator::{BindingMap, DeviceProfile, Model, RootSignature, Shader};

use crate::arguments::Common;
use crate::failure::Failure;

/// The name of standard input and output.
pub const STREAM: &str = "-";

/// The bytes of a file or of standard input, up to one byte above the translator's limit: the
/// translator refuses such an input, so nothing after that byte matters.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let most = limits::INPUT_BYTES as u64 + 1;
    let read = if path == Path::new(STREAM) {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::usage(path, format_args!("the file cannot be read: {error}")))?;
    Ok(bytes)
}

/// The text of a file or of standard input.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|_| Failure::usage(path, "the file is not UTF-8 text"))
}

/// The constant profile of this name, otherwise the profile in the text file of this name.
pub fn profile(name: &Path) -> Result<DeviceProfile, Failure> {
    match name.to_str().and_then(DeviceProfile::named) {
        Some(profile) => Ok(profile),
        None => DeviceProfile::parse(&read_text(name)?).map_err(|error| Failure::translator(name, &error)),
    }
}

/// The root signature in the file that an option names.
pub fn root_signature(path: Option<&Path>) -> Result<Option<RootSignature>, Failure> {
    let read = |path| RootSignature::from_bytes(&read(path)?, None).map_err(|error| Failure::translator(path, &error));
    path.map(read).transpose()
}

/// The local root signature that an option names: one that the library declares, otherwise the one
/// in the file of this name.
pub fn local_root_signature(
    file: &Path,
    shader: &Shader,
    name: Option<&Path>,
) -> Result<Option<RootSignature>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let declared = shader.subobjects().local_root_signature(&name.to_string_lossy());
    match declared {
        Ok(signature) => Ok(Some(signature.clone())),
        Err(_) if name == Path::new(STREAM) || name.is_file() => root_signature(Some(name)),
        Err(error) => Err(Failure::translator(file, &error)),
    }
}

/// The binding map that the arguments name, if they name one.
pub fn map(arguments: &Common) -> Result<Option<BindingMap>, Failure> {
    let Some(file) = &arguments.map else { return Ok(None) };
    if !matches!(arguments.model, Model::Auto | Model::Map) {
        let message = format!("a binding map is not read by the model {}; leave out --model", arguments.model);
        return Err(Failure::usage(file, message));
    }
    BindingMap::parse(&read_text(file)?).map(Some).map_err(|error| Failure::translator(file, &error))
}

/// Writes to a file or to standard output. It is not an error if the reader of standard output
/// closes it early, as `head` does.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = if path == Path::new(STREAM) {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    } else {
        fs::write(path, bytes)
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::usage(path, format_args!("the file cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}
