//! Commands that pass unchanged, and are recorded for crashes.

use std::ffi::CStr;
use std::sync::OnceLock;

use ash::vk;

use super::calls;

/// The driver's commands.
#[derive(Default)]
struct Commands {
    destroy_pipeline: Option<vk::PFN_vkDestroyPipeline>,
    allocate_sets: Option<vk::PFN_vkAllocateDescriptorSets>,
    update_sets: Option<vk::PFN_vkUpdateDescriptorSets>,
    create_buffer: Option<vk::PFN_vkCreateBuffer>,
    create_image: Option<vk::PFN_vkCreateImage>,
    submit: Option<vk::PFN_vkQueueSubmit>,
    wait: Option<vk::PFN_vkWaitForFences>,
}

static COMMANDS: OnceLock<Commands> = OnceLock::new();

macro_rules! passed {
    ($(fn $name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty; $failed:ident)? = $command:literal $pfn:ident;)*) => {
        $(unsafe extern "system" fn $name($($argument: $ty),*) $(-> $result)? {
            let Some(below) = COMMANDS.get().and_then(|commands| commands.$name) else { return $($failed)? };
            let _call = calls::enter($command);
            // SAFETY: the caller's arguments, to the driver.
            unsafe { below($($argument),*) }
        })*

        /// Finds the driver's commands.
        pub(super) fn set_device(get: &dyn Fn(&CStr) -> vk::PFN_vkVoidFunction) {
            // SAFETY: the commands are those of these names.
            let commands = unsafe {
                Commands { $($name: std::mem::transmute::<vk::PFN_vkVoidFunction, Option<vk::$pfn>>(get($command)),)* }
            };
            let _ = COMMANDS.set(commands);
        }

        /// A command that is recorded.
        pub(super) fn command(name: &[u8]) -> vk::PFN_vkVoidFunction {
            let commands = COMMANDS.get()?;
            $(if name == $command.to_bytes() && commands.$name.is_some() {
                // SAFETY: all function pointers have one size, and whoever asked by this name calls
                // it as what it is.
                return unsafe { std::mem::transmute::<vk::$pfn, vk::PFN_vkVoidFunction>($name) };
            })*
            None
        }
    };
}

const FAILED: vk::Result = vk::Result::ERROR_INITIALIZATION_FAILED;

passed! {
    fn destroy_pipeline(device: vk::Device, it: vk::Pipeline, by: *const vk::AllocationCallbacks<'_>)
        = c"vkDestroyPipeline" PFN_vkDestroyPipeline;
    fn allocate_sets(
        device: vk::Device,
        info: *const vk::DescriptorSetAllocateInfo<'_>,
        out: *mut vk::DescriptorSet
    ) -> vk::Result; FAILED = c"vkAllocateDescriptorSets" PFN_vkAllocateDescriptorSets;
    fn update_sets(
        device: vk::Device,
        writes: u32,
        first: *const vk::WriteDescriptorSet<'_>,
        copies: u32,
        copy: *const vk::CopyDescriptorSet<'_>
    ) = c"vkUpdateDescriptorSets" PFN_vkUpdateDescriptorSets;
    fn create_buffer(
        device: vk::Device,
        info: *const vk::BufferCreateInfo<'_>,
        by: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Buffer
    ) -> vk::Result; FAILED = c"vkCreateBuffer" PFN_vkCreateBuffer;
    fn create_image(
        device: vk::Device,
        info: *const vk::ImageCreateInfo<'_>,
        by: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Image
    ) -> vk::Result; FAILED = c"vkCreateImage" PFN_vkCreateImage;
    fn submit(queue: vk::Queue, count: u32, first: *const vk::SubmitInfo<'_>, fence: vk::Fence) -> vk::Result; FAILED
        = c"vkQueueSubmit" PFN_vkQueueSubmit;
    fn wait(device: vk::Device, count: u32, first: *const vk::Fence, all: vk::Bool32, time: u64) -> vk::Result; FAILED
        = c"vkWaitForFences" PFN_vkWaitForFences;
}
