// SPDX-License-Identifier: Apache-2.0
// Bit vectors of Z3 as a word type of the rules (models/isbe/rules/word_type.h): what a rule makes of them is a
// formula.
#pragma once

#include <cstdint>

#include <z3++.h>

#include "tests/proof/products.h"

namespace isbesim::proof {

/// All terms of a proof live in one context. Rules make constants out of nothing but a number, so it can't be passed
/// on.
inline z3::context& solver_context()
{
    static z3::context context;
    return context;
}

/// An element of a vector. Its own operator takes another type of numbers in each release of Z3.
inline z3::expr element(const z3::expr_vector& all, unsigned index)
{
    return z3::expr(all.ctx(), Z3_ast_vector_get(all.ctx(), all, index));
}

/// Part number `index` of a bit vector, in parts of `bits` bits.
inline z3::expr slice(const z3::expr& e, unsigned index, unsigned bits)
{
    return e.extract(index * bits + bits - 1, index * bits);
}

/// The simplification of a formula before bit blasting.
inline z3::tactic simplification(z3::context& c = solver_context())
{
    return z3::tactic(c, "simplify") & z3::tactic(c, "propagate-values") & z3::tactic(c, "solve-eqs") &
           z3::tactic(c, "elim-uncnstr") & z3::tactic(c, "simplify");
}

class truth_term {
public:
    explicit truth_term(bool value) : expression(solver_context().bool_val(value)) {}
    explicit truth_term(const z3::expr& e) : expression(e) {}
    friend truth_term operator&(const truth_term& a, const truth_term& b)
    {
        return truth_term(a.expression && b.expression);
    }
    friend truth_term operator|(const truth_term& a, const truth_term& b)
    {
        return truth_term(a.expression || b.expression);
    }
    friend truth_term operator!(const truth_term& a) { return truth_term(!a.expression); }

    z3::expr expression;
};

class word_term {
public:
    explicit word_term(std::uint32_t value) : expression(solver_context().bv_val(value, 32)) {}
    explicit word_term(const z3::expr& e) : expression(e) {}

    friend word_term operator+(const word_term& a, const word_term& b)
    {
        return word_term(a.expression + b.expression);
    }
    friend word_term operator-(const word_term& a, const word_term& b)
    {
        return word_term(a.expression - b.expression);
    }
    friend word_term operator*(const word_term& a, const word_term& b)
    {
        return word_term(products_of_proof().of(a.expression, b.expression));
    }
    friend word_term operator&(const word_term& a, const word_term& b)
    {
        return word_term(a.expression & b.expression);
    }
    friend word_term operator|(const word_term& a, const word_term& b)
    {
        return word_term(a.expression | b.expression);
    }
    friend word_term operator^(const word_term& a, const word_term& b)
    {
        return word_term(a.expression ^ b.expression);
    }
    friend word_term operator~(const word_term& a) { return word_term(~a.expression); }
    friend word_term operator<<(const word_term& a, const word_term& b)
    {
        return word_term(z3::shl(a.expression, b.expression));
    }
    friend word_term operator>>(const word_term& a, const word_term& b)
    {
        return word_term(z3::lshr(a.expression, b.expression));
    }
    friend truth_term operator==(const word_term& a, const word_term& b)
    {
        return truth_term(a.expression == b.expression);
    }
    friend truth_term operator!=(const word_term& a, const word_term& b)
    {
        return truth_term(a.expression != b.expression);
    }
    friend truth_term operator<(const word_term& a, const word_term& b)
    {
        return truth_term(z3::ult(a.expression, b.expression));
    }
    friend truth_term operator<=(const word_term& a, const word_term& b)
    {
        return truth_term(z3::ule(a.expression, b.expression));
    }
    friend truth_term operator>(const word_term& a, const word_term& b) { return b < a; }
    friend truth_term operator>=(const word_term& a, const word_term& b) { return b <= a; }

    z3::expr expression;
};

inline word_term select(const truth_term& condition, const word_term& a, const word_term& b)
{
    return word_term(z3::ite(condition.expression, a.expression, b.expression));
}

/// Members of a word one after the other, the highest first, as Yosys counts them. That the model's way to count gives
/// the same is tried with all words there are (address_proof.cpp): for a solver two ways to add up 32 bits are hard to
/// compare.
inline word_term lane_bit_count(const word_term& value)
{
    z3::expr sum = solver_context().bv_val(0, 32);
    for (unsigned i = 32; i-- > 0;) sum = sum + z3::zext(value.expression.extract(i, i), 31);
    return word_term(sum);
}

} // namespace isbesim::proof
