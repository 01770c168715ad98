//! Children of this process that run a part of it.
//!
//! Loading a driver takes a quarter of the time of a small fixture. So a process loads it once, and
//! each child begins with it. In: a process of one thread, and what a child does. Out: what the
//! child printed, and how it ended. What must hold: libraries start no thread when they are loaded,
//! because a child has none but the thread that made it.

use std::io::{self, PipeReader, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::exit;
use std::time::{Duration, Instant};

use dxil_test_support::assert_one_thread;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdout};

/// The exit status of a child that panicked.
const PANICKED: i32 = 101;

/// A child that runs.
pub struct Child {
    id: Pid,
    output: PipeReader,
    said: Vec<u8>,
    end: Instant,
}

/// A child that has ended.
pub struct Ended {
    /// How it ended; `None` if it was killed at the end of its time.
    pub status: Option<WaitStatus>,
    /// What it printed.
    pub said: String,
}

impl Child {
    /// Runs a function in a child, whose exit status it returns.
    ///
    /// # Errors
    /// If the system makes no process.
    ///
    /// # Panics
    /// If this process has other threads.
    pub fn start(limit: Duration, run: impl FnOnce() -> i32) -> io::Result<Self> {
        assert_one_thread();
        let (output, input) = io::pipe()?;
        // SAFETY: this is the only thread, so the child has no lock that somebody else holds.
        let id = unsafe { libc::fork() };
        if id == 0 {
            let redirected = dup2_stdout(&input).and_then(|()| dup2_stderr(&input));
            drop((output, input));
            let run = || redirected.map_or(PANICKED, |()| run());
            exit(catch_unwind(AssertUnwindSafe(run)).unwrap_or(PANICKED));
        }
        let id = Pid::from_raw(id.max(0)).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { id, output, said: Vec::new(), end: Instant::now() + limit })
    }

    /// Waits until one of the children has ended, or kills one whose time is over. Takes it out of
    /// the list, with what stands beside it.
    ///
    /// # Errors
    /// If the list is empty, or the system does not say how the children are.
    pub fn wait_for_any<T>(children: &mut Vec<(T, Self)>) -> io::Result<(T, Ended)> {
        loop {
            let now = Instant::now();
            if let Some(at) = children.iter().position(|(_, child)| child.end <= now) {
                let (what, child) = children.swap_remove(at);
                kill_process(child.id, Signal::KILL)?;
                return Ok((what, Ended { status: None, ..child.reap()? }));
            }
            let left = children.iter().map(|(_, child)| child.end - now).min();
            let left = left.ok_or_else(|| io::Error::other("no child runs"))?;
            let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
            let mut polled: Vec<_> =
                children.iter().map(|(_, child)| PollFd::new(&child.output, PollFlags::IN)).collect();
            poll(&mut polled, Some(&timeout))?;
            let Some(at) = polled.iter().position(|it| !it.revents().is_empty()) else { continue };
            let mut bytes = [0; 1 << 12];
            let (_, child) = &mut children[at];
            let count = child.output.read(&mut bytes)?;
            child.said.extend_from_slice(&bytes[..count]);
            // The child has closed its end of the pipe.
            if count == 0 {
                let (what, child) = children.swap_remove(at);
                return Ok((what, child.reap()?));
            }
        }
    }

    fn reap(self) -> io::Result<Ended> {
        let status = waitpid(Some(self.id), WaitOptions::empty())?.map(|(_, status)| status);
        Ok(Ended { status, said: String::from_utf8_lossy(&self.said).into_owned() })
    }
}
