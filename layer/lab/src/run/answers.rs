//! Where a worker's answers go.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;

/// The process's output, for answers alone: what drivers and layers print there goes to the error
/// output from now on.
///
/// # Errors
/// The system's.
pub fn output() -> io::Result<File> {
    let answers = io::stdout().as_fd().try_clone_to_owned()?;
    // SAFETY: both are open, and nothing of this process owns the number of the output.
    match unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(answers.into()),
    }
}
