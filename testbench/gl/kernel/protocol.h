/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol between the preloaded library and `isbesim gl` or `isbesim vk`: requests and replies, in turn, on a
 * SOCK_SEQPACKET socket per process. Both sides are from one build, which `hello` checks, so the structures are sent
 * unchanged. */
#ifndef ISBESIM_GL_KERNEL_PROTOCOL_H
#define ISBESIM_GL_KERNEL_PROTOCOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ISBESIM_GL_PROTOCOL 8u
/* Environment variable of the program: the private folder, which contains `socket` and the device tree `root`. */
#define ISBESIM_GL_FOLDER "ISBESIM_GL_FOLDER"
/* Set for the processes of a window system that a session started for its program (scripts/x11). */
#define ISBESIM_GL_WINDOW_SYSTEM "ISBESIM_GL_WINDOW_SYSTEM"
/* Size of the memfd, which is all GPU memory; also identifies device files that came from another process. */
#define ISBESIM_GL_MEMORY_BYTES ((uint64_t)1 << 36)
/* A device file's number is its file position divided by this; it survives dup, fork and sending to other processes. */
#define ISBESIM_GL_FILE_STEP 4096
/* The kernel's limit of push entries in a submission. */
#define ISBESIM_GL_MOST_PIECES 512u
/* The kernel's limit of buffers in a submission: those that the GPU may access. */
#define ISBESIM_GL_MOST_BUFFERS 1024u
/* Room for the classes of a chip; unused entries at the end are 0. */
#define ISBESIM_GL_MOST_CLASSES 8u
/* A new buffer that no program will map. */
#define ISBESIM_GL_HIDDEN 1u

enum isbesim_gl_request_kind {
    ISBESIM_GL_HELLO = 1,       /* process, window_system; the reply has the chip's facts, and carries the memfd */
    ISBESIM_GL_OPEN_DEVICE,     /* the reply has the new file */
    ISBESIM_GL_NEW_BUFFER,      /* buffer.bytes, domain, tile_*; alignment; object: ISBESIM_GL_HIDDEN, or 0 */
    ISBESIM_GL_DESCRIBE_BUFFER, /* buffer.handle */
    ISBESIM_GL_CLOSE_BUFFER,    /* buffer.handle */
    ISBESIM_GL_SHARE_BUFFER,    /* buffer.handle; it now lives at least as long as the file */
    ISBESIM_GL_IMPORT_BUFFER,   /* buffer.handle of any file */
    ISBESIM_GL_NEW_CHANNEL,     /* the reply has the channel, and buffer.handle of its notifier */
    ISBESIM_GL_CLOSE_CHANNEL,   /* channel */
    ISBESIM_GL_BIND_CLASS,      /* channel, object: the class that a channel will use; EINVAL if the chip lacks it */
    ISBESIM_GL_SUBMIT, /* channel, pieces, buffers: as many isbesim_gl_piece after the request, and handles after those
                        */
    ISBESIM_GL_FRAME_END, /* the program showed a frame */
    ISBESIM_GL_DRIVER,    /* object: an OpenGL driver was started in this process */
    ISBESIM_GL_WAIT,      /* until the GPU is done with buffer.handle; 0: with everything */
    /* Only where the reply of `hello` offers spaces: */
    ISBESIM_GL_NEW_SPACE,     /* gives the file an address space, which the driver fills */
    ISBESIM_GL_MAP,           /* buffer.handle from byte `alignment` on, at buffer.address, of buffer.bytes;
                                 handle 0: sparse addresses without memory */
    ISBESIM_GL_UNMAP,         /* buffer.address, buffer.bytes */
    ISBESIM_GL_EXECUTE,       /* like submit; pieces name no buffer, their offset is the address */
    ISBESIM_GL_NEW_SYNC,      /* the reply's buffer.handle: a new synchronisation object */
    ISBESIM_GL_CLOSE_SYNC,    /* buffer.handle */
    ISBESIM_GL_DESCRIBE_SYNC, /* buffer.handle; the reply's `fences` and `point` */
    ISBESIM_GL_SET_SYNC,      /* buffer.handle, object: enum isbesim_gl_sync, point */
    ISBESIM_GL_SHARE_SYNC,    /* buffer.handle; it now lives at least as long as the file */
    ISBESIM_GL_IMPORT_SYNC    /* buffer.handle of any file */
};

/* Work is done at once, so an object has no fence or a passed fence, never a pending one. */
enum isbesim_gl_sync { ISBESIM_GL_SYNC_RESET, ISBESIM_GL_SYNC_SIGNAL };

enum isbesim_gl_driver {
    ISBESIM_GL_SOME_DRIVER = 1, /* Mesa looks for a driver */
    ISBESIM_GL_LLVMPIPE,
    ISBESIM_GL_SOFTPIPE,
    ISBESIM_GL_ZINK
};

struct isbesim_gl_buffer {
    uint64_t address; /* in the GPU's address space, and in the memfd */
    uint64_t bytes;
    uint32_t handle; /* one number space for all files */
    uint32_t domain;
    uint32_t tile_mode;
    uint32_t tile_flags;
};

struct isbesim_gl_request {
    uint32_t kind;
    uint32_t protocol;
    uint32_t file;
    uint32_t channel;
    uint32_t process;
    uint32_t pieces;
    uint32_t object;
    uint32_t buffers;
    uint32_t window_system; /* not 0: a process of a window system */
    uint32_t unused;
    uint64_t alignment;
    uint64_t point; /* of a timeline; 0: no timeline */
    struct isbesim_gl_buffer buffer;
};

/* A run of push buffer words. */
struct isbesim_gl_piece {
    uint64_t offset; /* in the buffer; or an address */
    uint32_t handle;
    uint32_t bytes;
};

struct isbesim_gl_reply {
    int32_t error; /* errno value, 0 on success */
    uint32_t file;
    uint32_t channel;
    uint32_t chipset;   /* in the driver's numbering: 0x117 GM107, ... */
    uint32_t device_id; /* PCI */
    uint32_t classes[ISBESIM_GL_MOST_CLASSES];
    uint32_t fences; /* of submit and wait: not 0 when programs do not see all of them yet; of a synchronisation
                        object: not 0 when it has one */
    uint32_t spaces; /* not 0: files can have their own address spaces, for Vulkan's driver */
    uint64_t point;  /* the last passed point of a timeline */
    struct isbesim_gl_buffer buffer;
};

#ifdef __cplusplus
}
#endif

#endif
