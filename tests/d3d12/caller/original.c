/* Stands for the original library in tests of forwarding: it has the functions that are forwarded, prints
 * the calls that it gets, and gives a header of SPIR-V as the words. */
#include "dxil_spv.h"

#include <stdio.h>
#include <stdlib.h>

struct dxil_spv_parsed_blob_s {
    size_t size;
};

struct dxil_spv_converter_s {
    unsigned words[5];
    dxil_spv_srv_remapper_cb srv;
    void *user;
};

/* A function without a result that prints its numbers. */
#define CALL(name, parameters, ...) void dxil_spv_##name parameters { printf("original: " #name __VA_ARGS__); }
/* A function of one of the original's objects that gives a number. */
#define GIVE(name, parameters, out, value) \
    dxil_spv_result dxil_spv_##name parameters { *out = value; return 0; }

CALL(begin_thread_allocator_context, (void), "\n")
CALL(end_thread_allocator_context, (void), "\n")
void dxil_spv_set_thread_log_callback(dxil_spv_log_cb callback, void *user) { (void)callback; (void)user; }

dxil_spv_result dxil_spv_parse_dxil_blob(const void *data, size_t size, dxil_spv_parsed_blob *blob)
{
    const char *bytes = data;
    if (size > 32 && bytes[32] == 'X')
        return -4;
    *blob = malloc(sizeof(**blob));
    (*blob)->size = size;
    printf("original: parse %zu bytes %c\n", size, bytes[0]);
    return 0;
}

void dxil_spv_parsed_blob_free(dxil_spv_parsed_blob blob) { free(blob); }
int dxil_spv_parsed_blob_get_shader_stage(dxil_spv_parsed_blob blob) { (void)blob; return 5; }
int dxil_spv_parsed_blob_get_shader_stage_for_entry(dxil_spv_parsed_blob b, const char *n) { (void)b; (void)n; return 5; }
GIVE(parsed_blob_get_num_entry_points, (dxil_spv_parsed_blob b, unsigned *n), n, ((void)b, 1))
GIVE(parsed_blob_get_entry_point_name, (dxil_spv_parsed_blob b, unsigned i, const char **n), n, ((void)b, (void)i, "main"))
GIVE(parsed_blob_get_entry_point_demangled_name, (dxil_spv_parsed_blob b, unsigned i, const char **n), n, ((void)b, (void)i, "plain"))
GIVE(parsed_blob_get_entry_index_by_name, (dxil_spv_parsed_blob b, const char *n, unsigned *i), i, ((void)b, (void)n, 0))
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_node_input(dxil_spv_parsed_blob b, unsigned i, void *d) { (void)b; (void)i; (void)d; return -2; }
GIVE(parsed_blob_get_entry_point_num_node_outputs, (dxil_spv_parsed_blob b, unsigned i, unsigned *n), n, ((void)b, (void)i, 0))
dxil_spv_result dxil_spv_parsed_blob_get_entry_point_node_output(dxil_spv_parsed_blob b, unsigned i, unsigned o, void *d) { (void)b; (void)i; (void)o; (void)d; return -2; }
unsigned dxil_spv_parsed_blob_get_num_rdat_subobjects(dxil_spv_parsed_blob b) { (void)b; return 0; }
void dxil_spv_parsed_blob_get_rdat_subobject(dxil_spv_parsed_blob b, unsigned i, dxil_spv_rdat_subobject *s) { (void)b; (void)i; (void)s; }

dxil_spv_result dxil_spv_create_converter(dxil_spv_parsed_blob blob, dxil_spv_converter *converter)
{
    *converter = calloc(1, sizeof(**converter));
    (*converter)->words[0] = 0x07230203;
    (*converter)->words[3] = (unsigned)blob->size;
    return 0;
}

void dxil_spv_converter_free(dxil_spv_converter converter) { free(converter); }
CALL(converter_set_entry_point, (dxil_spv_converter c, const char *name), " %s\n", ((void)c, name))
CALL(converter_set_root_constant_word_count, (dxil_spv_converter c, unsigned n), " %u\n", ((void)c, n))
CALL(converter_set_root_descriptor_count, (dxil_spv_converter c, unsigned n), " %u\n", ((void)c, n))
CALL(converter_set_patch_location_offset, (dxil_spv_converter c, unsigned n), " %u\n", ((void)c, n))
CALL(converter_add_local_root_constants, (dxil_spv_converter c, unsigned s, unsigned r, unsigned n), " %u %u %u\n", ((void)c, s), r, n)
CALL(converter_add_local_root_descriptor, (dxil_spv_converter c, int k, unsigned s, unsigned r), " %d %u %u\n", ((void)c, k), s, r)
CALL(converter_add_local_root_descriptor_table, (dxil_spv_converter c, int k, unsigned s, unsigned r, unsigned n, unsigned o), " %d %u %u %u %u\n", ((void)c, k), s, r, n, o)
dxil_spv_result dxil_spv_converter_begin_local_root_descriptor_table(dxil_spv_converter c) { (void)c; printf("original: begin\n"); return 0; }
dxil_spv_result dxil_spv_converter_end_local_root_descriptor_table(dxil_spv_converter c) { (void)c; printf("original: end\n"); return 0; }
dxil_spv_result dxil_spv_converter_set_meta_descriptor(dxil_spv_converter c, int m, int k, unsigned s, unsigned b) { (void)c; printf("original: meta %d %d %u %u\n", m, k, s, b); return 0; }

dxil_spv_result dxil_spv_converter_add_option(dxil_spv_converter c, const dxil_spv_option_base *option)
{
    const struct { unsigned type; const unsigned *swizzles; unsigned count; } *swizzle = (const void *)option;
    (void)c;
    if (option->type == 3)
        printf("original: swizzle %u of %u\n", swizzle->swizzles[0], swizzle->count);
    else
        printf("original: option %u\n", option->type);
    return 0;
}

void dxil_spv_converter_set_srv_remapper(dxil_spv_converter c, dxil_spv_srv_remapper_cb cb, void *user) { c->srv = cb; c->user = user; }
CALL(converter_set_uav_remapper, (dxil_spv_converter c, dxil_spv_uav_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))
CALL(converter_set_cbv_remapper, (dxil_spv_converter c, dxil_spv_cbv_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))
CALL(converter_set_sampler_remapper, (dxil_spv_converter c, dxil_spv_sampler_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))
CALL(converter_set_vertex_input_remapper, (dxil_spv_converter c, dxil_spv_vertex_input_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))
CALL(converter_set_stream_output_remapper, (dxil_spv_converter c, dxil_spv_stream_output_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))
CALL(converter_set_stage_input_remapper, (dxil_spv_converter c, dxil_spv_stage_io_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))
CALL(converter_set_stage_output_remapper, (dxil_spv_converter c, dxil_spv_stage_io_remapper_cb f, void *u), " %d\n", ((void)c, (void)u, f != NULL))

dxil_spv_result dxil_spv_converter_run(dxil_spv_converter c)
{
    /* The callback answers for a resource of the script: t0 in space 0, a texture. */
    dxil_spv_d3d_binding question = {5, 2, 0, 0, 0, 1, 0};
    dxil_spv_srv_vulkan_binding answer = {0};
    if (c->srv && c->srv(c->user, &question, &answer))
        printf("original: t0 is at %u %u\n", answer.buffer_binding.set, answer.buffer_binding.binding);
    return 0;
}

dxil_spv_result dxil_spv_converter_get_compiled_spirv(dxil_spv_converter c, dxil_spv_compiled_spirv *out)
{
    out->data = c->words;
    out->size = sizeof(c->words);
    return 0;
}

GIVE(converter_get_compiled_entry_point, (dxil_spv_converter c, const char **n), n, ((void)c, "main"))
GIVE(converter_get_patch_location_offset, (dxil_spv_converter c, unsigned *n), n, ((void)c, 21))
GIVE(converter_get_patch_vertex_count, (dxil_spv_converter c, unsigned *n), n, ((void)c, 22))
GIVE(converter_get_compute_heuristic_max_wave_size, (dxil_spv_converter c, unsigned *n), n, ((void)c, 23))
GIVE(converter_get_compute_heuristic_min_wave_size, (dxil_spv_converter c, unsigned *n), n, ((void)c, 24))
GIVE(converter_is_multiview_compatible, (dxil_spv_converter c, dxil_spv_bool *b), b, ((void)c, 1))

dxil_spv_result dxil_spv_converter_get_compute_workgroup_dimensions(dxil_spv_converter c, unsigned *x, unsigned *y, unsigned *z)
{
    (void)c;
    *x = 31;
    *y = 32;
    *z = 33;
    return 0;
}

dxil_spv_result dxil_spv_converter_get_compute_wave_size_range(dxil_spv_converter c, unsigned *x, unsigned *y, unsigned *z)
{
    (void)c;
    *x = 34;
    *y = 35;
    *z = 36;
    return 0;
}
