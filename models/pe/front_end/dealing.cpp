// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/dealing.h"

#include <algorithm>

namespace isbesim {

unsigned tpc_of_batch(const chip_config& chip, std::uint64_t number)
{
    const auto turn = static_cast<unsigned>(number / chip.deal_batches % chip.all_tpcs());
    return chip.deal_order == deal_order::tpcs_first ? turn : turn % chip.gpcs * chip.tpcs + turn / chip.gpcs;
}

std::uint64_t dealing_time::arrival(unsigned primitives, unsigned tpc)
{
    const auto ceiling = [](std::uint64_t amount, std::uint64_t rate) { return (amount + rate - 1) / rate; };
    assembled_ += primitives;
    const std::uint64_t all = chip_.primitives_per_cycle, one = chip_.gpc_primitives_per_cycle;
    const auto left = all == 0 ? 0 : ceiling(assembled_, all);
    if (one == 0) return left;
    auto& path = path_[tpc / chip_.tpcs];
    path = std::max(path, left * one) + primitives;
    return ceiling(path, one);
}

bool batch_dealer::next(batch& result)
{
    while (former_.next(result)) {
        const auto to = tpc_of_batch(chip_, number_++);
        const auto at = time_.arrival(result.primitive_count(), to);
        if (to != tpc_) continue;
        arrival_ = at;
        return true;
    }
    return false;
}

} // namespace isbesim
