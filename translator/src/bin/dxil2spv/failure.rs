//! Why the tool stops: a message for a person, an exit code for a build system.

use std::fmt;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use dxil_base::text::from_fn;
use dxil_translator::{Error, ErrorKind};

/// A failure: the file that it concerns, its exit code, and what went wrong.
#[derive(Debug)]
pub struct Failure {
    file: String,
    code: u8,
    message: String,
}

/// Exit codes, which `--help` and README.md state too.
pub mod code {
    /// The input breaks a rule of its format.
    pub const MALFORMED: u8 = 1;
    /// Wrong arguments, or a file that cannot be read or written. The argument parser exits with
    /// this code too.
    pub const USAGE: u8 = 2;
    /// Something in the input is not supported.
    pub const UNSUPPORTED: u8 = 3;
    /// The profile lacks a Vulkan feature that the shader needs.
    pub const MISSING_FEATURE: u8 = 4;
    /// A resource has no suitable binding.
    pub const BINDING: u8 = 5;
    /// A limit is exceeded.
    pub const LIMIT: u8 = 6;
    /// A fault of the translator.
    pub const BUG: u8 = 7;
}

impl Failure {
    /// An error of the translator about a file.
    pub fn translator(file: &Path, error: &Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Malformed => code::MALFORMED,
            ErrorKind::Unsupported => code::UNSUPPORTED,
            ErrorKind::MissingFeature(_) => code::MISSING_FEATURE,
            ErrorKind::Binding => code::BINDING,
            ErrorKind::Limit => code::LIMIT,
            // `ErrorKind::Bug`, and a kind that has no code here.
            _ => code::BUG,
        };
        Self::new(file, code, error)
    }

    /// A file that cannot be read or written, or files that do not belong together.
    pub fn usage(file: &Path, message: impl fmt::Display) -> Self {
        Self::new(file, code::USAGE, format!("usage at input: {message}"))
    }

    /// A fault of the translator that the SPIR-V validator found.
    #[cfg_attr(not(feature = "validate"), expect(dead_code, reason = "only the validator reports one"))]
    pub fn bug(file: &Path, message: impl fmt::Display) -> Self {
        Self::new(file, code::BUG, format!("translator fault at input: {message}"))
    }

    /// A panic. Rust's default hook has printed its message already.
    pub fn panic(file: &Path) -> Self {
        Self::new(
            file,
            code::BUG,
            "translator fault at input: the translator panicked (message above); please report it with the input",
        )
    }

    fn new(file: &Path, code: u8, message: impl fmt::Display) -> Self {
        Self { file: file.display().to_string(), code, message: message.to_string() }
    }

    /// What went wrong, without the file.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the profile lacks a feature.
    pub fn is_of_a_feature(&self) -> bool {
        self.code == code::MISSING_FEATURE
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        self.code
    }
}

/// The style of a file's name.
pub const FILE: Style = Style::new().bold();
/// The style of `error:`, which is the argument parser's.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of `warning:`.
pub const WARNING: Style = AnsiColor::Cyan.on_default().bold();

/// Prints a warning about a file.
pub fn print_warning(file: &Path, warning: &str) {
    anstream::eprintln!("{FILE}{}:{FILE:#} {WARNING}warning:{WARNING:#} {warning}", file.display());
}

impl Failure {
    /// The message with styles. The stream removes them where they do not belong: if it is no
    /// terminal, or if the variable `NO_COLOR` is set.
    pub fn styled(&self) -> impl fmt::Display {
        from_fn(|f| {
            // A path may contain line breaks. The further lines of a message, as of a list, are
            // indented, so that the first line of each failure is found by its form.
            let file = self.file.replace(['\n', '\r'], " ");
            let message = self.message.replace('\r', " ").replace('\n', "\n  ");
            write!(f, "{FILE}{file}:{FILE:#} {ERROR}error:{ERROR:#} {message}")
        })
    }
}
