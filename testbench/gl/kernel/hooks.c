/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes the C library's file functions: redirects paths and descriptors of the device, and leaves all others
 * unchanged. It uses system calls that every 64-bit Linux has. Without open64, opendir, readlink, stat64, fstat64 or
 * ioctl, Mesa uses llvmpipe. */
#define _LARGEFILE64_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testbench/gl/kernel/device.h"
#include "testbench/gl/kernel/link.h"

#define HOOK __attribute__((visibility("default")))

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "stat and stat64 are one structure on 64-bit machines");

/* ISO C has no conversion from void* to a function's address. */
#define FIND_NEXT(function, name)                                                                                      \
    do {                                                                                                               \
        if ((function) == NULL) {                                                                                      \
            void* const symbol = dlsym(RTLD_NEXT, name);                                                               \
            memcpy(&(function), &symbol, sizeof(function));                                                            \
        }                                                                                                              \
    } while (0)

static const char* const node = "/dev/dri/renderD128";
/* DRM's character device number is 226; the PCI slot is a choice (session/private_folder.cpp makes the entries). */
static const char* const prefixes[] = {"/dev/dri", "/sys/dev/char/226:", "/sys/devices/pci0000:00/0000:01:00.0",
                                       "/sys/bus/pci/devices/0000:01:00.0"};

/* Returns `path`, or its real place, written to `buffer`. */
static const char* redirected(const char* path, char buffer[PATH_MAX])
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

/* True for the device node, by its public name or its name in the private folder. */
static int is_device_node(const char* path)
{
    const char* folder = link_folder();
    size_t length;
    if (path == NULL || folder == NULL) return 0;
    if (strcmp(path, node) == 0) return 1;
    length = strlen(folder);
    return strncmp(path, folder, length) == 0 && strncmp(path + length, "/root", 5) == 0 &&
           strcmp(path + length + 5, node) == 0;
}

static int open_any(int folder, const char* path, int flags, mode_t mode)
{
    char buffer[PATH_MAX];
    if (is_device_node(path)) return device_open(flags);
    return (int)syscall(SYS_openat, folder, redirected(path, buffer), flags, mode);
}

/* The mode argument exists only if a file may be created. */
#define READ_MODE                                                                                                      \
    mode_t mode = 0;                                                                                                   \
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode = va_arg(arguments, mode_t);                                                                              \
        va_end(arguments);                                                                                             \
    }

HOOK int open(const char* path, int flags, ...)
{
    READ_MODE
    return open_any(AT_FDCWD, path, flags, mode);
}

HOOK int open64(const char* path, int flags, ...)
{
    READ_MODE
    return open_any(AT_FDCWD, path, flags, mode);
}

HOOK int openat(int folder, const char* path, int flags, ...)
{
    READ_MODE
    return open_any(folder, path, flags, mode);
}

HOOK int openat64(int folder, const char* path, int flags, ...)
{
    READ_MODE
    return open_any(folder, path, flags, mode);
}

HOOK int __open_2(const char* path, int flags)
{
    return open_any(AT_FDCWD, path, flags, 0);
}

HOOK int __open64_2(const char* path, int flags)
{
    return open_any(AT_FDCWD, path, flags, 0);
}

HOOK FILE* fopen(const char* path, const char* mode)
{
    static FILE* (*next)(const char*, const char*);
    char buffer[PATH_MAX];
    FIND_NEXT(next, "fopen");
    return next(redirected(path, buffer), mode);
}

HOOK FILE* fopen64(const char* path, const char* mode)
{
    static FILE* (*next)(const char*, const char*);
    char buffer[PATH_MAX];
    FIND_NEXT(next, "fopen64");
    return next(redirected(path, buffer), mode);
}

HOOK DIR* opendir(const char* path)
{
    static DIR* (*next)(const char*);
    char buffer[PATH_MAX];
    FIND_NEXT(next, "opendir");
    return next(redirected(path, buffer));
}

HOOK int scandir(const char* path, struct dirent*** list, int (*filter)(const struct dirent*),
                 int (*compare)(const struct dirent**, const struct dirent**))
{
    static int (*next)(const char*, struct dirent***, int (*)(const struct dirent*),
                       int (*)(const struct dirent**, const struct dirent**));
    char buffer[PATH_MAX];
    FIND_NEXT(next, "scandir");
    return next(redirected(path, buffer), list, filter, compare);
}

HOOK int scandir64(const char* path, struct dirent64*** list, int (*filter)(const struct dirent64*),
                   int (*compare)(const struct dirent64**, const struct dirent64**))
{
    static int (*next)(const char*, struct dirent64***, int (*)(const struct dirent64*),
                       int (*)(const struct dirent64**, const struct dirent64**));
    char buffer[PATH_MAX];
    FIND_NEXT(next, "scandir64");
    return next(redirected(path, buffer), list, filter, compare);
}

HOOK ssize_t readlink(const char* path, char* target, size_t size)
{
    char buffer[PATH_MAX];
    return syscall(SYS_readlinkat, AT_FDCWD, redirected(path, buffer), target, size);
}

HOOK char* realpath(const char* path, char* resolved)
{
    static char* (*next)(const char*, char*);
    char buffer[PATH_MAX];
    FIND_NEXT(next, "realpath");
    return next(redirected(path, buffer), resolved);
}

HOOK char* __realpath_chk(const char* path, char* resolved, size_t size)
{
    (void)size;
    return realpath(path, resolved);
}

HOOK int access(const char* path, int mode)
{
    char buffer[PATH_MAX];
    return (int)syscall(SYS_faccessat, AT_FDCWD, redirected(path, buffer), mode);
}

static int stat_path(const char* path, struct stat* status, int flags)
{
    char buffer[PATH_MAX];
    const int result = (int)syscall(SYS_newfstatat, AT_FDCWD, redirected(path, buffer), status, flags);
    if (result == 0 && is_device_node(path)) describe_device(status);
    return result;
}

static int stat_descriptor(int descriptor, struct stat* status)
{
    const int result = (int)syscall(SYS_fstat, descriptor, status);
    if (result == 0 && is_device_file(descriptor)) describe_device(status);
    return result;
}

HOOK int stat(const char* path, struct stat* status)
{
    return stat_path(path, status, 0);
}

HOOK int stat64(const char* path, struct stat64* status)
{
    return stat_path(path, (struct stat*)status, 0);
}

HOOK int lstat(const char* path, struct stat* status)
{
    return stat_path(path, status, AT_SYMLINK_NOFOLLOW);
}

HOOK int lstat64(const char* path, struct stat64* status)
{
    return stat_path(path, (struct stat*)status, AT_SYMLINK_NOFOLLOW);
}

HOOK int fstat(int descriptor, struct stat* status)
{
    return stat_descriptor(descriptor, status);
}

HOOK int fstat64(int descriptor, struct stat64* status)
{
    return stat_descriptor(descriptor, (struct stat*)status);
}

/* A driver that polls a fence calls this between two reads. */
HOOK int sched_yield(void)
{
    device_yield();
    return (int)syscall(SYS_sched_yield);
}

HOOK int ioctl(int descriptor, unsigned long request, ...)
{
    enum { drm_type = 'd' };
    va_list arguments;
    void* argument;
    int error;
    va_start(arguments, request);
    argument = va_arg(arguments, void*);
    va_end(arguments);
    if (((request >> 8) & 0xff) != drm_type || !is_device_file(descriptor))
        return (int)syscall(SYS_ioctl, descriptor, request, argument);
    error = device_call(descriptor, (unsigned)(request & 0xff), argument, (request >> 16) & 0x3fff);
    if (error == 0) return 0;
    errno = error;
    return -1;
}
