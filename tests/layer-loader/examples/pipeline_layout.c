/* Declares in Vulkan what the root signature of docs/pipeline-layout.md declares in D3D12, and
 * creates a compute pipeline from the DXIL container through the layer.
 *
 * In: the path of the container. Out: the line `pipeline created`.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void check(VkResult result, const char *what) {
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

/* [layout] */
/* The set layouts, one for each set, and the pipeline layout. */
static VkPipelineLayout create_layouts(VkDevice device, VkSampler smooth, uint32_t images,
                                       VkDescriptorSetLayout sets[2]) {
    /* Set 0 is the descriptor table. `images` is the capacity of its unbounded array. A set has as
     * many of them as its allocation asks for, and not all of these need a descriptor. */
    const VkDescriptorSetLayoutBinding table[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, images, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDescriptorBindingFlags flags[] = {
        VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT,
    };
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = COUNT(flags),
        .pBindingFlags = flags,
    };
    const VkDescriptorSetLayoutCreateInfo table_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &flags_info,
        .bindingCount = COUNT(table),
        .pBindings = table,
    };
    check(vkCreateDescriptorSetLayout(device, &table_info, NULL, &sets[0]), "set 0");

    /* Set 1 is the root set. CBV(b1) is root parameter 2, and UAV(u0) is root parameter 3. The
     * static sampler follows the four parameters. */
    const VkDescriptorSetLayoutBinding root[] = {
        {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {4, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, &smooth},
    };
    const VkDescriptorSetLayoutCreateInfo root_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = COUNT(root),
        .pBindings = root,
    };
    check(vkCreateDescriptorSetLayout(device, &root_info, NULL, &sets[1]), "set 1");

    /* The two root constants of b0 are the push constants. */
    const VkPushConstantRange constants[] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 8}};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 2,
        .pSetLayouts = sets,
        .pushConstantRangeCount = COUNT(constants),
        .pPushConstantRanges = constants,
    };
    VkPipelineLayout layout;
    check(vkCreatePipelineLayout(device, &info, NULL, &layout), "pipeline layout");
    return layout;
}

/* The static sampler. The other members are zero: nearest mip level, no comparison, and no
 * anisotropy. */
static VkSampler create_static_sampler(VkDevice device) {
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .maxLod = FLT_MAX,
    };
    VkSampler sampler;
    check(vkCreateSampler(device, &info, NULL, &sampler), "sampler");
    return sampler;
}
/* [layout] */

/* The words of a file. */
static uint32_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        exit(1);
    }
    const long end = ftell(file);
    rewind(file);
    uint32_t *words = end > 0 ? calloc((size_t)end / 4 + 1, 4) : NULL;
    if (!words || fread(words, 1, (size_t)end, file) != (size_t)end) {
        fprintf(stderr, "%s: the file cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    *size = (size_t)end;
    return words;
}

static VkPipeline create_pipeline(VkDevice device, VkPipelineLayout layout, const char *path) {
    size_t size;
    uint32_t *words = read_file(path, &size);
    /* The layer takes the DXIL container where Vulkan takes SPIR-V. */
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size,
        .pCode = words,
    };
#ifdef DXIL_LAYER_H
    /* With the layer's header, the shader has the root signature that is given here. */
    const char text[] =
        "RootConstants(num32BitConstants=2, b7), DescriptorTable(SRV(t0, numDescriptors=unbounded)), CBV(b0), "
        "UAV(u0), StaticSampler(s0)";
    const DxilRootSignatureInfo signature = {
        .sType = DXIL_STRUCTURE_TYPE_ROOT_SIGNATURE_INFO,
        .globalSize = sizeof text - 1,
        .pGlobal = text,
    };
    const void *const next = &signature;
#else
    const void *const next = NULL;
#endif
    VkShaderModule module;
    check(vkCreateShaderModule(device, &module_info, NULL, &module), "shader module");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = next,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
            },
        .layout = layout,
    };
    VkPipeline pipeline;
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "pipeline");
    vkDestroyShaderModule(device, module, NULL);
    free(words);
    return pipeline;
}

static VkInstance create_instance(void) {
    const char *const layers[] = {"VK_LAYER_DXIL_translate"};
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_2,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledLayerCount = COUNT(layers),
        .ppEnabledLayerNames = layers,
    };
    VkInstance instance;
    check(vkCreateInstance(&info, NULL, &instance), "instance");
    return instance;
}

/* A device with the features that the binding flags and the unbounded array need. */
static VkDevice create_device(VkInstance instance) {
    uint32_t count = 1;
    VkPhysicalDevice physical;
    const VkResult listed = vkEnumeratePhysicalDevices(instance, &count, &physical);
    check(listed == VK_INCOMPLETE ? VK_SUCCESS : listed, "physical devices");
    if (count == 0) {
        fprintf(stderr, "there is no Vulkan device\n");
        exit(1);
    }
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .runtimeDescriptorArray = VK_TRUE,
        .descriptorBindingPartiallyBound = VK_TRUE,
        .descriptorBindingVariableDescriptorCount = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures plain = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .pEnabledFeatures = &plain,
    };
    VkDevice device;
    check(vkCreateDevice(physical, &info, NULL, &device), "device");
    return device;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: pipeline_layout FILE.dxil\n");
        return 1;
    }
    const VkInstance instance = create_instance();
    const VkDevice device = create_device(instance);
    const VkSampler sampler = create_static_sampler(device);
    VkDescriptorSetLayout sets[2];
    const VkPipelineLayout layout = create_layouts(device, sampler, 1024, sets);
    const VkPipeline pipeline = create_pipeline(device, layout, arguments[1]);
    printf("pipeline created\n");
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, sets[0], NULL);
    vkDestroyDescriptorSetLayout(device, sets[1], NULL);
    vkDestroySampler(device, sampler, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
