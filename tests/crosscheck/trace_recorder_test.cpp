// SPDX-License-Identifier: Apache-2.0
// Traces of the recorder, called as an ISBE would call it.
#include "testbench/crosscheck/traces/trace_recorder.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "tests/support/warp_operations.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

warp_op access(opcode code, word line)
{
    auto op = test::make_isberd(space::output, region::physical, 4, test::counting(128 * line, 4));
    op.op = code;
    return op;
}

class recorder : public testing::Test {
protected:
    void start(bool shows_grants = true, bool loosely_timed = false, wait_tracker* waits = nullptr)
    {
        recorder_.emplace(path_, recorded_machine{config_, "{}", shows_grants, loosely_timed}, waits);
    }
    void request(unsigned port, const warp_op& op, std::uint64_t cycle)
    {
        recorder_->begin_request(0, port, op, cycle);
        recorder_->accept(0, port, cycle + 1);
    }
    void grant(unsigned port, const warp_op& op)
    {
        core_.execute(op, result_);
        recorder_->granted(0, port, op, result_, 0, {});
    }
    void respond(unsigned port, const warp_op& op, std::uint64_t cycle)
    {
        recorder_->response(0, port, op, result_, {0, 0, cycle});
    }
    void take(unsigned port, std::uint64_t cycle) { recorder_->end_response(0, port, cycle); }

    std::vector<trace_record> close()
    {
        recorder_->close();
        std::vector<trace_record> records;
        trace_reader reader(open_trace(path_));
        for (trace_record record; reader.next(record);) records.push_back(record);
        return records;
    }

    const temporary_folder folder_;
    const std::string path_ = folder_.path("trace");
    const isbe_config config_{};
    isbe_core core_{config_};
    warp_result result_;
    std::optional<trace_recorder> recorder_;
};

TEST_F(recorder, writes_in_the_order_of_execution)
{
    start();
    const auto first = access(opcode::isbewr, 1);
    const auto second = access(opcode::isberd, 2);
    request(0, first, 10);
    request(1, second, 11);
    grant(1, second);
    grant(0, first);
    respond(0, first, 20);
    take(0, 20);
    respond(1, second, 30);
    take(1, 34);
    const auto records = close();
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].port, 1);
    EXPECT_EQ(records[0].request, 11U);
    EXPECT_EQ(records[0].accept, 12U);
    EXPECT_EQ(records[0].response, 30U);
    EXPECT_EQ(records[0].response_hold, 4U);
    ASSERT_EQ(records[0].waits.count, 1U); // no cause is known: its recorded cycle
    EXPECT_EQ(records[0].waits.entries[0].event, awaited_event::start);
    EXPECT_EQ(records[0].waits.entries[0].gap, 11U);
    EXPECT_EQ(records[1].port, 0);
    EXPECT_EQ(records[1].response, 20U);
}

TEST_F(recorder, streams_of_a_draw_are_warps_with_their_pe_accesses)
{
    wait_tracker waits{sm_config{}};
    start(true, false, &waits);
    work_observer& pe = waits;
    pe.acts({0, 5, 9, 0, 0}); // for task 5 in cycle 9
    warp_op bind;
    bind.op = opcode::bind;
    bind.context = 3;
    warp_op use;
    use.op = opcode::al2p;
    use.context = 3;
    for (const auto& op : {access(opcode::isbewr, 1), bind, use, access(opcode::isberd, 1)}) {
        request(0, op, 10);
        grant(0, op);
        respond(0, op, 20);
        take(0, 20);
    }
    const auto records = close();
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].stream, first_pe_stream + 10);
    EXPECT_EQ(records[0].waits.entries[0].event, awaited_event::start);
    EXPECT_EQ(records[0].waits.entries[0].gap, 9U);
    EXPECT_EQ(records[1].stream, first_pe_stream + 10);
    EXPECT_EQ(records[1].waits.count, 1U);
    EXPECT_EQ(records[1].waits.entries[0].event,
              awaited_event::due); // of the one before, for which it need not wait longer
    EXPECT_EQ(records[1].waits.entries[0].distance, 1U);
    EXPECT_EQ(records[1].waits.entries[0].gap, 0U);
    EXPECT_EQ(records[2].stream, 1);
    EXPECT_EQ(records[2].after.count, 1U); // the BIND
    EXPECT_EQ(records[2].answer.error, op_error::illegal_sph_instr_combo);
    EXPECT_EQ(records[3].stream, first_pe_stream + 11);
    EXPECT_EQ(records[3].after.count, 1U); // the write
}

TEST_F(recorder, operations_after_a_missing_response_are_left_out)
{
    start();
    const auto op = access(opcode::isberd, 1);
    for (const unsigned port : {0U, 1U, 0U, 1U}) {
        request(port, op, 10);
        grant(port, op);
    }
    respond(0, op, 20);
    take(0, 20);
    respond(0, op, 21);
    take(0, 21);
    respond(1, op, 22); // not taken
    EXPECT_EQ(close().size(), 1U);
}

TEST_F(recorder, loosely_timed_responses_are_seen_in_port_order)
{
    start(true, true);
    const auto op = access(opcode::isberd, 1);
    for (const unsigned response : {30U, 20U}) {
        request(0, op, 10);
        grant(0, op);
        respond(0, op, response);
    }
    const auto records = close();
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[1].response, 30U);
}

// The RTL's grants are known only with its responses.
TEST_F(recorder, ambiguous_order_is_an_error)
{
    const auto write = access(opcode::isbewr, 1);
    const auto read = access(opcode::isberd, 1);
    for (const bool together : {false, true}) {
        start(false);
        request(0, write, 10);
        grant(0, write);
        respond(0, write, 20);
        take(0, 20);
        request(1, read, together ? 19 : 20);
        grant(1, read);
        respond(1, read, 40);
        take(1, 40);
        if (!together) {
            EXPECT_EQ(close().size(), 2U);
            std::filesystem::remove(path_);
            continue;
        }
        EXPECT_THROW(close(), trace_error);
        recorder_.reset();
        EXPECT_FALSE(std::filesystem::exists(path_));
    }
}

} // namespace
} // namespace isbesim::testbench
