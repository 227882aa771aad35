/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces that a driver fills itself (nouveau 1.4): what Vulkan's driver needs. */
#ifndef ISBESIM_GL_KERNEL_SPACES_H
#define ISBESIM_GL_KERNEL_SPACES_H

#include <stddef.h>
#include <stdint.h>

/* Of a nouveau command. `bytes` is the size of what `argument` points to. Returns 0 or an errno value. */
int space_call(int descriptor, unsigned command, void* argument, size_t bytes);
/* A parameter of the device that came with address spaces. Returns 0 or an errno value. */
int space_parameter(uint64_t number, uint64_t* value);

#endif
