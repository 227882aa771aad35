// SPDX-License-Identifier: Apache-2.0
// Files and folders that are being written, beside the place that they are for.
#pragma once

#include <filesystem>
#include <functional>

namespace isbesim::testbench {

/// .NAME.partial-PROCESS in the folder of `final`.
std::filesystem::path partial_path(const std::filesystem::path& final);

/// Opens and locks a file or folder until the descriptor is closed, as it is when the process ends; -1 when another
/// process has it, or when that can't be known (not every file system has locks).
int lock_partial(const std::filesystem::path& path);

/// Calls `make`, which puts something at `path`, and locks it into `lock` where that can be done; again when another
/// process has taken it for a leftover meanwhile. False when nothing is there in the end.
bool make_and_lock(const std::filesystem::path& path, int& lock, const std::function<void()>& make);

/// Removes what killed processes have left of `final`: unlocked partial paths.
void remove_leftovers(const std::filesystem::path& final);

} // namespace isbesim::testbench
