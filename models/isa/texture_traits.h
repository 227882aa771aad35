// SPDX-License-Identifier: Apache-2.0
// Properties of a texture instruction that are not in its fields but in its table row.
#pragma once

#include <cstdint>

namespace isbesim::isa {

enum class texture_kind : std::uint8_t {
    none,
    sample,    ///< TEX
    fetch,     ///< TLD
    gather,    ///< TLD4
    gradients, ///< TXD
    level,     ///< TMML
    query,     ///< TXQ
    surface,   ///< SULD, SUST, SUATOM, SURED
};

struct texture_traits {
    texture_kind kind = texture_kind::none;
    bool in_register = false;    ///< the handle is in a register, not in a constant bank
    bool pairs = false;          ///< results beyond two go to a second destination
    bool counts_queries = false; ///< TXQ: queries are numbered from 0
    bool is_short = false;       ///< TEXS, TLDS, TLD4S: sources in two pairs; the members below are for these
    std::uint8_t code = 0;       ///< TEXS, TLDS: shape, level, offsets and comparison in one number
    std::uint8_t mask = 0;       ///< components that the row returns
};

} // namespace isbesim::isa
