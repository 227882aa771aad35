// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/packet_decoder.h"

namespace isbesim::gl {

void packet_decoder::header(std::uint32_t word)
{
    // 31:29 kind, 28:16 count or immediate value, 15:13 subchannel, 12:0 method / 4 (class headers of the host
    // interface).
    const auto kind = word >> 29;
    const auto count = (word >> 16) & 0x1fff;
    subchannel_ = (word >> 13) & 7;
    number_ = (word & 0x1fff) << 2;
    switch (kind) {
    case 1:
        step_ = step::every_word;
        break;
    case 3:
        step_ = step::never;
        break;
    case 5:
        step_ = step::once;
        break;
    case 4:
        sink_.method(subchannel_, number_, count);
        sink_.packet_end(subchannel_);
        return;
    default:
        if (word != 0) sink_.bad_header(word); // zeros are padding
        return;
    }
    left_ = count;
}

void packet_decoder::words(const std::uint32_t* first, std::size_t count)
{
    for (const auto* word = first; word != first + count; ++word) {
        if (left_ == 0) {
            header(*word);
            continue;
        }
        const auto number = number_;
        if (step_ != step::never) number_ += 4;
        if (step_ == step::once) step_ = step::never;
        --left_;
        sink_.method(subchannel_, number, *word);
        if (left_ == 0) sink_.packet_end(subchannel_);
    }
}

} // namespace isbesim::gl
