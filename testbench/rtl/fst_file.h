// SPDX-License-Identifier: Apache-2.0
// Whether an FST file is whole.
#pragma once

#include <string>

namespace isbesim::testbench {

/// False for a regular file whose blocks do not add up to it: the library that writes FST says nothing of a disk that
/// fills up. (Blocks are a byte of kind and eight of length, most significant first; the first is the header, which
/// counts those of value changes; the names and sizes of the signals come last.) True for a pipe or device.
bool fst_is_whole(const std::string& path);

} // namespace isbesim::testbench
