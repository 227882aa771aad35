// SPDX-License-Identifier: Apache-2.0
// Replaces products of two unknowns in the formulas, because solvers are slowest at proving two multipliers equal.
// A product becomes a number of which only these properties are known: equal factors give equal products, shifting a
// factor shifts the product, and its size. These are weaker than multiplication, so what follows from them holds.
#pragma once

#include <vector>

#include <z3++.h>

namespace isbesim::proof {

class products {
public:
    /// The product of two bit vectors of one width, in that width. The solver's own product if a factor is a number.
    z3::expr of(const z3::expr& a, const z3::expr& b);
    /// The properties of all products requested since the last clear().
    z3::expr_vector facts() const;
    /// Each value equals the product of its factors, for factors of 16 bits.
    z3::expr_vector definitions() const;
    void clear() { all_.clear(); }

private:
    struct product {
        z3::expr a, b, value; // of `bits`
    };
    std::vector<product> all_;
};

/// The products of the running proof: a global, since the rules multiply without an argument to keep them in.
products& products_of_proof();

} // namespace isbesim::proof
