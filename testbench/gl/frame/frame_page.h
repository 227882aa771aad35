// SPDX-License-Identifier: Apache-2.0
// Writes frame.html: a page about captured draws that ran one after the other.
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

/// A draw's facts and results.
struct frame_draw {
    draw_facts facts;
    std::string folder;        ///< folder of its results, relative to the page
    int status = 0;            ///< of `isbesim run`
    boost::json::value report; ///< report.json; null without one
    wire_frame picture;
    std::optional<draw_span> span; ///< in the run of all draws on one machine
};

/// Result of the run of all draws on one machine, with the configured `pe.draws`.
struct frame_machine {
    std::uint64_t cycles = 0; ///< from the begin of the first draw to the end of the last
    std::string problem;      ///< reason if there is no such number, else empty
    std::string estimate{};   ///< reason if all cycles are estimates; empty if exact
};

/// The draw's entry in report.json of the sequence: number, frame, status; if measured, cycles, line_cycles, and begin
/// and end in the sequence.
boost::json::object summary_of(const frame_draw& draw);

/// Writes a self-contained page; a few MiB with at most about 60,000 edges. `origin`: what it is of.
void write_frame_page(std::ostream& out, const std::string& title, const std::vector<frame_draw>& draws,
                      const frame_machine& machine, const std::string& origin);

} // namespace isbesim::gl
