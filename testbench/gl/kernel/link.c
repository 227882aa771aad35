/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/gl/kernel/link.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { high_descriptor = 700, lost_status = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int socket_descriptor = -1;
static int forks_watched = 0;
static struct link_facts facts = {-1, 0, 0, 0, 0, {0}, 0};

static void say(const char* text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static void lost(void)
{
    say("isbesim: the simulator has ended, so this program can't go on\n");
    _exit(lost_status);
}

/* Moves a descriptor away from the small numbers that a program may expect to get. */
static int move_up(int descriptor)
{
    const int high = fcntl(descriptor, F_DUPFD_CLOEXEC, high_descriptor);
    if (high < 0) return descriptor;
    syscall(SYS_close, descriptor);
    return high;
}

/* The child opens its own connection when it needs one; the parent's must end with the parent. */
static void after_fork(void)
{
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    if (socket_descriptor >= 0) syscall(SYS_close, socket_descriptor);
    socket_descriptor = -1;
    mutex = unlocked;
}

const char* link_folder(void)
{
    return getenv(ISBESIM_GL_FOLDER);
}

static int exchange(struct isbesim_gl_request* request, const void* payload, size_t bytes,
                    struct isbesim_gl_reply* reply, int* descriptor)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec out[2] = {{request, sizeof *request}, {(void*)(uintptr_t)payload, bytes}};
    struct iovec in = {reply, sizeof *reply};
    struct msghdr question = {.msg_iov = out, .msg_iovlen = bytes != 0 ? 2 : 1};
    struct msghdr answer = {
        .msg_iov = &in, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got;
    request->protocol = ISBESIM_GL_PROTOCOL;
    do {
        got = sendmsg(socket_descriptor, &question, MSG_NOSIGNAL);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return -1;
    do {
        got = recvmsg(socket_descriptor, &answer, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *reply) return -1;
    if (descriptor != NULL) {
        const struct cmsghdr* header = CMSG_FIRSTHDR(&answer);
        if (header == NULL || header->cmsg_type != SCM_RIGHTS) return -1;
        memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    }
    return 0;
}

static int connect_now(const char* folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct isbesim_gl_request hello = {.kind = ISBESIM_GL_HELLO, .process = (uint32_t)getpid()};
    struct isbesim_gl_reply reply;
    struct stat status;
    int memory = -1;
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder) >= (int)sizeof address.sun_path)
        return -1;
    socket_descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (socket_descriptor < 0) return -1;
    socket_descriptor = move_up(socket_descriptor);
    if (connect(socket_descriptor, (const struct sockaddr*)&address, sizeof address) != 0) return -1;
    hello.window_system = getenv(ISBESIM_GL_WINDOW_SYSTEM) != NULL;
    if (exchange(&hello, NULL, 0, &reply, &memory) != 0 || reply.error != 0) return -1;
    if (facts.memory >= 0) syscall(SYS_close, facts.memory); /* a forked process has its parent's until now */
    facts.memory = move_up(memory);
    facts.chipset = reply.chipset;
    facts.device_id = reply.device_id;
    memcpy(facts.classes, reply.classes, sizeof facts.classes);
    facts.spaces = reply.spaces != 0;
    if (syscall(SYS_fstat, facts.memory, &status) != 0) return -1;
    facts.device = status.st_dev;
    facts.inode = status.st_ino;
    if (!forks_watched) forks_watched = pthread_atfork(NULL, NULL, after_fork) == 0;
    return 0;
}

static const struct link_facts* open_locked(void)
{
    const char* folder = link_folder();
    if (folder == NULL) return NULL;
    if (socket_descriptor < 0 && connect_now(folder) != 0) lost();
    return &facts;
}

const struct link_facts* link_open(void)
{
    const struct link_facts* result;
    pthread_mutex_lock(&mutex);
    result = open_locked();
    pthread_mutex_unlock(&mutex);
    return result;
}

int link_is_open(void)
{
    int result;
    pthread_mutex_lock(&mutex);
    result = socket_descriptor >= 0;
    pthread_mutex_unlock(&mutex);
    return result;
}

int link_ask(struct isbesim_gl_request* request, const void* payload, size_t bytes, struct isbesim_gl_reply* reply)
{
    pthread_mutex_lock(&mutex);
    if (open_locked() == NULL || exchange(request, payload, bytes, reply, NULL) != 0) lost();
    pthread_mutex_unlock(&mutex);
    return reply->error;
}
