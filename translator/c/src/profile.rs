//! Device profiles.

use std::ffi::{c_char, c_void};

use ash::vk;

use dxil_translator::{DeviceProfile, Feature, StorageFormats};
use dxil_vulkan_profile::newer::minor_version;
use dxil_vulkan_profile::{self as vulkan, Known, Properties, Requested};

use crate::border::{Answer, Failure, behind, free, given, guard, hand, text, value};
use crate::error::{ErrorHandle, Result};
use crate::structures::{read, structures};
use crate::texts::Texts;

/// A device profile: the features, limits and versions that are enabled on a VkDevice. It does not
/// change after its creation.
#[derive(Debug)]
pub struct Profile {
    pub(crate) profile: DeviceProfile,
    texts: Texts,
}

impl Profile {
    pub(crate) fn new(profile: DeviceProfile) -> Self {
        Self { profile, texts: Texts::default() }
    }
}

/// A built-in profile by its name: "vulkan-1.0-desktop", "vulkan-1.1-floor", "vulkan-1.3-desktop",
/// "lavapipe" or "everything" (docs/profile.md). A shader that is translated at build time takes
/// the weakest device that it shall run on.
///
/// On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it
/// is null. `error` may be null; otherwise `*error` is null on success, and an error that the
/// program frees. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_named(
    name: *const c_char,
    profile: *mut *mut Profile,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(profile, || {
            let name = given(text(name)?, "the name")?;
            let found = DeviceProfile::named(name);
            let unknown = || Failure::argument(format!("no profile is called `{}`", name.escape_debug()));
            found.map(Profile::new).ok_or_else(unknown)
        })
    })
}

/// Reads the text form of a profile (docs/profile.md), which dxtr_profile_text and `dxil2spv
/// --print-profile` write.
///
/// On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it
/// is null. `error` may be null; otherwise `*error` is null on success, and an error that the
/// program frees. Codes: MALFORMED, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_parse(
    toml: *const c_char,
    profile: *mut *mut Profile,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || hand(profile, || Ok(Profile::new(DeviceProfile::parse(given(text(toml)?, "the text")?)?))))
}

/// A VkDevice, by the structures that the program has of it. Nothing that it points to is needed
/// after the call.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct VulkanDevice {
    /// sizeof(DxtrVulkanDevice), which the program sets.
    pub structure_size: usize,
    /// VkApplicationInfo::apiVersion. The device is used in this version, or in its own if that is
    /// older.
    pub api_version: u32,
    /// The kinds of storage images that can be read without a format, which Vulkan 1.3 permits by
    /// format where a device does not have shaderStorageImageReadWithoutFormat: a sum of 1, 2 and 4
    /// for storage images of floats, of signed and of unsigned integers, and of 8, 16 and 32 for
    /// storage texel buffers of the same, for each of which some format has
    /// VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT. 0 is always right.
    pub read_without_format: u32,
    /// The VkDeviceCreateInfo that vkCreateDevice was given, with its chain and the names of the
    /// extensions: it says which features are enabled.
    pub create_info: *const c_void,
    /// A VkPhysicalDeviceProperties2 that vkGetPhysicalDeviceProperties2 has filled. Of its chain
    /// these are read, each by itself or in one of VkPhysicalDeviceVulkan11Properties to
    /// VkPhysicalDeviceVulkan13Properties: VkPhysicalDeviceSubgroupProperties,
    /// VkPhysicalDeviceSubgroupSizeControlProperties, VkPhysicalDeviceDriverProperties,
    /// VkPhysicalDeviceFloatControlsProperties, VkPhysicalDeviceInlineUniformBlockProperties and
    /// VkPhysicalDeviceMeshShaderPropertiesEXT. Without one of them the profile has the least that
    /// every device has, and a shader that needs more is refused.
    pub properties: *const c_void,
}

structures! {
    VulkanDevice;
}

fn of_device(device: &VulkanDevice) -> Answer<DeviceProfile> {
    let info: &vk::DeviceCreateInfo<'_> = given(behind(device.create_info.cast()), "DxtrVulkanDevice::create_info")?;
    let properties: &vk::PhysicalDeviceProperties2<'_> =
        given(behind(device.properties.cast()), "DxtrVulkanDevice::properties")?;
    let types = [info.s_type, properties.s_type];
    if types != [vk::StructureType::DEVICE_CREATE_INFO, vk::StructureType::PHYSICAL_DEVICE_PROPERTIES_2] {
        return Err(Failure::argument(format!(
            "the structures of DxtrVulkanDevice have the types {} and {}; expected VkDeviceCreateInfo and \
             VkPhysicalDeviceProperties2",
            types[0].as_raw(),
            types[1].as_raw()
        )));
    }
    let version = minor_version(device.api_version.max(vk::API_VERSION_1_0));
    let version = version.min(minor_version(properties.properties.api_version));
    // SAFETY: by the contract of the interface the structures and their chains are valid.
    let (requested, properties) = unsafe {
        let requested = Requested::read(info, version);
        let known = Known::new(&requested, version);
        (requested, Properties::read(properties, &known))
    };
    Ok(vulkan::profile(&requested, version, &properties, device.read_without_format & StorageFormats::ALL))
}

/// Makes the profile of a VkDevice from Vulkan's own structures. It calls no function of Vulkan.
///
/// On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it
/// is null. `error` may be null; otherwise `*error` is null on success, and an error that the
/// program frees. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_from_vulkan(
    device: *const VulkanDevice,
    profile: *mut *mut Profile,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(profile, || Ok(Profile::new(of_device(&given(read(device)?, "the pointer to DxtrVulkanDevice")?)?)))
    })
}

/// The text form of a profile, for logs and caches: equal profiles have equal texts. It lives as
/// long as the profile. Null for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_text(profile: Option<&Profile>) -> *const c_char {
    value(std::ptr::null(), || {
        let profile = given(profile, "the profile")?;
        Ok(profile.texts.pointer(&profile.profile.to_string()))
    })
}

/// Whether a feature is enabled, 0 or 1, by its name: the member of a Vulkan feature structure such
/// as "shaderInt64", or an extension. 0 also for null and for a name that translated code never
/// needs.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_has(profile: Option<&Profile>, feature: *const c_char) -> u32 {
    value(0, || {
        let (profile, name) = (given(profile, "the profile")?, given(text(feature)?, "the name")?);
        Ok(Feature::from_name(name).is_some_and(|feature| profile.profile.has(feature)).into())
    })
}

/// Frees a profile. Null is accepted. Plans that were made for it stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_free(profile: Option<Box<Profile>>) {
    free(profile);
}
