//! Command lines for people.
//!
//! In: the arguments of a command. Out: a line that a shell of POSIX takes apart into these.

/// An argument for the shell.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// The arguments of a command as one line.
pub fn line<T: AsRef<str>>(arguments: impl IntoIterator<Item = T>) -> String {
    arguments.into_iter().map(|it| quoted(it.as_ref())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_the_shell() {
        assert_eq!(line(["--driver", "a b", "it's", ""]), "--driver 'a b' 'it'\\''s' ''");
    }
}
