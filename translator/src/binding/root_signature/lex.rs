//! The tokens of root signature text.
//!
//! In: text. Out: one token after the other, with its line and column. What must hold: nothing is
//! copied and nothing is read twice, so that the work is linear in the length of the text.
//!
//! Blanks, line breaks and comments (`//` to the end of the line, and `/*` to `*/`) separate
//! tokens. DXC's own lexer does not take comments; files that people keep do have them.

use dxil_base::error::{Error, Place, Result};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A name: letters, digits, underscores.
    Word(&'a str),
    /// A register: one of the letters `b`, `t`, `u`, `s`, and digits.
    Register(char, &'a str),
    /// A number: an optional sign, digits, and for floats point and exponent.
    Number(&'a str),
    /// One of `(`, `)`, `,`, `=`, `|`.
    Sign(char),
    /// The end of the text.
    End,
}

/// The most characters of a text that a message quotes.
const QUOTED: usize = 40;

impl Token<'_> {
    /// The token as a message quotes it.
    pub(super) fn quoted(self) -> String {
        let text = match self {
            Token::End => return "the end of the text".to_owned(),
            Token::Sign(sign) => return format!("`{sign}`"),
            Token::Register(letter, digits) => format!("{letter}{}", short(digits)),
            Token::Word(text) | Token::Number(text) => short(text),
        };
        format!("`{text}`")
    }
}

/// The beginning of a text, for messages.
fn short(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A cursor over the tokens of a text.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, column: 1 }
    }

    /// The place of the next character.
    fn place(&self) -> Place {
        Place::Column { line: self.line, column: self.column }
    }

    /// The next token, with the place of its first character.
    pub(super) fn next(&mut self) -> Result<(Place, Token<'a>)> {
        self.skip_blanks()?;
        let place = self.place();
        let Some(first) = self.rest.chars().next() else { return Ok((place, Token::End)) };
        let token = match first {
            '(' | ')' | ',' | '=' | '|' => {
                self.take(1);
                Token::Sign(first)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let len = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let word = self.take(len.unwrap_or(self.rest.len()));
                register(word).unwrap_or(Token::Word(word))
            }
            '0'..='9' | '.' | '+' | '-' => Token::Number(self.take(number_length(self.rest))),
            other => return Err(self.unexpected(other)),
        };
        Ok((place, token))
    }

    fn unexpected(&self, found: char) -> Error {
        malformed!(
            self.place(),
            "the character `{}` is not one of root signature text; expected a name, a number, or one of `( ) , = |`",
            found.escape_debug()
        )
    }

    /// Takes the next `len` bytes, which have no line break.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.rest = rest;
        let characters = u32::try_from(taken.chars().count()).unwrap_or(u32::MAX);
        self.column = self.column.saturating_add(characters);
        taken
    }

    /// Goes past one character.
    fn step(&mut self) {
        let mut characters = self.rest.chars();
        if characters.next() == Some('\n') {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
        self.rest = characters.as_str();
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            if self.rest.starts_with(|c: char| c.is_ascii_whitespace()) {
                self.step();
            } else if self.rest.starts_with("//") {
                while !self.rest.is_empty() && !self.rest.starts_with('\n') {
                    self.step();
                }
            } else if self.rest.starts_with("/*") {
                let place = self.place();
                self.take(2);
                while !self.rest.starts_with("*/") {
                    if self.rest.is_empty() {
                        return Err(malformed!(place, "the comment `/*` has no end `*/`"));
                    }
                    self.step();
                }
                self.take(2);
            } else {
                return Ok(());
            }
        }
    }
}

/// The word as a register, if it is one.
fn register(word: &str) -> Option<Token<'_>> {
    let letter = word.chars().next().filter(|letter| ['b', 't', 'u', 's'].contains(letter))?;
    let digits = word.get(1..)?;
    let is = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is.then_some(Token::Register(letter, digits))
}

/// The length of a number, which begins with a digit, a point or a sign: everything that can belong
/// to it. What it means is for the one who uses it. `-inf` is a number.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let sign = matches!(c, '+' | '-');
        let belongs = c.is_ascii_alphanumeric() || c == '.' || (sign && (at == 0 || matches!(before, 'e' | 'E')));
        if !belongs {
            return at;
        }
        before = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut found = Vec::new();
        loop {
            match lexer.next().unwrap().1 {
                Token::End => return found,
                token => found.push(token),
            }
        }
    }

    /// A sign belongs to a number at its beginning and after the letter of an exponent.
    #[test]
    fn signs_in_numbers() {
        use Token::{Number, Sign};
        assert_eq!(tokens("1-2+3"), [Number("1"), Number("-2"), Number("+3")]);
        assert_eq!(tokens("-1.5e-3,1E+2"), [Number("-1.5e-3"), Sign(','), Number("1E+2")]);
        assert_eq!(tokens("1e,1E)"), [Number("1e"), Sign(','), Number("1E"), Sign(')')]);
        assert_eq!(tokens("--1"), [Number("-"), Number("-1")]);
    }
}
