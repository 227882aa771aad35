/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "testbench/gl/kernel/device.h"
#include "testbench/gl/kernel/link.h"
#include "testbench/gl/kernel/nouveau.h"

/* Entry of a list (uapi/drm/nouveau_drm.h, struct drm_nouveau_sync). */
struct sync_entry {
    uint32_t flags;
    uint32_t handle;
    uint64_t point;
};

enum { kind_mask = 0xf, timeline_kind = 1 };
static const char object_name[] = "sync", fence_name[] = "fence";

struct sync_state {
    int signalled;
    uint64_t point;
};

static int look(int descriptor, uint32_t handle, struct sync_state* state)
{
    struct isbesim_gl_reply reply;
    const int error = device_ask_handle(descriptor, ISBESIM_GL_DESCRIBE_SYNC, handle, &reply);
    state->signalled = reply.fences != 0;
    state->point = reply.point;
    return error;
}

static int set(int descriptor, uint32_t handle, enum isbesim_gl_sync what, uint64_t point)
{
    struct isbesim_gl_request request = {
        .kind = ISBESIM_GL_SET_SYNC, .object = what, .point = point, .buffer.handle = handle};
    struct isbesim_gl_reply reply;
    return device_ask(descriptor, &request, NULL, 0, &reply);
}

static int passed(const struct sync_state* state, uint64_t point)
{
    return state->signalled && state->point >= point;
}

static uint64_t point_of(const struct sync_entry* entry)
{
    return (entry->flags & kind_mask) == timeline_kind ? entry->point : 0;
}

int syncs_have_passed(int descriptor, uint64_t list, uint32_t count)
{
    const struct sync_entry* entries = (const struct sync_entry*)(uintptr_t)list;
    struct sync_state state;
    uint32_t i;
    for (i = 0; i < count; ++i) {
        const int error = look(descriptor, entries[i].handle, &state);
        if (error != 0) return error;
        if (!passed(&state, point_of(entries + i))) return EINVAL;
    }
    return 0;
}

int signal_syncs(int descriptor, uint64_t list, uint32_t count)
{
    const struct sync_entry* entries = (const struct sync_entry*)(uintptr_t)list;
    uint32_t i;
    int error = 0;
    for (i = 0; i < count && error == 0; ++i)
        error = set(descriptor, entries[i].handle, ISBESIM_GL_SYNC_SIGNAL, point_of(entries + i));
    return error;
}

static int create(int descriptor, struct drm_syncobj_create* call)
{
    struct isbesim_gl_reply reply;
    const int error = device_ask_handle(descriptor, ISBESIM_GL_NEW_SYNC, 0, &reply);
    if (error != 0) return error;
    call->handle = reply.buffer.handle;
    if ((call->flags & DRM_SYNCOBJ_CREATE_SIGNALED) == 0) return 0;
    return set(descriptor, call->handle, ISBESIM_GL_SYNC_SIGNAL, 0);
}

/* A sync file is a fence without an object; all fences have passed. */
static int share(int descriptor, struct drm_syncobj_handle* call)
{
    struct isbesim_gl_reply reply;
    const int as_fence = (call->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) != 0;
    const uint32_t kind = as_fence ? ISBESIM_GL_DESCRIBE_SYNC : ISBESIM_GL_SHARE_SYNC;
    const int error = device_ask_handle(descriptor, kind, call->handle, &reply);
    if (error != 0) return error;
    if (as_fence && reply.fences == 0) return EINVAL;
    call->fd = named_descriptor(as_fence ? fence_name : object_name, call->handle, O_CLOEXEC, 0);
    return call->fd < 0 ? ENOMEM : 0;
}

static int import(int descriptor, struct drm_syncobj_handle* call)
{
    struct isbesim_gl_reply reply;
    const int as_fence = (call->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE) != 0;
    const uint32_t handle = handle_named(as_fence ? fence_name : object_name, call->fd);
    int error;
    if (handle == 0) return EINVAL;
    if (as_fence) return set(descriptor, call->handle, ISBESIM_GL_SYNC_SIGNAL, 0);
    error = device_ask_handle(descriptor, ISBESIM_GL_IMPORT_SYNC, handle, &reply);
    if (error == 0) call->handle = handle;
    return error;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* `points` is null if no object is a timeline. Another thread or process may make the submission that this one waits
 * for, so this polls the simulator. */
static int wait(int descriptor, const uint32_t* handles, const uint64_t* points, uint32_t count, uint32_t flags,
                int64_t until, uint32_t* first)
{
    static const uint32_t may_come = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    static const long longest = 2000000;
    struct timespec pause = {0, 50000};
    for (;;) {
        struct sync_state state;
        uint32_t i;
        uint32_t done = 0;
        for (i = 0; i < count; ++i) {
            const int error = look(descriptor, handles[i], &state);
            if (error != 0) return error;
            if (passed(&state, points != NULL ? points[i] : 0)) {
                if (done++ == 0) *first = i;
            } else if ((flags & may_come) == 0) {
                return EINVAL;
            }
        }
        if ((flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0 ? done == count : done != 0) return 0;
        if (now() >= until) return ETIME;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < longest) pause.tv_nsec *= 2;
    }
}

static int set_all(int descriptor, const struct drm_syncobj_array* call, enum isbesim_gl_sync what)
{
    const uint32_t* handles = (const uint32_t*)(uintptr_t)call->handles;
    uint32_t i;
    int error = 0;
    for (i = 0; i < call->count_handles && error == 0; ++i) error = set(descriptor, handles[i], what, 0);
    return error;
}

static int timelines(int descriptor, const struct drm_syncobj_timeline_array* call, int query)
{
    const uint32_t* handles = (const uint32_t*)(uintptr_t)call->handles;
    uint64_t* points = (uint64_t*)(uintptr_t)call->points;
    struct sync_state state;
    uint32_t i;
    int error = 0;
    for (i = 0; i < call->count_handles && error == 0; ++i) {
        if (!query) {
            error = set(descriptor, handles[i], ISBESIM_GL_SYNC_SIGNAL, points[i]);
            continue;
        }
        error = look(descriptor, handles[i], &state);
        points[i] = state.point;
    }
    return error;
}

static int transfer(int descriptor, const struct drm_syncobj_transfer* call)
{
    struct sync_state state;
    const int error = look(descriptor, call->src_handle, &state);
    if (error != 0) return error;
    if (!passed(&state, call->src_point)) return EINVAL;
    return set(descriptor, call->dst_handle, ISBESIM_GL_SYNC_SIGNAL, call->dst_point);
}

int sync_call(int descriptor, unsigned number, void* argument)
{
    struct isbesim_gl_reply reply;
    switch (number) {
    case 0xbf:
        return create(descriptor, argument);
    case 0xc0:
        return device_ask_handle(descriptor, ISBESIM_GL_CLOSE_SYNC, ((struct drm_syncobj_destroy*)argument)->handle,
                                 &reply);
    case 0xc1:
        return share(descriptor, argument);
    case 0xc2:
        return import(descriptor, argument);
    case 0xc3: {
        struct drm_syncobj_wait* call = argument;
        return wait(descriptor, (const uint32_t*)(uintptr_t)call->handles, NULL, call->count_handles, call->flags,
                    call->timeout_nsec, &call->first_signaled);
    }
    case 0xc4:
        return set_all(descriptor, argument, ISBESIM_GL_SYNC_RESET);
    case 0xc5:
        return set_all(descriptor, argument, ISBESIM_GL_SYNC_SIGNAL);
    case 0xca: {
        struct drm_syncobj_timeline_wait* call = argument;
        return wait(descriptor, (const uint32_t*)(uintptr_t)call->handles, (const uint64_t*)(uintptr_t)call->points,
                    call->count_handles, call->flags, call->timeout_nsec, &call->first_signaled);
    }
    case 0xcb:
        return timelines(descriptor, argument, 1);
    case 0xcc:
        return transfer(descriptor, argument);
    case 0xcd:
        return timelines(descriptor, argument, 0);
    default:
        return EINVAL;
    }
}
