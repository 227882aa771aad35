// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/circuit.h"

#include <set>

#include "tests/proof/term.h"

namespace isbesim::proof {

namespace {

/// An equation that says that a wire is a product, with what stands for that (products.h).
z3::expr without_product(const z3::expr& equation)
{
    const z3::expr right = equation.arg(1);
    if (right.decl().decl_kind() != Z3_OP_BMUL) return equation;
    return equation.arg(0) == products_of_proof().of(right.arg(0), right.arg(1));
}

/// A statement about a constant, and the terms in it.
struct statement {
    std::string about;
    z3::expr fact;
};

std::set<std::string> constants_of(const z3::expr& formula)
{
    std::set<std::string> names;
    std::set<unsigned> seen;
    std::vector<z3::expr> open{formula};
    while (!open.empty()) {
        const z3::expr term = open.back();
        open.pop_back();
        if (!seen.insert(term.id()).second) continue;
        if (term.num_args() == 0 && term.decl().decl_kind() == Z3_OP_UNINTERPRETED)
            names.insert(term.decl().name().str());
        for (unsigned i = 0; i < term.num_args(); ++i) open.push_back(term.arg(i));
    }
    return names;
}

/// Those that the constants `wanted` depend on, in the order given. Each says what one constant is, so that the others
/// can't rule anything out. Without them two blocks that differ elsewhere have the same facts (proof_case.h).
std::vector<statement> cone_of(const std::vector<std::string>& names, const std::vector<statement>& all)
{
    std::multimap<std::string, std::size_t> about;
    for (std::size_t i = 0; i < all.size(); ++i) about.emplace(all[i].about, i);
    std::set<std::string> reached(names.begin(), names.end());
    std::vector<std::string> open = names;
    std::set<std::size_t> needed;
    while (!open.empty()) {
        const auto [first, last] = about.equal_range(open.back());
        open.pop_back();
        for (auto found = first; found != last; ++found) {
            if (!needed.insert(found->second).second) continue;
            for (const auto& name : constants_of(all[found->second].fact))
                if (reached.insert(name).second) open.push_back(name);
        }
    }
    std::vector<statement> cone;
    cone.reserve(needed.size());
    for (const std::size_t i : needed) cone.push_back(all[i]);
    return cone;
}

} // namespace

circuit::circuit(const std::string& file)
{
    const std::string prefix = "out:";
    for (const z3::expr& equation : solver_context().parse_file(file.c_str())) {
        const z3::expr left = equation.arg(0);
        const std::string name = left.decl().name().str();
        equations_.emplace_back(name, equation);
        if (name.compare(0, prefix.size(), prefix) == 0) outputs_.emplace(name.substr(prefix.size()), left);
    }
}

z3::expr_vector circuit::facts(const terms& inputs, const terms& cuts, const std::vector<std::string>& names) const
{
    std::vector<statement> all;
    for (const auto& [input, term] : inputs) {
        const std::string name = "in:" + input;
        all.push_back({name, solver_context().bv_const(name.c_str(), term.get_sort().bv_size()) == term});
    }
    std::set<std::string> dropped;
    for (const auto& [name, term] : cuts) {
        // From the output back to the wire that it is, or that it is the lower bits of: that one's equation gives way
        // to the term. Less is known then, never more.
        std::string wire = "out:" + name;
        std::vector<z3::expr> way{output(name) == term};
        for (auto equation = equations_.rbegin(); equation != equations_.rend(); ++equation) {
            if (equation->first != wire) continue;
            z3::expr source = equation->second.arg(1);
            if (source.decl().decl_kind() == Z3_OP_EXTRACT) source = source.arg(0);
            if (source.num_args() != 0) continue;
            wire = source.decl().name().str();
            way.push_back(equation->second);
        }
        dropped.insert(wire);
        for (const z3::expr& fact : way) all.push_back({wire, fact}); // from the wire to the term
    }
    for (const auto& [name, equation] : equations_)
        if (dropped.count(name) == 0) all.push_back({name, equation});
    if (!names.empty()) {
        std::vector<std::string> outputs;
        outputs.reserve(names.size());
        for (const auto& name : names) outputs.push_back(output(name).decl().name().str());
        all = cone_of(outputs, all);
    }
    z3::expr_vector facts(solver_context());
    for (const auto& [about, fact] : all) facts.push_back(without_product(fact));
    return facts;
}

} // namespace isbesim::proof
