// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/session/program_process.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/gl/kernel/protocol.h"
#include "testbench/processes/interruption.h"

namespace isbesim::gl {

namespace {

/// Folder of Debian's piglit programs, which is not in the PATH.
constexpr const char* piglit_folder = "/usr/lib/" ISBESIM_MULTIARCH "/piglit/bin/";

void set_environment(const std::string& folder, const std::string& library, graphics_api api)
{
    const char* preloaded = std::getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", (preloaded != nullptr ? library + ":" + preloaded : library).c_str(), 1);
    setenv(ISBESIM_GL_FOLDER, folder.c_str(), 1);
    // Runs do not share compiled shaders.
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    // Only Mesa's driver for these chips, of all installed Vulkan drivers; on older chips it requires consent.
    if (api == graphics_api::vulkan) {
        setenv("VK_LOADER_DRIVERS_SELECT", "nouveau*", 0);
        setenv("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER", "1", 0);
    }
    // Since Mesa 25.1, Turing's OpenGL uses zink by default.
    setenv("NOUVEAU_USE_ZINK", "false", 0);
    if (std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr) return;
    // Without a window system: settings for the usual libraries.
    setenv("EGL_PLATFORM", "surfaceless", 0);
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    setenv("PIGLIT_PLATFORM", "surfaceless_egl", 0);
}

void nothing_to_do(int) {}

constexpr time_t patience = 2;

time_t now()
{
    timespec result{};
    clock_gettime(CLOCK_MONOTONIC, &result);
    return result.tv_sec;
}

// State for the signal handler.
volatile pid_t program_pid = -1;  ///< the program
volatile pid_t handler_pid = -1;  ///< this process; processes that run draws inherit the handler
volatile time_t signalled_at = 0; ///< 0: not yet

void pass_on(int number)
{
    const int before = errno;
    if (getpid() == handler_pid && program_pid > 0) {
        // A signal sent to both the whole group and each process counts once.
        if (signalled_at == 0) kill(program_pid, number);
        if (program_process::outlives_signal()) kill(program_pid, SIGKILL);
        if (signalled_at == 0) signalled_at = now();
    }
    errno = before;
}

} // namespace

program_process::program_process(const std::vector<std::string>& words, const std::string& folder,
                                 const std::string& library, graphics_api api)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    // Signals wait until both processes have their own handlers.
    sigset_t held;
    sigemptyset(&held);
    for (const int number : {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT}) sigaddset(&held, number);
    sigprocmask(SIG_BLOCK, &held, &before_);
    struct sigaction action {};
    action.sa_handler = nothing_to_do;
    sigaction(SIGCHLD, &action, &child_before_);
    process_ = testbench::fork_worker();
    if (process_ == 0) {
        sigaction(SIGCHLD, &child_before_, nullptr);
        std::signal(SIGPIPE, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
        set_environment(folder, library, api);
        // NVK leaves host addresses in constants that no program reads. Where the host allows it, they are the same in
        // every run, and so are captures and compiled scenarios.
        personality(static_cast<unsigned>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        const int error = errno;
        if (error == ENOENT && words[0].find('/') == std::string::npos)
            execv((piglit_folder + words[0]).c_str(), arguments.data());
        if (write(ends[1], &error, sizeof error) != sizeof error) _exit(126);
        _exit(127);
    }
    close(ends[1]);
    int error = process_ < 0 ? errno : 0;
    if (process_ > 0 && read(ends[0], &error, sizeof error) == sizeof error) waitpid(process_, nullptr, 0);
    close(ends[0]);
    if (error != 0) {
        sigaction(SIGCHLD, &child_before_, nullptr);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
        throw std::system_error(error, std::generic_category(), words[0]);
    }
    program_pid = process_;
    handler_pid = getpid();
    signalled_at = 0;
    action.sa_handler = pass_on;
    sigaction(SIGTERM, &action, &end_before_);
    sigaction(SIGHUP, &action, &hang_up_before_);
    action.sa_handler = SIG_IGN;
    sigaction(SIGINT, &action, &interrupt_before_);
    sigaction(SIGQUIT, &action, &quit_before_);
    sigset_t child_ends = before_;
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child_ends, nullptr);
}

program_process::~program_process()
{
    sigaction(SIGINT, &interrupt_before_, nullptr);
    sigaction(SIGQUIT, &quit_before_, nullptr);
    sigaction(SIGTERM, &end_before_, nullptr);
    sigaction(SIGHUP, &hang_up_before_, nullptr);
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool program_process::outlives_signal()
{
    return signalled_at != 0 && now() >= signalled_at + patience;
}

bool program_process::ended()
{
    int status = 0;
    if (ended_ || waitpid(process_, &status, WNOHANG) != process_) return ended_;
    ended_ = true;
    program_pid = -1;
    cut_short_ = signalled_at != 0 || WIFSIGNALED(status);
    constexpr int signal_base = 128;
    status_ = WIFSIGNALED(status) ? signal_base + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

} // namespace isbesim::gl
