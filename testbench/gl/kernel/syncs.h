/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation objects of DRM ("syncobj"), and their timelines. Work is done when its call returns, so an object has
 * no fence or a passed fence, and only waits for future submissions take time. */
#ifndef ISBESIM_GL_KERNEL_SYNCS_H
#define ISBESIM_GL_KERNEL_SYNCS_H

#include <stdint.h>

/* Executes a DRM call. Returns 0 or an errno value. */
int sync_call(int descriptor, unsigned number, void* argument);
/* For the lists of nouveau's submissions, by address. EINVAL if an object has no fence, as from the kernel. */
int syncs_have_passed(int descriptor, uint64_t list, uint32_t count);
int signal_syncs(int descriptor, uint64_t list, uint32_t count);

#endif
