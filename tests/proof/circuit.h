// SPDX-License-Identifier: Apache-2.0
// A combinational module of the RTL as equations between its inputs, wires and outputs.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <z3++.h>

namespace isbesim::proof {

class circuit {
public:
    /// Of a file that smt2.py makes of what Yosys writes. Throws z3::exception for one that can't be read.
    explicit circuit(const std::string& file);

    /// The output of this name; throws std::out_of_range for an unknown name.
    z3::expr output(const std::string& name) const { return outputs_.at(name); }

    using terms = std::map<std::string, z3::expr>;
    /// The equations of the outputs `wanted`, or of all without, for these inputs. Outputs that `cuts`
    /// names are these terms in place of their own equations: their equality has been proved before.
    z3::expr_vector facts(const terms& inputs, const terms& cuts = {},
                          const std::vector<std::string>& names = {}) const;

private:
    /// Equations by the constant on their left side, in the order of the file.
    std::vector<std::pair<std::string, z3::expr>> equations_;
    std::map<std::string, z3::expr> outputs_;
};

} // namespace isbesim::proof
