//! Texture loads, stores and queries.
