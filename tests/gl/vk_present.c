/* SPDX-License-Identifier: Apache-2.0 */
/* Shows three frames on a surface without a display; `asked`: by an address that it asks the loader for; `looked_up`: by
 * one that it asks for with functions that it looks up in the loader's library. */
static const char program_name[] = "vk_present";
#include <dlfcn.h>

#include "vk_setup.h"

int main(int count, char** words)
{
    const char* of_instance[] = {"VK_KHR_surface", "VK_EXT_headless_surface"};
    const char* of_device[] = {"VK_KHR_swapchain"};
    const float priority = 1;
    uint32_t images = 8, image, family = 0;
    VkSurfaceKHR surface;
    VkQueue queue;
    VkSwapchainKHR chain;
    VkImage all[8];
    VkFence fence;
    VkCommandPool pool;
    VkCommandBuffer list;
    const VkInstance instance = find_card(2, of_instance);
    VkHeadlessSurfaceCreateInfoEXT nothing = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    PFN_vkCreateHeadlessSurfaceEXT create =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT");
    MUST(create(instance, &nothing, NULL, &surface));
    VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queues,
                                      .enabledExtensionCount = 1,
                                      .ppEnabledExtensionNames = of_device};
    MUST(vkCreateDevice(card, &device_info, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
    VkSwapchainCreateInfoKHR chain_info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .surface = surface,
                                           .minImageCount = 3,
                                           .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                           .imageExtent = {64, 64},
                                           .imageArrayLayers = 1,
                                           .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                           .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                           .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                           .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    MUST(vkCreateSwapchainKHR(device, &chain_info, NULL, &chain));
    MUST(vkGetSwapchainImagesKHR(device, chain, &images, all));
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    MUST(vkCreateFence(device, &fence_info, NULL, &fence));
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    MUST(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo list_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    MUST(vkAllocateCommandBuffers(device, &list_info, &list));
    PFN_vkQueuePresentKHR present = vkQueuePresentKHR;
    if (count > 1 && strcmp(words[1], "asked") == 0)
        present = (PFN_vkQueuePresentKHR)vkGetDeviceProcAddr(device, "vkQueuePresentKHR");
    if (count > 1 && strcmp(words[1], "looked_up") == 0) {
        void* const library = dlopen("libvulkan.so.1", RTLD_NOW);
        PFN_vkGetInstanceProcAddr of_loader = (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr");
        PFN_vkGetDeviceProcAddr of_card = (PFN_vkGetDeviceProcAddr)of_loader(instance, "vkGetDeviceProcAddr");
        present = (PFN_vkQueuePresentKHR)of_card(device, "vkQueuePresentKHR");
    }
    for (int frame = 0; frame < 3; ++frame) {
        MUST(vkAcquireNextImageKHR(device, chain, UINT64_MAX, VK_NULL_HANDLE, fence, &image));
        MUST(vkWaitForFences(device, 1, &fence, VK_TRUE, 20000000000u));
        MUST(vkResetFences(device, 1, &fence));
        VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        MUST(vkBeginCommandBuffer(list, &begin));
        VkImageMemoryBarrier shown = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                      .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                      .image = all[image],
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL,
                             0, NULL, 1, &shown);
        MUST(vkEndCommandBuffer(list));
        VkSubmitInfo submission = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &list};
        MUST(vkQueueSubmit(queue, 1, &submission, VK_NULL_HANDLE));
        MUST(vkQueueWaitIdle(queue));
        VkPresentInfoKHR what = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                 .swapchainCount = 1,
                                 .pSwapchains = &chain,
                                 .pImageIndices = &image};
        MUST(present(queue, &what));
    }
    printf("shown\n");
    vkDestroySwapchainKHR(device, chain, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroySurfaceKHR(instance, surface, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
