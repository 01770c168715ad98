//! Converts SPIR-V to DXIL with Mesa's `spirv_to_dxil`: `mesa-dxil IN.spv PROFILE ENTRY OUT.dxil`.
//!
//! In: a module, the profile (`cs_6_0`) and the entry point. Out: a signed container, in which the
//! space of a resource is its descriptor set, and the register is its binding. What must hold: the
//! shader needs none of the constants that Mesa takes from a buffer of its own.

use std::process::ExitCode;

use spirv_to_dxil::{
    PushConstantBufferConfig, RuntimeConfig, RuntimeDataBufferConfig, ShaderModel, ShaderStage, ValidatorVersion,
    spirv_to_dxil,
};

/// The space of Mesa's own constant buffers, which is the last one that Mesa takes. No fixture uses
/// it.
const UNUSED_SPACE: u32 = 31;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, profile, entry, output] = &arguments[..] else {
        eprintln!("mesa-dxil IN.spv PROFILE ENTRY OUT.dxil");
        return ExitCode::from(2);
    };
    match convert(input, profile, entry, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{input}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn convert(input: &str, profile: &str, entry: &str, output: &str) -> Result<(), String> {
    let bytes = std::fs::read(input).map_err(|error| error.to_string())?;
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let (stage, model) = parse_profile(profile).ok_or(format!("{profile} is no profile that Mesa converts"))?;
    let runtime_data_cbv = RuntimeDataBufferConfig { register_space: UNUSED_SPACE, base_shader_register: 0 };
    let push_constant_cbv = PushConstantBufferConfig { register_space: UNUSED_SPACE, base_shader_register: 1 };
    let config = RuntimeConfig {
        runtime_data_cbv,
        push_constant_cbv,
        zero_based_vertex_instance_id: true,
        zero_based_compute_workgroup_id: true,
        declared_read_only_images_as_srvs: true,
        shader_model_max: model,
        ..RuntimeConfig::default()
    };
    let container = spirv_to_dxil(&words, None, entry, stage, ValidatorVersion::None, &config)
        .map_err(|error| error.to_string())?;
    if container.requires_runtime_data() {
        return Err("the shader needs Mesa's buffer of constants, which fixtures do not bind".to_owned());
    }
    std::fs::write(output, &*container).map_err(|error| error.to_string())
}

/// The stage and the shader model of a profile such as `ps_6_2`.
fn parse_profile(profile: &str) -> Option<(ShaderStage, ShaderModel)> {
    let (stage, model) = profile.split_once("_6_")?;
    let stage = match stage {
        "vs" => ShaderStage::Vertex,
        "hs" => ShaderStage::TesselationControl,
        "ds" => ShaderStage::TesselationEvaluation,
        "gs" => ShaderStage::Geometry,
        "ps" => ShaderStage::Fragment,
        "cs" => ShaderStage::Compute,
        _ => return None,
    };
    let model = match model {
        "0" => ShaderModel::ShaderModel6_0,
        "1" => ShaderModel::ShaderModel6_1,
        "2" => ShaderModel::ShaderModel6_2,
        "3" => ShaderModel::ShaderModel6_3,
        "4" => ShaderModel::ShaderModel6_4,
        "5" => ShaderModel::ShaderModel6_5,
        "6" => ShaderModel::ShaderModel6_6,
        "7" => ShaderModel::ShaderModel6_7,
        _ => return None,
    };
    Some((stage, model))
}
