//! What a process writes to its error output.

use std::io::Read as _;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The bytes that are kept, the last ones. Drivers may write any number of messages.
const KEPT: usize = 16 << 10;
/// The time in which the rest comes once the process has ended. Its own children may hold the output open.
const REST: Duration = Duration::from_millis(200);
/// The lines that a message quotes.
const LINES: usize = 8;

/// The end of what a process has written, collected by a thread.
pub struct Said {
    text: Arc<Mutex<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Said {
    /// Collects from now on.
    pub fn of(output: Option<ChildStderr>) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&text);
        let thread = output.map(|mut output| {
            std::thread::spawn(move || {
                let mut part = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut part) {
                    let mut text = shared.lock().unwrap_or_else(PoisonError::into_inner);
                    text.extend_from_slice(&part[..count]);
                    let over = text.len().saturating_sub(KEPT);
                    text.drain(..over);
                }
            })
        });
        Self { text, thread }
    }

    /// The last lines of a process that has ended, each behind a line break.
    pub fn text(&self) -> String {
        let begin = Instant::now();
        while begin.elapsed() < REST && self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..].iter().map(|line| format!("\n  {line}")).collect()
    }
}
