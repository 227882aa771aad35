// SPDX-License-Identifier: Apache-2.0
// The initiator against targets that respond in every way that the base protocol allows.
#include "tlm/warp_initiator.h"

#include <deque>
#include <memory>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/warp_operations.h"
#include "tlm/has_process.h"
#include "tlm/protocol_checker.h"

namespace isbesim::test {
namespace {

/// How the target responds to a request.
enum class manner {
    updated,          ///< END_REQ in the return value, BEGIN_RESP on the backward path
    accepted,         ///< END_REQ on the backward path two cycles later
    implied,          ///< no END_REQ at all
    completed,        ///< TLM_COMPLETED with a delay
    early_response,   ///< BEGIN_RESP in the return value, with a delay, when no other response is under way
    annotated_accept, ///< END_REQ in the return value, three cycles ahead
};

constexpr unsigned latency = 10;

class polite_target : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};
    std::vector<std::uint64_t> begin_cycles, end_response_cycles;
    sc_core::sc_time blocking; ///< b_transport waits for this time instead of annotating a delay

    polite_target(const sc_core::sc_module_name& name, const cycle_clock& clock, manner how)
        : sc_core::sc_module(name), clock_(clock), how_(how)
    {
        socket.bind(*this);
        ISBESIM_HAS_PROCESS(polite_target);
        SC_METHOD(act);
        sensitive << event_;
        dont_initialize();
    }

private:
    struct action {
        std::uint64_t cycle;
        tlm::tlm_generic_payload* payload;
        bool accept;
    };

    void answer(tlm::tlm_generic_payload& payload)
    {
        auto& extension = payload_pool::extension(payload);
        extension.result = {};
        extension.result.data[0][0] = static_cast<word>(extension.op.immediate);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void end_response()
    {
        end_response_cycles.push_back(clock_.now());
        responding_ = false;
    }
    bool response_channel_free() const
    {
        return !responding_ && (end_response_cycles.empty() || end_response_cycles.back() != clock_.now());
    }
    void later(unsigned cycles, tlm::tlm_generic_payload& payload, bool accept)
    {
        actions_.push_back({clock_.now() + cycles, &payload, accept});
        event_.notify(clock_.time(1));
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        if (phase == tlm::END_RESP) {
            end_response();
            return tlm::TLM_COMPLETED;
        }
        begin_cycles.push_back(clock_.now());
        switch (how_) {
        case manner::accepted:
            later(2, payload, true);
            later(latency, payload, false);
            return tlm::TLM_ACCEPTED;
        case manner::implied:
            later(latency, payload, false);
            return tlm::TLM_ACCEPTED;
        case manner::completed:
            answer(payload);
            delay = clock_.time(latency);
            return tlm::TLM_COMPLETED;
        case manner::early_response:
            if (responding_ || !actions_.empty()) {
                later(latency, payload, false);
                return tlm::TLM_ACCEPTED;
            }
            responding_ = true;
            answer(payload);
            delay = clock_.time(latency);
            phase = tlm::BEGIN_RESP;
            return tlm::TLM_UPDATED;
        case manner::annotated_accept:
            delay = clock_.time(3);
            [[fallthrough]];
        case manner::updated:
            later(latency, payload, false);
            break;
        }
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void act()
    {
        for (std::size_t i = 0; i < actions_.size();) {
            const action a = actions_[i];
            if (a.cycle > clock_.now() || (!a.accept && !response_channel_free())) {
                ++i;
                continue;
            }
            actions_.erase(actions_.begin() + static_cast<std::ptrdiff_t>(i));
            tlm::tlm_phase phase = a.accept ? tlm::END_REQ : tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            if (!a.accept) {
                answer(*a.payload);
                responding_ = true;
            }
            if (socket->nb_transport_bw(*a.payload, phase, delay) == tlm::TLM_COMPLETED) end_response();
        }
        if (!actions_.empty()) event_.notify(clock_.time(1));
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override
    {
        begin_cycles.push_back(clock_.now());
        if (blocking != sc_core::SC_ZERO_TIME) {
            wait(blocking);
            answer(payload);
            return;
        }
        answer(payload);
        // Every second operation is quick: responses must still come in order.
        delay += clock_.time(begin_cycles.size() % 2 == 0 ? 2 : latency);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    cycle_clock clock_;
    manner how_;
    std::deque<action> actions_;
    bool responding_ = false;
    sc_core::sc_event event_;
};

class initiator_bench : public warp_initiator::client {
public:
    struct seen {
        std::uint64_t tag;
        std::uint64_t cycle;
        word value;
        transaction_times times;
    };

    cycle_clock clock{sc_core::sc_time(3, sc_core::SC_NS)};
    std::unique_ptr<warp_initiator> requester;
    warp_initiator& initiator = *requester;
    protocol_checker checker{"checker", clock};
    polite_target target;
    std::vector<seen> responses;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> accepts; // tag, cycle
    unsigned stall = 0;
    unsigned answer_with = 0; ///< operations to send from inside response()

    explicit initiator_bench(manner how, warp_initiator::style style = warp_initiator::style::approximately_timed)
        : requester(warp_initiator::make("initiator", style, clock, 4, *this)), target("target", clock, how)
    {
        initiator.socket.bind(checker.target);
        checker.initiator.bind(target.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void send(std::uint64_t tag)
    {
        initiator.prepare().immediate = static_cast<std::int32_t>(100 + tag);
        initiator.send(tag);
    }
    void finish()
    {
        sc_core::sc_start(clock.time(1000));
        checker.finish();
        for (const auto& v : checker.violations()) ADD_FAILURE() << v.describe();
        EXPECT_EQ(initiator.pending(), 0U);
    }

private:
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override
    {
        EXPECT_EQ(op.immediate, static_cast<std::int32_t>(100 + tag));
        responses.push_back({tag, clock.now(), result.data[0][0], times});
        if (answer_with != 0) {
            --answer_with;
            send(tag + 10);
        }
    }
    void accepted(std::uint64_t tag) override { accepts.emplace_back(tag, clock.now()); }
    unsigned response_stall(std::uint64_t) override { return stall; }
};

void PrintTo(manner how, std::ostream* out)
{
    static constexpr const char* names[] = {"updated",   "accepted",       "implied",
                                            "completed", "early_response", "annotated_accept"};
    *out << names[static_cast<unsigned>(how)];
}

class warp_initiator_manners : public testing::TestWithParam<manner> {};

TEST_P(warp_initiator_manners, every_operation_responds_once_in_order_with_its_data)
{
    initiator_bench bench(GetParam());
    for (std::uint64_t tag = 0; tag < 4; ++tag) {
        ASSERT_TRUE(bench.initiator.can_send() || tag == 4);
        bench.send(tag);
    }
    bench.answer_with = 3;
    bench.finish();
    ASSERT_EQ(bench.responses.size(), 7U);
    ASSERT_EQ(bench.accepts.size(), 7U);
    const std::uint64_t order[] = {0, 1, 2, 3, 10, 11, 12};
    for (unsigned i = 0; i < 7; ++i) {
        EXPECT_EQ(bench.responses[i].tag, order[i]);
        EXPECT_EQ(bench.responses[i].value, 100 + order[i]);
        EXPECT_EQ(bench.responses[i].times.response, bench.responses[i].cycle);
        EXPECT_EQ(bench.responses[i].times.begin_request, bench.target.begin_cycles[i]);
        EXPECT_LE(bench.responses[i].times.begin_request, bench.responses[i].times.accept);
    }
}

INSTANTIATE_TEST_SUITE_P(manners, warp_initiator_manners,
                         testing::Values(manner::updated, manner::accepted, manner::implied, manner::completed,
                                         manner::early_response, manner::annotated_accept));

TEST(warp_initiator, one_request_a_cycle)
{
    initiator_bench bench(manner::updated);
    for (std::uint64_t tag = 0; tag < 3; ++tag) bench.send(tag);
    EXPECT_EQ(bench.initiator.pending(), 3U);
    bench.finish();
    EXPECT_EQ(bench.target.begin_cycles, (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(bench.responses[2].times.accept, 2U);
}

TEST(warp_initiator, the_next_request_follows_the_cycle_after_the_transfer)
{
    initiator_bench bench(manner::accepted);
    for (std::uint64_t tag = 0; tag < 3; ++tag) bench.send(tag);
    bench.finish();
    EXPECT_EQ(bench.target.begin_cycles, (std::vector<std::uint64_t>{0, 3, 6}));
    EXPECT_EQ(bench.accepts[1], (std::pair<std::uint64_t, std::uint64_t>{1, 5}));
    EXPECT_EQ(bench.responses[1].times.accept, 5U);
}

TEST(warp_initiator, the_queue_has_its_depth)
{
    initiator_bench bench(manner::accepted);
    for (std::uint64_t tag = 0; tag < 4; ++tag) {
        EXPECT_TRUE(bench.initiator.can_send());
        bench.send(tag);
    }
    EXPECT_FALSE(bench.initiator.can_send());
    bench.finish();
    EXPECT_TRUE(bench.initiator.can_send());
}

TEST(warp_initiator, a_stalled_response_ends_that_many_cycles_later)
{
    initiator_bench bench(manner::updated);
    bench.stall = 5;
    bench.send(0);
    bench.send(1);
    bench.finish();
    EXPECT_EQ(bench.responses[0].cycle, 10U);
    EXPECT_EQ(bench.target.end_response_cycles[0], 15U);
    EXPECT_EQ(bench.responses[1].cycle, 16U);
}

TEST(warp_initiator, loosely_timed_answers_come_after_their_delay_and_in_order)
{
    initiator_bench bench(manner::updated, warp_initiator::style::loosely_timed);
    for (std::uint64_t tag = 0; tag < 3; ++tag) bench.send(tag);
    EXPECT_TRUE(bench.initiator.can_send());
    bench.finish();
    EXPECT_EQ(bench.target.begin_cycles, (std::vector<std::uint64_t>{0, 0, 0}));
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.responses[i].tag, i);
        EXPECT_EQ(bench.responses[i].cycle, 10U) << "the second is quick but comes after the first";
    }
}

TEST(warp_initiator, a_target_that_waits_in_the_call_makes_the_next_operation_wait)
{
    initiator_bench bench(manner::updated, warp_initiator::style::loosely_timed);
    bench.target.blocking = 4 * bench.clock.period();
    for (std::uint64_t tag = 0; tag < 6; ++tag) {
        EXPECT_TRUE(bench.initiator.can_send());
        bench.send(tag);
    }
    bench.answer_with = 1;
    bench.finish();
    EXPECT_EQ(bench.target.begin_cycles, (std::vector<std::uint64_t>{0, 4, 8, 12, 16, 20, 24}));
    ASSERT_EQ(bench.responses.size(), 7U);
    for (unsigned i = 0; i < 7; ++i) {
        EXPECT_EQ(bench.responses[i].tag, i < 6 ? i : 10);
        EXPECT_EQ(bench.responses[i].value, 100 + bench.responses[i].tag);
        EXPECT_EQ(bench.responses[i].cycle, 4 * (i + 1));
        EXPECT_EQ(bench.responses[i].times.begin_request, 4 * i);
        EXPECT_EQ(bench.accepts[i], (std::pair<std::uint64_t, std::uint64_t>{bench.responses[i].tag, 4 * i}));
    }
}

// Past events of a cycle are visible at once, future events in the next cycle.
TEST(warp_initiator, times_between_cycles)
{
    initiator_bench bench(manner::updated, warp_initiator::style::loosely_timed);
    bench.target.blocking = sc_core::sc_time(4, sc_core::SC_NS); // 1 1/3 cycles
    for (std::uint64_t tag = 0; tag < 3; ++tag) bench.send(tag);
    bench.finish();
    ASSERT_EQ(bench.responses.size(), 3U);
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(bench.responses[i].cycle, 4 * (i + 1) / 3);
}

TEST(warp_initiator, an_annotated_delay_that_ends_inside_a_cycle_is_rounded_up)
{
    const cycle_clock clock(sc_core::sc_time(3, sc_core::SC_NS));
    EXPECT_EQ(clock.cycle_from(sc_core::sc_time(6, sc_core::SC_NS)), 2U);
    EXPECT_EQ(clock.cycle_from(sc_core::sc_time(7, sc_core::SC_NS)), 3U);
    sc_core::sc_start(sc_core::sc_time(7, sc_core::SC_NS));
    EXPECT_EQ(clock.until(2), sc_core::SC_ZERO_TIME) << "cycle 2 has begun";
    EXPECT_EQ(clock.until(3), sc_core::sc_time(2, sc_core::SC_NS));
}

} // namespace
} // namespace isbesim::test
