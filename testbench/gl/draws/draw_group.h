// SPDX-License-Identifier: Apache-2.0
// Consecutive draws of equal state, as one draw of `vertices_per_draw` vertices each (models/pe/front_end/draw.h): the
// next begins when the front end is free, and the machine is not idle between them.
#pragma once

#include <cstdint>

#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

class draw_group {
public:
    using programs_by_stage = std::map<stage, const uploaded_program*>;

    /// Moves `next` into the group and returns true, if it may follow the draws of the group without a wait: as many
    /// vertices (the last draw may have fewer) of one instance, with the same programs, constants and settings, whose
    /// attributes follow in memory. Neither it nor they access memory or stream out. The first draw always joins.
    bool add(draw_call& next, const programs_by_stage& programs, const indirect_record& record);

    const draw_call& call() const { return call_; }
    const programs_by_stage& programs() const { return programs_; }
    /// A draw of the group alone.
    draw_call one(std::uint64_t number) const;

private:
    bool is_full() const;
    bool matches(const draw_call& next, const programs_by_stage& programs) const;
    bool has_record(const indirect_record& record) const;
    std::uint64_t each() const { return draws_ == 1 ? call_.vertex_count : call_.vertices_per_draw; }

    draw_call call_;
    programs_by_stage programs_;
    indirect_record record_; ///< of the last draw
    std::uint64_t draws_ = 0;
};

} // namespace isbesim::gl
