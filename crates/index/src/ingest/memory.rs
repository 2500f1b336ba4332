//! How much memory the process has held at most, and how it holds less.
#![allow(unsafe_code)]

/// The most memory held so far, in bytes, mapped files included; none where the system does not say.
pub(super) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Gives back to the system what a stage has freed. The C library keeps up to 64 MB of it for later, and the next stage has other sizes.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes no pointer, and may be called at any time from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}
