// SPDX-License-Identifier: Apache-2.0
#include "messages.h"

#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <verilated.h>

namespace {

// The text of an error is printed first, and vl_stop or vl_fatal marks it as an error.
thread_local std::string pending;
thread_local std::string failure;

void print_pending()
{
    std::fputs(pending.c_str(), stdout);
    pending.clear();
}

/// Without the folder, as Verilator tells violated assertions: a plug-in of the cache serves equal files elsewhere.
std::string place(const char* file, int line)
{
    if (file == nullptr || *file == '\0') return "";
    const char* const slash = std::strrchr(file, '/');
    return std::string(slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line) + ": ";
}

void keep(const std::string& text)
{
    failure += (failure.empty() ? "" : "\n") + text;
}

// ---- calls that would end the process -------------------------------------------------------------------------------

constexpr int ending_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
struct sigaction others_action[NSIG]; // of the program

thread_local volatile std::sig_atomic_t guarded = 0;
thread_local sigjmp_buf way_out;

/// A function of the C library: the linker passes the calls of DPI functions to __wrap_... (scripts/rtl).
enum end_call { by_exit = NSIG, by_quick_exit, by_exit_at_once };
constexpr const char* end_call_names[] = {"exit", "quick_exit", "_exit"};
thread_local volatile int end_status = 0;

void on_signal(int number, siginfo_t* about, void* context)
{
    if (guarded != 0) siglongjmp(way_out, number);
    const auto& other = others_action[number];
    if ((other.sa_flags & SA_SIGINFO) != 0) return other.sa_sigaction(number, about, context);
    if (other.sa_handler != SIG_DFL && other.sa_handler != SIG_IGN) return other.sa_handler(number);
    signal(number, SIG_DFL);
    raise(number);
}

bool install_handlers()
{
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; // it is left by a jump, after which nothing must be blocked
    for (const int number : ending_signals) sigaction(number, &action, &others_action[number]);
    return true;
}

void leave(end_call call, int status)
{
    if (guarded == 0) return;
    end_status = status;
    siglongjmp(way_out, call);
}

/// A crash may have left the heap locked or damaged. If it can't be used, the program ends by SIGALRM instead of
/// waiting forever.
void keep_end(int reason)
{
    constexpr unsigned seconds = 5;
    const bool by_call = reason >= by_exit;
    if (!by_call) alarm(seconds);
    keep((by_call ? std::string(end_call_names[reason - by_exit]) + "(" + std::to_string(end_status) + ")"
                  : std::string(strsignal(reason))) +
         " in the block or a function that it imports");
    if (!by_call) alarm(0);
}

} // namespace

extern "C" {
[[noreturn]] void __real_exit(int status);
[[noreturn]] void __real__exit(int status);
[[noreturn]] void __real_quick_exit(int status);
[[noreturn]] void __wrap_exit(int status)
{
    leave(by_exit, status);
    __real_exit(status);
}
[[noreturn]] void __wrap_quick_exit(int status)
{
    leave(by_quick_exit, status);
    __real_quick_exit(status);
}
[[noreturn]] void __wrap__exit(int status)
{
    leave(by_exit_at_once, status);
    __real__exit(status);
}
[[noreturn]] void __wrap__Exit(int status)
{
    __wrap__exit(status);
}
}

bool run_guarded(void (*work)(void*), void* what)
{
    static const bool installed = install_handlers();
    const int reason = sigsetjmp(way_out, 0);
    bool returned = false;
    if (reason == 0) {
        guarded = installed ? 1 : 0;
        try {
            work(what);
            returned = true;
        } catch (const evaluation_ended&) { // its text is kept
        } catch (const std::exception& error) {
            keep(std::string("an exception in a function that the block imports: ") + error.what());
        } catch (...) {
            keep("an exception in a function that the block imports");
        }
    }
    guarded = 0;
    if (reason != 0) keep_end(reason);
    return returned;
}

int isbesim_print(const char* format, ...)
{
    std::va_list values;
    std::va_list again;
    va_start(values, format);
    va_copy(again, values);
    const int length = std::vsnprintf(nullptr, 0, format, values);
    std::vector<char> text(static_cast<std::size_t>(length) + 1);
    std::vsnprintf(text.data(), text.size(), format, again);
    va_end(again);
    va_end(values);
    print_pending();
    pending = text.data();
    if (pending.find("%Error: ") == std::string::npos && pending.find("%Fatal: ") == std::string::npos) print_pending();
    return length;
}

/// $error, $fatal, $stop and violated assertions.
void vl_stop(const char* file, int line, const char*)
{
    const auto text =
        pending.find("%Error: ") != std::string::npos ? pending.find("%Error: ") : pending.find("%Fatal: ");
    if (text == std::string::npos) {
        keep(place(file, line) + "$stop");
        return;
    }
    keep(pending.substr(text + 8, pending.find_last_not_of('\n') - text - 7));
    pending.clear();
}

void vl_finish(const char* file, int line, const char*)
{
    if (Verilated::threadContextp()->gotFinish()) return;
    Verilated::threadContextp()->gotFinish(true);
    keep(place(file, line) + "$finish");
}

/// Errors after which Verilator's run time can't continue, mainly a loop that does not settle.
void vl_fatal(const char* file, int line, const char*, const char* message)
{
    keep(place(file, line) + message);
    throw evaluation_ended{};
}

/// A memory that is not loaded has arbitrary content, and a run with it shows nothing about the block.
void vl_warn(const char* file, int line, const char*, const char* message)
{
    if (std::string_view(message) == "$readmem file not found")
        keep(std::string(file) + ": no such file for $readmem, expected it in the folder in which the program runs, "
                                 "or a path from /");
    else
        isbesim_print("%%Warning: %s%s\n", place(file, line).c_str(), message);
}

std::string take_failure()
{
    if (!pending.empty()) print_pending();
    std::string text;
    text.swap(failure);
    return text;
}
