// SPDX-License-Identifier: Apache-2.0
// The monitor finds what it is there for: each rule broken once, and a clean exchange reports nothing.
#include "tests/foreign/base_protocol_monitor.h"

#include <functional>

#include <gtest/gtest.h>

#include "tlm/has_process.h"

namespace isbesim::test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using payload_type = tlm::tlm_generic_payload;

class no_manager : public tlm::tlm_mm_interface {
    void free(payload_type*) override {}
};

/// Initiator and target in the hands of the test.
class monitor_bench : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> initiator{"initiator"};
    tlm::tlm_target_socket<> target{"target"};
    base_protocol_monitor monitor{"monitor"};
    std::function<tlm::tlm_sync_enum(payload_type&, tlm::tlm_phase&, sc_time&)> on_forward, on_backward;
    std::function<void(payload_type&, sc_time&)> on_block;

    explicit monitor_bench(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        initiator.bind(*this);
        target.bind(*this);
        initiator.bind(monitor.target);
        monitor.initiator.bind(target);
        ISBESIM_HAS_PROCESS(monitor_bench);
        SC_METHOD(method);
        sensitive << event_;
        dont_initialize();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    payload_type& request()
    {
        payloads_.push_back(std::make_unique<payload_type>(&manager_));
        payload_type& payload = *payloads_.back();
        payload.acquire();
        payload.set_read();
        payload.set_data_ptr(data_);
        payload.set_data_length(8);
        payload.set_streaming_width(8);
        return payload;
    }
    tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase phase, double ns = 0)
    {
        sc_time delay(ns, SC_NS);
        return initiator->nb_transport_fw(payload, phase, delay);
    }
    tlm::tlm_sync_enum backward(payload_type& payload, tlm::tlm_phase phase, double ns = 0)
    {
        if (phase == tlm::BEGIN_RESP && answer) payload.set_response_status(tlm::TLM_OK_RESPONSE);
        sc_time delay(ns, SC_NS);
        return target->nb_transport_bw(payload, phase, delay);
    }
    void block(payload_type& payload, double ns = 0)
    {
        sc_time delay(ns, SC_NS);
        initiator->b_transport(payload, delay);
    }
    void in_method(std::function<void()> body)
    {
        body_ = std::move(body);
        event_.notify();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void expect(const std::vector<std::string>& parts)
    {
        monitor.finish();
        ASSERT_EQ(monitor.breaches().size(), parts.size()) << described();
        for (std::size_t i = 0; i < parts.size(); ++i)
            EXPECT_NE(monitor.breaches()[i].find(parts[i]), std::string::npos) << described();
    }
    bool answer = true;

private:
    std::string described() const
    {
        std::string text;
        for (const auto& breach : monitor.breaches()) text += breach + "\n";
        return text;
    }
    void method() { body_(); }
    tlm::tlm_sync_enum nb_transport_fw(payload_type& payload, tlm::tlm_phase& phase, sc_time& delay) override
    {
        return on_forward ? on_forward(payload, phase, delay) : tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(payload_type& payload, tlm::tlm_phase& phase, sc_time& delay) override
    {
        return on_backward ? on_backward(payload, phase, delay) : tlm::TLM_ACCEPTED;
    }
    void b_transport(payload_type& payload, sc_time& delay) override
    {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (on_block) on_block(payload, delay);
    }
    bool get_direct_mem_ptr(payload_type&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(payload_type&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    no_manager manager_;
    unsigned char data_[8] = {};
    std::vector<std::unique_ptr<payload_type>> payloads_;
    std::function<void()> body_;
    sc_core::sc_event event_;
};

TEST(base_protocol_monitor, clean_exchanges)
{
    monitor_bench bench("bench");
    auto& a = bench.request();
    auto& b = bench.request();
    bench.forward(a, tlm::BEGIN_REQ, 2);
    bench.backward(a, tlm::END_REQ, 3);
    bench.forward(b, tlm::BEGIN_REQ, 3);
    bench.backward(a, tlm::BEGIN_RESP, 4);
    bench.forward(a, tlm::END_RESP, 5);
    bench.backward(b, tlm::BEGIN_RESP, 5); // END_REQ implied
    bench.forward(b, tlm::END_RESP, 5);
    bench.block(bench.request(), 1);
    bench.expect({});
    EXPECT_EQ(bench.monitor.transactions(), 3U);
}

TEST(base_protocol_monitor, attributes_of_requests)
{
    monitor_bench bench("bench");
    unsigned char enables[2] = {0xff, 3};
    const std::vector<std::pair<const char*, std::function<void(payload_type&)>>> wrong = {
        {"the command", [](auto& p) { p.set_command(static_cast<tlm::tlm_command>(3)); }},
        {"data pointer", [](auto& p) { p.set_data_ptr(nullptr); }},
        {"data length", [](auto& p) { p.set_data_length(0); }},
        {"streaming width", [](auto& p) { p.set_streaming_width(0); }},
        {"byte enable length", [&](auto& p) { p.set_byte_enable_ptr(enables); }},
        {"neither 0 nor 0xff",
         [&](auto& p) {
             p.set_byte_enable_ptr(enables);
             p.set_byte_enable_length(2);
         }},
        {"option", [](auto& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); }},
        {"status of a request", [](auto& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); }},
        {"DMI hint", [](auto& p) { p.set_dmi_allowed(true); }},
    };
    std::vector<std::string> expected;
    for (const auto& [text, change] : wrong) {
        auto& payload = bench.request();
        change(payload);
        bench.block(payload);
        expected.emplace_back(text);
    }
    bench.expect(expected);
}

TEST(base_protocol_monitor, blocking_calls)
{
    monitor_bench bench("bench");
    bench.in_method([&] { bench.block(bench.request()); });
    bench.on_block = [](payload_type&, sc_time& delay) { delay = sc_core::SC_ZERO_TIME; };
    bench.block(bench.request(), 2);
    bench.on_block = [](payload_type& payload, sc_time&) { payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); };
    bench.block(bench.request());
    bench.on_block = [](payload_type& payload, sc_time&) { payload.set_streaming_width(4); };
    bench.block(bench.request());
    auto& twice = bench.request();
    bench.on_block = [&](payload_type& payload, sc_time&) {
        bench.on_block = nullptr;
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        bench.block(payload);
    };
    bench.block(twice);
    bench.expect({"called from the method", "ended before it began", "incomplete status", "attributes changed",
                  "in such a call"});
}

TEST(base_protocol_monitor, order_of_phases)
{
    monitor_bench bench("bench");
    auto& a = bench.request();
    bench.backward(a, tlm::END_REQ);
    bench.forward(a, tlm::BEGIN_REQ);
    bench.backward(a, tlm::END_REQ);
    bench.backward(a, tlm::END_REQ);
    bench.forward(a, tlm::END_RESP);
    auto& b = bench.request();
    bench.forward(b, tlm::BEGIN_RESP);
    bench.backward(b, tlm::END_RESP);
    bench.forward(b, tlm::UNINITIALIZED_PHASE);
    bench.forward(b, tlm::BEGIN_REQ);
    bench.expect({"not under way", "END_REQ twice", "END_RESP without", "on the forward path", "on the backward path",
                  "on the forward path", "1 transactions have not ended"});
}

TEST(base_protocol_monitor, one_at_a_time)
{
    monitor_bench bench("bench");
    auto& a = bench.request();
    auto& b = bench.request();
    auto& c = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    bench.forward(b, tlm::BEGIN_REQ); // 1
    bench.backward(b, tlm::END_REQ, 4);
    bench.forward(c, tlm::BEGIN_REQ, 3); // 2: the request before ends at 4
    bench.backward(a, tlm::BEGIN_RESP, 4);
    bench.backward(b, tlm::BEGIN_RESP, 4); // 3
    bench.forward(a, tlm::END_RESP, 6);
    bench.forward(b, tlm::END_RESP, 6);
    bench.backward(c, tlm::BEGIN_RESP, 5); // 4: the response before ends at 6
    bench.forward(c, tlm::END_RESP, 6);
    bench.expect({"another request is under way", "for a time at which another request", "another response is under",
                  "for a time at which another response"});
}

TEST(base_protocol_monitor, times_that_go_back)
{
    monitor_bench bench("bench");
    auto& a = bench.request();
    bench.forward(a, tlm::BEGIN_REQ, 5);
    bench.backward(a, tlm::END_REQ, 4);
    bench.backward(a, tlm::BEGIN_RESP, 3);
    bench.forward(a, tlm::END_RESP, 5);
    bench.expect({"before the phase that it follows", "on the backward path for an earlier time",
                  "before the phase that it follows"});
}

TEST(base_protocol_monitor, what_must_stay_as_it_is)
{
    monitor_bench bench("bench");
    auto& a = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    a.set_data_length(4);
    bench.backward(a, tlm::END_REQ);
    a.set_data_length(8);
    bench.backward(a, tlm::BEGIN_RESP);
    a.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    bench.forward(a, tlm::END_RESP);
    auto& c = bench.request();
    bench.forward(c, tlm::BEGIN_REQ);
    bench.backward(c, tlm::BEGIN_RESP);
    c.get_data_ptr()[3] = 1;
    bench.forward(c, tlm::END_RESP);
    auto& b = bench.request();
    b.set_command(tlm::TLM_IGNORE_COMMAND);
    bench.forward(b, tlm::BEGIN_REQ);
    b.get_data_ptr()[4] = 1; // nothing may be written for it
    bench.answer = false;
    bench.backward(b, tlm::BEGIN_RESP);
    bench.forward(b, tlm::END_RESP);
    bench.expect(
        {"between BEGIN_REQ and END_REQ", "status changed", "data changed", "attributes changed", "incomplete status"});
}

TEST(base_protocol_monitor, return_values)
{
    monitor_bench bench("bench");
    bench.on_forward = [](payload_type&, tlm::tlm_phase&, sc_time& delay) {
        delay += sc_time(1, SC_NS);
        return tlm::TLM_ACCEPTED; // 1: changed the delay
    };
    auto& a = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    bench.on_forward = [](payload_type&, tlm::tlm_phase& phase, sc_time& delay) {
        phase = tlm::END_RESP;
        delay = sc_core::SC_ZERO_TIME;
        return tlm::TLM_UPDATED; // 2 and 3: reduced the delay, phase that can't follow
    };
    bench.on_backward = [](payload_type&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
    bench.backward(a, tlm::END_REQ); // 4: no answer to END_REQ
    bench.forward(bench.request(), tlm::BEGIN_REQ, 2);
    bench.on_forward = [](payload_type&, tlm::tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
    auto& c = bench.request();
    bench.forward(c, tlm::BEGIN_REQ, 2); // 5: the request before never ended; 6: completed with an incomplete status
    bench.expect({"returned TLM_ACCEPTED", "answer other than TLM_ACCEPTED to END_REQ", "target reduced",
                  "a phase that can't follow", "another request is under way", "incomplete status",
                  "2 transactions have not ended"});
}

TEST(base_protocol_monitor, memory_management)
{
    monitor_bench bench("bench");
    payload_type plain;
    unsigned char data[4] = {};
    plain.set_read();
    plain.set_data_ptr(data);
    plain.set_data_length(4);
    plain.set_streaming_width(4);
    bench.forward(plain, tlm::BEGIN_REQ);
    bench.backward(plain, tlm::BEGIN_RESP);
    bench.forward(plain, tlm::END_RESP);
    no_manager manager;
    payload_type unreferenced(&manager);
    unreferenced.set_read();
    unreferenced.set_data_ptr(data);
    unreferenced.set_data_length(4);
    unreferenced.set_streaming_width(4);
    bench.forward(unreferenced, tlm::BEGIN_REQ);
    bench.backward(unreferenced, tlm::BEGIN_RESP);
    bench.forward(unreferenced, tlm::END_RESP);
    bench.expect({"without a memory manager", "without a reference"});
}

} // namespace
} // namespace isbesim::test
