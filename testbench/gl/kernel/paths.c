/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/gl/kernel/paths.h"

#include <stdio.h>
#include <string.h>

#include "testbench/gl/kernel/link.h"

static const char* const node = "/dev/dri/renderD128";
/* The character device number of DRM is 226; the PCI slot is ours (session/device_tree.h makes the entries). */
static const char* const prefixes[] = {"/dev/dri", "/sys/dev/char/226:", "/sys/devices/pci0000:00/0000:01:00.0",
                                       "/sys/bus/pci/devices/0000:01:00.0"};

const char* redirected(const char* path, char buffer[PATH_MAX])
{
    size_t i;
    const char* folder;
    if (path == NULL || path[0] != '/') return path;
    for (i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i) {
        if (strncmp(path, prefixes[i], strlen(prefixes[i])) != 0) continue;
        folder = link_folder();
        if (folder == NULL || snprintf(buffer, PATH_MAX, "%s/root%s", folder, path) >= PATH_MAX) return path;
        return buffer;
    }
    return path;
}

int is_device_node(const char* path)
{
    const char* folder = link_folder();
    size_t length;
    if (path == NULL || folder == NULL) return 0;
    if (strcmp(path, node) == 0) return 1;
    length = strlen(folder);
    return strncmp(path, folder, length) == 0 && strncmp(path + length, "/root", 5) == 0 &&
           strcmp(path + length + 5, node) == 0;
}
