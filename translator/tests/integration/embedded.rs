//! Containers embedded in SPIR-V: what is written, what is read back, and what is refused.

use std::time::Instant;

use dxil_test_support::spirv::bytes;
use dxil_test_support::{fixture, read, repository};
use dxil_translator::embedded::{GENERATOR, has_lost_generator};
use dxil_translator::{
    EmbedOptions, Error, ErrorKind, Options, PipelineStage, PlanInputs, RootSignature, Shader, VULKAN_1_3_DESKTOP,
    embed, extract, is_embedded, plan, translate,
};

/// A compute shader with enough bytes after it for several pieces.
fn long() -> Vec<u8> {
    let mut container = fixture("control/binary_search.dxil");
    container.extend((0..150_001u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 24) as u8));
    container
}

/// The test vector of docs/layer.md.
#[test]
fn test_vector() {
    let container = fixture("buffer/raw_copy.dxil");
    let vector = read(repository().join("translator/tests/embedded/raw_copy.spv"));
    let words = stub(&container);
    assert_eq!(bytes(&words), vector);
    assert_eq!(extract(&vector).unwrap().unwrap().container, container);
}

fn stub(container: &[u8]) -> Vec<u32> {
    embed(container, &EmbedOptions::default()).unwrap()
}

/// An instruction: its opcode and its operands.
type Instruction = (u32, Vec<u32>);

fn instructions(words: &[u32]) -> Vec<Instruction> {
    let (mut at, mut found) = (5, Vec::new());
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        found.push((words[at] & 0xffff, words[at + 1..at + count].to_vec()));
        at += count;
    }
    found
}

fn assembled(header: &[u32], instructions: &[Instruction]) -> Vec<u32> {
    let mut words = header[..5].to_vec();
    for (op, operands) in instructions {
        words.push((operands.len() as u32 + 1) << 16 | op);
        words.extend(operands);
    }
    words
}

fn text(words: &[u32]) -> String {
    let bytes = bytes(words);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap();
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}

fn string(id: u32, text: &str) -> Instruction {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(text.len() / 4 * 4 + 4, 0);
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    (STRING, [id].into_iter().chain(words).collect())
}

const STRING: u32 = 7;
const ENTRY_POINT: u32 = 15;

/// The texts of the strings of a module.
fn strings(words: &[u32]) -> Vec<String> {
    let all = instructions(words).into_iter();
    all.filter(|(op, _)| *op == STRING).map(|(_, operands)| text(&operands[1..])).collect()
}

/// The entry points of a module: execution model and name.
fn entries(words: &[u32]) -> Vec<(u32, String)> {
    let all = instructions(words).into_iter();
    all.filter(|(op, _)| *op == ENTRY_POINT).map(|(_, operands)| (operands[0], text(&operands[2..]))).collect()
}

/// The module with other strings in the place of its own.
fn with_strings(words: &[u32], texts: &[String]) -> Vec<u32> {
    let mut all = instructions(words);
    let at = all.iter().position(|(op, _)| *op == STRING).unwrap();
    all.retain(|(op, _)| *op != STRING);
    all.splice(at..at, texts.iter().enumerate().map(|(index, text)| string(1000 + index as u32, text)));
    assembled(words, &all)
}

fn error(words: &[u32]) -> Error {
    extract(&bytes(words)).unwrap_err()
}

#[track_caller]
fn says(error: &Error, kind: ErrorKind, message: &str) {
    assert!(error.kind() == kind && error.message().contains(message), "{error}");
}

#[test]
fn a_root_signature_is_read_where_it_is_embedded() {
    let container = fixture("rootsig/pipeline_layout.dxil");
    let signature = RootSignature::from_bytes(&container, None).unwrap();
    let code = bytes(&stub(&container));
    assert_eq!(RootSignature::from_bytes(&code, None).as_ref(), Ok(&signature));
    let none = bytes(&stub(&fixture("control/binary_search.dxil")));
    let error = RootSignature::from_bytes(&none, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Malformed);
    assert!(error.message().starts_with("no root signature: neither an RTS0 part nor"), "{error}");
    let mut other = code;
    other[8] += 1;
    let error = RootSignature::from_bytes(&other, None).unwrap_err();
    assert_eq!(error.message(), "not a root signature: a SPIR-V module that carries no DXIL container");
}

#[test]
fn what_is_embedded_comes_back() {
    for container in [fixture("control/binary_search.dxil"), fixture("libraries/entries.all.dxil"), long()] {
        let words = stub(&container);
        let code = bytes(&words);
        assert!(is_embedded(&code));
        let embedded = extract(&code).unwrap().unwrap();
        assert!(embedded.container == container);
        assert_eq!(embedded.digest, dxil_translator::BlobDigest::from_bytes(&container));
        assert_eq!(words, stub(&container), "the same on every run");
    }
}

#[test]
fn the_strings_are_as_documented() {
    let container = long();
    let digest = blake3::hash(&container).to_hex();
    let strings = strings(&stub(&container));
    assert_eq!(strings[0], format!("DXIL.Container.1 bytes={} blake3={digest} pieces=4", container.len()));
    assert_eq!(strings.len(), 5);
    for (piece, number) in strings[1..].iter().zip(1..) {
        assert!(piece.len() <= 65_535 && piece.starts_with(&format!("DXIL.Piece {number} ")));
    }
    // RFC 4648: three bytes are four characters. `DXB` is 0x44 0x58 0x42.
    assert!(strings[1].starts_with("DXIL.Piece 1 RFhC"));
}

#[test]
fn names_and_stages_of_a_stub() {
    let names = |name: &str| entries(&stub(&fixture(&format!("{name}.dxil"))));
    // An only entry point answers to `main`, whatever its name is.
    assert_eq!(names("control/binary_search"), [(5, "main".to_owned())]);
    let container = fixture("libraries/entries.all.dxil");
    let all = entries(&stub(&container));
    let shader = Shader::parse(&container).unwrap();
    assert_eq!(all.len(), shader.entries().len());
    for (_, name) in &all {
        shader.find_entry(Some(name)).unwrap();
    }
    let chosen = embed(&container, &EmbedOptions::default().with_entries(&["corner", "shade"])).unwrap();
    assert_eq!(entries(&chosen), [(0, "corner".to_owned()), (4, "shade".to_owned())]);
    let refused = embed(&container, &EmbedOptions::default().with_entries(&["nobody"])).unwrap_err();
    says(&refused, ErrorKind::Unsupported, "no entry point `nobody`; the container has `");
    let twice = embed(&container, &EmbedOptions::default().with_entries(&["shade", "shade"])).unwrap_err();
    says(&twice, ErrorKind::Unsupported, "entry point `shade` is given twice");
    // An alias under a name of the caller's choice.
    let only = fixture("control/binary_search.dxil");
    let alias = embed(&only, &EmbedOptions::default().with_entries(&["main"])).unwrap();
    assert_eq!(entries(&alias), [(5, "main".to_owned())]);
}

/// Ray-tracing libraries have mangled names, and a pipeline may use either form.
#[test]
fn mangled_and_plain_names() {
    let container = fixture("tracing/callables.dxil");
    let shader = Shader::parse(&container).unwrap();
    let words = stub(&container);
    assert_eq!(words[1], 0x0001_0400);
    let all = entries(&words);
    for (id, entry) in shader.entries() {
        for name in [&*entry.name, entry.plain_name()] {
            assert!(all.iter().any(|(_, other)| **other == *name), "{name}: {all:?}");
            assert_eq!(shader.find_entry(Some(name)), Ok(id));
        }
    }
}

#[test]
fn other_code_is_none_of_it() {
    assert_eq!(extract(b""), Ok(None));
    assert_eq!(extract(&fixture("control/binary_search.dxil")), Ok(None));
    let words = stub(&fixture("control/binary_search.dxil"));
    let mut plain = words.clone();
    plain[2] = 8 << 16;
    assert_eq!(extract(&bytes(&plain)), Ok(None));
    assert!(has_lost_generator(&bytes(&plain)) && !has_lost_generator(&bytes(&words)));
    let mut magic = words;
    magic[0] = magic[0].swap_bytes();
    assert_eq!(extract(&bytes(&magic)), Ok(None));
}

#[test]
fn faults_are_told_apart() {
    let words = stub(&long());
    let good = strings(&words);
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut texts = good.clone();
        change(&mut texts);
        error(&with_strings(&words, &texts))
    };
    // The means itself changes nothing.
    assert!(extract(&bytes(&with_strings(&words, &good))).unwrap().is_some());
    type Change<'a> = &'a dyn Fn(&mut Vec<String>);
    let cases: [(Change<'_>, &str); 14] = [
        (&|s| s.clear(), "a tool has stripped it"),
        (&|s| drop(s.remove(0)), "a piece of an embedded container before its head"),
        (&|s| drop(s.pop()), "3 of the 4 pieces"),
        (&|s| drop(s.remove(2)), "piece `3` of an embedded container; expected piece 2"),
        (&|s| s.insert(3, s[2].clone()), "piece `2` of an embedded container; expected piece 3"),
        (&|s| s.swap(2, 3), "piece `3` of an embedded container; expected piece 2"),
        (&|s| s.push("DXIL.Piece 5 AAAA".into()), "piece 5 of an embedded container, whose head says 4 pieces"),
        (&|s| s.insert(1, s[0].clone()), "carries two containers"),
        (&|s| s[1].truncate(13 + 1000), "whose head says"),
        (&|s| s[1].truncate(13 + 1002), "piece 1 of an embedded container is not base64"),
        (&|s| s[1].replace_range(100..101, "*"), "piece 1 of an embedded container is not base64"),
        (&|s| s[0] = s[0].replace("blake3=", "blake3=g"), "the head of an embedded container is `bytes="),
        (&|s| s[0] = s[0].replace(" pieces=4", ""), "the head of an embedded container is `bytes="),
        (&|s| s[0] = s[0].replace("bytes=", "bytes=0"), "the head of an embedded container is `bytes="),
    ];
    for (change, message) in cases {
        says(&with(change), ErrorKind::Malformed, message);
    }
    let flipped = with(&|s| {
        let other = if s[2].as_bytes()[60] == b'A' { "B" } else { "A" };
        s[2].replace_range(60..61, other);
    });
    says(&flipped, ErrorKind::Malformed, "has the BLAKE3 hash");
    let later = with(&|s| s[0] = s[0].replace("DXIL.Container.1", "DXIL.Container.2"));
    says(&later, ErrorKind::Unsupported, "format `2`; this translator reads format 1");
    let huge = with(&|s| s[0] = format!("DXIL.Container.1 bytes=99999999999 blake3={} pieces=1", "0".repeat(64)));
    says(&huge, ErrorKind::Limit, "99999999999 bytes of an embedded container");
}

#[test]
fn no_module_is_nested() {
    let container = fixture("control/binary_search.dxil");
    let words = stub(&container);
    let twice = embed(&bytes(&words), &EmbedOptions::default()).unwrap_err();
    says(&twice, ErrorKind::Malformed, "carries a container already");
    let body = embed(&container, &EmbedOptions::default().with_body(&words)).unwrap_err();
    says(&body, ErrorKind::Malformed, "carries a container already");
    let mut unmarked = words.clone();
    unmarked[2] = 0;
    let body = embed(&container, &EmbedOptions::default().with_body(&unmarked)).unwrap_err();
    says(&body, ErrorKind::Malformed, "carries a container already");
    // Another tool may have written it.
    let inner = bytes(&words);
    let head = format!("DXIL.Container.1 bytes={} blake3={} pieces=1", inner.len(), blake3::hash(&inner).to_hex());
    let pieces = |code: &[u8]| {
        use base64::Engine as _;
        format!("DXIL.Piece 1 {}", base64::engine::general_purpose::STANDARD.encode(code))
    };
    says(&error(&with_strings(&words, &[head, pieces(&inner)])), ErrorKind::Malformed, "is itself a SPIR-V module");
    let other = b"not a container";
    let head = format!("DXIL.Container.1 bytes={} blake3={} pieces=1", other.len(), blake3::hash(other).to_hex());
    says(&error(&with_strings(&words, &[head, pieces(other)])), ErrorKind::Malformed, "does not begin with `DXBC`");
}

#[test]
fn what_cannot_be_embedded() {
    let refused = |code: &[u8]| embed(code, &EmbedOptions::default()).unwrap_err();
    says(&refused(b"BC\xc0\xde"), ErrorKind::Unsupported, "only a DXIL container can be embedded");
    says(&refused(b"not a shader"), ErrorKind::Malformed, "this is text and no shader container");
    says(&refused(&fixture("libraries/functions.only.dxil")), ErrorKind::Unsupported, "the library has functions only");
    says(&refused(&fixture("control/binary_search.dxil")[..1000]), ErrorKind::Malformed, "the input only 1000");
}

fn translated(name: &str) -> Vec<u32> {
    let shader = Shader::parse(&fixture(&format!("{name}.dxil"))).unwrap();
    let stage = PipelineStage::new(&shader, shader.find_entry(None).unwrap());
    let plan = plan(&[stage], &PlanInputs::new(&VULKAN_1_3_DESKTOP)).unwrap();
    translate(&shader, stage.entry, &plan.stages[0], &Options::new(VULKAN_1_3_DESKTOP)).unwrap().words
}

#[test]
fn a_body_keeps_its_code() {
    let container = fixture("rootsig/overlapping_ranges.dxil");
    let body = translated("rootsig/overlapping_ranges");
    let words = embed(&container, &EmbedOptions::default().with_body(&body)).unwrap();
    assert_eq!(extract(&bytes(&words)).unwrap().unwrap().container, container);
    let mut rest = instructions(&words);
    rest.retain(|(op, _)| *op != STRING);
    assert_eq!(rest, instructions(&body));
    assert_eq!((words[1], words[2], words[3]), (body[1], GENERATOR, body[3] + 2));
}

#[test]
fn a_body_fits_its_container() {
    let compute = fixture("rootsig/overlapping_ranges.dxil");
    let body = translated("rootsig/overlapping_ranges");
    let refused = |container: &[u8], names: &[&str], body: &[u32]| {
        embed(container, &EmbedOptions::default().with_entries(names).with_body(body)).unwrap_err()
    };
    let named = refused(&compute, &["other"], &body);
    says(&named, ErrorKind::Unsupported, "no entry point `other`; the container has `main`");
    let library = fixture("libraries/entries.all.dxil");
    let one = embed(&library, &EmbedOptions::default().with_entries(&["twice"])).unwrap();
    let mut module = with_strings(&one, &[]);
    module[2] = 0;
    assert!(embed(&library, &EmbedOptions::default().with_body(&module)).is_ok());
    says(&refused(&library, &["corner"], &module), ErrorKind::Malformed, "has no entry point `corner`");
    let pixel = refused(&fixture("geometry/lines.ps.dxil"), &[], &body);
    says(&pixel, ErrorKind::Unsupported, "is of stage pixel in the container and of GLCompute");
    says(&refused(&library, &[], &body), ErrorKind::Unsupported, "no entry point `main`; the container has");
    says(&refused(&compute, &[], &[1, 2, 3, 4, 5]), ErrorKind::Malformed, "magic number");
    says(&refused(&compute, &[], &[1, 2]), ErrorKind::Malformed, "shorter than SPIR-V's header");
    says(&refused(&compute, &[], &body[..5]), ErrorKind::Malformed, "has no entry point");
    says(&refused(&compute, &[], &body[..body.len() - 3]), ErrorKind::Malformed, "words left");
    let mut endless = body.clone();
    endless[5] = 17;
    says(&refused(&compute, &[], &endless), ErrorKind::Malformed, "a SPIR-V instruction of 0 words");
    let mut full = body;
    full[3] = 0x3f_ffff;
    says(&refused(&compute, &[], &full), ErrorKind::Limit, "bound of ids");
}

/// Every cut and every changed word gives the container or an error, and never another container.
#[test]
fn damage_is_noticed() {
    let container = fixture("control/binary_search.dxil");
    let code = bytes(&stub(&container));
    for end in 12..code.len() {
        match extract(&code[..end]) {
            // What follows the strings is not read.
            Ok(Some(embedded)) => assert_eq!(embedded.container, container),
            Ok(None) => panic!("cut at {end}: the mark was there"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Malformed),
        }
    }
    for at in 12..code.len() {
        for bit in [1, 0x80] {
            let mut damaged = code.clone();
            damaged[at] ^= bit;
            match extract(&damaged) {
                Ok(embedded) => assert_eq!(embedded.unwrap().container, container, "byte {at}"),
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Unsupported | ErrorKind::Limit))
                }
            }
        }
    }
}

/// Work is linear: many small strings, and the largest pieces.
#[test]
fn many_strings_take_no_time() {
    let words = stub(&fixture("control/binary_search.dxil"));
    let mut texts = strings(&words);
    texts.extend((0..500_000).map(|i| format!("string {i}")));
    let code = bytes(&with_strings(&words, &texts));
    let start = Instant::now();
    assert!(extract(&code).unwrap().is_some());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
