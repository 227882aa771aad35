/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/gl/kernel/device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "testbench/gl/kernel/link.h"
#include "testbench/gl/kernel/nouveau.h"

/* libdrm requests parameters by number; nouveau_drm.h names them. */
enum {
    bus_type_pcie = 2,
    /* A GPC with five TPCs: more than the model's machines have; the driver only uses it for buffer sizes. */
    graph_units = (5 << 8) | 1,
    device_major = 226,
    device_minor = 128
};
static const char shared_name[] = "isbesim-gl-";
/* True while there are fences that programs do not see yet. Per thread: only the submitting thread waits for them when
 * it yields or maps buffers. */
static _Thread_local int fences_held = 0;

int device_open(int flags)
{
    char path[64];
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_OPEN_DEVICE};
    struct isbesim_gl_reply reply;
    const struct link_facts* facts = link_open();
    int descriptor;
    if (facts == NULL) {
        errno = ENOENT;
        return -1;
    }
    errno = link_ask(&request, NULL, 0, &reply);
    if (errno != 0) return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", facts->memory);
    descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | (flags & O_CLOEXEC), 0);
    if (descriptor >= 0) lseek(descriptor, (off_t)reply.file * ISBESIM_GL_FILE_STEP, SEEK_SET);
    return descriptor;
}

int is_device_file(int descriptor)
{
    struct stat status;
    const struct link_facts* facts;
    if (descriptor < 0 || syscall(SYS_fstat, descriptor, &status) != 0) return 0;
    if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size != ISBESIM_GL_MEMORY_BYTES) return 0;
    facts = link_open();
    return facts != NULL && status.st_dev == facts->device && status.st_ino == facts->inode;
}

void describe_device(struct stat* status)
{
    status->st_mode = S_IFCHR | 0666;
    status->st_rdev = makedev(device_major, device_minor);
}

int device_ask(int descriptor, struct isbesim_gl_request* request, const void* payload, size_t bytes,
               struct isbesim_gl_reply* reply)
{
    request->file = (uint32_t)(lseek(descriptor, 0, SEEK_CUR) / ISBESIM_GL_FILE_STEP);
    return link_ask(request, payload, bytes, reply);
}

static int ask(struct isbesim_gl_request* request, int descriptor, struct isbesim_gl_reply* reply)
{
    return device_ask(descriptor, request, NULL, 0, reply);
}

int device_ask_handle(int descriptor, uint32_t kind, uint32_t handle, struct isbesim_gl_reply* reply)
{
    struct isbesim_gl_request request = {.kind = kind, .buffer.handle = handle};
    return ask(&request, descriptor, reply);
}

/* Returns a text in DRM's way: as much as fits, and the full length. */
static void put_text(char* to, __kernel_size_t* length, const char* text)
{
    const size_t size = strlen(text);
    if (to != NULL && *length != 0) memcpy(to, text, *length < size ? *length : size);
    *length = size;
}

static int version(struct drm_version* result)
{
    /* Since 1.3.1 drivers use NVIF's objects; since 1.4.0 there are address spaces. */
    result->version_major = 1;
    result->version_minor = link_open()->spaces ? 4 : 3;
    result->version_patchlevel = 1;
    put_text(result->name, &result->name_len, "nouveau");
    put_text(result->date, &result->date_len, "20120801");
    put_text(result->desc, &result->desc_len, "isbesim");
    return 0;
}

static int get_parameter(struct drm_nouveau_getparam* parameter)
{
    const struct link_facts* facts = link_open();
    struct timespec now;
    switch (parameter->param) {
    case NOUVEAU_GETPARAM_PCI_VENDOR:
        parameter->value = 0x10de;
        return 0;
    case NOUVEAU_GETPARAM_PCI_DEVICE:
        parameter->value = facts->device_id;
        return 0;
    case NOUVEAU_GETPARAM_BUS_TYPE:
        parameter->value = bus_type_pcie;
        return 0;
    case NOUVEAU_GETPARAM_FB_SIZE:
    case NOUVEAU_GETPARAM_AGP_SIZE:
        parameter->value = device_aperture_bytes;
        return 0;
    case NOUVEAU_GETPARAM_CHIPSET_ID:
        parameter->value = facts->chipset;
        return 0;
    case NOUVEAU_GETPARAM_VM_VRAM_BASE:
        parameter->value = 0;
        return 0;
    case NOUVEAU_GETPARAM_GRAPH_UNITS:
        parameter->value = graph_units;
        return 0;
    case NOUVEAU_GETPARAM_PTIMER_TIME:
        clock_gettime(CLOCK_MONOTONIC, &now);
        parameter->value = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        return 0;
    case NOUVEAU_GETPARAM_HAS_BO_USAGE:
    case NOUVEAU_GETPARAM_HAS_PAGEFLIP:
        parameter->value = 1;
        return 0;
    default:
        return facts->spaces ? space_parameter(parameter->param, &parameter->value) : EINVAL;
    }
}

static void put_info(const struct isbesim_gl_buffer* buffer, struct drm_nouveau_gem_info* info)
{
    info->handle = buffer->handle;
    info->domain = buffer->domain;
    info->size = buffer->bytes;
    info->offset = buffer->address;
    info->map_handle = buffer->address;
    info->tile_mode = buffer->tile_mode;
    info->tile_flags = buffer->tile_flags;
}

static int new_buffer(int descriptor, struct drm_nouveau_gem_new* call)
{
    /* One of the two memory domains: VRAM if both are allowed, as in the kernel. */
    const uint32_t domain =
        (call->info.domain & NOUVEAU_GEM_DOMAIN_VRAM) != 0 ? NOUVEAU_GEM_DOMAIN_VRAM : NOUVEAU_GEM_DOMAIN_GART;
    const int mappable = (call->info.domain & NOUVEAU_GEM_DOMAIN_MAPPABLE) != 0;
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_NEW_BUFFER,
                                         .object = mappable ? 0 : ISBESIM_GL_HIDDEN,
                                         .alignment = call->align,
                                         .buffer = {.bytes = call->info.size,
                                                    .domain = domain,
                                                    .tile_mode = call->info.tile_mode,
                                                    .tile_flags = call->info.tile_flags}};
    struct isbesim_gl_reply reply;
    const int error = ask(&request, descriptor, &reply);
    if (error == 0) put_info(&reply.buffer, &call->info);
    return error;
}

static int describe(int descriptor, struct drm_nouveau_gem_info* info)
{
    struct isbesim_gl_reply reply;
    const int error = device_ask_handle(descriptor, ISBESIM_GL_DESCRIBE_BUFFER, info->handle, &reply);
    if (error == 0) put_info(&reply.buffer, info);
    return error;
}

int named_descriptor(const char* kind, uint32_t handle, int flags, uint64_t bytes)
{
    char name[64];
    int descriptor;
    snprintf(name, sizeof name, "%s%s-%u", shared_name, kind, handle);
    descriptor = (int)syscall(SYS_memfd_create, name, (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0U);
    return descriptor < 0 || ftruncate(descriptor, (off_t)bytes) != 0 ? -1 : descriptor;
}

uint32_t handle_named(const char* kind, int descriptor)
{
    char path[64];
    char target[128];
    ssize_t length;
    unsigned handle;
    const char* name;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    length = syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    if (length < 0) return 0;
    target[length] = '\0';
    name = strstr(target, shared_name);
    if (name == NULL) return 0;
    name += sizeof shared_name - 1;
    if (strncmp(name, kind, strlen(kind)) != 0 || sscanf(name + strlen(kind), "-%u", &handle) != 1) return 0;
    return handle;
}

/* Makes a descriptor whose name holds the buffer's number; the contents stay in the memfd. */
static int share(int descriptor, struct drm_prime_handle* prime)
{
    struct isbesim_gl_reply reply;
    const int error = device_ask_handle(descriptor, ISBESIM_GL_SHARE_BUFFER, prime->handle, &reply);
    if (error != 0) return error;
    prime->fd = named_descriptor("buffer", prime->handle, (int)prime->flags, reply.buffer.bytes);
    return prime->fd < 0 ? ENOMEM : 0;
}

static int import(int descriptor, struct drm_prime_handle* prime)
{
    struct isbesim_gl_reply reply;
    const uint32_t handle = handle_named("buffer", prime->fd);
    const int error = handle == 0 ? EINVAL : device_ask_handle(descriptor, ISBESIM_GL_IMPORT_BUFFER, handle, &reply);
    if (error == 0) prime->handle = handle;
    return error;
}

static int open_by_name(int descriptor, struct drm_gem_open* call)
{
    struct isbesim_gl_reply reply;
    const int error = device_ask_handle(descriptor, ISBESIM_GL_IMPORT_BUFFER, call->name, &reply);
    if (error == 0) {
        call->handle = call->name;
        call->size = reply.buffer.bytes;
    }
    return error;
}

static int new_channel(int descriptor, struct drm_nouveau_channel_alloc* call)
{
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_NEW_CHANNEL};
    struct isbesim_gl_reply reply;
    const int error = ask(&request, descriptor, &reply);
    if (error != 0) return error;
    call->channel = (int)reply.channel;
    call->pushbuf_domains = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART;
    call->notifier_handle = reply.buffer.handle;
    call->nr_subchan = 0;
    return 0;
}

int channel_request(int descriptor, uint32_t kind, uint32_t channel, uint32_t object)
{
    struct isbesim_gl_request request = {.kind = kind, .channel = channel, .object = object};
    struct isbesim_gl_reply reply;
    return ask(&request, descriptor, &reply);
}

static void wait_for(uint32_t handle)
{
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_WAIT, .buffer.handle = handle};
    struct isbesim_gl_reply reply;
    if (!fences_held || !link_is_open()) return;
    link_ask(&request, NULL, 0, &reply);
    fences_held = reply.fences != 0;
}

void device_yield(void)
{
    wait_for(0);
}

static int submit(int descriptor, struct drm_nouveau_gem_pushbuf* call)
{
    static const uint32_t length_mask = 0x7fffff; /* the bit above: do not prefetch */
    char payload[ISBESIM_GL_MOST_PIECES * sizeof(struct isbesim_gl_piece) + ISBESIM_GL_MOST_BUFFERS * sizeof(uint32_t)];
    char* end = payload;
    struct isbesim_gl_request request = {
        .kind = ISBESIM_GL_SUBMIT, .channel = call->channel, .pieces = call->nr_push, .buffers = call->nr_buffers};
    struct isbesim_gl_reply reply;
    const struct drm_nouveau_gem_pushbuf_bo* buffers =
        (const struct drm_nouveau_gem_pushbuf_bo*)(uintptr_t)call->buffers;
    const struct drm_nouveau_gem_pushbuf_push* push = (const struct drm_nouveau_gem_pushbuf_push*)(uintptr_t)call->push;
    uint32_t i;
    int error;
    if (call->nr_push > ISBESIM_GL_MOST_PIECES || call->nr_buffers > ISBESIM_GL_MOST_BUFFERS || call->nr_relocs != 0)
        return EINVAL;
    for (i = 0; i < call->nr_push; ++i) {
        struct isbesim_gl_piece piece = {.offset = push[i].offset, .bytes = (uint32_t)push[i].length & length_mask};
        if (push[i].bo_index >= call->nr_buffers) return EINVAL;
        piece.handle = buffers[push[i].bo_index].handle;
        memcpy(end, &piece, sizeof piece);
        end += sizeof piece;
    }
    for (i = 0; i < call->nr_buffers; ++i) {
        memcpy(end, &buffers[i].handle, sizeof buffers[i].handle);
        end += sizeof buffers[i].handle;
    }
    error = device_ask(descriptor, &request, payload, (size_t)(end - payload), &reply);
    fences_held = reply.fences != 0;
    call->suffix0 = call->suffix1 = 0;
    call->vram_available = call->gart_available = device_aperture_bytes;
    return error;
}

int device_call(int descriptor, unsigned number, void* argument, size_t bytes)
{
    struct isbesim_gl_reply reply;
    switch (number) {
    case 0x00:
        return version(argument);
    case 0x01: /* DRM_IOCTL_GET_UNIQUE: no name */
        ((struct drm_unique*)argument)->unique_len = 0;
        return 0;
    case 0x09:
        return device_ask_handle(descriptor, ISBESIM_GL_CLOSE_BUFFER, ((struct drm_gem_close*)argument)->handle,
                                 &reply);
    case 0x0a: /* DRM_IOCTL_GEM_FLINK: handles are one number space already */
        ((struct drm_gem_flink*)argument)->name = ((struct drm_gem_flink*)argument)->handle;
        return device_ask_handle(descriptor, ISBESIM_GL_SHARE_BUFFER, ((struct drm_gem_flink*)argument)->handle,
                                 &reply);
    case 0x0b:
        return open_by_name(descriptor, argument);
    case 0x0c: {
        struct drm_get_cap* capability = argument;
        capability->value = 0;
        if (capability->capability == DRM_CAP_PRIME) capability->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
        if (capability->capability == DRM_CAP_SYNCOBJ || capability->capability == DRM_CAP_SYNCOBJ_TIMELINE)
            capability->value = link_open()->spaces ? 1 : 0;
        return 0;
    }
    case 0x0d: /* DRM_IOCTL_SET_CLIENT_CAP */
        return 0;
    case 0x2d:
        return share(descriptor, argument);
    case 0x2e:
        return import(descriptor, argument);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF:
        return nvif_call(descriptor, argument, bytes);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GETPARAM:
        return get_parameter(argument);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_SETPARAM:
    case DRM_COMMAND_BASE + DRM_NOUVEAU_NOTIFIEROBJ_ALLOC:
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GPUOBJ_FREE:
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_FINI:
        return 0;
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_PREP: /* work is done when the call of its submission returns */
        wait_for(((struct drm_nouveau_gem_cpu_prep*)argument)->handle);
        return 0;
    case DRM_COMMAND_BASE + DRM_NOUVEAU_CHANNEL_ALLOC:
        return new_channel(descriptor, argument);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_CHANNEL_FREE:
        return channel_request(descriptor, ISBESIM_GL_CLOSE_CHANNEL,
                               (uint32_t)((struct drm_nouveau_channel_free*)argument)->channel, 0);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_NEW:
        return new_buffer(descriptor, argument);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_INFO:
        return describe(descriptor, argument);
    case DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_PUSHBUF:
        return submit(descriptor, argument);
    default:
        break;
    }
    if (!link_open()->spaces) return EINVAL;
    return number < DRM_COMMAND_END ? space_call(descriptor, number - DRM_COMMAND_BASE, argument, bytes)
                                    : sync_call(descriptor, number, argument);
}
