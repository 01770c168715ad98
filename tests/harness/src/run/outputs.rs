//! The outputs of a run.

/// The outputs by name, in the order of [`Fixture::outputs`](crate::spec::Fixture::outputs).
pub type Outputs = Vec<(String, Vec<u32>)>;
