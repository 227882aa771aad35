/* SPDX-License-Identifier: Apache-2.0 */
/* NVIF: the objects of nouveau 1.3.1 (the kernel's include/nvif), through which libdrm and Mesa query the device. One
 * ioctl carries every call: a head (object and kind of call), a body with the structure of that kind and, for some
 * kinds, data of the object's class. libdrm installs the structures (nouveau/nvif); the kernel's nouveau_usif.c
 * and nouveau_abi16.c define their effect:
 *   - an object that the caller made is named by the number that the caller gave it; a channel, made by another ioctl,
 *     is named by `route` 0xff and its number in `token`, which only NEW, SCLASS and MTHD accept;
 *   - the only object that a driver makes outside of a channel is the device (class 0x80), one per file;
 *   - SCLASS fills as many classes as there is room for and returns their total: libdrm first calls it without room;
 *   - a call with less data than its structures have is refused.
 * libdrm 2.4.114 (Mesa 22.3) and Mesa's own copy of it (since 24.0) make the same calls; the copy rejects kernels below
 * 1.3.1. Of the device's facts, drivers only read chipset, platform and sizes of memory; the others are 0. */
#include <errno.h>
#include <string.h>

#include "testbench/gl/kernel/device.h"
#include "testbench/gl/kernel/link.h"
#include "testbench/gl/kernel/nouveau.h"

enum { channel_route = 0xff, device_revision = 0xa1 };

/* A new object in a channel is a class that the channel will use; outside channels, only the device exists. */
static int new_object(int descriptor, const struct nvif_ioctl_v0* head, size_t bytes)
{
    const struct nvif_ioctl_new_v0* body = (const void*)head->data;
    if (bytes < sizeof *body) return EINVAL;
    if (head->route == channel_route)
        return channel_request(descriptor, ISBESIM_GL_BIND_CLASS, (uint32_t)head->token, (uint32_t)body->oclass);
    return body->oclass == NV_DEVICE ? 0 : EINVAL;
}

static int list_classes(const struct nvif_ioctl_v0* head, size_t bytes)
{
    struct nvif_ioctl_sclass_v0* body = (void*)(uintptr_t)head->data;
    const struct link_facts* facts = link_open();
    uint8_t count = 0;
    if (bytes < sizeof *body || (bytes - sizeof *body) / sizeof body->oclass[0] < body->count) return EINVAL;
    if (head->route != channel_route) return EINVAL;
    for (; count < ISBESIM_GL_MOST_CLASSES && facts->classes[count] != 0; ++count) {
        if (count >= body->count) continue;
        body->oclass[count].oclass = (int32_t)facts->classes[count];
        body->oclass[count].minver = -1;
        body->oclass[count].maxver = -1;
    }
    body->count = count;
    return 0;
}

static int device_info(const struct nvif_ioctl_v0* head, size_t bytes)
{
    const struct nvif_ioctl_mthd_v0* body = (const void*)head->data;
    struct nv_device_info_v0* info = (void*)(uintptr_t)body->data;
    if (bytes < sizeof *body + sizeof *info || body->method != NV_DEVICE_V0_INFO) return EINVAL;
    memset(info, 0, sizeof *info);
    info->platform = NV_DEVICE_INFO_V0_PCIE;
    info->chipset = (uint16_t)link_open()->chipset;
    info->revision = device_revision;
    info->ram_size = device_aperture_bytes;
    info->ram_user = device_aperture_bytes;
    return 0;
}

int nvif_call(int descriptor, void* argument, size_t bytes)
{
    const struct nvif_ioctl_v0* head = argument;
    if (bytes < sizeof *head || head->version != 0) return EINVAL;
    bytes -= sizeof *head;
    switch (head->type) {
    case NVIF_IOCTL_V0_NEW:
        return new_object(descriptor, head, bytes);
    case NVIF_IOCTL_V0_SCLASS:
        return list_classes(head, bytes);
    case NVIF_IOCTL_V0_MTHD:
        return device_info(head, bytes);
    case NVIF_IOCTL_V0_DEL: /* objects have no state */
        return 0;
    default:
        return EINVAL;
    }
}
