// SPDX-License-Identifier: Apache-2.0
// What a texture or surface instruction asks for, and which registers say it, before any of them is read. One account
// for the executors and for the hazard check.
#pragma once

#include "models/isa/program.h"
#include "models/isa/texture_traits.h"
#include "models/texture/request.h"

namespace isbesim::isa {

struct texture_form {
    texture_kind kind = texture_kind::none;
    texture::shape shape = texture::shape::two_d;
    texture::level_mode level = texture::level_mode::zero;
    bool in_register = false;  ///< the handle is
    bool in_pairs = false;     ///< the sources, one after the other, are cut in two pairs (.SCR, short forms)
    bool is_short = false;     ///< TEXS, TLDS, TLD4S
    bool compare = false;      ///< with a depth value
    bool samples = false;      ///< a texel has a sample number
    bool counted = true;       ///< a query is of a level or a sample: not that of the type
    bool level_clamp = false;  ///< .LBA, .LLA: a smallest level beside the layer
    bool known_shape = true;   ///< false for ARRAY_3D, which the encoding has and no texture
    unsigned offset_words = 0; ///< 1 .AOFFI, 2 .PTP
    unsigned component = 0;    ///< that a gather takes
    unsigned mask = 0xf;       ///< components wanted
};

/// Of an instruction whose row marks it as a texture's.
texture_form form_of(const instruction& decoded);

/// Consecutive registers from the first and from the second source.
struct texture_sources {
    unsigned first = 0, second = 0;
};
texture_sources sources_of(const texture_form& form);

/// How many results go to the destination; the others go to the second one. `pairs`: two at most go to the first.
constexpr unsigned results_in_first(unsigned count, bool pairs)
{
    return pairs && count > 2 ? 2 : count;
}

/// Shape of a surface by its number in the encoding (1D, 1D_BUFFER, 1D_ARRAY, 2D, 2D_ARRAY, 3D).
texture::shape surface_shape(unsigned target);
/// Registers that its coordinates and layer take.
unsigned surface_coordinates(unsigned target);

} // namespace isbesim::isa
