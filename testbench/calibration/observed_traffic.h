// SPDX-License-Identifier: Apache-2.0
// The observed operations of a block's ports and their cycles, without the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/crosscheck/traffic/operation_answer.h"
#include "tlm/operation_table.h"

namespace isbesim::testbench {

/// Cycles of one operation, and the data that affect other operations.
struct observed_operation {
    /// Later than any cycle, with room for sums.
    static constexpr std::uint64_t never = ~std::uint64_t{0} / 4;

    std::uint8_t port = 0;
    opcode op = opcode::ald;
    std::uint16_t passes = 0;       ///< from the response; 0: not seen
    std::uint64_t request = 0;      ///< the request appeared
    std::uint64_t accept = 0;       ///< its transfer
    std::uint64_t response = never; ///< the response appeared; never: not before the end
    std::uint64_t transfer = never; ///< its transfer
};

class observed_traffic {
public:
    using visitor = std::function<void(std::size_t number, const warp_op& op, const operation_answer& answer)>;

    virtual ~observed_traffic() = default;
    /// All operations in the order of operations(). May be called several times.
    virtual void visit(const visitor& each) const = 0;

    unsigned ports() const { return ports_; }
    /// Operations in the block's order of execution as far as the observation shows it: for certain within each port,
    /// and between the ports if one binds the context slot that the other uses.
    const std::vector<observed_operation>& operations() const { return operations_; }
    /// BINDs from before the first operation, in their order. It is unknown whether the block took them.
    const std::vector<warp_op>& earlier_binds() const { return earlier_binds_; }
    /// Evidence for the result besides the operations.
    const std::vector<std::string>& remarks() const { return remarks_; }
    /// Operations on slots without an earlier BIND among the others, which may have been bound before, by number. Empty
    /// if every slot has one.
    const std::vector<bool>& unbound() const { return unbound_; }

protected:
    unsigned ports_ = 0;
    std::vector<observed_operation> operations_;
    std::vector<warp_op> earlier_binds_;
    std::vector<std::string> remarks_;
    std::vector<bool> unbound_;
};

} // namespace isbesim::testbench
