// SPDX-License-Identifier: Apache-2.0
// Builds the model's draw from the state at a draw: the same structure that scenario files fill.
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/gl/draws/program_source.h"
#include "testbench/gl/draws/vertex_stream.h"

namespace isbesim::gl {

class draw_builder {
public:
    draw_builder(const chip& chip, gpu_memory& memory, const upload_journal& journal)
        : chip_(chip), memory_(memory), programs_(chip, memory, journal)
    {
    }

    /// Throws draw_refused.
    draw_call build(const three_d_state& state, const drawn_vertices& drawn);

    bool fragments_store(const three_d_state& state) const { return programs_.fragments_store(state); }

    /// Programs of the last built draw, by stage, for the capture file.
    const std::map<stage, const uploaded_program*>& programs() const { return used_; }

    /// Its vertices per instance, without restarts, before strips, fans and quads became lists.
    std::uint64_t vertices() const { return vertices_; }

    program_source& sources() { return programs_; }
    std::size_t program_count() const { return programs_.count(); } ///< different programs so far

private:
    void add_programs(const three_d_state& state, draw_call& draw);
    void add_program(const three_d_state& state, program_slot slot, stage which, unsigned constants, draw_call& draw);
    void add_mesh(const three_d_state& state, const drawn_vertices& drawn, draw_call& draw);
    void add_constants(const three_d_state& state, unsigned index, isa::constant_banks& banks) const;
    void add_tessellation(const three_d_state& state, draw_call& draw) const;

    const chip& chip_;
    gpu_memory& memory_;
    program_source programs_;
    std::map<stage, const uploaded_program*> used_;
    std::uint64_t vertices_ = 0;
};

} // namespace isbesim::gl
