// SPDX-License-Identifier: Apache-2.0
// The operation of a texture or surface instruction, and the registers that hold its arguments, found without reading
// them. Shared by the executors and the hazard check.
#pragma once

#include "models/isa/program.h"
#include "models/isa/texture_traits.h"
#include "models/texture/request.h"

namespace isbesim::isa {

struct texture_form {
    texture_kind kind = texture_kind::none;
    texture::shape shape = texture::shape::two_d;
    texture::level_mode level = texture::level_mode::zero;
    bool in_register = false;  ///< the handle is in a register
    bool in_pairs = false;     ///< the consecutive sources are split into two pairs (.SCR, short forms)
    bool is_short = false;     ///< TEXS, TLDS, TLD4S
    bool compare = false;      ///< with a depth value
    bool samples = false;      ///< a texel has a sample number
    bool counted = true;       ///< a query names a level or a sample; false for the type query
    bool level_clamp = false;  ///< .LBA, .LLA: a smallest level, next to the layer
    bool known_shape = true;   ///< false for ARRAY_3D, which only exists in the encoding
    unsigned offset_words = 0; ///< 1 .AOFFI, 2 .PTP
    unsigned component = 0;    ///< that a gather returns
    unsigned mask = 0xf;       ///< components wanted
};

/// The form of an instruction whose row marks it as a texture instruction.
texture_form form_of(const instruction& decoded);

/// Number of consecutive registers from the first and from the second source.
struct texture_sources {
    unsigned first = 0, second = 0;
};
texture_sources sources_of(const texture_form& form);

/// Number of results in the first destination; the others go to the second. `pairs`: at most two go to the first.
constexpr unsigned results_in_first(unsigned count, bool pairs)
{
    return pairs && count > 2 ? 2 : count;
}

/// Shape of a surface by its number in the encoding (1D, 1D_BUFFER, 1D_ARRAY, 2D, 2D_ARRAY, 3D).
texture::shape surface_shape(unsigned target);
/// Number of registers of its coordinates and layer.
unsigned surface_coordinates(unsigned target);

} // namespace isbesim::isa
