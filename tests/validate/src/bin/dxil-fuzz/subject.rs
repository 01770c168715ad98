//! What a case is.

use std::time::Duration;

use dxil_robustness::handed::Kind;

/// The longest processor time of a case. The promise is two seconds for an optimised translator;
/// here overflow checks and debug assertions are on, and the validator runs as well.
pub const LONGEST: Duration = Duration::from_secs(5);

/// What the input of a case is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Shader,
    Handed(Kind),
}

impl Subject {
    pub fn parse(name: &str) -> Result<Self, &'static str> {
        match name {
            "shader" => Ok(Self::Shader),
            _ => Kind::named(name).map(Self::Handed).ok_or("no kind has this name"),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Shader => "shader",
            Self::Handed(kind) => kind.name(),
        }
    }
}
