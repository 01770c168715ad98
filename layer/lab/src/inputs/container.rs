//! The parts of a container.
//!
//! In: a DXBC container, or any bytes. Out: its parts, and a container with another root signature.
//! What must hold: no offset or size of a file is trusted.

use std::ops::Range;

use dxil_translator::RootSignature;

/// The head of a container: magic, digest, version, size, number of parts (DxilContainer.h,
/// `DxilContainerHeader`).
const HEAD: usize = 32;
const ROOT_SIGNATURE: [u8; 4] = *b"RTS0";
/// The parts that have code of a shader.
const CODE: [[u8; 4]; 4] = [*b"DXIL", *b"ILDB", *b"SHEX", *b"SHDR"];

/// The parts of a container with their names; `None` for what is no container or is cut.
fn parts(bytes: &[u8]) -> Option<Vec<([u8; 4], Range<usize>)>> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize);
    if !bytes.starts_with(b"DXBC") {
        return None;
    }
    let count = word(HEAD - 4)?;
    // Each part has an offset in the file.
    let offsets = bytes.get(HEAD..HEAD.checked_add(count.checked_mul(4)?)?)?;
    let part = |at: usize| {
        let at = word(HEAD + at * 4)?;
        let (name, size) = (bytes.get(at..at.checked_add(4)?)?, word(at.checked_add(4)?)?);
        let content = at.checked_add(8)?..at.checked_add(8)?.checked_add(size)?;
        bytes.get(content.clone())?;
        Some((name.try_into().ok()?, content))
    };
    (0..offsets.len() / 4).map(part).collect()
}

/// Whether a container has a root signature and no code, as `D3D12SerializeRootSignature` makes it.
pub fn is_root_signature(bytes: &[u8]) -> bool {
    let parts = parts(bytes).unwrap_or_default();
    let has = |name: &[u8; 4]| parts.iter().any(|(part, _)| part == name);
    has(&ROOT_SIGNATURE) && !CODE.iter().any(has)
}

/// A container with this root signature in the place of its own, as `dxc -setrootsignature` makes
/// it, but without a digest; `None` for what is no container, or a root signature that breaks D3D's
/// rules.
pub fn with_root_signature(bytes: &[u8], root_signature: &RootSignature) -> Option<Vec<u8>> {
    let kept = parts(bytes)?.into_iter().filter(|(name, _)| *name != ROOT_SIGNATURE);
    let mut contents: Vec<([u8; 4], &[u8])> = kept.map(|(name, content)| (name, &bytes[content])).collect();
    let serialized = root_signature.serialize().ok()?;
    contents.push((ROOT_SIGNATURE, &serialized));
    let mut at = HEAD + contents.len() * 4;
    let (mut offsets, mut body) = (Vec::new(), Vec::new());
    for (name, content) in &contents {
        offsets.extend(u32::try_from(at).ok()?.to_le_bytes());
        body.extend(name);
        body.extend(u32::try_from(content.len()).ok()?.to_le_bytes());
        body.extend(*content);
        // Parts begin at whole words.
        body.resize(body.len().next_multiple_of(4), 0);
        at = HEAD + contents.len() * 4 + body.len();
    }
    // The version is kept.
    let mut head = [b"DXBC".as_slice(), &[0; 16], bytes.get(20..24)?].concat();
    head.extend(u32::try_from(at).ok()?.to_le_bytes());
    head.extend(u32::try_from(contents.len()).ok()?.to_le_bytes());
    Some([head, offsets, body].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_translator::Shader;

    fn fixture(name: &str) -> Vec<u8> {
        let path = format!("{}/../../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).unwrap()
    }

    #[test]
    fn a_root_signature_takes_the_place_of_another_one() {
        let bytes = fixture("buffer/raw_read_write.dxil");
        let signature = |text: &str| RootSignature::from_bytes(text.as_bytes(), None).unwrap();
        let of = |bytes: &[u8]| {
            let shader = Shader::parse(bytes).unwrap();
            let (entry, _) = shader.entries().next().unwrap();
            shader.entry_root_signature(entry).cloned()
        };
        assert_eq!(of(&bytes), None);
        let mut now = bytes;
        for text in ["SRV(t0), UAV(u0)", "DescriptorTable(SRV(t0), UAV(u0))"] {
            now = with_root_signature(&now, &signature(text)).unwrap();
            assert_eq!(of(&now), Some(signature(text)));
        }
        assert!(!is_root_signature(&now));
        assert!(is_root_signature(&signature("SRV(t0)").serialize_container().unwrap()));
    }

    #[test]
    fn a_container_that_is_cut_or_lies_has_no_parts() {
        let bytes = fixture("buffer/raw_read_write.dxil");
        assert!(parts(&bytes).unwrap().len() > 1);
        for length in 0..bytes.len().min(400) {
            let _ = parts(&bytes[..length]);
        }
        for at in 0..60 {
            let mut wrong = bytes.clone();
            wrong[at..at + 4].fill(0xff);
            let _ = parts(&wrong);
        }
        let mut wrong = bytes;
        wrong[28..32].fill(0xff);
        assert_eq!(parts(&wrong), None);
    }
}
