//! Names of the input, as people type them.

use std::borrow::Cow;

/// A name without LLVM's mark, a leading byte of value 1, which tells LLVM that the name is mangled
/// already. Nobody can type it, so names are compared and shown without it.
pub fn unmarked(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

/// The name in the source of a function. The name of a function at file scope is mangled as
/// `?name@@…` (the C++ ABI of Visual C++); a name that is not mangled is that in the source.
pub fn plain(name: &str) -> &str {
    let mangled = name.strip_prefix('?').and_then(|rest| {
        let end = rest.as_bytes().windows(2).position(|pair| pair == b"@@")?;
        rest.get(..end)
    });
    mangled.unwrap_or(name)
}

/// Bytes as text, in which U+FFFD stands for what is not UTF-8. Nearly all names are UTF-8, which
/// is faster to find out than where it ends.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names() {
        assert_eq!(plain("main"), "main");
        assert_eq!(plain("?gen@@YAXXZ"), "gen");
        assert_eq!(plain("?gen@space@@YAXXZ"), "gen@space");
        assert_eq!(plain("?"), "?");
    }
}
