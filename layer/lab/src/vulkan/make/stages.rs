//! Modules and stages.

use std::ffi::CString;

use ash::vk;
use dxil_capture::model::{Code, Stage};

use super::error::{Beyond, Incomplete, MakeError};
use super::maker::Maker;
use crate::vulkan::older;
use dxil_vulkan::{Named as _, Objects};

impl Maker<'_> {
    /// The stages, each with a module of its own.
    pub(super) fn stages(
        &self,
        objects: &mut Objects<'_>,
        stages: &[Stage],
    ) -> Result<Vec<vk::PipelineShaderStageCreateInfo<'static>>, MakeError> {
        stages.iter().map(|stage| self.stage(objects, stage)).collect()
    }

    fn stage(
        &self,
        objects: &mut Objects<'_>,
        stage: &Stage,
    ) -> Result<vk::PipelineShaderStageCreateInfo<'static>, MakeError> {
        let code = match stage.code {
            Code::Dxil(digest) => self.capture.dxil(digest)?,
            Code::Spirv(digest) => self.capture.spirv(digest)?,
            Code::Missing => {
                return Err(Incomplete::Code.into());
            }
        };
        // Code is handed over in whole words. A container says its own size.
        let mut words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|bytes| u32::from_ne_bytes(*bytes)).collect();
        if code.len() % 4 != 0 {
            let mut last = [0; 4];
            last[..code.len() % 4].copy_from_slice(&code[code.len() / 4 * 4..]);
            words.push(u32::from_ne_bytes(last));
        }
        if self.lab.is_older && matches!(stage.code, Code::Spirv(_)) {
            words = older::for_1_2(&words).map_err(Beyond::from)?;
        }
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: a valid create info; the layer takes code that is no SPIR-V.
        let module = unsafe { self.lab.gpu.device.create_shader_module(&info, None) };
        let module = objects.module(module.named("vkCreateShaderModule")?);
        let Ok(name) = CString::new(stage.entry.as_str()) else {
            return Err(Incomplete::Name.into());
        };
        let mut data = Vec::new();
        let mut entries = Vec::new();
        for constant in &stage.constants {
            entries.push(vk::SpecializationMapEntry {
                constant_id: constant.id,
                offset: data.len() as u32,
                size: constant.value.0.len(),
            });
            data.extend_from_slice(&constant.value.0);
        }
        let specialization = if entries.is_empty() {
            std::ptr::null()
        } else {
            self.arena.one(vk::SpecializationInfo {
                map_entry_count: entries.len() as u32,
                p_map_entries: self.arena.all(entries),
                data_size: data.len(),
                p_data: self.arena.all(data).cast(),
                ..Default::default()
            })
        };
        Ok(vk::PipelineShaderStageCreateInfo {
            flags: vk::PipelineShaderStageCreateFlags::from_raw(stage.flags),
            stage: vk::ShaderStageFlags::from_raw(stage.stage),
            module,
            p_name: self.arena.all(name.into_bytes_with_nul()).cast(),
            p_specialization_info: specialization,
            p_next: self.chained(&stage.chain)?,
            ..Default::default()
        })
    }
}
