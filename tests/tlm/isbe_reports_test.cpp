// What the back ends tell about operations besides their answers: observers, counters, busy_until, the latencies of
// direct memory, and what debug transport makes of byte enables. Expected cycles are sums of section 5: an operation
// alone is granted in the cycle after its request and answered P + L later.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "tests/support/warp_operations.h"
#include "tlm/cause_log.h"
#include "tlm/payload_pool.h"

namespace isbesim::test {
namespace {

using report_lines = std::vector<std::string>;

/// Every report as a line of text.
class report_list : public transaction_observer {
public:
    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override
    {
        add("begin", id, port, {number_of(op), cycle});
        kinds_.push_back({op.op, op.space, op.region, op.size, op.lanes});
    }
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override { add("accept", id, port, {cycle}); }
    void granted(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle,
                 const access_footprint& footprint) override
    {
        add("granted", id, port, {number_of(op), result.passes, cycle});
        add("did", id, port,
            {footprint.passes, footprint.ideal_passes, footprint.bytes_read, footprint.bytes_written,
             std::accumulate(footprint.bank_words.begin(), footprint.bank_words.end(), 0U)});
    }
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override
    {
        add("response", id, port,
            {number_of(op), result.passes, times.begin_request, times.accept, times.response});
    }
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override { add("end", id, port, {cycle}); }

    /// Since the last call.
    std::vector<std::string> take() { return std::exchange(lines_, {}); }
    using kind = std::tuple<opcode, space, region, unsigned, lane_mask>;
    std::vector<kind> take_kinds() { return std::exchange(kinds_, {}); }

private:
    static std::uint64_t number_of(const warp_op& op) { return static_cast<std::uint64_t>(op.op); }
    void add(const char* what, std::uint64_t id, unsigned port, const std::vector<std::uint64_t>& values)
    {
        std::string line = std::string(what) + " " + std::to_string(id) + " port " + std::to_string(port) + ":";
        for (const auto value : values) line += " " + std::to_string(value);
        lines_.push_back(line);
    }
    std::vector<std::string> lines_;
    std::vector<kind> kinds_;
};

isbe_config reported_machine()
{
    isbe_config config;
    config.lines = 16;
    config.banks = 16;
    config.access = access_rule::banked;
    config.bank_map = bank_map::modulo;
    config.ports = 2;
    config.pipeline_latency = 9;
    config.write_latency = 4;
    config.al2p_latency = 3;
    config.out_latency = 6;
    return config;
}

/// Two initiators without a backward path of their own, and a thread for the test's body.
class report_client : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> sockets{"socket", 2};
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};

    report_client(const sc_core::sc_module_name& name, std::function<void(report_client&)> body)
        : sc_core::sc_module(name), body_(std::move(body))
    {
        for (auto& socket : sockets) socket.bind(*this);
        SC_HAS_PROCESS(report_client);
        SC_THREAD(run);
    }
    bool ran() const { return ran_; }

    /// Returns the delay in cycles behind the call.
    std::uint64_t block(unsigned port, tlm::tlm_generic_payload& payload, std::uint64_t delay_cycles = 0)
    {
        auto delay = clock.time(delay_cycles);
        sockets[port]->b_transport(payload, delay);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        return clock.cycles(delay);
    }
    /// A plain access; returns the delay.
    std::uint64_t access(unsigned port, bool write, std::uint64_t address, std::vector<unsigned char>& data,
                         std::vector<unsigned char> enables = {}, std::uint64_t delay_cycles = 0)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(data.size()));
        payload.set_streaming_width(static_cast<unsigned>(data.size()));
        payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        return block(port, payload, delay_cycles);
    }
    std::uint64_t operate(unsigned port, const warp_op& op, std::uint64_t delay_cycles = 0)
    {
        auto& payload = pool.acquire();
        payload_pool::extension(payload).op = op;
        const auto cycles = block(port, payload, delay_cycles);
        busy_until = payload_pool::extension(payload).busy_until;
        payload.release();
        return cycles;
    }

    /// Four phases; what comes is noted in `phases`, and END_RESP follows `stall` cycles after BEGIN_RESP.
    tlm::tlm_sync_enum begin(unsigned port, tlm::tlm_generic_payload& payload)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        auto delay = sc_core::SC_ZERO_TIME;
        return sockets[port]->nb_transport_fw(payload, phase, delay);
    }
    void end(unsigned port, tlm::tlm_generic_payload& payload, std::uint64_t delay_cycles = 0)
    {
        tlm::tlm_phase phase = tlm::END_RESP;
        auto delay = clock.time(delay_cycles);
        sockets[port]->nb_transport_fw(payload, phase, delay);
    }

    payload_pool pool;
    std::uint64_t busy_until = 0; ///< of the last operation
    report_lines phases;          ///< of four phases, with their cycles
    /// Called in a BEGIN_RESP, may set the phase; null: nothing.
    std::function<void(tlm::tlm_phase&)> responded;

private:
    void run()
    {
        body_(*this);
        ran_ = true;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override
    {
        phases.push_back((phase == tlm::END_REQ ? "END_REQ " : "BEGIN_RESP ") + std::to_string(clock.now()));
        if (phase == tlm::BEGIN_RESP && responded) std::exchange(responded, nullptr)(phase);
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    std::function<void(report_client&)> body_;
    bool ran_ = false;
};

/// Reads with lanes `stride` words apart: 32 distinct words, 32 * stride / banks passes.
warp_op strided(unsigned stride)
{
    return make_isberd(space::input, region::physical, 4, counting(0, 4 * stride));
}

template <typename Isbe>
void with_reports(bool watched, const std::function<void(report_client&, Isbe&, report_list&)>& body,
                  const isbe_config& config = reported_machine())
{
    const cycle_clock clock(sc_core::sc_time(1, sc_core::SC_NS));
    Isbe isbe("isbe", config, clock);
    report_list reports;
    if (watched) isbe.attach(reports);
    report_client client("client", [&](report_client& self) { body(self, isbe, reports); });
    for (unsigned port = 0; port < 2; ++port) client.sockets[port].bind(isbe.ports[port]);
    sc_core::sc_start();
    EXPECT_TRUE(client.ran());
}

const auto isberd_number = std::to_string(static_cast<unsigned>(opcode::isberd));
const auto isbewr_number = std::to_string(static_cast<unsigned>(opcode::isbewr));

TEST(isbe_reports, lt_reports_every_operation_at_its_annotated_time)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        // 4 words apart on 16 banks: 8 passes, 2 without conflicts.
        EXPECT_EQ(client.operate(0, strided(4), 5), 5 + 1 + 8 + 9);
        EXPECT_EQ(reports.take(), (report_lines{"begin 0 port 0: " + isberd_number + " 5", "accept 0 port 0: 5",
                                         "granted 0 port 0: " + isberd_number + " 8 5", "did 0 port 0: 8 2 128 0 32",
                                         "response 0 port 0: " + isberd_number + " 8 5 5 23"}));
        sc_core::wait(client.clock.time(100));
        EXPECT_EQ(client.operate(1, strided(1)), 1 + 2 + 9);
        EXPECT_EQ(reports.take(), (report_lines{"begin 1 port 1: " + isberd_number + " 100", "accept 1 port 1: 100",
                                         "granted 1 port 1: " + isberd_number + " 2 100", "did 1 port 1: 2 2 128 0 32",
                                         "response 1 port 1: " + isberd_number + " 2 100 100 112"}));
    });
}

TEST(isbe_reports, lt_reports_the_operations_of_a_plain_access_with_what_they_take_together)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        std::vector<unsigned char> data(150, 7); // a line of two passes, and 22 bytes of the next: 5 words and 2 bytes
        EXPECT_EQ(client.access(1, true, 128, data, {}, 3), 3 + 1 + 4 + (2 + 1 + 1));
        EXPECT_EQ(reports.take(),
                  (report_lines{"begin 0 port 1: " + isbewr_number + " 3", "accept 0 port 1: 3",
                         "granted 0 port 1: " + isbewr_number + " 2 3", "did 0 port 1: 2 2 0 128 32",
                         "response 0 port 1: " + isbewr_number + " 2 3 3 10",
                         "begin 1 port 1: " + isbewr_number + " 3", "accept 1 port 1: 3",
                         "granted 1 port 1: " + isbewr_number + " 1 3", "did 1 port 1: 1 1 0 20 5",
                         "response 1 port 1: " + isbewr_number + " 1 3 3 11",
                         "begin 2 port 1: " + isbewr_number + " 3", "accept 2 port 1: 3",
                         "granted 2 port 1: " + isbewr_number + " 1 3", "did 2 port 1: 1 1 0 2 1",
                         "response 2 port 1: " + isbewr_number + " 1 3 3 12"}));
    });
}

TEST(isbe_reports, lt_reports_a_plain_access_at_its_time_and_reads_with_the_latency_of_loads)
{
    with_reports<isbe_lt>(true, [](report_client& client, isbe_lt&, report_list& reports) {
        sc_core::wait(client.clock.time(50));
        std::vector<unsigned char> data(128);
        EXPECT_EQ(client.access(0, false, 256, data, {}, 2), 2 + 1 + 2 + 9);
        EXPECT_EQ(reports.take(), (report_lines{"begin 0 port 0: " + isberd_number + " 52", "accept 0 port 0: 52",
                                                "granted 0 port 0: " + isberd_number + " 2 52",
                                                "did 0 port 0: 2 2 128 0 32",
                                                "response 0 port 0: " + isberd_number + " 2 52 52 64"}));
    });
}

/// Whole words go together, the others byte by byte, 32 of a line at most.
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
        client.operate(0, strided(8)); // 16 passes, 2 without conflicts
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

TEST(isbe_reports, lt_lets_direct_memory_take_what_one_pass_takes)
{
    with_reports<isbe_lt>(false, [](report_client& client, isbe_lt&, report_list&) {
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(client.sockets[0]->get_direct_mem_ptr(payload, dmi));
        EXPECT_EQ(dmi.get_read_latency(), client.clock.time(1 + 1 + 9));
        EXPECT_EQ(dmi.get_write_latency(), client.clock.time(1 + 1 + 4));
    });
}

TEST(isbe_reports, at_reports_every_event_in_its_cycle)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at& isbe, report_list& reports) {
        EXPECT_EQ(client.operate(1, strided(4), 5), 0U) << "the delay is waited for";
        EXPECT_EQ(client.clock.now(), 5U + 1 + 8 + 9);
        EXPECT_EQ(reports.take(), (report_lines{"begin 0 port 1: " + isberd_number + " 5", "accept 0 port 1: 5",
                                         "granted 0 port 1: " + isberd_number + " 8 6", "did 0 port 1: 8 2 128 0 32",
                                         "response 0 port 1: " + isberd_number + " 8 5 5 23", "end 0 port 1: 23"}));
        client.operate(0, strided(1));
        EXPECT_EQ(reports.take(), (report_lines{"begin 1 port 0: " + isberd_number + " 23", "accept 1 port 0: 23",
                                         "granted 1 port 0: " + isberd_number + " 2 24", "did 1 port 0: 2 2 128 0 32",
                                         "response 1 port 0: " + isberd_number + " 2 23 23 35", "end 1 port 0: 35"}));
        EXPECT_EQ(isbe.timing(1).operations, 1U);
        EXPECT_TRUE(isbe.tells_causes());
        // Two grants that no pass hides; 8 + 2 passes, 2 each without conflicts.
        const auto stack = isbe.stacks().at(0);
        EXPECT_EQ(stack.cycles, 35U);
        std::vector<std::uint64_t> cycles;
        for (const auto& part : stack.parts) cycles.push_back(part.cycles);
        EXPECT_EQ(cycles, (std::vector<std::uint64_t>{2 + 2, 6, 2, 0, 35 - 12}));
    });
}

/// One operation of it after the other, and the answers as they come.
TEST(isbe_reports, at_reports_the_operations_of_a_plain_access)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        std::vector<unsigned char> data(256);
        client.access(0, false, 128, data);
        EXPECT_EQ(client.clock.now(), 1U + 2 + 2 + 9);
        report_lines expected = {"begin 0 port 0: " + isberd_number + " 0",
                                 "accept 0 port 0: 0",
                                 "granted 0 port 0: " + isberd_number + " 2 1",
                                 "did 0 port 0: 2 2 128 0 32",
                                 "begin 1 port 0: " + isberd_number + " 1",
                                 "accept 1 port 0: 1",
                                 "granted 1 port 0: " + isberd_number + " 2 3",
                                 "did 1 port 0: 2 2 128 0 32",
                                 "response 0 port 0: " + isberd_number + " 2 0 0 12",
                                 "end 0 port 0: 12",
                                 "response 1 port 0: " + isberd_number + " 2 1 1 14",
                                 "end 1 port 0: 14"};
        auto got = reports.take(); // a grant is worked out when somebody asks about a later cycle: in no fixed order
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

/// A BEGIN_REQ in the cycle of the END_REQ before it is on the channel from the next cycle on.
TEST(isbe_reports, at_transfers_one_request_a_cycle)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        sc_core::wait(client.clock.time(10));
        auto& first = client.pool.acquire();
        auto& second = client.pool.acquire();
        for (auto* each : {&first, &second}) payload_pool::extension(*each).op = strided(1);
        EXPECT_EQ(client.begin(0, first), tlm::TLM_UPDATED);
        EXPECT_EQ(client.begin(0, second), tlm::TLM_ACCEPTED);
        sc_core::wait(client.clock.time(12));
        EXPECT_EQ(client.phases, (report_lines{"END_REQ 11", "BEGIN_RESP 22"}));
        client.end(0, first);
        sc_core::wait(client.clock.time(12));
        EXPECT_EQ(client.phases, (report_lines{"END_REQ 11", "BEGIN_RESP 22", "BEGIN_RESP 24"}));
        client.end(0, second);
        const auto got = reports.take();
        for (const auto& line : {"begin 0 port 0: " + isberd_number + " 10", std::string("accept 0 port 0: 10"),
                                 "begin 1 port 0: " + isberd_number + " 11", std::string("accept 1 port 0: 11"),
                                 std::string("end 0 port 0: 22"), std::string("end 1 port 0: 34")})
            EXPECT_EQ(std::count(got.begin(), got.end(), line), 1) << line;
        first.release();
        second.release();
        EXPECT_EQ(client.pool.in_use(), 0U);
    });
}

/// What comes while a plain access of four lines has the port waits behind it, and each request has its END_REQ once.
TEST(isbe_reports, at_sends_what_waits_in_its_order)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        no_manager nobody;
        std::vector<unsigned char> data;
        tlm::tlm_generic_payload plain(&nobody);
        make_lines(plain, data, 4);
        auto& operation = client.pool.acquire();
        payload_pool::extension(operation).op = strided(1);
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
        const auto got = reports.take();
        for (unsigned i = 0; i < 5; ++i) {
            const auto number = std::to_string(i);
            const auto line = "begin " + number + " port 1: " + isberd_number + " " + number;
            EXPECT_EQ(std::count(got.begin(), got.end(), line), 1) << line;
        }
        operation.release();
        plain.release();
    });
}

/// A request from inside another port's response comes before the ISBE looks at its port in that cycle: what waits
/// there, the last line of a plain access, still goes first.
TEST(isbe_reports, at_keeps_the_order_of_a_port_whoever_calls_first_in_a_cycle)
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
            auto& operation = client.pool.acquire();
            auto& writes = client.pool.acquire();
            payload_pool::extension(operation).op = strided(1);
            payload_pool::extension(writes).op = make_isbewr(region::physical, 4, counting(0, 4), counting(1));
            EXPECT_EQ(client.begin(0, operation), tlm::TLM_UPDATED); // granted in 1, two passes: answered in 12
            EXPECT_EQ(client.begin(1, plain), tlm::TLM_ACCEPTED);
            client.responded = [&](tlm::tlm_phase&) {
                EXPECT_EQ(client.clock.now(), 12U);
                EXPECT_EQ(client.begin(1, last), tlm::TLM_ACCEPTED);
                EXPECT_EQ(client.begin(1, writes), tlm::TLM_ACCEPTED);
            };
            sc_core::wait(client.clock.time(20));
            EXPECT_EQ(client.phases, (report_lines{"BEGIN_RESP 12", "END_REQ 12", "END_REQ 13", "END_REQ 14"}));
            const auto got = reports.take();
            for (const auto& line :
                 {"begin 14 port 1: " + isberd_number + " 13", "begin 15 port 1: " + isbewr_number + " 14"})
                EXPECT_EQ(std::count(got.begin(), got.end(), line), 1) << line;
            client.end(0, operation, 5);
            sc_core::wait(client.clock.time(30));
            client.end(1, plain);
            sc_core::wait(client.clock.time(2));
            client.end(1, last);
            sc_core::wait(client.clock.time(2));
            client.end(1, writes);
            const auto ends = reports.take();
            EXPECT_EQ(std::count(ends.begin(), ends.end(), "end 0 port 0: 25"), 1) << "annotated";
            operation.release();
            writes.release();
        },
        config);
}

/// A request that comes while another waits for a place in the queue is not on the channel.
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
            auto& writes = client.pool.acquire();
            payload_pool::extension(writes).op = make_isbewr(region::physical, 4, counting(0, 4), counting(1));
            client.begin(1, plain);
            sc_core::wait(client.clock.time(3));
            EXPECT_EQ(client.begin(1, writes), tlm::TLM_ACCEPTED);
            sc_core::wait(client.clock.time(40));
            const auto got = reports.take();
            const auto line = "begin 4 port 1: " + isbewr_number + " 7";
            EXPECT_EQ(std::count(got.begin(), got.end(), line), 1);
            client.end(1, plain);
            sc_core::wait(client.clock.time(2));
            client.end(1, writes);
            writes.release();
        },
        config);
}

/// Behind TLM_ACCEPTED the caller has to ignore the phase.
TEST(isbe_reports, at_ignores_the_phase_of_what_was_only_accepted)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        auto& payload = client.pool.acquire();
        payload_pool::extension(payload).op = strided(1);
        client.begin(0, payload);
        client.responded = [](tlm::tlm_phase& phase) { phase = tlm::END_RESP; };
        sc_core::wait(client.clock.time(20));
        client.end(0, payload);
        const auto got = reports.take();
        EXPECT_EQ(std::count(got.begin(), got.end(), "end 0 port 0: 20"), 1);
        payload.release();
    });
}

DECLARE_EXTENDED_PHASE(phase_of_others);

TEST(isbe_reports, at_ignores_phases_that_it_does_not_know)
{
    with_reports<isbe_at>(true, [](report_client& client, isbe_at&, report_list& reports) {
        auto& payload = client.pool.acquire();
        payload_pool::extension(payload).op = strided(1);
        client.begin(0, payload);
        sc_core::wait(client.clock.time(15));
        tlm::tlm_phase phase = phase_of_others;
        auto delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(client.sockets[0]->nb_transport_fw(payload, phase, delay), tlm::TLM_ACCEPTED);
        sc_core::wait(client.clock.time(5));
        client.end(0, payload);
        const auto got = reports.take();
        EXPECT_EQ(std::count(got.begin(), got.end(), "end 0 port 0: 20"), 1);
        payload.release();
    });
}

TEST(isbe_reports, at_refuses_a_second_end_of_a_response)
{
    with_reports<isbe_at>(false, [](report_client& client, isbe_at&, report_list&) {
        auto& payload = client.pool.acquire();
        payload_pool::extension(payload).op = strided(1);
        EXPECT_EQ(client.begin(0, payload), tlm::TLM_UPDATED);
        sc_core::wait(client.clock.time(20));
        client.end(0, payload);
        EXPECT_THROW(client.end(0, payload), sc_core::sc_report);
        payload.release();
    });
}

/// A request waits on the channel from the cycle in which it could be there, also when the queue is full.
TEST(isbe_reports, at_says_when_a_request_of_a_plain_access_was_on_the_channel)
{
    auto config = reported_machine();
    config.request_queue_depth = 1;
    with_reports<isbe_at>(
        true,
        [](report_client& client, isbe_at&, report_list& reports) {
            std::vector<unsigned char> data(384);
            client.access(0, false, 0, data);
            const auto got = reports.take();
            // Two passes each: granted in 1, 3 and 5.
            for (const auto* line : {"begin 1 port 0: 4 1", "accept 1 port 0: 2", "begin 2 port 0: 4 3",
                                     "accept 2 port 0: 4"})
                EXPECT_EQ(std::count(got.begin(), got.end(), line), 1) << line;
        },
        config);
}

/// The operation's cause is that of its response afterwards (tlm/cause.h).
TEST(isbe_reports, at_tells_the_cause_of_a_response)
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

/// TLM-2.0: byte enables of debug transport count only where the initiator asks for the full payload and the target
/// says that it obeys.
TEST_P(debug_of, byte_enables_count_where_the_full_payload_is_asked_for)
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
        EXPECT_EQ(transport(tlm::TLM_WRITE_COMMAND, tlm::TLM_FULL_PAYLOAD, 0), 4U) << "enables of no length are none";
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
