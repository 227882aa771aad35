// SPDX-License-Identifier: Apache-2.0
// frame.html: captured draws that ran one after the other, on one page.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "testbench/gl/frame/draw_facts.h"
#include "testbench/gl/frame/draw_sequence.h"
#include "testbench/gl/frame/wire_frame.h"

namespace isbesim::gl {

/// What a draw is and what it did.
struct frame_draw {
    draw_facts facts;
    std::string folder;        ///< of its own results, seen from the page
    int status = 0;            ///< of `isbesim run`
    boost::json::value report; ///< report.json; null without one
    wire_frame picture;
    std::optional<draw_span> span; ///< of the run of all draws on one machine
};

/// All draws on one machine, `pe.draws` as it is set.
struct frame_machine {
    std::uint64_t cycles = 0; ///< from the first draw's begin to the last one's end
    std::string problem;      ///< why there is no such number, or empty
    std::string estimate{};   ///< what makes all cycles one; empty where they are exact
};

/// What report.json of the sequence says of the draw: number, frame, status, cycles, pressure, and begin and
/// end among the others.
boost::json::object summary_of(const frame_draw& draw);

/// A page that needs nothing else; with at most about 60,000 edges a few MiB.
void write_frame_page(std::ostream& out, const std::string& title, const std::vector<frame_draw>& draws,
                      const frame_machine& machine);

} // namespace isbesim::gl
