// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/size_bounds.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "models/attribute/layout.h"
#include "models/isbe/access/map_lookup.h"
#include "models/isbe/functional/lanes.h"
#include "testbench/crosscheck/traces/trace_check.h"
#include "tlm/byte_sum.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned most_lines = 8192;
constexpr unsigned line_step = 8;
constexpr unsigned most_contexts = 64;

class bounds_finder {
public:
    void add(const warp_op& op, const operation_answer& answer)
    {
        if (is_raw(op.op) && op.region == region::physical)
            add_access(op, answer);
        else if (op.op == opcode::bind)
            add_context(op, answer);
    }

    size_bounds bounds() const
    {
        const auto lines_of = [](std::uint64_t bytes) { return bytes / line_bytes / line_step * line_step; };
        const auto low = lines_of(holds_ + line_step * line_bytes - 1);
        const auto high = lines_of(below_ - 1);
        size_bounds found{{line_step, most_lines}, {std::max(contexts_, 1U), contexts_below_ - 1}};
        found.lines.low = static_cast<unsigned>(std::clamp<std::uint64_t>(low, line_step, most_lines + line_step));
        found.lines.high = static_cast<unsigned>(std::min<std::uint64_t>(high, most_lines));
        return found;
    }

private:
    void add_context(const warp_op& op, const operation_answer& answer)
    {
        if (answer.error != op_error::none) {
            contexts_below_ = std::min<unsigned>(contexts_below_, op.context + 1U);
            return;
        }
        contexts_ = std::max<unsigned>(contexts_, op.context + 1U);
        holds_ = std::max(holds_, storage_end(unpack_context(op)));
    }

    /// Section 4.5: covered bytes beyond the storage are out of range.
    void add_access(const warp_op& op, const operation_answer& answer)
    {
        const auto bytes = std::clamp<std::int64_t>(op.size, 1, 4);
        lane_mask negative = 0;
        std::vector<std::uint64_t> ends; // ascending
        per_lane<std::uint64_t> end_of_lane{};
        for_each_lane(op.lanes, [&](unsigned lane) {
            const auto first = byte_sum(op, lane);
            if (first < 0) {
                negative |= lane_mask{1} << lane;
                return;
            }
            end_of_lane[lane] = static_cast<std::uint64_t>(first + bytes);
            ends.push_back(end_of_lane[lane]);
        });
        if (ends.empty()) return;
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        if ((answer.status & lane_status::out_of_range) == 0) {
            holds_ = std::max(holds_, ends.back());
            return;
        }
        if (negative == 0) below_ = std::min(below_, ends.back()); // at least one lane is beyond
        if (op.op != opcode::isbewr || answer.status != lane_status::out_of_range) return;
        // The response depends only on the lanes that were outside: only one number of lanes gives this response.
        warp_result result;
        for (std::size_t inside = 0; inside <= ends.size(); ++inside) {
            const auto limit = inside == 0 ? 0 : ends[inside - 1];
            for_each_lane(op.lanes, [&](unsigned lane) {
                const bool outside = (negative >> lane & 1U) != 0 || end_of_lane[lane] > limit;
                result.status[lane] = outside ? lane_status::out_of_range : lane_status::ok;
            });
            if (answer_of(op, result) != answer) continue;
            holds_ = std::max(holds_, limit);
            if (inside < ends.size()) below_ = std::min(below_, ends[inside]);
            return;
        }
    }

    std::uint64_t holds_ = 0;                                         ///< bytes known to be inside
    std::uint64_t below_ = std::numeric_limits<std::uint64_t>::max(); ///< size that is too large
    unsigned contexts_ = 0;
    unsigned contexts_below_ = most_contexts + 1;
};

} // namespace

size_bounds find_size_bounds(const observed_traffic& traffic)
{
    bounds_finder finder;
    traffic.visit([&](std::size_t, const warp_op& op, const operation_answer& answer) { finder.add(op, answer); });
    return finder.bounds();
}

} // namespace isbesim::testbench
