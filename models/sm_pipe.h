// SPDX-License-Identifier: Apache-2.0
// The pipes of an SM that a machine may limit, by the rows of the vendor's table of results per cycle (HARDWARE.md
// F.6).
#pragma once

#include <cstdint>

namespace isbesim {

enum class sm_pipe : std::uint8_t {
    fp32,
    fp16,
    fp64,
    integer, ///< add, compare, minimum, logic, moves
    multiply,
    shift,
    special, ///< reciprocals, roots, sine, exponent
    bits,    ///< population count, leading zeros, reversal
    convert,
    convert64, ///< from and to types of 64 bits
    load_store,
    texture,
    none, ///< no limit: flow, attributes, constants, the uniform data path
};
inline constexpr unsigned sm_pipe_count = static_cast<unsigned>(sm_pipe::none);

/// True for the pipes that all schedulers of an SM share, whatever their lanes.
constexpr bool is_shared(sm_pipe which)
{
    return which == sm_pipe::convert64 || which == sm_pipe::load_store || which == sm_pipe::texture;
}

} // namespace isbesim
