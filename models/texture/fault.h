// SPDX-License-Identifier: Apache-2.0
// Why a lane got no texel.
#pragma once

#include <cstdint>

namespace isbesim::texture {

/// The lane traps, as one does whose address is outside of memory.
enum class fault : std::uint8_t {
    none,
    no_header,          ///< the handle's number is beyond the table, or the table is not in memory
    no_sampler,         ///< the same of the sampler
    bad_header,         ///< a version, type or layout that no driver for these chips writes, or not of the shape
    bad_sampler,        ///< a filter that does not exist
    unsupported_format, ///< such as ETC2 and ASTC, or a store to a format without one
    outside_memory,     ///< the texel lies where no buffer is
};

/// For messages: "the header's format is not supported".
const char* describe(fault why);

} // namespace isbesim::texture
