//! The outputs of a run.

/// The outputs by name, in the order of [`Fixture::outputs`](crate::spec::Fixture::outputs).
pub type Outputs = Vec<(String, Vec<u32>)>;

pub(super) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|chunk| chunk.try_into().ok().map(u32::from_le_bytes)).collect()
}
