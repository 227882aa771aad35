// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/partial_path.h"

#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace isbesim::testbench {

namespace fs = std::filesystem;

namespace {

/// The beginning of partial names; the number of the process follows.
std::string partial_name(const fs::path& final)
{
    return "." + final.filename().string() + ".partial-";
}

} // namespace

fs::path partial_path(const fs::path& final)
{
    return final.parent_path() / (partial_name(final) + std::to_string(getpid()));
}

int lock_partial(const fs::path& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    close(file);
    return -1;
}

bool make_and_lock(const fs::path& path, int& lock, const std::function<void()>& make)
{
    constexpr unsigned attempts = 10;
    for (unsigned i = 0; i < attempts; ++i) {
        make();
        lock = lock_partial(path);
        std::error_code none;
        if (fs::exists(path, none)) return true;
        if (lock >= 0) close(lock);
        lock = -1;
    }
    return false;
}

void remove_leftovers(const fs::path& final)
{
    const auto begin = partial_name(final);
    std::error_code error; // if the folder cannot be listed or cleared, writing goes on
    for (fs::directory_iterator each(final.parent_path(), error), end; !error && each != end; each.increment(error)) {
        const auto name = each->path().filename().string();
        if (name.compare(0, begin.size(), begin) != 0 ||
            name.find_first_not_of("0123456789", begin.size()) < name.size())
            continue;
        const int lock = lock_partial(each->path());
        if (lock < 0) continue; // another process writes there now
        std::error_code ignored;
        fs::remove_all(each->path(), ignored);
        close(lock);
    }
}

} // namespace isbesim::testbench
