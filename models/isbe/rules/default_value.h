// SPDX-License-Identifier: Apache-2.0
// The value that a load of a disabled attribute returns (micro-architecture section 4.2, default value).
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// `bits` is ATTRIBUTE_DEFAULT, `position_w` POSITION_W_DEFAULT; id is below 256.
template <typename word_type>
ISBESIM_RULE word_type default_value(word_type id, word_type bits, word_type position_w)
{
    const word_type zero(0);
    const word_type one(0x3f800000U);
    const word_type address = id << word_type(2);
    const auto last_component = (address & word_type(15)) == word_type(12);
    const auto is = [&](std::uint32_t constant) { return address == word_type(constant); };
    const auto within = [&](std::uint32_t first, std::uint32_t last) {
        return (address >= word_type(first)) & (address <= word_type(last));
    };
    const auto one_if = [&](std::uint32_t bit) {
        return select((bits >> word_type(bit) & word_type(1)) != zero, one, zero);
    };
    word_type value = zero;
    value = select(within(0x080, 0x27f) & last_component, one_if(2), value);
    value = select(within(0x280, 0x288) | within(0x2a0, 0x2a8), one_if(0), value);
    value = select(is(0x28c) | is(0x2ac), one, value);
    value = select(is(0x29c) | is(0x2bc), one_if(1), value);
    value = select(within(0x300, 0x39f) & last_component, one_if(3), value);
    return select(is(0x07c), position_w, value);
}

} // namespace isbesim::rules
