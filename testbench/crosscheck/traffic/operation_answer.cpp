// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/operation_answer.h"

#include "models/isbe/access/map_lookup.h"
#include "testbench/files/checksum.h"
#include "tlm/operation_table.h"

namespace isbesim::testbench {

unsigned responded_components(const warp_op& op)
{
    const auto returned = row_of(op.op).returned;
    return returned == by_size ? component_count(op) : returned;
}

operation_answer answer_of(const warp_op& op, const warp_result& result)
{
    operation_answer answer;
    answer.error = result.error;
    checksum sum;
    sum.add(static_cast<std::uint64_t>(result.error));
    std::uint16_t any = 0;
    for (const auto status : result.status) any |= status;
    answer.status = any;
    if (any != 0) // otherwise the sum would cover only zeros
        for (unsigned lane = 0; lane < warp_lanes; lane += 4)
            sum.add(result.status[lane] | std::uint64_t{result.status[lane + 1]} << 16 |
                    std::uint64_t{result.status[lane + 2]} << 32 | std::uint64_t{result.status[lane + 3]} << 48);
    for (unsigned c = 0; c < responded_components(op); ++c)
        for (unsigned lane = 0; lane < warp_lanes; lane += 2)
            sum.add(result.data[c][lane] | std::uint64_t{result.data[c][lane + 1]} << 32);
    answer.digest = static_cast<std::uint32_t>(sum.value());
    return answer;
}

} // namespace isbesim::testbench
