// SPDX-License-Identifier: Apache-2.0
// Shared by the parts of the lowering: the program with its addresses, and the registers with a fixed meaning.
#pragma once

#include "models/varying/lowering/lowering.h"

namespace isbesim::varying {

inline constexpr unsigned zero_register = isa::register_zero;
inline constexpr unsigned state_register = 0; ///< geometry state; a final OUT of SM50 takes it from R0
inline constexpr unsigned vertex_base = 1;    ///< MAP address of the primitive's or patch's first vertex
inline constexpr unsigned own_base = 2;       ///< TESS_CTRL: output handle of the patch's first vertex
inline constexpr unsigned first_handle = 4;   ///< in programs that use those three

/// The program to lower.
struct lowered_stage {
    lowered_stage(const shader& code, const allocation& where, const lowering_options& how)
        : program(code),
          placed(where),
          options(how),
          kind(code.effective_kind()),
          geometry(kind == processor::geometry),
          patches(kind == processor::tess_control || kind == processor::tess_eval)
    {
    }

    const shader& program;
    const allocation& placed;
    lowering_options options;
    processor kind;
    bool geometry;
    bool patches; ///< a tessellation program

    /// Vertices per primitive, in geometry programs. Throws shader_error if the property names no primitive.
    unsigned input_vertices() const { return input_primitive_of(program).vertices; }
    /// The register with the geometry state for stores.
    unsigned state() const { return geometry ? state_register : zero_register; }

    unsigned register_number(const operand& access) const
    {
        const auto offset = static_cast<unsigned>(access.index.offset);
        return access.counts_from_array ? declaration_of(access, placed).declared->first + offset : offset;
    }
};

inline bool is_indirect(const operand& each)
{
    return each.word.empty() && each.index.indirect.has_value();
}

} // namespace isbesim::varying
