// What the operations of an ISBE wait for on other machines (tlm/cause_join.h): queues of other depths, one port or
// two, other banks.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/isbe/functional/isbe_core.h"
#include "models/isbe/timing/port_operation.h"
#include "models/other_machines.h"
#include "tlm/cause_join.h"

namespace isbesim {

class grant_joins {
public:
    grant_joins(const other_machines& machines, std::size_t words);

    /// `event`: what has just been made of `operation`; `before`: the one before it. In the order of the ISBE's events.
    void accepted(const cause& event, const cause& before);
    void granted(const cause& event, const cause& before);
    /// Its last pass has ended, of `passes`; `core` has carried it out last.
    void passed(const cause& event, const isbe_core& core, unsigned passes);
    void responded(const cause& event, const cause& before, std::uint64_t ready, path_reason latency);
    void transferred(const cause& event);

private:
    /// Of the operations that share a port: the SM's, the PE's, or both; on every half of an SM.
    struct port_history {
        std::uint64_t accepts = 0;
        cause accepted;
        cause_history grants;
        cause_history transfers;
    };
    static constexpr unsigned both = 2;
    static constexpr unsigned kinds = 3;

    template <typename Function>
    void for_histories(path_place place, Function&& function);
    port_history& history(const machine_config& other, path_place place);

    other_machines machines_;
    std::vector<std::unique_ptr<pass_counter>> counters_; ///< by machine; null where passes are the same
    std::array<std::array<port_history, kinds>, other_machines::halves> histories_;
    std::array<cause, other_machines::halves> passed_;
    std::uint64_t busy_ = 0; ///< cycles of passes
};

} // namespace isbesim
