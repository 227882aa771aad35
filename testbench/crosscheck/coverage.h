// Functional coverage of ISBE traffic: named bins, each hit by some transaction or not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isbe/context.h"
#include "models/machine_config.h"
#include "tlm/warp_initiator.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class coverage {
public:
    /// Lists every bin that the configuration can reach; sampling never adds one.
    explicit coverage(const isbe_config& config);

    /// One answered transaction; `stage` is the one of its context slot, `hold` the cycles its response waited.
    void sample(unsigned port, stage stage, const warp_op& op, const warp_result& result,
                const transaction_times& times, std::uint32_t hold);

    /// Name -> times hit, in name order.
    const std::map<std::string, std::uint64_t>& bins() const { return bins_; }
    std::size_t hit() const;
    std::vector<std::string> missed() const;

private:
    void add(const std::string& name) { bins_.emplace(name, 0); }
    void count(const std::string& name);

    unsigned conflict_degrees_;
    std::map<std::string, std::uint64_t> bins_;
};

} // namespace isbesim::testbench
