// SPDX-License-Identifier: Apache-2.0
// The SM and its memory: through direct access, through transactions where a foreign memory grants none, and
// how long it takes.
#include <cstring>

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "models/memory/global_memory.h"
#include "models/memory/memory_module.h"
#include "tests/sm/sm_bench.h"

namespace isbesim {
namespace {

constexpr std::uint64_t base = 0x1000;

/// Memory without direct access, a byte at a time, that keeps a record.
class plain_memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<plain_memory> socket{"socket"};
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(512);
    unsigned reads = 0, writes = 0;

    plain_memory(const sc_core::sc_module_name& name, const sc_core::sc_time& latency)
        : sc_core::sc_module(name), latency_(latency)
    {
        socket.register_b_transport(this, &plain_memory::transport);
    }

private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        delay += latency_;
        const std::uint64_t offset = payload.get_address() - base;
        if (payload.get_address() < base || offset + payload.get_data_length() > bytes.size()) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes.data() + offset, payload.get_data_length());
        if (payload.is_write()) std::memcpy(bytes.data() + offset, payload.get_data_ptr(), payload.get_data_length());
        ++(payload.is_read() ? reads : writes);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    sc_core::sc_time latency_;
};

/// Lane n adds n to word 0, stores the old value in word 1 + n, and loads it back.
constexpr const char* count_and_keep = R"(
    S2R R0, SR_LANEID ;
    SHL R1, R0, 0x2 ;
    MOV32I R2, 0x1000 ;
    IADD R1, R1, R2 ;
    ATOM.ADD R3, [R2], R0 ;
    STG [R1+0x4], R3 ;
    LDG R4, [R1+0x4] ;
    IADD R5, R4, R0 ;
    EXIT ;
)";

word word_at(const std::uint8_t* bytes)
{
    word value = 0;
    std::memcpy(&value, bytes, 4);
    return value;
}

void expect_counted(const std::uint8_t* bytes)
{
    EXPECT_EQ(word_at(bytes), 496U); // 0 + 1 + ... + 31
    for (unsigned n = 0; n < 32; ++n) EXPECT_EQ(word_at(bytes + 4 + 4 * n), n * (n - 1) / 2) << n;
}

/// Cycles until the program is over.
std::uint64_t run_on(sm_bench& bench)
{
    bench.run(bench.scheduled_program(count_and_keep), stage::vertex);
    EXPECT_EQ(bench.completions.size(), 1U);
    EXPECT_EQ(bench.counters().trap_count, 0U);
    return bench.completions.empty() ? 0 : bench.completions[0].cycle;
}

std::uint64_t cycles_with(unsigned memory_cycles)
{
    global_memory contents;
    contents.add(base, std::vector<std::uint8_t>(512));
    memory_module memory("memory", &contents, sc_core::sc_time(memory_cycles, sc_core::SC_NS));
    sm_bench bench(backend::at, {}, {}, [&](sm& unit) { unit.memory.bind(memory.socket); });
    const std::uint64_t cycles = run_on(bench);
    expect_counted(contents.find(base, 512));
    EXPECT_EQ(memory.transactions(), 0U) << "the SM works on the bytes themselves";
    return cycles;
}

constexpr std::uint64_t accesses_in_a_row = 2; // ATOM's result and LDG's are waited for, STG's end is not
constexpr std::uint64_t around_them = 38;      // cycles of launch, arithmetic and completion

TEST(memory_port, ISA_03_direct_access_takes_the_sms_latency)
{
    const std::uint64_t cycles = cycles_with(0);
    EXPECT_EQ(cycles, around_them + accesses_in_a_row * sm_config{}.global_latency);
}

TEST(memory_port, ISA_03_a_slower_memory_is_slower_by_its_latency)
{
    EXPECT_EQ(cycles_with(100), around_them + accesses_in_a_row * (sm_config{}.global_latency + 100));
}

TEST(memory_port, ISA_03_a_memory_without_direct_access_gives_the_same)
{
    plain_memory memory("memory", sc_core::sc_time(7, sc_core::SC_NS));
    sm_bench bench(backend::at, {}, {}, [&](sm& unit) { unit.memory.bind(memory.socket); });
    EXPECT_EQ(run_on(bench), around_them + accesses_in_a_row * (sm_config{}.global_latency + 7));
    expect_counted(memory.bytes.data());
    // A place that several lanes change is read and written once an instruction; what did not change is not written.
    EXPECT_EQ(memory.reads, 1U + 32 + 32);
    EXPECT_EQ(memory.writes, 1U + 30); // words 1 and 2 hold 0 before and after
}

TEST(memory_port, unexpected_response_completes)
{
    plain_memory memory("memory", sc_core::SC_ZERO_TIME);
    sm_bench bench(backend::at, {}, {}, [&](sm& unit) { unit.memory.bind(memory.socket); });
    EXPECT_GT(run_on(bench), 0U);
    tlm::tlm_generic_payload payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    auto delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(memory.socket->nb_transport_bw(payload, phase, delay), tlm::TLM_COMPLETED);
}

TEST(memory_port, ISA_03_without_a_memory_accesses_are_traps)
{
    sm_bench bench(backend::at, {});
    bench.run(bench.scheduled_program("LDG R0, [R1] ;\nEXIT ;"), stage::vertex);
    EXPECT_EQ(bench.counters().trap_count, 1U);
}

TEST(memory_port, ISA_03_a_trap_leaves_memory_alone)
{
    plain_memory memory("memory", sc_core::SC_ZERO_TIME);
    sm_bench bench(backend::at, {}, {}, [&](sm& unit) { unit.memory.bind(memory.socket); });
    // The last lanes are outside.
    bench.run(bench.scheduled_program("S2R R0, SR_LANEID ;\nSHL R0, R0, 0x8 ;\nIADD R0, R0, 0x1000 ;\n"
                                      "MOV32I R1, 0x7 ;\nSTG [R0], R1 ;\nEXIT ;"),
              stage::vertex);
    EXPECT_EQ(bench.counters().trap_count, 1U);
    EXPECT_EQ(memory.writes, 0U);
    EXPECT_EQ(memory.bytes, std::vector<std::uint8_t>(512));
}

} // namespace
} // namespace isbesim
