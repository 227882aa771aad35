/* SPDX-License-Identifier: Apache-2.0 */
/* NVIF: the objects of nouveau 1.3.1 (the kernel's include/nvif), with which libdrm and Mesa ask about the device. */
#ifndef ISBESIM_GL_KERNEL_NVIF_H
#define ISBESIM_GL_KERNEL_NVIF_H

#include <stddef.h>

/* DRM_NOUVEAU_NVIF. `bytes` is the size of what `argument` points to. Returns 0 or an errno value. */
int nvif_call(int descriptor, void* argument, size_t bytes);

#endif
