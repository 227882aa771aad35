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

z3::expr_vector circuit::facts(const terms& inputs, const terms& cuts) const
{
    z3::expr_vector all(solver_context());
    for (const auto& [input, term] : inputs)
        all.push_back(solver_context().bv_const(("in:" + input).c_str(), term.get_sort().bv_size()) == term);
    std::set<std::string> dropped;
    for (const auto& [name, term] : cuts) {
        all.push_back(output(name) == term);
        // From the output back to the wire that it is, or that it is the lower bits of: that one's equation gives way
        // to the term. Less is known then, never more.
        std::string at = "out:" + name;
        for (auto equation = equations_.rbegin(); equation != equations_.rend(); ++equation) {
            if (equation->first != at) continue;
            z3::expr source = equation->second.arg(1);
            if (source.decl().decl_kind() == Z3_OP_EXTRACT) source = source.arg(0);
            if (source.num_args() == 0) at = source.decl().name().str();
        }
        dropped.insert(at);
    }
    for (const auto& [name, equation] : equations_)
        if (dropped.count(name) == 0) all.push_back(without_product(equation));
    return all;
}

} // namespace isbesim::proof
