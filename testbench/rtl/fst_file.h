// SPDX-License-Identifier: Apache-2.0
// Checks that an FST file is complete.
#pragma once

#include <string>

namespace isbesim::testbench {

/// False for a regular file whose blocks do not add up to its size: the library that writes FST does not report a full
/// disk. (A block has a byte of kind and eight of length, most significant first; the first is the header, with the
/// number of value change blocks; names and sizes of the signals come last.) True for a pipe or device.
bool fst_is_whole(const std::string& path);

} // namespace isbesim::testbench
