// SPDX-License-Identifier: Apache-2.0
// A bin for each corner value of each field (corner_values.h), which counts the operations that have it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/bin_hits.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class corner_bins {
public:
    using bin = coverage_bin;

    corner_bins(const isbe_config& config, const bin_namer& add);

    /// The names of these bins, and of no others, begin with "corner.".
    static bool is_name(const std::string& bin) { return bin.rfind("corner.", 0) == 0; }

    /// As coverage::sample.
    void sample(unsigned port, const context& slot, const warp_op& op, const warp_result& result,
                const transaction_times& times, std::uint32_t hold, bin_hits& hits);

private:
    /// Values of one field, each with its bin.
    struct field {
        std::vector<word> values;
        std::vector<bin> bins;
    };
    field make(const bin_namer& add, const std::string& name, const std::vector<word>& values,
               const std::vector<const char*>& names = {});
    template <typename list>
    static void hit(const field& target, const list& values, word value, bin_hits& hits)
    {
        for (std::size_t i = 0; i < target.bins.size(); ++i)
            if (values[i] == value) ++hits[target.bins[i]];
    }

    std::vector<field> contexts_; ///< [context_corners()]
    field lanes_, sums_, handles_, slots_, low_ends_, high_ends_, passes_, holds_, pauses_;
    std::array<std::uint64_t, 2> last_begin_{}; ///< [port]
};

} // namespace isbesim::testbench
