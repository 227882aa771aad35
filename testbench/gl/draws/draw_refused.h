// SPDX-License-Identifier: Apache-2.0
// A draw that the model can't run as it is: by name, and nothing is written.
#pragma once

#include <stdexcept>

namespace isbesim::gl {

class draw_refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace isbesim::gl
