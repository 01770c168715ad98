/* The C interface of dxil-spirv, version 2.68, as far as the caller uses it. Written from a
 * description of the interface, so that both sides of the border are held to it. */
#ifndef DXIL_SPV_H
#define DXIL_SPV_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned char dxil_spv_bool;
typedef struct dxil_spv_parsed_blob_s *dxil_spv_parsed_blob;
typedef struct dxil_spv_converter_s *dxil_spv_converter;
typedef int dxil_spv_result;

typedef struct {
    int stage, kind;
    unsigned resource_index, register_space, register_index, range_size, alignment;
} dxil_spv_d3d_binding;

typedef struct {
    dxil_spv_d3d_binding d3d_binding;
    dxil_spv_bool has_counter;
} dxil_spv_uav_d3d_binding;

typedef struct {
    unsigned set, binding;
    union {
        unsigned root_constant_index;
        unsigned input_attachment_index;
    };
    struct {
        unsigned heap_root_offset;
        dxil_spv_bool use_heap;
    } bindless;
    int descriptor_type;
} dxil_spv_vulkan_binding;

typedef struct {
    dxil_spv_vulkan_binding buffer_binding, offset_binding;
} dxil_spv_srv_vulkan_binding;

typedef struct {
    dxil_spv_vulkan_binding buffer_binding, counter_binding, offset_binding;
} dxil_spv_uav_vulkan_binding;

typedef struct {
    union {
        dxil_spv_vulkan_binding uniform_binding;
        struct {
            unsigned offset_in_words;
        } push;
    } vulkan;
    dxil_spv_bool push_constant;
} dxil_spv_cbv_vulkan_binding;

typedef struct {
    const char *semantic;
    unsigned semantic_index, start_row, rows;
} dxil_spv_d3d_stage_io;

typedef struct {
    unsigned location;
} dxil_spv_vulkan_vertex_input;

typedef struct {
    const char *semantic;
    unsigned semantic_index;
} dxil_spv_d3d_stream_output;

typedef struct {
    unsigned offset, stride, buffer_index;
    dxil_spv_bool enable;
} dxil_spv_vulkan_stream_output;

typedef struct {
    unsigned location, component, flags;
} dxil_spv_vulkan_stage_io;

typedef struct {
    const void *data;
    size_t size;
} dxil_spv_compiled_spirv;

typedef struct {
    unsigned kind;
    const char *name;
    unsigned hit_group_type;
    const char *const *exports;
    unsigned num_exports;
    unsigned args[2];
    const void *payload;
    size_t payload_size;
} dxil_spv_rdat_subobject;

typedef struct {
    unsigned type;
} dxil_spv_option_base;

_Static_assert(sizeof(dxil_spv_d3d_binding) == 28, "d3d_binding");
_Static_assert(sizeof(dxil_spv_uav_d3d_binding) == 32, "uav_d3d_binding");
_Static_assert(sizeof(dxil_spv_vulkan_binding) == 24, "vulkan_binding");
_Static_assert(sizeof(dxil_spv_srv_vulkan_binding) == 48, "srv_vulkan_binding");
_Static_assert(sizeof(dxil_spv_uav_vulkan_binding) == 72, "uav_vulkan_binding");
_Static_assert(sizeof(dxil_spv_cbv_vulkan_binding) == 28, "cbv_vulkan_binding");
_Static_assert(sizeof(dxil_spv_rdat_subobject) == 64, "rdat_subobject");

typedef void (*dxil_spv_log_cb)(void *, int, const char *);
typedef dxil_spv_bool (*dxil_spv_srv_remapper_cb)(
    void *, const dxil_spv_d3d_binding *, dxil_spv_srv_vulkan_binding *);
typedef dxil_spv_bool (*dxil_spv_uav_remapper_cb)(
    void *, const dxil_spv_uav_d3d_binding *, dxil_spv_uav_vulkan_binding *);
typedef dxil_spv_bool (*dxil_spv_cbv_remapper_cb)(
    void *, const dxil_spv_d3d_binding *, dxil_spv_cbv_vulkan_binding *);
typedef dxil_spv_bool (*dxil_spv_sampler_remapper_cb)(
    void *, const dxil_spv_d3d_binding *, dxil_spv_vulkan_binding *);
typedef dxil_spv_bool (*dxil_spv_vertex_input_remapper_cb)(
    void *, const dxil_spv_d3d_stage_io *, dxil_spv_vulkan_vertex_input *);
typedef dxil_spv_bool (*dxil_spv_stream_output_remapper_cb)(
    void *, const dxil_spv_d3d_stream_output *, dxil_spv_vulkan_stream_output *);
typedef dxil_spv_bool (*dxil_spv_stage_io_remapper_cb)(
    void *, const dxil_spv_d3d_stage_io *, dxil_spv_vulkan_stage_io *);

void dxil_spv_get_version(unsigned *major, unsigned *minor, unsigned *patch);
void dxil_spv_begin_thread_allocator_context(void);
void dxil_spv_end_thread_allocator_context(void);
void dxil_spv_reset_thread_allocator_context(void);
void dxil_spv_set_thread_log_callback(dxil_spv_log_cb, void *);

dxil_spv_result dxil_spv_parse_dxil_blob(const void *, size_t, dxil_spv_parsed_blob *);
dxil_spv_result dxil_spv_parse_dxil(const void *, size_t, dxil_spv_parsed_blob *);
dxil_spv_result dxil_spv_parse_reflection_dxil_blob(const void *, size_t, dxil_spv_parsed_blob *);
void dxil_spv_parsed_blob_free(dxil_spv_parsed_blob);
void dxil_spv_parsed_blob_dump_llvm_ir(dxil_spv_parsed_blob);
dxil_spv_result dxil_spv_parsed_blob_get_disassembled_ir(dxil_spv_parsed_blob, const char **);
dxil_spv_result dxil_spv_parsed_blob_get_raw_ir(dxil_spv_parsed_blob, const void **, size_t *);
int dxil_spv_parsed_blob_get_shader_stage(dxil_spv_parsed_blob);
int dxil_spv_parsed_blob_get_shader_stage_for_entry(dxil_spv_parsed_blob, const char *);
dxil_spv_result dxil_spv_parsed_blob_get_num_entry_points(dxil_spv_parsed_blob, unsigned *);
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_name(dxil_spv_parsed_blob, unsigned, const char **);
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_demangled_name(
    dxil_spv_parsed_blob, unsigned, const char **);
dxil_spv_result dxil_spv_parsed_blob_get_entry_index_by_name(dxil_spv_parsed_blob, const char *, unsigned *);
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_node_input(dxil_spv_parsed_blob, unsigned, void *);
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
    dxil_spv_parsed_blob, unsigned, unsigned *);
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_node_output(
    dxil_spv_parsed_blob, unsigned, unsigned, void *);
unsigned dxil_spv_parsed_blob_get_num_rdat_subobjects(dxil_spv_parsed_blob);
void dxil_spv_parsed_blob_get_rdat_subobject(dxil_spv_parsed_blob, unsigned, dxil_spv_rdat_subobject *);
dxil_spv_result dxil_spv_parsed_blob_scan_resources(dxil_spv_parsed_blob, dxil_spv_srv_remapper_cb,
    dxil_spv_sampler_remapper_cb, dxil_spv_cbv_remapper_cb, dxil_spv_uav_remapper_cb, void *);

dxil_spv_result dxil_spv_create_converter(dxil_spv_parsed_blob, dxil_spv_converter *);
dxil_spv_result dxil_spv_create_converter_with_reflection(
    dxil_spv_parsed_blob, dxil_spv_parsed_blob, dxil_spv_converter *);
void dxil_spv_converter_free(dxil_spv_converter);
void dxil_spv_converter_set_entry_point(dxil_spv_converter, const char *);
dxil_spv_result dxil_spv_converter_add_option(dxil_spv_converter, const dxil_spv_option_base *);
dxil_spv_bool dxil_spv_converter_supports_option(unsigned);
void dxil_spv_converter_set_root_constant_word_count(dxil_spv_converter, unsigned);
void dxil_spv_converter_set_root_descriptor_count(dxil_spv_converter, unsigned);
void dxil_spv_converter_set_srv_remapper(dxil_spv_converter, dxil_spv_srv_remapper_cb, void *);
void dxil_spv_converter_set_uav_remapper(dxil_spv_converter, dxil_spv_uav_remapper_cb, void *);
void dxil_spv_converter_set_cbv_remapper(dxil_spv_converter, dxil_spv_cbv_remapper_cb, void *);
void dxil_spv_converter_set_sampler_remapper(dxil_spv_converter, dxil_spv_sampler_remapper_cb, void *);
void dxil_spv_converter_set_vertex_input_remapper(
    dxil_spv_converter, dxil_spv_vertex_input_remapper_cb, void *);
void dxil_spv_converter_set_stream_output_remapper(
    dxil_spv_converter, dxil_spv_stream_output_remapper_cb, void *);
void dxil_spv_converter_set_stage_input_remapper(dxil_spv_converter, dxil_spv_stage_io_remapper_cb, void *);
void dxil_spv_converter_set_stage_output_remapper(dxil_spv_converter, dxil_spv_stage_io_remapper_cb, void *);
void dxil_spv_converter_set_patch_location_offset(dxil_spv_converter, unsigned);
dxil_spv_result dxil_spv_converter_set_meta_descriptor(dxil_spv_converter, int, int, unsigned, unsigned);
void dxil_spv_converter_add_local_root_constants(dxil_spv_converter, unsigned, unsigned, unsigned);
void dxil_spv_converter_add_local_root_descriptor(dxil_spv_converter, int, unsigned, unsigned);
dxil_spv_result dxil_spv_converter_begin_local_root_descriptor_table(dxil_spv_converter);
void dxil_spv_converter_add_local_root_descriptor_table(
    dxil_spv_converter, int, unsigned, unsigned, unsigned, unsigned);
dxil_spv_result dxil_spv_converter_end_local_root_descriptor_table(dxil_spv_converter);
void dxil_spv_converter_add_root_parameter_mapping(dxil_spv_converter, unsigned, unsigned);
void dxil_spv_converter_add_root_descriptor_mapping(dxil_spv_converter, unsigned, unsigned, unsigned);
void dxil_spv_converter_add_non_semantic_debug_info(dxil_spv_converter, const char *, const void *, size_t);
dxil_spv_result dxil_spv_converter_run(dxil_spv_converter);
dxil_spv_result dxil_spv_converter_get_compiled_spirv(dxil_spv_converter, dxil_spv_compiled_spirv *);
dxil_spv_result dxil_spv_converter_get_compiled_entry_point(dxil_spv_converter, const char **);
dxil_spv_result dxil_spv_converter_get_patch_location_offset(dxil_spv_converter, unsigned *);
dxil_spv_result dxil_spv_converter_get_patch_vertex_count(dxil_spv_converter, unsigned *);
dxil_spv_result dxil_spv_converter_get_compute_workgroup_dimensions(
    dxil_spv_converter, unsigned *, unsigned *, unsigned *);
dxil_spv_result dxil_spv_converter_get_compute_wave_size_range(
    dxil_spv_converter, unsigned *, unsigned *, unsigned *);
dxil_spv_result dxil_spv_converter_get_compute_required_wave_size(dxil_spv_converter, unsigned *);
dxil_spv_result dxil_spv_converter_get_compute_heuristic_max_wave_size(dxil_spv_converter, unsigned *);
dxil_spv_result dxil_spv_converter_get_compute_heuristic_min_wave_size(dxil_spv_converter, unsigned *);
dxil_spv_result dxil_spv_converter_is_multiview_compatible(dxil_spv_converter, dxil_spv_bool *);
dxil_spv_bool dxil_spv_converter_uses_shader_feature(dxil_spv_converter, int);
dxil_spv_bool dxil_spv_converter_uses_subgroup_size(dxil_spv_converter);
const char *dxil_spv_converter_get_analysis_warnings(dxil_spv_converter);

#endif
