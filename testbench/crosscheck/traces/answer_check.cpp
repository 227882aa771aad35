// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/answer_check.h"

#include <iomanip>
#include <sstream>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/names.h"
#include "testbench/rtl/mismatch_report.h"

namespace isbesim::testbench {

namespace {

std::string text_of(const operation_answer& answer)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0') << "error 0x" << std::setw(2) << static_cast<unsigned>(answer.error)
         << ", lane status 0x" << std::setw(4) << answer.status << ", data digest 0x" << std::setw(8) << answer.digest;
    return text.str();
}

} // namespace

std::string describe_answer(const trace_file& trace, const isbe_config& config, const other_answer& got)
{
    trace_reader reader(trace);
    isbe_core core(config);
    warp_result expected;
    while (reader.operations() <= got.number) {
        trace_record record;
        if (!reader.next(record)) break;
        core.execute(record.op, expected);
    }
    auto answer = expected; // with the parts of the other one that are compared
    answer.error = got.result.error;
    answer.status = got.result.status;
    for (unsigned c = 0; c < responded_components(got.op); ++c) answer.data[c] = got.result.data[c];
    return "the RTL answers with " + different_parts(expected, answer) + "\nresponse in cycle " +
           std::to_string(got.cycle) + "\n" + describe_transaction(got.number, got.port, got.op) +
           describe_difference(got.op, expected, answer);
}

void answer_check::expect(unsigned port, std::uint64_t number, const operation_answer& answer)
{
    expected_[port].push({number, answer});
}

void answer_check::responded(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle)
{
    const auto expected = expected_[port].front();
    expected_[port].pop();
    const auto answer = answer_of(op, result);
    if (answer == expected.answer) return;
    if (++differences_ != 1) return;
    std::ostringstream text;
    text << "operation " << expected.number << " of the trace (port " << port << ", context " << op.context << ", "
         << name_of(op.op) << ") responded in cycle " << cycle << " with " << text_of(answer)
         << "; recorded: " << text_of(expected.answer);
    mismatch_report_ = text.str();
    first_difference_ = {expected.number, port, cycle, op, result};
}

} // namespace isbesim::testbench
