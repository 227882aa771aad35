// The functional ISBE: storage, context table and one call that carries out a warp operation. No SystemC, no time
// besides the number of bank passes. LT, AT, the layout command and the unit tests all use this.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isbe/address_unit.h"
#include "models/isbe/context.h"
#include "models/isbe/passes.h"
#include "models/isbe/resolved_op.h"
#include "models/isbe/storage.h"
#include "models/isbe/uniform_access.h"
#include "models/machine_config.h"
#include "tlm/access_footprint.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Running totals that a report shows; see report.json in the README for what each covers.
struct isbe_counters {
    std::uint64_t operations[opcode_count] = {};
    std::uint64_t accesses = 0; ///< operations that touched the storage
    std::uint64_t passes = 0;   ///< cycles that those held the banks
    /// What they would have held them had every component's distinct words been spread evenly: the sum over components
    /// of ceil(distinct words / banks), for the line rule ceil(distinct words / 32). Never above `passes`.
    std::uint64_t ideal_passes = 0;
    std::uint64_t bank_reads = 0;     ///< words that the banks delivered; lanes on one word share it
    std::uint64_t bank_writes = 0;    ///< words that the banks took
    std::uint64_t crossbar_words = 0; ///< words between lanes and banks, one per lane and component
    /// Attributes looked up in the maps (BMAP bit and rank): one per component and distinct attribute that the lanes
    /// name, of ALD and AST in logical form and AL2P.
    std::uint64_t map_lookups = 0;
    std::uint64_t bytes_read = 0;               ///< bytes returned from storage, per lane
    std::uint64_t bytes_written = 0;            ///< bytes that reached storage; a conflict's losers don't count
    std::uint64_t discarded_bmap = 0;           ///< stored words dropped by BMAP_out = 0
    std::uint64_t discarded_out_of_range = 0;   ///< stored words or raw writes dropped by address or vertex range
    std::uint64_t discarded_patch_conflict = 0; ///< lane-operations that lost bytes to another lane
    std::uint64_t discarded_gs_overflow = 0;    ///< stored words and OUT tokens past the thread's own slots
};

class isbe_core {
public:
    explicit isbe_core(const isbe_config& config);

    /// Carries out `op` completely, in the order of calls, and fills every field of `result`. Throws
    /// std::invalid_argument for a BIND whose descriptor breaks section 3's guarantees (see check_context).
    void execute(const warp_op& op, warp_result& result);
    /// The same, with what it did. `footprint` starts empty.
    void execute(const warp_op& op, warp_result& result, access_footprint& footprint);

    const context& context_at(unsigned slot) const { return contexts_[slot]; }
    const isbe_config& config() const { return config_; }
    isbesim::storage& storage() { return storage_; }
    const isbesim::storage& storage() const { return storage_; }
    const isbe_counters& counters() const { return counters_; }

private:
    void count_components(unsigned components, const pass_count& count, lane_mask lanes, bool store);
    void note_banks(lane_mask lanes, word base, const per_lane<word>& index, const pass_count& count);
    void note_uniform_banks();
    void execute_uniform(const warp_op& op, warp_result& result);
    void load_uniform(warp_result& result);
    void note_overwritten(const per_lane<word>& index, warp_result& result) const;
    void store_uniform(const warp_op& op, warp_result& result);
    void execute_out(const warp_op& op, const context& context, warp_result& result);
    void load(const component_access& access, per_lane<word>& data, warp_result& result);
    lane_mask store(const component_access& access, const per_lane<word>& data, const pass_count& count);
    lane_mask store_bytes(const component_access& access, const written_bytes& written, bool shared);
    void flag_write_conflicts(lane_mask lost, warp_result& result);
    lane_mask winners(const per_lane<word>& index, lane_mask lanes);
    void join_bytes(warp_result& result);
    bool highest_wins() const;

    isbe_config config_;
    isbesim::storage storage_;
    std::vector<context> contexts_;
    isbesim::address_unit address_unit_;
    // Scratch of execute(): too big for every call to make anew.
    pass_counter passes_;
    uniform_access uniform_;
    resolved_op resolved_;
    isbe_counters counters_;
    access_footprint* footprint_ = nullptr; ///< of the operation that is being carried out, when somebody asked
};

/// L of micro-architecture section 5.5: cycles from the last pass to the response, by the operation's class.
unsigned response_latency(const isbe_config& config, opcode op);

/// Cycles from the cycle a request is accepted to the cycle its response is first valid, on an idle ISBE
/// (micro-architecture section 5): 1 + passes + response_latency.
unsigned unloaded_latency(const isbe_config& config, opcode op, unsigned passes);

} // namespace isbesim
