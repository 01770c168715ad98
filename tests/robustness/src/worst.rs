//! The worst cases: every family at its largest sizes, each in a process of its own under a memory
//! limit.
//!
//! In: the families. Out: for each size the result, the time and the peak memory. A process that
//! the memory limit ends shows as one, so a failed allocation cannot pass for an error.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

use dxil_base::limits;
use dxil_translator::ErrorKind;

use crate::families::{self, Family};
use crate::memory;

/// The memory that a process may take besides its image and the input, in bytes.
pub const MEMORY: u64 = 512 << 20;

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The number of words to which the input was translated.
    Words(usize),
    /// It refused the input for a limit, with this message.
    Limit(String),
    /// It refused the input for another reason.
    Refused(String),
    /// It did not come to a result.
    Died(String),
}

/// What one input cost.
#[derive(Clone, Debug)]
pub struct Case {
    /// The family's name.
    pub family: &'static str,
    /// The size.
    pub size: usize,
    /// The size of the input in bytes.
    pub input: usize,
    /// Milliseconds of the parse and the translation on a processor.
    pub milliseconds: f64,
    /// The largest number of bytes allocated at one time.
    pub peak: usize,
    /// The end.
    pub end: End,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { family, size, input, milliseconds, peak, .. } = self;
        let peak = peak >> 10;
        write!(f, "{family:52} {size:9} {input:9} bytes {milliseconds:8.1} ms {peak:7} KiB ")?;
        match &self.end {
            End::Words(words) => write!(f, "{words} words"),
            End::Limit(text) => write!(f, "limit: {text}"),
            End::Refused(text) => write!(f, "refused: {text}"),
            End::Died(text) => write!(f, "died: {text}"),
        }
    }
}

/// Measures a family: at sizes that double while the input is not larger than it may be, and then
/// at the largest input. `program` is `dxil-worst-case`.
///
/// # Errors
/// Where a file cannot be written, or a process not be started.
pub fn measure(program: &Path, family: &'static Family) -> io::Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut size = family.size;
    let largest = loop {
        let input = (family.make)(size);
        if input.len() > limits::INPUT_BYTES {
            break size;
        }
        cases.push(run(program, family, size, &input)?);
        size *= 2;
    };
    // An input may grow faster than its size, so the last one is found from above.
    let mut size = largest;
    while cases.last().is_some_and(|last| size > last.size) {
        let input = (family.make)(size);
        if input.len() <= limits::INPUT_BYTES {
            cases.push(run(program, family, size, &input)?);
            break;
        }
        let ratio = limits::INPUT_BYTES as f64 / input.len() as f64;
        size = (size as f64 * ratio.clamp(0.25, 0.98)) as usize;
    }
    Ok(cases)
}

fn run(program: &Path, family: &'static Family, size: usize, input: &[u8]) -> io::Result<Case> {
    let file = std::env::temp_dir().join(format!("dxil-worst-case-{}.bc", std::process::id()));
    std::fs::write(&file, input)?;
    let output = Command::new(program).args(["run", family.name]).arg(&file).output()?;
    std::fs::remove_file(&file)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut fields = text.trim_end().splitn(4, '\t');
    let mut field = || fields.next().unwrap_or_default();
    let (milliseconds, peak) = (field().parse().unwrap_or(f64::NAN), field().parse().unwrap_or(0));
    let end = match (field(), field()) {
        ("words", words) => End::Words(words.parse().unwrap_or(0)),
        ("limit", text) => End::Limit(text.to_owned()),
        ("refused", text) => End::Refused(text.to_owned()),
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            End::Died(format!("{}: {}", output.status, said.lines().next().unwrap_or_default()))
        }
    };
    Ok(Case { family: family.name, size, input: input.len(), milliseconds, peak, end })
}

/// How a process ends that allocates more than the limit.
///
/// # Errors
/// Where the process cannot be started.
pub fn beyond(program: &Path) -> io::Result<End> {
    let output = Command::new(program).arg("beyond").output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(match output.status.success() {
        true => End::Words(0),
        false => End::Died(format!("{}: {}", output.status, said.lines().next().unwrap_or_default())),
    })
}

/// Allocates twice the memory limit, as the child process.
///
/// # Errors
/// Where the system does not take the limit.
pub fn allocate_beyond() -> io::Result<String> {
    memory::limit_address_space(MEMORY)?;
    let bytes = std::hint::black_box(vec![1u8; 2 * MEMORY as usize]);
    Ok(format!("{} bytes", bytes.len()))
}

fn named(name: &str) -> io::Result<&'static Family> {
    let family = families::all().find(|family| family.name == name);
    family.ok_or_else(|| io::Error::other(format!("no family `{name}`")))
}

/// Writes the input of a family and size to a file.
///
/// # Errors
/// Where there is no such family, the size is no number, or the file cannot be written.
pub fn make(name: &str, size: &str, file: &Path) -> io::Result<()> {
    let size = size.parse().map_err(io::Error::other)?;
    std::fs::write(file, (named(name)?.make)(size))
}

/// Translates the input in a file under the memory limit, as the child process.
///
/// # Errors
/// Where there is no such family, or the file cannot be read.
pub fn child(name: &str, file: &Path) -> io::Result<String> {
    let family = named(name)?;
    let input = std::fs::read(file)?;
    memory::limit_address_space(MEMORY)?;
    let options = families::options();
    let before = memory::thread_time();
    let (result, peak) = memory::peak(|| (family.run)(&input, &options));
    let milliseconds = (memory::thread_time() - before).as_secs_f64() * 1e3;
    let end = match result {
        Ok(words) => format!("words\t{words}"),
        Err(error) if error.kind() == ErrorKind::Limit => format!("limit\t{error}"),
        Err(error) => format!("refused\t{error}"),
    };
    Ok(format!("{milliseconds:.1}\t{peak}\t{end}"))
}
