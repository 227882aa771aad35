#include "models/isbe/timing/grant_joins.h"

#include <algorithm>

namespace isbesim {

namespace {

/// The client whose operation it is: 0 the SM, 1 the PE.
unsigned client_of(path_place place)
{
    return place.of == path_place::part::program ? 0 : 1;
}

bool counts_otherwise(const isbe_config& own, const isbe_config& other)
{
    return columns_of(own) != columns_of(other);
}

} // namespace

grant_joins::grant_joins(const other_machines& machines, std::size_t words) : machines_(machines)
{
    for (const auto& other : machines_.others) {
        counters_.push_back(counts_otherwise(machines_.own.isbe, other.isbe)
                                ? std::make_unique<pass_counter>(other.isbe, words)
                                : nullptr);
        for (auto& half : histories_)
            for (auto& history : half) {
                history.grants.keep(other.isbe.request_queue_depth);
                history.transfers.keep(other.isbe.response_queue_depth);
            }
    }
}

template <typename Function>
void grant_joins::for_histories(path_place place, Function&& function)
{
    for (const auto half : {0U, 1U + place.twin})
        for (const auto kind : {client_of(place), both}) function(histories_[half][kind]);
}

grant_joins::port_history& grant_joins::history(const machine_config& other, path_place place)
{
    return histories_[machines_.half(other, place.twin)][other.isbe.ports == 1 ? both : client_of(place)];
}

void grant_joins::accepted(const cause& event, const cause& before)
{
    const auto place = event.place();
    {
        cause_join join(event);
        join.on(before, before.cycle(), path_reason::none);
        for (unsigned i = 0; i < machines_.others.size(); ++i) {
            const auto& other = machines_.others[i];
            if (other.unordered) continue;
            const auto& port = history(other, place);
            join.on(i, port.accepted, port.accepted.cycle() + 1, path_reason::request_channel);
            join.on_room(i, port.grants, port.accepts, other.isbe.request_queue_depth, 1, path_reason::request_queue);
        }
    }
    for_histories(place, [&](port_history& port) {
        ++port.accepts;
        port.accepted = event;
    });
}

void grant_joins::granted(const cause& event, const cause& before)
{
    const auto place = event.place();
    {
        cause_join join(event);
        join.on(before, before.cycle() + 1, path_reason::grant);
        for (unsigned i = 0; i < machines_.others.size(); ++i) {
            const auto& other = machines_.others[i];
            if (other.unordered) continue;
            const auto& port = history(other, place);
            const auto& pass = passed_[machines_.half(other, place.twin)];
            join.on(i, pass, pass.cycle(), path_reason::none);
            join.on_room(i, port.transfers, port.grants.count(), other.isbe.response_queue_depth, 1,
                         path_reason::responses_full);
        }
    }
    for_histories(place, [&](port_history& port) { port.grants.push(event); });
}

void grant_joins::passed(const cause& event, const isbe_core& core, unsigned passes)
{
    for (unsigned i = 0; i < counters_.size(); ++i)
        if (const auto others = counters_[i] == nullptr ? 0U : core.passes_by(*counters_[i]); others != 0)
            cause_join::delay(event, i, static_cast<std::int32_t>(others) - static_cast<std::int32_t>(passes));
    const auto twin = event.place().twin;
    passed_[0] = passed_[1U + twin] = event;
    busy_ += passes;
    // Of two SMs the one that has more of the work has half of it at least.
    for (unsigned i = 0; i < machines_.others.size(); ++i)
        if (const auto& other = machines_.others[i]; other.unordered)
            cause_join::works(event, i, machines_.doubles_sms(other) ? busy_ / 2 : busy_);
}

void grant_joins::responded(const cause& event, const cause& before, std::uint64_t ready, path_reason latency)
{
    const auto place = event.place();
    cause_join join(event);
    join.on(before, ready, latency);
    for (unsigned i = 0; i < machines_.others.size(); ++i) {
        if (machines_.others[i].unordered) continue;
        if (const auto* last = history(machines_.others[i], place).transfers.last(); last != nullptr)
            join.on(i, *last, last->cycle() + 1, path_reason::response_channel);
    }
}

void grant_joins::transferred(const cause& event)
{
    for_histories(event.place(), [&](port_history& port) { port.transfers.push(event); });
}

} // namespace isbesim
