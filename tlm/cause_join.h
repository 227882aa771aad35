// When an event would happen on other machines than the one that runs: with another latency, a longer queue, more
// banks.
//
// An event waits for the last of several others. On the machine that runs that is all that one has to know; on another
// machine another one may be the last. So where somebody looks ahead (cause_log::keep_others), whoever makes an event
// that waits for several says here which, and when each comes true. The order in which warps issue, operations are
// granted and warps are launched stays that of the machine that runs; no rule of it is written down another time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tlm/cause_log.h"
#include "tlm/ring.h"

namespace isbesim {

/// The last events of one kind, by number: grants of a port, warps that ended.
class cause_history {
public:
    /// Events to be kept; what came before them is waited for by nobody.
    void keep(std::size_t events) { kept_ = std::max(kept_, events); }
    void push(const cause& event);

    std::uint64_t count() const { return first_ + events_.size(); }
    /// Null for one that is not kept any more. It must have happened.
    const cause* number(std::uint64_t number) const
    {
        return number < first_ ? nullptr : &events_[static_cast<std::size_t>(number - first_)];
    }
    const cause* last() const { return events_.empty() ? nullptr : &events_[events_.size() - 1]; }

private:
    std::size_t kept_ = 1;
    std::uint64_t first_ = 0; ///< number of the oldest one kept
    ring<cause> events_;
};

class cause_join {
public:
    /// What `event`, which has just been made, waited for is told until this ends. Where there are no other machines
    /// nothing happens: ask first.
    explicit cause_join(const cause& event);
    ~cause_join();
    cause_join(const cause_join&) = delete;
    cause_join& operator=(const cause_join&) = delete;

    /// Whether what waits for `event` has to be told.
    static bool wanted(const cause& event) { return event.node() != nullptr && event.node()->later != nullptr; }

    /// It waits for what follows `from` because of `reason`, and on the machine that runs comes true in cycle `at`: on
    /// every machine, or on one.
    void on(const cause& from, std::uint64_t at, path_reason reason);
    void on(unsigned machine, const cause& from, std::uint64_t at, path_reason reason);
    /// On one machine something has room for `room` and this is number `number` (of all, from 0): it waits until number
    /// `number` - `room` has left, and `delay` cycles more. Where that is not known yet, the machine's times are
    /// bounds.
    void on_room(unsigned machine, const cause_history& left, std::uint64_t number, std::uint64_t room, unsigned delay,
                 path_reason reason);

    /// The event comes so many cycles later on one machine for a reason that is not in the table of reasons.
    static void delay(const cause& event, unsigned machine, std::int32_t cycles)
    {
        event.node()->later[machine] += cycles;
    }
    /// A resource of one machine has work for so many cycles.
    static void works(const cause& event, unsigned machine, std::uint64_t cycles)
    {
        auto& most = event.node()->log->work_[machine];
        most = std::max(most, cycles);
    }
    /// Something waits on the machine that runs, and not on this one.
    void frees(unsigned machine) { log_.freed_[machine] = true; }
    /// What one machine waits for has not happened yet: its times are bounds.
    void not_known(unsigned machine) { log_.bounds_[machine] = true; }

private:
    const cause_node& node_;
    cause_log& log_;
};

} // namespace isbesim
