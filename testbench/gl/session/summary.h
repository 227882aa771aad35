// SPDX-License-Identifier: Apache-2.0
// What a session tells at its end.
#pragma once

#include <iosfwd>
#include <string>

#include "testbench/gl/channel/tally.h"

namespace isbesim::gl {

void print_summary(std::ostream& out, const tally& counts, bool executing);
/// One line where programs used other drivers than the device's; nothing where none did.
std::string other_drivers(const tally& counts);
/// One line where draws of some frames were asked for and no frame was seen to end; else nothing.
std::string frames_unseen(const tally& counts);

} // namespace isbesim::gl
