/* SPDX-License-Identifier: Apache-2.0 */
/* Times draws of many items, triangles without area, by a Vulkan driver: the rates of `isbesim_measure` that need no
 * data, and meshlets by size where the driver has mesh shaders.
 *
 *   isbesim_measure_vk [--out FILE]
 *
 * Exit status: 0 measured, 1 wrong arguments, 2 no time stamps, 3 no device, or a call fails. */
static const char program_name[] = "isbesim_measure_vk";
#include <time.h>

#include "../gl/compile/vk_setup.h"
#include "vk_programs.h"

enum {
    points = 4,
    repetitions = 5,
    least = 1 << 10,
    least_meshlets = 1 << 6,
    most = 1 << 15,
    most_of_a_call = 1 << 13, /* records and meshlets: every device takes 65,535 */
    vertices_word = 251,
    primitives_word = 253
};
/* Draws of all items must take this much longer than those of a quarter of them. */
static const double shortest_ns = 10000, quiet = 0.05;

enum shape { list, one_index, restarts, instances, draws, records, meshlets };
static const struct test {
    const char* name;
    const char* measures;
    enum shape shape;
    int steps_per_item; /* a triangle of the list has three vertices */
    uint32_t vertices, primitives;
} tests[] = {{"vertex_rate", "a vertex of separate triangles", list, 3, 0, 0},
             {"primitive_rate", "a triangle of a strip whose indices are all 0", one_index, 1, 0, 0},
             {"instance_rate", "an instance of a triangle", instances, 1, 0, 0},
             {"restart_rate", "a strip of a triangle that a restart index ends", restarts, 1, 0, 0},
             {"draw_rate", "a draw of a triangle", draws, 1, 0, 0},
             {"record_rate", "an indirect record of 16 bytes", records, 1, 0, 0},
             {"meshlets_32_32", "a meshlet of 32 vertices and 32 triangles", meshlets, 1, 32, 32},
             {"meshlets_64_84", "a meshlet of 64 vertices and 84 triangles", meshlets, 1, 64, 84},
             {"meshlets_64_126", "a meshlet of 64 vertices and 126 triangles", meshlets, 1, 64, 126},
             {"meshlets_128_126", "a meshlet of 128 vertices and 126 triangles", meshlets, 1, 128, 126}};

static VkBuffer zeros, strips, commands_of_draws;
static VkQueryPool stamps;
static double period;
static int host_clock; /* the processor draws, and its time stamps do not see all of it */
static PFN_vkCmdDrawMeshTasksEXT draw_meshlets;

static void fill_buffers(void)
{
    uint32_t* words;
    uint32_t i;
    zeros = make_buffer(VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 4 * (points * most + 2), (void**)&words);
    memset(words, 0, 4 * (points * most + 2));
    strips = make_buffer(VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 16 * points * most, (void**)&words);
    for (i = 0; i < 4 * points * most; ++i) words[i] = i % 4 == 3 ? ~0U : i / 4 * 3 + i % 4;
    commands_of_draws = make_buffer(VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 16 * points * most, (void**)&words);
    for (i = 0; i < 4 * points * most; ++i) words[i] = i % 4 == 0 ? 3 : i % 4 == 1;
}

static VkPipeline make_pipeline(const struct test* test)
{
    static const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const int mesh = test->shape == meshlets;
    const int strip = test->shape == one_index || test->shape == restarts;
    uint32_t code[sizeof meshlet_mesh / sizeof *meshlet_mesh];
    size_t i;
    for (i = 0; i < sizeof code / sizeof *code; ++i)
        code[i] = meshlet_mesh[i] == vertices_word     ? test->vertices
                  : meshlet_mesh[i] == primitives_word ? test->primitives
                                                       : meshlet_mesh[i];
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = mesh ? sizeof code : sizeof position_vert,
                                     .pCode = mesh ? code : position_vert};
    VkPipelineShaderStageCreateInfo program = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                               .stage =
                                                   mesh ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT,
                                               .pName = "main"};
    MUST(vkCreateShaderModule(device, &info, NULL, &program.module));
    return link_pipeline(1, &program, mesh ? NULL : &input,
                         strip ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                         test->shape == restarts, NULL, 0);
}

static void draw(VkCommandBuffer to, enum shape shape, uint32_t count)
{
    switch (shape) {
    case list:
        vkCmdDraw(to, 3 * count, 1, 0, 0);
        break;
    case one_index:
        vkCmdBindIndexBuffer(to, zeros, 0, VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(to, count + 2, 1, 0, 0, 0);
        break;
    case restarts:
        vkCmdBindIndexBuffer(to, strips, 0, VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(to, 4 * count, 1, 0, 0, 0);
        break;
    case instances:
        vkCmdDraw(to, 3, count, 0, 0);
        break;
    case draws:
        while (count-- > 0) vkCmdDraw(to, 3, 1, 0, 0);
        break;
    case records:
        vkCmdDrawIndirect(to, commands_of_draws, 0, count, 16);
        break;
    case meshlets:
        draw_meshlets(to, count, 1, 1);
    }
}

static double host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Nanoseconds of `count` items. */
static double time_draw(const struct test* test, VkPipeline pipeline, uint32_t count)
{
    uint64_t ticks[2];
    const VkCommandBuffer to = begin_list();
    const VkRenderingInfo area = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {16, 16}}, .layerCount = 1};
    vkCmdResetQueryPool(to, stamps, 0, 2);
    vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBeginRendering(to, &area);
    vkCmdWriteTimestamp(to, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, stamps, 0);
    draw(to, test->shape, count);
    vkCmdWriteTimestamp(to, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps, 1);
    vkCmdEndRendering(to);
    MUST(vkEndCommandBuffer(to));
    const double begin = host_ns();
    submit(to);
    const double end = host_ns();
    MUST(vkGetQueryPoolResults(device, stamps, 0, 2, sizeof ticks, ticks, sizeof *ticks,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    vkFreeCommandBuffers(device, commands, 1, &to);
    return host_clock ? end - begin : (double)(ticks[1] - ticks[0]) * period;
}

static int compare(const void* left, const void* right)
{
    const double difference = *(const double*)left - *(const double*)right;
    return (difference > 0) - (difference < 0);
}

static void measure(FILE* out, const struct test* test)
{
    const VkPipeline pipeline = make_pipeline(test);
    double ns[repetitions][points], steps[repetitions];
    const uint32_t limit = test->shape == meshlets || test->shape == records ? most_of_a_call : most;
    uint32_t count = test->shape == meshlets ? least_meshlets : least;
    int i, k;
    time_draw(test, pipeline, 1); /* the driver may compile now */
    while (count < limit && time_draw(test, pipeline, points * count) - time_draw(test, pipeline, count) < shortest_ns)
        count *= 2;
    for (i = 0; i < repetitions; ++i) {
        for (k = 0; k < points; ++k) ns[i][k] = time_draw(test, pipeline, (uint32_t)(k + 1) * count);
        /* The slope of the least-squares line. */
        steps[i] = (3 * (ns[i][3] - ns[i][0]) + ns[i][2] - ns[i][1]) / (10.0 * count * test->steps_per_item);
    }
    qsort(steps, repetitions, sizeof *steps, compare);
    const double step = steps[repetitions / 2], spread = steps[repetitions - 1] - steps[0];
    const int noisy = !(step > 0) || spread > quiet * step;
    printf("%-16s %8.4g ns%s\n", test->name, step, noisy ? ", noisy" : "");
    fprintf(out,
            "%s    {\"name\": \"%s\", \"measures\": \"%s\",\n      \"one\": {\"primitives\": 1, \"step_ns\": %.6g, "
            "\"spread_ns\": %.6g, \"noisy\": %s, \"trips\": [%u, %u, %u, %u],\n        \"long_ns\": [",
            test == tests ? "" : ",\n", test->name, test->measures, step, spread, noisy ? "true" : "false", count,
            2 * count, 3 * count, 4 * count);
    for (i = 0; i < repetitions; ++i)
        fprintf(out, "%s[%.0f, %.0f, %.0f, %.0f]", i == 0 ? "" : ", ", ns[i][0], ns[i][1], ns[i][2], ns[i][3]);
    fprintf(out, "]}}");
}

int main(int count, char** words)
{
    const char* const extension = "VK_EXT_mesh_shader";
    VkPhysicalDeviceMeshShaderFeaturesEXT has_meshes = {.sType =
                                                            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has_meshes};
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 about = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    VkQueueFamilyProperties family;
    uint32_t one = 1;
    if (count != 1 && (count != 3 || strcmp(words[1], "--out") != 0)) {
        fprintf(stderr, "%s, expected --out FILE\n", words[1]);
        return 1;
    }
    find_card(0, NULL);
    vkGetPhysicalDeviceFeatures2(card, &has);
    vkGetPhysicalDeviceProperties2(card, &about);
    vkGetPhysicalDeviceQueueFamilyProperties(card, &one, &family);
    if (family.timestampValidBits == 0) {
        fprintf(stderr, "the driver has no time stamps\n");
        return 2;
    }
    host_clock = about.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    period = (double)about.properties.limits.timestampPeriod;
    VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                    .meshShader = VK_TRUE};
    VkPhysicalDeviceVulkan13Features newer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .pNext = has_meshes.meshShader ? &meshes : NULL,
                                              .dynamicRendering = VK_TRUE,
                                              .maintenance4 = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.multiDrawIndirect = VK_TRUE};
    make_device(&newer, &features, has_meshes.meshShader, &extension);
    draw_meshlets = FUNCTION(vkCmdDrawMeshTasksEXT);
    make_layout(VK_SHADER_STAGE_ALL_GRAPHICS, 0, NULL, 4);
    rasterises = VK_TRUE;
    fill_buffers();
    VkQueryPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
    MUST(vkCreateQueryPool(device, &pool, NULL, &stamps));
    const char* const file = count == 3 ? words[2] : "vulkan.json";
    FILE* out = fopen(file, "w");
    if (out == NULL) {
        perror(file);
        return 1;
    }
    fprintf(out,
            "{\n  \"format\": \"isbesim measure 2\",\n  \"vendor\": \"%#x\",\n  \"card\": \"%s\",\n  \"driver\": \"%s "
            "%s\",\n  \"structure\": false,\n  \"clock\": \"%s\",\n  \"reason\": \"rates only\",\n  \"tests\": [\n",
            about.properties.vendorID, about.properties.deviceName, driver.driverName, driver.driverInfo,
            host_clock ? "host" : "driver");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i)
        if (tests[i].shape != meshlets || has_meshes.meshShader) measure(out, &tests[i]);
    fprintf(out, "\n  ]\n}\n");
    return fclose(out) != 0;
}
