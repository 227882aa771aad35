// SPDX-License-Identifier: Apache-2.0
// Whole draws with foreign components in the connections of PE, SM and ISBE, and with every connection watched by the
// checker of the protocol.
#define SC_INCLUDE_DYNAMIC_PROCESSES // for the simple sockets

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/pe/pe.h"
#include "models/sm/sm.h"
#include "test_paths.h"
#include "testbench/examples/foreign/copying_interconnect.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/scenario.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/system/port_mux.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"
#include "tlm/warp_initiator.h"

#define SC_INCLUDE_DYNAMIC_PROCESSES // for the simple sockets

namespace isbesim::test {
namespace {

enum class connection { sm_to_isbe, pe_to_isbe, mux_to_isbe, launch };

/// PE, SMs and ISBEs of a whole draw, with what a test puts into their connections.
class foreign_machine {
public:
    using from_socket = tlm::tlm_initiator_socket<>;
    using to_socket = tlm::tlm_base_target_socket_b<>;
    /// Connects two sockets, with something in between or not.
    using wiring = std::function<void(foreign_machine&, connection, const std::string&, from_socket&, to_socket&)>;

    /// `style` is how SM and PE talk to an ISBE, which is isbe_lt or isbe_at.
    foreign_machine(const std::string& scenario, const machine_config& config, warp_initiator::style style,
                    const std::string& isbe, wiring wire)
        : scenario_(testbench::load_scenario(scenario)),
          clock_(cycle_clock::from_ghz(config.clock_ghz)),
          csv_(folder_.path("vertices.csv"), scenario_.draw.capture),
          wire_(std::move(wire)),
          pe_("pe", pe_parts{config, clock_, style, scenario_.draw, csv_})
    {
        for (unsigned i = 0; i < config.sm_count; ++i) {
            const auto number = std::to_string(i);
            sms_.push_back(std::make_unique<sm>(("sm" + number).c_str(), config.sm, clock_, style));
            if (isbe == "lt")
                isbes_.push_back(std::make_unique<isbe_lt>(("isbe" + number).c_str(), config.isbe, clock_));
            else
                isbes_.push_back(std::make_unique<isbe_at>(("isbe" + number).c_str(), config.isbe, clock_));
            auto& ports = isbes_.back()->ports;
            connect(connection::launch, "launch" + number, pe_.launch_socket(i), sms_[i]->launch);
            if (config.isbe.ports == 2) {
                connect(connection::sm_to_isbe, "sm_port" + number, sms_[i]->isbe, ports[0]);
                connect(connection::pe_to_isbe, "pe_port" + number, pe_.isbe_socket(i), ports[1]);
                continue;
            }
            muxes_.push_back(std::make_unique<testbench::port_mux>(("mux" + number).c_str(), clock_));
            connect(connection::sm_to_isbe, "sm_port" + number, sms_[i]->isbe, muxes_[i]->from[0]);
            connect(connection::pe_to_isbe, "pe_port" + number, pe_.isbe_socket(i), muxes_[i]->from[1]);
            connect(connection::mux_to_isbe, "mux_port" + number, muxes_[i]->to, ports[0]);
        }
    }

    /// The draw, until nothing happens any more; the vertices must be the expected ones and all rules kept.
    void run()
    {
        start_simulation();
        EXPECT_TRUE(pe_.done()) << pe_.state_dump();
        csv_.finish();
        ASSERT_FALSE(scenario_.expect.file.empty());
        const auto difference = testbench::compare_vertices(folder_.path("vertices.csv"), scenario_.expect);
        EXPECT_FALSE(difference) << difference->text();
        for (auto* const checker : checkers_) {
            checker->finish();
            EXPECT_GT(checker->transactions(), 0U) << checker->name();
            for (const auto& violation : checker->violations())
                ADD_FAILURE() << checker->name() << ": " << violation.describe();
        }
    }

    /// A foreign component that lives as long as the machine.
    template <typename Component, typename... Arguments>
    Component& add(const std::string& name, Arguments&&... arguments)
    {
        auto owned = std::make_shared<Component>(name.c_str(), std::forward<Arguments>(arguments)...);
        components_.push_back(owned);
        return *owned;
    }
    /// Connects with the checker of the protocol in between.
    void watched(const std::string& name, from_socket& initiator, to_socket& target)
    {
        auto& checker = add<protocol_checker>("checker_" + name, clock_);
        initiator.bind(checker.target);
        checker.initiator.bind(target);
        checkers_.push_back(&checker);
    }
    std::uint64_t cycles() const { return pe_.done_cycle(); }

private:
    void connect(connection kind, const std::string& name, from_socket& initiator, to_socket& target)
    {
        wire_(*this, kind, name, initiator, target);
    }

    testbench::temporary_folder folder_;
    testbench::scenario scenario_;
    cycle_clock clock_;
    testbench::vertex_csv csv_;
    wiring wire_;
    isbesim::pe pe_;
    std::vector<std::unique_ptr<sm>> sms_;
    std::vector<std::unique_ptr<isbe_module>> isbes_;
    std::vector<std::unique_ptr<testbench::port_mux>> muxes_;
    std::vector<std::shared_ptr<void>> components_;
    std::vector<protocol_checker*> checkers_;
};

/// A foreign, loosely timed target in front of an ISBE: it knows b_transport only and waits inside the call.
/// Waits for the annotated delay, for the ISBE's, and for up to 2.1 ns more, not a whole number of cycles. To an
/// initiator that uses four phases the simple socket translates.
class waiting_target : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<waiting_target> target{"target"};
    tlm_utils::simple_initiator_socket<waiting_target> initiator{"initiator"};

    explicit waiting_target(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        target.register_b_transport(this, &waiting_target::block);
    }
    std::uint64_t calls() const { return calls_; }

private:
    void block(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        initiator->b_transport(payload, delay);
        wait(delay + sc_core::sc_time(0.7 * static_cast<double>(calls_++ % 4), sc_core::SC_NS));
        delay = sc_core::SC_ZERO_TIME;
    }

    std::uint64_t calls_ = 0;
};

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

const foreign_machine::wiring all_watched = [](auto& machine, connection, const std::string& name, auto& initiator,
                                               auto& target) { machine.watched(name, initiator, target); };

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
    return [=](auto& machine, connection kind, const std::string& name, auto& initiator, auto& target) {
        if (kind == connection::launch && !launches) {
            machine.watched(name, initiator, target);
            return;
        }
        auto& component = machine.template add<Component>("foreign_" + name, arguments...);
        machine.watched(name + "_here", initiator, component.target);
        machine.watched(name + "_there", component.initiator, target);
    };
}

TEST_P(foreign, a_loosely_timed_target_may_wait)
{
    run(lt, "lt", with<waiting_target>(false));
}

TEST_P(foreign, loosely_timed_target_may_wait_for_a_shared_port)
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
