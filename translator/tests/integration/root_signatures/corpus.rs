//! The corpus: the texts in `tests/fixtures/root-signatures/texts.txt`, and what DXC makes of them.

use std::collections::BTreeMap;

use dxil_translator::RootSignature;
use dxil_translator::binding::root_signature::{RootVersion, sampler_flags};

use super::folder;

/// A signature as DXC compiles it.
pub struct Compiled {
    /// Its name, with the version.
    pub name: String,
    pub text: String,
    pub version: RootVersion,
    /// The RTS0 part that DXC wrote.
    pub part: Vec<u8>,
}

impl Compiled {
    /// The signature that the part has.
    pub fn signature(&self) -> RootSignature {
        RootSignature::parse(&self.part, 0).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

fn lines(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("root-signatures").join(file)).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// All signatures that DXC compiled, most of them in both versions.
pub fn compiled() -> Vec<Compiled> {
    let texts = lines("texts.txt");
    let texts: BTreeMap<&str, &str> = texts
        .iter()
        .map(|line| line.split_once('=').unwrap())
        .map(|(name, text)| (name.trim().trim_end_matches('*'), text.trim()))
        .collect();
    assert!(texts.len() >= 60, "{} root signatures", texts.len());
    let read = |line: &String| {
        let mut words = line.split(' ');
        let (name, version) = (words.next().unwrap(), words.next().unwrap());
        let word = |word| u32::from_str_radix(word, 16).unwrap();
        Compiled {
            name: format!("{name} {version}"),
            text: texts[name].to_owned(),
            version: version.parse().unwrap(),
            part: words.map(word).flat_map(u32::to_le_bytes).collect(),
        }
    };
    lines("compiled.txt").iter().map(read).collect()
}

/// All signatures in all versions, with their names. No compiler writes version 1.2 yet, so these
/// are the signatures of version 1.1 with flags for every second static sampler that may have them.
pub fn all_versions() -> Vec<(String, RootSignature)> {
    let compiled = compiled();
    let mut all: Vec<_> = compiled.iter().map(|c| (c.name.clone(), c.signature())).collect();
    for one in compiled.iter().filter(|one| one.version == RootVersion::V1_1) {
        let mut signature = one.signature().to_version(RootVersion::V1_2).unwrap();
        for (index, sampler) in signature.static_samplers.iter_mut().enumerate() {
            if index % 2 == 0 {
                // A border colour of integers, the flag that says so, and for filters without
                // mip levels the other flag too.
                sampler.border_color = 3 + sampler.border_color % 2;
                sampler.flags = sampler_flags::UINT_BORDER_COLOR;
            }
            if [0x00, 0x14, 0x100, 0x194].contains(&sampler.filter) {
                sampler.flags |= sampler_flags::NON_NORMALIZED_COORDINATES;
                sampler.address = [3, 4, 1];
                (sampler.min_lod, sampler.max_lod) = (0, 0);
            }
        }
        all.push((format!("{} as 1.2", one.name), signature));
    }
    all
}
