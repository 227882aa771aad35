// Everything that can be wrong with a draw by itself, before it meets a machine.
#pragma once

#include <stdexcept>

#include "models/pe/draw.h"

namespace isbesim {

/// The draw is wrong: the text says what was found and what was expected.
class draw_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws draw_error for stage combinations and topologies that do not go together, a program of another architecture,
/// data shorter than the draw, values outside their range.
void validate_draw(const draw_call& draw);

} // namespace isbesim
