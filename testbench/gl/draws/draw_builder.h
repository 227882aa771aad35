// SPDX-License-Identifier: Apache-2.0
// Builds the model's draw from the state at a draw: the same structure that scenario files fill.
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/draws/draw_programs.h"
#include "testbench/gl/draws/stream_out.h"

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
    const std::map<stage, const uploaded_program*>& programs() const { return programs_.used(); }

    /// Its vertices per instance, without restarts, before strips, fans and quads became lists.
    std::uint64_t vertices() const { return vertices_; }

    /// Where it streams out.
    const stream_out_layout& stream_out() const { return stream_out_; }

    program_source& sources() { return programs_; }
    std::size_t program_count() const { return programs_.count(); } ///< different programs so far

private:
    const chip& chip_;
    const gpu_memory& memory_;
    program_source programs_;
    std::uint64_t vertices_ = 0;
    stream_out_layout stream_out_;
};

} // namespace isbesim::gl
