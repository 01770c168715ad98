//! The setting `validate`, in a layer with the validator (`--features validate`) and in one
//! without.

use std::fs;

use ash::vk;
use dxil_layer_loaderless::{App, Setting, fixture, leaked};
use dxil_test_support::TempFolder;

/// A compute shader with one resource, which has a place without a pipeline layout.
const SHADER: &str = "buffer/raw_read_write.dxil";

/// An application with VK_EXT_debug_utils, the setting `validate` and these settings.
fn app(settings: &[Setting]) -> App {
    App::with_messages([&[(c"register_shifts", c"t=100,u=200,s=300"), (c"validate", c"true")], settings].concat())
}

/// The messages of an application that makes a shader module, and the call's result.
fn module(app: &App) -> (i32, Vec<String>) {
    let (result, _) = app.module_of(&fixture(SHADER));
    (result.as_raw(), app.fake_instance().messages().into_iter().map(|(_, text)| text).collect())
}

#[cfg_attr(feature = "validate", ignore = "the layer has the validator")]
#[test]
fn without_the_validator_a_warning_says_which_build_has_it() {
    let (result, messages) = module(&app(&[]));
    assert_eq!(result, 0);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let text = &messages[0];
    assert!(
        text.starts_with("setting validate: nothing is validated") && text.contains("--features validate"),
        "{text}"
    );
}

#[cfg_attr(not(feature = "validate"), ignore = "the layer has no validator; --features validate")]
#[test]
fn what_is_not_valid_does_not_reach_the_driver() {
    let valid = app(&[]);
    let words = valid.words_of(&fixture(SHADER));
    assert_eq!(valid.fake_instance().messages(), []);

    // A translation is valid, so the module that is not is a file of override_dir.
    let blob = dxil_translator::BlobDigest::from_bytes(&fixture(SHADER)).short();
    let folder = TempFolder::new("validate");
    let mut damaged = words;
    damaged[3] = 2;
    let bytes: Vec<u8> = damaged.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(folder.join(format!("{blob}.spv")), bytes).unwrap();
    let app = app(&[(c"override_dir", leaked(&*folder))]);
    let (result, messages) = module(&app);
    assert_eq!(result, vk::Result::ERROR_INVALID_SHADER_NV.as_raw());
    assert_eq!(app.events(), [], "nothing reached the driver");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let text = &messages[0];
    assert!(text.contains(&blob) && text.contains("override_dir") && text.contains("setting validate"), "{text}");
    assert!(text.contains("not valid SPIR-V for Vulkan 1.3"), "{text}");
}
