//! The pieces of Rust in documents, in functions around them, so that they are compiled.

use dxil_translator::*;

/// docs/libraries.md
pub fn whole_library(shader: Shader, options: Options) -> Result<LibraryTranslation> {
    let stages: Vec<_> = shader.entries().map(|(entry, _)| PipelineStage::new(&shader, entry)).collect();
    let plans = plan(&stages, &PlanInputs::new(&options.profile))?.stages;
    let entries = stages.iter().zip(&plans).map(|(stage, plan)| PlannedEntry::new(stage.entry, plan));
    let module = translate_library(&shader, &entries.collect::<Vec<_>>(), &options)?;
    Ok(module)
}

/// docs/bindings.md, "Root signatures"
pub fn root_signature() -> std::result::Result<RootSignature, Box<dyn std::error::Error>> {
    let signature = RootSignature::from_bytes(&std::fs::read("game.rootsig")?, None)?;
    Ok(signature)
}

/// README.md, "Using the library"
pub fn translate_for_a_layout(
    container: &[u8],
    signature: &RootSignature,
    layout: &PipelineLayout,
) -> Result<Translation> {
    let shader = Shader::parse(container)?;
    let stages = [PipelineStage::new(&shader, shader.find_entry(None)?)];
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let inputs = PlanInputs::new(&options.profile).with_root_signature(Some(signature)).with_layout(Some(layout));
    let plan = plan(&stages, &inputs)?;
    let translation = translate(&shader, stages[0].entry, &plan.stages[0], &options)?;
    for used in &translation.reflection.bindings {
        let place = used.descriptor;
        if let Some(registers) = used.registers {
            println!("{}{}: set {} binding {}", registers.class, registers.first, place.set, place.binding);
        }
    }
    Ok(translation)
}

/// docs/bindings.md, "The shader record"
#[repr(C, align(8))]
struct Record {
    handle: [u8; 32], // from vkGetRayTracingShaderGroupHandlesKHR
    b0: [u32; 5],     // bytes 0 to 20 after the handle
    _aligned: u32,
    t0: u64,             // vkGetBufferDeviceAddress: bytes 24 to 32
    resources: [u32; 2], // a descriptor table, [48, 0]: bytes 32 to 40
    samplers: [u32; 2],  // a descriptor table, [1, 0]: bytes 40 to 48
}
const _: () = assert!(std::mem::offset_of!(Record, t0) == 32 + 24 && size_of::<Record>() == 32 + 48);
