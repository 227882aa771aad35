// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

namespace {

/// None if reading fails; errno has the reason.
std::optional<std::string> read_to_end(int descriptor)
{
    std::string bytes;
    char block[1U << 16];
    for (;;) {
        const auto got = read(descriptor, block, sizeof block);
        if (got == 0) return bytes;
        if (got > 0)
            bytes.append(block, static_cast<std::size_t>(got));
        else if (errno != EINTR)
            return std::nullopt;
    }
}

files_read* reading = nullptr;

std::vector<std::int64_t> state_of(const std::string& path)
{
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    return {static_cast<std::int64_t>(status.st_dev),
            static_cast<std::int64_t>(status.st_ino),
            status.st_size,
            status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec,
            status.st_ctim.tv_sec,
            status.st_ctim.tv_nsec};
}

} // namespace

files_read::files_read()
{
    reading = this;
}

files_read::~files_read()
{
    if (reading == this) reading = nullptr;
}

void files_read::add(const std::string& path)
{
    entries_.push_back({path, state_of(path)});
}

bool files_read::are_as_before() const
{
    return std::all_of(entries_.begin(), entries_.end(),
                       [](const entry& each) { return !each.state.empty() && each.state == state_of(each.path); });
}

std::string read_file(const std::string& path, const std::string& expected)
{
    if (reading != nullptr) reading->add(path);
    struct stat status {};
    std::string reason;
    if (stat(path.c_str(), &status) != 0) {
        reason = std::strerror(errno);
    } else if (S_ISDIR(status.st_mode)) {
        reason = "it is a folder";
    } else if (S_ISFIFO(status.st_mode)) { // its size is unknown
        const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        const auto bytes = descriptor < 0 ? std::nullopt : read_to_end(descriptor);
        reason = std::strerror(errno);
        if (descriptor >= 0) close(descriptor);
        if (bytes) return *bytes;
    } else {
        std::ifstream file(path, std::ios::binary);
        std::string bytes(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)), '\0');
        if (file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return bytes;
        reason = std::strerror(errno);
    }
    throw input_error({path}, "cannot be read (" + reason + "), expected " + expected);
}

std::string input_name(const std::string& file)
{
    return file == "-" ? "standard-input" : file;
}

std::string read_input(const std::string& file, const std::string& expected)
{
    if (file != "-") return read_file(file, expected);
    if (auto bytes = read_to_end(STDIN_FILENO)) return *std::move(bytes);
    throw input_error({input_name(file)},
                      "cannot be read (" + std::string(std::strerror(errno)) + "), expected " + expected);
}

bool write_file(const std::string& path, std::string_view content)
{
    std::ofstream file(path, std::ios::binary);
    std::optional<unfinished> half;
    if (file) half.emplace(path);
    file << content;
    file.close();
    if (file.good()) return true;
    const int reason = errno;
    std::error_code ignored;
    if (half && std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
    errno = reason;
    return false;
}

void write_file(const std::string& path, std::string_view content, const source_place& asked_at)
{
    if (write_file(path, content)) return;
    throw input_error(asked_at, "'" + path + "' can't be written (" + std::strerror(errno) +
                                    "), expected a file name in a folder that can be written to and has room");
}

void write_output(const std::string& path, std::string_view content, const source_place& asked_at, std::ostream& out,
                  bool binary)
{
    if (path != "-") {
        write_file(path, content, asked_at);
        return;
    }
    if (binary && isatty(STDOUT_FILENO) != 0)
        throw input_error(asked_at, "binary is nothing for a terminal, expected a file or a pipe for standard output");
    out << content;
}

} // namespace isbesim::testbench
