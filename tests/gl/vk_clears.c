/* SPDX-License-Identifier: Apache-2.0 */
/* A Vulkan program that clears images of many formats, wholly and in part, and prints what vertex programs read of
 * them.
 *
 * vk_clears FOLDER             FOLDER has vk_cleared.vert as NAME.spv for each NAME of `kinds`
 *
 * Images have 19 by 11 texels, two levels and three layers, or slices; one has four samples. */
static const char program_name[] = "vk_clears";
#include "../../testbench/gl/compile/vk_setup.h"

enum { width = 19, height = 11, layers = 3, levels = 2, most_texels = width * height * 4 };
enum kind { real, whole, natural, solid, several, kinds };
static const char* const kind_names[kinds] = {"real", "whole", "natural", "solid", "several"};

static const struct row {
    VkFormat format;
    enum kind kind;
    int scale; /* of fixed point */
} rows[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, real, 255},
    {VK_FORMAT_B8G8R8A8_UNORM, real, 255},
    {VK_FORMAT_R8G8B8A8_SRGB, real, 51}, /* Mesa's decoder is not exact */
    {VK_FORMAT_R8_UNORM, real, 255},
    {VK_FORMAT_R8G8B8A8_SNORM, real, 127},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, real, 1953},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, real, 1023},
    {VK_FORMAT_R16_SFLOAT, real, 0},
    {VK_FORMAT_R16G16B16A16_SFLOAT, real, 0},
    {VK_FORMAT_R32G32_SFLOAT, real, 0},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, real, 0},
    {VK_FORMAT_R8G8B8A8_SINT, whole, 0},
    {VK_FORMAT_R16G16_SINT, whole, 0},
    {VK_FORMAT_R8_UINT, natural, 0},
    {VK_FORMAT_R32G32B32A32_UINT, natural, 0},
    {VK_FORMAT_R16G16B16A16_UNORM, solid, 65535},
    {VK_FORMAT_R8G8B8A8_UNORM, several, 255},
    {VK_FORMAT_D16_UNORM, real, 65535},
    {VK_FORMAT_D32_SFLOAT, real, 0},
    {VK_FORMAT_D24_UNORM_S8_UINT, real, 65535},
    {VK_FORMAT_D24_UNORM_S8_UINT, natural, 0},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, real, 0},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, natural, 0},
};

static VkDescriptorSetLayout set_layout;
static VkDescriptorPool sets;
static VkPipeline pipelines[kinds];
static VkBuffer captured;
static uint32_t* captured_words;
static VkCommandBuffer list;
static VkDeviceSize captured_end;
static const struct row* row;

/* All of an image, as programs read it. */
struct image {
    VkImage made;
    VkImageView view;
    VkDescriptorSet set;
};

static int has_depth(void)
{
    return row->format >= VK_FORMAT_D16_UNORM && row->format <= VK_FORMAT_D32_SFLOAT_S8_UINT;
}

static int has_stencil(void)
{
    return row->format == VK_FORMAT_D24_UNORM_S8_UINT || row->format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

static VkImageAspectFlags all_aspects(void)
{
    if (!has_depth()) return VK_IMAGE_ASPECT_COLOR_BIT;
    return VK_IMAGE_ASPECT_DEPTH_BIT | (has_stencil() ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
}

static uint32_t layer_count(void)
{
    return row->kind == solid || row->kind == several ? 1 : layers;
}

static uint32_t level_count(void)
{
    return row->kind == several ? 1 : levels;
}

static VkImageView view_of(VkImage image, VkImageViewType type, VkImageAspectFlags aspects, uint32_t level,
                           uint32_t count_of_levels, uint32_t layer, uint32_t count_of_layers)
{
    VkImageView made;
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image,
                                  .viewType = type,
                                  .format = row->format,
                                  .subresourceRange = {aspects, level, count_of_levels, layer, count_of_layers}};
    MUST(vkCreateImageView(device, &info, NULL, &made));
    return made;
}

static struct image make_image(void)
{
    struct image result;
    const VkImageUsageFlags target =
        has_depth() ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    const int drawn = row->format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .flags = row->kind == solid ? VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT : 0,
                              .imageType = row->kind == solid ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                              .format = row->format,
                              .extent = {width, height, row->kind == solid ? 4 : 1},
                              .mipLevels = level_count(),
                              .arrayLayers = layer_count(),
                              .samples = row->kind == several ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                       VK_IMAGE_USAGE_SAMPLED_BIT | (drawn ? target : 0)};
    MUST(vkCreateImage(device, &info, NULL, &result.made));
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    uint32_t type = 0;
    vkGetImageMemoryRequirements(device, result.made, &needs);
    while ((needs.memoryTypeBits >> type & 1) == 0) ++type;
    VkMemoryAllocateInfo asked = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    MUST(vkAllocateMemory(device, &asked, NULL, &memory));
    MUST(vkBindImageMemory(device, result.made, memory, 0));
    const VkImageViewType type_of_view = row->kind == solid     ? VK_IMAGE_VIEW_TYPE_3D
                                         : row->kind == several ? VK_IMAGE_VIEW_TYPE_2D
                                                                : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    const VkImageAspectFlags read = !has_depth()           ? VK_IMAGE_ASPECT_COLOR_BIT
                                    : row->kind == natural ? VK_IMAGE_ASPECT_STENCIL_BIT
                                                           : VK_IMAGE_ASPECT_DEPTH_BIT;
    result.view = view_of(result.made, type_of_view, read, 0, level_count(), 0, layer_count());
    VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = sets,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &set_layout};
    MUST(vkAllocateDescriptorSets(device, &allocation, &result.set));
    VkDescriptorImageInfo place = {.imageView = result.view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = result.set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                  .pImageInfo = &place};
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    MUST(vkCreateSampler(device, &sampler, NULL, &place.sampler));
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    return result;
}

/* Waits for all earlier commands, and gives an image its layout, unless it is null. */
static void wait_for_all(VkImage image)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = all};
    VkImageMemoryBarrier change = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                   .dstAccessMask = all,
                                   .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .image = image,
                                   .subresourceRange = {all_aspects(), 0, level_count(), 0, layer_count()}};
    vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0,
                         NULL, image != VK_NULL_HANDLE, &change);
}

/* Values that differ by `which`. */
static VkClearValue value_of(uint32_t which)
{
    VkClearValue result;
    for (uint32_t i = 0; i < 4; ++i) {
        if (row->kind == whole || row->kind == natural)
            result.color.uint32[i] =
                row->kind == whole && (i & 1) != 0 ? (uint32_t) - (int32_t)(20 * which + i) : 30 * which + i;
        else
            result.color.float32[i] = row->scale != 0 ? (float)((which + i) % 4) / 3 : 0.75f * (float)(1 + which) + i;
    }
    if (has_depth()) result.depthStencil = (VkClearDepthStencilValue){(float)(which % 5) / 4, 50 * which + 7};
    return result;
}

static void clear_image(VkImage image, uint32_t which, VkImageAspectFlags aspects, uint32_t level, uint32_t levels_of,
                        uint32_t layer, uint32_t layers_of)
{
    const VkClearValue value = value_of(which);
    const VkImageSubresourceRange range = {aspects, level, levels_of, layer, layers_of};
    wait_for_all(VK_NULL_HANDLE);
    if (has_depth())
        vkCmdClearDepthStencilImage(list, image, VK_IMAGE_LAYOUT_GENERAL, &value.depthStencil, 1, &range);
    else
        vkCmdClearColorImage(list, image, VK_IMAGE_LAYOUT_GENERAL, &value.color, 1, &range);
    wait_for_all(VK_NULL_HANDLE);
}

/* As an attachment: by the load operation if `aspects` is 0, else within an area. */
static void clear_area(VkImage image, uint32_t which, VkRect2D area, uint32_t layer, uint32_t layers_of,
                       VkImageAspectFlags aspects)
{
    if (row->format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) return;
    const VkClearValue value = value_of(which);
    VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view_of(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, all_aspects(), 0, 1, layer, layers_of),
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = aspects == 0 ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = value};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = aspects == 0 ? area : (VkRect2D){{0, 0}, {width, height}},
                                 .layerCount = layers_of,
                                 .colorAttachmentCount = has_depth() ? 0 : 1,
                                 .pColorAttachments = &target,
                                 .pDepthAttachment = has_depth() ? &target : NULL,
                                 .pStencilAttachment = has_stencil() ? &target : NULL};
    wait_for_all(VK_NULL_HANDLE);
    vkCmdBeginRendering(list, &rendering);
    VkClearAttachment cleared = {aspects, 0, value};
    VkClearRect where = {area, 0, layers_of};
    if (aspects != 0) vkCmdClearAttachments(list, 1, &cleared, 1, &where);
    vkCmdEndRendering(list);
    wait_for_all(VK_NULL_HANDLE);
}

static void read_image(const struct image* image)
{
    for (uint32_t level = 0; level < level_count(); ++level) {
        const uint32_t depth = row->kind == solid ? 4 >> level : row->kind == several ? 4 : layers;
        const uint32_t texels = (width >> level) * (height >> level) * depth;
        const int32_t pushed[2] = {(int32_t)level, row->scale};
        const VkDeviceSize bytes = texels * 16;
        VkRenderingInfo area = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {1, 1}}, .layerCount = 1};
        vkCmdPushConstants(list, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof pushed, pushed);
        vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[row->kind]);
        vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &image->set, 0, NULL);
        vkCmdBeginRendering(list, &area);
        FUNCTION(vkCmdBindTransformFeedbackBuffersEXT)(list, 0, 1, &captured, &captured_end, &bytes);
        FUNCTION(vkCmdBeginTransformFeedbackEXT)(list, 0, 0, NULL, NULL);
        vkCmdDraw(list, texels, 1, 0, 0);
        FUNCTION(vkCmdEndTransformFeedbackEXT)(list, 0, 0, NULL, NULL);
        vkCmdEndRendering(list);
        captured_end += bytes;
    }
}

static void draw_row(void)
{
    const struct image image = make_image(), copy = make_image();
    const VkImageAspectFlags all = all_aspects();
    const uint32_t last = layer_count() - 1, one = row->kind == solid || row->kind == several ? 1 : 2;
    captured_end = 0;
    memset(captured_words, 0xee, most_texels * 16 * 8);
    list = begin_list();
    wait_for_all(image.made);
    wait_for_all(copy.made);
    clear_image(image.made, 1, all, 0, level_count(), 0, layer_count());
    read_image(&image);
    clear_image(image.made, 2, has_depth() ? VK_IMAGE_ASPECT_DEPTH_BIT : all, level_count() - 1, 1, last, 1);
    clear_area(image.made, 3, (VkRect2D){{3, 1}, {9, 5}},
               row->kind == solid ? 2
               : last             ? 1
                                  : 0,
               one, has_stencil() ? VK_IMAGE_ASPECT_STENCIL_BIT : all);
    read_image(&image);
    clear_area(image.made, 4, (VkRect2D){{8, 4}, {8, 3}}, 0, 1, 0);
    MUST(vkEndCommandBuffer(list));
    submit(list);
    list = begin_list();
    clear_image(copy.made, 5, all, 0, level_count(), 0, layer_count());
    clear_area(image.made, 6, (VkRect2D){{0, 0}, {1, height}}, 0, 1, all);
    VkImageCopy part = {.srcSubresource = {all, 0, 0, 1},
                        .srcOffset = {0, 1, 0},
                        .dstSubresource = {all, 0, last, 1},
                        .dstOffset = {4, 2, 0},
                        .extent = {12, 6, 1}};
    if (has_depth()) // NVK draws copies of colour, which needs fragments
        vkCmdCopyImage(list, image.made, VK_IMAGE_LAYOUT_GENERAL, copy.made, VK_IMAGE_LAYOUT_GENERAL, 1, &part);
    wait_for_all(VK_NULL_HANDLE);
    read_image(&image);
    read_image(&copy);
    wait_for_all(VK_NULL_HANDLE);
    const VkImageAspectFlags buffered = has_stencil() && row->kind == natural ? VK_IMAGE_ASPECT_STENCIL_BIT
                                        : has_depth()                         ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                                              : all;
    VkBufferImageCopy out = {
        .bufferOffset = captured_end, .imageSubresource = {buffered, 0, last, 1}, .imageExtent = {width, height, 1}};
    if (row->kind != several) {
        memset(captured_words + captured_end / 4, 0, width * height * 16); // what the copy leaves is compared, too
        vkCmdCopyImageToBuffer(list, copy.made, VK_IMAGE_LAYOUT_GENERAL, captured, 1, &out);
        captured_end += width * height * 16;
    }
    MUST(vkEndCommandBuffer(list));
    submit(list);
    // Runs of equal texels.
    printf("format %d %s\n", (int)row->format, kind_names[row->kind]);
    const uint32_t texels = (uint32_t)(captured_end / 16);
    for (uint32_t i = 0, run; i < texels; i += run) {
        const uint32_t* words = captured_words + 4 * i;
        for (run = 1; i + run < texels && memcmp(words, words + 4 * run, 16) == 0; ++run) continue;
        printf("%u x %08x %08x %08x %08x\n", run, words[0], words[1], words[2], words[3]);
    }
}

int main(int count, char** words)
{
    const char* extensions[] = {"VK_EXT_transform_feedback"};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE};
    VkPhysicalDeviceVulkan13Features newer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .pNext = &feedback,
                                              .dynamicRendering = VK_TRUE,
                                              .maintenance4 = VK_TRUE};
    VkPhysicalDeviceFeatures features = {0};
    find_card(0, NULL);
    make_device(&newer, &features, 1, extensions);
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_VERTEX_BIT,
                                            NULL};
    set_layout = make_layout(VK_SHADER_STAGE_VERTEX_BIT, 1, &binding, 8);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 64};
    VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 64, .poolSizeCount = 1, .pPoolSizes = &size};
    MUST(vkCreateDescriptorPool(device, &pool_info, NULL, &sets));
    captured = make_buffer(VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                           most_texels * 16 * 8, (void**)&captured_words);
    VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    for (int i = 0; i < kinds; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.spv", count == 2 ? words[1] : ".", kind_names[i]);
        const VkPipelineShaderStageCreateInfo program = read_program(VK_SHADER_STAGE_VERTEX_BIT, path);
        if (program.module == VK_NULL_HANDLE) must(VK_ERROR_UNKNOWN, path);
        pipelines[i] = link_pipeline(1, &program, &input, 0, 0, NULL, 0);
    }
    for (row = rows; row < rows + sizeof rows / sizeof *rows; ++row) draw_row();
    vkDestroyDevice(device, NULL);
    return 0;
}
