//! The error type of the crate: what was found, why it is refused, and where.
//!
//! Inside the crate the macros below make errors. They take the place first, so that every error
//! has one.

use std::fmt;

use crate::feature::Feature;

/// The kind of an error. It decides the exit code of the tool and the `VkResult` of the layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input breaks a rule of its format.
    Malformed,
    /// The input is (or may be) valid, but this translator does not support a part of it.
    Unsupported,
    /// The shader needs a Vulkan feature that the profile does not have.
    MissingFeature(Feature),
    /// A resource has no place, or an unsuitable one, in the binding plan or pipeline layout.
    Binding,
    /// The input exceeds a named limit of [`limits`](crate::limits).
    Limit,
    /// A fault of the translator itself, found by its own checks. Please report it.
    Bug,
}

/// Where an error was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The input as a whole.
    Input,
    /// A byte offset from the start of the input.
    Byte(u64),
    /// A bit offset from the start of the input. Bitcode is a stream of bits.
    Bit(u64),
    /// A function, by its number in the module.
    Function(u32),
    /// An instruction: function number in the module, and instruction number in the function.
    Inst {
        /// Number of the function in the module.
        func: u32,
        /// Number of the instruction in the function.
        inst: u32,
    },
    /// A DXIL operation, by opcode.
    Op(u32),
    /// A resource, by class (`t`, `u`, `b`, `s`), register and space.
    Resource {
        /// Register class letter: `t`, `u`, `b` or `s`.
        class: char,
        /// First register of the resource's range.
        register: u32,
        /// Register space.
        space: u32,
    },
    /// A control-flow edge, by block numbers.
    Edge {
        /// The block that branches.
        from: u32,
        /// The block branched to.
        to: u32,
    },
    /// A line of a text input (profile, dumped plan), counted from one.
    Line(u32),
    /// A character of a text input (root signature text). Lines and columns are counted from one,
    /// columns in characters.
    Column {
        /// The line.
        line: u32,
        /// The column of the line.
        column: u32,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place::Input => write!(f, "input"),
            Place::Byte(n) => write!(f, "byte {n}"),
            Place::Bit(n) => write!(f, "byte {} bit {}", n / 8, n % 8),
            Place::Function(n) => write!(f, "function {n}"),
            Place::Inst { func, inst } => write!(f, "function {func} instruction {inst}"),
            Place::Op(n) => write!(f, "operation {n}"),
            Place::Resource { class, register, space } => write!(f, "resource {class}{register} space{space}"),
            Place::Edge { from, to } => write!(f, "edge b{from} to b{to}"),
            Place::Line(n) => write!(f, "line {n}"),
            Place::Column { line, column } => write!(f, "line {line} column {column}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    place: Place,
    message: String,
    /// The place in the shader's source.
    source: Option<Box<str>>,
}

/// An error: kind, place and message. It is one pointer wide, because nearly every function can
/// return one.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

impl Error {
    /// Makes an error from its parts. Inside the crate, use the macros.
    #[cold]
    pub fn new(kind: ErrorKind, place: Place, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, place, message: message.into(), source: None }))
    }
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
    /// The place where it was found.
    pub fn place(&self) -> Place {
        self.0.place
    }
    /// The message: what was found and what was expected, without kind and place.
    pub fn message(&self) -> &str {
        &self.0.message
    }
    /// The place in the shader's source, where it is known: `shader.hlsl:12:5` for an instruction,
    /// the quoted name of a resource.
    pub fn source_place(&self) -> Option<&str> {
        self.0.source.as_deref()
    }
    /// The same error with a place in the shader's source, if there is one and it has none yet.
    #[must_use]
    pub fn in_source(mut self, source: Option<String>) -> Self {
        if self.0.source.is_none() {
            self.0.source = source.map(Into::into);
        }
        self
    }
    /// The same error at this place, if it was found in the input as a whole.
    #[must_use]
    #[inline]
    pub fn or_at(mut self, place: Place) -> Self {
        if self.0.place == Place::Input {
            self.0.place = place;
        }
        self
    }
    /// The same error with its byte or bit offset moved by `bytes`. Readers of a part of the input
    /// (bitcode inside a container) count from the start of that part.
    #[must_use]
    pub fn offset_by(mut self, bytes: u64) -> Self {
        self.0.place = match self.0.place {
            Place::Byte(n) => Place::Byte(n + bytes),
            Place::Bit(n) => Place::Bit(n + bytes * 8),
            other => other,
        };
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            ErrorKind::Malformed => write!(f, "malformed")?,
            ErrorKind::Unsupported => write!(f, "unsupported")?,
            ErrorKind::MissingFeature(feature) => write!(f, "missing feature {feature}")?,
            ErrorKind::Binding => write!(f, "binding")?,
            ErrorKind::Limit => write!(f, "limit")?,
            ErrorKind::Bug => write!(f, "translator fault")?,
        }
        let Inner { place, message, source, .. } = &*self.0;
        match (names_resource(message, *place), source) {
            (true, None) => write!(f, " at resource {message}"),
            (true, Some(name)) if message.contains(&*name.replace('`', "\"")) => write!(f, " at resource {message}"),
            (true, Some(name)) => write!(f, " at resource {name}: {message}"),
            (false, None) => write!(f, " at {place}: {message}"),
            (false, Some(source)) => write!(f, " at {source} ({place}): {message}"),
        }
    }
}

/// Whether a message begins with the resource at its place, as `t0 space1 …` or `t0[4] space1 …`.
fn names_resource(message: &str, place: Place) -> bool {
    let Place::Resource { class, register, space } = place else { return false };
    let Some(rest) = message.strip_prefix(&*format!("{class}{register}")) else { return false };
    let array = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let rest = array.map_or(rest, |(_, rest)| rest);
    rest.starts_with(&format!(" space{space} "))
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// The crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// `malformed!(place, "format", …)`: an error of kind [`Malformed`](ErrorKind::Malformed).
#[macro_export]
macro_rules! malformed {
    ($place:expr, $($arg:tt)+) => { $crate::error::Error::new($crate::error::ErrorKind::Malformed, $place, format!($($arg)+)) };
}
/// `unsupported!(place, "format", …)`: an error of kind [`Unsupported`](ErrorKind::Unsupported).
#[macro_export]
macro_rules! unsupported {
    ($place:expr, $($arg:tt)+) => { $crate::error::Error::new($crate::error::ErrorKind::Unsupported, $place, format!($($arg)+)) };
}
/// `binding_error!(place, "format", …)`: an error of kind [`Binding`](ErrorKind::Binding).
#[macro_export]
macro_rules! binding_error {
    ($place:expr, $($arg:tt)+) => { $crate::error::Error::new($crate::error::ErrorKind::Binding, $place, format!($($arg)+)) };
}
/// `limit_error!(place, "format", …)`: an error of kind [`Limit`](ErrorKind::Limit).
#[macro_export]
macro_rules! limit_error {
    ($place:expr, $($arg:tt)+) => { $crate::error::Error::new($crate::error::ErrorKind::Limit, $place, format!($($arg)+)) };
}
/// `bug!(place, "format", …)`: an error of kind [`Bug`](ErrorKind::Bug), for faults that the
/// translator's own checks find.
#[macro_export]
macro_rules! bug {
    ($place:expr, $($arg:tt)+) => { $crate::error::Error::new($crate::error::ErrorKind::Bug, $place, format!($($arg)+)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place in the source comes before that in the container.
    #[test]
    fn a_place_in_the_source_comes_first() {
        let source = || Some("a.hlsl:12:5".to_owned());
        let error = unsupported!(Place::Inst { func: 0, inst: 3 }, "text").in_source(source());
        assert_eq!(error.to_string(), "unsupported at a.hlsl:12:5 (function 0 instruction 3): text");
        assert_eq!(error.clone().in_source(Some("other".into())), error);
        assert_eq!(error.source_place(), Some("a.hlsl:12:5"));
        let place = Place::Resource { class: 't', register: 1, space: 0 };
        let error = binding_error!(place, "t1 space0 Texture2D has no place").in_source(Some("`albedo`".into()));
        assert_eq!(error.to_string(), "binding at resource `albedo`: t1 space0 Texture2D has no place");
        // A message that has the name says it once.
        let error =
            binding_error!(place, "t1 space0 Texture2D \"albedo\" has no place").in_source(Some("`albedo`".into()));
        assert_eq!(error.to_string(), "binding at resource t1 space0 Texture2D \"albedo\" has no place");
    }

    /// A message that begins with the resource at its place does not say it twice.
    #[test]
    fn a_resource_is_named_once() {
        let error = |message: &str| {
            let place = Place::Resource { class: 't', register: 1, space: 0 };
            binding_error!(place, "{message}").to_string()
        };
        for own in ["t1 space0 Texture2D (pixel) has no place", "t1[4] space0 Texture2D has no place"] {
            assert_eq!(error(own), format!("binding at resource {own}"));
        }
        for other in
            ["t10 space0 Buffer", "t1 space01 Buffer", "u1 space0 Buffer", "t1[4 space0 Buffer", "", "t1 space0"]
        {
            assert_eq!(error(other), format!("binding at resource t1 space0: {other}"));
        }
    }
}
