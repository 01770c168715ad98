//! What only a process of one thread may do.

use std::ffi::OsStr;
use std::{env, fs};

/// Checks that this process has one thread. Drivers start others, but not before the first Vulkan
/// instance is created.
///
/// # Panics
/// If it has others.
pub fn assert_one_thread() {
    let threads = fs::read_dir("/proc/self/task").expect("Linux tells the threads of a process").count();
    assert_eq!(threads, 1, "only a process of one thread may do this");
}

/// Sets environment variables of this process.
///
/// # Panics
/// If it has other threads, which may read them.
pub fn set_environment<N: AsRef<OsStr>, V: AsRef<OsStr>>(variables: impl IntoIterator<Item = (N, V)>) {
    assert_one_thread();
    for (name, value) in variables {
        // SAFETY: no other thread reads or writes the environment.
        unsafe { env::set_var(name, value) };
    }
}
