//! Programs that run with limits of time and memory.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time for all translations that come by a mutant, for a test program, or for a fixture. A job
/// of translation has a limit of its own.
pub const LONGEST: Duration = Duration::from_secs(600);
/// The memory of a child, in KiB.
const MEMORY: &str = "8388608";

/// A child with limited memory.
pub fn limited(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$0\" \"$@\"")]).arg(program);
    command
}

/// Runs a program for at most [`LONGEST`]. Returns its exit code and what it said; `None` if it was
/// ended.
pub fn run(mut command: Command, input: &str) -> Option<(Option<i32>, String)> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input.as_bytes());
    }
    let end = Instant::now() + LONGEST;
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    Some((status.code(), reader.join().unwrap_or_default()))
}
