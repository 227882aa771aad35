// SPDX-License-Identifier: Apache-2.0
// Operations of any bytes: what the targets of traffic begin with.
#pragma once

#include <string_view>

#include "tests/fuzz/targets/target.h"
#include "tlm/warp_op.h"

namespace isbesim::fuzz {

/// Fields of operations, zeros past the end. Lanes differ by a step, and some of them besides.
class field_reader {
public:
    explicit field_reader(std::string_view bytes) : bytes_(bytes) {}

    bool done() const { return bytes_.empty(); }
    std::size_t left() const { return bytes_.size(); }
    unsigned byte() { return take_byte(bytes_); }
    word half()
    {
        const word low = byte();
        return low | byte() << 8;
    }
    word whole()
    {
        const word low = half();
        return low | half() << 16;
    }

    void lanes(per_lane<word>& values)
    {
        const auto how = byte();
        const word first = (how & 1U) != 0 ? whole() : half();
        const word step = (how & 2U) != 0 ? half() : how >> 4;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) values[lane] = first + lane * step;
        for (auto more = (how & 4U) != 0 ? byte() % 8 : 0; more != 0; --more) {
            auto& one = values[byte() % warp_lanes];
            one = (how & 8U) != 0 ? whole() : one ^ byte();
        }
    }

private:
    std::string_view bytes_;
};

/// The next operation, one of those that section 2 of the micro-architecture page allows; its regions are inside of
/// `storage` bytes, as the writer of descriptors guarantees, its context slots 0 to 3.
void read_operation(field_reader& in, word storage, warp_op& op);

} // namespace isbesim::fuzz
