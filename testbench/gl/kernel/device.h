/* SPDX-License-Identifier: Apache-2.0 */
/* Device files: open descriptors of the memfd, and what their ioctls do. */
#ifndef ISBESIM_GL_KERNEL_DEVICE_H
#define ISBESIM_GL_KERNEL_DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The size that both places of memory report to drivers. */
static const uint64_t device_aperture_bytes = (uint64_t)4 << 30;

/* A new device file, or -1 with errno. `flags` as of open(). */
int device_open(int flags);
int is_device_file(int descriptor);
/* Makes `status` that of the render node. */
void describe_device(struct stat* status);
/* Returns 0 or an errno value. `number` is the lowest byte of the request, `bytes` the size of its argument. */
int device_call(int descriptor, unsigned number, void* argument, size_t bytes);
/* This thread lets others run. Where it does so because its driver polls a fence, it is time for the fence. */
void device_yield(void);
/* Asks about a channel (protocol.h). Returns 0 or an errno value. */
int channel_request(int descriptor, uint32_t kind, uint32_t channel, uint32_t object);

#endif
