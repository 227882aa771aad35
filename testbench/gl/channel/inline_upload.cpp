// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/inline_upload.h"

#include <algorithm>
#include <cstring>

#include "testbench/gl/chip/surface.h"

namespace isbesim::gl {

namespace {

namespace inline_method {
constexpr std::uint32_t line_length = 0x180, line_count = 0x184, address = 0x188, pitch = 0x190, block = 0x194,
                        width = 0x198, height = 0x19c, layer = 0x1a4, origin_x = 0x1a8, origin_y = 0x1ac,
                        launch = 0x1b0, data = 0x1b4;
}

} // namespace

void inline_upload::method(std::uint32_t number, std::uint32_t value)
{
    registers_[(number - first_method) / 4] = value;
    if (number == inline_method::launch) begin(value);
    if (number != inline_method::data || expected_ == 0) return;
    for (unsigned i = 0; i < 4; ++i) data_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    if (data_.size() >= expected_) write();
}

void inline_upload::begin(std::uint32_t launch)
{
    linear_ = (launch & 1) != 0;
    // Each line begins at a new word.
    expected_ = (std::uint64_t{at(inline_method::line_length)} + 3) / 4 * 4 * at(inline_method::line_count);
    data_.clear();
}

void inline_upload::write()
{
    expected_ = 0;
    const auto length = at(inline_method::line_length);
    const auto lines = at(inline_method::line_count);
    surface to;
    to.address = (std::uint64_t{at(inline_method::address)} << 32) | at(inline_method::address + 4);
    to.linear = linear_;
    to.pitch = at(inline_method::pitch);
    to.row_bytes = at(inline_method::width);
    to.height = at(inline_method::height);
    to.block_height = (at(inline_method::block) >> 4) & 0xf;
    to.block_depth = (at(inline_method::block) >> 8) & 0xf;
    const auto x = linear_ ? 0 : at(inline_method::origin_x);
    const auto y = linear_ ? 0 : at(inline_method::origin_y);
    const auto z = linear_ ? 0 : at(inline_method::layer);
    for (std::uint32_t line = 0; line < lines; ++line) {
        const auto* source = data_.data() + std::size_t{line} * ((length + 3) / 4 * 4);
        for (std::uint32_t done = 0; done < length;) {
            const auto run = std::min(length - done, to.run(x + done));
            auto* target = parts_.memory.at(to.address_of(x + done, y + line, z), run);
            if (target == nullptr) {
                ++parts_.counts.refused["upload to an address outside the GPU's memory"];
                return;
            }
            std::memcpy(target, source + done, run);
            done += run;
        }
    }
    if (linear_ && lines == 1) parts_.journal.uploaded(to.address, length);
}

} // namespace isbesim::gl
