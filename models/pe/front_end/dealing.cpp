// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/dealing.h"

#include <algorithm>
#include <utility>

namespace isbesim {

unsigned tpc_of_batch(const chip_config& chip, std::uint64_t number)
{
    const auto turn = static_cast<unsigned>(number / chip.deal_batches % chip.all_tpcs());
    return chip.deal_order == deal_order::tpcs_first ? turn : turn % chip.gpcs * chip.tpcs + turn / chip.gpcs;
}

dealing_time::dealing_time(const chip_config& chip, unsigned record_bytes)
    : chip_(chip),
      instance_(ticks_of(chip.instance_cycles)),
      index_(ticks_of(chip.index_cycles)),
      restart_(ticks_of(chip.restart_cycles)),
      path_batch_(ticks_of(chip.gpc_batch_cycles)),
      draw_(ticks_of(chip.draw_cycles) + record_bytes * ticks_of_rate(chip.record_bytes_per_cycle)),
      walked_(draw_),
      path_(chip.gpcs)
{
}

void dealing_time::walk(const batch& next)
{
    walked_ += next.positions * index_ + next.restarts * restart_ + (next.instance - instances_) * instance_ +
               (next.draw - draws_) * draw_;
    instances_ = next.instance;
    draws_ = next.draw;
}

std::uint64_t dealing_time::assembled() const
{
    const std::uint64_t rate = chip_.primitives_per_cycle;
    return rate == 0 ? 0 : (assembled_ * ticks_per_cycle + rate - 1) / rate;
}

std::uint64_t dealing_time::arrival(const batch& next, unsigned tpc)
{
    walk(next);
    assembled_ += next.primitive_count();
    auto& path = path_[tpc / chip_.tpcs];
    path = std::max({path, walked_, assembled()}) + path_batch_;
    return path;
}

std::uint64_t dealing_time::end(const batch& rest)
{
    walk(rest);
    return std::max(walked_, assembled());
}

// Deals batches until one is this TPC's.
bool batch_dealer::deal()
{
    if (ended_) return false;
    if (spare_.empty()) spare_.push_back(std::make_unique<batch>());
    auto& result = *spare_.back();
    while (former_.next(result)) {
        const auto to = tpc_of_batch(chip_, number_++);
        result.arrival = time_.arrival(result, to);
        if (listener_ != nullptr) listener_->dealt(result, to == tpc_);
        if (to != tpc_) continue;
        result.tpcs = tpcs();
        dealt_.push(std::move(spare_.back()));
        spare_.pop_back();
        return true;
    }
    ended_ = true;
    result.instance = std::max(draw_.instance_count, 1U) - 1;
    result.draw = static_cast<std::uint32_t>(std::max<std::uint64_t>(draw_.draws(), 1) - 1);
    former_.count(result);
    end_ = time_.end(result);
    return false;
}

batch* batch_dealer::peek(std::size_t ahead)
{
    while (dealt_.size() <= ahead)
        if (!deal()) return nullptr;
    return dealt_[ahead].get();
}

bool batch_dealer::next(batch& result)
{
    auto* const first = peek(0);
    if (first == nullptr) return false;
    std::swap(result, *first);
    spare_.push_back(std::move(dealt_.front()));
    dealt_.pop();
    return true;
}

void batch_dealer::report_to(dealing_listener& listener)
{
    listener_ = &listener;
    batch_former counted(draw_, limits_);
    for (batch each; counted.next(each);) ++batches_;
}

// In the last round of turns fewer TPCs get a batch.
unsigned batch_dealer::tpcs() const
{
    const std::uint64_t all = chip_.all_tpcs();
    const auto turns = (batches_ + chip_.deal_batches - 1) / chip_.deal_batches,
               turn = (number_ - 1) / chip_.deal_batches;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(turns - std::min(turns, turn / all * all), 1, all));
}

} // namespace isbesim
