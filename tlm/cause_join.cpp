#include "tlm/cause_join.h"

#include <algorithm>
#include <limits>

namespace isbesim {

void cause_history::push(const cause& event)
{
    if (events_.size() >= kept_) {
        events_.front() = {};
        events_.pop();
        ++first_;
    }
    events_.push(event);
}

cause_join::cause_join(const cause& event) : node_(*event.node()), log_(*node_.log)
{
    constexpr auto never = std::numeric_limits<std::int32_t>::min();
    std::fill(log_.joined_.begin(), log_.joined_.end(), never);
}

// Only now: the event may be one that was prolonged, and waits for what it was before.
cause_join::~cause_join()
{
    constexpr auto never = std::numeric_limits<std::int32_t>::min();
    for (unsigned i = 0; i < log_.others_; ++i)
        if (log_.joined_[i] != never) node_.later[i] = log_.joined_[i];
}

void cause_join::on(const cause& from, std::uint64_t at, path_reason reason)
{
    if (from.node() == nullptr) return;
    const auto* const later = from.node()->later;
    const auto& longer = log_.longer_[static_cast<unsigned>(reason)];
    const auto slack = static_cast<std::int32_t>(node_.cycle - at);
    for (unsigned i = 0; i < log_.others_; ++i)
        log_.joined_[i] = std::max(log_.joined_[i], later[i] + longer[i] - slack);
}

void cause_join::on(unsigned machine, const cause& from, std::uint64_t at, path_reason reason)
{
    if (from.node() == nullptr) return;
    const auto slack = static_cast<std::int32_t>(node_.cycle - at);
    log_.joined_[machine] =
        std::max(log_.joined_[machine],
                 from.node()->later[machine] + log_.longer_[static_cast<unsigned>(reason)][machine] - slack);
}

void cause_join::on_room(unsigned machine, const cause_history& left, std::uint64_t number, std::uint64_t room,
                         unsigned delay, path_reason reason)
{
    if (number < room) return;
    const cause* from = left.last();
    if (number - room < left.count())
        from = left.number(number - room);
    else
        log_.bounds_[machine] = true;
    if (from != nullptr) on(machine, *from, from->cycle() + delay, reason);
}

} // namespace isbesim
