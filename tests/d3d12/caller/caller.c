/* Plays the program that translates its shaders through the interface: reads a container and a script,
 * makes the calls in the order of such a program, and writes the words.
 *
 *   caller CONTAINER SCRIPT OUTPUT [COUNT]
 *
 * A line of the script is a word and numbers; the functions `line` and `answer_of` have the forms. The
 * exit status is 0 if there are words, 1 if the library refused the shader, and 2 for a fault. With a
 * count the program translates as often again, and prints the least time. */
#include "dxil_spv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SRV, UAV, CBV, SAMPLER, MOST_ANSWERS = 4096, MOST_LINKS = 256 };

/* The answer to the question for a resource. */
struct answer {
    unsigned class, kind, space, index, most;
    bool push, asked;
    dxil_spv_vulkan_binding place, counter, offset;
};

/* The place of an output of a mesh shader, or of an input of a pixel shader. */
struct link {
    char semantic[256];
    unsigned index;
    dxil_spv_vulkan_stage_io place;
};

/* The place of an output in a buffer. */
struct stream {
    char semantic[256];
    unsigned index;
    dxil_spv_vulkan_stream_output place;
};

static struct answer answers[MOST_ANSWERS];
static unsigned answer_count;
static struct link links[MOST_LINKS];
static unsigned link_count;
static bool has_links, is_quiet;
static struct stream streams[MOST_LINKS];
static unsigned stream_count;

static void fail(const char *what)
{
    fprintf(stderr, "caller: %s\n", what);
    exit(2);
}

static void log_line(void *user, int level, const char *text)
{
    (void)user;
    if ((level != 1 && level != 2) || !strchr(text, '\n'))
        fail("a message has another level or no end");
    printf("%s: %s", level == 1 ? "warning" : "error", text);
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    size_t capacity = 1 << 16;
    char *data = malloc(capacity + 1);
    *size = 0;
    for (size_t got; (got = fread(data + *size, 1, capacity - *size, file)) > 0;) {
        *size += got;
        if (*size == capacity)
            data = realloc(data, (capacity *= 2) + 1);
    }
    fclose(file);
    data[*size] = 0;
    return data;
}

/* The answer for a resource, if the array is not larger than the program has descriptors for. */
static struct answer *answer_for(unsigned class, const dxil_spv_d3d_binding *binding)
{
    for (unsigned i = 0; i < answer_count; i++) {
        struct answer *a = &answers[i];
        if (a->class == class && a->kind == (unsigned)binding->kind && a->space == binding->register_space &&
            a->index == binding->register_index && binding->range_size <= a->most) {
            a->asked = true;
            return a;
        }
    }
    return NULL;
}

/* The library tells space and register before it asks. */
static void check_default(const dxil_spv_d3d_binding *in, const dxil_spv_vulkan_binding *out)
{
    if (out->set != in->register_space || out->binding != in->register_index)
        fail("the default of a place is not space and register");
}

static dxil_spv_bool srv(void *user, const dxil_spv_d3d_binding *in, dxil_spv_srv_vulkan_binding *out)
{
    struct answer *a = answer_for(SRV, in);
    (void)user;
    check_default(in, &out->buffer_binding);
    if (a) {
        out->buffer_binding = a->place;
        out->offset_binding = a->offset;
    }
    return a != NULL;
}

static dxil_spv_bool uav(void *user, const dxil_spv_uav_d3d_binding *in, dxil_spv_uav_vulkan_binding *out)
{
    struct answer *a = answer_for(UAV, &in->d3d_binding);
    (void)user;
    check_default(&in->d3d_binding, &out->buffer_binding);
    if (a) {
        out->buffer_binding = a->place;
        if (in->has_counter)
            out->counter_binding = a->counter;
        out->offset_binding = a->offset;
    }
    return a != NULL;
}

static dxil_spv_bool cbv(void *user, const dxil_spv_d3d_binding *in, dxil_spv_cbv_vulkan_binding *out)
{
    struct answer *a = answer_for(CBV, in);
    (void)user;
    check_default(in, &out->vulkan.uniform_binding);
    if (a && a->push) {
        out->push_constant = 1;
        out->vulkan.push.offset_in_words = a->place.set;
    } else if (a) {
        out->vulkan.uniform_binding = a->place;
    }
    return a != NULL;
}

static dxil_spv_bool sampler(void *user, const dxil_spv_d3d_binding *in, dxil_spv_vulkan_binding *out)
{
    struct answer *a = answer_for(SAMPLER, in);
    (void)user;
    check_default(in, out);
    if (a)
        *out = a->place;
    return a != NULL;
}

static dxil_spv_bool vertex_input(
    void *user, const dxil_spv_d3d_stage_io *in, dxil_spv_vulkan_vertex_input *out)
{
    (void)user;
    out->location = in->start_row;
    return 1;
}

static dxil_spv_bool stage_output(void *user, const dxil_spv_d3d_stage_io *in, dxil_spv_vulkan_stage_io *out)
{
    (void)user;
    if (!is_quiet)
        printf("output %s %u %u %u %u\n", in->semantic, in->semantic_index, out->location, out->component, out->flags);
    return 1;
}

static dxil_spv_bool stage_input(void *user, const dxil_spv_d3d_stage_io *in, dxil_spv_vulkan_stage_io *out)
{
    (void)user;
    for (unsigned i = 0; i < link_count; i++) {
        if (!strcmp(links[i].semantic, in->semantic) && links[i].index == in->semantic_index) {
            *out = links[i].place;
            return 1;
        }
    }
    return 0;
}

static dxil_spv_bool stream_output(
    void *user, const dxil_spv_d3d_stream_output *in, dxil_spv_vulkan_stream_output *out)
{
    (void)user;
    for (unsigned i = 0; i < stream_count; i++) {
        if (!strcmp(streams[i].semantic, in->semantic) && streams[i].index == in->semantic_index) {
            *out = streams[i].place;
            break;
        }
    }
    return 1;
}

/* Set, binding, root word or descriptor, heap offset, use of the heap, descriptor type. */
static dxil_spv_vulkan_binding place_of(const unsigned *numbers)
{
    dxil_spv_vulkan_binding place = {0};
    place.set = numbers[0];
    place.binding = numbers[1];
    place.root_constant_index = numbers[2];
    place.bindless.heap_root_offset = numbers[3];
    place.bindless.use_heap = numbers[4] != 0;
    place.descriptor_type = (int)numbers[5];
    return place;
}

/* `answer CLASS KIND SPACE REGISTER MOST PUSH` and the places of resource, counter and offsets. */
static void answer_of(const unsigned *n)
{
    if (answer_count == MOST_ANSWERS)
        fail("too many answers");
    answers[answer_count++] = (struct answer){
        .class = n[0], .kind = n[1], .space = n[2], .index = n[3], .most = n[4], .push = n[5] != 0,
        .place = place_of(n + 6), .counter = place_of(n + 12), .offset = place_of(n + 18),
    };
}

/* `option BYTE…`: the structure of an option. */
static bool option_of(dxil_spv_converter converter, const unsigned *n, unsigned count)
{
    _Alignas(8) unsigned char bytes[128] = {0};
    for (unsigned i = 0; i < count && i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)n[i];
    dxil_spv_result result = dxil_spv_converter_add_option(converter, (const dxil_spv_option_base *)bytes);
    if (result != 0)
        printf("option %u gives %d\n", n[0], result);
    return result == 0;
}

/* Follows a line of the script. Whether the library takes it. */
static bool line(dxil_spv_converter converter, char *text)
{
    unsigned n[128] = {0}, count = 0;
    char *rest, *word = strtok_r(text, " ", &rest), *name = NULL;
    if (!word)
        return true;
    if (!strcmp(word, "entry") || !strcmp(word, "link") || !strcmp(word, "stream"))
        name = strtok_r(NULL, " ", &rest);
    for (char *number; count < 128 && (number = strtok_r(NULL, " ", &rest));)
        n[count++] = (unsigned)strtoul(number, NULL, 10);
    if (!strcmp(word, "entry")) {
        dxil_spv_converter_set_entry_point(converter, name);
    } else if (!strcmp(word, "link")) {
        if (link_count == MOST_LINKS || strlen(name) >= sizeof(links->semantic))
            fail("too many links");
        strcpy(links[link_count].semantic, name);
        links[link_count].index = n[0];
        links[link_count++].place = (dxil_spv_vulkan_stage_io){n[1], n[2], n[3]};
        has_links = true;
    } else if (!strcmp(word, "stream")) {
        if (stream_count == MOST_LINKS || strlen(name) >= sizeof(streams->semantic))
            fail("too many outputs");
        strcpy(streams[stream_count].semantic, name);
        streams[stream_count].index = n[0];
        streams[stream_count++].place = (dxil_spv_vulkan_stream_output){n[1], n[2], n[3], 1};
    } else if (!strcmp(word, "answer")) {
        answer_of(n);
    } else if (!strcmp(word, "option")) {
        return option_of(converter, n, count);
    } else if (!strcmp(word, "roots")) {
        dxil_spv_converter_set_root_descriptor_count(converter, n[0]);
        dxil_spv_converter_set_root_constant_word_count(converter, n[1]);
    } else if (!strcmp(word, "constants")) {
        dxil_spv_converter_add_local_root_constants(converter, n[0], n[1], n[2]);
    } else if (!strcmp(word, "descriptor")) {
        dxil_spv_converter_add_local_root_descriptor(converter, (int)n[0], n[1], n[2]);
    } else if (!strcmp(word, "begin")) {
        dxil_spv_converter_begin_local_root_descriptor_table(converter);
    } else if (!strcmp(word, "range")) {
        dxil_spv_converter_add_local_root_descriptor_table(converter, (int)n[0], n[1], n[2], n[3], n[4]);
    } else if (!strcmp(word, "end")) {
        dxil_spv_converter_end_local_root_descriptor_table(converter);
    } else if (!strcmp(word, "swizzles")) {
        struct { unsigned type; const unsigned *swizzles; unsigned count; } option = {3, n, count};
        return dxil_spv_converter_add_option(converter, (const dxil_spv_option_base *)&option) == 0;
    } else if (!strcmp(word, "patch")) {
        dxil_spv_converter_set_patch_location_offset(converter, n[0]);
    } else {
        fail(word);
    }
    return true;
}

static void queries(dxil_spv_converter converter)
{
    unsigned x = 0, y = 0, z = 0, least = 9, most = 9, preferred = 9, patch = 0, points = 0;
    dxil_spv_converter_get_compute_workgroup_dimensions(converter, &x, &y, &z);
    dxil_spv_converter_get_compute_wave_size_range(converter, &least, &most, &preferred);
    dxil_spv_converter_get_patch_location_offset(converter, &patch);
    dxil_spv_converter_get_patch_vertex_count(converter, &points);
    fflush(stdout);
    printf("groups %u %u %u waves %u %u %u patch %u points %u\n", x, y, z, least, most, preferred, patch, points);
}

/* Translates once. Whether there are words; without a path they are not written. */
static bool translate(const void *container, size_t size, const char *text, const char *output)
{
    bool done = false;
    char *data = malloc(size + 1), *script = strdup(text), *rest = NULL;
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    dxil_spv_compiled_spirv compiled = {0};
    answer_count = link_count = stream_count = 0;
    has_links = false;
    memcpy(data, container, size);
    dxil_spv_begin_thread_allocator_context();
    if (dxil_spv_parse_dxil_blob(data, size, &blob) != 0 || dxil_spv_create_converter(blob, &converter) != 0)
        goto end;
    /* The library copies what it keeps. */
    memset(data, 0xaa, size);
    dxil_spv_parsed_blob_free(blob);
    blob = NULL;
    for (char *next = strtok_r(script, "\n", &rest); next; next = strtok_r(NULL, "\n", &rest))
        if (!line(converter, next))
            goto end;
    dxil_spv_converter_set_srv_remapper(converter, srv, NULL);
    dxil_spv_converter_set_uav_remapper(converter, uav, NULL);
    dxil_spv_converter_set_cbv_remapper(converter, cbv, NULL);
    dxil_spv_converter_set_sampler_remapper(converter, sampler, NULL);
    dxil_spv_converter_set_vertex_input_remapper(converter, vertex_input, NULL);
    dxil_spv_converter_set_stage_output_remapper(converter, stage_output, NULL);
    if (stream_count)
        dxil_spv_converter_set_stream_output_remapper(converter, stream_output, NULL);
    if (has_links)
        dxil_spv_converter_set_stage_input_remapper(converter, stage_input, NULL);
    if (dxil_spv_converter_run(converter) != 0)
        goto end;
    if (dxil_spv_converter_get_compiled_spirv(converter, &compiled) != 0 || compiled.size % 4)
        fail("there are no words");
    done = true;
    if (output) {
        queries(converter);
        FILE *out = fopen(output, "wb");
        if (!out || fwrite(compiled.data, 1, compiled.size, out) != compiled.size || fclose(out))
            fail(output);
    }
end:
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    dxil_spv_end_thread_allocator_context();
    free(script);
    free(data);
    return done;
}

/* The least time of several translations in nanoseconds. */
static double least_time(const void *container, size_t size, const char *script, unsigned count)
{
    double least = 1e18;
    is_quiet = true;
    for (unsigned i = 0; i < count; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        translate(container, size, script, NULL);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double time = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        least = time < least ? time : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        fail("caller CONTAINER SCRIPT OUTPUT [COUNT]");
    size_t size, script_size;
    void *data = read_file(argv[1], &size);
    char *script = read_file(argv[2], &script_size);
    unsigned major = 0, minor = 0, patch = 0;
    dxil_spv_get_version(&major, &minor, &patch);
    if (major != 2 || minor != 68)
        fail("the version is not 2.68");
    dxil_spv_set_thread_log_callback(log_line, NULL);
    bool done = translate(data, size, script, argv[3]);
    if (done && argc == 5)
        printf("nanoseconds %.0f\n", least_time(data, size, script, (unsigned)atoi(argv[4])));
    free(script);
    free(data);
    return !done;
}
