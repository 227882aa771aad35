// SPDX-License-Identifier: Apache-2.0
// The reports of the timed ISBE to its observers and initiators, and their cycles: a single operation is granted in the
// cycle after its request, with its response P + L later (section 5); one request per cycle and port.
#include "tests/tlm/report_bench.h"

namespace isbesim::test {
namespace {

TEST(isbe_reports, at_reports_every_event_in_its_cycle)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at& isbe, report_list& reports) {
        EXPECT_EQ(client.operate(1, strided(4), 5), 0U) << "the delay is waited for";
        EXPECT_EQ(client.clock.now(), 5U + 1 + 8 + 9);
        EXPECT_EQ(reports.take(), (report_lines{"begin 0 port 1: isberd 5", "accept 0 port 1: 5",
                                                "granted 0 port 1: isberd 8 6", "did 0 port 1: 8 2 128 0 32",
                                                "response 0 port 1: isberd 8 5 5 23", "end 0 port 1: 23"}));
        client.operate(0, strided(1));
        EXPECT_EQ(reports.take(), (report_lines{"begin 1 port 0: isberd 23", "accept 1 port 0: 23",
                                                "granted 1 port 0: isberd 2 24", "did 1 port 0: 2 2 128 0 32",
                                                "response 1 port 0: isberd 2 23 23 35", "end 1 port 0: 35"}));
        EXPECT_EQ(isbe.timing(1).operations, 1U);
        EXPECT_TRUE(isbe.tells_causes());
        // Two grants that no pass hides; 8 + 2 passes, which would be 2 each without conflicts.
        const auto stack = isbe.stacks().at(0);
        EXPECT_EQ(stack.cycles, 35U);
        std::vector<std::uint64_t> cycles;
        for (const auto& part : stack.parts) cycles.push_back(part.cycles);
        EXPECT_EQ(cycles, (std::vector<std::uint64_t>{2 + 2, 6, 2, 0, 35 - 12}));
    });
}

/// Its operations one after the other, and the responses in their order.
TEST(isbe_reports, at_reports_the_operations_of_a_plain_access)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        std::vector<unsigned char> data(256);
        client.access(0, false, 128, data);
        EXPECT_EQ(client.clock.now(), 1U + 2 + 2 + 9);
        report_lines expected = {"begin 0 port 0: isberd 0",           "accept 0 port 0: 0",
                                 "granted 0 port 0: isberd 2 1",       "did 0 port 0: 2 2 128 0 32",
                                 "begin 1 port 0: isberd 1",           "accept 1 port 0: 1",
                                 "granted 1 port 0: isberd 2 3",       "did 1 port 0: 2 2 128 0 32",
                                 "response 0 port 0: isberd 2 0 0 12", "end 0 port 0: 12",
                                 "response 1 port 0: isberd 2 1 1 14", "end 1 port 0: 14"};
        auto got = reports.take(); // grants are computed on demand, in no fixed order
        std::sort(expected.begin(), expected.end());
        std::sort(got.begin(), got.end());
        EXPECT_EQ(got, expected);
    });
}

class no_manager : public tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload*) override {}
};

/// A plain read of `lines` from address 0 on.
void make_lines(tlm::tlm_generic_payload& payload, std::vector<unsigned char>& data, unsigned lines_read)
{
    data.resize(128 * std::size_t{lines_read});
    payload.acquire();
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
}

/// A BEGIN_REQ in the cycle of the previous END_REQ is on the channel from the next cycle on.
TEST(isbe_reports, at_transfers_one_request_a_cycle)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        sc_core::wait(client.clock.time(10));
        auto& first = client.request(strided(1));
        auto& second = client.request(strided(1));
        EXPECT_EQ(client.begin(0, first), tlm::TLM_UPDATED);
        EXPECT_EQ(client.begin(0, second), tlm::TLM_ACCEPTED);
        sc_core::wait(client.clock.time(12));
        EXPECT_EQ(client.phases, (report_lines{"END_REQ 11", "BEGIN_RESP 22"}));
        client.end(0, first);
        sc_core::wait(client.clock.time(12));
        EXPECT_EQ(client.phases, (report_lines{"END_REQ 11", "BEGIN_RESP 22", "BEGIN_RESP 24"}));
        client.end(0, second);
        expect_once(reports.take(), {"begin 0 port 0: isberd 10", "accept 0 port 0: 10", "begin 1 port 0: isberd 11",
                                     "accept 1 port 0: 11", "end 0 port 0: 22", "end 1 port 0: 34"});
        first.release();
        second.release();
        EXPECT_EQ(client.pool.in_use(), 0U);
    });
}

/// Requests during a plain access of four lines wait for its end, and each request gets one END_REQ.
TEST(isbe_reports, at_sends_waiting_operations_in_order)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        no_manager nobody;
        std::vector<unsigned char> data;
        tlm::tlm_generic_payload plain(&nobody);
        make_lines(plain, data, 4);
        auto& operation = client.request(strided(1));
        EXPECT_EQ(client.begin(1, plain), tlm::TLM_ACCEPTED);
        sc_core::wait(client.clock.time(1));
        EXPECT_EQ(client.begin(1, operation), tlm::TLM_ACCEPTED);
        sc_core::wait(client.clock.time(30));
        // Requests in 0, 1, 2, 3 and 4, two passes each: the plain access is granted up to 1 + 3 * 2.
        EXPECT_EQ(client.phases, (report_lines{"END_REQ 3", "END_REQ 4", "BEGIN_RESP 18"}));
        client.end(1, plain);
        sc_core::wait(client.clock.time(1));
        EXPECT_EQ(client.phases.back(), "BEGIN_RESP 32");
        client.end(1, operation);
        expect_once(reports.take(), {"begin 0 port 1: isberd 0", "begin 1 port 1: isberd 1", "begin 2 port 1: isberd 2",
                                     "begin 3 port 1: isberd 3", "begin 4 port 1: isberd 4"});
        operation.release();
        plain.release();
    });
}

/// A request from inside another port's response arrives before the ISBE checks its port in that cycle: the last line
/// of a plain access, which waits there, still goes first.
TEST(isbe_reports, at_keeps_the_order_of_a_port_within_a_cycle)
{
    auto config = reported_machine();
    config.request_queue_depth = 32;
    with_reports<isbe_at>(
        true,
        [](report_client& client, isbe_at&, report_list& reports) {
            no_manager nobody;
            std::vector<unsigned char> data, more;
            tlm::tlm_generic_payload plain(&nobody), last(&nobody);
            make_lines(plain, data, 13); // requests in 0 .. 12
            make_lines(last, more, 1);
            auto& operation = client.request(strided(1));
            auto& writes = client.request(make_isbewr(region::physical, 4, counting(0, 4), counting(1)));
            EXPECT_EQ(client.begin(0, operation), tlm::TLM_UPDATED); // granted in 1, two passes: answered in 12
            EXPECT_EQ(client.begin(1, plain), tlm::TLM_ACCEPTED);
            client.responded = [&](tlm::tlm_phase&) {
                EXPECT_EQ(client.clock.now(), 12U);
                EXPECT_EQ(client.begin(1, last), tlm::TLM_ACCEPTED);
                EXPECT_EQ(client.begin(1, writes), tlm::TLM_ACCEPTED);
            };
            sc_core::wait(client.clock.time(20));
            EXPECT_EQ(client.phases, (report_lines{"BEGIN_RESP 12", "END_REQ 12", "END_REQ 13", "END_REQ 14"}));
            expect_once(reports.take(), {"begin 14 port 1: isberd 13", "begin 15 port 1: isbewr 14"});
            client.end(0, operation, 5);
            sc_core::wait(client.clock.time(30));
            client.end(1, plain);
            sc_core::wait(client.clock.time(2));
            client.end(1, last);
            sc_core::wait(client.clock.time(2));
            client.end(1, writes);
            expect_once(reports.take(), {"end 0 port 0: 25"}); // annotated
            operation.release();
            writes.release();
        },
        config);
}

/// A request that arrives while another waits for a place in the queue is not on the channel.
TEST(isbe_reports, at_has_one_request_on_the_channel)
{
    auto config = reported_machine();
    config.request_queue_depth = 1;
    with_reports<isbe_at>(
        true,
        [](report_client& client, isbe_at&, report_list& reports) {
            no_manager nobody;
            std::vector<unsigned char> data;
            tlm::tlm_generic_payload plain(&nobody);
            make_lines(plain, data, 4); // on the channel in 0, 1, 3 and 5, transferred in 0, 2, 4 and 6
            auto& writes = client.request(make_isbewr(region::physical, 4, counting(0, 4), counting(1)));
            client.begin(1, plain);
            sc_core::wait(client.clock.time(3));
            EXPECT_EQ(client.begin(1, writes), tlm::TLM_ACCEPTED);
            sc_core::wait(client.clock.time(40));
            expect_once(reports.take(), {"begin 4 port 1: isbewr 7"});
            client.end(1, plain);
            sc_core::wait(client.clock.time(2));
            client.end(1, writes);
            writes.release();
        },
        config);
}

/// After TLM_ACCEPTED the caller has to ignore the phase.
TEST(isbe_reports, at_ignores_the_phase_after_an_acceptance)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        auto& payload = client.request(strided(1));
        client.begin(0, payload);
        client.responded = [](tlm::tlm_phase& phase) { phase = tlm::END_RESP; };
        sc_core::wait(client.clock.time(20));
        client.end(0, payload);
        expect_once(reports.take(), {"end 0 port 0: 20"});
        payload.release();
    });
}

DECLARE_EXTENDED_PHASE(phase_of_others);

TEST(isbe_reports, at_ignores_unknown_phases)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        auto& payload = client.request(strided(1));
        client.begin(0, payload);
        sc_core::wait(client.clock.time(15));
        tlm::tlm_phase phase = phase_of_others;
        auto delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(client.sockets[0]->nb_transport_fw(payload, phase, delay), tlm::TLM_ACCEPTED);
        sc_core::wait(client.clock.time(5));
        client.end(0, payload);
        expect_once(reports.take(), {"end 0 port 0: 20"});
        payload.release();
    });
}

TEST(isbe_reports, at_refuses_a_second_end_of_a_response)
{
    with_reports<isbe_at>(false, [](report_client& client, isbe_at&, report_list&) {
        auto& payload = client.request(strided(1));
        EXPECT_EQ(client.begin(0, payload), tlm::TLM_UPDATED);
        sc_core::wait(client.clock.time(20));
        client.end(0, payload);
        EXPECT_THROW(client.end(0, payload), sc_core::sc_report);
        // None of it is executed even if errors are not thrown.
        sc_core::sc_report_handler::set_actions("/isbesim/isbe", sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
        client.end(0, payload);
        sc_core::sc_report_handler::set_actions("/isbesim/isbe", sc_core::SC_ERROR, sc_core::SC_DEFAULT_ERROR_ACTIONS);
        EXPECT_EQ(client.begin(0, payload), tlm::TLM_UPDATED);
        sc_core::wait(client.clock.time(20));
        client.end(0, payload);
        payload.release();
    });
}

/// A request waits on the channel from the first cycle in which it can be there, even if the queue is full.
TEST(isbe_reports, at_reports_the_channel_cycle_of_a_plain_access)
{
    auto config = reported_machine();
    config.request_queue_depth = 1;
    with_reports<isbe_at>(
        true,
        [](report_client& client, isbe_at&, report_list& reports) {
            std::vector<unsigned char> data(384);
            client.access(0, false, 0, data);
            // Two passes each: granted in 1, 3 and 5.
            expect_once(reports.take(), {"begin 1 port 0: isberd 1", "accept 1 port 0: 2", "begin 2 port 0: isberd 3",
                                         "accept 2 port 0: 4"});
        },
        config);
}

/// Afterwards the operation's cause is that of its response (tlm/cause.h).
TEST(isbe_reports, at_reports_the_cause_of_a_response)
{
    cause_log log; // outlives the ISBE, which keeps events
    with_reports<isbe_at>(false, [&](report_client& client, isbe_at&, report_list&) {
        auto& payload = client.pool.acquire();
        auto& extension = payload_pool::extension(payload);
        extension.op = strided(1);
        extension.because = log.start(0);
        client.begin(0, payload);
        sc_core::wait(client.clock.time(20));
        EXPECT_EQ(extension.because.cycle(), 1U + 2 + 9);
        EXPECT_EQ(extension.because.node()->reason, path_reason::pipeline_latency);
        client.end(0, payload);
        EXPECT_EQ(extension.because.cycle(), 20U);
        EXPECT_EQ(extension.because.node()->reason, path_reason::consumer);
        extension.because = {};
        payload.release();
        sc_core::wait(client.clock.time(1));
    });
}

} // namespace
} // namespace isbesim::test
