//! Derivatives.
