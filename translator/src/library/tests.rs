use super::*;
use crate::container::Container;
use dxil_base::error::ErrorKind;

fn fixture(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/libraries").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(bytes: &[u8]) -> Result<Subobjects> {
    Subobjects::read(&Container::parse(bytes)?.runtime_data()?.unwrap())
}

fn library() -> Subobjects {
    read(&fixture("subobjects.all.dxil")).unwrap()
}

/// The names of the local root signatures of an export.
fn locals(subobjects: &Subobjects, names: &[&str]) -> Vec<String> {
    let found = subobjects.associated(SubobjectKind::LocalRootSignature, names);
    found.iter().map(|subobject| subobject.name.to_string()).collect()
}

#[test]
fn every_kind_is_read() {
    let text: Vec<String> = library().iter().map(ToString::to_string).collect();
    let expected = [
        "StateObjectConfig `config`: flags ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS",
        "GlobalRootSignature `global`: RootFlags(0), UAV(u0, flags=0), SRV(t0, flags=0), CBV(b0, flags=0)",
        "LocalRootSignature `colour`: RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants=4, b1)",
        "LocalRootSignature `picture`",
        "LocalRootSignature `nothing`: RootFlags(LOCAL_ROOT_SIGNATURE), CBV(b7, flags=0)",
        "SubobjectToExportsAssociation `colour_of_miss`: `colour` of `miss`",
        "SubobjectToExportsAssociation `colour_of_red`: `colour` of `red`",
        "SubobjectToExportsAssociation `picture_of_blue`: `picture` of `blue`, `?sound@@YAXUPayload@@@Z`",
        "SubobjectToExportsAssociation `default_is_nothing`: `nothing` is the default",
        "RaytracingShaderConfig `sizes`: payload 16 bytes, attributes 8 bytes",
        "RaytracingPipelineConfig `depth`: recursion 4, flags 0",
        "RaytracingPipelineConfig `flags`: recursion 4, flags SKIP_TRIANGLES",
        "HitGroup `red`: triangles, any hit `cut`, closest hit `shade`",
        "HitGroup `blue`: triangles, closest hit `shade`",
        "HitGroup `ball`: procedural primitives, any hit `cut`, intersection `surface`",
    ];
    assert_eq!(text.len(), expected.len());
    for (text, expected) in text.iter().zip(expected) {
        let same = if expected.ends_with("`picture`") { text.starts_with(expected) } else { text == expected };
        assert!(same, "{text}\n{expected}");
    }
}

#[test]
fn configs_are_given_where_they_agree() {
    let library = library();
    let sizes = library.shader_config().unwrap();
    assert_eq!((sizes.payload_bytes, sizes.attribute_bytes), (16, 8));
    // The two pipeline configs differ in their flags.
    assert_eq!(library.pipeline_config(), None);
    let config = |name| match library.get(name).unwrap().content {
        SubobjectContent::PipelineConfig(config) => config,
        _ => panic!("{name}"),
    };
    assert!(config("flags").skips_triangles() && !config("flags").skips_procedural_primitives());
    assert!(!config("depth").skips_triangles());
    assert_eq!(library.hit_groups().map(|(name, _)| name).collect::<Vec<_>>(), ["red", "blue", "ball"]);
}

/// The rules of DirectX-Specs, Raytracing, "Subobject association behavior".
#[test]
fn associations_follow_the_rules_of_a_library() {
    let library = library();
    // Explicit, by the plain and by the mangled name, with and without LLVM's mark.
    assert_eq!(locals(&library, &["miss", "?miss@@YAXUPayload@@@Z"]), ["colour"]);
    assert_eq!(locals(&library, &["sound", "?sound@@YAXUPayload@@@Z"]), ["picture"]);
    assert_eq!(locals(&library, &["\u{1}?sound@@YAXUPayload@@@Z"]), ["picture"]);
    // A shader of two hit groups has one of the signatures of both.
    assert_eq!(locals(&library, &["shade"]), ["colour", "picture"]);
    assert_eq!(locals(&library, &["red"]), ["colour"]);
    // One of its hit groups has an association, the other one has the default.
    assert_eq!(locals(&library, &["cut"]), ["colour", "nothing"]);
    assert_eq!(locals(&library, &["surface"]), ["nothing"]);
    // The default is the one that an association without exports names. `colour` and `picture` are
    // in explicit associations, so they are no defaults.
    assert_eq!(locals(&library, &["generate"]), ["nothing"]);
    // The only global root signature is named by no association, so it is the default.
    let global = library.associated(SubobjectKind::GlobalRootSignature, &["generate"]);
    assert_eq!(global.iter().map(|subobject| &*subobject.name).collect::<Vec<_>>(), ["global"]);
    let configs = library.associated(SubobjectKind::RaytracingPipelineConfig1, &["miss"]);
    assert_eq!(configs.len(), 2);
}

#[test]
fn what_was_looked_for_is_reported() {
    let library = library();
    let text = library.searched(SubobjectKind::LocalRootSignature, &["shade", "\u{1}?shade@@"]).unwrap();
    assert_eq!(
        text,
        "looked for an association of `shade`, `?shade@@`, `red`, `blue`, or a single default; of kind \
         LocalRootSignature the library declares `colour`, `picture`, `nothing`"
    );
    assert_eq!(library.searched(SubobjectKind::HitGroup, &["shade"]).map(|text| text.len() > 10), Some(true));
    assert_eq!(Subobjects::default().searched(SubobjectKind::LocalRootSignature, &["shade"]), None);
    let error = library.local_root_signature("other").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unsupported at input: no local root signature `other`; the library declares `colour`, `picture`, `nothing`"
    );
    assert!(library.local_root_signature("sizes").is_err() && library.local_root_signature("colour").is_ok());
}

/// The place of a word in the container: that of its `nth` occurrence after the subobject table's
/// header. Records have six words: kind, name and four of content.
fn word_of_record(bytes: &[u8], record: usize, word: usize) -> usize {
    let container = Container::parse(bytes).unwrap();
    let data = container.runtime_data().unwrap().unwrap();
    let table = data.part(crate::container::RuntimeDataKind::SubobjectTable).unwrap();
    table.offset + 8 + 24 * record + 4 * word
}

#[track_caller]
fn refused(record: usize, word: usize, value: u32, expected: (ErrorKind, &str)) {
    let mut bytes = fixture("subobjects.all.dxil");
    let at = word_of_record(&bytes, record, word);
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let error = read(&bytes).unwrap_err();
    assert!(error.kind() == expected.0 && error.message().contains(expected.1), "{error}");
    assert!(matches!(error.place(), Place::Byte(_)), "{error}");
}

#[test]
fn faulty_records_are_refused_with_their_byte() {
    use ErrorKind::{Malformed, Unsupported};
    // The name, a root signature's offset and size.
    refused(0, 1, 0x7fff_ffff, (Malformed, "offset 2147483647 is past its end"));
    refused(1, 2, 0x7fff_ffff, (Malformed, "offset 2147483647 is past its end"));
    refused(1, 3, 0x7fff_ffff, (Malformed, "2147483647 bytes expected"));
    refused(
        1,
        3,
        4,
        (Malformed, "subobject GlobalRootSignature `global`: root signature: 4 bytes expected, 0 are left"),
    );
    // A global root signature that is called a local one, and the reverse.
    refused(1, 0, 2, (Malformed, "`global` lacks the flag LOCAL_ROOT_SIGNATURE"));
    refused(2, 0, 1, (Malformed, "`colour` has the flag LOCAL_ROOT_SIGNATURE"));
    // Reading a root signature one word later gives another version.
    let mut bytes = fixture("subobjects.all.dxil");
    let at = word_of_record(&bytes, 1, 2);
    let offset = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    bytes[at..at + 4].copy_from_slice(&(offset + 8).to_le_bytes());
    assert_eq!(read(&bytes).unwrap_err().kind(), Unsupported);
    // The subobject and the list of an association.
    refused(5, 2, 0x7fff_ffff, (Malformed, "offset 2147483647 is past its end"));
    refused(5, 3, 0x4000_0000, (Malformed, "offset 4294967296 is past its end"));
    refused(5, 3, 11, (Malformed, "are left"));
    // The type and the shaders of a hit group.
    refused(12, 2, 2, (Malformed, "hit group `red` has type 2; expected 0 (Triangle) or 1 (ProceduralPrimitive)"));
    refused(12, 3, 0x7fff_ffff, (Malformed, "offset 2147483647 is past its end"));
    // Two subobjects of one name.
    let bytes = fixture("subobjects.all.dxil");
    let at = word_of_record(&bytes, 0, 1);
    let name = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    refused(1, 1, name, (Malformed, "two subobjects are called `config`"));
}

#[test]
fn a_kind_to_come_has_its_number() {
    let mut bytes = fixture("subobjects.all.dxil");
    let at = word_of_record(&bytes, 0, 0);
    bytes[at..at + 4].copy_from_slice(&77u32.to_le_bytes());
    let library = read(&bytes).unwrap();
    let first = library.iter().next().unwrap();
    assert_eq!((first.kind(), first.to_string()), (SubobjectKind::Other(77), "SubobjectKind(77) `config`".to_owned()));
}
