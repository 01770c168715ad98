//! The JSON of one object.

use serde_json::{Value, json};

use super::hash::hex;

/// The version of Fossilize's JSON.
pub const VERSION: u32 = 6;

/// The JSON of an object in a list of its kind.
pub fn document(list: &str, hash: u64, object: Value) -> Vec<u8> {
    let name = hex(hash);
    json!({ "version": VERSION, list: { name: object } }).to_string().into_bytes()
}
