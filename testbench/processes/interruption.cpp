// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/interruption.h"

#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testbench/processes/exit_status.h"

namespace isbesim::testbench {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
constexpr const char* signal_names[] = {"SIGINT",  "SIGTERM", "SIGHUP",  "SIGPIPE",
                                        "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU"};

enum class state : std::uint8_t { unused, file, folder, kept };

// Data of the signal handler: nothing here is ever allocated or freed. What a slot holds is apart from its path, so
// that a search among the slots touches one page of memory.
constexpr std::size_t slot_count = 24;
std::atomic<state> slots[slot_count];
char paths[slot_count][PATH_MAX];
std::atomic<bool> line_is_open{false};
std::atomic<bool> is_worker{false}; ///< another process reports to the user

// ---- in the signal handler: system calls only -----------------------------------------------------------------------

void remove_folder(int parent, const char* name, unsigned depth);

void remove_entries(int folder, unsigned depth)
{
    struct entry { // linux_dirent64, as the kernel writes it
        std::uint64_t inode;
        std::int64_t offset;
        std::uint16_t length;
        std::uint8_t type;
        char name[1];
    };
    alignas(entry) char block[2048];
    for (;;) {
        const auto bytes = syscall(SYS_getdents64, folder, block, sizeof block);
        if (bytes <= 0) return;
        for (long at = 0; at < bytes;) {
            const auto* each = reinterpret_cast<const entry*>(block + at);
            at += each->length;
            if (std::strcmp(each->name, ".") == 0 || std::strcmp(each->name, "..") == 0) continue;
            if (unlinkat(folder, each->name, 0) != 0) remove_folder(folder, each->name, depth + 1);
        }
    }
}

void remove_folder(int parent, const char* name, unsigned depth)
{
    if (depth > 8) return; // results have few levels
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    remove_entries(folder, depth);
    close(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/// Returns true if there was something to remove.
bool remove_what(std::size_t slot)
{
    const auto holds = slots[slot].load();
    const char* const path = paths[slot];
    struct stat status {};
    if (holds == state::folder) {
        remove_folder(AT_FDCWD, path, 0);
        return true;
    }
    if (holds != state::file || lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    unlink(path);
    return true;
}

bool remove_unfinished()
{
    bool any = false;
    for (std::size_t slot = 0; slot < slot_count; ++slot) any |= remove_what(slot);
    return any;
}

void say(const char* text)
{
    for (auto left = std::strlen(text); left > 0;) {
        const auto written = write(STDERR_FILENO, text, left);
        if (written <= 0) return;
        text += written;
        left -= static_cast<std::size_t>(written);
    }
}

/// Ends the program as without a handler.
[[noreturn]] void end_by(int number)
{
    signal(number, SIG_DFL);
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, number);
    pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
    raise(number);
    _exit(128 + number);
}

void handle(int number)
{
    const bool removed = remove_unfinished();
    if (is_worker.load()) end_by(number);
    if (line_is_open.load()) say("\r\033[K");
    for (std::size_t i = 0; i < std::size(signals); ++i) {
        if (signals[i] != number || number == SIGPIPE) continue;
        say("isbesim: ended by ");
        say(signal_names[i]);
        say(removed ? ", its files are removed\n" : "\n");
    }
    end_by(number);
}

/// A block or a library called exit() while something is unfinished.
void handle_exit()
{
    if (!remove_unfinished()) return;
    if (line_is_open.load()) say("\r\033[K");
    say("isbesim: ended by exit() in a block or a library, its files are removed\n");
    _exit(exit_status::check_failed);
}

/// The disk is full: only this signal reports it to a writer of mapped memory.
void handle_lost_page(int number, siginfo_t* about, void*)
{
    if (about->si_code != BUS_ADRERR) end_by(number); // an internal error
    remove_unfinished();
    if (line_is_open.load()) say("\r\033[K");
    say("isbesim: error: a file could not be written completely: no room for a page of it\n");
    _exit(exit_status::internal_error); // as write_error
}

} // namespace

void clean_up_when_interrupted()
{
    // Not on the stack of the coroutine that happens to run.
    static char stack[1U << 16];
    stack_t own{};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    sigaltstack(&own, nullptr);
    std::atexit(handle_exit);
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (const int number : signals) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler == SIG_IGN && number != SIGPIPE) continue; // nohup, or in a script's background
        sigaction(number, &action, nullptr);
    }
    // Without room a write fails with its own error. A handler, since programs that this one starts would also ignore
    // it.
    action.sa_handler = [](int) {};
    sigaction(SIGXFSZ, &action, nullptr);
    action.sa_sigaction = handle_lost_page;
    action.sa_flags |= SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
}

unfinished::unfinished(const std::string& path, kind what) : slot_(0)
{
    std::error_code error;
    auto text = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
    if (text.empty()) text = path;
    while (slot_ < slot_count && slots[slot_].load() != state::unused) ++slot_;
    if (slot_ == slot_count) throw std::logic_error("too many files are being written at once");
    if (text.size() >= PATH_MAX) text.clear(); // such a file cannot exist
    std::memcpy(paths[slot_], text.c_str(), text.size() + 1);
    slots[slot_].store(what == kind::folder ? state::folder : state::file);
}

unfinished::~unfinished()
{
    slots[slot_].store(state::unused);
}

void unfinished::remove() const
{
    remove_what(slot_);
}

void unfinished::keep_all()
{
    for (auto& each : slots)
        if (each.load() != state::unused) each.store(state::kept);
}

uninterrupted::uninterrupted()
{
    sigset_t all;
    sigemptyset(&all);
    for (const int number : signals) sigaddset(&all, number);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
}

uninterrupted::~uninterrupted()
{
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

pid_t fork_worker()
{
    const uninterrupted until_it_is_known;
    const auto process = fork();
    if (process == 0) {
        unfinished::keep_all();
        is_worker.store(true);
        line_is_open.store(false);
    }
    return process;
}

void open_line_on_terminal(bool open)
{
    line_is_open.store(open);
}

} // namespace isbesim::testbench
