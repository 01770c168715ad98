//! What the stages of a pipeline have to agree on: how many bits 16-bit values have between them.

use ash::vk;
use ash::vk::ShaderStageFlags as S;
use dxil_layer_loaderless::{App, fixture, handle, stage};

/// Whether a module has the capability StorageInputOutput16.
fn has_16_bit_interface(words: &[u32]) -> bool {
    const CAPABILITY: u32 = 2 << 16 | 17;
    const STORAGE_INPUT_OUTPUT_16: u32 = 4436;
    words.windows(2).any(|w| w == [CAPABILITY, STORAGE_INPUT_OUTPUT_16])
}

/// A stage: DXIL of a fixture, or SPIR-V of the application, which the layer does not read.
enum Code {
    Dxil(&'static str),
    Spirv,
}

/// Creates a pipeline of a vertex and a pixel shader on a device with 16-bit interfaces. Returns whether
/// the modules of the pipeline have such an interface, or the message of the refusal.
fn create(name: &str, vertex: Code) -> Result<Vec<bool>, String> {
    let app = App::with_messages([]);
    let pixel = Code::Dxil("ps");
    let mut default = Vec::new();
    let stages = [(S::VERTEX, vertex), (S::FRAGMENT, pixel)].map(|(flag, code)| {
        let (module, p_name) = match code {
            Code::Spirv => (handle(0x77), c"main"),
            Code::Dxil(stage) => {
                let (result, module) = app.module_of(&fixture(&format!("{name}.{stage}.dxil")));
                assert_eq!(result.as_raw(), 0);
                (module, if stage == "vs" { c"vs_main" } else { c"ps_main" })
            }
        };
        default.extend(app.words().iter().map(|words| has_16_bit_interface(words)));
        stage(flag, module, p_name)
    });
    let info = vk::GraphicsPipelineCreateInfo { render_pass: handle(7), ..Default::default() }.stages(&stages);
    let (result, _) = app.graphics(&[info]);
    if result.as_raw() != 0 {
        return Err(app.fake_instance().messages().into_iter().map(|(_, message)| message).collect());
    }
    let made: Vec<_> = app.words().iter().map(|words| has_16_bit_interface(words)).collect();
    // Without modules of its own the pipeline has those that were made before.
    Ok(if made.is_empty() { default } else { made })
}

/// SPIR-V interpolates floats of 32 bits only, so both stages get interfaces of 32 bits.
#[test]
fn a_pixel_shader_that_evaluates_widens_the_interfaces_of_its_pipeline() {
    assert_eq!(create("graphics/evaluate_half", Code::Dxil("vs")), Ok(vec![false, false]));
    // Other pipelines keep their interfaces.
    assert_eq!(create("graphics/half_interpolants", Code::Dxil("vs")), Ok(vec![true, true]));
}

/// What the application's SPIR-V outputs cannot be changed.
#[test]
fn a_stage_that_is_spirv_does_not_widen() {
    let refused = create("graphics/evaluate_half", Code::Spirv).unwrap_err();
    let expected = "of an input of 16 bits; SPIR-V interpolates floats of 32 bits only, so all stages of the pipeline need \
                    interfaces of 32 bits: dxil2spv takes --wide-interface for each stage, and the layer does it where all \
                    stages are DXIL and are created together";
    assert!(refused.contains(expected), "{refused}");
}
