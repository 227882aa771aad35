// SPDX-License-Identifier: Apache-2.0
// Functional coverage of ISBE traffic: named bins that transactions hit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/page_bins.h"
#include "testbench/crosscheck/traffic/bank_bins.h"
#include "testbench/crosscheck/traffic/corner_bins.h"
#include "testbench/crosscheck/traffic/rare_bins.h"
#include "tlm/warp_initiator.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Names are built once: sampling only increments counters, at indices that the fields select from tables.
class coverage {
public:
    /// Lists every bin that the configuration can reach; sampling never adds one.
    explicit coverage(const isbe_config& config);

    /// One transaction with its response. `slot`: content of its context slot; `hold`: cycles that its response waited.
    void sample(unsigned port, const context& slot, const warp_op& op, const warp_result& result,
                const transaction_times& times, std::uint32_t hold);
    /// Cycles that a port lost to the other one in the whole run. Only the model counts them; the RTL alone does not.
    void sample_contention(unsigned port, std::uint64_t cycles) { hits_[contention_[port]] += cycles; }

    /// Conditions are the bins of page_bins, corners those of corner_bins; listed are all others.
    enum class part { listed, conditions, corners };
    static part part_of(const std::string& bin);

    /// The numbers of bins and of hit bins.
    struct share {
        std::size_t hit = 0;
        std::size_t size = 0;
        bool full() const { return hit == size; }
    };
    share of(part which) const;
    /// By section of the micro-architecture page, [part].
    std::map<std::string, std::array<share, 3>> by_section() const;
    /// Names of the bins that were not hit, in order.
    std::vector<std::string> missed(part which) const;
    /// Name -> times hit, in name order.
    std::map<std::string, std::uint64_t> bins() const;
    /// Hits of another run. Throws std::out_of_range for a bin that this configuration lacks.
    void add_hits(const std::string& name, std::uint64_t times) { hits_[index_.at(name)] += times; }
    const page_bins& page() const { return page_; }

private:
    static constexpr unsigned max_ports = 2;
    static constexpr unsigned status_bits = 16;
    static constexpr std::size_t access_count = std::size_t{opcode_count} * 8 * 2 * 8;

    using bin = coverage_bin; ///< index into hits_; `nowhere` if the configuration can't reach it
    static constexpr bin nowhere = 0;

    bin add(const std::string& name);
    void count(bin b) { ++hits_[b]; }
    void add_accesses();
    void add_contexts();
    void sample_context(const context& slot);
    void sample_al2p(const warp_op& op, const warp_result& result);
    void sample_logical_load(stage stage, const warp_op& op, const warp_result& result);
    void sample_out(const context& slot, const warp_op& op);
    void sample_raw(const warp_op& op, const warp_result& result);

    std::map<std::string, bin> index_;
    bin_hits hits_{0};
    std::array<bin, access_count> access_{};
    std::array<std::array<bin, opcode_count>, max_ports> port_{};
    std::array<std::array<bin, 4>, opcode_count> lanes_{};
    std::array<std::array<bin, opcode_count>, stage_count> stage_{};
    std::array<bin, stage_count> output_load_{};              ///< ALD of the output space, logical or .PHYS
    std::array<bin, 4> at_maximum_{};                         ///< [type]: OUT of a thread that has emitted its maximum
    std::array<bin, 2> skew_{};                               ///< [write]
    std::array<std::array<bin, warp_lanes + 1>, 2> passes_{}; ///< [write][degree]
    std::array<bin, status_bits> status_{};
    std::array<bin, 3> error_{}; ///< none, illegal_instr_encoding, illegal_sph_instr_combo
    std::array<std::array<bin, 3>, max_ports> request_held_{}; ///< [port][duration]
    std::array<std::array<bin, 3>, max_ports> response_held_{};
    std::array<bin, max_ports> contention_{};
    std::array<std::array<bin, 3>, 2> allocated_{}; ///< [space][none, few, many]
    std::array<std::array<bin, 3>, 2> enabled_{};   ///< [space][none, part, all] of the allocated
    std::array<bin, 2> enabled_beyond_{};           ///< [space]
    std::array<std::array<bin, 2>, 2> vertices_{};  ///< [space][one group of 32, more]
    std::array<bin, 3> threads_{};                  ///< of a geometry warp: none, some, all lanes
    bin fast_geometry_ = nowhere;
    bin shared_spaces_ = nowhere;
    std::array<bin, 4> al2p_{};         ///< enabled, disabled, per_primitive, out_of_range
    std::array<bin, 7> default_{};      ///< by row of the table of defaults
    bin far_vertex_ = nowhere;          ///< a vertex beyond the first 32 was read
    std::array<bin, 2> crosses_word_{}; ///< [write]
    std::array<bin, 2> same_word_{};    ///< [write]: all of several lanes in one word
    rare_bins rare_;
    bank_bins banks_;
    corner_bins corners_;
    page_bins page_;
};

} // namespace isbesim::testbench
