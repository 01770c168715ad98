//! Reads the names of operation functions: `dx.op.<class>` or `dx.op.<class>.<overload>`.
//!
//! DXC writes no overload where the operation has none, the scalar's name (`f32`), `v4f32` for a vector, and for a structure
//! the name of its type, which may itself contain dots (`struct.Payload`, `dx.types.Handle`).

use super::ScalarKind;

/// The name of an operation function, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The class.
    pub class: &'a str,
    /// What the call is overloaded on.
    pub overload: Overload<'a>,
}

/// The type a call is overloaded on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload<'a> {
    /// None.
    Void,
    /// A scalar.
    Scalar(ScalarKind),
    /// A vector.
    Vector {
        /// How many elements.
        len: u32,
        /// Type of the elements.
        element: ScalarKind,
    },
    /// A type by its name: a structure, or a resource object.
    Type(&'a str),
}

impl<'a> Symbol<'a> {
    /// What all names of operation functions begin with.
    pub const PREFIX: &'static str = "dx.op.";

    /// Takes a function's name apart; `None` where it is not the name of an operation function.
    pub fn parse(name: &'a str) -> Option<Self> {
        let name = name.strip_prefix(Self::PREFIX)?;
        let (class, overload) = match name.split_once('.') {
            None => (name, Overload::Void),
            Some((class, overload)) => (class, Overload::parse(overload)),
        };
        (!class.is_empty()).then_some(Self { class, overload })
    }
}

impl<'a> Overload<'a> {
    fn parse(text: &'a str) -> Self {
        if text == "void" {
            return Overload::Void;
        }
        if let Some(kind) = ScalarKind::from_name(text) {
            return Overload::Scalar(kind);
        }
        Self::parse_vector(text).unwrap_or(Overload::Type(text))
    }

    fn parse_vector(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v')?;
        let (digits, element) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
        Some(Overload::Vector { len: digits.parse().ok()?, element: ScalarKind::from_name(element)? })
    }
}

impl std::fmt::Display for Overload<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Overload::Void => f.write_str("void"),
            Overload::Scalar(kind) => f.write_str(kind.name()),
            Overload::Vector { len, element } => write!(f, "v{len}{}", element.name()),
            Overload::Type(name) => f.write_str(name),
        }
    }
}
