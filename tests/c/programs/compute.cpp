// Runs a compute shader of a DXIL container in Vulkan without the layer: the program makes its
// VkPipelineLayout from the plan, and the results are compared with those of the CPU.
//
//     compute MIXED_ORDER.dxil
//
// The shader is tests/fixtures/rootsig/mixed_order.hlsl. Its root signature has a constant buffer and a UAV as
// root descriptors, a descriptor table with an SRV, and three root constants.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "dxil_translator.h"

static void check(VkResult result, const char *what) {
    if (result != VK_SUCCESS) {
        throw std::runtime_error(std::string(what) + ": VkResult " + std::to_string(result));
    }
}

// [handles]
// Handles free themselves, and an error becomes an exception.
struct Free {
    void operator()(DxtrShader *shader) const { dxtr_shader_free(shader); }
    void operator()(DxtrProfile *profile) const { dxtr_profile_free(profile); }
    void operator()(DxtrPlan *plan) const { dxtr_plan_free(plan); }
    void operator()(DxtrModule *module) const { dxtr_module_free(module); }
};
template <typename T> using Handle = std::unique_ptr<T, Free>;

static void check(DxtrResult result, DxtrError *error = nullptr) {
    if (result != DXTR_RESULT_SUCCESS) {
        std::string message = error ? dxtr_error_message(error) : "an argument is wrong";
        dxtr_error_free(error);
        throw std::runtime_error(message);
    }
}
// [handles]

// A Vulkan device, and what the profile is made from.
struct Device {
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    Handle<DxtrProfile> profile;

    Device();
    ~Device() {
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }
};

Device::Device() {
    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    check(vkCreateInstance(&info, nullptr, &instance), "instance");
    uint32_t count = 1;
    VkResult listed = vkEnumeratePhysicalDevices(instance, &count, &physical);
    check(listed == VK_INCOMPLETE ? VK_SUCCESS : listed, "physical devices");
    if (count == 0) {
        throw std::runtime_error("there is no Vulkan device");
    }
    // [profile]
    // The features that the program enables: here all of these structures that the device has.
    VkPhysicalDeviceVulkan12Features features12 = {};
    features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 features = {};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &features12;
    vkGetPhysicalDeviceFeatures2(physical, &features);
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue_info = {};
    queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    VkDeviceCreateInfo device_info = {};
    device_info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    device_info.pNext = &features;
    device_info.queueCreateInfoCount = 1;
    device_info.pQueueCreateInfos = &queue_info;
    check(vkCreateDevice(physical, &device_info, nullptr, &device), "device");

    // The profile says what is enabled: it is made from the same structures.
    VkPhysicalDeviceVulkan12Properties properties12 = {};
    properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    VkPhysicalDeviceVulkan11Properties properties11 = {};
    properties11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    properties11.pNext = &properties12;
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &properties11;
    vkGetPhysicalDeviceProperties2(physical, &properties);
    DxtrVulkanDevice described = DXTR_INIT(DxtrVulkanDevice);
    described.api_version = application.apiVersion;
    described.create_info = &device_info;
    described.properties = &properties;
    DxtrProfile *made = nullptr;
    DxtrError *error = nullptr;
    DxtrResult result = dxtr_profile_from_vulkan(&described, &made, &error);
    profile.reset(made);
    check(result, error);
    // [profile]
    vkGetDeviceQueue(device, 0, 0, &queue);
}

// [layout]
// The set layouts of a plan, and its pipeline layout. `capacity` is the number of descriptors of an array
// without an end. The samplers are the static samplers of the root signature.
struct PipelineLayout {
    std::vector<VkDescriptorSetLayout> sets;
    std::vector<VkSampler> samplers;
    VkPipelineLayout layout = VK_NULL_HANDLE;
};

static VkSampler create_sampler(VkDevice device, const DxtrSampler &sampler) {
    VkSamplerReductionModeCreateInfo reduction = {};
    reduction.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO;
    reduction.reductionMode = static_cast<VkSamplerReductionMode>(sampler.reduction_mode);
    VkSamplerCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info.pNext = sampler.reduction_mode ? &reduction : nullptr;
    info.magFilter = static_cast<VkFilter>(sampler.mag_filter);
    info.minFilter = static_cast<VkFilter>(sampler.min_filter);
    info.mipmapMode = static_cast<VkSamplerMipmapMode>(sampler.mipmap_mode);
    info.addressModeU = static_cast<VkSamplerAddressMode>(sampler.address_mode_u);
    info.addressModeV = static_cast<VkSamplerAddressMode>(sampler.address_mode_v);
    info.addressModeW = static_cast<VkSamplerAddressMode>(sampler.address_mode_w);
    info.mipLodBias = sampler.mip_lod_bias;
    info.anisotropyEnable = sampler.anisotropy_enable;
    info.maxAnisotropy = sampler.max_anisotropy;
    info.compareEnable = sampler.compare_enable;
    info.compareOp = static_cast<VkCompareOp>(sampler.compare_op);
    info.minLod = sampler.min_lod;
    info.maxLod = sampler.max_lod;
    info.borderColor = static_cast<VkBorderColor>(sampler.border_color);
    info.unnormalizedCoordinates = sampler.unnormalized_coordinates;
    VkSampler created = VK_NULL_HANDLE;
    check(vkCreateSampler(device, &info, nullptr, &created), "sampler");
    return created;
}

static PipelineLayout create_layout(VkDevice device, const DxtrPlan *plan, uint32_t capacity) {
    DxtrLayout layout = DXTR_INIT(DxtrLayout);
    check(dxtr_plan_layout(plan, &layout));
    PipelineLayout made;
    // The descriptor-set layouts point to these.
    made.samplers.reserve(layout.binding_count);
    std::vector<std::vector<VkDescriptorSetLayoutBinding>> bindings(layout.set_count);
    std::vector<std::vector<VkDescriptorBindingFlags>> flags(layout.set_count);
    for (uint32_t index = 0; index < layout.binding_count; index++) {
        DxtrBinding binding = DXTR_INIT(DxtrBinding);
        check(dxtr_plan_binding(plan, index, &binding));
        VkDescriptorSetLayoutBinding of_vulkan = {};
        of_vulkan.binding = binding.binding;
        of_vulkan.descriptorType = static_cast<VkDescriptorType>(binding.descriptor_type);
        of_vulkan.descriptorCount = binding.descriptor_count == DXTR_UNBOUNDED ? capacity : binding.descriptor_count;
        of_vulkan.stageFlags = binding.stages;
        if (binding.immutable_sampler_count) {
            DxtrSampler sampler = DXTR_INIT(DxtrSampler);
            check(dxtr_plan_sampler(plan, index, &sampler));
            made.samplers.push_back(create_sampler(device, sampler));
            of_vulkan.pImmutableSamplers = &made.samplers.back();
        }
        bindings[binding.set].push_back(of_vulkan);
        flags[binding.set].push_back(binding.flags);
    }
    for (uint32_t set = 0; set < layout.set_count; set++) {
        VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {};
        flags_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO;
        flags_info.bindingCount = static_cast<uint32_t>(flags[set].size());
        flags_info.pBindingFlags = flags[set].data();
        VkDescriptorSetLayoutCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        info.pNext = &flags_info;
        info.bindingCount = static_cast<uint32_t>(bindings[set].size());
        info.pBindings = bindings[set].data();
        made.sets.push_back(VK_NULL_HANDLE);
        check(vkCreateDescriptorSetLayout(device, &info, nullptr, &made.sets.back()), "set layout");
    }
    VkPushConstantRange constants = {};
    constants.stageFlags = layout.push_constant_stages;
    constants.offset = layout.push_constant_offset;
    constants.size = layout.push_constant_size;
    VkPipelineLayoutCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = layout.set_count;
    info.pSetLayouts = made.sets.data();
    info.pushConstantRangeCount = constants.size ? 1 : 0;
    info.pPushConstantRanges = &constants;
    check(vkCreatePipelineLayout(device, &info, nullptr, &made.layout), "pipeline layout");
    return made;
}
// [layout]

// [pipeline]
static VkPipeline create_pipeline(VkDevice device, VkPipelineLayout layout, const DxtrPlan *plan) {
    DxtrModule *translated = nullptr;
    DxtrError *error = nullptr;
    DxtrResult result = dxtr_plan_translate(plan, 0, nullptr, &translated, &error);
    Handle<DxtrModule> module(translated);
    check(result, error);
    VkShaderModuleCreateInfo module_info = {};
    module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module_info.pCode = dxtr_module_words(module.get(), &module_info.codeSize);
    VkShaderModule shader = VK_NULL_HANDLE;
    check(vkCreateShaderModule(device, &module_info, nullptr, &shader), "shader module");
    VkComputePipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = dxtr_module_entry_name(module.get());
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "pipeline");
    vkDestroyShaderModule(device, shader, nullptr);
    return pipeline;
}
// [pipeline]

// A buffer in memory that the CPU sees.
struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    uint32_t *words = nullptr;
};

static Buffer create_buffer(const Device &on, VkDeviceSize size, VkBufferUsageFlags usage) {
    Buffer made;
    VkBufferCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = size;
    info.usage = usage;
    check(vkCreateBuffer(on.device, &info, nullptr, &made.buffer), "buffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(on.device, made.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memories;
    vkGetPhysicalDeviceMemoryProperties(on.physical, &memories);
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo allocation = {};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = needs.size;
    while (!(needs.memoryTypeBits >> allocation.memoryTypeIndex & 1) ||
           (memories.memoryTypes[allocation.memoryTypeIndex].propertyFlags & wanted) != wanted) {
        allocation.memoryTypeIndex++;
    }
    check(vkAllocateMemory(on.device, &allocation, nullptr, &made.memory), "memory");
    check(vkBindBufferMemory(on.device, made.buffer, made.memory, 0), "binding of memory");
    check(vkMapMemory(on.device, made.memory, 0, VK_WHOLE_SIZE, 0, reinterpret_cast<void **>(&made.words)), "mapping");
    return made;
}

// The place of the resource with this register.
static DxtrPlace place_of(const DxtrShader *shader, const DxtrPlan *plan, char letter, uint32_t number) {
    DxtrEntry entry = DXTR_INIT(DxtrEntry);
    check(dxtr_shader_entry(shader, 0, &entry));
    for (uint32_t index = 0; index < entry.resource_count; index++) {
        DxtrResource resource = DXTR_INIT(DxtrResource);
        check(dxtr_shader_resource(shader, 0, index, &resource));
        if (resource.register_class == static_cast<uint32_t>(letter) && resource.first_register == number) {
            DxtrPlace place = DXTR_INIT(DxtrPlace);
            check(dxtr_plan_place(plan, 0, index, &place));
            return place;
        }
    }
    throw std::runtime_error("the shader does not use a register that it should");
}

struct Bound {
    DxtrPlace place;
    const Buffer *buffer;
};

static std::vector<VkDescriptorSet> create_sets(VkDevice device, VkDescriptorPool pool, const PipelineLayout &layout,
                                                const std::vector<Bound> &all) {
    std::vector<VkDescriptorSet> sets(layout.sets.size());
    VkDescriptorSetAllocateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = pool;
    info.descriptorSetCount = static_cast<uint32_t>(sets.size());
    info.pSetLayouts = layout.sets.data();
    check(vkAllocateDescriptorSets(device, &info, sets.data()), "descriptor sets");
    for (const Bound &bound : all) {
        VkDescriptorBufferInfo buffer = {bound.buffer->buffer, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = {};
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = sets.at(bound.place.set);
        write.dstBinding = bound.place.binding;
        write.dstArrayElement = bound.place.first_descriptor;
        write.descriptorCount = 1;
        write.descriptorType = static_cast<VkDescriptorType>(bound.place.descriptor_type);
        write.pBufferInfo = &buffer;
        vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    }
    return sets;
}

static void dispatch(const Device &on, const PipelineLayout &layout, VkPipeline pipeline,
                     const std::vector<VkDescriptorSet> &sets, const std::vector<uint32_t> &constants) {
    VkCommandPoolCreateInfo pool_info = {};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    VkCommandPool pool = VK_NULL_HANDLE;
    check(vkCreateCommandPool(on.device, &pool_info, nullptr, &pool), "command pool");
    VkCommandBufferAllocateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    info.commandPool = pool;
    info.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(on.device, &info, &commands), "command buffer");
    VkCommandBufferBeginInfo begin = {};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    check(vkBeginCommandBuffer(commands, &begin), "begin");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.layout, 0,
                            static_cast<uint32_t>(sets.size()), sets.data(), 0, nullptr);
    vkCmdPushConstants(commands, layout.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       static_cast<uint32_t>(constants.size() * 4), constants.data());
    vkCmdDispatch(commands, 1, 1, 1);
    check(vkEndCommandBuffer(commands), "end");
    VkSubmitInfo submission = {};
    submission.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submission.commandBufferCount = 1;
    submission.pCommandBuffers = &commands;
    check(vkQueueSubmit(on.queue, 1, &submission, VK_NULL_HANDLE), "submission");
    check(vkQueueWaitIdle(on.queue), "wait");
    vkDestroyCommandPool(on.device, pool, nullptr);
}

// [plan]
static Handle<DxtrShader> parse(const char *path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    DxtrShader *shader = nullptr;
    DxtrError *error = nullptr;
    DxtrResult result = dxtr_shader_parse(bytes.data(), bytes.size(), &shader, &error);
    Handle<DxtrShader> parsed(shader);
    check(result, error);
    return parsed;
}

static Handle<DxtrPlan> plan_for(const DxtrShader *shader, const DxtrProfile *profile) {
    DxtrStage stage = DXTR_INIT(DxtrStage);
    stage.shader = shader;
    DxtrPlanInfo info = DXTR_INIT(DxtrPlanInfo);
    info.stages = &stage;
    info.stage_count = 1;
    info.profile = profile;
    DxtrPlan *plan = nullptr;
    DxtrError *error = nullptr;
    DxtrResult result = dxtr_plan_create(&info, &plan, &error);
    Handle<DxtrPlan> made(plan);
    check(result, error);
    return made;
}
// [plan]

static void run(const char *path) {
    Device on;
    Handle<DxtrShader> shader = parse(path);
    Handle<DxtrPlan> plan = plan_for(shader.get(), on.profile.get());
    PipelineLayout layout = create_layout(on.device, plan.get(), 1024);
    VkPipeline pipeline = create_pipeline(on.device, layout.layout, plan.get());

    const uint32_t count = 64;
    Buffer block = create_buffer(on, 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    Buffer input = create_buffer(on, count * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    Buffer results = create_buffer(on, count * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    std::vector<Bound> all = {
        {place_of(shader.get(), plan.get(), 'b', 0), &block},
        {place_of(shader.get(), plan.get(), 't', 0), &input},
        {place_of(shader.get(), plan.get(), 'u', 1), &results},
    };
    for (uint32_t index = 0; index < count; index++) {
        input.words[index] = index * 2654435761u;
        results.words[index] = 0;
    }
    const uint32_t a[4] = {1, 2, 3, 4};
    std::memcpy(block.words, a, sizeof a);
    // Two root constants of b1 and one of b2: each is where the plan puts it.
    std::vector<uint32_t> constants(3);
    constants[place_of(shader.get(), plan.get(), 'b', 1).offset / 4] = 100;
    constants[place_of(shader.get(), plan.get(), 'b', 1).offset / 4 + 1] = 200;
    constants[place_of(shader.get(), plan.get(), 'b', 2).offset / 4] = 300;

    VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}};
    VkDescriptorPoolCreateInfo pool_info = {};
    pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool_info.maxSets = static_cast<uint32_t>(layout.sets.size());
    pool_info.poolSizeCount = 2;
    pool_info.pPoolSizes = sizes;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    check(vkCreateDescriptorPool(on.device, &pool_info, nullptr, &pool), "descriptor pool");
    dispatch(on, layout, pipeline, create_sets(on.device, pool, layout, all), constants);

    for (uint32_t index = 0; index < count; index++) {
        const uint32_t expected = input.words[index] * a[1] + 100 * index + (200 ^ a[3]) + 300;
        if (results.words[index] != expected) {
            throw std::runtime_error("word " + std::to_string(index) + " is " + std::to_string(results.words[index]) +
                                     ", expected " + std::to_string(expected));
        }
    }
    vkDestroyDescriptorPool(on.device, pool, nullptr);
    vkDestroyPipeline(on.device, pipeline, nullptr);
    vkDestroyPipelineLayout(on.device, layout.layout, nullptr);
    for (VkDescriptorSetLayout set : layout.sets) {
        vkDestroyDescriptorSetLayout(on.device, set, nullptr);
    }
    for (VkSampler sampler : layout.samplers) {
        vkDestroySampler(on.device, sampler, nullptr);
    }
    for (const Buffer &buffer : {block, input, results}) {
        vkDestroyBuffer(on.device, buffer.buffer, nullptr);
        vkFreeMemory(on.device, buffer.memory, nullptr);
    }
}

int main(int count, char **arguments) {
    try {
        if (count != 2) {
            throw std::runtime_error("usage: compute MIXED_ORDER.dxil");
        }
        run(arguments[1]);
        std::cout << "64 words are those of the CPU\n";
        return 0;
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
