//! Failing a call whose DXIL is not translated yet.

use ash::vk;

use crate::intercept::objects::Device;

/// Reports why a call fails, sets its outputs to `VK_NULL_HANDLE`, and returns the code.
///
/// # Safety
/// `out` must be null or have `count` elements.
pub unsafe fn refuse<T: Default>(
    device: &Device,
    command: &str,
    count: u32,
    out: *mut T,
    code: vk::Result,
) -> vk::Result {
    let text = format!("{command}: the layer does not translate DXIL for this command yet; nothing was created");
    device.instance.messages.report(log::Level::Error, &text);
    for i in 0..if out.is_null() { 0 } else { count as usize } {
        // SAFETY: the caller's array.
        unsafe { out.add(i).write(T::default()) };
    }
    code
}
