//! The folders `dump_dir` and `override_dir`: what the layer writes to one and reads from the
//! other.

use std::ffi::CStr;
use std::fs;
use std::path::{Path, PathBuf};

use dxil_layer_loaderless::{App, fixture, leaked};
use dxil_test_support::TempFolder;
use dxil_test_support::spirv::bytes;

/// A compute shader with one resource, which has a place without a pipeline layout.
const SHADER: &str = "buffer/raw_read_write.dxil";

/// An application whose setting names this folder.
fn app(setting: &'static CStr, folder: &Path) -> App {
    App::with_settings([(setting, leaked(folder)), (c"register_shifts", c"t=100,u=200,s=300")])
}

/// The file with this ending in a folder that has one such file.
fn file(folder: &Path, ending: &str) -> PathBuf {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.to_str().unwrap().ends_with(ending));
    assert_eq!(files.len(), 1, "{ending}: {files:?}");
    files.remove(0)
}

#[test]
fn what_is_in_the_cache_is_dumped_too() {
    let (first, second) = (TempFolder::new("dump-first"), TempFolder::new("dump-second"));
    for folder in [&first, &second] {
        let app = app(c"dump_dir", folder);
        app.words_of(&fixture(SHADER));
        app.words_of(&fixture(SHADER));
    }
    for ending in [".dxil", ".request", ".spv"] {
        let (one, other) = (file(&first, ending), file(&second, ending));
        assert_eq!(one.file_name(), other.file_name());
        assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap());
    }
    assert_eq!(fs::read_dir(&*second).unwrap().count(), 3, "nothing else is left there");
}

#[test]
fn a_file_replaces_a_translation() {
    let (dumped, overriding) = (TempFolder::new("override-dump"), TempFolder::new("override"));
    let original = app(c"dump_dir", &dumped).words_of(&fixture(SHADER));
    let name = file(&dumped, ".spv").file_name().unwrap().to_owned();
    // Another version of SPIR-V, so that it is another module.
    let mut other = original.clone();
    other[1] = 0x0001_0500;
    assert_ne!(original, other);
    let replaced = |name: &Path, content: &[u8]| {
        let _ = fs::remove_dir_all(&*overriding);
        fs::create_dir_all(&*overriding).unwrap();
        fs::write(overriding.join(name), content).unwrap();
        app(c"override_dir", &overriding).words_of(&fixture(SHADER))
    };
    assert_eq!(replaced(name.as_ref(), &bytes(&other)), other, "by the name of the translation");
    let blob = file(&dumped, ".dxil").with_extension("spv");
    assert_eq!(replaced(blob.file_name().unwrap().as_ref(), &bytes(&other)), other, "by the name of the blob");
    // Files that cannot replace it.
    let mut fragment = other.clone();
    let entry = fragment.iter().position(|word| word & 0xffff == 15).unwrap();
    fragment[entry + 1] = 4;
    for content in [bytes(&fragment), bytes(&other)[..30].to_vec(), b"text".to_vec(), Vec::new()] {
        assert_eq!(replaced(name.as_ref(), &content), original);
    }
    assert_eq!(replaced("other.spv".as_ref(), &bytes(&other)), original);
}

#[test]
fn debug_information_is_in_a_pdb() {
    // With another instance, what is stored lives on. It must not be that of another folder.
    let _other = App::with_settings([(c"debug", c"lines")]);
    let lines = |folder: &Path| {
        let settings =
            [(c"pdb_path", leaked(folder)), (c"register_shifts", c"t=100,u=200,s=300"), (c"debug", c"lines")];
        let words = App::with_settings(settings).words_of(&fixture("debug/in_pdb.dxil"));
        dxil_test_support::spirv::instructions(&words).filter(|(op, _)| *op == 8).count()
    };
    let folder = dxil_test_support::repository().join("tests/fixtures/debug");
    assert!(lines(&folder) > 5);
    assert_eq!(lines(&folder.join("../control")), 0, "a folder without the PDB");
    let faulty = TempFolder::new("pdb");
    fs::create_dir_all(&*faulty).unwrap();
    fs::write(faulty.join("in_pdb.pdb"), b"no PDB").unwrap();
    assert_eq!(lines(&faulty), 0);
}

/// A compiler writes a PDB anew, and the container may stay the same.
#[test]
fn a_pdb_may_change_while_the_application_runs() {
    let folder = TempFolder::new("pdb-changes");
    fs::create_dir_all(&*folder).unwrap();
    let settings = [(c"pdb_path", leaked(&*folder)), (c"register_shifts", c"t=100,u=200"), (c"debug", c"lines")];
    let app = App::with_settings(settings);
    // The strings of a module that is created now.
    let strings = || {
        let words = app.words_of(&fixture("debug/in_pdb.dxil"));
        let strings = dxil_test_support::spirv::instructions(&words).filter(|(op, _)| *op == 7);
        let text = |(_, operands): (_, &[u32])| bytes(operands);
        String::from_utf8_lossy(&strings.map(text).collect::<Vec<_>>().concat()).into_owned()
    };
    let (file, name) = (folder.join("in_pdb.pdb"), "lines.hlsl");
    assert!(!strings().contains(name), "there is no file yet");
    let mut pdb = fs::read(dxil_test_support::repository().join("tests/fixtures/debug/in_pdb.pdb")).unwrap();
    fs::write(&file, &pdb).unwrap();
    assert!(strings().contains(name));
    let other = "other.hlsl";
    let at = pdb.windows(name.len()).position(|bytes| bytes == name.as_bytes()).unwrap();
    pdb[at..at + other.len()].copy_from_slice(other.as_bytes());
    fs::write(&file, &pdb).unwrap();
    assert!(strings().contains(other));
    fs::remove_file(&file).unwrap();
    assert!(!strings().contains(other));
}
