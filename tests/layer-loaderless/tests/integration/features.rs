//! Tests of the features that the layer enables in `vkCreateDevice`: which bits it sets, in which
//! structures, and what it leaves unchanged.

use dxil_test_support::spirv::string;
use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_layer_loaderless::{
    App, Config, DeviceSeen, InstanceRequest, RAY_EXTENSIONS, Unknown, fixture, instructions, next,
};

const CORE: i32 = vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE.as_raw();
const VULKAN11: i32 = vk::PhysicalDeviceVulkan11Features::STRUCTURE_TYPE.as_raw();
const VULKAN12: i32 = vk::PhysicalDeviceVulkan12Features::STRUCTURE_TYPE.as_raw();
const VULKAN13: i32 = vk::PhysicalDeviceVulkan13Features::STRUCTURE_TYPE.as_raw();
const STORAGE_16BIT: i32 = vk::PhysicalDevice16BitStorageFeatures::STRUCTURE_TYPE.as_raw();
const INDEXING: i32 = vk::PhysicalDeviceDescriptorIndexingFeatures::STRUCTURE_TYPE.as_raw();
const DEMOTE: i32 = vk::PhysicalDeviceShaderDemoteToHelperInvocationFeatures::STRUCTURE_TYPE.as_raw();
const RAY_PIPELINE: i32 = vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::STRUCTURE_TYPE.as_raw();
const RAY_QUERY: i32 = vk::PhysicalDeviceRayQueryFeaturesKHR::STRUCTURE_TYPE.as_raw();
const RECONVERGENCE: i32 = vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR::STRUCTURE_TYPE.as_raw();

/// The index of `robustBufferAccess` in `VkPhysicalDeviceFeatures`.
const ROBUST: usize = std::mem::offset_of!(vk::PhysicalDeviceFeatures, robust_buffer_access) / 4;
/// The index of `shaderInt64`.
const INT64: usize = std::mem::offset_of!(vk::PhysicalDeviceFeatures, shader_int64) / 4;
/// The index of `alphaToOne`.
const ALPHA_TO_ONE: usize = std::mem::offset_of!(vk::PhysicalDeviceFeatures, alpha_to_one) / 4;

/// The create info of the last device as it reached the fake.
fn device_below(app: &App) -> DeviceSeen {
    app.fake_instance().devices().pop().expect("a device")
}

fn count(seen: &DeviceSeen, s_type: i32) -> usize {
    seen.chain.iter().filter(|(t, _)| *t == s_type).count()
}

#[test]
fn everything_useful_is_added_to_a_bare_device() {
    let app = App::new(Config::default());
    let seen = device_below(&app);
    let core = seen.core.clone().expect("pEnabledFeatures");
    assert_eq!((core[ROBUST], core[INT64], core[ALPHA_TO_ONE]), (0, 1, 0));
    assert_eq!(count(&seen, CORE), 0, "never both forms");
    assert_eq!(seen.features[&STORAGE_16BIT], [1, 1, 1, 1]);
    assert_eq!(seen.features[&DEMOTE], [1]);
    // Two features of Vulkan 1.2 have no structure of their own, so the aggregate structure is
    // used.
    assert_eq!(count(&seen, VULKAN12), 1);
    assert_eq!(count(&seen, INDEXING), 0);
    // No structure is in the chain twice.
    for (s_type, _) in &seen.chain {
        assert_eq!(count(&seen, *s_type), 1, "{s_type}");
    }
    assert!(seen.extensions.is_empty());
}

#[test]
fn bits_go_into_the_structures_of_the_application() {
    let core = vk::PhysicalDeviceFeatures { alpha_to_one: 1, ..Default::default() };
    let mut v13 = vk::PhysicalDeviceVulkan13Features { synchronization2: 1, ..Default::default() };
    let mut v12 = vk::PhysicalDeviceVulkan12Features { timeline_semaphore: 1, ..Default::default() };
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut features2 = vk::PhysicalDeviceFeatures2::default().features(core);
    let info = vk::DeviceCreateInfo::default()
        .push_next(&mut v13)
        .push_next(&mut v12)
        .push_next(&mut v11)
        .push_next(&mut features2);
    let app = App::with_device(Config::default(), &info).unwrap();
    let seen = device_below(&app);
    let p_next = info.p_next;
    // Vulkan allows neither an individual structure together with the aggregate of its version, nor
    // pEnabledFeatures together with VkPhysicalDeviceFeatures2.
    assert!(seen.core.is_none());
    for s_type in [STORAGE_16BIT, INDEXING, DEMOTE] {
        assert_eq!(count(&seen, s_type), 0);
    }
    for s_type in [CORE, VULKAN11, VULKAN12, VULKAN13] {
        assert_eq!(count(&seen, s_type), 1);
    }
    let below = &seen.features;
    assert_eq!((below[&CORE][INT64], below[&CORE][ALPHA_TO_ONE], below[&CORE][ROBUST]), (1, 1, 0));
    assert_eq!(below[&VULKAN11][0], 1, "storageBuffer16BitAccess");
    let scalar = std::mem::offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, scalar_block_layout) / 4 - 4;
    let timeline = std::mem::offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, timeline_semaphore) / 4 - 4;
    assert_eq!((below[&VULKAN12][scalar], below[&VULKAN12][timeline]), (1, 1));
    let demote =
        std::mem::offset_of!(vk::PhysicalDeviceVulkan13Features<'_>, shader_demote_to_helper_invocation) / 4 - 4;
    let robust_image = std::mem::offset_of!(vk::PhysicalDeviceVulkan13Features<'_>, robust_image_access) / 4 - 4;
    let sync = std::mem::offset_of!(vk::PhysicalDeviceVulkan13Features<'_>, synchronization2) / 4 - 4;
    assert_eq!((below[&VULKAN13][demote], below[&VULKAN13][robust_image], below[&VULKAN13][sync]), (1, 0, 1));
    // The application's structures are unchanged.
    assert_eq!((features2.features.shader_int64, v13.shader_demote_to_helper_invocation), (0, 0));
    assert_eq!((v12.scalar_block_layout, v11.storage_buffer16_bit_access), (0, 0));
    assert!(!p_next.is_null());
}

#[test]
fn an_individual_structure_keeps_its_family_individual() {
    let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
    let info = vk::DeviceCreateInfo::default().push_next(&mut timeline);
    let app = App::with_device(Config::default(), &info).unwrap();
    let seen = device_below(&app);
    assert_eq!(count(&seen, VULKAN12), 0);
    assert_eq!(count(&seen, INDEXING), 1);
}

#[test]
fn an_extension_that_is_a_feature_keeps_its_family_individual() {
    // If the layer added the aggregate structure, it would disable drawIndirectCount.
    let own = [c"VK_KHR_draw_indirect_count".as_ptr()];
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&own);
    let extensions: &[&CStr] = &[c"VK_KHR_draw_indirect_count"];
    let app = App::with_device(Config { extensions, ..Config::default() }, &info).unwrap();
    let seen = device_below(&app);
    assert_eq!(count(&seen, VULKAN12), 0);
    assert_eq!(count(&seen, INDEXING), 1);
}

#[test]
fn p_enabled_features_are_copied() {
    let core = vk::PhysicalDeviceFeatures { alpha_to_one: 1, robust_buffer_access: 1, ..Default::default() };
    let info = vk::DeviceCreateInfo::default().enabled_features(&core);
    let app = App::with_device(Config::default(), &info).unwrap();
    let seen = device_below(&app);
    let below = seen.core.clone().unwrap();
    assert_eq!((below[ALPHA_TO_ONE], below[ROBUST], below[INT64]), (1, 1, 1));
    assert_ne!(seen.core_at, ptr::from_ref(&core) as usize);
    assert_eq!(core.shader_int64, 0);
}

#[test]
fn extensions_only_where_they_are_advertised() {
    let bare = App::new(Config::default());
    assert_eq!(count(&device_below(&bare), RECONVERGENCE), 0);
    let own = [c"VK_KHR_swapchain".as_ptr()];
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&own);
    let extensions: &[&CStr] = &[c"VK_KHR_shader_maximal_reconvergence", c"VK_KHR_swapchain", c"VK_EXT_unheard_of"];
    let app = App::with_device(Config { extensions, ..Config::default() }, &info).unwrap();
    let seen = device_below(&app);
    assert_eq!(seen.features[&RECONVERGENCE], [1]);
    assert_eq!(seen.extensions, [c"VK_KHR_swapchain".to_owned(), c"VK_KHR_shader_maximal_reconvergence".to_owned()]);
}

#[test]
fn an_extension_is_not_named_twice() {
    let own = [c"VK_KHR_shader_maximal_reconvergence".as_ptr()];
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&own);
    let extensions: &[&CStr] = &[c"VK_KHR_shader_maximal_reconvergence"];
    let app = App::with_device(Config { extensions, ..Config::default() }, &info).unwrap();
    let seen = device_below(&app);
    assert_eq!(seen.extensions.len(), 1);
    assert_eq!(seen.features[&RECONVERGENCE], [1]);
}

#[test]
fn what_is_not_supported_is_not_asked_for() {
    let app = App::new(Config { all_features: false, ..Config::default() });
    let seen = device_below(&app);
    assert!(seen.core.is_none() && seen.extensions.is_empty());
    assert_eq!(seen.chain.len(), 1, "only the loader's structure is in the chain");
}

#[test]
fn a_refusal_is_followed_by_the_application_s_own_request() {
    fn refuse(seen: &DeviceSeen) -> bool {
        seen.core.is_some()
    }
    let unknown = Unknown::before(ptr::null());
    let info = vk::DeviceCreateInfo { p_next: unknown.as_next(), ..Default::default() };
    let app = App::with_device(Config { refuse_device: refuse, ..Config::default() }, &info).unwrap();
    let seen = app.fake_instance().devices();
    assert_eq!(seen.len(), 2);
    // The layer advances the loader's link before each try, so it must restore the link before the
    // second one.
    assert_eq!((seen[0].link, seen[1].link), (Some(0), Some(0)));
    assert!(seen[1].core.is_none());
    assert_eq!(seen[1].chain.iter().map(|(t, _)| *t).collect::<Vec<_>>(), [48, 0x7ead_beef]);
    assert_eq!(seen[1].chain[1].1, unknown.as_next() as usize);
}

#[test]
fn two_refusals_are_the_application_s() {
    let result = App::with_device(Config { refuse_device: |_| true, ..Config::default() }, &Default::default());
    assert_eq!(result.err(), Some(vk::Result::ERROR_FEATURE_NOT_PRESENT));
}

#[test]
fn a_refusal_is_told_later() {
    let request = InstanceRequest::new([]).with_messages();
    let config = Config { refuse_device: |seen| seen.core.is_some(), ..Config::default() };
    let app = App::with_request(config, &request);
    // The loader may hold a lock during vkCreateDevice, so the layer must not submit messages
    // there.
    assert!(app.fake_instance().messages().is_empty());
    assert!(app.module_of(b"DXBC").0 == vk::Result::ERROR_INVALID_SHADER_NV);
    let messages = app.fake_instance().messages();
    assert_eq!(messages.len(), 2);
    assert!(messages[0].1.contains("created as the application asked"), "{messages:?}");
}

#[test]
fn a_structure_newer_than_ash_in_front_keeps_nothing_back() {
    let v13 = vk::PhysicalDeviceVulkan13Features::default();
    // VkPhysicalDeviceDescriptorHeapFeaturesEXT, whose last two words are its members.
    let heap: [u64; 3] = [1_000_135_009, next(&v13) as u64, 1];
    let info = vk::DeviceCreateInfo { p_next: next(&heap), ..Default::default() };
    let seen = device_below(&App::with_device(Config::default(), &info).unwrap());
    let demote =
        std::mem::offset_of!(vk::PhysicalDeviceVulkan13Features<'_>, shader_demote_to_helper_invocation) / 4 - 4;
    assert_eq!(seen.features[&VULKAN13][demote], 1);
    let (_, at) = *seen.chain.iter().find(|(s_type, _)| *s_type == 1_000_135_009).unwrap();
    assert_ne!(at, next(&heap) as usize, "a copy");
    assert_eq!(v13.shader_demote_to_helper_invocation, 0);
}

#[test]
fn an_unknown_structure_in_front_keeps_what_is_behind_it_unchanged() {
    let v13 = vk::PhysicalDeviceVulkan13Features::default();
    let core = vk::PhysicalDeviceFeatures::default();
    let unknown = Unknown::before(next(&v13));
    let v11 = vk::PhysicalDeviceVulkan11Features { p_next: unknown.as_next().cast_mut(), ..Default::default() };
    let info = vk::DeviceCreateInfo { p_next: next(&v11), p_enabled_features: &core, ..Default::default() };
    let app = App::with_device(Config::default(), &info).unwrap();
    let seen = device_below(&app);
    // Structures before the unknown one are copied to set bits in them. Structures after it are
    // passed on unchanged.
    assert_eq!(seen.features[&VULKAN11][0], 1);
    let at = |s_type: i32| seen.chain.iter().find(|(t, _)| *t == s_type).unwrap().1;
    assert_ne!(at(VULKAN11), next(&v11) as usize);
    assert_eq!(at(0x7ead_beef), unknown.as_next() as usize);
    assert_eq!(at(VULKAN13), next(&v13) as usize);
    assert_eq!(seen.features[&VULKAN13], [0; 15]);
    assert_eq!(count(&seen, DEMOTE), 0, "the individual structure is not added together with the aggregate");
    assert_eq!(unknown.payload, [0x5555; 3]);
}

#[test]
fn it_can_be_switched_off() {
    let app = App::with_settings([(c"enable_features", c"false")]);
    let seen = device_below(&app);
    assert!(seen.core.is_none());
    assert_eq!(seen.chain.len(), 1);
}

/// The words of `all` and `none` are those of earlier versions, which had true and false.
#[test]
fn only_what_is_listed_is_added() {
    let app = App::with_settings([(c"enable_features", c"shaderInt64, shaderFloat16")]);
    let seen = device_below(&app);
    let core = seen.core.unwrap();
    assert_eq!((core[INT64], core.iter().sum::<u32>()), (1, 1));
    let more: Vec<u32> = seen.features.values().flatten().copied().collect();
    assert_eq!(more.iter().sum::<u32>(), 1, "{:?}", seen.features);
    // The memory model is added with its scope, or not at all.
    let app = App::with_settings([(c"enable_features", c"vulkanMemoryModel")]);
    assert_eq!(device_below(&app).chain.len(), 1);
    let app = App::with_settings([(c"enable_features", c"vulkanMemoryModel,vulkanMemoryModelDeviceScope")]);
    let seen = device_below(&app);
    assert_eq!(seen.features.values().flatten().sum::<u32>(), 2, "{:?}", seen.features);
}

#[test]
fn a_cap_leaves_newer_features_out() {
    let extensions: &[&CStr] = &[c"VK_KHR_shader_maximal_reconvergence", c"VK_EXT_shader_atomic_float"];
    let app = App::with_request(
        Config { extensions, ..Config::default() },
        &InstanceRequest::new([(c"profile_cap", c"1.3.239,shaderInt64")]),
    );
    let seen = device_below(&app);
    assert_eq!(count(&seen, RECONVERGENCE), 0);
    assert_eq!(seen.extensions, [c"VK_EXT_shader_atomic_float".to_owned()]);
    assert_eq!(seen.core.unwrap()[INT64], 0);
}

#[test]
fn a_device_of_vulkan_1_0_gets_core_features_alone() {
    let request = InstanceRequest::default();
    let app = App::with_request(Config::default(), &request);
    let seen = device_below(&app);
    assert_eq!(seen.chain.len(), 1);
    assert_eq!(seen.core.unwrap()[INT64], 1);
}

#[test]
fn a_device_of_vulkan_1_1_gets_extensions_instead() {
    let extensions: &[&CStr] = &[c"VK_KHR_shader_float16_int8", c"VK_EXT_scalar_block_layout"];
    let request = InstanceRequest { api_version: vk::API_VERSION_1_1, ..Default::default() };
    let app = App::with_request(Config { extensions, ..Config::default() }, &request);
    let seen = device_below(&app);
    assert_eq!(count(&seen, VULKAN12), 0);
    assert_eq!(count(&seen, vk::PhysicalDeviceShaderFloat16Int8Features::STRUCTURE_TYPE.as_raw()), 1);
    assert_eq!(count(&seen, DEMOTE), 0);
    assert_eq!(seen.extensions.len(), 2);
}

#[test]
fn the_extension_form_of_buffer_addresses_excludes_the_core_form() {
    let own = [c"VK_EXT_buffer_device_address".as_ptr()];
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&own);
    let extensions: &[&CStr] = &[c"VK_EXT_buffer_device_address"];
    let app = App::with_device(Config { extensions, ..Config::default() }, &info).unwrap();
    let seen = device_below(&app);
    let address = std::mem::offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, buffer_device_address) / 4 - 4;
    assert_eq!(seen.features[&VULKAN12][address], 0);
}

/// All extensions for rays and meshes, with those that they require of Vulkan 1.1.
const RAYS_AND_MESHES: &[&CStr] = &[
    RAY_EXTENSIONS[0],
    RAY_EXTENSIONS[1],
    RAY_EXTENSIONS[2],
    RAY_EXTENSIONS[3],
    c"VK_KHR_ray_query",
    c"VK_EXT_mesh_shader",
    c"VK_NV_ray_tracing",
    c"VK_NV_mesh_shader",
    c"VK_EXT_descriptor_indexing",
    c"VK_KHR_buffer_device_address",
    c"VK_KHR_spirv_1_4",
    c"VK_KHR_shader_float_controls",
];

/// The device below of an application that enables these extensions and chains this structure.
fn device_with(version: u32, extensions: &'static [&CStr], own: &[&'static CStr], chain: *const c_void) -> DeviceSeen {
    let names: Vec<_> = own.iter().map(|name| name.as_ptr()).collect();
    let info =
        vk::DeviceCreateInfo { p_next: chain, ..vk::DeviceCreateInfo::default().enabled_extension_names(&names) };
    let request = InstanceRequest { api_version: version, ..Default::default() };
    device_below(&App::with(Config { extensions, ..Config::default() }, &request, &info).unwrap())
}

/// The extensions of the device below that this one requires of the layer, in order.
fn added(seen: &DeviceSeen, own: &[&CStr]) -> Vec<String> {
    let names = seen.extensions.iter().filter(|name| !own.contains(&name.as_c_str()));
    names.map(|name| name.to_str().unwrap().to_owned()).filter(|name| name.starts_with("VK_KHR_")).collect()
}

#[test]
fn rays_and_meshes_are_the_applications_to_ask_for() {
    let seen = device_with(vk::API_VERSION_1_3, RAYS_AND_MESHES, &[], ptr::null());
    assert_eq!(added(&seen, &[]), [""; 0]);
    let mesh = vk::PhysicalDeviceMeshShaderFeaturesEXT::STRUCTURE_TYPE.as_raw();
    let structures = vk::PhysicalDeviceAccelerationStructureFeaturesKHR::STRUCTURE_TYPE.as_raw();
    for s_type in [RAY_PIPELINE, RAY_QUERY, mesh, structures] {
        assert_eq!(count(&seen, s_type), 0, "{s_type}");
    }
    // VK_NV_mesh_shader is another extension, with other shaders.
    let nv = vk::PhysicalDeviceMeshShaderFeaturesNV { mesh_shader: 1, task_shader: 1, ..Default::default() };
    let seen = device_with(vk::API_VERSION_1_3, RAYS_AND_MESHES, &[c"VK_NV_mesh_shader"], next(&nv));
    assert_eq!(count(&seen, mesh), 0);
    assert!(!seen.extensions.contains(&c"VK_EXT_mesh_shader".to_owned()));
}

#[test]
fn who_traces_rays_may_cull_primitives() {
    // rayTracingPipeline and rayTraversalPrimitiveCulling.
    let rays = vk::PhysicalDeviceRayTracingPipelineFeaturesKHR { ray_tracing_pipeline: 1, ..Default::default() };
    let seen = device_with(vk::API_VERSION_1_3, RAYS_AND_MESHES, &RAY_EXTENSIONS, next(&rays));
    assert_eq!(seen.features[&RAY_PIPELINE], [1, 0, 0, 0, 1]);
    assert_eq!(rays.ray_traversal_primitive_culling, 0, "the application's structure is unchanged");
    assert_eq!(added(&seen, &RAY_EXTENSIONS), [""; 0]);
    // The device does not support it.
    let config = Config { extensions: RAYS_AND_MESHES, all_features: false, ..Config::default() };
    let info = vk::DeviceCreateInfo { p_next: next(&rays), ..Default::default() };
    let seen = device_below(&App::with_device(config, &info).unwrap());
    assert_eq!(seen.features[&RAY_PIPELINE], [1, 0, 0, 0, 0]);
}

#[test]
fn who_asks_ray_queries_may_cull_primitives() {
    let query = vk::PhysicalDeviceRayQueryFeaturesKHR::default().ray_query(true);
    let own = [c"VK_KHR_ray_query", c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"];
    let seen = device_with(vk::API_VERSION_1_3, RAYS_AND_MESHES, &own, next(&query));
    assert_eq!(seen.features[&RAY_QUERY], [1]);
    assert_eq!(seen.features[&RAY_PIPELINE], [0, 0, 0, 0, 1], "rayTracingPipeline stays the application's");
    assert_eq!(added(&seen, &own), ["VK_KHR_ray_tracing_pipeline"]);
    // The device has no extension with that feature.
    let seen = device_with(vk::API_VERSION_1_3, &[c"VK_KHR_ray_query"], &own, next(&query));
    assert_eq!(count(&seen, RAY_PIPELINE), 0);
    assert_eq!(added(&seen, &own), [""; 0]);
}

#[test]
fn translated_rays_in_pipelines_of_nv_need_the_feature_of_khr() {
    let own = [c"VK_NV_ray_tracing"];
    let seen = device_with(vk::API_VERSION_1_3, RAYS_AND_MESHES, &own, ptr::null());
    assert_eq!(seen.features[&RAY_PIPELINE], [1, 0, 0, 0, 1]);
    // Vulkan 1.3 has the others that it requires.
    let required = ["VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"];
    assert_eq!(added(&seen, &own), required);
    // Vulkan 1.1 does not. A device that lacks one of them gets none.
    let seen = device_with(vk::API_VERSION_1_1, RAYS_AND_MESHES, &own, ptr::null());
    assert_eq!(seen.features[&RAY_PIPELINE], [1, 0, 0, 0, 1]);
    for name in RAYS_AND_MESHES[8..].iter().copied().chain([RAY_EXTENSIONS[0], RAY_EXTENSIONS[1], RAY_EXTENSIONS[3]]) {
        assert!(seen.extensions.contains(&name.to_owned()), "{name:?}");
    }
    let seen = device_with(vk::API_VERSION_1_1, &RAY_EXTENSIONS, &own, ptr::null());
    assert_eq!(count(&seen, RAY_PIPELINE), 0);
    assert_eq!(added(&seen, &own), [""; 0]);
    // VK_EXT_buffer_device_address excludes one of them.
    let own = [c"VK_NV_ray_tracing", c"VK_EXT_buffer_device_address"];
    let seen = device_with(vk::API_VERSION_1_1, RAYS_AND_MESHES, &own, ptr::null());
    assert_eq!(count(&seen, RAY_PIPELINE), 0);
}

/// Extensions of a device of today, as an instance of Vulkan 1.0 sees them.
const ON_1_0: &[&CStr] = &[
    c"VK_KHR_16bit_storage",
    c"VK_KHR_storage_buffer_storage_class",
    c"VK_KHR_shader_draw_parameters",
    c"VK_EXT_descriptor_indexing",
    c"VK_KHR_maintenance3",
    c"VK_KHR_buffer_device_address",
    c"VK_EXT_subgroup_size_control",
    c"VK_EXT_shader_viewport_index_layer",
];

/// The device below of an application with an instance of Vulkan 1.0.
fn device_on_1_0(instance_extensions: &[&CStr]) -> DeviceSeen {
    let extensions = instance_extensions.iter().map(|&name| name.to_owned()).collect();
    let request = InstanceRequest { api_version: vk::API_VERSION_1_0, extensions, ..Default::default() };
    let config = Config { extensions: ON_1_0, ..Config::default() };
    device_below(&App::with_request(config, &request))
}

#[test]
fn extensions_bring_features_to_vulkan_1_0() {
    let seen = device_on_1_0(&[c"VK_KHR_get_physical_device_properties2"]);
    let mut names: Vec<_> = seen.extensions.iter().map(|name| name.to_str().unwrap()).collect();
    names.sort_unstable();
    // Those that require Vulkan 1.1 are not among them.
    let expected = [
        "VK_EXT_descriptor_indexing",
        "VK_EXT_shader_viewport_index_layer",
        "VK_KHR_16bit_storage",
        "VK_KHR_maintenance3",
        "VK_KHR_shader_draw_parameters",
        "VK_KHR_storage_buffer_storage_class",
    ];
    assert_eq!(names, expected);
    assert_eq!(seen.features[&STORAGE_16BIT], [1, 1, 1, 1]);
    assert_eq!((count(&seen, INDEXING), count(&seen, VULKAN11), count(&seen, VULKAN12)), (1, 0, 0));
    let draw_parameters = vk::PhysicalDeviceShaderDrawParametersFeatures::STRUCTURE_TYPE.as_raw();
    assert_eq!(count(&seen, draw_parameters), 0, "Vulkan 1.0 has no such structure");
}

#[test]
fn without_the_second_queries_there_are_no_structures() {
    let seen = device_on_1_0(&[]);
    let structures: Vec<_> = seen.chain.iter().map(|(s_type, _)| *s_type).collect();
    assert_eq!(structures, [48], "the loader's");
    let mut names: Vec<_> = seen.extensions.iter().map(|name| name.to_str().unwrap()).collect();
    names.sort_unstable();
    // These extensions require nothing and have no structure.
    let expected =
        ["VK_EXT_shader_viewport_index_layer", "VK_KHR_shader_draw_parameters", "VK_KHR_storage_buffer_storage_class"];
    assert_eq!(names, expected);
}

/// The texts of the `OpExtension`s of a module, and its SPIR-V version word.
fn extensions_of(words: &[u32]) -> (u32, Vec<String>) {
    const EXTENSION: u32 = 10;
    let text = |instruction: &[u32]| string(&instruction[1..]);
    let found = instructions(words).filter(|instruction| instruction[0] & 0xffff == EXTENSION).map(text).collect();
    (words[1], found)
}

#[test]
fn code_for_vulkan_1_0_names_its_extensions() {
    let request = InstanceRequest {
        api_version: vk::API_VERSION_1_0,
        extensions: vec![c"VK_KHR_get_physical_device_properties2".to_owned()],
        ..Default::default()
    };
    let config = Config { extensions: ON_1_0, ..Config::default() };
    let app = App::with_request(config, &request);
    let emitted = |name: &str| extensions_of(&app.words_of(&fixture(name)));
    // SV_VertexID leaves out the base, which DrawParameters gives.
    assert_eq!(emitted("stages/dual_source.vs.dxil"), (0x10000, vec!["SPV_KHR_shader_draw_parameters".to_owned()]));
    let (version, extensions) = emitted("buffer/raw_read_write.dxil");
    assert_eq!(version, 0x10000);
    assert!(extensions.contains(&"SPV_KHR_storage_buffer_storage_class".to_owned()), "{extensions:?}");
}

#[test]
fn extensions_bring_what_they_require() {
    const FLOAT_CONTROLS2: &[&CStr] = &[c"VK_KHR_shader_float_controls2", c"VK_KHR_shader_float_controls"];
    let seen = device_with(vk::API_VERSION_1_1, FLOAT_CONTROLS2, &[], ptr::null());
    assert_eq!(added(&seen, &[]), ["VK_KHR_shader_float_controls2", "VK_KHR_shader_float_controls"]);
    let seen = device_with(vk::API_VERSION_1_1, &FLOAT_CONTROLS2[..1], &[], ptr::null());
    assert_eq!(added(&seen, &[]), [""; 0]);
    let seen = device_with(vk::API_VERSION_1_2, &FLOAT_CONTROLS2[..1], &[], ptr::null());
    assert_eq!(added(&seen, &[]), ["VK_KHR_shader_float_controls2"], "Vulkan 1.2 has the other one");
    const QUADS: &[&CStr] =
        &[c"VK_KHR_shader_quad_control", c"VK_KHR_shader_maximal_reconvergence", c"VK_KHR_vulkan_memory_model"];
    let seen = device_with(vk::API_VERSION_1_1, &QUADS[..2], &[], ptr::null());
    assert_eq!(added(&seen, &[]), ["VK_KHR_shader_maximal_reconvergence"]);
    let seen = device_with(vk::API_VERSION_1_1, QUADS, &[], ptr::null());
    let mut names = added(&seen, &[]);
    names.sort_unstable();
    assert_eq!(names, [QUADS[1], QUADS[0], QUADS[2]].map(|name| name.to_str().unwrap()));
}

#[test]
fn the_memory_model_comes_with_its_device_scope_or_not_at_all() {
    const MODEL: i32 = vk::PhysicalDeviceVulkanMemoryModelFeatures::STRUCTURE_TYPE.as_raw();
    let offset = std::mem::offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, vulkan_memory_model) / 4 - 4;
    let seen = device_below(&App::new(Config::default()));
    assert_eq!(seen.features[&VULKAN12][offset..offset + 2], [1, 1]);
    // GLSL's atomic operations have device scope, which the model then forbids.
    let config = Config { lacks: &[(MODEL, 1)], ..Config::default() };
    let seen = device_below(&App::new(config.clone()));
    assert_eq!(seen.features[&VULKAN12][offset..offset + 2], [0, 0]);
    // The application's own request is forwarded unchanged.
    let model = vk::PhysicalDeviceVulkanMemoryModelFeatures::default().vulkan_memory_model(true);
    let info = vk::DeviceCreateInfo { p_next: next(&model), ..Default::default() };
    let seen = device_below(&App::with_device(config, &info).unwrap());
    assert_eq!(seen.features[&MODEL], [1, 0, 0]);
}
