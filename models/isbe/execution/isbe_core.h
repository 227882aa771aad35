// SPDX-License-Identifier: Apache-2.0
// The functional ISBE: storage, context table and one call that executes a warp operation. No SystemC, and no time
// except the number of bank passes. LT, AT, the layout command and the unit tests all use this.
//
// Three parts: this class executes, execution_counter counts executed operations, footprint_recorder records one
// operation's footprint on request. The latter two only read the execution's results.
#pragma once

#include <vector>

#include "models/isbe/access/address_unit.h"
#include "models/isbe/access/resolved_op.h"
#include "models/isbe/access/uniform_access.h"
#include "models/isbe/execution/execution_counter.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/functional/passes.h"
#include "models/isbe/functional/storage.h"
#include "models/machine_config.h"
#include "tlm/access_footprint.h"
#include "tlm/run_read.h"
#include "tlm/warp_op.h"

namespace isbesim {

class isbe_core {
public:
    explicit isbe_core(const isbe_config& config);

    /// Executes `op` completely, in the order of calls, and fills every field of `result`. Throws
    /// std::invalid_argument for a BIND whose descriptor violates section 3's guarantees (see check_context).
    void execute(const warp_op& op, warp_result& result);
    /// The same, and records the operation's footprint. `footprint` starts empty.
    void execute(const warp_op& op, warp_result& result, access_footprint& footprint);

    /// True if the run has consecutive words inside the storage. read() then does the same as execute() of the
    /// equivalent operation, with less work, and returns its passes.
    bool can_read(const run_read& run) const;
    unsigned read(const run_read& run);

    /// Passes that the last executed operation would take according to `other`, a counter for the same words; 0 if the
    /// operation touched no word.
    unsigned passes_by(pass_counter& other) const;

    /// Unbinds every slot, as a reset does.
    void unbind_all() { contexts_.assign(contexts_.size(), context{}); }
    const context& context_at(unsigned slot) const { return contexts_[slot]; }
    const isbe_config& config() const { return config_; }
    isbesim::storage& storage() { return storage_; }
    const isbesim::storage& storage() const { return storage_; }
    const isbe_counters& counters() const { return counter_.counters(); }

private:
    void bind(const warp_op& op, warp_result& result);

    lane_mask execute_uniform(const warp_op& op, warp_result& result);
    void load_uniform(warp_result& result);
    lane_mask store_uniform(const warp_op& op, warp_result& result);
    void note_overwritten(const per_lane<word>& index, warp_result& result) const;

    void execute_resolved(const warp_op& op, warp_result& result);
    void load(const component_access& access, per_lane<word>& data, warp_result& result);
    lane_mask store(unsigned c, const per_lane<word>& data);
    lane_mask store_bytes(unsigned c, const written_bytes& written);
    void join_bytes(warp_result& result);
    void execute_out(const warp_op& op, const context& context, warp_result& result);

    void flag_write_conflicts(lane_mask lost, warp_result& result) const;
    lane_mask winners(const per_lane<word>& index, lane_mask lanes);
    bool highest_wins() const;

    isbe_config config_;
    isbesim::storage storage_;
    std::vector<context> contexts_; ///< one more than the slots: the last is for operations of the whole storage
    isbesim::address_unit address_unit_;
    execution_counter counter_;
    // Scratch of execute(), also read by counting and recording; too big to construct in every call.
    pass_counter passes_;
    uniform_access uniform_;
    resolved_op resolved_;
    executed_op executed_;
};

/// L of micro-architecture section 5.5: cycles from the last pass to the response, by the operation's class.
unsigned response_latency(const isbe_config& config, opcode op);

/// Cycles from the cycle a request is accepted to the cycle its response is first valid, on an idle ISBE
/// (micro-architecture section 5): 1 + passes + response_latency.
unsigned unloaded_latency(const isbe_config& config, opcode op, unsigned passes);

} // namespace isbesim
