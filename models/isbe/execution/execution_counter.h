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
    /// Counts any operation, even if it ends with an error.
    void begin(const warp_op& op) { ++counters_.operations[static_cast<unsigned>(op.op)]; }

    /// Counts an operation that uniform_access resolved; `lost` are the lanes that lost a byte to another lane.
    void add(const warp_op& op, const uniform_access& access, lane_mask lost, const pass_counter& passes);
    /// Counts any other operation without an error. `passes` also finds the lanes that name the same attribute.
    void add(const warp_op& op, const resolved_op& resolved, const executed_op& executed, pass_counter& passes);
    /// Counts an ISBERD of a whole word by each of these lanes; needs no begin().
    void add_read(lane_mask lanes, const pass_count& count, const pass_counter& passes);

    const isbe_counters& counters() const { return counters_; }
    /// The counts to which the footprint recorder adds.
    busy_bank_counts& busy_banks() { return counters_.busy_banks; }

private:
    void add_components(unsigned components, const pass_count& count, lane_mask lanes, bool store,
                        const pass_counter& passes);

    isbe_counters counters_;
};

} // namespace isbesim
