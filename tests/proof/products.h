// Products of two unknowns, taken out of the formulas. That two multipliers are the same is what a solver is slowest to
// find out: here a product is a number of which only this much is known, that it is one for the same factors, what
// becomes of it when a factor is shifted, and its size. Less is known then than is true, never more: what is proved
// with this is proved.
#pragma once

#include <vector>

#include <z3++.h>

namespace isbesim::proof {

class products {
public:
    /// The product of two bit vectors of one width, in that width; with a number as a factor what the solver makes of
    /// it.
    z3::expr of(const z3::expr& a, const z3::expr& b);
    /// What is known of all that were asked for since the last clear().
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
