/* libdrm's structures of the ioctls. Its nouveau_drm.h wants stdint.h in front. */
#ifndef ISBESIM_GL_KERNEL_NOUVEAU_H
#define ISBESIM_GL_KERNEL_NOUVEAU_H

#include <drm.h>
#include <nouveau_drm.h>
#include <stdint.h>

#endif
