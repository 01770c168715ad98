//! Tests of the settings `root_signature` and `local_root_signature`: files with the root signature
//! of all pipelines, and with that of their shader records.

use std::ffi::CStr;
use std::path::{Path, PathBuf};

use ash::vk;
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, binding, bindings, compute_pipeline, fixture, leaked,
};

/// A shader with a constant buffer `b0` and a structured buffer `u0`, without a root signature.
const SHADER: &str = "cbuffer/dynamic.dxil";

fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// An instance of an application with messengers, where a setting names this file.
fn instance(setting: &'static CStr, path: &Path) -> App {
    let request = InstanceRequest::new([(setting, leaked(path))]).with_messages();
    App::instance(Config::default(), &request).unwrap()
}

#[test]
fn a_file_places_the_resources_of_all_pipelines() {
    let path = file("good.rootsig", b"// of a test\nDescriptorTable(CBV(b0, offset=5), UAV(u0, offset=9))");
    let mut app = instance(c"root_signature", &path);
    app.device = app.create_device(&vk::DeviceCreateInfo::default()).unwrap();
    // It is read once, at the creation of the device.
    std::fs::remove_file(&path).unwrap();
    let (result, module) = app.module_of(&fixture(SHADER));
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Module { words, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(bindings(words), [5, 9]);
    let layout =
        app.layout(&[binding(5, vk::DescriptorType::UNIFORM_BUFFER), binding(9, vk::DescriptorType::STORAGE_BUFFER)]);
    assert_eq!(app.compute(&[compute_pipeline(module).layout(layout)]).0.as_raw(), 0);
    assert!(app.fake_instance().messages().is_empty());
}

/// A file of either setting may be a SPIR-V module that carries a container, as shader code may.
#[test]
fn a_file_may_carry_the_container() {
    let container = fixture("rootsig/pipeline_layout.dxil");
    let words = dxil_translator::embed(&container, &Default::default()).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let path = file("embedded.rootsig", &bytes);
    let mut app = instance(c"root_signature", &path);
    app.device = app.create_device(&vk::DeviceCreateInfo::default()).unwrap();
    assert_eq!(app.fake_instance().messages(), []);

    // Its root signature is no local one, which is said of what was read from the file.
    let local = instance(c"local_root_signature", &path);
    let plain = instance(c"local_root_signature", &file("plain.rootsig", &container));
    let messages = [&local, &plain].map(|app| {
        let result = app.create_device(&vk::DeviceCreateInfo::default());
        let messages = app.fake_instance().messages();
        (result.is_ok(), messages.len())
    });
    assert_eq!(messages[0], messages[1]);

    // A module whose container is damaged is no root signature.
    let mut damaged = bytes;
    let at = damaged.windows(13).position(|text| text == b"DXIL.Piece 1 ").unwrap() + 40;
    damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
    let app = instance(c"root_signature", &file("damaged.rootsig", &damaged));
    assert!(app.create_device(&vk::DeviceCreateInfo::default()).is_err());
}

#[test]
fn a_bad_file_is_a_message_and_no_device() {
    let missing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such.rootsig");
    let cases = [
        (file("bad.rootsig", b"CBV(b0),\n CBV(t0)"), "bad.rootsig: malformed at line 2 column 6: CBV needs a register"),
        (file("bad.rts0", &[9, 0, 0, 0]), "bad.rts0: unsupported at byte 0: root signature version 9"),
        (file("none.dxil", &fixture(SHADER)), "none.dxil: malformed at input: no root signature"),
        (missing, "no-such.rootsig: No such file"),
        (PathBuf::from(env!("CARGO_TARGET_TMPDIR")), "not a regular file"),
    ];
    let local = (file("bad.local", b"CBV(t0)"), "local_root_signature ");
    let cases = cases.into_iter().map(|case| (c"root_signature", case)).chain([(c"local_root_signature", local)]);
    for (setting, (path, says)) in cases {
        let mut app = instance(setting, &path);
        let result = app.create_device(&vk::DeviceCreateInfo::default()).unwrap_err();
        assert!(result == vk::Result::ERROR_INITIALIZATION_FAILED, "{}", path.display());
        assert!(app.fake_instance().devices().is_empty(), "no device is created below the layer");
        // While the loader may hold its lock, messages wait for a call that can submit them.
        assert!(app.fake_instance().messages().is_empty());
        if path.is_dir() {
            continue;
        }
        std::fs::write(&path, "RootFlags(0)").unwrap();
        app.device = app.create_device(&vk::DeviceCreateInfo::default()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(app.module_of(&fixture(SHADER)).0.as_raw(), 0);
        let messages = app.fake_instance().messages();
        assert!(messages.iter().any(|(_, text)| text.contains(says)), "`{says}`: {messages:?}");
    }
}
