// Bins of accesses that tell a bank map from modulo (micro-architecture section 5, bank of a word).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "models/isbe/functional/passes.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class bank_bins {
public:
    using bin = std::uint16_t;
    /// None for a machine on which the map makes no difference.
    bank_bins(const isbe_config& config, const std::function<bin(const std::string&)>& add);

    /// Counts an ISBERD or ISBEWR of aligned words of the physical region.
    void sample(const warp_op& op, const warp_result& result, const std::function<void(bin)>& count);

private:
    pass_counter modulo_;
    bool present_;
    std::array<bin, 2> fewer_{}; ///< [write]
    std::array<bin, 2> more_{};
};

} // namespace isbesim::testbench
