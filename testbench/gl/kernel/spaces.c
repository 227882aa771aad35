/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces that a driver fills itself (nouveau 1.4), for Vulkan's driver. The structures are from the kernel's
 * include/uapi/drm/nouveau_drm.h since Linux 6.6; they are repeated here because libdrm does not install them and
 * Debian 12's kernel headers are older. */
#include <errno.h>

#include "testbench/gl/kernel/device.h"
#include "testbench/gl/kernel/link.h"

enum { vm_init = 0x10, vm_bind = 0x11, exec = 0x12 };
enum { push_limit = 17, video_memory_window = 18, video_memory_used = 19, has_tile_modes = 20 };
enum { map_operation = 0, unmap_operation = 1, sparse = 1 << 8 };

struct bind_operation {
    uint32_t operation;
    uint32_t flags; /* 7:0 the page kind, unused here: images have their layout in their headers */
    uint32_t handle;
    uint32_t pad;
    uint64_t address;
    uint64_t offset;
    uint64_t range;
};

struct bind_call {
    uint32_t operations;
    uint32_t flags; /* whether to run later, after the waits; ignored, all is done now */
    uint32_t waits;
    uint32_t signals;
    uint64_t wait_list;
    uint64_t signal_list;
    uint64_t operation_list;
};

struct exec_piece {
    uint64_t address;
    uint32_t bytes;
    uint32_t flags;
};

struct exec_call {
    uint32_t channel;
    uint32_t pieces;
    uint32_t waits;
    uint32_t signals;
    uint64_t wait_list;
    uint64_t signal_list;
    uint64_t piece_list;
};

int space_parameter(uint64_t number, uint64_t* value)
{
    static const uint64_t in_use = (uint64_t)64 << 20; /* 0 would mean that the kernel does not know */
    switch (number) {
    case push_limit:
        *value = ISBESIM_GL_MOST_PIECES;
        return 0;
    case video_memory_window:
        *value = device_aperture_bytes;
        return 0;
    case video_memory_used:
        *value = in_use;
        return 0;
    case has_tile_modes:
        *value = 1;
        return 0;
    default:
        return EINVAL;
    }
}

static int bind_one(int descriptor, const struct bind_operation* one)
{
    struct isbesim_gl_request request = {.kind = one->operation == unmap_operation ? ISBESIM_GL_UNMAP : ISBESIM_GL_MAP,
                                         .alignment = one->offset,
                                         .buffer = {.address = one->address,
                                                    .bytes = one->range,
                                                    .handle = (one->flags & sparse) != 0 ? 0 : one->handle}};
    struct isbesim_gl_reply reply;
    if (one->operation != map_operation && one->operation != unmap_operation) return EINVAL;
    if (one->operation == map_operation && (one->flags & sparse) == 0 && one->handle == 0) return ENOENT;
    return device_ask(descriptor, &request, NULL, 0, &reply);
}

static int bind(int descriptor, const struct bind_call* call)
{
    const struct bind_operation* operations = (const struct bind_operation*)(uintptr_t)call->operation_list;
    uint32_t i;
    int error = syncs_have_passed(descriptor, call->wait_list, call->waits);
    for (i = 0; i < call->operations && error == 0; ++i) error = bind_one(descriptor, operations + i);
    return error != 0 ? error : signal_syncs(descriptor, call->signal_list, call->signals);
}

static int execute(int descriptor, const struct exec_call* call)
{
    const struct exec_piece* list = (const struct exec_piece*)(uintptr_t)call->piece_list;
    struct isbesim_gl_piece pieces[ISBESIM_GL_MOST_PIECES];
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_EXECUTE, .channel = call->channel, .pieces = call->pieces};
    struct isbesim_gl_reply reply;
    uint32_t i;
    int error;
    if (call->pieces > ISBESIM_GL_MOST_PIECES) return EINVAL;
    error = syncs_have_passed(descriptor, call->wait_list, call->waits);
    if (error != 0) return error;
    for (i = 0; i < call->pieces; ++i)
        pieces[i] = (struct isbesim_gl_piece){.offset = list[i].address, .bytes = list[i].bytes};
    /* Without pieces it asks whether the channel still works. */
    error = device_ask(descriptor, &request, pieces, call->pieces * sizeof pieces[0], &reply);
    return error != 0 ? error : signal_syncs(descriptor, call->signal_list, call->signals);
}

int space_call(int descriptor, unsigned command, void* argument, size_t bytes)
{
    struct isbesim_gl_reply reply;
    switch (command) {
    case vm_init:
        return device_ask_handle(descriptor, ISBESIM_GL_NEW_SPACE, 0, &reply);
    case vm_bind:
        return bytes < sizeof(struct bind_call) ? EINVAL : bind(descriptor, argument);
    case exec:
        return bytes < sizeof(struct exec_call) ? EINVAL : execute(descriptor, argument);
    default:
        return EINVAL;
    }
}
