// SPDX-License-Identifier: Apache-2.0
// The back ends' reports about operations besides their responses: observers, counters, busy_until, the latencies of
// direct memory, and debug transport with byte enables. Expected cycles are sums of section 5.
#include "tests/tlm/report_bench.h"

namespace isbesim::test {
namespace {

TEST(isbe_reports, lt_reports_every_operation_at_its_annotated_time)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        // 4 words apart on 16 banks: 8 passes, which would be 2 without conflicts.
        EXPECT_EQ(client.operate(0, strided(4), 5), 5 + 1 + 8 + 9);
        EXPECT_EQ(reports.take(),
                  (report_lines{"begin 0 port 0: isberd 5", "accept 0 port 0: 5", "granted 0 port 0: isberd 8 5",
                                "did 0 port 0: 8 2 128 0 32", "response 0 port 0: isberd 8 5 5 23"}));
        sc_core::wait(client.clock.time(100));
        EXPECT_EQ(client.operate(1, strided(1)), 1 + 2 + 9);
        EXPECT_EQ(reports.take(),
                  (report_lines{"begin 1 port 1: isberd 100", "accept 1 port 1: 100", "granted 1 port 1: isberd 2 101",
                                "did 1 port 1: 2 2 128 0 32", "response 1 port 1: isberd 2 100 100 112"}));
    });
}

TEST(isbe_reports, lt_reports_the_operations_of_a_plain_access_with_their_total_time)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        std::vector<unsigned char> data(150, 7); // a line of two passes, and 22 bytes of the next: 5 words and 2 bytes
        EXPECT_EQ(client.access(1, true, 128, data, {}, 3), 3 + 1 + 4 + (2 + 1 + 1));
        EXPECT_EQ(reports.take(),
                  (report_lines{"begin 0 port 1: isbewr 3", "accept 0 port 1: 3", "granted 0 port 1: isbewr 2 3",
                                "did 0 port 1: 2 2 0 128 32", "response 0 port 1: isbewr 2 3 3 10",
                                "begin 1 port 1: isbewr 3", "accept 1 port 1: 3", "granted 1 port 1: isbewr 1 3",
                                "did 1 port 1: 1 1 0 20 5", "response 1 port 1: isbewr 1 3 3 11",
                                "begin 2 port 1: isbewr 3", "accept 2 port 1: 3", "granted 2 port 1: isbewr 1 3",
                                "did 2 port 1: 1 1 0 2 1", "response 2 port 1: isbewr 1 3 3 12"}));
    });
}

TEST(isbe_reports, lt_reports_a_plain_access_at_its_time_and_reads_with_the_latency_of_loads)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        sc_core::wait(client.clock.time(50));
        std::vector<unsigned char> data(128);
        EXPECT_EQ(client.access(0, false, 256, data, {}, 2), 2 + 1 + 2 + 9);
        EXPECT_EQ(reports.take(),
                  (report_lines{"begin 0 port 0: isberd 52", "accept 0 port 0: 52", "granted 0 port 0: isberd 2 52",
                                "did 0 port 0: 2 2 128 0 32", "response 0 port 0: isberd 2 52 52 64"}));
    });
}

/// Whole words go together, other bytes one by one, at most 32 of a line.
TEST(isbe_reports, a_plain_access_is_made_of_whole_words_and_of_bytes)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        using kinds = std::vector<report_list::kind>;
        const auto words = [](bool write, lane_mask lanes) {
            return report_list::kind{write ? opcode::isbewr : opcode::isberd, write ? space::output : space::input,
                                     region::physical, 4, lanes};
        };
        const auto bytes = [](lane_mask lanes) {
            return report_list::kind{opcode::isbewr, space::output, region::physical, 1, lanes};
        };
        std::vector<unsigned char> few(4), line(128, 9), back(12, 0x55);
        client.access(0, true, 125, few); // three bytes of a line, one of the next
        EXPECT_EQ(reports.take_kinds(), (kinds{bytes(0b111), bytes(0b1)}));
        client.access(0, true, 512, line, {TLM_BYTE_ENABLED, TLM_BYTE_ENABLED, TLM_BYTE_ENABLED, TLM_BYTE_DISABLED});
        EXPECT_EQ(reports.take_kinds(), (kinds{bytes(all_lanes), bytes(all_lanes), bytes(all_lanes)}));
        client.access(0, true, 8, line, {TLM_BYTE_DISABLED});
        EXPECT_EQ(reports.take_kinds(), (kinds{words(true, 0)})) << "nothing is written, in one operation";

        few.resize(12);
        std::iota(few.begin(), few.end(), static_cast<unsigned char>(1));
        client.access(0, true, 0, few);
        EXPECT_EQ(reports.take_kinds(), (kinds{words(true, 0b111)}));
        constexpr unsigned char on = TLM_BYTE_ENABLED, off = TLM_BYTE_DISABLED;
        client.access(0, false, 0, back, {on, on, on, on, off, off, off, off, on, on, on, on});
        EXPECT_EQ(reports.take_kinds(), (kinds{words(false, 0b101)}));
        EXPECT_EQ(back, (std::vector<unsigned char>{1, 2, 3, 4, 0x55, 0x55, 0x55, 0x55, 9, 10, 11, 12}));
    });
}

TEST(isbe_reports, lt_counts_operations_and_passes_by_port)
{
    with_reports<isbe_lt>(false, [](report_client& client, isbe_lt& isbe, report_list&) {
        client.operate(0, strided(4));
        EXPECT_EQ(client.busy_until, 8U);
        client.operate(0, strided(8)); // 16 passes, would be 2 without conflicts
        EXPECT_EQ(client.busy_until, 8U + 16);
        client.operate(1, strided(1));
        EXPECT_EQ(client.busy_until, 8U + 16 + 2) << "all ports have one engine";
        sc_core::wait(client.clock.time(100));
        client.operate(1, strided(2));
        EXPECT_EQ(client.busy_until, 100U + 4) << "it has been idle since";
        const std::array<std::array<std::uint64_t, 3>, 2> expected{{{2, 8 + 16, 6 + 14}, {2, 2 + 4, 0 + 2}}};
        for (unsigned port = 0; port < 2; ++port) {
            const auto timing = isbe.timing(port);
            EXPECT_EQ(timing.operations, expected[port][0]);
            EXPECT_EQ(timing.busy_cycles, expected[port][1]);
            for (unsigned i = 0; i < stall_reason_count; ++i)
                EXPECT_EQ(timing.stalls.values[i],
                          static_cast<stall_reason>(i) == stall_reason::bank_conflict ? expected[port][2] : 0);
        }
        EXPECT_TRUE(isbe.stacks().empty());
        EXPECT_FALSE(isbe.tells_causes());
    });
}

// Micro-architecture section 5: grant in a + 1 or later, P passes, L cycles; places in flight count until the transfer.
TEST(isbe_reports, lt_grants_calls_without_a_delay_in_turn)
{
    with_reports<isbe_lt>(false, [](report_client& client, isbe_lt&, report_list&) {
        const auto alone = client.operate(0, strided(4));
        EXPECT_EQ(client.operate(1, strided(4)), alone + 8) << "after the passes of the one before";
        sc_core::wait(client.clock.time(1000));
        EXPECT_EQ(client.operate(0, strided(4)), alone);
    });
}

// A place becomes free in the cycle after its request's grant, and a port takes one request per cycle.
TEST(isbe_reports, lt_reports_when_the_port_is_free)
{
    with_reports<isbe_lt>(false, [](report_client& client, isbe_lt& isbe, report_list&) {
        ASSERT_EQ(isbe.core().config().request_queue_depth, 4U);
        for (const std::uint64_t expected : {1U, 1U, 1U, 2U, 10U}) { // grants in 1, 9, 17, 25, 33
            client.operate(0, strided(4));
            EXPECT_EQ(client.next_request, expected);
        }
        client.operate(1, strided(4));
        EXPECT_EQ(client.next_request, 1U) << "another port's queue";
    });
}

TEST(isbe_reports, lt_direct_memory_latency_is_one_pass)
{
    with_reports<isbe_lt>(false, [](report_client& client, isbe_lt&, report_list&) {
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(client.sockets[0]->get_direct_mem_ptr(payload, dmi));
        EXPECT_EQ(dmi.get_read_latency(), client.clock.time(1 + 1 + 9));
        EXPECT_EQ(dmi.get_write_latency(), client.clock.time(1 + 1 + 4));
    });
}

class debug_of : public testing::TestWithParam<std::string> {
protected:
    void with(const std::function<void(report_client&)>& body)
    {
        if (GetParam() == "lt")
            with_reports<isbe_lt>(false, [&](report_client& client, isbe_lt&, report_list&) { body(client); });
        else
            with_reports<isbe_at>(false, [&](report_client& client, isbe_at&, report_list&) { body(client); });
    }
};
INSTANTIATE_TEST_SUITE_P(isbe, debug_of, testing::Values("lt", "at"), [](const auto& chosen) { return chosen.param; });

/// TLM-2.0: byte enables of debug transport count only if the initiator requests the full payload and the target
/// declares that it complies.
TEST_P(debug_of, byte_enables_count_for_the_full_payload)
{
    with([](report_client& client) {
        unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
        tlm::tlm_generic_payload payload;
        std::array<unsigned char, 4> data{1, 2, 3, 4};
        const auto transport = [&](tlm::tlm_command command, tlm::tlm_gp_option option, unsigned enable_count) {
            payload.set_command(command);
            payload.set_address(8);
            payload.set_data_ptr(data.data());
            payload.set_data_length(4);
            payload.set_byte_enable_ptr(enables);
            payload.set_byte_enable_length(enable_count);
            payload.set_gp_option(option);
            return client.sockets[1]->transport_dbg(payload);
        };
        EXPECT_EQ(transport(tlm::TLM_WRITE_COMMAND, tlm::TLM_MIN_PAYLOAD, 2), 4U);
        EXPECT_EQ(payload.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
        data = {11, 12, 13, 14};
        EXPECT_EQ(transport(tlm::TLM_WRITE_COMMAND, tlm::TLM_FULL_PAYLOAD, 2), 4U);
        EXPECT_EQ(payload.get_gp_option(), tlm::TLM_FULL_PAYLOAD_ACCEPTED);
        data = {};
        EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, tlm::TLM_MIN_PAYLOAD, 2), 4U);
        EXPECT_EQ(data, (std::array<unsigned char, 4>{11, 2, 13, 4})) << "all of it";
        data = {21, 22, 23, 24};
        EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, tlm::TLM_FULL_PAYLOAD, 2), 4U);
        EXPECT_EQ(data, (std::array<unsigned char, 4>{11, 22, 13, 24}));
        data = {31, 32, 33, 34};
        EXPECT_EQ(transport(tlm::TLM_WRITE_COMMAND, tlm::TLM_FULL_PAYLOAD, 0), 4U)
            << "zero-length enables have no effect";
        data = {};
        transport(tlm::TLM_READ_COMMAND, tlm::TLM_MIN_PAYLOAD, 0);
        EXPECT_EQ(data, (std::array<unsigned char, 4>{31, 32, 33, 34}));
        EXPECT_EQ(transport(tlm::TLM_IGNORE_COMMAND, tlm::TLM_MIN_PAYLOAD, 0), 0U);
        payload.set_data_ptr(nullptr);
        EXPECT_EQ(client.sockets[1]->transport_dbg(payload), 0U);
    });
}

} // namespace
} // namespace isbesim::test
