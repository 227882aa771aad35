// SPDX-License-Identifier: Apache-2.0
// Reasons why a lane gets no texel.
#pragma once

#include <cstdint>

namespace isbesim::texture {

/// The lane traps, like a lane whose address is outside of memory.
enum class fault : std::uint8_t {
    none,
    no_header,          ///< the handle's number is beyond the table, or the table is not in memory
    no_sampler,         ///< the same for the sampler
    bad_header,         ///< a version, type or layout that no driver for these chips writes, or wrong for the shape
    bad_sampler,        ///< a filter that does not exist
    unsupported_format, ///< such as ETC2 and ASTC, or a store to a format that has none
    outside_memory,     ///< the texel is not in a buffer
};

/// For messages: "the header's format is not supported".
const char* describe(fault why);

} // namespace isbesim::texture
