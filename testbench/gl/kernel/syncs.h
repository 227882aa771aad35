/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation objects of DRM ("syncobj"), and their timelines. Work is done when its call returns, so an object has
 * no fence or one that has passed, and only a wait for what has not been submitted yet takes time. */
#ifndef ISBESIM_GL_KERNEL_SYNCS_H
#define ISBESIM_GL_KERNEL_SYNCS_H

#include <stdint.h>

/* Of a DRM call. Returns 0 or an errno value. */
int sync_call(int descriptor, unsigned number, void* argument);
/* Lists of nouveau's submissions, by their address. Without a fence EINVAL, as the kernel answers. */
int syncs_have_passed(int descriptor, uint64_t list, uint32_t count);
int signal_syncs(int descriptor, uint64_t list, uint32_t count);

#endif
