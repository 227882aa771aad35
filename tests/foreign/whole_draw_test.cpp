// SPDX-License-Identifier: Apache-2.0
// Whole draws with foreign components in the connections of PE, SM and ISBE, and with every connection watched by the
// checker of the protocol.
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/examples/foreign/copying_interconnect.h"
#include "tests/foreign/foreign_machine.h"
#include "tests/foreign/waiting_target.h"

namespace isbesim::test {
namespace {

constexpr auto lt = warp_initiator::style::loosely_timed;
constexpr auto at = warp_initiator::style::approximately_timed;

class foreign : public testing::TestWithParam<const char*> {
protected:
    void run(warp_initiator::style style, const std::string& isbe, foreign_machine::wiring wire)
    {
        machine_config config;
        config.sm_count = 1;
        config.isbe.ports = ports;
        foreign_machine machine(ISBESIM_SOURCE_DIR "/testbench/scenarios/" + std::string(GetParam()) + "/scenario.json",
                                config, style, isbe, std::move(wire));
        machine.run();
    }
    unsigned ports = 2;
};

// Every kind of stage, topology and both architectures.
INSTANTIATE_TEST_SUITE_P(draws, foreign,
                         testing::Values("gs_conditional", "gs_streams", "gs_fast", "gs_instanced", "tess_quads_odd",
                                         "tess_gs_isolines", "mesh_terrain", "task_mesh_payload", "vs_sixteen_vectors",
                                         "vs_two_programs", "sm75_gs_conditional"),
                         [](const auto& chosen) { return std::string(chosen.param); });

const foreign_machine::wiring all_watched = [](auto& machine, connection, const std::string& name, auto& from,
                                               auto& to) { machine.watched(name, from, to); };

TEST_P(foreign, loosely_timed_draws_keep_the_rules)
{
    run(lt, "lt", all_watched);
}

TEST_P(foreign, approximately_timed_draws_keep_the_rules)
{
    run(at, "at", all_watched);
}

TEST_P(foreign, a_shared_port_keeps_the_rules)
{
    ports = 1;
    run(at, "at", all_watched);
}

TEST_P(foreign, a_shared_port_keeps_the_rules_loosely_timed)
{
    ports = 1;
    run(lt, "lt", all_watched);
}

/// `Component` in every connection to an ISBE, and in launches where it knows four phases; watched on both sides.
template <typename Component, typename... Arguments>
foreign_machine::wiring with(bool launches, Arguments... arguments)
{
    return [=](auto& machine, connection kind, const std::string& name, auto& from, auto& to) {
        if (kind == connection::launch && !launches) {
            machine.watched(name, from, to);
            return;
        }
        auto& component = machine.template add<Component>("foreign_" + name, arguments...);
        machine.watched(name + "_here", from, component.target);
        machine.watched(name + "_there", component.initiator, to);
    };
}

TEST_P(foreign, a_loosely_timed_target_may_wait)
{
    run(lt, "lt", with<waiting_target>(false));
}

TEST_P(foreign, a_loosely_timed_target_may_wait_behind_a_shared_port)
{
    ports = 1;
    run(lt, "lt", with<waiting_target>(false));
}

// The approximately timed ISBE's b_transport waits for the response.
TEST_P(foreign, loosely_timed_initiators_on_an_approximately_timed_isbe)
{
    run(lt, "at", all_watched);
}

// Four phases against a target that has b_transport only: the simple socket of the standard's library translates.
TEST_P(foreign, four_phases_against_a_target_that_blocks)
{
    run(at, "lt", with<waiting_target>(false));
}

TEST_P(foreign, an_interconnect_may_copy_payloads)
{
    run(at, "at", with<::foreign::copying_interconnect>(true));
}

TEST_P(foreign, an_interconnect_may_copy_payloads_and_annotate_a_delay)
{
    run(at, "at", with<::foreign::copying_interconnect>(true, sc_core::sc_time(2.5, sc_core::SC_NS)));
}

TEST_P(foreign, an_interconnect_may_copy_payloads_of_blocking_calls)
{
    run(lt, "lt", with<::foreign::copying_interconnect>(true, sc_core::sc_time(2.5, sc_core::SC_NS)));
}

} // namespace
} // namespace isbesim::test
