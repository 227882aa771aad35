// SPDX-License-Identifier: Apache-2.0
// Statistics of the delay of responses, in cycles, against the model's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

class latency_statistics {
public:
    void add(opcode op, std::int64_t later);
    /// Count, minimum, mean and maximum, of all responses and by opcode, and one line for each delay with its count.
    std::string text() const;

private:
    using histogram = std::map<std::int64_t, std::uint64_t>;
    static std::string line(const std::string& name, const histogram& values);

    std::array<histogram, opcode_count> by_op_;
};

} // namespace isbesim::testbench
