// SPDX-License-Identifier: Apache-2.0
// The inputs of a proof: one variable for every field of a request, of the context and of a lane, once as the words of
// one_lane.h and once as the structures of isbe_pkg.sv.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/proof/one_lane.h"
#include "tests/proof/term.h"

namespace isbesim::proof {

/// Parameters of the RTL by their names there.
using parameters = std::map<std::string, std::uint32_t>;

class inputs {
public:
    /// Fields that `fixed` names have its values, all others are variables. So is the size of the storage, of which a
    /// lane of the RTL knows only its ports, unless it is that of the `whole_unit`.
    inputs(const parameters& block, std::map<std::string, std::uint32_t> fixed, bool whole_unit);

    const operation<word_term>& values() const { return operation_; }
    /// The lane `number`, 0 .. 31, or any of them.
    const lane<word_term>& any_lane() const { return lane_; }

    /// What the page says of them: values that are never sent (section 2), what the writer of a descriptor guarantees
    /// (section 3).
    z3::expr_vector assumptions() const;
    /// That the storage has the size of this block: an example has to know.
    z3::expr storage_of_block() const;

    /// isbe_pkg::common_t and space_t of this operation, and the other ports of address_lane but `active`.
    std::map<std::string, z3::expr> lane_ports(const shared_part<word_term>& shared) const;
    /// The ports of address_unit: lanes have variables of their own, any_lane() is not among them.
    std::map<std::string, z3::expr> unit_ports() const;
    /// isbe_pkg::common_t, `count` for its ids.
    z3::expr common(const shared_part<word_term>& shared, const z3::expr& count) const;
    z3::expr space(const lane_space<word_term>& s) const;
    /// Variable `name` of lane i of unit_ports().
    z3::expr of_lane(const std::string& name, unsigned i) const;

    /// The fields of an example, by name; instead of those of any_lane() those of all lanes of unit_ports(), `NAME@I`.
    std::map<std::string, std::uint32_t> fields(const z3::model& model, bool of_lanes) const;

private:
    word_term field(const std::string& name, unsigned bits);
    lane_space<word_term> space_fields(const std::string& name);

    std::map<std::string, std::uint32_t> fixed_;
    std::vector<std::pair<std::string, z3::expr>> variables_;
    word_term storage_bytes_; ///< of the block
    operation<word_term> operation_{};
    lane<word_term> lane_{};
};

/// The lowest bits of a word, and a truth as one bit.
inline z3::expr low_bits(const word_term& w, unsigned bits)
{
    return w.expression.extract(bits - 1, 0);
}
inline z3::expr bit(const truth_term& t)
{
    return z3::ite(t.expression, solver_context().bv_val(1, 1), solver_context().bv_val(0, 1));
}

} // namespace isbesim::proof
