//! The names of files that belong to a translation, in `dump_dir` and in `override_dir`.

use crate::translator::Request;

/// The name of a request's files without extension, and the request's text. The name has a hash of
/// the text.
pub fn name_and_text(request: &Request) -> (String, String) {
    let text = request.to_string();
    let id = blake3::hash(text.as_bytes()).to_hex();
    (format!("{}-{}", request.blob.short(), &id[..8]), text)
}
