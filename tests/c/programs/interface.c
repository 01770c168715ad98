/* Uses every function of the C interface, rightly and wrongly. It is C99 and C++17.
 *
 *     interface COMPUTE VERTEX PIXEL LIBRARY OUT
 *
 * The first four are containers; the words of the first one go to OUT. The exit status is 0 if all is as the
 * header says; otherwise the first fault is printed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dxil_translator.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)
#define OK(call) CHECK((call) == DXTR_RESULT_SUCCESS)
#define WRONG(call) CHECK((call) == DXTR_RESULT_INVALID_ARGUMENT)

typedef struct Bytes {
    unsigned char *data;
    size_t size;
} Bytes;

static Bytes read_file(const char *path) {
    Bytes bytes;
    FILE *file = fopen(path, "rb");
    CHECK(file && fseek(file, 0, SEEK_END) == 0);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = (unsigned char *)malloc(bytes.size);
    CHECK(bytes.data && fread(bytes.data, 1, bytes.size, file) == bytes.size);
    fclose(file);
    return bytes;
}

static DxtrShader *parse_file(const char *path) {
    Bytes bytes = read_file(path);
    DxtrShader *shader = NULL;
    DxtrError *error = NULL;
    DxtrResult result = dxtr_shader_parse(bytes.data, bytes.size, &shader, &error);
    if (result != DXTR_RESULT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", path, dxtr_error_message(error));
        exit(1);
    }
    CHECK(shader && !error);
    free(bytes.data);
    return shader;
}

static DxtrProfile *named(const char *name) {
    DxtrProfile *profile = NULL;
    OK(dxtr_profile_named(name, &profile, NULL));
    return profile;
}

static DxtrPlan *plan_one(const DxtrShader *shader, const DxtrProfile *profile) {
    DxtrStage stage = DXTR_INIT(DxtrStage);
    DxtrPlanInfo info = DXTR_INIT(DxtrPlanInfo);
    DxtrPlan *plan = NULL;
    stage.shader = shader;
    info.stages = &stage;
    info.stage_count = 1;
    info.profile = profile;
    OK(dxtr_plan_create(&info, &plan, NULL));
    return plan;
}

/* Null is refused by every function that needs more, and a handle that is not made is null. */
static void null(void) {
    DxtrError *error = NULL;
    DxtrShader *shader = (DxtrShader *)&error;
    DxtrProfile *profile = NULL;
    DxtrRootSignature *signature = NULL;
    DxtrPlan *plan = NULL;
    DxtrModule *module = NULL;
    DxtrEntry entry = DXTR_INIT(DxtrEntry);
    size_t size = 1;
    uint32_t number = 0;
    const char *const *names = NULL;
    DxtrVulkanDevice device = DXTR_INIT(DxtrVulkanDevice);
    static const uint64_t zeros[256] = {0};

    WRONG(dxtr_shader_parse(NULL, 8, &shader, &error));
    CHECK(!shader && error && dxtr_error_code(error) == DXTR_RESULT_INVALID_ARGUMENT);
    CHECK(strlen(dxtr_error_message(error)) > 0 && !dxtr_error_feature(error));
    dxtr_error_free(error);
    WRONG(dxtr_shader_parse("", 0, NULL, NULL));
    WRONG(dxtr_shader_parse("", (size_t)-1, &shader, NULL));
    WRONG(dxtr_shader_entry(NULL, 0, &entry));
    WRONG(dxtr_shader_find_entry(NULL, NULL, &number, NULL));
    WRONG(dxtr_shader_resource(NULL, 0, 0, NULL));
    WRONG(dxtr_shader_vertex_input(NULL, 0, 0, 0, NULL, NULL));
    WRONG(dxtr_shader_features(NULL, 0, &names, &number, NULL));
    WRONG(dxtr_shader_root_signature(NULL, 0, &signature));
    WRONG(dxtr_shader_local_root_signature(NULL, 0, 0, &signature, NULL));
    CHECK(dxtr_shader_entry_count(NULL) == 0);
    WRONG(dxtr_profile_named(NULL, &profile, NULL));
    WRONG(dxtr_profile_named("nothing", &profile, NULL));
    WRONG(dxtr_profile_parse(NULL, &profile, NULL));
    CHECK(dxtr_profile_parse("nothing", &profile, NULL) == DXTR_RESULT_MALFORMED && !profile);
    CHECK(!dxtr_profile_text(NULL) && !dxtr_profile_has(NULL, "shaderInt64"));
    WRONG(dxtr_profile_from_vulkan(NULL, &profile, NULL));
    WRONG(dxtr_profile_from_vulkan(&device, &profile, NULL));
    device.create_info = zeros;
    WRONG(dxtr_profile_from_vulkan(&device, &profile, NULL));
    /* Zero is the type of VkApplicationInfo. */
    device.properties = zeros;
    WRONG(dxtr_profile_from_vulkan(&device, &profile, NULL));
    WRONG(dxtr_root_signature_parse(NULL, 0, &signature, NULL));
    CHECK(!dxtr_root_signature_text(NULL));
    WRONG(dxtr_plan_create(NULL, &plan, NULL));
    CHECK(!dxtr_plan_text(NULL, 0) && !dxtr_plan_interface_fault(NULL, 0) && !dxtr_plan_group_shader(NULL, 0, 0));
    CHECK(dxtr_plan_table_stride(NULL, 0) == 0);
    WRONG(dxtr_plan_layout(NULL, NULL));
    WRONG(dxtr_plan_binding(NULL, 0, NULL));
    WRONG(dxtr_plan_sampler(NULL, 0, NULL));
    WRONG(dxtr_plan_push_member(NULL, 0, NULL));
    WRONG(dxtr_plan_record(NULL, 0, NULL));
    WRONG(dxtr_plan_record_member(NULL, 0, 0, NULL));
    WRONG(dxtr_plan_group(NULL, 0, NULL));
    WRONG(dxtr_plan_place(NULL, 0, 0, NULL));
    WRONG(dxtr_plan_translate(NULL, 0, NULL, &module, NULL));
    WRONG(dxtr_plan_translate_library(NULL, NULL, 0, NULL, &module, NULL));
    WRONG(dxtr_embed(NULL, 4, &module, NULL));
    CHECK(!dxtr_module_words(NULL, &size) && size == 0 && !dxtr_module_entry_name(NULL));
    CHECK(dxtr_error_code(NULL) == DXTR_RESULT_SUCCESS && !*dxtr_error_message(NULL));
    dxtr_error_free(NULL);
    dxtr_shader_free(NULL);
    dxtr_profile_free(NULL);
    dxtr_root_signature_free(NULL);
    dxtr_plan_free(NULL);
    dxtr_module_free(NULL);
}

/* A structure of an older or a newer header. */
static void sizes(const DxtrShader *shader, const DxtrProfile *profile) {
    struct {
        DxtrEntry entry;
        uint64_t newer;
    } larger;
    struct {
        DxtrPlanInfo info;
        uint64_t newer;
    } request;
    DxtrStage stages[2];
    DxtrPlan *plan = NULL;
    DxtrError *error = NULL;

    memset(&larger, 0xff, sizeof larger);
    larger.entry.structure_size = 0;
    WRONG(dxtr_shader_entry(shader, 0, &larger.entry));
    larger.entry.structure_size = sizeof larger.entry - 1;
    WRONG(dxtr_shader_entry(shader, 0, &larger.entry));
    larger.entry.structure_size = sizeof larger.entry;
    OK(dxtr_shader_entry(shader, 0, &larger.entry));
    CHECK(larger.newer == UINT64_MAX);
    larger.entry.structure_size = sizeof larger;
    OK(dxtr_shader_entry(shader, 0, &larger.entry));
    CHECK(larger.newer == 0 && larger.entry.structure_size == sizeof larger);
    WRONG(dxtr_shader_entry(shader, 1000, &larger.entry));

    memset(stages, 0, sizeof stages);
    stages[0].structure_size = sizeof stages[0];
    stages[0].shader = shader;
    stages[1] = stages[0];
    memset(&request, 0, sizeof request);
    request.info.structure_size = sizeof request;
    request.info.stages = stages;
    request.info.stage_count = 1;
    request.info.profile = profile;
    OK(dxtr_plan_create(&request.info, &plan, NULL));
    dxtr_plan_free(plan);
    request.newer = 1;
    WRONG(dxtr_plan_create(&request.info, &plan, &error));
    CHECK(!plan && strstr(dxtr_error_message(error), "DxtrPlanInfo"));
    dxtr_error_free(error);
    request.info.structure_size = sizeof request.info;
    request.info.stage_count = 0;
    WRONG(dxtr_plan_create(&request.info, &plan, NULL));
    request.info.stage_count = 2;
    stages[1].structure_size = sizeof stages[1] + 8;
    WRONG(dxtr_plan_create(&request.info, &plan, NULL));
    request.info.stage_count = 1;
    request.info.model = 9;
    WRONG(dxtr_plan_create(&request.info, &plan, NULL));
    request.info.model = DXTR_MODEL_MAP;
    CHECK(dxtr_plan_create(&request.info, &plan, NULL) == DXTR_RESULT_BINDING);
    request.info.model = DXTR_MODEL_AUTO;
    request.info.spaces = "1";
    CHECK(dxtr_plan_create(&request.info, &plan, NULL) == DXTR_RESULT_MALFORMED);
    request.info.spaces = NULL;
    stages[0].entry = 7;
    WRONG(dxtr_plan_create(&request.info, &plan, NULL));
    stages[0].entry = 0;
    stages[0].shader = NULL;
    WRONG(dxtr_plan_create(&request.info, &plan, NULL));
    stages[0].shader = shader;
    request.info.profile = NULL;
    WRONG(dxtr_plan_create(&request.info, &plan, NULL));
}

/* No beginning of a container is a shader, and no changed byte makes the library fail by itself. */
static void malformed(const char *path) {
    Bytes bytes = read_file(path);
    size_t size;
    for (size = 0; size < bytes.size; size += 1 + bytes.size / 97) {
        DxtrShader *shader = NULL;
        DxtrError *error = NULL;
        DxtrResult result = dxtr_shader_parse(bytes.data, size, &shader, &error);
        CHECK(result != DXTR_RESULT_SUCCESS && result != DXTR_RESULT_INTERNAL && !shader);
        CHECK(dxtr_error_code(error) == result);
        dxtr_error_free(error);
        bytes.data[size] ^= 0x55;
        result = dxtr_shader_parse(bytes.data, bytes.size, &shader, NULL);
        CHECK(result != DXTR_RESULT_INTERNAL && (result == DXTR_RESULT_SUCCESS) == (shader != NULL));
        dxtr_shader_free(shader);
        bytes.data[size] ^= 0x55;
    }
    free(bytes.data);
}

/* rootsig/pipeline_layout.dxil, whose layout docs/pipeline-layout.md shows. The handles that the plan is made
 * from are freed before it is used, and the plan before its translation. */
static void compute(const char *path, const char *out) {
    DxtrShader *shader = parse_file(path);
    DxtrProfile *profile = named("vulkan-1.3-desktop");
    DxtrRootSignature *signature = NULL, *again = NULL;
    DxtrEntry entry = DXTR_INIT(DxtrEntry);
    DxtrResource resource = DXTR_INIT(DxtrResource);
    DxtrLayout layout = DXTR_INIT(DxtrLayout);
    DxtrBinding binding = DXTR_INIT(DxtrBinding);
    DxtrSampler sampler = DXTR_INIT(DxtrSampler);
    DxtrPushMember member = DXTR_INIT(DxtrPushMember);
    DxtrPlace place = DXTR_INIT(DxtrPlace);
    DxtrRecord record = DXTR_INIT(DxtrRecord);
    DxtrOptions options = DXTR_INIT(DxtrOptions);
    DxtrModule *module = NULL;
    DxtrPlan *plan;
    const char *const *names = NULL;
    const char *text;
    uint32_t count = 0, index = 9;
    size_t size = 0;
    FILE *file;

    CHECK(dxtr_shader_entry_count(shader) == 1);
    OK(dxtr_shader_entry(shader, 0, &entry));
    CHECK(strcmp(entry.name, "main") == 0 && entry.stage == 0x20 && entry.resource_count == 5);
    CHECK(entry.thread_group[0] == 64 && entry.thread_group[1] == 1 && entry.wave_size_max == 0);
    OK(dxtr_shader_find_entry(shader, NULL, &index, NULL));
    CHECK(index == 0);
    CHECK(dxtr_shader_find_entry(shader, "other", &index, NULL) == DXTR_RESULT_UNSUPPORTED);
    WRONG(dxtr_shader_find_entry(shader, "\xff", &index, NULL));
    OK(dxtr_shader_features(shader, 0, &names, &count, NULL));
    CHECK(count == 2 && strcmp(names[0], "runtimeDescriptorArray") == 0);
    CHECK(strcmp(names[1], "shaderSampledImageArrayDynamicIndexing") == 0);
    OK(dxtr_shader_root_signature(shader, 0, &signature));
    text = dxtr_root_signature_text(signature);
    CHECK(strstr(text, "RootConstants(num32BitConstants=2, b0"));
    OK(dxtr_root_signature_parse(text, strlen(text), &again, NULL));
    CHECK(strcmp(dxtr_root_signature_text(again), text) == 0);
    CHECK(dxtr_profile_has(profile, "shaderInt64") && !dxtr_profile_has(profile, "meshShader"));

    plan = plan_one(shader, profile);
    CHECK(strstr(dxtr_plan_text(plan, 0), "push_constant_size = 8") && !dxtr_plan_text(plan, 1));
    for (index = 0; index < entry.resource_count; index++) {
        OK(dxtr_shader_resource(shader, 0, index, &resource));
        OK(dxtr_plan_place(plan, 0, index, &place));
        if (resource.register_class == 't') {
            CHECK(resource.count == DXTR_UNBOUNDED && resource.kind == DXTR_RESOURCE_KIND_TEXTURE2D);
            CHECK(place.kind == DXTR_PLACE_KIND_DESCRIPTOR && place.set == 0 && place.binding == 0);
        } else if (resource.register_class == 'b' && resource.first_register == 0) {
            CHECK(place.kind == DXTR_PLACE_KIND_PUSH_CONSTANTS && place.offset == 0 && place.size == 8);
        }
    }
    WRONG(dxtr_shader_resource(shader, 0, 5, &resource));
    WRONG(dxtr_plan_place(plan, 0, 5, &place));
    dxtr_shader_free(shader);
    dxtr_profile_free(profile);
    dxtr_root_signature_free(signature);
    dxtr_root_signature_free(again);

    OK(dxtr_plan_layout(plan, &layout));
    CHECK(layout.set_count == 2 && layout.binding_count == 4 && layout.group_count == 0);
    CHECK(layout.push_constant_stages == 0x20 && layout.push_constant_offset == 0 && layout.push_constant_size == 8);
    CHECK(layout.push_member_count == 1 && layout.interface_fault_count == 0);
    OK(dxtr_plan_push_member(plan, 0, &member));
    CHECK(member.size == 8 && strstr(member.description, "b0 space0"));
    OK(dxtr_plan_binding(plan, 0, &binding));
    CHECK(binding.set == 0 && binding.binding == 0 && binding.descriptor_type == 2 && binding.flags == 12);
    CHECK(binding.descriptor_count == DXTR_UNBOUNDED && strcmp(binding.resources, "t0[] space0 Texture2D<f32>") == 0);
    WRONG(dxtr_plan_sampler(plan, 0, &sampler));
    OK(dxtr_plan_binding(plan, 3, &binding));
    CHECK(binding.set == 1 && binding.binding == 4 && binding.descriptor_type == 0);
    CHECK(binding.immutable_sampler_count == 1 && binding.mutable_type_count == 0);
    OK(dxtr_plan_sampler(plan, 3, &sampler));
    CHECK(sampler.mag_filter == 1 && sampler.min_filter == 1 && sampler.mipmap_mode == 0);
    CHECK(sampler.reduction_mode == 0);
    CHECK(sampler.address_mode_u == 2 && !sampler.compare_enable && sampler.max_lod > 1e38f);
    WRONG(dxtr_plan_binding(plan, 4, &binding));
    OK(dxtr_plan_record(plan, 0, &record));
    CHECK(record.size == 0 && record.member_count == 0);

    options.bounds = 3;
    WRONG(dxtr_plan_translate(plan, 0, &options, &module, NULL));
    WRONG(dxtr_plan_translate(plan, 1, NULL, &module, NULL));
    options.bounds = DXTR_BOUNDS_AUTO;
    options.entry_name = "renamed";
    OK(dxtr_plan_translate(plan, 0, &options, &module, NULL));
    CHECK(strcmp(dxtr_module_entry_name(module), "renamed") == 0);
    dxtr_module_free(module);
    OK(dxtr_plan_translate(plan, 0, NULL, &module, NULL));
    dxtr_plan_free(plan);
    CHECK(strcmp(dxtr_module_entry_name(module), "main") == 0);
    CHECK(dxtr_module_words(module, NULL)[0] == 0x07230203);
    file = fopen(out, "wb");
    CHECK(file && dxtr_module_words(module, &size) && fwrite(dxtr_module_words(module, NULL), 1, size, file) == size);
    CHECK(fclose(file) == 0);
    dxtr_module_free(module);
}

/* A device that lacks what the shader needs. */
static void missing_feature(const char *path) {
    DxtrShader *shader = parse_file(path);
    DxtrProfile *profile = named("vulkan-1.1-floor");
    DxtrPlan *plan = plan_one(shader, profile);
    DxtrModule *module = (DxtrModule *)plan;
    DxtrError *error = NULL;
    CHECK(dxtr_plan_translate(plan, 0, NULL, &module, &error) == DXTR_RESULT_MISSING_FEATURE);
    CHECK(!module && dxtr_error_code(error) == DXTR_RESULT_MISSING_FEATURE);
    CHECK(strstr(dxtr_error_message(error), dxtr_error_feature(error)));
    dxtr_error_free(error);
    dxtr_plan_free(plan);
    dxtr_profile_free(profile);
    dxtr_shader_free(shader);
}

/* The stages of a pipeline, which one plan has. */
static void graphics(const char *vertex, const char *pixel) {
    DxtrShader *shaders[2];
    DxtrProfile *profile = named("vulkan-1.3-desktop");
    DxtrStage stages[2];
    DxtrPlanInfo info = DXTR_INIT(DxtrPlanInfo);
    DxtrPlan *plan = NULL;
    DxtrEntry entry = DXTR_INIT(DxtrEntry);
    DxtrVertexInput input = DXTR_INIT(DxtrVertexInput);
    DxtrLayout layout = DXTR_INIT(DxtrLayout);
    DxtrModule *module = NULL;
    uint32_t index;

    shaders[0] = parse_file(vertex);
    shaders[1] = parse_file(pixel);
    OK(dxtr_shader_entry(shaders[0], 0, &entry));
    CHECK(entry.stage == 1 && entry.vertex_input_count > 0);
    for (index = 0; index < entry.vertex_input_count; index++) {
        OK(dxtr_shader_vertex_input(shaders[0], 0, index, DXTR_VERTEX_LOCATIONS_ORDER, &input, NULL));
        CHECK(strlen(input.semantic) > 0 && input.location == index && input.component_count <= 4);
        CHECK(input.component_type == DXTR_COMPONENT_TYPE_F32 && input.is_read);
    }
    WRONG(dxtr_shader_vertex_input(shaders[0], 0, index, DXTR_VERTEX_LOCATIONS_ORDER, &input, NULL));
    WRONG(dxtr_shader_vertex_input(shaders[0], 0, 0, 3, &input, NULL));
    CHECK(dxtr_shader_vertex_input(shaders[0], 0, 0, DXTR_VERTEX_LOCATIONS_TEXCOORD, &input, NULL) ==
          DXTR_RESULT_BINDING);
    memset(stages, 0, sizeof stages);
    for (index = 0; index < 2; index++) {
        stages[index].structure_size = sizeof stages[index];
        stages[index].shader = shaders[index];
    }
    info.stages = stages;
    info.stage_count = 2;
    info.profile = profile;
    OK(dxtr_plan_create(&info, &plan, NULL));
    OK(dxtr_plan_layout(plan, &layout));
    CHECK(layout.interface_fault_count == 0);
    for (index = 0; index < 2; index++) {
        OK(dxtr_plan_translate(plan, index, NULL, &module, NULL));
        dxtr_module_free(module);
    }
    dxtr_plan_free(plan);
    dxtr_profile_free(profile);
    dxtr_shader_free(shaders[0]);
    dxtr_shader_free(shaders[1]);
}

/* A plan against a pipeline layout that the program has. */
static void given_layout(const char *path) {
    DxtrShader *shader = parse_file(path);
    DxtrProfile *profile = named("vulkan-1.3-desktop");
    DxtrGivenBinding bindings[4];
    /* Those of the root signature, as docs/pipeline-layout.md declares them, in any order. */
    const uint32_t places[4][4] = {{1, 4, 0, 1}, {1, 3, 7, 1}, {1, 2, 6, 1}, {0, 0, 2, 64}};
    DxtrPushRange range = {0x20, 0, 8};
    DxtrGivenLayout layout = DXTR_INIT(DxtrGivenLayout);
    DxtrStage stage = DXTR_INIT(DxtrStage);
    DxtrPlanInfo info = DXTR_INIT(DxtrPlanInfo);
    DxtrPlan *plan = NULL, *planned = plan_one(shader, profile);
    DxtrError *error = NULL;
    int index;

    memset(bindings, 0, sizeof bindings);
    for (index = 0; index < 4; index++) {
        bindings[index].structure_size = sizeof bindings[index];
        bindings[index].set = places[index][0];
        bindings[index].binding = places[index][1];
        bindings[index].descriptor_type = (int32_t)places[index][2];
        bindings[index].descriptor_count = places[index][3];
        bindings[index].stages = 0x20;
        bindings[index].immutable_samplers = index == 0;
    }
    layout.bindings = bindings;
    layout.binding_count = 4;
    layout.push_ranges = &range;
    layout.push_range_count = 1;
    stage.shader = shader;
    info.stages = &stage;
    info.stage_count = 1;
    info.profile = profile;
    info.layout = &layout;
    OK(dxtr_plan_create(&info, &plan, NULL));
    CHECK(strstr(dxtr_plan_text(plan, 0), "\"u0 space0\".descriptor = { set = 1, binding = 3, type = \"storage_buffer\" }"));
    dxtr_plan_free(plan);
    /* The layout decides the type of a descriptor. */
    bindings[1].descriptor_type = 9;
    OK(dxtr_plan_create(&info, &plan, NULL));
    CHECK(strstr(dxtr_plan_text(plan, 0), "storage_buffer_dynamic") && !strstr(dxtr_plan_text(planned, 0), "_dynamic"));
    dxtr_plan_free(plan);
    layout.binding_count = 3;
    CHECK(dxtr_plan_create(&info, &plan, &error) == DXTR_RESULT_BINDING && !plan);
    CHECK(strstr(dxtr_error_message(error), "t0[] space0"));
    dxtr_error_free(error);
    layout.binding_count = 4;
    bindings[3].set = 0x10000;
    WRONG(dxtr_plan_create(&info, &plan, NULL));
    bindings[3].set = 0;
    bindings[3].mutable_type_count = 1;
    WRONG(dxtr_plan_create(&info, &plan, NULL));
    bindings[3].mutable_type_count = 0;
    layout.push_ranges = NULL;
    WRONG(dxtr_plan_create(&info, &plan, NULL));
    dxtr_plan_free(planned);
    dxtr_profile_free(profile);
    dxtr_shader_free(shader);
}

/* A vertex shader whose position also goes to a buffer. */
static void stream_output(const char *path) {
    DxtrShader *shader = parse_file(path);
    DxtrProfile *profile = named("everything");
    DxtrPlan *plan = plan_one(shader, profile);
    DxtrOptions options = DXTR_INIT(DxtrOptions);
    DxtrStreamOutput output = DXTR_INIT(DxtrStreamOutput);
    DxtrModule *without = NULL, *module = NULL;
    size_t size = 0, more = 0;

    OK(dxtr_plan_translate(plan, 0, NULL, &without, NULL));
    options.stream_outputs = &output;
    options.stream_output_count = 1;
    WRONG(dxtr_plan_translate(plan, 0, &options, &module, NULL));
    output.semantic = "sv_position";
    output.stride = 16;
    OK(dxtr_plan_translate(plan, 0, &options, &module, NULL));
    CHECK(dxtr_module_words(without, &size) && dxtr_module_words(module, &more) && more > size);
    dxtr_module_free(module);
    output.semantic = "NOTHING";
    CHECK(dxtr_plan_translate(plan, 0, &options, &module, NULL) != DXTR_RESULT_SUCCESS && !module);
    dxtr_module_free(without);
    dxtr_plan_free(plan);
    dxtr_profile_free(profile);
    dxtr_shader_free(shader);
}

/* All entry points of a library, with its shader groups and records. */
/* All stages of a plan in one module, and what is refused. */
static void library_module(const DxtrPlan *plan, uint32_t count) {
    uint32_t *numbers = (uint32_t *)calloc(count + 1, sizeof *numbers), index;
    DxtrModule *module = NULL, *one = NULL;
    DxtrOptions options = DXTR_INIT(DxtrOptions);
    DxtrError *error = NULL;
    size_t all = 0, single = 0;

    for (index = 0; index < count; index++) {
        numbers[index] = count - 1 - index;
    }
    OK(dxtr_plan_translate_library(plan, numbers, count, NULL, &module, NULL));
    CHECK(dxtr_module_words(module, &all)[0] == 0x07230203);
    for (index = 0; index < count; index++) {
        OK(dxtr_plan_translate(plan, numbers[index], NULL, &one, NULL));
        CHECK(strcmp(dxtr_module_entry_name_at(module, index), dxtr_module_entry_name(one)) == 0);
        CHECK(dxtr_module_words(one, &single) && single < all);
        dxtr_module_free(one);
    }
    CHECK(!dxtr_module_entry_name_at(module, count) && !dxtr_module_entry_name_at(NULL, 0));
    dxtr_module_free(module);
    WRONG(dxtr_plan_translate_library(plan, numbers, 0, NULL, &module, NULL));
    WRONG(dxtr_plan_translate_library(plan, NULL, 1, NULL, &module, NULL));
    options.entry_name = "renamed";
    WRONG(dxtr_plan_translate_library(plan, numbers, 1, &options, &module, NULL));
    numbers[1] = count;
    WRONG(dxtr_plan_translate_library(plan, numbers, 2, NULL, &module, NULL));
    numbers[1] = numbers[0];
    CHECK(dxtr_plan_translate_library(plan, numbers, 2, NULL, &module, &error) == DXTR_RESULT_UNSUPPORTED && !module);
    CHECK(strstr(dxtr_error_message(error), "given twice"));
    dxtr_error_free(error);
    free(numbers);
}

static void library(const char *path) {
    DxtrShader *shader = parse_file(path);
    DxtrProfile *profile = named("everything");
    uint32_t count = dxtr_shader_entry_count(shader), index, number, hits = 0, records = 0, chosen = 0;
    DxtrStage *stages = (DxtrStage *)calloc(count, sizeof *stages);
    DxtrHeapSets heaps = {DXTR_DEFAULT_SET, DXTR_DEFAULT_SET, DXTR_DEFAULT_SET};
    DxtrRegisterShifts shifts = {0, 100, 200, 300, 1000};
    DxtrPlanInfo info = DXTR_INIT(DxtrPlanInfo);
    DxtrPlan *plan = NULL;
    DxtrLayout layout = DXTR_INIT(DxtrLayout);
    DxtrRootSignature *local = NULL, *locals[8];
    const char *name = NULL;

    CHECK(count > 1);
    for (index = 0; index < count; index++) {
        DxtrEntry entry = DXTR_INIT(DxtrEntry);
        OK(dxtr_shader_entry(shader, index, &entry));
        CHECK(entry.stage >= 0x100 && entry.thread_group[0] == 0);
        stages[index].structure_size = sizeof *stages;
        stages[index].shader = shader;
        stages[index].entry = index;
        /* A shader of several hit groups has the local root signature of one of them in each stage. */
        for (number = 0; entry.local_root_signature_count > 1 && number < entry.local_root_signature_count; number++) {
            OK(dxtr_shader_local_root_signature(shader, index, number, &local, &name));
            if (strcmp(name, "colour") == 0 && chosen < 8) {
                stages[index].local_root_signature = locals[chosen++] = local;
            } else {
                dxtr_root_signature_free(local);
            }
        }
        WRONG(dxtr_shader_local_root_signature(shader, index, 1000, &local, NULL));
    }
    info.stages = stages;
    info.stage_count = count;
    info.profile = profile;
    info.heap_sets = &heaps;
    info.shifts = &shifts;
    OK(dxtr_plan_create(&info, &plan, NULL));
    OK(dxtr_plan_layout(plan, &layout));
    CHECK(layout.group_count > 1);
    for (index = 0; index < layout.group_count; index++) {
        DxtrGroup group = DXTR_INIT(DxtrGroup);
        OK(dxtr_plan_group(plan, index, &group));
        CHECK(strlen(group.name) > 0 && group.shader_count > 0 && dxtr_plan_group_shader(plan, index, 0));
        CHECK(!dxtr_plan_group_shader(plan, index, group.shader_count));
        CHECK(group.record_size >= 32 && group.record_size <= dxtr_plan_table_stride(plan, group.table));
        hits += group.table == DXTR_SHADER_TABLE_HIT;
    }
    CHECK(hits > 0);
    for (index = 0; index < count; index++) {
        DxtrRecord record = DXTR_INIT(DxtrRecord);
        DxtrRecordMember member = DXTR_INIT(DxtrRecordMember);
        OK(dxtr_plan_record(plan, index, &record));
        if (record.member_count > 0) {
            OK(dxtr_plan_record_member(plan, index, record.member_count - 1, &member));
            CHECK(member.offset + member.size <= record.size && strlen(member.description) > 0);
            records++;
        }
        WRONG(dxtr_plan_record_member(plan, index, record.member_count, &member));
    }
    CHECK(records > 0);
    library_module(plan, count);
    dxtr_plan_free(plan);
    CHECK(chosen > 0);
    while (chosen > 0) {
        dxtr_root_signature_free(locals[--chosen]);
    }
    free(stages);
    dxtr_profile_free(profile);
    dxtr_shader_free(shader);
}

static void embedded(const char *path) {
    Bytes bytes = read_file(path);
    DxtrModule *module = NULL;
    size_t size = 0;
    OK(dxtr_embed(bytes.data, bytes.size, &module, NULL));
    CHECK(dxtr_module_words(module, &size)[0] == 0x07230203 && size > bytes.size && size % 4 == 0);
    CHECK(!dxtr_module_entry_name(module));
    dxtr_module_free(module);
    CHECK(dxtr_embed(bytes.data, 12, &module, NULL) == DXTR_RESULT_MALFORMED && !module);
    free(bytes.data);
}

typedef struct Work {
    const DxtrShader *shader;
    const DxtrPlan *plan;
    DxtrModule *module;
} Work;

/* What a thread does with handles that another one uses at the same time. */
static void *work(void *argument) {
    Work *of = (Work *)argument;
    int turn;
    for (turn = 0; turn < 20; turn++) {
        const char *const *names = NULL;
        uint32_t count = 0;
        DxtrBinding binding = DXTR_INIT(DxtrBinding);
        OK(dxtr_shader_features(of->shader, 0, &names, &count, NULL));
        CHECK(count == 2 && strlen(names[1]) > 0);
        OK(dxtr_plan_binding(of->plan, 3, &binding));
        CHECK(strstr(binding.resources, "s0 space0"));
        dxtr_module_free(of->module);
        of->module = NULL;
        OK(dxtr_plan_translate(of->plan, 0, NULL, &of->module, NULL));
    }
    return NULL;
}

static void threads(const char *path) {
    DxtrShader *shader = parse_file(path);
    DxtrProfile *profile = named("vulkan-1.3-desktop");
    DxtrPlan *plan = plan_one(shader, profile);
    pthread_t ids[2];
    Work works[2];
    size_t sizes_of[2];
    int index;
    for (index = 0; index < 2; index++) {
        works[index].shader = shader;
        works[index].plan = plan;
        works[index].module = NULL;
        CHECK(pthread_create(&ids[index], NULL, work, &works[index]) == 0);
    }
    for (index = 0; index < 2; index++) {
        CHECK(pthread_join(ids[index], NULL) == 0);
        dxtr_module_words(works[index].module, &sizes_of[index]);
    }
    CHECK(sizes_of[0] > 0 && sizes_of[0] == sizes_of[1]);
    CHECK(memcmp(dxtr_module_words(works[0].module, NULL), dxtr_module_words(works[1].module, NULL), sizes_of[0]) == 0);
    dxtr_module_free(works[0].module);
    dxtr_module_free(works[1].module);
    dxtr_plan_free(plan);
    dxtr_profile_free(profile);
    dxtr_shader_free(shader);
}

int main(int argc, char **argv) {
    DxtrShader *shader;
    DxtrProfile *profile, *again = NULL;
    CHECK(argc == 6);
    CHECK(dxtr_version() == DXTR_VERSION && strlen(dxtr_version_text()) >= 5);
    null();
    shader = parse_file(argv[1]);
    profile = named("lavapipe");
    OK(dxtr_profile_parse(dxtr_profile_text(profile), &again, NULL));
    CHECK(strcmp(dxtr_profile_text(profile), dxtr_profile_text(again)) == 0);
    sizes(shader, again);
    dxtr_profile_free(again);
    dxtr_profile_free(profile);
    dxtr_shader_free(shader);
    malformed(argv[1]);
    compute(argv[1], argv[5]);
    missing_feature(argv[1]);
    graphics(argv[2], argv[3]);
    given_layout(argv[1]);
    stream_output(argv[2]);
    library(argv[4]);
    embedded(argv[1]);
    threads(argv[1]);
    puts("all is as the header says");
    return 0;
}
