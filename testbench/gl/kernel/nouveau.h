/* SPDX-License-Identifier: Apache-2.0 */
/* libdrm's structures of the ioctls. nouveau_drm.h needs stdint.h, NVIF's headers need the kernel's types. */
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
