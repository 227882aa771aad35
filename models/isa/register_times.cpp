// SPDX-License-Identifier: Apache-2.0
#include "models/isa/register_times.h"

namespace isbesim::isa {

void register_times::issued(const issue_info& info, std::uint64_t now, bool lanes_off)
{
    const bool fixed = has_fixed_latency(info);
    std::move_backward(recent_.begin(), recent_.end() - 1, recent_.end());
    recent_.front() = fixed || info.pipe == pipe::real_double ? issue{&info, now, path_} : issue{};
    if (lanes_off) return;
    for_each_write(info, [&](unsigned number) {
        auto& times = results_[number];
        // While a result of other paths is pending, it concerns their lanes, too.
        times.lanes = path_ | (times.ready > now ? times.lanes : 0);
    });
    if (!fixed) return;
    latest_ = std::max(latest_, now + longest_latency);
    for_each_write(info, [&](unsigned number) {
        const auto file = file_of(number);
        results_[number] = {now + read_after_write(info.table, file, info.pipe, usual_reader(info.table, file)),
                            info.pipe, info.guard_reads != 0, results_[number].lanes};
    });
}

void register_times::set_ready(const issue_info& info, std::uint64_t cycle, std::uint64_t predicates)
{
    for_each_write(info, [&](unsigned number) {
        results_[number] = {is_predicate(file_of(number)) ? predicates : cycle, pipe::tracked, false,
                            results_[number].lanes};
        latest_ = std::max(latest_, results_[number].ready);
    });
}

} // namespace isbesim::isa
