/* Device files: open descriptors of the memfd, and what their ioctls do. */
#ifndef ISBESIM_GL_KERNEL_DEVICE_H
#define ISBESIM_GL_KERNEL_DEVICE_H

#include <sys/stat.h>

/* A new device file, or -1 with errno. `flags` as of open(). */
int device_open(int flags);
int is_device_file(int descriptor);
/* Makes `status` that of the render node. */
void describe_device(struct stat* status);
/* Returns 0 or an errno value. `number` is the lowest byte of the request. */
int device_call(int descriptor, unsigned number, void* argument);

#endif
