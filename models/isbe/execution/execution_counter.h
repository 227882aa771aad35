// SPDX-License-Identifier: Apache-2.0
// Counts executed operations: the second part of isbe_core, which calls it once for every operation.
#pragma once

#include <array>

#include "models/isbe/access/resolved_op.h"
#include "models/isbe/access/uniform_access.h"
#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/functional/passes.h"
#include "tlm/access_footprint.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// The outcome of an operation, which counters and recorders need besides the resolved operation.
struct executed_op {
    /// The core's member that holds the words that the operation reached.
    enum class path {
        none,     ///< no word: an error, BIND
        uniform,  ///< uniform_access
        resolved, ///< resolved_op, component by component
    };
    path by = path::none;
    lane_mask overwritten_lanes = 0;                ///< lanes that lost a byte or more to another lane
    std::array<pass_count, max_components> count{}; ///< of each component of a resolved operation
    std::array<unsigned, max_components> written{}; ///< bytes that it stored
};

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

/// Records the footprint of one operation (tlm/access_footprint.h) on request: the third part of isbe_core.
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
