//! Reading and writing of files. The name `-` is standard input or standard output.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::path::Path;

use dxil_base::text::similar;
use dxil_base::{limits, profile};
use dxil_translator::embedded;
use dxil_translator::{
    BindingMap, DeviceProfile, Error, ErrorKind as Kind, Model, Place, RootSignature, Shader, extract,
};

use crate::arguments::PlanningArguments;
pub use crate::arguments::STREAM;
use crate::failure::Failure;

/// The most bytes of an input that are read. The translator refuses a container above its limit, so
/// nothing after the next byte matters; embedded in SPIR-V, a container is a third longer.
const READ_BYTES: u64 = limits::INPUT_BYTES as u64 * 3 / 2;

/// The container in a file or on standard input: the one that a SPIR-V module carries, otherwise
/// the bytes as they are.
pub fn read_container(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read(path)?;
    let refused = |error| Failure::translator(path, &error);
    match extract(&bytes).map_err(refused)? {
        Some(embedded) => Ok(embedded.container),
        None if embedded::is_spirv(&bytes) => Err(refused(plain_spirv(&bytes))),
        None => Ok(bytes),
    }
}

/// The error for SPIR-V that carries no container.
pub fn plain_spirv(bytes: &[u8]) -> Error {
    let why = match embedded::has_lost_generator(bytes) {
        true => {
            "a SPIR-V module with another generator word than `dxil2spv embed` writes, although it has the strings \
                 of a container; a tool has rewritten its header, as spirv-as does; embed the container again"
        }
        false => {
            "this is already SPIR-V, and the module carries no DXIL container; expected a container, alone or embedded in \
                 SPIR-V"
        }
    };
    Error::new(Kind::Malformed, Place::Byte(0), why)
}

/// The bytes of a file or of standard input, up to [`READ_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_up_to(path, READ_BYTES)
}

fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new(STREAM) {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::usage(path, format_args!("the file cannot be read: {error}")))?;
    Ok(bytes)
}

/// The text of a file or of standard input: a request, a plan, a profile or a map. No more than one
/// byte beyond the limit is read.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let most = limits::TEXT_BYTES;
    let bytes = read_up_to(path, most as u64 + 1)?;
    if bytes.len() > most {
        let message = format!("the text has more than {most} bytes, which is the limit");
        return Err(Failure::translator(path, &Error::new(Kind::Limit, Place::Input, message)));
    }
    String::from_utf8(bytes).map_err(|_| Failure::usage(path, "the file is not UTF-8 text"))
}

/// The built-in profile of this name, otherwise the profile in the text file of this name.
pub fn profile(name: &Path) -> Result<DeviceProfile, Failure> {
    if let Some(profile) = name.to_str().and_then(DeviceProfile::named) {
        return Ok(profile);
    }
    let known = || profile::NAMES.iter().map(|(name, _)| *name);
    if name != Path::new(STREAM) && !name.exists() {
        let similar = name.to_str().and_then(|name| similar(name, known()));
        let hint = similar.map_or_else(String::new, |similar| format!(" (did you mean `{similar}`?)"));
        let all = known().collect::<Vec<_>>().join(", ");
        let message = format!("neither a file nor a built-in profile{hint}; the built-in profiles are {all}");
        return Err(Failure::usage(name, message));
    }
    DeviceProfile::parse(&read_text(name)?).map_err(|error| Failure::translator(name, &error))
}

/// Prints a profile with a comment for each key.
pub fn print_profile(name: &Path) -> Result<(), Failure> {
    write(Path::new(STREAM), profile(name)?.documented().as_bytes())
}

/// The root signature in the file that an option names.
pub fn root_signature(path: Option<&Path>) -> Result<Option<RootSignature>, Failure> {
    let read = |path| {
        RootSignature::from_bytes(&read_container(path)?, None).map_err(|error| Failure::translator(path, &error))
    };
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
pub fn map(arguments: &PlanningArguments) -> Result<Option<BindingMap>, Failure> {
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

/// Writes what a person cannot read: to the file that `-o` names, which may be `-`, otherwise to
/// standard output, unless that is a terminal. `what` names the data, and `text` the option that
/// gives a text instead.
pub fn write_binary(output: Option<&Path>, bytes: &[u8], what: &str, text: &str) -> Result<(), Failure> {
    let stream = Path::new(STREAM);
    if output.is_none() && io::stdout().is_terminal() {
        let message = format!(
            "{what} is binary, and standard output is a terminal; give a file with `-o FILE`{text} (`-o -` writes to the \
             terminal)"
        );
        return Err(Failure::usage(stream, message));
    }
    write(output.unwrap_or(stream), bytes)
}
