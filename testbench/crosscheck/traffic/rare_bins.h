// SPDX-License-Identifier: Apache-2.0
// Bins of values that an ISBE must ignore or use in full width: noise in fields without a meaning, sums beyond 32 bits,
// numbers beyond a table.
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/bin_hits.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class rare_bins {
public:
    using bin = coverage_bin;

    rare_bins(const isbe_config& config, const bin_namer& add);

    /// `slot`: content of the operation's context slot.
    void sample(const context& slot, const warp_op& op, const warp_result& result, bin_hits& hits);

private:
    static constexpr unsigned fields = 8;
    static constexpr unsigned max_contexts = 64;

    void sample_noise(const warp_op& op, bin_hits& hits) const;
    void sample_slot(const warp_op& op, const warp_result& result, bin_hits& hits);
    void sample_states(const context& slot, const warp_op& op, bin_hits& hits) const;
    void sample_descriptor(const warp_op& op, bin_hits& hits) const;

    unsigned contexts_;
    std::array<bool, max_contexts> bound_{};
    std::array<std::array<bin, opcode_count>, fields> noise_{};
    std::array<std::uint8_t, opcode_count> ignored_{}; ///< bit f: the opcode ignores field f
    std::array<bin, 2> no_slot_{};                     ///< [BIND]: a slot that is invalid only by its upper bits
    bin unbound_ = 0;
    bin last_slot_ = 0;
    std::array<bin, opcode_count> wraps_{};
    std::array<bin, 2> long_slot_{}; ///< [OUT]: 12 bits or more, of a valid state
    std::array<bin, 2> zero_bit_{};
    std::array<bin, 2> beyond_maximum_{};
    std::array<std::array<bin, 3>, 2> odd_bytes_{}; ///< [space][attr, map, prim]
    bin descriptor_noise_ = 0;
    bin ids_noise_ = 0;
};

} // namespace isbesim::testbench
