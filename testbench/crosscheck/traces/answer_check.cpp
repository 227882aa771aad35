// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/answer_check.h"

#include <iomanip>
#include <sstream>

#include "models/isbe/functional/names.h"

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

void answer_check::expect(unsigned port, std::uint64_t number, const operation_answer& answer)
{
    expected_[port].push({number, answer});
}

void answer_check::responded(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle)
{
    const auto expected = expected_[port].front();
    expected_[port].pop();
    ++compared_;
    const auto answer = answer_of(op, result);
    if (answer == expected.answer) return;
    if (++differences_ != 1) return;
    std::ostringstream text;
    text << "operation " << expected.number << " of the trace (port " << port << ", context " << op.context << ", "
         << name_of(op.op) << ") responded in cycle " << cycle << " with " << text_of(answer)
         << "; recorded: " << text_of(expected.answer);
    mismatch_report_ = text.str();
}

} // namespace isbesim::testbench
