//! What goes to the original library, for which one stands that prints the calls that it gets.

use std::path::PathBuf;

use dxil_d3d12::caller::{Caller, Translated};
use dxil_d3d12::script::{Member, NONE, Script};
use dxil_test_support::{TempFolder, repository};

fn container(name: &str) -> PathBuf {
    repository().join("tests/fixtures").join(name)
}

/// The calls of a program that has a texture at t0, and parts of everything else.
fn script() -> Script {
    let mut script = Script::default();
    script.option(30, &[Member::Bool(false), Member::Bool(true)]);
    script.line("roots", &[2, 9]);
    script.line("answer", &[0, 2, 0, 0, NONE, 0, 4, 5, NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    script.line("swizzles", &[0x1b, 0xe4]);
    script.line("patch", &[21]);
    script.line("constants", &[1, 2, 3]);
    script.line("descriptor", &[1, 2, 3]);
    script.line("begin", &[]);
    script.line("range", &[0, 5, 6, 7, 8]);
    script.line("end", &[]);
    script
}

/// Checks that the original library got all calls, and that its answers reach the program.
fn check(translated: &Translated, size: usize, reason: &str) {
    let said = &translated.said;
    assert_eq!(translated.words, Ok(vec![0x0723_0203, 0, 0, size as u32, 0]), "{said}");
    for call in [
        "original: begin_thread_allocator_context\n",
        "original: option 30\noriginal: converter_set_root_descriptor_count 2\n",
        "original: converter_set_root_constant_word_count 9\noriginal: swizzle 27 of 2\n",
        "original: converter_set_patch_location_offset 21\noriginal: converter_add_local_root_constants 1 2 3\n",
        "original: converter_add_local_root_descriptor 1 2 3\noriginal: begin\n",
        "original: converter_add_local_root_descriptor_table 0 5 6 7 8\noriginal: end\n",
        "original: converter_set_uav_remapper 1\noriginal: converter_set_cbv_remapper 1\n",
        "original: converter_set_stage_output_remapper 1\n",
        "original: t0 is at 4 5\n",
        "groups 31 32 33 waves 34 35 36 patch 21 points 22\n",
        "original: end_thread_allocator_context\n",
    ] {
        assert!(said.contains(call), "{call}\n{said}");
    }
    let warning = said.lines().find(|line| line.starts_with("warning: shader ")).expect("a warning");
    assert!(warning.contains(reason), "{warning}");
    assert!(warning.ends_with("forwarded to the original library, which has translated 1"), "{warning}");
}

#[test]
fn what_is_no_dxil_is_forwarded() {
    let caller = Caller::new("forward-dxbc").with_original(false);
    let folder = TempFolder::new("d3d12-dxbc");
    // A container of shader model 5 has SHEX instead of DXIL.
    let mut bytes = std::fs::read(container("rootsig/addresses.dxil")).unwrap();
    let at = bytes.windows(4).rposition(|name| name == b"DXIL").unwrap();
    let at = bytes[..at].windows(4).rposition(|name| name == b"DXIL").unwrap_or(at);
    bytes[at..at + 4].copy_from_slice(b"SHEX");
    let path = folder.join("older.dxbc");
    std::fs::write(&path, &bytes).unwrap();
    check(&caller.translate(&path, script().text()), bytes.len(), "DXIL");
    // Both libraries refuse it.
    let mut damaged = bytes.clone();
    damaged[32] = b'X';
    std::fs::write(&path, damaged).unwrap();
    assert!(caller.translate(&path, "").words.is_err());
}

#[test]
fn what_is_refused_is_forwarded_where_that_is_wanted() {
    let path = container("rootsig/addresses.dxil");
    let size = std::fs::metadata(&path).unwrap().len() as usize;
    let caller = Caller::new("forward-refused").with_original(true);
    let mut script = script();
    script.option(15, &[Member::Bool(true)]);
    check(&caller.translate(&path, script.text()), size, "descriptors are not instrumented");
    // A place that is not translated is a reason as well.
    let missing = caller.translate(&path, "");
    assert!(missing.words.is_ok() && missing.said.contains("the program has no place for"), "{missing:?}");
    // So is a form that the interface leaves to the library.
    let views = container("graphics/front_face.vs.dxil");
    let mut script = Script::default();
    script.option(49, &[Member::Bool(true), Member::Bool(true), Member::Number(1), Member::Number(2)]);
    let forwarded = caller.translate(&views, script.text());
    assert!(forwarded.said.contains("view instancing (option 49); forwarded"), "{forwarded:?}");
    // What is translated here stays here.
    let here =
        caller.translate(&container("arithmetic/int_divide.dxil"), &simple(&container("arithmetic/int_divide.dxil")));
    assert!(here.words.unwrap().len() > 5 && !here.said.contains("forwarded"));

    let caller = Caller::new("refused").with_original(false);
    let refused = caller.translate(&path, "");
    assert!(refused.words.is_err_and(|said| said.contains("the program has no place for")));
}

/// The script of a program whose descriptors are in heaps.
fn simple(path: &PathBuf) -> String {
    let shader = dxil_translator::Shader::parse(&std::fs::read(path).unwrap()).unwrap();
    let (id, _) = shader.entries().next().unwrap();
    dxil_d3d12::tables::script(&shader, id, dxil_d3d12::tables::Form::Whole).text().to_owned()
}

#[test]
fn a_library_that_cannot_be_used_is_named() {
    let path = container("rootsig/addresses.dxil");
    let caller = Caller::new("forward-self");
    let library = caller.library();
    let refused = caller.with_library(library, true).translate(&path, "");
    assert!(refused.said.contains("this is the library that forwards"), "{refused:?}");
    let caller = Caller::new("forward-none").with_library("/no/such/library.so".into(), true);
    let refused = caller.translate(&path, "");
    assert!(refused.words.is_err() && refused.said.contains("DXIL_SPIRV_FALLBACK=/no/such/library.so: "));
}
