//! The line of a directive: its words, which are read from the left, and its options.
//!
//! What must hold: a reader takes the words and options that it understands, and [`Line::end`]
//! refuses the line if any are left.

use std::str::FromStr;

use super::{Pattern, Register};
use crate::compare::Want;
use crate::error::{Error, Result};
use crate::vulkan::Format;

/// The words of a directive, and separately its options (`key=value`).
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) words: std::vec::IntoIter<&'a str>,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Line<'a> {
    pub(super) fn new(number: usize, text: &'a str) -> Result<Self> {
        let text = text.split('#').next().unwrap_or_default();
        let mut words = Vec::new();
        let mut options = Vec::new();
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(option) => options.push(option),
                None if options.is_empty() => words.push(word),
                None => return Err(Error::Spec(format!("line {number}: `{word}` must come before the options"))),
            }
        }
        Ok(Self { number, words: words.into_iter(), options })
    }

    pub(super) fn fault(&self, what: impl std::fmt::Display) -> Error {
        Error::Spec(format!("line {}: {what}", self.number))
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str> {
        let number = self.number;
        self.words.next().ok_or_else(|| Error::Spec(format!("line {number}: {what} is missing")))
    }

    pub(super) fn value<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.fault(format_args!("invalid {what} `{word}`; expected a number")))
    }

    /// The next word as a number, or `default` at the end of the line.
    pub(super) fn value_or<T: FromStr>(&mut self, what: &str, default: T) -> Result<T> {
        if self.words.as_slice().is_empty() { Ok(default) } else { self.value(what) }
    }

    /// The next word as a size from 1 to the largest size that a fixture may use.
    pub(super) fn size(&mut self, what: &str) -> Result<u32> {
        let size: u32 = self.value(what)?;
        if (1..=1 << 22).contains(&size) {
            Ok(size)
        } else {
            Err(self.fault(format_args!("{what} {size} is out of range")))
        }
    }

    /// Takes the next word if it is `wanted`.
    pub(super) fn accept(&mut self, wanted: &str) -> bool {
        let found = self.words.as_slice().first() == Some(&wanted);
        if found {
            self.words.next();
        }
        found
    }

    pub(super) fn one_of<T: Copy>(&self, what: &str, word: &str, list: &[(&str, T)]) -> Result<T> {
        list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<_> = list.iter().map(|(name, _)| *name).collect();
            self.fault(format_args!("invalid {what} `{word}`; expected one of {}", names.join(", ")))
        })
    }

    pub(super) fn choice<T: Copy>(&mut self, what: &str, list: &[(&str, T)]) -> Result<T> {
        let word = self.word(what)?;
        self.one_of(what, word, list)
    }

    pub(super) fn format(&mut self) -> Result<Format> {
        let name = self.word("FORMAT")?;
        Format::named(name).ok_or_else(|| self.fault(format_args!("unknown format `{name}`")))
    }

    /// Takes an option from the line and returns its value.
    pub(super) fn option(&mut self, key: &str) -> Option<&'a str> {
        let index = self.options.iter().position(|(name, _)| *name == key)?;
        Some(self.options.remove(index).1)
    }

    pub(super) fn option_value<T: FromStr>(&mut self, key: &str) -> Result<Option<T>> {
        let Some(text) = self.option(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| self.fault(format_args!("invalid value `{text}` of the option `{key}`")))
    }

    pub(super) fn option_choice<T: Copy>(&mut self, key: &str, list: &[(&str, T)]) -> Result<Option<T>> {
        self.option(key).map(|word| self.one_of(key, word, list)).transpose()
    }

    /// Refuses the line if a word or option was not taken.
    pub(super) fn end(mut self) -> Result<()> {
        if let Some(word) = self.words.next() {
            return Err(self.fault(format_args!("unexpected word `{word}`")));
        }
        match self.options.first() {
            Some((key, value)) => Err(self.fault(format_args!("unexpected option `{key}={value}`"))),
            None => Ok(()),
        }
    }

    pub(super) fn register(&self, text: &str) -> Result<Register> {
        let bad =
            || self.fault(format_args!("invalid register `{text}`; expected one such as `t3`, or `t3,1` in space 1"));
        let (name, space) = text.split_once(',').unwrap_or((text, "0"));
        let class = name.chars().next().filter(|class| "btusc".contains(*class)).ok_or_else(bad)?;
        let number = name.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
        Ok(Register { class, number, space: space.parse().map_err(|_| bad())? })
    }

    pub(super) fn data_word(&self, word: &str) -> Result<u32> {
        parse_word(word).ok_or_else(|| self.malformed(word))
    }

    pub(super) fn malformed(&self, word: &str) -> Error {
        self.fault(format_args!("malformed word `{word}`"))
    }

    pub(super) fn data_words(&mut self) -> Result<Vec<u32>> {
        let rest: Vec<_> = self.words.by_ref().collect();
        rest.into_iter().map(|word| self.data_word(word)).collect()
    }

    pub(super) fn pattern(&mut self) -> Result<Pattern> {
        let name = self.word("PATTERN")?;
        Ok(match name {
            "zero" => Pattern::Zero,
            "fill" => {
                let word = self.word("a word")?;
                Pattern::Fill(self.data_word(word)?)
            }
            "iota" => Pattern::Iota,
            "iota_f32" => Pattern::IotaF32,
            "random_u32" => Pattern::RandomU32(self.value("SEED")?),
            "random_f32" => Pattern::RandomF32(self.value("SEED")?, self.value("LO")?, self.value("HI")?),
            "random_f16" => Pattern::RandomF16(self.value("SEED")?, self.value("LO")?, self.value("HI")?),
            "random_f64" => Pattern::RandomF64(self.value("SEED")?, self.value("LO")?, self.value("HI")?),
            "words" => Pattern::Words(self.data_words()?),
            "cycle" => Pattern::Cycle(self.data_words()?),
            "edges_u32" => Pattern::edges_u32(),
            "edges_f32" => Pattern::edges_f32(),
            _ => return Err(self.fault(format_args!("unknown pattern `{name}`"))),
        })
    }
}

/// Parses an expected word: a word, `_` for any, or `nan` for any NaN.
#[must_use]
pub fn parse_want(word: &str) -> Option<Want> {
    match word {
        "_" => Some(Want::Any),
        "nan" => Some(Want::AnyNan),
        _ => parse_word(word).map(Want::Word),
    }
}

/// Parses a word in the notation of fixtures: hexadecimal, decimal, or a float.
#[must_use]
pub fn parse_word(word: &str) -> Option<u32> {
    match word {
        "inf" => return Some(f32::INFINITY.to_bits()),
        "-inf" => return Some(f32::NEG_INFINITY.to_bits()),
        "nan" => return Some(0x7fc0_0000),
        _ => {}
    }
    if let Some(digits) = word.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).ok();
    }
    if word.contains(['.', 'e', 'E']) {
        return word.parse::<f32>().ok().map(f32::to_bits);
    }
    let number: i64 = word.parse().ok()?;
    u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned))
}
