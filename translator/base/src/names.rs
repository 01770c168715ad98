//! Names of the input, as people type them.

/// A name without LLVM's mark, a leading byte of value 1, which tells LLVM that the name is mangled
/// already. Nobody can type it, so names are compared and shown without it.
pub fn unmarked(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}
