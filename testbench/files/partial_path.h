// SPDX-License-Identifier: Apache-2.0
// Partial files and folders, written beside their final places.
#pragma once

#include <filesystem>
#include <functional>

namespace isbesim::testbench {

/// .NAME.partial-PROCESS in the folder of `final`.
std::filesystem::path partial_path(const std::filesystem::path& final);

/// Opens and locks a file or folder until the descriptor is closed, at the latest when the process ends. Returns -1 if
/// another process holds the lock, or if that is unknown (not every file system has locks).
int lock_partial(const std::filesystem::path& path);

/// Calls `make`, which creates `path`, and locks it by `lock` if possible; repeats this if another process has removed
/// it as a leftover meanwhile. Returns false if `path` does not exist in the end.
bool make_and_lock(const std::filesystem::path& path, int& lock, const std::function<void()>& make);

/// Removes the leftovers of killed processes for `final`: unlocked partial paths.
void remove_leftovers(const std::filesystem::path& final);

} // namespace isbesim::testbench
