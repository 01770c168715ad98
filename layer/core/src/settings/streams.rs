//! The setting `stream_output`: outputs that the last stage before the rasterizer also writes to
//! buffers.
//!
//! In: the text of the setting. Out: the outputs of a shader that are written. What must hold: a
//! list with a hash is for the shaders of that blob alone; a list without one is for the shaders
//! that have all of its outputs; of several lists for a shader the first counts.

use std::str::FromStr;
use std::sync::Arc;

use crate::translator::{BlobDigest, StreamOutput};

/// The fewest digits of a hash: those that messages show.
const DIGITS: usize = 16;

/// The lists of the setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamOutputs(Vec<List>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    /// The first digits of the hash of a blob; empty for all blobs.
    blob: String,
    rows: Arc<[StreamOutput]>,
}

impl FromStr for List {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (blob, rows) = match text.split_once('@') {
            Some((blob, _)) if blob.len() < DIGITS || !blob.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                return Err(format!(
                    "`{}` is no hash of a blob, of which messages show 16 digits",
                    blob.escape_debug()
                ));
            }
            Some(parts) => parts,
            None => ("", text),
        };
        let rows = rows.split(',').map(|row| row.trim().parse()).collect::<Result<_, _>>()?;
        Ok(Self { blob: blob.to_ascii_lowercase(), rows })
    }
}

impl FromStr for StreamOutputs {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let lists = text.split(';').map(str::trim).filter(|list| !list.is_empty());
        lists.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl StreamOutputs {
    /// The outputs that a shader of a blob writes to buffers, if `has` says of a list whether the
    /// shader has all of its outputs.
    pub fn find(&self, blob: &BlobDigest, has: impl Fn(&[StreamOutput]) -> bool) -> Option<Arc<[StreamOutput]>> {
        let is_for = |list: &&List| match list.blob.as_str() {
            "" => has(&list.rows),
            digits => blob.to_string().starts_with(digits),
        };
        self.0.iter().find(is_for).map(|list| list.rows.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_for_blobs_and_outputs() {
        let (first, second) = (BlobDigest::from_bytes(b"first"), BlobDigest::from_bytes(b"second"));
        let text = format!("{}@A=0:0:0:4; B1=1:2:4:32, SV_Position=1:2:8:32;", first.short().to_ascii_uppercase());
        let lists: StreamOutputs = text.parse().unwrap();
        let semantics = |found: Option<Arc<[StreamOutput]>>| {
            found.map(|rows| rows.iter().map(|row| row.semantic.to_string()).collect::<Vec<_>>())
        };
        assert_eq!(semantics(lists.find(&first, |_| panic!("the hash is enough"))), Some(vec!["A".to_owned()]));
        let rows = lists.find(&second, |rows| rows.len() == 2).unwrap();
        assert_eq!((rows[0].index, rows[0].stream, rows[0].buffer, rows[0].offset, rows[0].stride), (1, 1, 2, 4, 32));
        assert_eq!(semantics(Some(rows)), Some(vec!["B".to_owned(), "SV_POSITION".to_owned()]));
        assert_eq!(lists.find(&second, |_| false), None);
        assert_eq!("".parse(), Ok(StreamOutputs::default()));
        for wrong in ["A", "A=0:0:0", "A=0:0:0:x", "=0:0:0:4", "A=0:0:0:4,", "12345@A=0:0:0:4"] {
            assert!(wrong.parse::<StreamOutputs>().is_err(), "{wrong}");
        }
    }
}
