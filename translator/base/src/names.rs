//! Names of the input, as people type them.

use std::borrow::Cow;

/// A name without LLVM's mark, a leading byte of value 1, which tells LLVM that the name is mangled
/// already. Nobody can type it, so names are compared and shown without it.
pub fn unmarked(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

/// Bytes as text, in which U+FFFD stands for what is not UTF-8. Nearly all names are UTF-8, which is
/// faster to find out than where it ends.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
