// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/macro_memory.h"

#include <algorithm>

namespace isbesim::gl {

bool macro_memory::word(std::uint32_t value)
{
    if (write_position_ >= most_words) return false;
    if (write_position_ >= code_.size()) code_.resize(write_position_ + 1);
    code_[write_position_++] = value;
    return true;
}

bool macro_memory::begins_at(std::uint32_t position)
{
    if (number_ >= macros) return false;
    starts_[number_++] = position;
    return true;
}

std::uint32_t macro_memory::start(std::uint32_t number) const
{
    return number < macros ? std::min(starts_[number], words()) : words();
}

} // namespace isbesim::gl
