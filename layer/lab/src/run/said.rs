//! What a process writes to its error output.

use std::io::Read as _;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::vulkan::{CRASH, NO_COMMAND};

/// The most bytes that are stored, the last ones. Drivers may write any number of messages.
const MAX_BYTES: usize = 16 << 10;
/// The time in which the rest comes once the process has ended. Its own children may hold the
/// output open.
const REST: Duration = Duration::from_millis(200);
/// The functions that are stored of a crash.
const FRAMES: usize = 16;
/// The lines that a message quotes.
const LINES: usize = 8;

/// The end of what a process has written, collected by a thread.
pub struct Said {
    text: Arc<Mutex<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Said {
    /// Collects from now on.
    pub fn collect(output: Option<ChildStderr>) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&text);
        let thread = output.map(|mut output| {
            std::thread::spawn(move || {
                let mut part = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut part) {
                    let mut text = shared.lock().unwrap_or_else(PoisonError::into_inner);
                    text.extend_from_slice(&part[..count]);
                    let over = text.len().saturating_sub(MAX_BYTES);
                    text.drain(..over);
                }
            })
        });
        Self { text, thread }
    }

    /// All that is stored of what a process has written that has ended.
    fn all(&self) -> String {
        let begin = Instant::now();
        while begin.elapsed() < REST && self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The last lines of a process that has ended, each behind a line break.
    pub fn text(&self) -> String {
        let text = self.all();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..].iter().map(|line| format!("\n  {line}")).collect()
    }

    /// The Vulkan command in which a signal ended the process, and the functions that were called.
    pub fn crash(&self) -> (Option<String>, Vec<String>) {
        crash(&self.all())
    }
}

/// Reads the lines of `vulkan::signals`.
fn crash(text: &str) -> (Option<String>, Vec<String>) {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(CRASH));
    let Some(first) = lines.next() else { return (None, Vec::new()) };
    let call = first.get(CRASH.len()..).filter(|name| *name != NO_COMMAND).map(str::to_owned);
    // An address differs from run to run, and the folder from machine to machine.
    let frame = |line: &str| {
        let place = line.split('[').next().unwrap_or_default().trim();
        let place = place.rsplit('/').next().unwrap_or_default();
        if place.is_empty() { "(code without a file)".to_owned() } else { place.to_owned() }
    };
    // The first frames are the handler and the return from it.
    (call, lines.skip(2).map(frame).take(FRAMES).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_has_its_command_and_its_functions() {
        let text = "a driver's message\n\ndxil-lab: crash in vkCreateSampler\n/lab(+0x1)[0x55]\n/lib/libc.so.6(+0x3c050)\n\
                    /build/libvulkan_it.so(it_CreateSampler+0x12) [0x7f12]\n[0x7f99]\n";
        let (call, frames) = crash(text);
        assert_eq!(call.as_deref(), Some("vkCreateSampler"));
        assert_eq!(frames, ["libvulkan_it.so(it_CreateSampler+0x12)", "(code without a file)"]);
        assert_eq!(crash("dxil-lab: crash in no recorded command\n").0, None);
        assert_eq!(crash("a message"), (None, Vec::new()));
    }
}
