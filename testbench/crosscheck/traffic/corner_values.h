// SPDX-License-Identifier: Apache-2.0
// Values at the ends of ranges, which random numbers hardly meet: of every field of a request and a descriptor, of the
// registers that hold them in a block, and of the sums and comparisons of sections 3 to 6 of the micro-architecture
// page. Traffic draws them (traffic_setting), coverage counts them (corner_bins.h).
#pragma once

#include <array>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_numbers.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// A field of a descriptor and its corner values.
struct context_corner {
    const char* name;
    word (*get)(const context&);
    void (*set)(context&, word);
    std::vector<word> values;
};
const std::vector<context_corner>& context_corners();

/// Sums of address and immediate that decide section 4.2's and 4.4's tests and default values.
const std::vector<word>& attribute_sums();
/// Lane masks.
const std::vector<word>& lane_corners();
/// Vertex handles near the count of a space, and near the widths of registers.
std::array<word, 13> handle_corners(word vertex_count);
/// Slots of a geometry thread: its maximum, and near the widths of registers.
std::array<word, 9> slot_corners(word maximum);
/// First bytes of an access of `size` bytes at the ends of a region of `bytes` bytes; the address of an access that
/// runs downwards is its last byte.
std::vector<word> region_corners(word bytes, word size, bool downwards);

/// Sets fields of a context to corner values, and its regions to sizes with which they matter. The context keeps the
/// guarantees of section 3.
void draw_corners(random_numbers& random, const isbe_config& config, context& slot);
/// Sets lanes, sums, handles and states of an operation on `slot` to corner values.
void draw_corners(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op);

/// Makes an attribute access differ between lanes in bits that section 4 cuts off: its meaning stays, but it is not
/// alike in all lanes.
void make_general(random_numbers& random, warp_op& op);
/// An access in which every lane, where the context allows it, has its own row of one bank in every component.
void crowd_one_bank(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op);

} // namespace isbesim::testbench
