// SPDX-License-Identifier: Apache-2.0
// Storage of a lowered program: arrays in local memory; vertex handles, TEMP and ADDR in registers.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "models/varying/allocation/local_home.h"
#include "models/varying/lowering/lowering.h"

namespace isbesim::varying {

// Registers with a fixed meaning.
inline constexpr unsigned zero_register = isa::register_zero;
inline constexpr unsigned state_register = 0; ///< geometry state; a final OUT of SM50 takes it from R0
inline constexpr unsigned vertex_base = 1;    ///< MAP address of the primitive's or patch's first vertex
inline constexpr unsigned own_base = 2;       ///< TESS_CTRL: output handle of the patch's first vertex
inline constexpr unsigned first_handle = 4;   ///< geometry and tessellation programs only

/// The program to lower, with its addresses.
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

class program_storage {
public:
    /// Throws shader_error for an undeclared array, too much local memory or too many registers.
    explicit program_storage(const lowered_stage& stage);

    const std::vector<local_home>& homes() const { return homes_; }
    /// The place in local memory of the array with this register, or with this array number; null without one.
    const local_home* home_of(register_file file, unsigned number) const;
    const local_home* home_of_array(register_file file, unsigned array) const;
    unsigned local_bytes() const { return local_bytes_; } ///< whole vectors

    /// Registers of vertex handles, by vertex.
    const std::map<unsigned, unsigned>& handles() const { return handles_; }
    /// Register of component x of a TEMP or ADDR; nothing for elements of arrays in local memory.
    std::optional<unsigned> register_of(register_file file, unsigned number) const;
    /// The first free register; all later ones are free too.
    unsigned first_scratch() const { return first_scratch_; }

private:
    void find_homes();
    bool may_be_local(const operand& access) const;
    void add_temporary_home(const operand& access);
    void add_home(const located_declaration& located);
    void place_home(local_home& home, unsigned phase, unsigned bytes, unsigned vertices);
    void assign_handles();
    void assign_registers();

    const lowered_stage& stage_;
    std::vector<local_home> homes_;
    unsigned local_bytes_ = 0;
    std::map<unsigned, unsigned> handles_;
    std::map<std::pair<register_file, unsigned>, unsigned> fixed_;
    unsigned first_scratch_ = 0;
};

} // namespace isbesim::varying
