// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/macro_memory.h"

namespace isbesim::gl {

macro_memory::macro_memory(std::uint32_t three_d_class)
{
    constexpr std::uint32_t turing = 0xc597;
    instruction_words_ = three_d_class >= turing ? 3 : 1;
    starts_.fill(most_places * instruction_words_);
}

bool macro_memory::append(std::uint32_t value)
{
    if (write_word_ >= word_of(most_places)) return false;
    if (write_word_ >= code_.size()) code_.resize(write_word_ + 1);
    code_[write_word_++] = value;
    return true;
}

bool macro_memory::set_start(std::uint32_t place)
{
    if (number_ >= macros) return false;
    starts_[number_++] = word_of(place);
    return true;
}

std::uint32_t macro_memory::start(std::uint32_t number) const
{
    return number < macros ? std::min(starts_[number], words()) : words();
}

} // namespace isbesim::gl
