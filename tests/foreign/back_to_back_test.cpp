// SPDX-License-Identifier: Apache-2.0
// An initiator that begins each request in the cycle in which the previous one ends, as the base protocol allows: the
// request channel carries a request in every cycle, for each kind of target.
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm>

#include "testbench/rtl/isbe_backend.h"
#include "tlm/has_process.h"
#include "tlm/payload_extension.h"
#include "tlm/process_guard.h"

namespace isbesim::test {
namespace {

constexpr unsigned operations = 40;

class hasty_initiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>, private tlm::tlm_mm_interface {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    explicit hasty_initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
        ISBESIM_HAS_PROCESS(hasty_initiator);
        SC_METHOD(send);
        sensitive << send_;
    }
    std::vector<std::uint64_t> responses; ///< ns

private:
    struct request {
        tlm::tlm_generic_payload payload;
        isbe_extension extension;
        ~request() { payload.clear_extension(&extension); }
    };

    void send()
    {
        while (requests_.size() < operations) {
            requests_.push_back(std::make_unique<request>());
            auto& [payload, extension] = *requests_.back();
            extension.op.op = opcode::isberd;
            extension.op.region = region::physical;
            extension.op.size = 4;
            make_request(payload, extension);
            payload.set_mm(this);
            payload.acquire();
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay;
            if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED) return;
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override
    {
        if (phase == tlm::END_REQ) {
            send_.notify(sc_core::SC_ZERO_TIME);
            return tlm::TLM_ACCEPTED;
        }
        responses.push_back(static_cast<std::uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS)));
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void free(tlm::tlm_generic_payload*) override {}

    sc_core::sc_event send_;
    std::vector<std::unique_ptr<request>> requests_;
};

/// Cycles of the request channel.
struct channel_watch : transaction_observer {
    void begin_request(std::uint64_t, unsigned, const warp_op&, std::uint64_t cycle) override
    {
        begin.push_back(cycle);
    }
    void accept(std::uint64_t, unsigned, std::uint64_t cycle) override { accepted.push_back(cycle); }
    std::vector<std::uint64_t> begin, accepted;
};

class back_to_back : public testing::TestWithParam<const char*> {};

TEST_P(back_to_back, one_request_a_cycle)
{
    // One pass each: accepted in i, granted in i + 1, responded in i + 1 + 1 + L (micro-architecture section 5).
    const isbe_config config;
    const auto clock = cycle_clock::from_ghz(1.0);
    const auto isbe =
        testbench::find_isbe_backend(GetParam())->make("isbe", config, clock, testbench::require_rtl_block, nullptr);
    channel_watch watch;
    isbe.module->attach(watch);
    hasty_initiator initiator("initiator");
    initiator.socket.bind(isbe.module->ports[0]);
    start_simulation();
    std::vector<std::uint64_t> cycles, responses;
    for (std::uint64_t i = 0; i < operations; ++i) {
        cycles.push_back(i);
        responses.push_back(i + 2 + config.pipeline_latency);
    }
    EXPECT_EQ(watch.begin, cycles);
    EXPECT_EQ(watch.accepted, cycles);
    EXPECT_EQ(initiator.responses, responses);
    if (!isbe.comparison) return;
    isbe.comparison->finish();
    EXPECT_FALSE(isbe.comparison->failed()) << isbe.comparison->mismatch_report();
    EXPECT_EQ(isbe.comparison->totals().transactions, operations);
}

#ifdef ISBESIM_HAS_RTL
INSTANTIATE_TEST_SUITE_P(of, back_to_back, testing::Values("at", "rtl", "lockstep"));
#else
INSTANTIATE_TEST_SUITE_P(of, back_to_back, testing::Values("at"));
#endif

} // namespace
} // namespace isbesim::test
