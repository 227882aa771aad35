// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/products.h"

#include <string>
#include <utility>

#include "tests/proof/term.h"

namespace isbesim::proof {
namespace {

constexpr unsigned bits = 40; // more than any term has

z3::expr number(std::uint64_t value)
{
    return solver_context().bv_val(value, bits);
}

/// a < 2^m and b < 2^n give a product below 2^(m+n).
z3::expr is_bounded(const z3::expr& a, const z3::expr& b, const z3::expr& value, unsigned m, unsigned n)
{
    const auto below = [](const z3::expr& e, unsigned power) { return z3::ult(e, number(std::uint64_t{1} << power)); };
    return z3::implies(below(a, m) && below(b, n), below(value, m + n));
}

z3::expr four_times(const z3::expr& e)
{
    return z3::shl(e, number(2));
}

/// A product with a number, as Z3 writes it.
bool is_scaled(const z3::expr& e)
{
    return e.decl().decl_kind() == Z3_OP_BMUL && e.num_args() == 2 && e.arg(0).is_numeral();
}

} // namespace

z3::expr products::of(const z3::expr& first, const z3::expr& second)
{
    const z3::expr a = first.simplify(), b = second.simplify();
    const unsigned width = a.get_sort().bv_size();
    if (a.is_numeral() || b.is_numeral()) return a * b;
    if (is_scaled(b)) return of(a, b.arg(1)) * b.arg(0);
    const auto wide = [width](const z3::expr& e) { return z3::zext(e, bits - width).simplify(); };
    product asked{wide(a), wide(b), z3::expr(solver_context())};
    for (const auto& one : all_)
        if ((z3::eq(one.a, asked.a) && z3::eq(one.b, asked.b)) || (z3::eq(one.a, asked.b) && z3::eq(one.b, asked.a)))
            return one.value.extract(width - 1, 0);
    asked.value = solver_context().bv_const(("product." + std::to_string(all_.size())).c_str(), bits);
    all_.push_back(asked);
    return asked.value.extract(width - 1, 0);
}

z3::expr_vector products::facts() const
{
    z3::expr_vector known(solver_context());
    for (const auto& one : all_) {
        for (const auto& [m, n] : {std::pair{8U, 8U}, {8U, 10U}, {11U, 8U}, {16U, 8U}}) {
            known.push_back(is_bounded(one.a, one.b, one.value, m, n));
            known.push_back(is_bounded(one.a, one.b, one.value, n, m));
        }
    }
    // The same factors; and one of them in bytes on one side and in words on the other.
    for (std::size_t i = 0; i < all_.size(); ++i)
        for (std::size_t j = i + 1; j < all_.size(); ++j) {
            const auto& one = all_[i];
            const auto& other = all_[j];
            for (const auto& [a, b] : {std::pair{other.a, other.b}, {other.b, other.a}}) {
                known.push_back(z3::implies(one.a == a && one.b == b, one.value == other.value));
                known.push_back(
                    z3::implies(one.a == a && one.b == four_times(b), one.value == four_times(other.value)));
                known.push_back(
                    z3::implies(one.a == a && four_times(one.b) == b, four_times(one.value) == other.value));
            }
        }
    return known;
}

z3::expr_vector products::definitions() const
{
    z3::expr_vector known(solver_context());
    constexpr unsigned half = 16; // bits; the multiplier of all bits keeps a solver busy for minutes
    const auto low = [](const z3::expr& e) { return z3::zext(e.extract(half - 1, 0), half); };
    for (const auto& one : all_) {
        const z3::expr small = z3::ult(one.a, number(1U << half)) && z3::ult(one.b, number(1U << half));
        known.push_back(z3::implies(small, one.value == z3::zext(low(one.a) * low(one.b), bits - 2 * half)));
    }
    return known;
}

products& products_of_proof()
{
    static products all;
    return all;
}

} // namespace isbesim::proof
