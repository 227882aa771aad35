// SPDX-License-Identifier: Apache-2.0
// Counts executed operations: the second part of isbe_core, which calls it once for every operation.
#pragma once

#include "models/isbe/access/resolved_op.h"
#include "models/isbe/access/uniform_access.h"
#include "models/isbe/execution/executed_op.h"
#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/functional/passes.h"
#include "tlm/warp_op.h"

namespace isbesim {

class execution_counter {
public:
    /// Every operation, whatever becomes of it.
    void begin(const warp_op& op) { ++counters_.operations[static_cast<unsigned>(op.op)]; }

    /// One that uniform_access resolved; `lost` are the lanes that lost a byte to another lane.
    void add(const warp_op& op, const uniform_access& access, lane_mask lost, const pass_counter& passes);
    /// Any other that has no error. `passes` finds out, too, which lanes name the same attribute.
    void add(const warp_op& op, const resolved_op& resolved, const executed_op& executed, pass_counter& passes);
    /// ISBERD of a whole word by each of these lanes, from begin() on.
    void add_read(lane_mask lanes, const pass_count& count, const pass_counter& passes);

    const isbe_counters& counters() const { return counters_; }
    /// Which the footprint's recorder adds to.
    busy_bank_counts& busy_banks() { return counters_.busy_banks; }

private:
    void add_components(unsigned components, const pass_count& count, lane_mask lanes, bool store,
                        const pass_counter& passes);

    isbe_counters counters_;
};

} // namespace isbesim
