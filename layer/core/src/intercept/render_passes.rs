//! Render passes: how many colour attachments their subpasses use.
//!
//! In: the application's create infos. Out: a number for each subpass. Purpose: Vulkan ignores the
//! blend state of a pipeline whose subpass uses no colour attachment, so its pointer may be invalid
//! (specification, `VkGraphicsPipelineCreateInfo::pColorBlendState`).

use std::sync::Arc;

use ash::vk;

use crate::capture;
use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::intercept::tracked::{creation, destruction};
use crate::vulkan::arrays::slice;

macro_rules! colors {
    ($name:ident, $info:ident) => {
        /// The number of colour attachments of each subpass.
        ///
        /// # Safety
        /// `info` must be valid.
        unsafe fn $name(info: &vk::$info<'_>) -> Vec<u32> {
            // SAFETY: the array of a valid create info.
            let subpasses = unsafe { slice(info.p_subpasses, info.subpass_count) };
            let colors = subpasses.iter().map(|subpass| {
                // SAFETY: the array of a valid subpass.
                let colors = unsafe { slice(subpass.p_color_attachments, subpass.color_attachment_count) };
                colors.iter().filter(|color| color.attachment != vk::ATTACHMENT_UNUSED).count() as u32
            });
            colors.collect()
        }
    };
}

colors!(colors, RenderPassCreateInfo);
colors!(colors2, RenderPassCreateInfo2);

macro_rules! render_passes {
    ($($name:ident($info:ident): $command:literal => $next:ident, $colors:ident, $whole:path;)*) => {
        $(creation!($name($info) -> RenderPass: $command, |device| device.table.$next, |info, handle| {
            // SAFETY: a valid create info.
            device.render_passes.add(handle, Arc::new(unsafe { $colors(info) }));
            if let Some(capture) = &device.capture {
                // SAFETY: a valid create info.
                capture.passes.add(handle, Arc::new(unsafe { $whole(info) }));
            }
        });)*
    };
}

render_passes! {
    create(RenderPassCreateInfo): "vkCreateRenderPass" => create_render_pass, colors, capture::render_pass;
    create2(RenderPassCreateInfo2): "vkCreateRenderPass2" => create_render_pass2, colors2, capture::render_pass2;
    create2_khr(RenderPassCreateInfo2): "vkCreateRenderPass2KHR" => create_render_pass2_khr, colors2,
        capture::render_pass2;
}
destruction!(destroy(RenderPass): "vkDestroyRenderPass", |device| device.table.destroy_render_pass, |pass| {
    device.render_passes.remove(pass);
    if let Some(capture) = &device.capture {
        capture.passes.remove(pass);
    }
});
