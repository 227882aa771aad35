// SPDX-License-Identifier: Apache-2.0
// A foreign initiator against the ISBE: simple sockets, payloads of its own, loosely timed with temporal
// decoupling and approximately timed with every manner of ending a response; plain accesses and warp operations.
#define SC_INCLUDE_DYNAMIC_PROCESSES // for the simple sockets
#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "tests/support/warp_operations.h"
#include "tlm/has_process.h"
#include "tlm/payload_extension.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"

namespace isbesim::test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// A payload with everything that it needs, filled by hand as the headers say.
class own_payload : public tlm::tlm_generic_payload {
public:
    isbe_extension extension;
    std::vector<unsigned char> data;
    bool responded = false;

    explicit own_payload(tlm::tlm_mm_interface& manager) : tlm::tlm_generic_payload(&manager) { acquire(); }
    ~own_payload() override { clear_extension(&extension); }

    void plain(bool write, std::uint64_t address, std::vector<unsigned char> bytes)
    {
        data = std::move(bytes);
        set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        set_address(address);
        set_array(data.data(), static_cast<unsigned>(data.size()));
    }
    void operation(const warp_op& op)
    {
        extension.op = op;
        set_command(tlm::TLM_IGNORE_COMMAND);
        set_address(0);
        set_array(reinterpret_cast<unsigned char*>(&extension.op.data), 512);
        set_extension(&extension);
    }

private:
    void set_array(unsigned char* first, unsigned bytes)
    {
        set_data_ptr(first);
        set_data_length(bytes);
        set_streaming_width(bytes);
    }
};

enum class manner { loosely_timed, approximately_timed };

void PrintTo(manner how, std::ostream* out)
{
    *out << (how == manner::loosely_timed ? "blocking" : "four_phases");
}

class foreign_initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
public:
    tlm_utils::simple_initiator_socket<foreign_initiator> socket{"socket"};

    foreign_initiator(const sc_core::sc_module_name& name, manner how, std::function<void(foreign_initiator&)> body)
        : sc_core::sc_module(name), how_(how), body_(std::move(body))
    {
        socket.register_nb_transport_bw(this, &foreign_initiator::backward);
        ISBESIM_HAS_PROCESS(foreign_initiator);
        SC_THREAD(run);
        SC_METHOD(end_response);
        sensitive << end_response_;
        dont_initialize();
    }
    bool ran() const { return ran_; }
    sc_time ahead() const { return ahead_; } ///< how far it ran ahead of simulated time at most

    own_payload& write(std::uint64_t address, std::vector<unsigned char> bytes)
    {
        own_payload& payload = make();
        payload.plain(true, address, std::move(bytes));
        return start(payload);
    }
    own_payload& read(std::uint64_t address, unsigned count)
    {
        own_payload& payload = make();
        payload.plain(false, address, std::vector<unsigned char>(count));
        return start(payload);
    }
    own_payload& operation(const warp_op& op)
    {
        own_payload& payload = make();
        payload.operation(op);
        return start(payload);
    }
    /// Until everything that was started has responded.
    void finish()
    {
        for (const auto& payload : payloads_) {
            while (!payload->responded) wait(answer_);
            EXPECT_EQ(payload->get_response_status(), tlm::TLM_OK_RESPONSE);
        }
    }

private:
    own_payload& make()
    {
        payloads_.push_back(std::make_unique<own_payload>(*this));
        return *payloads_.back();
    }
    own_payload& start(own_payload& payload)
    {
        if (how_ == manner::loosely_timed)
            block(payload);
        else
            request(payload);
        return payload;
    }
    void block(own_payload& payload)
    {
        sc_time delay = keeper_.get_local_time();
        socket->b_transport(payload, delay);
        payload.responded = true;
        keeper_.set(delay);
        ahead_ = std::max(ahead_, delay);
        if (keeper_.need_sync()) keeper_.sync();
    }
    void request(own_payload& payload)
    {
        while (requesting_ != nullptr) wait(channel_);
        requesting_ = &payload;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay;
        const auto status = socket->nb_transport_fw(payload, phase, delay);
        if (status == tlm::TLM_ACCEPTED) return;
        if (delay != sc_core::SC_ZERO_TIME) wait(delay);
        requesting_ = nullptr;
        if (status == tlm::TLM_COMPLETED) responded(payload);
        EXPECT_TRUE(status == tlm::TLM_COMPLETED || phase == tlm::END_REQ);
    }
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay)
    {
        if (requesting_ == &payload) {
            requesting_ = nullptr;
            channel_.notify(delay);
        }
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        switch (responses_++ % 3) {
        case 0:
            responded(payload);
            return tlm::TLM_COMPLETED;
        case 1: // ends 2 ns later, said at once
            responded(payload);
            phase = tlm::END_RESP;
            delay += sc_time(2, SC_NS);
            return tlm::TLM_UPDATED;
        default: // ends 1.5 ns later, said then
            ending_ = &payload;
            end_response_.notify(delay + sc_time(1.5, SC_NS));
            return tlm::TLM_ACCEPTED;
        }
    }
    void end_response()
    {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_time delay;
        socket->nb_transport_fw(*ending_, phase, delay);
        responded(*ending_);
    }
    void responded(tlm::tlm_generic_payload& payload)
    {
        static_cast<own_payload&>(payload).responded = true;
        answer_.notify(sc_core::SC_ZERO_TIME);
    }
    void run()
    {
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(20, SC_NS));
        keeper_.reset();
        body_(*this);
        ran_ = true;
    }
    void free(tlm::tlm_generic_payload*) override {}

    manner how_;
    std::function<void(foreign_initiator&)> body_;
    bool ran_ = false;
    sc_time ahead_;
    unsigned responses_ = 0;
    tlm_utils::tlm_quantumkeeper keeper_;
    std::vector<std::unique_ptr<own_payload>> payloads_;
    tlm::tlm_generic_payload* requesting_ = nullptr;
    tlm::tlm_generic_payload* ending_ = nullptr;
    sc_core::sc_event channel_, answer_, end_response_;
};

class initiator_of_others : public testing::TestWithParam<std::tuple<manner, std::string>> {
protected:
    void with(std::function<void(foreign_initiator&)> body)
    {
        const auto& [how, isbe] = GetParam();
        const cycle_clock clock(sc_time(1, SC_NS));
        std::unique_ptr<isbe_module> target;
        if (isbe == "lt")
            target = std::make_unique<isbe_lt>("isbe", isbe_config{}, clock);
        else
            target = std::make_unique<isbe_at>("isbe", isbe_config{}, clock);
        foreign_initiator initiator("initiator", how, std::move(body));
        protocol_checker checker("checker", clock);
        initiator.socket.bind(checker.target);
        checker.initiator.bind(target->ports[0]);
        start_simulation();
        EXPECT_TRUE(initiator.ran());
        ahead = initiator.ahead();
        checker.finish();
        EXPECT_GT(checker.transactions(), 0U);
        for (const auto& violation : checker.violations()) ADD_FAILURE() << violation.describe();
    }
    sc_time ahead;
};
INSTANTIATE_TEST_SUITE_P(on, initiator_of_others,
                         testing::Combine(testing::Values(manner::loosely_timed, manner::approximately_timed),
                                          testing::Values(std::string("lt"), std::string("at"))),
                         [](const auto& chosen) {
                             return testing::PrintToString(std::get<0>(chosen.param)) + "_" + std::get<1>(chosen.param);
                         });

std::vector<unsigned char> bytes_of(const per_lane<word>& words)
{
    std::vector<unsigned char> bytes;
    for (const word value : words)
        for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<unsigned char>(value >> (8 * i)));
    return bytes;
}

// A program by hand: plain words in, BIND, load, store, plain words out (HARDWARE.md D.2 says where they lie).
TEST_P(initiator_of_others, mixes_plain_accesses_and_warp_operations)
{
    const auto attributes = ids({0x80, 0x84});
    const context bound = make_context(stage::vertex, attributes, attributes);
    with([&](foreign_initiator& initiator) {
        for (unsigned rank = 0; rank < 2; ++rank)
            initiator.write(bound.input.attr_base + skewed(2, rank, 0), bytes_of(counting(1000 * rank + 7, 3)));
        warp_op bind;
        bind.op = opcode::bind;
        pack_context(bound, bind);
        initiator.operation(bind);
        initiator.finish();

        const auto& loaded = initiator.operation(make_ald(0x80, 2));
        const auto& stored = initiator.operation(make_ast(0x80, 2, 0x5000));
        initiator.finish();
        EXPECT_EQ(loaded.extension.result.data[0], counting(7, 3));
        EXPECT_EQ(loaded.extension.result.data[1], counting(1007, 3));
        EXPECT_EQ(stored.extension.result.error, op_error::none);

        const auto& first = initiator.read(bound.output.attr_base + skewed(2, 0, 0), 128);
        const auto& second = initiator.read(bound.output.attr_base + skewed(2, 1, 0), 128);
        initiator.finish();
        EXPECT_EQ(first.data, bytes_of(counting(0x5000)));
        EXPECT_EQ(second.data, bytes_of(counting(0x5100)));
    });
}

// Far more than the queues hold and than one quantum is long.
TEST_P(initiator_of_others, a_long_stream_keeps_its_order)
{
    with([&](foreign_initiator& initiator) {
        std::vector<const own_payload*> reads;
        for (unsigned i = 0; i < 50; ++i) {
            initiator.write(4 * (i % 3), bytes_of(all_lanes_have(i)));
            if (i % 2 == 0) initiator.operation(make_isbewr(region::physical, 4, counting(0x400, 4), counting(i)));
            reads.push_back(&initiator.read(4 * (i % 3), 128));
        }
        initiator.finish();
        for (unsigned i = 0; i < 50; ++i) EXPECT_EQ(reads[i]->data, bytes_of(all_lanes_have(i))) << i;
    });
    // The approximately timed ISBE waits inside the call, to which the delay was annotated.
    const bool decoupled = std::get<0>(GetParam()) == manner::loosely_timed && std::get<1>(GetParam()) == "lt";
    EXPECT_EQ(ahead > sc_time(15, SC_NS), decoupled) << ahead;
}

} // namespace
} // namespace isbesim::test
