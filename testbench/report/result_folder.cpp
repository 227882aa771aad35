// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/result_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#include "testbench/files/files.h"
#include "testbench/files/whole_file.h"
#include "testbench/files/write_error.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;

namespace {

/// The file that holds the name of the command whose result it is, and the files that it has written.
constexpr const char* mark = ".isbesim";

/// All files below a folder, relative to it.
std::set<std::string> files_in(const fs::path& folder)
{
    std::set<std::string> names;
    for (const auto& each : fs::recursive_directory_iterator(folder))
        if (each.is_symlink() || !each.is_directory()) names.insert(each.path().lexically_relative(folder).string());
    return names;
}

/// The command whose results a folder holds, "" if it is new or empty, "?" if other files are in it.
std::string holder_of(const fs::path& path)
{
    if (!fs::exists(path) || fs::is_empty(path)) return "";
    const bool has_mark = fs::exists(path / mark);
    if (!has_mark && !fs::exists(path / "report.json")) return "?"; // not to walk through a folder of a user's
    auto others = files_in(path);
    if (has_mark) {
        others.erase(mark);
        std::istringstream lines(read_file((path / mark).string(), "the name of a command"));
        std::string command, name;
        std::getline(lines, command);
        bool is_listed = false; // version 1.0.0 wrote the command alone
        for (; std::getline(lines, name); is_listed = true) others.erase(name);
        return is_listed && !others.empty() ? "?" : command;
    }
    // In version 1.0.0, results of `run` had no mark.
    for (const auto* name : {"report.json", "report.md", "report.html", "vertices.csv", "windows.csv"})
        others.erase(name);
    return others.empty() ? "run" : "?";
}

bool writes_reports(const std::string& command)
{
    return command == "run" || command == "replay" || command == "crosscheck" || command == "traffic";
}

fs::path folder_at(const std::string& path)
{
    auto folder = fs::weakly_canonical(fs::absolute(path));
    if (folder.filename().empty()) folder = folder.parent_path();
    return folder;
}

bool is_in(const fs::path& file, const fs::path& folder)
{
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

} // namespace

result_folder::result_folder(result_place place) : command_(place.command)
{
    // A named folder with reports of another command is replaced, the default folder is not.
    const auto is_free = [&](const std::string& holder) {
        return holder.empty() || holder == command_ ||
               (!place.is_default && writes_reports(holder) && writes_reports(command_));
    };
    try {
        final_ = folder_at(place.path);
        if (fs::exists(final_) && !fs::is_directory(final_))
            throw input_error(place.asked_at, "'" + place.path + "' is a file, expected a folder for the results");
        if (fs::is_symlink(fs::symlink_status(final_)))
            throw input_error(place.asked_at,
                              "'" + place.path + "' is a link to nothing, expected a folder for the results");
        auto holder = holder_of(final_);
        if (place.is_default && !is_free(holder)) {
            place.path += "_" + command_;
            final_ = folder_at(place.path);
            holder = holder_of(final_);
        }
        if (!is_free(holder))
            throw input_error(
                place.asked_at,
                "'" + place.path + "' holds " +
                    (holder == "?" ? "files that are no result of isbesim" : "the results of isbesim " + holder) +
                    ", expected a new or empty folder or an earlier result of isbesim " + command_);
        for (const auto& each : place.files) {
            if (each.option == "--out") continue;
            if (each.path == final_) each.refuse("which --out writes, too; expected another file");
            if (is_in(each.path, final_)) each.refuse("in the folder that --out replaces; expected a file elsewhere");
        }
        fs::create_directories(final_.parent_path());
        remove_leftovers(final_);
        make_partial();
    } catch (const fs::filesystem_error& error) {
        throw input_error(place.asked_at, "results can't be written to '" + place.path + "' (" +
                                              error.code().message() + "), expected a folder that can be created");
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
    auto marked = command_ + "\n";
    for (const auto& name : files_in(partial_)) marked += name + "\n";
    write(mark, marked);
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
