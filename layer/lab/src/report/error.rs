//! Why there is no page, and why a page has no code of a stage.

use thiserror::Error;

use crate::files::FileError;
use crate::synth::ShaderError;

/// Why there is no page.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folders have nothing to report.
    #[error("{0}: no results (*.jsonl) and no bundles; `dxil-lab run` and `exec` make results")]
    Nothing(String),
}

/// Why there is no code of a stage.
#[derive(Debug, Error)]
pub enum NoCode {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// The translator refuses the code.
    #[error(transparent)]
    Translator(#[from] dxil_translator::Error),
    /// The lab's own translation fails.
    #[error(transparent)]
    Shader(#[from] std::sync::Arc<ShaderError>),
    /// The record has no request.
    #[error("the capture has no request for this stage")]
    NoRequest,
    /// The capture has no code.
    #[error("the capture has no code for this stage")]
    Missing,
}
