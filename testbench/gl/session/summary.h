// What a session tells at its end.
#pragma once

#include <iosfwd>

#include "testbench/gl/channel/tally.h"

namespace isbesim::gl {

void print_summary(std::ostream& out, const tally& counts, bool executing);

} // namespace isbesim::gl
