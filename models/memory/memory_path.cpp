// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_path.h"

#include <algorithm>

#include "models/memory/shared_memory.h"
#include "models/rate.h"

namespace isbesim {

namespace {

constexpr unsigned line_sectors = 4;
shared_memory* together = nullptr; // null: TPCs are simulated apart

} // namespace

void sector_list::add(std::uint64_t address, std::uint64_t bytes)
{
    if (bytes == 0) return;
    const auto last = (address + bytes - 1) / sector_bytes;
    for (auto sector = address / sector_bytes; sector <= last; ++sector)
        if (sectors_.empty() || sectors_.back() != sector) sectors_.push_back(sector);
}

const std::vector<std::uint64_t>& sector_list::merged()
{
    std::sort(sectors_.begin(), sectors_.end());
    sectors_.erase(std::unique(sectors_.begin(), sectors_.end()), sectors_.end());
    return sectors_;
}

sector_cache::sector_cache(std::uint64_t bytes)
{
    const auto lines = std::max<std::uint64_t>(bytes / (line_sectors * sector_bytes), 1);
    ways_ = static_cast<unsigned>(std::min<std::uint64_t>(lines, most_ways));
    sets_ = lines / ways_;
    lines_.resize(sets_ * ways_);
}

bool sector_cache::access(std::uint64_t sector)
{
    const auto tag = sector / line_sectors;
    const auto bit = 1U << sector % line_sectors;
    auto* const first = &lines_[tag % sets_ * ways_];
    auto* oldest = first;
    for (auto* each = first; each != first + ways_; ++each) {
        if (each->tag == tag && each->used > cleared_) {
            each->used = ++uses_;
            last_ = {each, bit};
            const bool hit = (each->sectors & bit) != 0;
            each->sectors |= bit;
            return hit;
        }
        if (each->used < oldest->used) oldest = each;
    }
    *oldest = {tag, ++uses_, bit};
    last_ = {oldest, bit};
    return false;
}

shared_memory::shared_memory(const machine_config& config) : l2(config.memory.l2_bytes)
{
    together = this;
}

shared_memory::~shared_memory()
{
    together = nullptr;
}

static std::uint64_t sector_ticks(double bytes_per_cycle)
{
    return ticks_of_rate(bytes_per_cycle / sector_bytes);
}

memory_path::memory_path(const machine_config& config)
    : config_(config.memory),
      l1_(config.sm_count, sector_cache(config.memory.l1_bytes)),
      l2_(config.memory.l2_bytes),
      l1_ticks_(sector_ticks(config_.l1_bytes_per_cycle)),
      l2_ticks_(sector_ticks(config_.l2_bytes_per_cycle)),
      dram_ticks_(sector_ticks(config_.dram_bytes_per_cycle)),
      l1_channel_(config.sm_count)
{
}

void memory_path::rewind()
{
    for (auto& each : l1_) each.clear();
    l2_.clear();
    for (auto& each : l1_channel_) each.rewind();
    l2_channel_.rewind();
    dram_channel_.rewind();
    sharers_ = 1;
}

sector_cache& memory_path::l2()
{
    return together == nullptr ? l2_ : together->l2;
}

bool memory_path::in_l2(std::uint64_t sector)
{
    ++counters_.l2_sectors;
    const bool hit = l2().access(sector);
    (hit ? counters_.l2_hits : counters_.dram_bytes) += hit ? 1 : sector_bytes;
    return hit;
}

std::uint64_t memory_path::load(unsigned sm, sector_list& touched, std::uint64_t now, std::uint64_t begun)
{
    fetched missed;
    std::uint64_t arrival = now; // of the sectors that are on their way
    const auto& sectors = touched.merged();
    counters_.l1_sectors += sectors.size();
    filling_.clear();
    for (const auto sector : sectors) {
        if (l1_[sm].access(sector)) {
            ++counters_.l1_hits;
            arrival = std::max(arrival, l1_[sm].last().ready(now));
            continue;
        }
        filling_.push_back(l1_[sm].last());
        ++missed.sectors;
        if (in_l2(sector)) {
            arrival = std::max(arrival, l2().last().ready(now));
            continue;
        }
        filling_.push_back(l2().last());
        ++missed.from_dram;
    }
    arrival =
        std::max({arrival, l1_channel_[sm].serve(now, sectors.size() * l1_ticks_, begun), fetch(missed, now, begun)});
    for (const auto& each : filling_) each.fill(now, arrival);
    touched.clear();
    return arrival;
}

memory_path::fetched memory_path::tag(sector_list& touched, bool own)
{
    fetched result;
    for (const auto sector : touched.merged()) {
        if (!own && together != nullptr) break; // its own path does so
        ++result.sectors;
        result.from_dram += (own ? in_l2(sector) : l2_.access(sector)) ? 0 : 1;
    }
    touched.clear();
    return result;
}

std::uint64_t memory_path::fetch(const fetched& request, std::uint64_t now, std::uint64_t begun)
{
    if (request.sectors == 0) return now;
    const auto l2 = l2_channel_.serve(now, request.sectors * l2_ticks_, begun) + config_.l2_latency;
    if (request.from_dram == 0) return l2;
    auto& channel = together == nullptr ? dram_channel_ : together->dram;
    const auto ticks = request.from_dram * (together == nullptr ? sharers_ : 1) * dram_ticks_;
    return std::max(l2, channel.serve(now, ticks, begun) + config_.l2_latency + config_.dram_latency);
}

} // namespace isbesim
