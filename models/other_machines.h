// Machines whose times a run keeps account of beside its own (tlm/cause_join.h), in the order of cause_log's numbers.
#pragma once

#include <memory>
#include <vector>

#include "models/machine_config.h"

namespace isbesim {

struct other_machine : machine_config {
    /// Its warps do not wait for what others do on an SM or ISBE, only for lines and slots: no order of operations is
    /// kept, and times are no later than with any.
    bool unordered = false;
};

/// The machine that runs, and the others: each differs in one number.
struct other_machines {
    machine_config own;
    std::vector<other_machine> others;

    /// Whether it has two SMs in the place of each.
    bool doubles_sms(const machine_config& other) const { return other.sm_count == 2 * own.sm_count; }
    /// What of a resource `twin` uses on it: 0 where an SM stays one, 1 or 2 where it becomes two.
    unsigned half(const machine_config& other, unsigned twin) const { return doubles_sms(other) ? 1 + twin : 0; }
    static constexpr unsigned halves = 3;
};

} // namespace isbesim
