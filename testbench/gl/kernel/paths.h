/* SPDX-License-Identifier: Apache-2.0 */
/* Which paths name the device and its entries in sysfs, and where they are in the private folder. */
#ifndef ISBESIM_GL_KERNEL_PATHS_H
#define ISBESIM_GL_KERNEL_PATHS_H

#include <limits.h>

/* `path`, or where it really is, written to `buffer`. */
const char* redirected(const char* path, char buffer[PATH_MAX]);
/* The device node, by the name that programs know or by that in the private folder. */
int is_device_node(const char* path);

#endif
