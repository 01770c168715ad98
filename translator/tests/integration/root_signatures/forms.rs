//! The corpus through all forms: text, RTS0, container, metadata.

use dxil_translator::RootSignature;
use dxil_translator::binding::root_signature::RootVersion;
use dxil_translator::container::Container;

use std::path::Path;
use std::process::Command;

use super::{compiler, corpus, metadata};

/// The text and the RTS0 part that DXC makes of it are one signature, which is written as DXC
/// writes it.
#[test]
fn texts_become_what_dxc_writes() {
    let compiled = corpus::compiled();
    for one in &compiled {
        let name = &one.name;
        let text = RootSignature::parse_text(&one.text, Some(one.version));
        let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(text, one.signature(), "{name}");
        assert_eq!(text.serialize().unwrap(), one.part, "{name}");
    }
    println!("{} root signatures are written as DXC writes them", compiled.len());
}

/// Version 1.0 of a signature that was compiled as 1.1 is what DXC compiles as 1.0.
#[test]
fn conversion_to_1_0_is_what_dxc_compiles_as_1_0() {
    let compiled = corpus::compiled();
    let (old, new): (Vec<_>, Vec<_>) = compiled.iter().partition(|one| one.version == RootVersion::V1_0);
    let mut compared = 0;
    for one in &new {
        let converted = one.signature().to_version(RootVersion::V1_0).unwrap();
        let Some(old) = old.iter().find(|other| other.text == one.text) else { continue };
        assert_eq!(converted.serialize().unwrap(), old.part, "{}", one.name);
        compared += 1;
    }
    assert_eq!(compared, old.len());
}

#[test]
fn all_forms_read_back() {
    let all = corpus::all_versions();
    for (name, signature) in &all {
        let part = signature.serialize().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(RootSignature::parse(&part, 0).as_ref(), Ok(signature), "{name}");
        assert_eq!(RootSignature::from_bytes(&part, None).as_ref(), Ok(signature), "{name}");

        let container = signature.serialize_container().unwrap();
        let parsed = Container::parse(&container).unwrap();
        assert!(parsed.warnings().is_empty(), "{name}: {:?}", parsed.warnings());
        assert_eq!(RootSignature::from_container(&parsed).unwrap().as_ref(), Some(signature), "{name}");

        let text = signature.to_string();
        let version = signature.version;
        assert_eq!(RootSignature::parse_text(&text, Some(version)).as_ref(), Ok(signature), "{name}: {text}");
        assert_eq!(RootSignature::from_bytes(text.as_bytes(), Some(version)).as_ref(), Ok(signature), "{name}");

        let module = metadata::module(&[("main", metadata::pieces(signature))]);
        let read = metadata::read(&module).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, [("main".to_owned(), signature.clone())], "{name}");
    }
    let of = |version| all.iter().filter(|(_, signature)| signature.version == version).count();
    let counts = RootVersion::ALL.map(of);
    println!("root signatures of versions 1.0, 1.1 and 1.2: {counts:?}");
    assert!(counts.iter().all(|count| *count >= 60), "{counts:?}");
}

/// What is printed is text that the compiler reads as the same signature.
#[test]
fn what_prints_compiles_to_the_same_part() {
    let compiled = corpus::compiled();
    let Some(compiler) = compiler() else {
        println!("skipped {} root signatures: no compiler (scripts/get-dxc.sh)", compiled.len());
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, output) = (folder.join("corpus.hlsl"), folder.join("corpus.dxil"));
    for one in &compiled {
        let text = one.signature().to_string().replace('\n', " ");
        std::fs::write(&source, format!("#define RS \"{text}\"\n")).unwrap();
        let profile = format!("rootsig_{}", one.version.to_string().replace('.', "_"));
        let mut command = Command::new(&compiler);
        command.arg(&source).args(["-T", &profile, "-E", "RS", "-Fo"]).arg(&output);
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}: {text}\n{}", one.name, String::from_utf8_lossy(&done.stderr));
        let bytes = std::fs::read(&output).unwrap();
        let part = Container::parse(&bytes).unwrap().root_signature().unwrap();
        assert_eq!(part.data, one.part, "{}: {text}", one.name);
    }
    println!("{} root signatures compile from their text to what they were", compiled.len());
}
