//! Memory usage of the process, on Linux.

use std::fs;

/// Forgets the peak so far.
pub fn forget_peak() {
    // 5 resets the peak (Linux, Documentation/filesystems/proc.rst, "clear_refs"). Elsewhere there
    // is no such file, and the peak is that of the whole process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The peak, in KiB; 0 where the system does not say.
pub fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}
