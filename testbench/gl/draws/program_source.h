// SPDX-License-Identifier: Apache-2.0
// Decodes programs from the places where the driver put them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/channel/upload_journal.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

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
    program_source(const chip& chip, const gpu_memory& memory, const upload_journal& journal)
        : chip_(chip), memory_(memory), journal_(journal)
    {
    }

    static bool enabled(const three_d_state& state, program_slot slot);
    /// Decoded once per content. Throws draw_refused.
    const uploaded_program& find(const three_d_state& state, program_slot slot);
    /// The same by address. Compute programs have no header; `base` is the start of the area of all programs.
    const uploaded_program& find(std::uint64_t address, unsigned header_bytes, std::uint64_t base);

    /// Header of a program that may have no code. Throws draw_refused.
    program_header header_of(const three_d_state& state, program_slot slot) const;

    /// True if there is a fragment stage and it runs.
    static bool has_fragments(const three_d_state& state);
    /// ... and its program writes memory, according to its header; only the header is read.
    bool fragments_store(const three_d_state& state) const;

    std::size_t count() const { return known_.size(); } ///< different programs so far

private:
    void add_library(std::uint64_t base, uploaded_program& program) const;
    std::uint64_t length_at(std::uint64_t code_address);
    uploaded_program decode(const std::string& content, unsigned header_bytes, std::uint64_t base) const;
    std::uint64_t address_of(const three_d_state& state, program_slot slot) const;

    const chip& chip_;
    const gpu_memory& memory_;
    const upload_journal& journal_;
    std::map<std::string, uploaded_program> known_; ///< by header and code
    std::map<std::uint64_t, std::string> found_;    ///< code without an upload, by address, at the last use
};

} // namespace isbesim::gl
