//! A driver's statistics of machine code.
//!
//! In: a pipeline that the driver made. Out: numbers with their names, from
//! VK_KHR_pipeline_executable_properties and VK_AMD_shader_info where the driver has them.

use ash::vk;
use dxil_capture::model::Stage;

use crate::results::Statistic;
use crate::vulkan::Lab;

/// The driver's statistics of the machine code of a pipeline with these stages.
pub fn read(lab: &Lab, pipeline: vk::Pipeline, stages: &[Stage]) -> Vec<Statistic> {
    let mut found = executables(lab, pipeline);
    for stage in lab.shader_info.iter().flat_map(|_| stages) {
        let flag = vk::ShaderStageFlags::from_raw(stage.stage);
        // SAFETY: a live pipeline with this stage.
        let usage = lab.shader_info.as_ref().map(|it| unsafe { it.get_shader_info_statistics(pipeline, flag) });
        // A driver has no statistics of a stage that it compiles together with another one.
        if let Some(Ok(usage)) = usage {
            found.extend(resources(flag, &usage));
        }
    }
    found
}

/// What a stage takes of a compute unit, as VK_AMD_shader_info tells it.
fn resources(stage: vk::ShaderStageFlags, info: &vk::ShaderStatisticsInfoAMD) -> [Statistic; 4] {
    let usage = &info.resource_usage;
    let numbers = [
        ("VGPRs", u64::from(usage.num_used_vgprs)),
        ("SGPRs", u64::from(usage.num_used_sgprs)),
        ("LDS bytes", usage.lds_usage_size_in_bytes as u64),
        ("scratch bytes", usage.scratch_mem_usage_in_bytes as u64),
    ];
    numbers.map(|(name, value)| Statistic {
        executable: format!("{stage:?} (VK_AMD_shader_info)"),
        name: name.to_owned(),
        value: value.to_string(),
    })
}

/// The statistics of VK_KHR_pipeline_executable_properties.
fn executables(lab: &Lab, pipeline: vk::Pipeline) -> Vec<Statistic> {
    let Some(commands) = &lab.executables else { return Vec::new() };
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    // SAFETY: a live pipeline.
    let Ok(executables) = (unsafe { commands.get_pipeline_executable_properties(&info) }) else { return Vec::new() };
    let mut found = Vec::new();
    for (index, executable) in (0..).zip(executables) {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
        // SAFETY: a live pipeline that was made with CAPTURE_STATISTICS, and an index below the
        // count.
        let Ok(all) = (unsafe { commands.get_pipeline_executable_statistics(&info) }) else { continue };
        let name = executable.name_as_c_str().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for statistic in all {
            use vk::PipelineExecutableStatisticFormatKHR as Format;
            // SAFETY: the format says which member of the union is set.
            let value = unsafe {
                match statistic.format {
                    Format::BOOL32 => (statistic.value.b32 != 0).to_string(),
                    Format::INT64 => statistic.value.i64.to_string(),
                    Format::UINT64 => statistic.value.u64.to_string(),
                    Format::FLOAT64 => statistic.value.f64.to_string(),
                    _ => continue,
                }
            };
            let what = statistic.name_as_c_str().map(|name| name.to_string_lossy().into_owned());
            found.push(Statistic { executable: name.clone(), name: what.unwrap_or_default(), value });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resources_of_a_stage_have_names() {
        let mut info = vk::ShaderStatisticsInfoAMD::default();
        (info.resource_usage.num_used_vgprs, info.resource_usage.scratch_mem_usage_in_bytes) = (24, 512);
        let found = resources(vk::ShaderStageFlags::COMPUTE, &info);
        let found = found.map(|it| format!("{}: {} {}", it.executable, it.name, it.value));
        assert_eq!(found[0], "COMPUTE (VK_AMD_shader_info): VGPRs 24");
        assert_eq!(found[3], "COMPUTE (VK_AMD_shader_info): scratch bytes 512");
    }
}
