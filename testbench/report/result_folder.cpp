// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/result_folder.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "testbench/files/files.h"
#include "testbench/files/partial_path.h"
#include "testbench/files/write_error.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;

namespace {

/// A folder may be replaced if it is empty or an earlier result. A comparison always may: it can be made again from its
/// results.
bool replaceable(const fs::path& path, const char* mark)
{
    return fs::is_empty(path) || fs::exists(path / mark) || fs::exists(path / comparison_file);
}

} // namespace

result_folder::result_folder(const std::string& path, const source_place& asked_at, const char* mark)
{
    try {
        final_ = fs::weakly_canonical(fs::absolute(path));
        if (final_.filename().empty()) final_ = final_.parent_path();
        if (fs::exists(final_) && !fs::is_directory(final_)) {
            throw input_error(asked_at, "'" + path + "' is a file, expected a folder for the results");
        }
        if (fs::exists(final_) && !replaceable(final_, mark)) {
            throw input_error(asked_at, "'" + path +
                                            "' holds files that are no result of isbesim, expected a new or "
                                            "empty folder or an earlier result");
        }
        fs::create_directories(final_.parent_path());
        remove_leftovers(final_);
        make_partial();
    } catch (const fs::filesystem_error& error) {
        throw input_error(asked_at, "results can't be written to '" + path + "' (" + error.code().message() +
                                        "), expected a folder that can be created");
    }
}

result_folder::~result_folder()
{
    std::error_code ignored;
    if (!committed_) fs::remove_all(partial_, ignored);
    if (lock_ >= 0) close(lock_);
}

void result_folder::make_partial()
{
    partial_ = partial_path(final_);
    unfinished_.emplace(partial_.string(), unfinished::kind::folder);
    fs::remove_all(partial_);
    if (make_and_lock(partial_, lock_, [this] { fs::create_directory(partial_); })) return;
    throw fs::filesystem_error("", partial_, std::make_error_code(std::errc::device_or_resource_busy));
}

void result_folder::write(const std::string& name, std::string_view content) const
{
    if (!write_file(file(name), content)) throw write_error::incomplete(file(name), errno);
}

void result_folder::commit()
{
    const uninterrupted whole;
    // Exchanging the two names leaves no moment without a result; other file systems get two renames.
    if (fs::exists(final_)) {
        if (renameat2(AT_FDCWD, partial_.c_str(), AT_FDCWD, final_.c_str(), RENAME_EXCHANGE) == 0) {
            committed_ = true;
            unfinished::keep_all();
            std::error_code ignored; // the new results are already in place
            fs::remove_all(partial_, ignored);
            return;
        }
        const auto old = fs::path(partial_.string() + ".old");
        fs::rename(final_, old);
        fs::rename(partial_, final_);
        fs::remove_all(old);
    } else {
        fs::rename(partial_, final_);
    }
    committed_ = true;
    unfinished::keep_all();
}

} // namespace isbesim::testbench
