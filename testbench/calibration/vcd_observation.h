// SPDX-License-Identifier: Apache-2.0
// Observed traffic from a waveform of the ports.
#pragma once

#include <istream>
#include <map>
#include <string>
#include <vector>

#include "testbench/calibration/observed_traffic.h"

namespace isbesim::testbench {

/// The mapping from pins to variables of the file.
struct vcd_names {
    /// "tb.dut", or that of each port, or "tb.dut.port_0_*" with * for a pin's name; none: the outermost scope that has
    /// all pins.
    std::vector<std::string> scopes;
    std::map<std::string, std::string> named; ///< by pin of isbe_top: a variable with its scopes, or inside a scope
};

/// True if isbe_top has a pin of that name.
bool is_vcd_pin(const std::string& name);

/// Pins are sampled just before the rising edges of clk. Everything before the last reset is ignored; in a file without
/// a reset that begins while requests are under way, everything until none is. A clock may stop while nothing
/// is in flight: the shortest distance between two edges is a cycle.
class vcd_observation : public observed_traffic {
public:
    /// `file` names it in errors; `has_lines`: their lines are the file's, too. Throws input_error at the invalid line,
    /// or for a missing pin.
    vcd_observation(std::istream& in, const std::string& file, const vcd_names& names, bool has_lines = true);
    void visit(const visitor& each) const override;

private:
    static constexpr auto never = observed_operation::never;

    struct taken {
        warp_op op;
        operation_answer answer;
    };
    class sampler;

    void sort_by_execution();
    void find_unbound();

    std::vector<taken> taken_;       ///< in the order of their transfers
    std::vector<std::size_t> place_; ///< in taken_, by place in operations()
};

} // namespace isbesim::testbench
