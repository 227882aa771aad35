// SPDX-License-Identifier: Apache-2.0
// Records the footprint of one operation (tlm/access_footprint.h) on request: the third part of isbe_core.
#pragma once

#include "models/isbe/access/resolved_op.h"
#include "models/isbe/access/uniform_access.h"
#include "models/isbe/execution/executed_op.h"
#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/functional/passes.h"
#include "tlm/access_footprint.h"

namespace isbesim {

class footprint_recorder {
public:
    /// Adds to `footprint`, and to `busy_banks`: passes by the number of banks that they keep busy.
    footprint_recorder(access_footprint& footprint, const isbe_config& config, pass_counter& passes,
                       busy_bank_counts& busy_banks)
        : footprint_(footprint),
          columns_(columns_of(config)),
          by_line_(config.access == access_rule::line),
          passes_(passes),
          busy_banks_(busy_banks)
    {
    }

    /// The figures of the operation between two states of the counters.
    void difference(const isbe_counters& before, const isbe_counters& after);

    /// Records the banks that the operation kept busy.
    void banks(const uniform_access& access);
    void banks(const resolved_op& resolved, const executed_op& executed);

private:
    void component(lane_mask lanes, word base, const per_lane<word>& index, const pass_count& count);
    /// Line access: records several passes, for lanes with `different` words.
    void busy_in_lines(lane_mask different, const per_lane<word>& index, word base);

    access_footprint& footprint_;
    unsigned columns_;
    bool by_line_;
    pass_counter& passes_;
    busy_bank_counts& busy_banks_;
};

} // namespace isbesim
