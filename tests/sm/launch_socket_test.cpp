// SPDX-License-Identifier: Apache-2.0
// The launch socket of an SM in every phase of the base protocol, annotated delays included.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "models/sm/launch_sockets.h"
#include "models/sm/sm.h"
#include "tests/sm/silent_isbe.h"
#include "tests/support/error_text.h"

namespace isbesim {
namespace {

/// An initiator of launches in the hands of the test.
class scripted_launcher : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};
    std::vector<std::pair<std::string, sc_core::sc_time>> seen; ///< phases of the backward path
    tlm::tlm_sync_enum end_with = tlm::TLM_COMPLETED;           ///< the answer to BEGIN_RESP
    sc_core::sc_time end_delay;

    explicit scripted_launcher(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { socket.bind(*this); }

    tlm::tlm_sync_enum send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, double delay_ns = 0)
    {
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        return socket->nb_transport_fw(payload, phase, delay);
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        seen.emplace_back(phase.get_name(), sc_core::sc_time_stamp() + delay);
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        if (end_with == tlm::TLM_UPDATED) phase = tlm::END_RESP;
        delay += end_delay;
        return end_with;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// An SM, a program of one instruction, and launches of it.
class launch_socket : public testing::Test {
protected:
    launch_socket()
    {
        launcher.socket.bind(unit.launch);
        unit.isbe.bind(isbe.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    tlm::tlm_generic_payload& launch_into(unsigned slot)
    {
        tlm::tlm_generic_payload& payload = pool.acquire();
        warp_launch& launch = payload.get_extension<launch_extension>()->launch;
        launch.program = &program;
        launch.constants = &constants;
        launch.stage = stage::vertex;
        launch.lanes = all_lanes;
        launch.context = static_cast<std::uint16_t>(slot);
        return payload;
    }
    static sc_core::sc_time ns(double value) { return {value, sc_core::SC_NS}; }

    const isa::program program = isa::assemble("EXIT ?stall=1 ;\n", isa::architecture::sm50);
    const isa::constant_banks constants;
    const cycle_clock clock{ns(1)};
    sm unit{"sm", {}, clock, warp_initiator::style::approximately_timed};
    silent_isbe isbe{"isbe", 0};
    scripted_launcher launcher{"launcher"};
    launch_pool pool;
};

using events = std::vector<std::pair<std::string, sc_core::sc_time>>;

TEST_F(launch_socket, a_launch_with_an_annotated_delay_happens_then)
{
    EXPECT_EQ(launcher.send(launch_into(0), tlm::BEGIN_REQ, 7), tlm::TLM_ACCEPTED);
    EXPECT_EQ(unit.resident(), 0U);
    sc_core::sc_start(ns(100));
    // In 7; EXIT issues in 8, the warp is over in 9.
    EXPECT_EQ(launcher.seen, (events{{"END_REQ", ns(7)}, {"BEGIN_RESP", ns(9)}}));
}

TEST_F(launch_socket, the_next_response_waits_for_the_annotated_end_of_the_one_before)
{
    launcher.end_with = tlm::TLM_UPDATED;
    launcher.end_delay = ns(20);
    for (const unsigned slot : {0U, 1U}) launcher.send(launch_into(slot), tlm::BEGIN_REQ);
    sc_core::sc_start(ns(100));
    ASSERT_EQ(launcher.seen.size(), 2U);
    EXPECT_EQ(launcher.seen[1].second - launcher.seen[0].second, ns(20));
}

DECLARE_EXTENDED_PHASE(other_phase);

TEST_F(launch_socket, other_phases_are_ignored)
{
    tlm::tlm_generic_payload& payload = launch_into(0);
    EXPECT_EQ(launcher.send(payload, other_phase), tlm::TLM_ACCEPTED);
    EXPECT_EQ(unit.resident(), 0U);
    EXPECT_EQ(launcher.send(payload, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
    EXPECT_EQ(unit.resident(), 1U);
}

TEST_F(launch_socket, invalid_launch_is_refused)
{
    tlm::tlm_generic_payload plain(&pool);
    plain.acquire();
    EXPECT_EQ(launcher.send(plain, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
    EXPECT_EQ(plain.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    tlm::tlm_generic_payload& no_slot = launch_into(64);
    EXPECT_EQ(launcher.send(no_slot, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
    EXPECT_EQ(no_slot.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(unit.resident(), 0U);
}

TEST_F(launch_socket, launches_have_attributes_that_any_component_may_look_at)
{
    for (unsigned round = 0; round < 2; ++round) {
        tlm::tlm_generic_payload& payload = launch_into(0);
        auto& tag = payload.get_extension<launch_extension>()->tag;
        EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
        EXPECT_EQ(payload.get_address(), 0U);
        EXPECT_EQ(payload.get_data_ptr(), reinterpret_cast<unsigned char*>(&tag));
        EXPECT_EQ(payload.get_data_length(), 8U);
        EXPECT_EQ(payload.get_streaming_width(), 8U);
        EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        payload.set_address(4);
        payload.release();
    }
}

TEST_F(launch_socket, the_next_response_waits_for_END_RESP)
{
    launcher.end_with = tlm::TLM_ACCEPTED;
    auto& first = launch_into(0);
    auto& second = launch_into(1);
    for (auto* payload : {&first, &second}) launcher.send(*payload, tlm::BEGIN_REQ);
    sc_core::sc_start(ns(50));
    EXPECT_EQ(launcher.seen.size(), 1U);
    EXPECT_EQ(unit.resident(), 0U) << "both warps are over, and their slots free";
    EXPECT_EQ(launcher.send(first, tlm::END_RESP), tlm::TLM_COMPLETED);
    EXPECT_EQ(launcher.seen.size(), 2U);
    EXPECT_EQ(launcher.send(second, tlm::END_RESP, 3), tlm::TLM_ACCEPTED);
    auto& third = launch_into(2);
    launcher.send(third, tlm::BEGIN_REQ);
    sc_core::sc_start(ns(50));
    ASSERT_EQ(launcher.seen.size(), 3U);
    EXPECT_EQ(launcher.seen[2].second, ns(53)) << "over in 52, but the response before it ends in 53";
}

TEST_F(launch_socket, launch_without_memory_manager_is_an_error)
{
    launch_extension extension;
    extension.launch = launch_into(0).get_extension<launch_extension>()->launch;
    tlm::tlm_generic_payload payload;
    payload.set_extension(&extension);
    EXPECT_THROW(launcher.send(payload, tlm::BEGIN_REQ), std::logic_error);
    EXPECT_THROW(launcher.send(payload, tlm::BEGIN_REQ, 7), std::logic_error);
    EXPECT_EQ(unit.resident(), 0U);
    payload.clear_extension(&extension);
}

TEST_F(launch_socket, phases_out_of_turn_are_errors)
{
    auto& payload = launch_into(0);
    launcher.send(payload, tlm::BEGIN_REQ);
    EXPECT_THROW(launcher.send(payload, tlm::END_RESP), std::logic_error) << "nothing has responded";
    launcher.send(launch_into(0), tlm::BEGIN_REQ); // held until slot 0 is free
    EXPECT_THROW(launcher.send(launch_into(1), tlm::BEGIN_REQ), std::logic_error) << "before END_REQ";
}

TEST_F(launch_socket, has_no_blocking_transport_and_no_memory)
{
    auto& payload = launch_into(0);
    sc_core::sc_time delay;
    launcher.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(unit.resident(), 0U);
    tlm::tlm_dmi region;
    EXPECT_FALSE(launcher.socket->get_direct_mem_ptr(payload, region));
    EXPECT_EQ(launcher.socket->transport_dbg(payload), 0U);
}

TEST_F(launch_socket, a_copied_launch_is_a_launch)
{
    auto& payload = launch_into(5);
    payload.get_extension<launch_extension>()->tag = 77;
    tlm::tlm_generic_payload copy;
    copy.deep_copy_from(payload); // makes an extension
    ASSERT_NE(copy.get_extension<launch_extension>(), nullptr);
    EXPECT_EQ(copy.get_extension<launch_extension>()->tag, 77U);
    EXPECT_EQ(copy.get_extension<launch_extension>()->launch.program, &program);
    EXPECT_EQ(copy.get_extension<launch_extension>()->launch.context, 5U);
    payload.get_extension<launch_extension>()->tag = 78;
    payload.get_extension<launch_extension>()->completion.vertex_count[3] = 9;
    copy.deep_copy_from(payload); // fills the one that is there
    EXPECT_EQ(copy.get_extension<launch_extension>()->tag, 78U);
    EXPECT_EQ(copy.get_extension<launch_extension>()->completion.vertex_count[3], 9U);
}

/// An SM under the test's control: it answers each launch as scripted.
class scripted_sm : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};
    tlm::tlm_sync_enum answer = tlm::TLM_UPDATED;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    std::vector<tlm::tlm_generic_payload*> launches;
    unsigned ends = 0; ///< END_RESP

    explicit scripted_sm(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { socket.bind(*this); }

    tlm::tlm_sync_enum send(unsigned launch, tlm::tlm_phase what, double delay_ns = 0)
    {
        sc_core::sc_time when(delay_ns, sc_core::SC_NS);
        launches[launch]->set_response_status(status);
        return socket->nb_transport_bw(*launches[launch], what, when);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& what,
                                       sc_core::sc_time& when) override
    {
        if (what == tlm::END_RESP) {
            ++ends;
            return tlm::TLM_COMPLETED;
        }
        launches.push_back(&payload);
        payload.set_response_status(status);
        what = phase;
        when = delay;
        return answer;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

/// The PE's side of launches; tags and cycles of the warps that have ended.
class launches : public testing::Test, protected launch_initiator::client {
protected:
    launches()
    {
        launcher.socket.bind(sm.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void completed(std::uint64_t tag, const warp_completion&) override { ended.emplace_back(tag, clock.now()); }
    void run_to(unsigned cycle)
    {
        sc_core::sc_start(sc_core::sc_time(cycle, sc_core::SC_NS) - sc_core::sc_time_stamp());
    }

    const cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    scripted_sm sm{"sm"};
    launch_initiator launcher{"launcher", clock, *this};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ended;
};

using ends = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

TEST_F(launches, wait_for_an_acceptance_with_a_delay)
{
    sm.delay = sc_core::sc_time(4, sc_core::SC_NS);
    launcher.launch({}, 1);
    launcher.launch({}, 2);
    run_to(3);
    EXPECT_FALSE(launcher.can_launch());
    EXPECT_EQ(sm.launches.size(), 1U);
    run_to(5);
    EXPECT_EQ(sm.launches.size(), 2U) << "the first was accepted in 4";
    run_to(10);
    EXPECT_TRUE(launcher.can_launch());
    EXPECT_EQ(sm.send(1, tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
    EXPECT_EQ(sm.send(0, tlm::BEGIN_RESP, 2), tlm::TLM_ACCEPTED);
    EXPECT_EQ(sm.ends, 0U);
    run_to(20);
    EXPECT_EQ(ended, (ends{{2, 10}, {1, 12}}));
    EXPECT_EQ(launcher.last_completion(), 12U);
    EXPECT_EQ(sm.ends, 1U) << "of the response that came with a delay";
}

TEST_F(launches, may_be_answered_at_once)
{
    sm.phase = tlm::BEGIN_RESP;
    launcher.launch({}, 1);
    EXPECT_EQ(ended, (ends{{1, 0}}));
    EXPECT_EQ(sm.ends, 1U);
    sm.answer = tlm::TLM_COMPLETED; // no process waits for an end
    launcher.launch({}, 2);
    sm.delay = sc_core::sc_time(6, sc_core::SC_NS);
    launcher.launch({}, 3);
    EXPECT_FALSE(launcher.can_launch());
    run_to(8);
    EXPECT_EQ(ended, (ends{{1, 0}, {2, 0}, {3, 6}}));
    EXPECT_EQ(sm.ends, 1U);
    EXPECT_TRUE(launcher.can_launch());
}

TEST_F(launches, a_response_implies_the_acceptance_and_other_phases_nothing)
{
    sm.answer = tlm::TLM_ACCEPTED;
    launcher.launch({}, 1);
    EXPECT_EQ(sm.send(0, other_phase), tlm::TLM_ACCEPTED);
    EXPECT_FALSE(launcher.can_launch());
    sm.socket->invalidate_direct_mem_ptr(0, 1);
    EXPECT_EQ(sm.send(0, tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
    EXPECT_TRUE(launcher.can_launch());
    EXPECT_EQ(ended, (ends{{1, 0}}));
}

TEST_F(launches, sm_refusal_is_reported)
{
    sm.answer = tlm::TLM_COMPLETED;
    sm.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    EXPECT_EQ(error_text<std::logic_error>([&] { launcher.launch({}, 1); }),
              "launch_initiator: TLM_GENERIC_ERROR_RESPONSE");
    EXPECT_TRUE(ended.empty());
}

} // namespace
} // namespace isbesim
