//! Constant buffers.
