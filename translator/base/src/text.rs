//! Plain data as TOML, which people write and read.
//!
//! In: a text of any origin, or a value. Out: a value that `serde` makes of the text, or an error
//! with the line and the column; or the text of the value. What must hold: the size, the number of
//! tokens and the nesting are within their limits before a text is parsed, because a parser takes
//! memory for each token and recurses into each level.

use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;
pub use toml::Spanned;
use toml::ser::ValueSerializer;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::error::{Place, Result};
use crate::limits;

/// A text that a function writes: `fmt::from_fn` of Rust 1.93, which the oldest Rust for these
/// crates does not have.
pub fn from_fn(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    struct Written<F>(F);
    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Written<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    Written(write)
}

/// Reads a value. The name says what the text is, for messages.
///
/// # Errors
/// `Malformed`, with line and column: the text is not TOML, or not of this type. `Limit` if it is
/// too long, or has too many tokens or levels.
pub fn read<T: DeserializeOwned>(what: &str, text: &str) -> Result<T> {
    limits::check(Place::Input, &format!("bytes in a {what}"), text.len(), limits::TEXT_BYTES)?;
    check_tokens(what, text)?;
    let refused = |error: &toml::de::Error, span: Option<Range<usize>>| {
        let place = span.map_or(Place::Input, |span| place_at(text, span.start));
        malformed!(place, "{}", with_hint(error.message()))
    };
    let parsed = toml::Deserializer::parse(text).map_err(|error| refused(&error, error.span()))?;
    // What is wrong with all of a text has a range without bytes.
    T::deserialize(parsed).map_err(|error| refused(&error, error.span().filter(|span| span.end != 0)))
}

/// A value in one line: a table is `{ key = value }`.
///
/// # Errors
/// TOML has no form for the value.
pub fn line(value: &impl Serialize) -> Result<String, fmt::Error> {
    let mut text = String::new();
    value.serialize(ValueSerializer::new(&mut text)).map(|_| ()).map_err(|_| fmt::Error)?;
    Ok(text)
}

/// A structure with a line for each field, and a heading for each structure in it.
///
/// # Errors
/// TOML has no form for the value.
pub fn lines(value: &impl Serialize) -> Result<String, fmt::Error> {
    toml::to_string(value).map_err(|_| fmt::Error)
}

/// Checks the number of tokens, how deep brackets are nested, and how many dots a key has.
fn check_tokens(what: &str, text: &str) -> Result<()> {
    let (mut tokens, mut brackets, mut dots) = (0, 0_usize, 0);
    for token in Source::new(text).lex() {
        tokens += 1;
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => (brackets, dots) = (brackets + 1, 0),
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                (brackets, dots) = (brackets.saturating_sub(1), 0);
            }
            TokenKind::Dot => (tokens, dots) = (tokens + 1, dots + 1),
            TokenKind::Equals | TokenKind::Newline | TokenKind::Comma => dots = 0,
            _ => {}
        }
        let place = || place_at(text, token.span().start());
        if tokens > limits::TEXT_TOKENS {
            return Err(limit_error!(place(), "more than {} tokens in a {what}", limits::TEXT_TOKENS));
        }
        if brackets.max(dots) > limits::TEXT_NESTING {
            return Err(limit_error!(place(), "more than {} levels in a {what}", limits::TEXT_NESTING));
        }
    }
    Ok(())
}

/// The line and the column of a byte.
pub fn place_at(text: &str, byte: usize) -> Place {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    Place::Column { line: number(before.matches('\n').count()), column: number(line.chars().count()) }
}

/// The message of `serde` in the words of the format. Where it lists the names that could be meant,
/// and one is like the name that was found, only that one.
fn with_hint(message: &str) -> String {
    for (of_serde, what) in [("unknown field `", "key"), ("unknown variant `", "name")] {
        let parts = message.strip_prefix(of_serde).and_then(|rest| rest.split_once("`, expected "));
        let Some((found, expected)) = parts else { continue };
        return match similar(found, expected.split('`').skip(1).step_by(2)) {
            Some(meant) => format!("unknown {what} `{found}`; did you mean `{meant}`?"),
            None => format!("unknown {what} `{found}`; expected {expected}"),
        };
    }
    match message {
        "wanted exactly 1 element, found 0 elements" => "expected one key, found none".to_owned(),
        "wanted exactly 1 element, more than 1 element" => "expected one key, found several".to_owned(),
        _ => message
            .strip_prefix("missing field ")
            .map_or_else(|| message.to_owned(), |key| format!("missing key {key}")),
    }
}

/// The candidate that is most like a word, if one is like it at all.
pub fn similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are not names, and the comparison takes time by the product of the lengths.
    if word.len() > 100 {
        return None;
    }
    let word = word.to_lowercase();
    let likeness = |other: &str| strsim::normalized_damerau_levenshtein(&word, &other.to_lowercase());
    let candidates = candidates.into_iter().map(|candidate| (likeness(candidate), candidate));
    let best = candidates.max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness > 0.7).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::de::IgnoredAny;

    use super::*;

    fn refused(text: &str) -> String {
        read::<BTreeMap<String, IgnoredAny>>("text", text).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn tokens_and_levels_have_limits() {
        let nested = |open: &str, close: &str, depth| format!("a = {}1{}", open.repeat(depth), close.repeat(depth));
        for (open, close, last) in [("[", "]", 12), ("{b=", "}", 28)] {
            assert_eq!(refused(&nested(open, close, limits::TEXT_NESTING)), "");
            for depth in [limits::TEXT_NESTING + 1, 100_000] {
                let expected = format!("limit at line 1 column {}: more than 8 levels in a text", last + 1);
                let expected = if open == "[" { expected } else { expected.replace("29", &(5 + 8 * 3).to_string()) };
                assert_eq!(refused(&nested(open, close, depth)), expected);
            }
        }
        assert_eq!(refused(&format!("a{} = 1", ".a".repeat(8))), "");
        assert_eq!(
            refused(&format!("\na{} = 1", ".a".repeat(9))),
            "limit at line 2 column 18: more than 8 levels in a text"
        );
        assert!(refused(&"a=1\n".repeat(limits::TEXT_TOKENS / 4 + 1)).contains("more than 1048576 tokens in a text"));
    }

    #[test]
    fn an_error_has_a_line_and_a_column() {
        assert!(refused("= 1").starts_with("malformed at line 1 column 1: "));
        assert!(refused("a = 1\né = 2\n").starts_with("malformed at line 2 column 1: "));
        assert_eq!(refused("a = 1\n\"é\" = 1\na = 2"), "malformed at line 3 column 1: duplicate key");
    }
}
