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
use crate::vulkan::arrays::slice;

/// The number of references that are not `VK_ATTACHMENT_UNUSED`.
fn used(references: impl Iterator<Item = u32>) -> u32 {
    references.filter(|&attachment| attachment != vk::ATTACHMENT_UNUSED).count() as u32
}

/// The number of colour attachments of each subpass.
///
/// # Safety
/// `info` must be valid.
unsafe fn colors(info: &vk::RenderPassCreateInfo<'_>) -> Vec<u32> {
    // SAFETY: the array of a valid create info.
    let subpasses = unsafe { slice(info.p_subpasses, info.subpass_count) };
    let of_subpass = |subpass: &vk::SubpassDescription<'_>| {
        // SAFETY: the array of a valid subpass.
        used(unsafe { slice(subpass.p_color_attachments, subpass.color_attachment_count) }.iter().map(|r| r.attachment))
    };
    subpasses.iter().map(of_subpass).collect()
}

/// As [`colors`], for the second form.
///
/// # Safety
/// `info` must be valid.
unsafe fn colors2(info: &vk::RenderPassCreateInfo2<'_>) -> Vec<u32> {
    // SAFETY: the array of a valid create info.
    let subpasses = unsafe { slice(info.p_subpasses, info.subpass_count) };
    let of_subpass = |subpass: &vk::SubpassDescription2<'_>| {
        // SAFETY: the array of a valid subpass.
        used(unsafe { slice(subpass.p_color_attachments, subpass.color_attachment_count) }.iter().map(|r| r.attachment))
    };
    subpasses.iter().map(of_subpass).collect()
}

/// A command that creates render passes.
macro_rules! creation {
    ($name:ident: $command:literal => $next:ident, $info:ident, $colors:ident, $whole:path) => {
        #[doc = concat!("`", $command, "`.")]
        pub unsafe extern "system" fn $name(
            device: vk::Device,
            info: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::RenderPass,
        ) -> vk::Result {
            guard(vk::Result::ERROR_OUT_OF_HOST_MEMORY, || {
                let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
                // SAFETY: a live device, by the command's valid usage.
                let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
                let Some(create) = device.table.$next else { return failed };
                // SAFETY: the application's own arguments.
                let result = unsafe { create(device.handle, info, allocator, out) };
                if result == vk::Result::SUCCESS {
                    // SAFETY: a valid create info, and the handle that was made of it.
                    let (colors, handle) = unsafe { ($colors(&*info), *out) };
                    device.render_passes.add(handle, Arc::new(colors));
                    if let Some(capture) = &device.capture {
                        // SAFETY: a valid create info.
                        capture.passes.add(handle, Arc::new(unsafe { $whole(&*info) }));
                    }
                }
                result
            })
        }
    };
}

creation!(create: "vkCreateRenderPass" => create_render_pass, RenderPassCreateInfo, colors, capture::render_pass);
creation!(create2: "vkCreateRenderPass2" => create_render_pass2, RenderPassCreateInfo2, colors2, capture::render_pass2);
creation!(create2_khr: "vkCreateRenderPass2KHR" => create_render_pass2_khr, RenderPassCreateInfo2, colors2,
    capture::render_pass2);

/// `vkDestroyRenderPass`.
pub unsafe extern "system" fn destroy(
    device: vk::Device,
    pass: vk::RenderPass,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    // SAFETY: a live device, by the command's valid usage.
    let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
    guard((), || {
        device.render_passes.remove(pass);
        if let Some(capture) = &device.capture {
            capture.passes.remove(pass);
        }
    });
    if let Some(destroy) = device.table.destroy_render_pass {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device.handle, pass, allocator) };
    }
}
