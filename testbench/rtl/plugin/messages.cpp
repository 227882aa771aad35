// SPDX-License-Identifier: Apache-2.0
#include "messages.h"

#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <vector>

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

std::string place(const char* file, int line)
{
    return file != nullptr && *file != '\0' ? std::string(file) + ":" + std::to_string(line) + ": " : "";
}

void keep(const std::string& text)
{
    failure += (failure.empty() ? "" : "\n") + text;
}

} // namespace

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
