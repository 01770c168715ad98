//! Raw, structured and typed buffers.
