// SPDX-License-Identifier: Apache-2.0
// The PE module with function_sm and the timed ISBE on every site.
#pragma once

#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn in function_sm.h
#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/pe/pe.h"
#include "tests/pe/function_sm.h"
#include "tlm/protocol_checker.h"

namespace isbesim::test {

class machine {
public:
    machine(draw_call draw_to_make, const machine_config& config, warp_initiator::style style,
            const std::map<stage, shader>& shaders, std::uint64_t extra_cycles = 0)
        : draw(std::move(draw_to_make)), pe("pe", {config, clock, style, draw, sink})
    {
        for (unsigned i = 0; i < config.sm_count; ++i) {
            const auto number = std::to_string(i);
            sms.push_back(std::make_unique<function_sm>(("sm" + number).c_str(), clock, style, shaders, extra_cycles));
            if (style == warp_initiator::style::loosely_timed)
                isbes.push_back(std::make_unique<isbe_lt>(("isbe" + number).c_str(), config.isbe, clock));
            else
                isbes.push_back(std::make_unique<isbe_at>(("isbe" + number).c_str(), config.isbe, clock));
            checkers.push_back(std::make_unique<protocol_checker>(("checker" + number).c_str(), clock));
            pe.launch_socket(i).bind(sms[i]->launch);
            pe.isbe_socket(i).bind(checkers[i]->target);
            checkers[i]->initiator.bind(isbes[i]->ports[1]);
            sms[i]->isbe->socket.bind(isbes[i]->ports[0]);
        }
    }
    /// Until nothing happens any more.
    void run()
    {
        sc_core::sc_start();
        EXPECT_TRUE(pe.done()) << pe.state_dump();
        for (auto& checker : checkers) {
            checker->finish();
            EXPECT_EQ(checker->violation_count(), 0U);
        }
    }
    pe_site_counters total() const
    {
        pe_site_counters sum;
        for (unsigned i = 0; i < pe.sites(); ++i) {
            const auto& one = pe.site_counters(i);
            for (unsigned s = 0; s < stage_count; ++s) {
                sum.invocations[s] += one.invocations[s];
                sum.warps[s] += one.warps[s];
            }
            for (unsigned r = 0; r < stall_reason_count; ++r) sum.stalls.values[r] += one.stalls.values[r];
            sum.batches += one.batches;
            sum.lines.merge(one.lines);
        }
        return sum;
    }

    const draw_call draw;
    cycle_clock clock = cycle_clock::from_ghz(1.0);
    row_sink sink;
    isbesim::pe pe;
    std::vector<std::unique_ptr<function_sm>> sms;
    std::vector<std::unique_ptr<isbe_module>> isbes;
    std::vector<std::unique_ptr<protocol_checker>> checkers;
};

} // namespace isbesim::test
