// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/whole_file.h"

#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace isbesim::testbench {
namespace fs = std::filesystem;

namespace {

/// /dev/stdout, /dev/fd/3 and similar: their files are already open, with a reader or an offset of their own.
bool is_descriptor(const std::string& path)
{
    return path.compare(0, 5, "/dev/") == 0 || path.compare(0, 6, "/proc/") == 0;
}

} // namespace

whole_file::whole_file(const std::string& path) : owner_(getpid())
{
    std::error_code ignored;
    final_ = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
    const auto status = fs::status(final_, ignored);
    if (fs::exists(status) && access(final_.c_str(), W_OK) != 0) return;
    if (!is_descriptor(path) && (!fs::exists(status) || fs::is_regular_file(status))) {
        remove_leftovers(final_);
        partial_ = partial_path(final_);
        unfinished_.emplace(partial_.string());
        const bool created = make_and_lock(partial_, lock_, [this] {
            stream_.close();
            stream_.clear();
            stream_.open(partial_, std::ios::binary | std::ios::trunc);
        });
        if (created && stream_.is_open()) return;
        unfinished_.reset();
        partial_.clear();
    }
    stream_.close();
    stream_.clear();
    stream_.open(path, std::ios::binary | std::ios::trunc);
    if (stream_.is_open()) unfinished_.emplace(path);
}

whole_file::~whole_file()
{
    if (!finished_ && stream_.is_open() && owner_ == getpid()) {
        stream_.close();
        remove_partial();
    }
    if (lock_ >= 0) close(lock_);
}

void whole_file::write(const void* bytes, std::size_t count)
{
    stream_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
}

bool whole_file::finish()
{
    stream_.close();
    std::error_code failed;
    if (stream_.good()) {
        const uninterrupted whole;
        if (!partial_.empty()) fs::rename(partial_, final_, failed);
        finished_ = !failed;
        if (finished_) unfinished_.emplace(final_.string());
    }
    if (!finished_) remove_partial();
    return finished_;
}

void whole_file::remove_partial() const
{
    std::error_code ignored;
    if (!partial_.empty()) fs::remove(partial_, ignored);
}

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
        std::error_code ignored;
        if (fs::exists(path, ignored)) return true;
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
