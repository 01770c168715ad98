//! D3D's state object databases (DirectX-Specs, "D3D12 Advanced Shader Delivery - State Object
//! Database").
//!
//! In: a SQLite database of the schema's version 2. Out: its shaders, and its pipeline states with
//! their root signatures. What must hold: SQLite's own program reads the file, in a process of its
//! own.
//!
//! Shaders that only state objects have (ray tracing, work graphs) are read as a folder's are. The
//! subobjects of state objects, and their associations, are not read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dxil_translator::RootSignature;

use super::container::with_root_signature;
use super::error::InputError;
use super::source::{Code, FileContents, PipelineOfFile};
use super::tool::Tool;
use crate::files::At as _;

/// The first bytes of a SQLite database.
pub const MAGIC: &[u8] = b"SQLite format 3\0";
/// The largest database, in bytes. What is read of it stands in memory.
const LARGEST: u64 = 1 << 30;
const APPLICATION: u32 = 0x0d3d_50db;
const VERSION: u32 = 2;

const SQLITE: Tool = Tool { program: "sqlite3", what: "state object databases", package: "sqlite3" };

/// Reads a database.
///
/// # Errors
/// The file cannot be read, SQLite's program is missing, or the database is another one.
pub fn read(path: &Path) -> Result<FileContents, InputError> {
    if std::fs::metadata(path).at(path)?.len() > LARGEST {
        return Err(InputError::Large { path: path.to_owned(), most: LARGEST });
    }
    let query = |sql: &str| -> Result<Vec<Vec<String>>, InputError> {
        // No file of the user is read, and nothing is written.
        let arguments = ["-init", "/dev/null", "-batch", "-readonly", "-noheader", "-list", "-separator", "|"];
        let mut all: Vec<&std::ffi::OsStr> = arguments.iter().map(std::ffi::OsStr::new).collect();
        all.extend([path.as_os_str(), sql.as_ref()]);
        let text = SQLITE.output(&all)?;
        let lines = String::from_utf8_lossy(&text);
        Ok(lines.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
    };
    let numbers = query("SELECT application_id, user_version FROM pragma_application_id, pragma_user_version")?;
    let number = |index: usize| numbers.first().and_then(|row| row.get(index)?.parse().ok()).unwrap_or(0);
    let (application, version) = (number(0), number(1));
    if (application, version) != (APPLICATION, VERSION) {
        return Err(InputError::Sodb { application, version });
    }
    let table = |sql: &str| -> Result<BTreeMap<String, Vec<u8>>, InputError> {
        let rows = query(sql)?.into_iter();
        Ok(rows.filter_map(|row| Some((row.first()?.clone(), bytes_of(row.get(1)?)?))).collect())
    };
    let shaders = table("SELECT hex(Key), hex(Bytecode) FROM shader_bytecode")?;
    let signatures = table("SELECT hex(Key), hex(value) FROM root_signatures")?;
    let states = query(
        "SELECT hex(Key), hex(RootSignature), hex(ByteCode_AS), hex(ByteCode_MS), hex(ByteCode_VS), hex(ByteCode_HS), \
         hex(ByteCode_DS), hex(ByteCode_GS), hex(ByteCode_PS), hex(ByteCode_CS) FROM pipeline_states",
    )?;
    let objects = query("SELECT hex(Key) FROM state_objects")?;
    let mut source = assemble(shaders, signatures, &states);
    let why = "the lab does not read state objects (exports, hit groups, configurations, root signatures and what they \
               are associated with); their shaders are read as those of a folder are";
    let names = objects.iter().filter_map(|row| row.first());
    source.refused.extend(names.map(|key| (format!("state object {}", short(key)), why.to_owned())));
    Ok(source)
}

/// The bytes of SQLite's `hex`.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// The beginning of a key, which is enough to find the row.
fn short(key: &str) -> &str {
    key.get(..16).unwrap_or(key)
}

/// The shaders with the root signatures of their pipelines. A shader of several root signatures is
/// several.
fn assemble(
    shaders: BTreeMap<String, Vec<u8>>,
    signatures: BTreeMap<String, Vec<u8>>,
    states: &[Vec<String>],
) -> FileContents {
    let mut source = FileContents::default();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut read = BTreeMap::new();
    for (key, bytes) in &signatures {
        match RootSignature::from_bytes(bytes, None) {
            Ok(signature) => _ = read.insert(key.as_str(), signature),
            Err(error) => source.refused.push((format!("root signature {}", short(key)), error.to_string())),
        }
    }
    for state in states {
        let [key, signature, stages @ ..] = &state[..] else { continue };
        let mut of_pipeline = Vec::new();
        let mut missing = None;
        for stage in stages.iter().filter(|stage| !stage.is_empty()) {
            let Some(bytes) = shaders.get(stage) else {
                missing = Some(format!("the database has no shader {}", short(stage)));
                break;
            };
            let found = places.entry((stage, signature)).or_insert_with(|| {
                let with = read.get(signature.as_str()).and_then(|signature| with_root_signature(bytes, signature));
                let chosen = with.is_some().then(|| format!("the root signature {} of the pipeline", short(signature)));
                let name = format!("{}-{}", short(stage), short(signature));
                source.codes.push(Code { name, bytes: with.unwrap_or_else(|| bytes.clone()), chosen });
                source.codes.len() - 1
            });
            of_pipeline.push((*found, None));
        }
        let name = short(key).to_owned();
        match missing {
            Some(why) => source.refused.push((name, why)),
            None => source.pipelines.push(PipelineOfFile { name, stages: of_pipeline, rays: None }),
        }
    }
    let used: BTreeSet<&str> = places.keys().map(|(stage, _)| *stage).collect();
    let others = shaders.iter().filter(|(key, _)| !used.contains(key.as_str()));
    source.codes.extend(others.map(|(key, bytes)| Code {
        name: short(key).to_owned(),
        bytes: bytes.clone(),
        chosen: None,
    }));
    source
}
