/* SPDX-License-Identifier: Apache-2.0 */
/* libdrm's structures of the ioctls. Its nouveau_drm.h wants stdint.h in front, NVIF's want the kernel's types. */
#ifndef ISBESIM_GL_KERNEL_NOUVEAU_H
#define ISBESIM_GL_KERNEL_NOUVEAU_H

#include <drm.h>
#include <linux/types.h>
#include <nouveau/nvif/cl0080.h>
#include <nouveau/nvif/class.h>
#include <nouveau/nvif/ioctl.h>
#include <nouveau_drm.h>
#include <stdint.h>

#endif
