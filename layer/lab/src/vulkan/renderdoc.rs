//! What the lab says of a RenderDoc that it cannot use.

use dxil_vulkan::RENDERDOC_LAYER;

/// What RenderDoc lacks if the device below it is too old for the lab.
pub fn too_old() -> String {
    let found =
        dxil_vulkan::load().ok().and_then(|entry| dxil_vulkan::find_layer(&entry, RENDERDOC_LAYER).ok().flatten());
    // RenderDoc's versions are 1.N, of which its layer has the second number.
    let version = found.map_or_else(String::new, |layer| format!(" 1.{}", layer.implementation_version));
    format!(
        "RenderDoc{version} says that the device has an older version of Vulkan than 1.3, which the lab needs; a newer \
         RenderDoc may say otherwise"
    )
}
