/* SPDX-License-Identifier: Apache-2.0 */
/* Device files: open descriptors of the memfd, and their ioctls. */
#ifndef ISBESIM_GL_KERNEL_DEVICE_H
#define ISBESIM_GL_KERNEL_DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The size that drivers see for each of the two memory domains. */
static const uint64_t device_aperture_bytes = (uint64_t)4 << 30;

/* Opens a new device file; returns -1 with errno on failure. `flags`: as for open(). */
int device_open(int flags);
int is_device_file(int descriptor);
/* Makes `status` that of the render node. */
void describe_device(struct stat* status);
/* Returns 0 or an errno value. `number` is the lowest byte of the request, `bytes` the size of its argument. */
int device_call(int descriptor, unsigned number, void* argument, size_t bytes);
/* Parts of it in nvif.c (DRM_NOUVEAU_NVIF) and spaces.c (nouveau 1.4). */
int nvif_call(int descriptor, void* argument, size_t bytes);
int space_call(int descriptor, unsigned command, void* argument, size_t bytes);
int space_parameter(uint64_t number, uint64_t* value);
/* Called when this thread yields: if its driver polls a fence, the fence passes. */
void device_yield(void);
/* Sends a request about the device file (protocol.h). Returns 0 or an errno value. */
struct isbesim_gl_request;
struct isbesim_gl_reply;
int device_ask(int descriptor, struct isbesim_gl_request* request, const void* payload, size_t bytes,
               struct isbesim_gl_reply* reply);
/* Sends a request about one of its buffers or synchronisation objects. */
int device_ask_handle(int descriptor, uint32_t kind, uint32_t handle, struct isbesim_gl_reply* reply);
/* Sends a request about a channel (protocol.h). Returns 0 or an errno value. */
int channel_request(int descriptor, uint32_t kind, uint32_t channel, uint32_t object);
/* Makes a descriptor that names `handle` to another process; finds the handle that a descriptor names, or 0. `kind`
 * separates buffers from synchronisation objects and fences. */
int named_descriptor(const char* kind, uint32_t handle, int flags, uint64_t bytes);
uint32_t handle_named(const char* kind, int descriptor);

/* Synchronisation objects of DRM ("syncobj"), and their timelines. Work is done when its call returns, so an object has
 * no fence or a passed fence, and only waits for future submissions take time. */
/* Executes a DRM call. Returns 0 or an errno value. */
int sync_call(int descriptor, unsigned number, void* argument);
/* For the lists of nouveau's submissions, by address. EINVAL if an object has no fence, as from the kernel. */
int syncs_have_passed(int descriptor, uint64_t list, uint32_t count);
int signal_syncs(int descriptor, uint64_t list, uint32_t count);

#endif
