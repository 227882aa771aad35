// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warnings/register_hazards.h"

#include <algorithm>

namespace isbesim {

namespace {

template <typename F>
void for_each_predicate(std::uint8_t mask, F&& visit)
{
    for (unsigned p = 0; mask != 0 && p < 8; ++p) // bit 7 is the condition codes
        if ((mask >> p & 1U) != 0) visit(register_hazards::predicate_base + p);
}

} // namespace

unsigned register_hazards::check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready,
                                 bool lanes_off) const
{
    if (latest_ <= now) return none; // all results are there
    unsigned found = none;
    const auto read = [&](unsigned reg) {
        if (ready_[reg] > now && found == none) found = reg;
    };
    const auto write = [&](unsigned reg) {
        if (ready_[reg] > now && ready_[reg] >= ready && found == none) found = reg;
    };
    for_each_predicate(info.predicate_reads, read);
    if (lanes_off) return found;
    for (const isa::register_range& range : info.reads)
        for (unsigned i = 0; i < range.count; ++i) read(range.first + i);
    for (const auto range : info.writes)
        for (unsigned i = 0; i < range.count; ++i) write(range.first + i);
    for_each_predicate(info.predicate_writes, write);
    return found;
}

void register_hazards::set_ready(const isa::issue_info& info, std::uint64_t cycle)
{
    latest_ = std::max(latest_, cycle);
    for (const auto range : info.writes)
        for (unsigned i = 0; i < range.count; ++i) ready_[range.first + i] = cycle;
    for_each_predicate(info.predicate_writes, [&](unsigned reg) { ready_[reg] = cycle; });
}

} // namespace isbesim
