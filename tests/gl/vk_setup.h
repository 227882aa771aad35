/* SPDX-License-Identifier: Apache-2.0 */
/* What the Vulkan programs of these tests begin with. The includer defines program_name before. */
#ifndef ISBESIM_TESTS_GL_VK_SETUP_H
#define ISBESIM_TESTS_GL_VK_SETUP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

static VkPhysicalDevice card;
static VkDevice device;

static inline void must(VkResult result, const char* what)
{
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "%s: %s gave %d\n", program_name, what, (int)result);
    exit(3);
}
#define MUST(call) must((call), #call)

/* Sets card: the first device. */
static inline VkInstance find_card(uint32_t extension_count, const char* const* extensions)
{
    uint32_t one = 1;
    VkInstance instance;
    VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo start = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pApplicationInfo = &about,
                                  .enabledExtensionCount = extension_count,
                                  .ppEnabledExtensionNames = extensions};
    MUST(vkCreateInstance(&start, NULL, &instance));
    MUST(vkEnumeratePhysicalDevices(instance, &one, &card));
    if (one == 0) must(VK_ERROR_INITIALIZATION_FAILED, "looking for a device");
    return instance;
}

/* Memory for `buffer` that the host sees; `bytes` 0: as many as it needs. */
static inline VkDeviceMemory host_memory(VkBuffer buffer, VkDeviceSize bytes, void** mapped)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties kinds;
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    uint32_t kind = 0;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(card, &kinds);
    while ((needs.memoryTypeBits >> kind & 1) == 0 || (kinds.memoryTypes[kind].propertyFlags & wanted) != wanted)
        ++kind;
    VkMemoryAllocateInfo asked = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = bytes != 0 ? bytes : needs.size,
                                  .memoryTypeIndex = kind};
    MUST(vkAllocateMemory(device, &asked, NULL, &memory));
    MUST(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, mapped));
    return memory;
}

static inline VkBuffer make_buffer(VkBufferUsageFlags usage, VkDeviceSize bytes, void** mapped)
{
    VkBuffer made;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
    MUST(vkCreateBuffer(device, &info, NULL, &made));
    MUST(vkBindBufferMemory(device, made, host_memory(made, 0, mapped), 0));
    return made;
}

#endif
