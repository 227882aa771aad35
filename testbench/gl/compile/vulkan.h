/* SPDX-License-Identifier: Apache-2.0 */
/* The part of Vulkan's registry (vk.xml) that compile_vk.c uses, with its names and numbers, so that building needs no
 * package. Members that are always 0 do not have the registry's types. */
#ifndef ISBESIM_GL_COMPILE_VULKAN_H
#define ISBESIM_GL_COMPILE_VULKAN_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t VkResult, VkStructureType;
typedef uint64_t VkHandle; /* of objects that are not pointers */

enum {
    VK_ERROR_UNKNOWN = -13,
    VK_MEMORY_VISIBLE_COHERENT = 6,
    VK_PUSH_BYTES = 256, /* of NVK */
    VK_FORMAT_SINT = 108,
    VK_FORMAT_UINT = 107,
    VK_FORMAT_FLOAT = 109,
    VK_FORMAT_DOUBLE = 121, /* of four components each */
    VK_FORMAT_DEPTH = 126,
    VK_USAGE_TEXELS = 0xd, /* of buffers: a copy's source, both kinds of texels */
    VK_USAGE_UNIFORM = 0x10,
    VK_USAGE_STORAGE = 0x20,
    VK_USAGE_VERTEX = 0x80
};

struct VkApplicationInfo {
    VkStructureType sType;
    const void *pNext, *name;
    uint32_t version;
    const void* engine;
    uint32_t engineVersion, apiVersion;
};
struct VkInstanceCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    const struct VkApplicationInfo* pApplicationInfo;
    uint32_t layers;
    const void* layerNames;
    uint32_t extensions;
    const void* extensionNames;
};
/* VkPhysicalDeviceFeatures2 and its extensions: flags, more here than any of them has. */
struct VkFeatures {
    VkStructureType sType;
    void* pNext;
    uint32_t on[64];
};
struct VkDeviceQueueCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, queueFamilyIndex, queueCount;
    const float* pQueuePriorities;
};
struct VkDeviceCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, queueCreateInfoCount;
    const struct VkDeviceQueueCreateInfo* pQueueCreateInfos;
    uint32_t layers;
    const void* layerNames;
    uint32_t enabledExtensionCount;
    const char* const* ppEnabledExtensionNames;
    const void* features;
};
struct VkMemoryProperties {
    uint32_t memoryTypeCount;
    struct {
        uint32_t propertyFlags, heapIndex;
    } memoryTypes[32];
    uint32_t heapCount;
    uint64_t heaps[16][2];
};
struct VkBufferCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    uint64_t size;
    uint32_t usage, sharingMode, families;
    const void* familyIndices;
};
struct VkMemoryRequirements {
    uint64_t size, alignment;
    uint32_t memoryTypeBits;
};
struct VkMemoryAllocateInfo {
    VkStructureType sType;
    const void* pNext;
    uint64_t allocationSize;
    uint32_t memoryTypeIndex;
};
struct VkDescriptorSetLayoutBinding {
    uint32_t binding, descriptorType, descriptorCount, stageFlags;
    const void* samplers;
};
struct VkDescriptorSetLayoutCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, bindingCount;
    const struct VkDescriptorSetLayoutBinding* pBindings;
};
struct VkPushConstantRange {
    uint32_t stageFlags, offset, size;
};
struct VkPipelineLayoutCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, setLayoutCount;
    const VkHandle* pSetLayouts;
    uint32_t pushConstantRangeCount;
    const struct VkPushConstantRange* pPushConstantRanges;
};
struct VkDescriptorPoolSize {
    uint32_t type, descriptorCount;
};
struct VkDescriptorPoolCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, maxSets, poolSizeCount;
    const struct VkDescriptorPoolSize* pPoolSizes;
};
struct VkDescriptorSetAllocateInfo {
    VkStructureType sType;
    const void* pNext;
    VkHandle descriptorPool;
    uint32_t descriptorSetCount;
    const VkHandle* pSetLayouts;
};
struct VkDescriptorBufferInfo {
    VkHandle buffer;
    uint64_t offset, range;
};
struct VkDescriptorImageInfo {
    VkHandle sampler, imageView;
    uint32_t imageLayout;
};
struct VkWriteDescriptorSet {
    VkStructureType sType;
    const void* pNext;
    VkHandle dstSet;
    uint32_t dstBinding, dstArrayElement, descriptorCount, descriptorType;
    const struct VkDescriptorImageInfo* pImageInfo;
    const struct VkDescriptorBufferInfo* pBufferInfo;
    const VkHandle* pTexelBufferView;
};
struct VkBufferViewCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    VkHandle buffer;
    uint32_t format;
    uint64_t offset, range;
};
struct VkImageCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, imageType, format, extent[3], mipLevels, arrayLayers, samples, tiling, usage, sharingMode, families;
    const void* familyIndices;
    uint32_t initialLayout;
};
struct VkImageViewCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    VkHandle image;
    uint32_t viewType, format, components[4], aspectMask, baseMipLevel, levelCount, baseArrayLayer, layerCount;
};
struct VkSamplerCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, filters[3], addressModes[3];
    float mipLodBias;
    uint32_t anisotropyEnable;
    float maxAnisotropy;
    uint32_t compareEnable, compareOp;
    float minLod, maxLod;
    uint32_t borderColor, unnormalizedCoordinates;
};
struct VkBufferImageCopy {
    uint64_t bufferOffset;
    uint32_t rowLength, imageHeight, aspectMask, mipLevel, baseArrayLayer, layerCount;
    int32_t imageOffset[3];
    uint32_t imageExtent[3];
};
struct VkShaderModuleCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    size_t codeSize;
    const uint32_t* pCode;
};
struct VkStage {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, stage;
    VkHandle module;
    const char* pName;
    const void* constants;
};
struct VkVertexInputBinding {
    uint32_t binding, stride, inputRate;
};
struct VkVertexInputAttribute {
    uint32_t location, binding, format, offset;
};
struct VkVertexInputState {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, bindingCount;
    const struct VkVertexInputBinding* pBindings;
    uint32_t attributeCount;
    const struct VkVertexInputAttribute* pAttributes;
};
/* VkPipelineInputAssemblyStateCreateInfo, VkPipelineTessellationStateCreateInfo: the topology, or the control points.
 */
struct VkSmallState {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, value, restart;
};
struct VkRasterizationState {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, depthClamp, rasterizerDiscardEnable, polygonMode, cullMode, frontFace, depthBias;
    float biases[3], lineWidth;
};
struct VkRenderingState {
    VkStructureType sType;
    const void* pNext;
    uint32_t viewMask, colors;
    const void* formats;
    uint32_t depth, stencil;
};
struct VkGraphicsPipelineCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, stageCount;
    const struct VkStage* pStages;
    const struct VkVertexInputState* pVertexInputState;
    const struct VkSmallState *pInputAssemblyState, *pTessellationState;
    const void* viewports;
    const struct VkRasterizationState* pRasterizationState;
    const void *samples, *depth, *blend, *dynamic;
    VkHandle layout, renderPass;
    uint32_t subpass;
    VkHandle base;
    int32_t baseIndex;
};
struct VkCommandPoolCreateInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags, queueFamilyIndex;
};
struct VkCommandBufferAllocateInfo {
    VkStructureType sType;
    const void* pNext;
    VkHandle commandPool;
    uint32_t level, commandBufferCount;
};
struct VkCommandBufferBeginInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    const void* inheritance;
};
struct VkRenderingInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t flags;
    int32_t renderArea[4];
    uint32_t layerCount, viewMask, colors;
    const void *attachments, *depth, *stencil;
};
struct VkSubmitInfo {
    VkStructureType sType;
    const void* pNext;
    uint32_t waits;
    const void *semaphores, *masks;
    uint32_t commandBufferCount;
    void* const* pCommandBuffers;
    uint32_t signals;
    const void* signalled;
};

#endif
