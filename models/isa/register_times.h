// SPDX-License-Identifier: Apache-2.0
// Tracks when the registers and predicates of a warp can be read and replaced, from the instructions that it issues.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/isa/latency.h"
#include "models/isa/program.h"

namespace isbesim::isa {

class register_times {
public:
    // Numbers, in this order: R0 to R254, P0 to P6 and the condition codes, UR0 to UR79, UP0 to UP6.
    static constexpr unsigned predicate_base = 256, uniform_base = predicate_base + 8,
                              uniform_predicate_base = uniform_base + uniform_count(architecture::sm120),
                              count = uniform_predicate_base + 7;

    void reset()
    {
        results_.fill({});
        recent_ = {};
        latest_ = 0;
    }

    /// Lanes of the path that issues from now on. Its instructions do not depend on registers and predicates of other
    /// lanes.
    void set_path(std::uint32_t lanes) { path_ = lanes; }
    /// `info`, which must stay alive, was issued in `now`. Sets when its results are usable if a table has them.
    void issued(const issue_info& info, std::uint64_t now, bool lanes_off = false);
    /// For results whose latency is in no table: instructions issued in `cycle` or later can use them, and its
    /// predicates from `predicates` on.
    void set_ready(const issue_info& info, std::uint64_t cycle, std::uint64_t predicates);
    void set_ready(const issue_info& info, std::uint64_t cycle) { set_ready(info, cycle, cycle); }

    /// Calls `found(number, cycle)` for each register and predicate that `info` reads or replaces: it must not issue
    /// before `cycle`. A result without a fixed latency may only be replaced by a later result, due in `ready`. With
    /// `lanes_off` only predicates are read and nothing is written.
    template <typename Visit>
    void visit(const issue_info& info, std::uint64_t ready, bool lanes_off, Visit&& found) const;

    /// True if no earlier instruction delays an issue in `now` or later.
    bool over(std::uint64_t now) const { return latest_ <= now; }
    /// Cycle from which instructions with a scoreboard, and guards, can use all results.
    std::uint64_t all_ready() const
    {
        std::uint64_t cycle = 0;
        for (const result& each : results_) cycle = std::max(cycle, each.ready);
        return cycle;
    }
    /// Cycle from which an instruction with a scoreboard can use the result in a register.
    std::uint64_t ready(unsigned reg) const { return results_[reg].ready; }

private:
    struct result {
        std::uint64_t ready = 0; ///< for readers with a scoreboard, and guards
        pipe by = pipe::tracked;
        bool guarded = false;
        std::uint32_t lanes = ~0U;
    };
    /// An instruction recent enough for write_after_read.
    struct issue {
        const issue_info* info = nullptr;
        std::uint64_t cycle = 0;
        std::uint32_t lanes = 0;
    };

    static bool is_predicate(register_file file)
    {
        return file == register_file::predicate || file == register_file::uniform_predicate;
    }
    static register_file file_of(unsigned number)
    {
        return number < predicate_base           ? register_file::vector
               : number < uniform_base           ? register_file::predicate
               : number < uniform_predicate_base ? register_file::uniform
                                                 : register_file::uniform_predicate;
    }
    /// The reader to which `ready` applies.
    static pipe usual_reader(latency_table table, register_file file)
    {
        return file == register_file::vector    ? late_reader(table)
               : file == register_file::uniform ? pipe::bank
                                                : pipe::guard;
    }
    template <typename Visit>
    static void for_each_bit(std::uint64_t mask, unsigned base, Visit&& found)
    {
        for (; mask != 0; mask &= mask - 1) found(base + static_cast<unsigned>(__builtin_ctzll(mask)));
    }
    template <typename Visit>
    static void for_each_write(const issue_info& info, Visit&& found)
    {
        for (const auto range : info.writes)
            for (unsigned i = 0; i < range.count; ++i) found(range.first + i);
        for_each_bit(info.predicate_writes, predicate_base, found);
        for (unsigned i = 0; i < info.uniform_writes.count; ++i) found(uniform_base + info.uniform_writes.first + i);
        for_each_bit(info.uniform_predicate_writes, uniform_predicate_base, found);
    }
    /// Calls found(number, pipe that reads it).
    template <typename Visit>
    static void for_each_predicate_read(const issue_info& info, Visit&& found)
    {
        const bool uniform = info.pipe == pipe::uniform || info.pipe == pipe::uniform_move;
        const auto reads = [&](std::uint8_t mask, unsigned base, std::uint8_t guard) {
            for_each_bit(mask, base, [&](unsigned number) {
                found(number, (guard >> (number - base) & 1U) != 0 ? pipe::guard : info.pipe);
            });
        };
        reads(info.predicate_reads, predicate_base, uniform ? 0 : info.guard_reads);
        reads(info.uniform_predicate_reads, uniform_predicate_base, uniform ? info.guard_reads : 0);
    }
    template <typename Visit>
    static void for_each_register_read(const issue_info& info, Visit&& found)
    {
        for (std::size_t k = 0; k < info.reads.size(); ++k) {
            const bool sum = info.pipe == pipe::wide && (info.sum_reads >> k & 1U) != 0;
            for (unsigned i = 0; i < info.reads[k].count; ++i)
                found(info.reads[k].first + i, sum ? pipe::wide_sum : info.pipe);
        }
        for (const auto range : info.uniform_reads)
            for (unsigned i = 0; i < range.count; ++i)
                found(uniform_base + range.first + i, info.bindless ? pipe::bank : info.pipe);
    }

    /// Uniform registers concern all lanes.
    bool concerns(register_file file, std::uint32_t lanes) const
    {
        return (lanes & path_) != 0 || file == register_file::uniform || file == register_file::uniform_predicate;
    }

    /// Cycle from which an instruction may follow that needs `latency` cycles.
    static std::uint64_t after(const result& stored, latency_table table, register_file file, unsigned latency)
    {
        if (stored.by == pipe::tracked) return stored.ready;
        return stored.ready + latency - read_after_write(table, file, stored.by, usual_reader(table, file));
    }

    std::array<result, count> results_{};
    std::array<issue, longest_read - 1> recent_{};
    std::uint64_t latest_ = 0;
    std::uint32_t path_ = ~0U;
};

template <typename Visit>
void register_times::visit(const issue_info& info, std::uint64_t ready, bool lanes_off, Visit&& found) const
{
    const auto read = [&](unsigned number, pipe reader) {
        const auto file = file_of(number);
        const auto& stored = results_[number];
        if (concerns(file, stored.lanes))
            found(number, after(stored, info.table, file, read_after_write(info.table, file, stored.by, reader)));
    };
    for_each_predicate_read(info, read);
    if (lanes_off) return;
    for_each_register_read(info, read);
    for_each_write(info, [&](unsigned number) {
        const auto& stored = results_[number];
        const auto file = file_of(number);
        if (!concerns(file, stored.lanes)) return;
        if (stored.by != pipe::tracked)
            found(number, after(stored, info.table, file,
                                write_after_write(info.table, file, stored.by, info.pipe, stored.guarded)));
        else if (stored.ready >= ready)
            found(number, stored.ready);
    });
    for (const issue& before : recent_) {
        if (before.info == nullptr || info.pipe == pipe::alu || info.pipe == pipe::fma) continue;
        const auto replaced = [&](unsigned number, pipe reader) {
            for_each_write(info, [&](unsigned written) {
                if (written == number && concerns(file_of(number), before.lanes))
                    found(number, before.cycle + write_after_read(info.table, file_of(number), reader, info.pipe));
            });
        };
        for_each_predicate_read(*before.info, replaced);
        for_each_register_read(*before.info, replaced);
    }
}

} // namespace isbesim::isa
