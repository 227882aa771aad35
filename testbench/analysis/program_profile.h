// SPDX-License-Identifier: Apache-2.0
// Attributes the cycles of warps to instructions (--profile): `profile` of report.json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <boost/json/object.hpp>

#include "models/pe/front_end/draw.h"
#include "testbench/analysis/run_events.h"
#include "testbench/files/program_file.h"

namespace isbesim::testbench {

class program_profile : public run_listener {
public:
    void instruction(const instruction_event& event) override;
    void transaction(const transaction_event& event) override;

    /// {stage: [{"pc", "text", "source", "issues", ...}]}: the instructions that were issued, by address.
    boost::json::object json(const draw_call& draw, const std::map<stage, source_lines>& sources) const;

    /// Serialized for another process, which adds it to its own profile.
    std::string to_bytes() const;
    void add(const std::string& bytes);

private:
    /// All issues of one instruction together.
    struct tally {
        std::uint64_t issues = 0;
        std::uint64_t stall_count = 0; ///< cycles before its issue, by what delayed the warp
        std::uint64_t scoreboard = 0;
        std::uint64_t pipe = 0;
        std::uint64_t issue_slot = 0;
        std::uint64_t results = 0; ///< with a latency
        std::uint64_t latency = 0; ///< their sum
        std::uint64_t longest = 0;
        std::uint64_t passes = 0;
        std::uint64_t conflicts = 0; ///< of the passes
        void see_latency(std::uint64_t cycles);
    };
    using place = std::pair<stage, std::uint32_t>;

    std::map<place, tally> lines_;
};

} // namespace isbesim::testbench
