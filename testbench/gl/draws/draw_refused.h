// SPDX-License-Identifier: Apache-2.0
// Exception for a draw that the model can't run; its text is the reason.
#pragma once

#include <stdexcept>

namespace isbesim::gl {

class draw_refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace isbesim::gl
