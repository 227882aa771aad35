/* SPDX-License-Identifier: Apache-2.0 */
/* The connection of this process to `isbesim gl`. Made when it is first needed, and again after a fork. */
#ifndef ISBESIM_GL_KERNEL_LINK_H
#define ISBESIM_GL_KERNEL_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "testbench/gl/kernel/protocol.h"

/* What `hello` brought. */
struct link_facts {
    int memory; /* the memfd, out of the way of low numbers */
    uint64_t device, inode;
    uint32_t chipset, device_id;
    uint32_t classes[ISBESIM_GL_MOST_CLASSES]; /* of the chip */
    int spaces;                                /* for Vulkan's driver: files can have address spaces */
};

/* The private folder, or null in a process without one. */
const char* link_folder(void);
/* Connects when that was not done yet. Null without a folder. */
const struct link_facts* link_open(void);
/* Whether this process has a connection; makes none. */
int link_is_open(void);
/* Asks and waits. `payload` follows the request. Fills `reply` and returns its error; ends the process in one line
 * where the peer is gone: a driver can't go on without its kernel. */
int link_ask(struct isbesim_gl_request* request, const void* payload, size_t bytes, struct isbesim_gl_reply* reply);

#endif
