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
    /// Reads a file that smt2.py made from Yosys' output. Throws z3::exception if it can't be read.
    explicit circuit(const std::string& file);

    /// The output of this name; throws std::out_of_range for an unknown name.
    z3::expr output(const std::string& name) const { return outputs_.at(name); }

    using terms = std::map<std::string, z3::expr>;
    /// The equations on which the outputs `names` depend (all equations if empty), with these inputs. An output in
    /// `cuts` equals its term there in place of its own equation: their equality has been proved before.
    z3::expr_vector facts(const terms& inputs, const terms& cuts = {},
                          const std::vector<std::string>& names = {}) const;

private:
    /// Equations by the constant on their left side, in the order of the file.
    std::vector<std::pair<std::string, z3::expr>> equations_;
    std::map<std::string, z3::expr> outputs_;
};

} // namespace isbesim::proof
