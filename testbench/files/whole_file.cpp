#include "testbench/files/whole_file.h"

#include <system_error>

#include <unistd.h>

#include "testbench/files/partial_path.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;

whole_file::whole_file(const std::string& path) : owner_(getpid())
{
    std::error_code none;
    final_ = fs::weakly_canonical(fs::absolute(path, none), none);
    const auto status = fs::status(final_, none);
    if (fs::exists(status) && access(final_.c_str(), W_OK) != 0) return;
    if (!fs::exists(status) || fs::is_regular_file(status)) {
        remove_leftovers(final_);
        partial_ = partial_path(final_);
        unfinished_.emplace(partial_.string());
        constexpr unsigned attempts = 10; // until it is locked another process takes it for a leftover
        for (unsigned i = 0; i < attempts; ++i) {
            stream_.open(partial_, std::ios::binary | std::ios::trunc);
            if (!stream_.is_open()) break;
            lock_ = lock_partial(partial_);
            if (fs::exists(partial_, none)) return;
            stream_.close();
            if (lock_ >= 0) close(lock_);
            lock_ = -1;
        }
        unfinished_.reset();
        partial_.clear();
    }
    stream_.clear();
    stream_.open(path, std::ios::binary | std::ios::trunc);
    if (stream_.is_open()) unfinished_.emplace(path);
}

whole_file::~whole_file()
{
    if (!finished_ && stream_.is_open() && owner_ == getpid()) {
        stream_.close();
        std::error_code none;
        const auto& written = partial_.empty() ? final_ : partial_;
        if (fs::is_regular_file(written, none)) fs::remove(written, none);
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
    if (!finished_) {
        const auto& written = partial_.empty() ? final_ : partial_;
        if (fs::is_regular_file(written, failed)) fs::remove(written, failed);
    }
    return finished_;
}

} // namespace isbesim::testbench
