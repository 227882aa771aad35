// What the instructions of an SM's warps wait for on other machines (tlm/cause_join.h): other numbers of schedulers,
// another attribute queue.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/other_machines.h"
#include "models/sm/warp_slot.h"
#include "models/sm/warp_slots.h"
#include "tlm/cause_join.h"

namespace isbesim {

class issue_joins {
public:
    explicit issue_joins(const other_machines& machines);

    void launched(unsigned slot, path_place place);
    void completed(unsigned slot);
    /// The warp's next instruction, `warp.issued`, has followed its last one, `before`.
    void issued(const warp_slot& warp, unsigned slot, const cause& before);
    /// An operation entered the attribute queue, left it, or was answered.
    void submitted(path_place place)
    {
        for_halves(place, [this](unsigned half) { ++submits_[half]; });
    }
    void accepted(const cause& event)
    {
        for_halves(event.place(), [&](unsigned half) { accepts_[half].push(event); });
    }
    void answered(unsigned slot, const cause& event) { answers_[slot] = event; }
    /// Nothing is left of the warp to issue or to be answered: `event` has made that true after `because`.
    void ended(const cause& event, const cause& because, const warp_slot& warp, unsigned slot) const;

private:
    /// The schedulers of a machine, on every half of an SM.
    struct scheduler_group {
        unsigned schedulers = 1;
        bool doubles = false;
        std::vector<warp_slots> slots; ///< by half; of its own machine none, as slots are those of the warps
        std::vector<unsigned> owners;  ///< of a warp slot: which of `last`
        std::vector<std::uint16_t> taken;
        std::vector<cause> last; ///< issue, by half and scheduler
    };

    template <typename Function>
    static void for_halves(path_place place, Function&& function)
    {
        function(0U);
        function(1U + place.twin);
    }
    unsigned group_of(const machine_config& other);

    other_machines machines_;
    std::vector<scheduler_group> groups_;
    std::vector<unsigned> group_; ///< by machine
    std::array<cause_history, other_machines::halves> accepts_;
    std::array<std::uint64_t, other_machines::halves> submits_{};
    std::vector<cause> answers_; ///< the last one, by slot
};

} // namespace isbesim
