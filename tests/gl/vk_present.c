/* SPDX-License-Identifier: Apache-2.0 */
/* Shows three frames on a surface without a display; `asked`: by an address that it asks the loader for; `looked_up`:
 * by one that it asks for with functions that it looks up in the loader's library. */
static const char program_name[] = "vk_present";
#include <dlfcn.h>

#include "../../testbench/gl/compile/vk_setup.h"

int main(int count, char** words)
{
    const char* instance_extensions[] = {"VK_KHR_surface", "VK_EXT_headless_surface"};
    const char* device_extensions[] = {"VK_KHR_swapchain"};
    uint32_t images = 8, image;
    VkSurfaceKHR surface;
    VkSwapchainKHR chain;
    VkImage all[8];
    const VkInstance instance = find_card(2, instance_extensions);
    VkHeadlessSurfaceCreateInfoEXT nothing = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    PFN_vkCreateHeadlessSurfaceEXT create =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT");
    MUST(create(instance, &nothing, NULL, &surface));
    make_device(NULL, NULL, 1, device_extensions);
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
    const VkFence fence = make_fence();
    PFN_vkQueuePresentKHR present = vkQueuePresentKHR;
    if (count > 1 && strcmp(words[1], "asked") == 0)
        present = (PFN_vkQueuePresentKHR)vkGetDeviceProcAddr(device, "vkQueuePresentKHR");
    if (count > 1 && strcmp(words[1], "looked_up") == 0) {
        void* const library = dlopen("libvulkan.so.1", RTLD_NOW);
        PFN_vkGetInstanceProcAddr get_instance = (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr");
        PFN_vkGetDeviceProcAddr get_device = (PFN_vkGetDeviceProcAddr)get_instance(instance, "vkGetDeviceProcAddr");
        present = (PFN_vkQueuePresentKHR)get_device(device, "vkQueuePresentKHR");
    }
    for (int frame = 0; frame < 3; ++frame) {
        MUST(vkAcquireNextImageKHR(device, chain, UINT64_MAX, VK_NULL_HANDLE, fence, &image));
        wait_for(fence);
        const VkCommandBuffer list = begin_list();
        VkImageMemoryBarrier shown = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                      .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                      .image = all[image],
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL,
                             0, NULL, 1, &shown);
        MUST(vkEndCommandBuffer(list));
        submit(list);
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
