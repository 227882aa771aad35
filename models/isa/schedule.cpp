// SPDX-License-Identifier: Apache-2.0
#include "models/isa/schedule.h"

#include <algorithm>
#include <array>

#include "models/isa/opcode_row.h"
#include "models/isa/register_times.h"

namespace isbesim::isa {

namespace {

// HARDWARE.md F.4: fixed-latency results of SM50, for registers and for predicates.
constexpr unsigned register_latency = 6;
constexpr unsigned predicate_write_latency = 13;
constexpr unsigned scoreboards = 6;
constexpr unsigned no_scoreboard = 7;
// The next instruction sees a newly taken scoreboard only after two cycles.
constexpr std::uint8_t scoreboard_stall = 2;
constexpr std::uint8_t longest_stall = 15;

bool overlap(register_range a, register_range b)
{
    return a.count != 0 && b.count != 0 && a.first < b.first + b.count && b.first < a.first + a.count;
}

template <std::size_t M, std::size_t N>
bool overlap(const std::array<register_range, M>& a, const std::array<register_range, N>& b)
{
    return std::any_of(a.begin(), a.end(), [&](register_range x) {
        return std::any_of(b.begin(), b.end(), [&](register_range y) { return overlap(x, y); });
    });
}

template <std::size_t N>
bool any(const std::array<register_range, N>& ranges)
{
    return std::any_of(ranges.begin(), ranges.end(), [](register_range r) { return r.count != 0; });
}

/// Registers that a scoreboard guards until it is released.
struct guarded {
    bool active = false;
    unsigned age = 0;
    const issue_info* by = nullptr;
    bool results = false; ///< those of `by`; false: its sources
};

class scheduler {
public:
    explicit scheduler(program& code) : code_(code), boundary_(code.code.size() + 1) {}

    waits run()
    {
        find_boundaries();
        for (std::size_t i = 0; i < code_.code.size(); ++i) place(i);
        return rest_;
    }

private:
    void find_boundaries()
    {
        for (std::size_t i = 0; i < code_.code.size(); ++i) {
            const instruction& each = code_.code[i];
            if (each.row->latency != latency_class::control) continue;
            boundary_[i] = boundary_[i + 1] = true;
            for (const auto& spec : each.row->operands) {
                if (spec.form != form::target) continue;
                const std::size_t target = code_.index_of(each.at(spec.where).value);
                if (target != program::npos) boundary_[target] = true;
            }
        }
    }

    bool conflicts(const guarded& held, const issue_info& issue) const
    {
        const issue_info& by = *held.by;
        const std::array uniform_writes{issue.uniform_writes};
        if (!held.results)
            return overlap(by.reads, issue.writes) || overlap(by.uniform_reads, uniform_writes) ||
                   (by.uniform_predicate_reads & issue.uniform_predicate_writes) != 0;
        const std::array uniform_results{by.uniform_writes};
        return overlap(by.writes, issue.writes) || overlap(by.writes, issue.reads) ||
               overlap(uniform_results, uniform_writes) || overlap(uniform_results, issue.uniform_reads) ||
               (by.predicate_writes & (issue.predicate_reads | issue.predicate_writes)) != 0 ||
               (by.uniform_predicate_writes & (issue.uniform_predicate_reads | issue.uniform_predicate_writes)) != 0;
    }

    void wait(control& scheduling, unsigned index)
    {
        scheduling.wait_mask = static_cast<std::uint8_t>(scheduling.wait_mask | 1U << index);
        held_[index] = {};
    }

    /// Takes a free scoreboard; without one the instruction waits for the oldest.
    unsigned take(control& scheduling)
    {
        unsigned best = 0;
        for (unsigned i = 0; i < scoreboards; ++i) {
            if (!held_[i].active) return i;
            if (held_[i].age < held_[best].age) best = i;
        }
        wait(scheduling, best);
        return best;
    }

    std::uint64_t needed_cycle(const issue_info& issue, bool all) const
    {
        std::uint64_t cycle = all ? times_.all_ready() : 0;
        times_.visit(issue, 0, false,
                     [&](unsigned /*number*/, std::uint64_t usable) { cycle = std::max(cycle, usable); });
        return cycle;
    }

    void place(std::size_t index)
    {
        instruction& each = code_.code[index];
        const issue_info& issue = each.issue;
        const std::uint8_t reuse = each.control.reuse;
        each.control = {};
        each.control.reuse = reuse;
        control& scheduling = each.control;

        const std::uint64_t needed = needed_cycle(issue, boundary_[index]);
        if (needed > now_ && index > 0) {
            auto& stall = code_.code[index - 1].control.stall;
            const std::uint64_t wait = stall + needed - now_;
            stall = static_cast<std::uint8_t>(std::min<std::uint64_t>(longest_stall, wait));
            if (wait > longest_stall) rest_[index] = static_cast<std::uint8_t>(wait - longest_stall);
            now_ = needed;
        }
        for (unsigned i = 0; i < scoreboards; ++i)
            if (held_[i].active && (boundary_[index] || conflicts(held_[i], issue))) wait(scheduling, i);

        times_.issued(issue, now_);
        if (issue.latency != latency_class::alu && issue.latency != latency_class::control)
            finish_tracked(issue, scheduling);
        else if (!has_fixed_latency(issue))
            times_.set_ready(issue, now_ + register_latency, now_ + predicate_write_latency);
        now_ += scheduling.stall;
    }

    void finish_tracked(const issue_info& issue, control& scheduling)
    {
        if (any(issue.writes) || issue.predicate_writes != 0 || issue.uniform_writes.count != 0 ||
            issue.uniform_predicate_writes != 0) {
            const unsigned taken = take(scheduling);
            held_[taken] = {true, ++age_, &issue, true};
            scheduling.write_barrier = static_cast<std::uint8_t>(taken);
            scheduling.stall = scoreboard_stall;
        }
        if (any(issue.reads) || any(issue.uniform_reads) || issue.uniform_predicate_reads != 0) {
            const unsigned taken = take(scheduling);
            // With six scoreboards, this never waits for the scoreboard that the result has just taken.
            held_[taken] = {true, ++age_, &issue, false};
            scheduling.read_barrier = static_cast<std::uint8_t>(taken);
            scheduling.stall = scoreboard_stall;
        }
    }

    program& code_;
    std::vector<bool> boundary_;
    std::array<guarded, scoreboards> held_{};
    register_times times_;
    waits rest_;
    std::uint64_t now_ = 0;
    unsigned age_ = 0;
};

static_assert(control{}.write_barrier == no_scoreboard && control{}.read_barrier == no_scoreboard);

} // namespace

waits schedule(program& code)
{
    return scheduler(code).run();
}

} // namespace isbesim::isa
