/* The C interface of dxil_translator, which translates DXIL, the shader code of Direct3D 12, to SPIR-V.
 *
 * Written by cbindgen from translator/c/src; do not edit.
 *
 * Handles. A function that makes a handle says which function frees it. A handle does not change after its
 * creation, and it keeps alive what it was made from: handles may be freed in any order.
 *
 * Structures. A structure begins with its size, which the program sets, for arguments and for results:
 * `DxtrEntry entry = DXTR_INIT(DxtrEntry);`. So a structure may grow in a later version.
 *
 * Errors. A function that may fail returns a DxtrResult. Functions that do more than to look something up
 * also give an error handle with a text. A null pointer, an index out of range and an impossible size are
 * DXTR_RESULT_INVALID_ARGUMENT; a pointer that is neither null nor valid is undefined behaviour.
 *
 * Threads. All functions may be called in any thread, at the same time and with the same handles. Only a
 * free must come after all other uses of its handle. The library has no global state.
 *
 * Texts are UTF-8 and end with a zero byte. Names of Vulkan's types say what a number is: the header does
 * not need Vulkan's. */

#ifndef DXIL_TRANSLATOR_H
#define DXIL_TRANSLATOR_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header. While the major version is 0, a library of another minor version need not
 * fit: a program compares dxtr_version with it. */
#define DXTR_VERSION_MAJOR 0
#define DXTR_VERSION_MINOR 1
#define DXTR_VERSION_PATCH 0
#define DXTR_VERSION (DXTR_VERSION_MAJOR * 1000000 + DXTR_VERSION_MINOR * 1000 + DXTR_VERSION_PATCH)

/** A structure of a type with its size set and all other members zero, as in
 * `DxtrEntry entry = DXTR_INIT(DxtrEntry);`. */
#ifdef __cplusplus
#define DXTR_INIT(type) ([] { type dxtr_structure = {}; dxtr_structure.structure_size = sizeof(type); return dxtr_structure; }())
#else
#define DXTR_INIT(type) ((type){ .structure_size = sizeof(type) })
#endif

/** A count of descriptors that the application chooses: an unbounded array, or a descriptor heap. */
#define DXTR_UNBOUNDED UINT32_MAX

/** A descriptor set of DxtrHeapSets that is left to the model. */
#define DXTR_DEFAULT_SET UINT32_MAX

/**
 * The result of a call. Values that a program does not know are errors.
 */
typedef enum {
    /**
     * The call did what it says.
     */
    DXTR_RESULT_SUCCESS = 0,
    /**
     * The input breaks a rule of its format.
     */
    DXTR_RESULT_MALFORMED = 1,
    /**
     * The input is, or may be, valid, but the translator does not support a part of it.
     */
    DXTR_RESULT_UNSUPPORTED = 2,
    /**
     * The shader needs a device feature that the profile does not have; dxtr_error_feature names
     * it.
     */
    DXTR_RESULT_MISSING_FEATURE = 3,
    /**
     * A resource has no suitable place under the chosen model or layout.
     */
    DXTR_RESULT_BINDING = 4,
    /**
     * The input exceeds a limit.
     */
    DXTR_RESULT_LIMIT = 5,
    /**
     * A fault of the library itself. Please report it.
     */
    DXTR_RESULT_INTERNAL = 6,
    /**
     * An argument is null, an index is out of range, or a structure has an impossible size or
     * member.
     */
    DXTR_RESULT_INVALID_ARGUMENT = 7,
} DxtrResult;

/**
 * A descriptor heap that a shader indexes by itself (shader model 6.6).
 */
typedef enum {
    /**
     * The resource has registers and is in no heap.
     */
    DXTR_HEAP_NONE = 0,
    /**
     * ResourceDescriptorHeap.
     */
    DXTR_HEAP_RESOURCES = 1,
    /**
     * SamplerDescriptorHeap.
     */
    DXTR_HEAP_SAMPLERS = 2,
} DxtrHeap;

/**
 * The kind of a resource, with D3D's numbers (D3D_SHADER_INPUT_TYPE has others).
 */
typedef enum {
    DXTR_RESOURCE_KIND_TEXTURE1D = 1,
    DXTR_RESOURCE_KIND_TEXTURE2D = 2,
    DXTR_RESOURCE_KIND_TEXTURE2D_MS = 3,
    DXTR_RESOURCE_KIND_TEXTURE3D = 4,
    DXTR_RESOURCE_KIND_TEXTURE_CUBE = 5,
    DXTR_RESOURCE_KIND_TEXTURE1D_ARRAY = 6,
    DXTR_RESOURCE_KIND_TEXTURE2D_ARRAY = 7,
    DXTR_RESOURCE_KIND_TEXTURE2D_MS_ARRAY = 8,
    DXTR_RESOURCE_KIND_TEXTURE_CUBE_ARRAY = 9,
    DXTR_RESOURCE_KIND_BUFFER = 10,
    DXTR_RESOURCE_KIND_BYTE_ADDRESS_BUFFER = 11,
    DXTR_RESOURCE_KIND_STRUCTURED_BUFFER = 12,
    DXTR_RESOURCE_KIND_CONSTANT_BUFFER = 13,
    DXTR_RESOURCE_KIND_SAMPLER = 14,
    DXTR_RESOURCE_KIND_TEXTURE_BUFFER = 15,
    DXTR_RESOURCE_KIND_ACCELERATION_STRUCTURE = 16,
    DXTR_RESOURCE_KIND_FEEDBACK_TEXTURE2D = 17,
    DXTR_RESOURCE_KIND_FEEDBACK_TEXTURE2D_ARRAY = 18,
} DxtrResourceKind;

/**
 * The type of a component, as shaders see it.
 */
typedef enum {
    DXTR_COMPONENT_TYPE_OTHER = 0,
    DXTR_COMPONENT_TYPE_I16 = 2,
    DXTR_COMPONENT_TYPE_U16 = 3,
    DXTR_COMPONENT_TYPE_I32 = 4,
    DXTR_COMPONENT_TYPE_U32 = 5,
    DXTR_COMPONENT_TYPE_I64 = 6,
    DXTR_COMPONENT_TYPE_U64 = 7,
    DXTR_COMPONENT_TYPE_F16 = 8,
    DXTR_COMPONENT_TYPE_F32 = 9,
    DXTR_COMPONENT_TYPE_F64 = 10,
} DxtrComponentType;

/**
 * How the inputs of a vertex shader get their locations.
 */
typedef enum {
    /**
     * Counted in the order of the signature, one for each row of an element. DXC's SPIR-V has the
     * same locations.
     */
    DXTR_VERTEX_LOCATIONS_ORDER = 0,
    /**
     * The row at which the signature packs the element.
     */
    DXTR_VERTEX_LOCATIONS_ROW = 1,
    /**
     * TEXCOORDn is at location n; another semantic is an error.
     */
    DXTR_VERTEX_LOCATIONS_TEXCOORD = 2,
} DxtrVertexLocations;

/**
 * The rule that gives resources their places (docs/bindings.md, "Models").
 */
typedef enum {
    /**
     * MAP if there is a map, otherwise ROOT_SIGNATURE if there is a root signature, otherwise
     * REGISTER.
     */
    DXTR_MODEL_AUTO = 0,
    /**
     * Set = register space; binding = register + the shift of its class.
     */
    DXTR_MODEL_REGISTER = 1,
    /**
     * Each descriptor table is a set, root constants are push constants, and all else is in the
     * root set.
     */
    DXTR_MODEL_ROOT_SIGNATURE = 2,
    /**
     * The places that DxtrPlanInfo::map lists.
     */
    DXTR_MODEL_MAP = 3,
} DxtrModel;

/**
 * How root descriptors reach the shader under the model ROOT_SIGNATURE.
 */
typedef enum {
    /**
     * As descriptors in the root set; with DxtrPlanInfo::layout as its bindings say.
     */
    DXTR_ROOT_DESCRIPTORS_DESCRIPTOR = 0,
    /**
     * As addresses of 8 bytes each in the push constants.
     */
    DXTR_ROOT_DESCRIPTORS_ADDRESS = 1,
} DxtrRootDescriptors;

/**
 * How descriptor tables reach the shader under the model ROOT_SIGNATURE.
 */
typedef enum {
    /**
     * Each table is a descriptor set.
     */
    DXTR_ROOT_TABLES_SETS = 0,
    /**
     * Each table is an offset of 4 bytes in the push constants: the index of its first descriptor
     * in the descriptor heap.
     */
    DXTR_ROOT_TABLES_OFFSETS = 1,
} DxtrRootTables;

/**
 * The kind of a place (docs/bindings.md).
 */
typedef enum {
    /**
     * The entry point declares the resource and does not use it.
     */
    DXTR_PLACE_KIND_UNUSED = 0,
    /**
     * A descriptor, or an array of them: `set`, `binding`, `descriptor_type`, `descriptor_count`,
     * `first_descriptor`.
     */
    DXTR_PLACE_KIND_DESCRIPTOR = 1,
    /**
     * A descriptor heap: as DESCRIPTOR. With a table, `root` has the index of its first
     * descriptor.
     */
    DXTR_PLACE_KIND_HEAP = 2,
    /**
     * A buffer with the 64-bit addresses of the acceleration structures of a heap: as HEAP.
     */
    DXTR_PLACE_KIND_HEAP_ADDRESSES = 3,
    /**
     * Root constants in the push constants: `offset`, `size`.
     */
    DXTR_PLACE_KIND_PUSH_CONSTANTS = 4,
    /**
     * Root constants in a uniform block: as DESCRIPTOR, and `offset`, `size`.
     */
    DXTR_PLACE_KIND_UNIFORM_BLOCK = 5,
    /**
     * Root constants in a buffer whose 64-bit address is in `root`: `offset`, `size` in the
     * buffer.
     */
    DXTR_PLACE_KIND_ADDRESSED_BLOCK = 6,
    /**
     * A buffer or acceleration structure whose 64-bit address is in `root`.
     */
    DXTR_PLACE_KIND_ADDRESS = 7,
    /**
     * Root constants in the shader record: `offset`, `size`.
     */
    DXTR_PLACE_KIND_SHADER_RECORD = 8,
} DxtrPlaceKind;

/**
 * Where the address or index is that leads to a resource.
 */
typedef enum {
    /**
     * There is none.
     */
    DXTR_ROOT_KIND_NONE = 0,
    /**
     * In the push constants, at byte `root_offset`.
     */
    DXTR_ROOT_KIND_PUSH_CONSTANTS = 1,
    /**
     * In the shader record, at byte `root_offset` after the shader group handle.
     */
    DXTR_ROOT_KIND_SHADER_RECORD = 2,
    /**
     * In the uniform block at `set` and `binding`, at byte `root_offset`.
     */
    DXTR_ROOT_KIND_UNIFORM_BLOCK = 3,
} DxtrRootKind;

/**
 * A table of shader records.
 */
typedef enum {
    /**
     * pRaygenShaderBindingTable of vkCmdTraceRaysKHR.
     */
    DXTR_SHADER_TABLE_RAY_GENERATION = 0,
    /**
     * pMissShaderBindingTable.
     */
    DXTR_SHADER_TABLE_MISS = 1,
    /**
     * pHitShaderBindingTable.
     */
    DXTR_SHADER_TABLE_HIT = 2,
    /**
     * pCallableShaderBindingTable.
     */
    DXTR_SHADER_TABLE_CALLABLE = 3,
} DxtrShaderTable;

/**
 * Who keeps D3D's rules for accesses outside a resource.
 */
typedef enum {
    /**
     * The driver, where a robustness feature of the profile covers the access; otherwise emitted
     * checks.
     */
    DXTR_BOUNDS_AUTO = 0,
    /**
     * Always the driver: the program knows that it keeps the rules.
     */
    DXTR_BOUNDS_DRIVER = 1,
    /**
     * Always emitted checks.
     */
    DXTR_BOUNDS_EMIT = 2,
} DxtrBounds;

/**
 * How several components of a byte-address buffer are accessed.
 */
typedef enum {
    /**
     * As vectors where the address is known to be aligned to the vector's size.
     */
    DXTR_RAW_VECTORS_ALIGNED = 0,
    /**
     * One by one, so that each component has its own bounds on every device.
     */
    DXTR_RAW_VECTORS_EXACT = 1,
} DxtrRawVectors;

/**
 * An error: why a call failed. It belongs to the program, which frees it with dxtr_error_free.
 */
typedef struct DxtrError DxtrError;

/**
 * A SPIR-V module. It does not change after its creation.
 */
typedef struct DxtrModule DxtrModule;

/**
 * A plan: the places of all resources of a pipeline, and the pipeline layout that they need. It
 * does not change after its creation.
 */
typedef struct DxtrPlan DxtrPlan;

/**
 * A device profile: the features, limits and versions that are enabled on a VkDevice. It does not
 * change after its creation.
 */
typedef struct DxtrProfile DxtrProfile;

/**
 * A root signature: how a D3D12 application binds resources. It does not change after its
 * creation.
 */
typedef struct DxtrRootSignature DxtrRootSignature;

/**
 * A parsed and verified DXIL container. It does not change after its creation.
 */
typedef struct DxtrShader DxtrShader;

/**
 * A VkDevice, by the structures that the program has of it. Nothing that it points to is needed
 * after the call.
 */
typedef struct {
    /**
     * sizeof(DxtrVulkanDevice), which the program sets.
     */
    size_t structure_size;
    /**
     * VkApplicationInfo::apiVersion. The device is used in this version, or in its own if that is
     * older.
     */
    uint32_t api_version;
    /**
     * The kinds of storage images that can be read without a format, which Vulkan 1.3 permits by
     * format where a device does not have shaderStorageImageReadWithoutFormat: a sum of 1, 2 and 4
     * for storage images of floats, of signed and of unsigned integers, and of 8, 16 and 32 for
     * storage texel buffers of the same, for each of which some format has
     * VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT. 0 is always right.
     */
    uint32_t read_without_format;
    /**
     * The VkDeviceCreateInfo that vkCreateDevice was given, with its chain and the names of the
     * extensions: it says which features are enabled.
     */
    const void *create_info;
    /**
     * A VkPhysicalDeviceProperties2 that vkGetPhysicalDeviceProperties2 has filled. Of its chain
     * these are read, each by itself or in one of VkPhysicalDeviceVulkan11Properties to
     * VkPhysicalDeviceVulkan13Properties: VkPhysicalDeviceSubgroupProperties,
     * VkPhysicalDeviceSubgroupSizeControlProperties, VkPhysicalDeviceDriverProperties,
     * VkPhysicalDeviceFloatControlsProperties, VkPhysicalDeviceInlineUniformBlockProperties and
     * VkPhysicalDeviceMeshShaderPropertiesEXT. Without one of them the profile has the least that
     * every device has, and a shader that needs more is refused.
     */
    const void *properties;
} DxtrVulkanDevice;

/**
 * An entry point. The texts live as long as the shader.
 */
typedef struct {
    /**
     * sizeof(DxtrEntry), which the program sets.
     */
    size_t structure_size;
    /**
     * The name in the container, which is mangled in most libraries.
     */
    const char *name;
    /**
     * The name in the source.
     */
    const char *plain_name;
    /**
     * VkShaderStageFlagBits; 0 for a stage that Vulkan does not have.
     */
    uint32_t stage;
    /**
     * Number of resources that its code uses (dxtr_shader_resource).
     */
    uint32_t resource_count;
    /**
     * Number of inputs from vertex buffers (dxtr_shader_vertex_input); 0 for other stages than the
     * vertex stage.
     */
    uint32_t vertex_input_count;
    /**
     * Number of local root signatures that the library associates with it
     * (dxtr_shader_local_root_signature).
     */
    uint32_t local_root_signature_count;
    /**
     * Threads of a group in x, y and z; 0 for a stage without groups.
     */
    uint32_t thread_group[3];
    /**
     * The smallest wave size in lanes that `WaveSize` allows; 0 for any. The pipeline requires a
     * size of the range with VkPipelineShaderStageRequiredSubgroupSizeCreateInfo.
     */
    uint32_t wave_size_min;
    /**
     * The largest wave size in lanes that `WaveSize` allows; 0 for any.
     */
    uint32_t wave_size_max;
    /**
     * The wave size in lanes that `WaveSize` prefers; 0 for none.
     */
    uint32_t wave_size_preferred;
    /**
     * Bytes of the payload of a ray-tracing, mesh or amplification shader; 0 for none.
     */
    uint32_t payload_bytes;
    /**
     * Bytes of the attributes of a hit; 0 for none.
     */
    uint32_t attribute_bytes;
} DxtrEntry;

/**
 * A resource that the code of an entry point uses. The texts live as long as the shader.
 */
typedef struct {
    /**
     * sizeof(DxtrResource), which the program sets.
     */
    size_t structure_size;
    /**
     * Its name in the source; empty where the container has none.
     */
    const char *name;
    /**
     * What it is, for people: registers, type, size.
     */
    const char *description;
    /**
     * A value of DxtrHeap. A view of a heap has no registers.
     */
    uint32_t heap;
    /**
     * A value of DxtrResourceKind.
     */
    uint32_t kind;
    /**
     * The letter of its registers: 98 ('b') for a constant buffer, 115 ('s') for a sampler, 116
     * ('t') for an SRV, 117 ('u') for a UAV.
     */
    uint32_t register_class;
    /**
     * Its first register.
     */
    uint32_t first_register;
    /**
     * Its register space.
     */
    uint32_t space;
    /**
     * Its number of registers; 1 is no array, DXTR_UNBOUNDED an array without an end.
     */
    uint32_t count;
    /**
     * Size in bytes of a constant buffer, or of an element of a structured buffer; otherwise 0.
     */
    uint32_t size;
    /**
     * Whether a UAV has a hidden counter that the shader uses, 0 or 1.
     */
    uint32_t has_counter;
} DxtrResource;

/**
 * An input of a vertex shader that comes from a vertex buffer. A row of an array is an input by
 * itself. The text lives as long as the shader.
 */
typedef struct {
    /**
     * sizeof(DxtrVertexInput), which the program sets.
     */
    size_t structure_size;
    /**
     * Semantic name, without the index.
     */
    const char *semantic;
    /**
     * Semantic index.
     */
    uint32_t semantic_index;
    /**
     * VkVertexInputAttributeDescription::location.
     */
    uint32_t location;
    /**
     * First component at the location, 0 to 3.
     */
    uint32_t component;
    /**
     * Number of components, 1 to 4.
     */
    uint32_t component_count;
    /**
     * A value of DxtrComponentType.
     */
    uint32_t component_type;
    /**
     * Not 0: the shader reads it. D3D12 and the layer want an attribute for each of these.
     */
    uint32_t is_read;
} DxtrVertexInput;

/**
 * One stage of a pipeline. The elements of an array of stages have the size that the first one
 * states.
 */
typedef struct {
    /**
     * sizeof(DxtrStage), which the program sets.
     */
    size_t structure_size;
    /**
     * The shader.
     */
    const DxtrShader *shader;
    /**
     * The index of the entry point in the shader.
     */
    uint32_t entry;
    /**
     * The local root signature of the stage's shader records; null for the one that the library
     * associates with the entry point, if it is only one.
     */
    const DxtrRootSignature *local_root_signature;
} DxtrStage;

/**
 * For each register class, the number that the model REGISTER adds to a register to get its
 * binding. This structure does not grow.
 */
typedef struct {
    /**
     * Constant buffers.
     */
    uint32_t b;
    /**
     * Shader resource views.
     */
    uint32_t t;
    /**
     * Unordered access views.
     */
    uint32_t u;
    /**
     * Samplers.
     */
    uint32_t s;
    /**
     * Hidden counters of UAVs. The model ROOT_SIGNATURE adds it as well, to the binding of the
     * UAV.
     */
    uint32_t c;
} DxtrRegisterShifts;

/**
 * The descriptor sets of the descriptor heaps; DXTR_DEFAULT_SET leaves one to the model. The model
 * REGISTER has no default. This structure does not grow.
 */
typedef struct {
    /**
     * The set of the resource heap: its first one, if each descriptor type has a set of its own.
     */
    uint32_t resources;
    /**
     * The set of the sampler heap.
     */
    uint32_t samplers;
    /**
     * The set of the hidden counters of UAVs in the resource heap.
     */
    uint32_t counters;
} DxtrHeapSets;

/**
 * A binding of a descriptor-set layout that the program has. The elements of an array of bindings
 * have the size that the first one states.
 */
typedef struct {
    /**
     * sizeof(DxtrGivenBinding), which the program sets.
     */
    size_t structure_size;
    /**
     * The descriptor set, at most 65535.
     */
    uint32_t set;
    /**
     * VkDescriptorSetLayoutBinding::binding.
     */
    uint32_t binding;
    /**
     * VkDescriptorType.
     */
    int32_t descriptor_type;
    /**
     * VkDescriptorSetLayoutBinding::descriptorCount. For an inline uniform block it is a size in
     * bytes.
     */
    uint32_t descriptor_count;
    /**
     * VkShaderStageFlags.
     */
    uint32_t stages;
    /**
     * Not 0: the binding has immutable samplers.
     */
    uint32_t immutable_samplers;
    /**
     * The values of VkDescriptorType that a mutable binding may hold.
     */
    const int32_t *mutable_types;
    /**
     * Number of `mutable_types`.
     */
    uint32_t mutable_type_count;
} DxtrGivenBinding;

/**
 * VkPushConstantRange. This structure does not grow.
 */
typedef struct {
    /**
     * VkShaderStageFlags.
     */
    uint32_t stages;
    /**
     * First byte.
     */
    uint32_t offset;
    /**
     * Size in bytes.
     */
    uint32_t size;
} DxtrPushRange;

/**
 * A pipeline layout that the program has.
 */
typedef struct {
    /**
     * sizeof(DxtrGivenLayout), which the program sets.
     */
    size_t structure_size;
    /**
     * The bindings of all sets, in any order.
     */
    const DxtrGivenBinding *bindings;
    /**
     * Number of bindings.
     */
    uint32_t binding_count;
    /**
     * Number of push-constant ranges.
     */
    uint32_t push_range_count;
    /**
     * The push-constant ranges.
     */
    const DxtrPushRange *push_ranges;
} DxtrGivenLayout;

/**
 * What a plan is made from. Members that are zero have their defaults. Nothing that it points to
 * is needed after the call.
 */
typedef struct {
    /**
     * sizeof(DxtrPlanInfo), which the program sets.
     */
    size_t structure_size;
    /**
     * All stages of the pipeline, because they share one layout. A plan of a part of a pipeline is
     * possible if all parts are planned with the same root signature, or by registers.
     */
    const DxtrStage *stages;
    /**
     * The number of stages.
     */
    uint32_t stage_count;
    /**
     * A value of DxtrModel.
     */
    uint32_t model;
    /**
     * The device.
     */
    const DxtrProfile *profile;
    /**
     * The global root signature; null for that of the shaders, if they have one.
     */
    const DxtrRootSignature *root_signature;
    /**
     * The shifts of the model REGISTER; null for 0, and 1000 for counters.
     */
    const DxtrRegisterShifts *shifts;
    /**
     * The sets of register spaces under the model REGISTER, such as "95=1,96=2"; null for set =
     * space.
     */
    const char *spaces;
    /**
     * The sets of the descriptor heaps; null for the model's defaults.
     */
    const DxtrHeapSets *heap_sets;
    /**
     * The places for the model MAP as text (docs/bindings.md, "Map"); null for none.
     */
    const char *map;
    /**
     * A value of DxtrRootDescriptors.
     */
    uint32_t root_descriptors;
    /**
     * A value of DxtrRootTables.
     */
    uint32_t root_tables;
    /**
     * The pipeline layout that the program has already, against which is planned: a resource that
     * finds no suitable binding there is an error. Null if the program makes the layout from the
     * plan.
     */
    const DxtrGivenLayout *layout;
} DxtrPlanInfo;

/**
 * The counts of a pipeline layout, and its push constants.
 */
typedef struct {
    /**
     * sizeof(DxtrLayout), which the program sets.
     */
    size_t structure_size;
    /**
     * Number of descriptor sets, from set 0 on. A set without bindings is declared empty.
     */
    uint32_t set_count;
    /**
     * Number of bindings of all sets (dxtr_plan_binding).
     */
    uint32_t binding_count;
    /**
     * VkPushConstantRange::stageFlags; 0 if there are no push constants.
     */
    uint32_t push_constant_stages;
    /**
     * VkPushConstantRange::offset, in bytes.
     */
    uint32_t push_constant_offset;
    /**
     * VkPushConstantRange::size, in bytes; 0 if there are no push constants.
     */
    uint32_t push_constant_size;
    /**
     * Number of what is in the push constants (dxtr_plan_push_member).
     */
    uint32_t push_member_count;
    /**
     * Number of shader groups of a ray-tracing pipeline (dxtr_plan_group).
     */
    uint32_t group_count;
    /**
     * Number of inputs that the stage before does not write (dxtr_plan_interface_fault).
     */
    uint32_t interface_fault_count;
} DxtrLayout;

/**
 * A binding of a descriptor-set layout: VkDescriptorSetLayoutBinding, and what else the
 * application has to know. The pointers live as long as the plan.
 */
typedef struct {
    /**
     * sizeof(DxtrBinding), which the program sets.
     */
    size_t structure_size;
    /**
     * The descriptor set.
     */
    uint32_t set;
    /**
     * VkDescriptorSetLayoutBinding::binding.
     */
    uint32_t binding;
    /**
     * VkDescriptorType.
     */
    int32_t descriptor_type;
    /**
     * Number of descriptors; DXTR_UNBOUNDED for a number that the application chooses. For an
     * inline uniform block it is a size in bytes.
     */
    uint32_t descriptor_count;
    /**
     * VkShaderStageFlags of the stages that use it.
     */
    uint32_t stages;
    /**
     * VkDescriptorBindingFlags that fit an unbounded array; otherwise 0. The code does not need
     * them.
     */
    uint32_t flags;
    /**
     * Number of immutable samplers, 0 or 1 (dxtr_plan_sampler).
     */
    uint32_t immutable_sampler_count;
    /**
     * Number of `mutable_types`; 0 if the binding is not mutable.
     */
    uint32_t mutable_type_count;
    /**
     * The values of VkDescriptorType that the shaders use of a mutable binding.
     */
    const int32_t *mutable_types;
    /**
     * The resources at the binding, for people: a line for each.
     */
    const char *resources;
} DxtrBinding;

/**
 * A static sampler: the members of VkSamplerCreateInfo and of VkSamplerReductionModeCreateInfo.
 */
typedef struct {
    /**
     * sizeof(DxtrSampler), which the program sets.
     */
    size_t structure_size;
    /**
     * VkFilter.
     */
    int32_t mag_filter;
    /**
     * VkFilter.
     */
    int32_t min_filter;
    /**
     * VkSamplerMipmapMode.
     */
    int32_t mipmap_mode;
    /**
     * VkSamplerAddressMode.
     */
    int32_t address_mode_u;
    /**
     * VkSamplerAddressMode.
     */
    int32_t address_mode_v;
    /**
     * VkSamplerAddressMode.
     */
    int32_t address_mode_w;
    /**
     * mipLodBias.
     */
    float mip_lod_bias;
    /**
     * VkBool32.
     */
    uint32_t anisotropy_enable;
    /**
     * maxAnisotropy, at least 1.
     */
    float max_anisotropy;
    /**
     * VkBool32.
     */
    uint32_t compare_enable;
    /**
     * VkCompareOp.
     */
    int32_t compare_op;
    /**
     * minLod.
     */
    float min_lod;
    /**
     * maxLod.
     */
    float max_lod;
    /**
     * VkBorderColor.
     */
    int32_t border_color;
    /**
     * VkBool32.
     */
    uint32_t unnormalized_coordinates;
    /**
     * VkSamplerReductionMode. 0, a weighted average, needs no VkSamplerReductionModeCreateInfo.
     */
    int32_t reduction_mode;
} DxtrSampler;

/**
 * What shaders read in the push constants: the root constants of a resource, the address of a
 * buffer, or the index of a descriptor table. The text lives as long as the plan.
 */
typedef struct {
    /**
     * sizeof(DxtrPushMember), which the program sets.
     */
    size_t structure_size;
    /**
     * VkShaderStageFlags of the stages that read it.
     */
    uint32_t stages;
    /**
     * First byte in the push constants.
     */
    uint32_t offset;
    /**
     * Size in bytes.
     */
    uint32_t size;
    /**
     * What it is, for people.
     */
    const char *description;
} DxtrPushMember;

/**
 * The shader record of a stage: what follows the shader group handle.
 */
typedef struct {
    /**
     * sizeof(DxtrRecord), which the program sets.
     */
    size_t structure_size;
    /**
     * Size in bytes, without the shader group handle; 0 for a stage without a local root
     * signature.
     */
    uint32_t size;
    /**
     * Number of parameters of the local root signature (dxtr_plan_record_member).
     */
    uint32_t member_count;
} DxtrRecord;

/**
 * A parameter of a local root signature in a shader record. The text lives as long as the plan.
 */
typedef struct {
    /**
     * sizeof(DxtrRecordMember), which the program sets.
     */
    size_t structure_size;
    /**
     * First byte after the shader group handle.
     */
    uint32_t offset;
    /**
     * Size in bytes.
     */
    uint32_t size;
    /**
     * What it is, for people.
     */
    const char *description;
} DxtrRecordMember;

/**
 * A shader group of a ray-tracing pipeline. The text lives as long as the plan.
 */
typedef struct {
    /**
     * sizeof(DxtrGroup), which the program sets.
     */
    size_t structure_size;
    /**
     * Its name: that of the hit group, or the plain name of the entry point.
     */
    const char *name;
    /**
     * A value of DxtrShaderTable.
     */
    uint32_t table;
    /**
     * Bytes of a record: the shader group handle of 32 bytes, and the local root arguments.
     */
    uint32_t record_size;
    /**
     * Number of its shaders (dxtr_plan_group_shader).
     */
    uint32_t shader_count;
} DxtrGroup;

/**
 * Where a resource lives. Members that the kind does not name are zero.
 */
typedef struct {
    /**
     * sizeof(DxtrPlace), which the program sets.
     */
    size_t structure_size;
    /**
     * A value of DxtrPlaceKind.
     */
    uint32_t kind;
    /**
     * The descriptor set.
     */
    uint32_t set;
    /**
     * The binding.
     */
    uint32_t binding;
    /**
     * VkDescriptorType.
     */
    int32_t descriptor_type;
    /**
     * Number of descriptors of the binding that the shader declares; 1 is no array.
     */
    uint32_t descriptor_count;
    /**
     * The element of the binding that has the resource's first register.
     */
    uint32_t first_descriptor;
    /**
     * First byte.
     */
    uint32_t offset;
    /**
     * Size in bytes.
     */
    uint32_t size;
    /**
     * A value of DxtrRootKind.
     */
    uint32_t root;
    /**
     * First byte of the address or index.
     */
    uint32_t root_offset;
    /**
     * Whether the resource is a UAV with a hidden counter that has a place, 0 or 1.
     */
    uint32_t has_counter;
    /**
     * The descriptor set of the counter.
     */
    uint32_t counter_set;
    /**
     * The binding of the counter.
     */
    uint32_t counter_binding;
} DxtrPlace;

/**
 * A row of an output that is also written to a buffer, as D3D12_SO_DECLARATION_ENTRY says. The
 * rows of an array follow each other. The elements of an array of stream outputs have the size
 * that the first one states.
 */
typedef struct {
    /**
     * sizeof(DxtrStreamOutput), which the program sets.
     */
    size_t structure_size;
    /**
     * Semantic name, without the index.
     */
    const char *semantic;
    /**
     * Semantic index.
     */
    uint32_t semantic_index;
    /**
     * The stream of a geometry shader.
     */
    uint32_t stream;
    /**
     * Number of the buffer. All outputs in a buffer are of one stream.
     */
    uint32_t buffer;
    /**
     * First byte in a vertex of the buffer.
     */
    uint32_t offset;
    /**
     * Bytes of a vertex, which all outputs in a buffer agree on.
     */
    uint32_t stride;
} DxtrStreamOutput;

/**
 * The options of a translation. Members that are zero have their defaults. What the stages of the
 * plan say of each other (which stage reads the outputs of which, how patches and primitives are
 * linked) is known from the plan.
 */
typedef struct {
    /**
     * sizeof(DxtrOptions), which the program sets.
     */
    size_t structure_size;
    /**
     * The name of the entry point in the module; null for its name in the container.
     */
    const char *entry_name;
    /**
     * Not 0: the module has the names of resources and variables, for debuggers.
     */
    uint32_t names;
    /**
     * Not 0: the last stage before rasterization negates the y coordinate of the position, so that
     * the viewport of Vulkan need not have a negative height.
     */
    uint32_t invert_y;
    /**
     * Not 0: SV_VertexID and SV_InstanceID include the base, as in Vulkan; in D3D they do not.
     */
    uint32_t vulkan_vertex_ids;
    /**
     * Not 0: two pipelines with the same expressions for the position compute the same position.
     */
    uint32_t invariant_position;
    /**
     * Not 0: all arithmetic of floats is precise.
     */
    uint32_t precise;
    /**
     * A value of DxtrBounds.
     */
    uint32_t bounds;
    /**
     * A value of DxtrRawVectors.
     */
    uint32_t raw_vectors;
    /**
     * A value of DxtrVertexLocations.
     */
    uint32_t vertex_locations;
    /**
     * The number of samples of the pipeline's targets; 0 if it is not known. A pixel shader that
     * asks for it needs it.
     */
    uint32_t samples;
    /**
     * Not 0: VkPipelineMultisampleStateCreateInfo::sampleShadingEnable is set.
     */
    uint32_t sample_shading;
    /**
     * Not 0: the pipeline blends with two sources, and SV_Target1 is the second source of
     * target 0.
     */
    uint32_t dual_source;
    /**
     * Number of stream outputs.
     */
    uint32_t stream_output_count;
    /**
     * The outputs that the last stage before rasterization also writes to buffers, between
     * vkCmdBeginTransformFeedbackEXT and vkCmdEndTransformFeedbackEXT (VK_EXT_transform_feedback).
     */
    const DxtrStreamOutput *stream_outputs;
} DxtrOptions;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library that the program runs with: major * 1000000 + minor * 1000 + patch. A
 * program compares it with DXTR_VERSION. The library accepts the structures of all headers
 * of its major and minor version.
 */
uint32_t dxtr_version(void);

/**
 * The version as text, such as "0.1.0". It is never freed.
 */
const char *dxtr_version_text(void);

/**
 * The code of an error: what the call that made it returned. DXTR_RESULT_SUCCESS for null.
 */
DxtrResult dxtr_error_code(const DxtrError *error);

/**
 * The text of an error, in UTF-8: what was found, what was expected, and where. It lives as long
 * as the error. An empty text for null.
 */
const char *dxtr_error_message(const DxtrError *error);

/**
 * The device feature that a shader needs and the profile does not have: the member of a Vulkan
 * feature structure, or an extension. Null for errors of other codes. It lives as long as the
 * error.
 */
const char *dxtr_error_feature(const DxtrError *error);

/**
 * Frees an error. Null is accepted.
 */
void dxtr_error_free(DxtrError *error);

/**
 * Reads a root signature from `size` bytes at `data`: a DXIL container with one, its RTS0 part
 * alone (what D3D12SerializeVersionedRootSignature writes, too), or the text of HLSL's attribute
 * `[RootSignature("...")]`. The bytes are not needed after the call.
 *
 * On success `*root_signature` is a handle, which the program frees with dxtr_root_signature_free;
 * otherwise it is null. `error` may be null; otherwise `*error` is null on success, and an error
 * that the program frees. Codes: MALFORMED, UNSUPPORTED, LIMIT, INVALID_ARGUMENT.
 */
DxtrResult dxtr_root_signature_parse(const void *data,
                                     size_t size,
                                     DxtrRootSignature **root_signature,
                                     DxtrError **error);

/**
 * The text of a root signature, in the form of HLSL's attribute. It lives as long as the root
 * signature. Null for null.
 */
const char *dxtr_root_signature_text(const DxtrRootSignature *root_signature);

/**
 * Frees a root signature. Null is accepted. Plans that were made from it stay valid.
 */
void dxtr_root_signature_free(DxtrRootSignature *root_signature);

/**
 * A built-in profile by its name: "vulkan-1.0-desktop", "vulkan-1.1-floor", "vulkan-1.3-desktop",
 * "lavapipe" or "everything" (docs/profile.md). A shader that is translated at build time takes
 * the weakest device that it shall run on.
 *
 * On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it
 * is null. `error` may be null; otherwise `*error` is null on success, and an error that the
 * program frees. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_profile_named(const char *name, DxtrProfile **profile, DxtrError **error);

/**
 * Reads the text form of a profile (docs/profile.md), which dxtr_profile_text and `dxil2spv
 * --print-profile` write.
 *
 * On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it
 * is null. `error` may be null; otherwise `*error` is null on success, and an error that the
 * program frees. Codes: MALFORMED, INVALID_ARGUMENT.
 */
DxtrResult dxtr_profile_parse(const char *toml, DxtrProfile **profile, DxtrError **error);

/**
 * Makes the profile of a VkDevice from Vulkan's own structures. It calls no function of Vulkan.
 *
 * On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it
 * is null. `error` may be null; otherwise `*error` is null on success, and an error that the
 * program frees. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_profile_from_vulkan(const DxtrVulkanDevice *device,
                                    DxtrProfile **profile,
                                    DxtrError **error);

/**
 * The text form of a profile, for logs and caches: equal profiles have equal texts. It lives as
 * long as the profile. Null for null.
 */
const char *dxtr_profile_text(const DxtrProfile *profile);

/**
 * Whether a feature is enabled, 0 or 1, by its name: the member of a Vulkan feature structure such
 * as "shaderInt64", or an extension. 0 also for null and for a name that translated code never
 * needs.
 */
uint32_t dxtr_profile_has(const DxtrProfile *profile, const char *feature);

/**
 * Frees a profile. Null is accepted. Plans that were made for it stay valid.
 */
void dxtr_profile_free(DxtrProfile *profile);

/**
 * Parses and verifies a DXIL container of `size` bytes at `data`, or bare LLVM bitcode. The bytes
 * are not needed after the call. The time and memory that a container may take are limited
 * (docs/limits.md).
 *
 * On success `*shader` is a handle, which the program frees with dxtr_shader_free; otherwise it is
 * null. `error` may be null; otherwise `*error` is null on success, and an error that the program
 * frees. Codes: MALFORMED, UNSUPPORTED, LIMIT, INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_parse(const void *data, size_t size, DxtrShader **shader, DxtrError **error);

/**
 * The number of entry points: 1 for a shader of a stage, any for a library. 0 for null.
 */
uint32_t dxtr_shader_entry_count(const DxtrShader *shader);

/**
 * Fills `*entry` with the entry point of an index below dxtr_shader_entry_count. Codes:
 * INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_entry(const DxtrShader *shader, uint32_t index, DxtrEntry *entry);

/**
 * Gives the index of the entry point with this name, in the container or in the source. With null
 * for the name, of the only entry point.
 *
 * `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
 * Codes: UNSUPPORTED where no entry point or several have the name, INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_find_entry(const DxtrShader *shader,
                                  const char *name,
                                  uint32_t *index,
                                  DxtrError **error);

/**
 * Fills `*resource` with a resource that an entry point uses: of an index below
 * DxtrEntry::resource_count. dxtr_plan_place tells where it lives. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_resource(const DxtrShader *shader,
                                uint32_t entry,
                                uint32_t index,
                                DxtrResource *resource);

/**
 * Fills `*input` with an input of a vertex shader: of an index below
 * DxtrEntry::vertex_input_count. `locations` is a value of DxtrVertexLocations, the same as in
 * DxtrOptions.
 *
 * `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
 * Codes: BINDING where an input has no location by this choice, INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_vertex_input(const DxtrShader *shader,
                                    uint32_t entry,
                                    uint32_t index,
                                    uint32_t locations,
                                    DxtrVertexInput *input,
                                    DxtrError **error);

/**
 * Gives the device features that an entry point needs and that Vulkan 1.3 does not guarantee: the
 * members of Vulkan's feature structures, or extensions, in `(*names)[0]` to
 * `(*names)[*count - 1]`. The array and the names live as long as the shader. The first call for
 * an entry point translates it, up to twice for each of these features; later calls give what the
 * first one found.
 *
 * `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
 * Codes: UNSUPPORTED, BINDING and LIMIT where no device has what the entry point needs,
 * INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_features(const DxtrShader *shader,
                                uint32_t entry,
                                const char *const **names,
                                uint32_t *count,
                                DxtrError **error);

/**
 * Gives the global root signature that the container has for an entry point, as a handle that the
 * program frees with dxtr_root_signature_free; null where it has none, or a library associates
 * several. A plan takes it by itself. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_root_signature(const DxtrShader *shader,
                                      uint32_t entry,
                                      DxtrRootSignature **root_signature);

/**
 * Gives a local root signature that a library associates with an entry point: of an index below
 * DxtrEntry::local_root_signature_count. `*root_signature` is a handle that the program frees with
 * dxtr_root_signature_free. `*name` is the name of the subobject in the library; it lives as long
 * as the shader, and the pointer may be null. A shader of several hit groups may have one for each
 * of them; the program then gives the one of the group in DxtrStage. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_shader_local_root_signature(const DxtrShader *shader,
                                            uint32_t entry,
                                            uint32_t index,
                                            DxtrRootSignature **root_signature,
                                            const char **name);

/**
 * Frees a shader. Null is accepted. Plans that were made from it stay valid.
 */
void dxtr_shader_free(DxtrShader *shader);

/**
 * Plans the bindings of a pipeline over all its stages.
 *
 * On success `*plan` is a handle, which the program frees with dxtr_plan_free; otherwise it is
 * null. The plan keeps what it needs of shaders, profile and root signatures, which may be freed
 * in any order. `error` may be null; otherwise `*error` is null on success, and an error that the
 * program frees. Codes: MALFORMED where the text of a map or of spaces breaks its rules,
 * UNSUPPORTED, BINDING, LIMIT, INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_create(const DxtrPlanInfo *info, DxtrPlan **plan, DxtrError **error);

/**
 * The plan of a stage as text, in the form that `dxil2spv --bindings` reads. It lives as long as
 * the plan. Null for null and for a stage that is not there.
 */
const char *dxtr_plan_text(const DxtrPlan *plan, uint32_t stage);

/**
 * Frees a plan. Null is accepted. Translations that were made from it stay valid.
 */
void dxtr_plan_free(DxtrPlan *plan);

/**
 * Fills `*layout` with the counts and the push constants of the pipeline layout. Codes:
 * INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_layout(const DxtrPlan *plan, DxtrLayout *layout);

/**
 * Fills `*binding` with the binding of an index below DxtrLayout::binding_count. Bindings are in
 * the order of sets, and within a set in that of their numbers. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_binding(const DxtrPlan *plan, uint32_t index, DxtrBinding *binding);

/**
 * Fills `*sampler` with the static sampler of a binding whose DxtrBinding::immutable_sampler_count
 * is 1. Codes: INVALID_ARGUMENT, also for another binding.
 */
DxtrResult dxtr_plan_sampler(const DxtrPlan *plan, uint32_t binding, DxtrSampler *sampler);

/**
 * Fills `*member` with what is in the push constants: of an index below
 * DxtrLayout::push_member_count. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_push_member(const DxtrPlan *plan, uint32_t index, DxtrPushMember *member);

/**
 * Fills `*record` with the shader record of a stage, by the index of the stage in DxtrPlanInfo.
 * Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_record(const DxtrPlan *plan, uint32_t stage, DxtrRecord *record);

/**
 * Fills `*member` with a parameter of the local root signature of a stage: of an index below
 * DxtrRecord::member_count. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_record_member(const DxtrPlan *plan,
                                   uint32_t stage,
                                   uint32_t index,
                                   DxtrRecordMember *member);

/**
 * Fills `*group` with a shader group: of an index below DxtrLayout::group_count. The groups are
 * those of the general shaders, and then the hit groups that the libraries of the stages declare.
 * Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_group(const DxtrPlan *plan, uint32_t index, DxtrGroup *group);

/**
 * The plain name of a shader of a group, by an index below DxtrGroup::shader_count. It lives as
 * long as the plan. Null for null and for an index out of range.
 */
const char *dxtr_plan_group_shader(const DxtrPlan *plan, uint32_t group, uint32_t index);

/**
 * The smallest stride in bytes of a shader table (a value of DxtrShaderTable) that holds the
 * records of all groups on every device. 0 for null, and for a table without groups.
 */
uint32_t dxtr_plan_table_stride(const DxtrPlan *plan, uint32_t table);

/**
 * An input that a stage reads and the stage before it does not write, for people, by an index
 * below DxtrLayout::interface_fault_count. D3D12 refuses such a pipeline; in Vulkan the input has
 * no defined value. The text lives as long as the plan. Null for null and for an index out of
 * range.
 */
const char *dxtr_plan_interface_fault(const DxtrPlan *plan, uint32_t index);

/**
 * Fills `*place` with the place of a resource: of an index of dxtr_shader_resource, in a stage by
 * its index in DxtrPlanInfo. A view of a descriptor heap has a place of the kind HEAP for its
 * type. Codes: INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_place(const DxtrPlan *plan,
                           uint32_t stage,
                           uint32_t resource,
                           DxtrPlace *place);

/**
 * Translates a stage of a plan, by its index in DxtrPlanInfo, to a module with one entry point.
 * `options` may be null for the defaults. Different threads may translate stages of one plan at
 * the same time. The same input gives the same words on every run, thread and machine.
 *
 * On success `*module` is a handle, which the program frees with dxtr_module_free; otherwise it is
 * null. `error` may be null; otherwise `*error` is null on success, and an error that the program
 * frees. Codes: UNSUPPORTED, MISSING_FEATURE, BINDING, LIMIT, INVALID_ARGUMENT.
 */
DxtrResult dxtr_plan_translate(const DxtrPlan *plan,
                               uint32_t stage,
                               const DxtrOptions *options,
                               DxtrModule **module,
                               DxtrError **error);

/**
 * Translates `stage_count` stages of a plan, whose indexes in DxtrPlanInfo are at `stages`, to one
 * module with an entry point for each of them, in their order. All must be entry points of one
 * library, such as the shaders of a ray-tracing pipeline. They share types and constants, and a
 * device needs the features of all of them. DxtrOptions::entry_name must be null. For the rest it
 * is as dxtr_plan_translate.
 */
DxtrResult dxtr_plan_translate_library(const DxtrPlan *plan,
                                       const uint32_t *stages,
                                       uint32_t stage_count,
                                       const DxtrOptions *options,
                                       DxtrModule **module,
                                       DxtrError **error);

/**
 * Makes a SPIR-V module that carries the DXIL container of `size` bytes at `data`, for a library
 * that takes SPIR-V and hands it to Vulkan, where the layer translates the container
 * (docs/layer.md). The bytes are not needed after the call.
 *
 * On success `*module` is a handle, which the program frees with dxtr_module_free; otherwise it is
 * null. `error` may be null; otherwise `*error` is null on success, and an error that the program
 * frees. Codes: MALFORMED, UNSUPPORTED, LIMIT, INVALID_ARGUMENT.
 */
DxtrResult dxtr_embed(const void *data, size_t size, DxtrModule **module, DxtrError **error);

/**
 * The words of a module, for VkShaderModuleCreateInfo::pCode. `*size` is their size in bytes, as
 * in VkShaderModuleCreateInfo::codeSize; the pointer may be null. The words live as long as the
 * module. Null and 0 for null.
 */
const uint32_t *dxtr_module_words(const DxtrModule *module, size_t *size);

/**
 * The name of the entry point of a translation, for VkPipelineShaderStageCreateInfo::pName; of
 * several the first. It lives as long as the module. Null for null and for a module of dxtr_embed,
 * whose entry points have the names of those of the container.
 */
const char *dxtr_module_entry_name(const DxtrModule *module);

/**
 * The name of the entry point with this index, in the order of dxtr_plan_translate_library. It
 * lives as long as the module. Null for null and for an index that is not there.
 */
const char *dxtr_module_entry_name_at(const DxtrModule *module, uint32_t index);

/**
 * Frees a module. Null is accepted.
 */
void dxtr_module_free(DxtrModule *module);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DXIL_TRANSLATOR_H */
