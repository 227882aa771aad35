// SPDX-License-Identifier: Apache-2.0
// Products of two unknowns, taken out of the formulas. Solvers are slowest at showing that two multipliers are the
// same: here a product is a number with only these properties: it is equal for equal factors, it shifts with a
// factor, and its size. These are weaker than the truth, so a proof with them
// holds.
#pragma once

#include <vector>

#include <z3++.h>

namespace isbesim::proof {

class products {
public:
    /// The product of two bit vectors of one width, in that width; with a number as a factor what the solver makes of
    /// it.
    z3::expr of(const z3::expr& a, const z3::expr& b);
    /// The properties of all products requested since the last clear().
    z3::expr_vector facts() const;
    /// That each is the product of its factors, where these have 16 bits.
    z3::expr_vector definitions() const;
    void clear() { all_.clear(); }

private:
    struct product {
        z3::expr a, b, value; // of `bits`
    };
    std::vector<product> all_;
};

/// Those of the proof at work: the rules multiply without a place to keep them.
products& products_of_proof();

} // namespace isbesim::proof
