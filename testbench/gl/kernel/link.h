/* SPDX-License-Identifier: Apache-2.0 */
/* The connection of this process to `isbesim gl`, made at the first use and again after a fork. */
#ifndef ISBESIM_GL_KERNEL_LINK_H
#define ISBESIM_GL_KERNEL_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "testbench/gl/kernel/protocol.h"

/* Facts from the reply to `hello`. */
struct link_facts {
    int memory; /* the memfd, moved away from low descriptor numbers */
    uint64_t device, inode;
    uint32_t chipset, device_id;
    uint32_t classes[ISBESIM_GL_MOST_CLASSES]; /* of the chip */
    int spaces;                                /* not 0: files can have address spaces, for Vulkan's driver */
};

/* The private folder, or null in a process without one. */
const char* link_folder(void);
/* Connects if there is no connection yet. Null without a folder. */
const struct link_facts* link_open(void);
/* True if this process has a connection; does not connect. */
int link_is_open(void);
/* Sends a request and waits for the reply. `payload` follows the request. Fills `reply` and returns its error. If the
 * simulator has ended, prints a line and ends the process: a driver can't continue without its kernel. */
int link_ask(struct isbesim_gl_request* request, const void* payload, size_t bytes, struct isbesim_gl_reply* reply);

#endif
