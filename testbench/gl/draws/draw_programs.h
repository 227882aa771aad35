// SPDX-License-Identifier: Apache-2.0
// Programs of a draw and what they reach: decoded where the driver put them, constants, textures, memory.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "models/isa/program.h"
#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/channel/upload_journal.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

class draw_refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A program with its uploaded bytes.
struct uploaded_program {
    isa::program program;
    program_header header;
    std::string code_bytes, header_bytes;
    /// The driver's routines that it calls, or empty, and their place in the program's address space.
    std::string library_bytes;
    std::uint32_t library_address = 0;
};

/// The hardware's program slots.
enum class program_slot : unsigned { vertex_a, vertex, control, evaluation, geometry, fragment };

class program_source {
public:
    program_source(const chip& chip, gpu_memory& memory, const upload_journal& journal)
        : chip_(chip), memory_(memory), journal_(journal)
    {
    }

    /// Adds the enabled programs to a draw, with their constants, and memory, textures and windows if they need them.
    /// Throws draw_refused.
    void add(const three_d_state& state, draw_call& draw);
    /// The same for a mesh draw, with its settings.
    void add_mesh(const three_d_state& state, draw_call& draw);
    /// Programs that were added last, by stage.
    const std::map<stage, const uploaded_program*>& used() const { return used_; }

    /// Decoded once per content. Throws draw_refused.
    const uploaded_program& find(const three_d_state& state, program_slot slot);
    /// The same by address. Compute programs have no header; `base` is the start of the area of all programs.
    const uploaded_program& find(std::uint64_t address, unsigned header_bytes, std::uint64_t base);

    /// True if there is a fragment stage and it runs.
    static bool has_fragments(const three_d_state& state);
    /// ... and its program writes memory, according to its header; only the header is read.
    bool fragments_store(const three_d_state& state) const;

    std::size_t count() const { return known_.size(); } ///< different programs so far

private:
    static bool enabled(const three_d_state& state, program_slot slot);
    void add_program(const three_d_state& state, program_slot slot, stage which, unsigned constants, draw_call& draw);
    void add_constants(const three_d_state& state, unsigned index, isa::constant_banks& banks) const;
    /// Header of a program that may have no code. Throws draw_refused.
    program_header header_of(const three_d_state& state, program_slot slot) const;
    void add_library(std::uint64_t base, uploaded_program& program) const;
    std::uint64_t length_at(std::uint64_t code_address);
    uploaded_program decode(const std::string& content, unsigned header_bytes, std::uint64_t base) const;
    std::uint64_t address_of(const three_d_state& state, program_slot slot) const;

    const chip& chip_;
    gpu_memory& memory_;
    const upload_journal& journal_;
    std::map<stage, const uploaded_program*> used_;
    std::map<std::string, uploaded_program> known_; ///< by header and code
    std::map<std::uint64_t, std::string> found_;    ///< code without an upload, by address, at the last use
};

/// Bytes of the program at an address, in whole bundles: it ends at the first instruction that ends its path and that
/// no earlier branch jumps past. 0 if there is no memory or the program has no end. Throws isa::program_error at an
/// invalid encoding.
std::uint64_t program_extent(const gpu_memory& memory, std::uint64_t address, isa::architecture arch);

/// Attaches memory, textures and windows to the draw if its programs need them; `memory` must outlive it.
void add_memory(const three_d_state& state, gpu_memory& memory, draw_call& draw);

/// The texture unit for a class's registers.
std::shared_ptr<texture::texture_unit> textures_of(const three_d_state& state, std::shared_ptr<memory_contents> memory,
                                                   isa::architecture arch);

/// Windows of generic addresses for local and shared memory; 0: the default, used until a driver sets the window.
isa::address_windows windows_at(std::uint64_t local, std::uint64_t shared = 0);

/// Reads a constant buffer up to its last nonzero word, since reads after the end return 0. Empty if it is not bound.
void read_constants(const gpu_memory& memory, const constant_binding& bound, std::vector<word>& words);

} // namespace isbesim::gl
