// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/proof_case.h"

#include <chrono>
#include <exception>
#include <iostream>

#include "tests/proof/products.h"

namespace isbesim::proof {
namespace {

enum class verdict { proved, differs, unknown };

z3::solver new_solver()
{
    auto& c = solver_context();
    return (simplification() & z3::tactic(c, "bit-blast") & z3::tactic(c, "sat")).mk_solver();
}

/// What a solver is asked first: whether one of the claims can be broken, with what a proof has to know.
z3::expr_vector first_question(const knowledge& known, const z3::expr_vector& broken)
{
    z3::expr_vector asked(solver_context());
    add(asked, known.facts);
    add(asked, products_of_proof().facts());
    asked.push_back(z3::mk_or(broken));
    return asked;
}

/// An example of that first question may be spurious: it has to agree with everything left out. The solver keeps it.
z3::check_result look_for_example(z3::solver& solver, const knowledge& known)
{
    for (const z3::expr& fact : products_of_proof().definitions()) solver.add(fact);
    for (const z3::expr& fact : known.left_out) solver.add(fact);
    for (const auto& wishes : known.wished) {
        solver.push();
        for (const z3::expr& fact : wishes) solver.add(fact);
        if (solver.check() == z3::sat) return z3::sat;
        solver.pop();
    }
    return solver.check();
}

/// The text of the first questions. Before a solver works on anything: the order of terms depends on what it made.
std::vector<std::string> first_texts(const proved_formulas& proved, const knowledge& known,
                                     const std::vector<z3::expr_vector>& asked)
{
    std::vector<std::string> texts;
    texts.reserve(asked.size());
    for (const z3::expr_vector& broken : asked)
        texts.push_back(proved ? proved_formulas::text_of(first_question(known, broken)) : "");
    return texts;
}

/// All claims at once, or one after the other: what one of them does not need then costs nothing.
std::vector<z3::expr_vector> asked_of(const claims& all, bool one_by_one)
{
    std::vector<z3::expr_vector> asked;
    for (const auto& claim : all) {
        if (asked.empty() || one_by_one) asked.emplace_back(solver_context());
        asked.back().push_back(!claim.holds);
    }
    return asked;
}

/// Has found an example: what differs, and its fields.
void print_example(const z3::model& model, const question& of)
{
    for (const auto& claim : of.all)
        if (model.eval(claim.holds, true).is_false()) std::cout << " " << claim.name;
    std::cout << ";";
    for (const auto& [name, value] : of.fields(model)) std::cout << " " << name << "=" << value;
    std::cout << "\n" << std::flush;
}

verdict prove(const proof_case& wanted, const proved_formulas& proved)
{
    products_of_proof().clear();
    const question of = wanted.ask();
    const knowledge& known = of.known;
    const auto started = std::chrono::steady_clock::now();
    const auto seconds = [started] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    std::cout << wanted.name << " ";
    const auto asked = asked_of(of.all, of.one_by_one);
    std::map<std::string, unsigned> as_before;
    const auto texts = first_texts(proved, known, asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        z3::solver solver = new_solver();
        if (const auto name = proved.find(texts[i])) {
            if (*name != proved.name()) ++as_before[*name];
            continue;
        }
        for (const z3::expr& fact : first_question(known, asked[i])) solver.add(fact);
        z3::check_result result = solver.check();
        if (result == z3::unsat) proved.add(texts[i]);
        if (result == z3::sat) result = look_for_example(solver, known);
        if (result == z3::unsat) continue;
        if (result == z3::unknown) {
            std::cout << "unknown " << solver.reason_unknown() << "\n" << std::flush;
            return verdict::unknown;
        }
        std::cout << "differs " << seconds() << " s:";
        print_example(solver.get_model(), of);
        return verdict::differs;
    }
    std::cout << "proved " << seconds() << " s";
    for (const auto& [name, number] : as_before) {
        std::cout << (name == as_before.begin()->first ? " (" : ", ");
        if (number < asked.size()) std::cout << number << " of " << asked.size() << " ";
        std::cout << "as in " << name;
    }
    std::cout << (as_before.empty() ? "\n" : ")\n") << std::flush;
    return verdict::proved;
}

} // namespace

void add(z3::expr_vector& all, const z3::expr_vector& more)
{
    for (const z3::expr& fact : more) all.push_back(fact);
}

proof_arguments::proof_arguments(const std::vector<std::string>& words)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        if (words[i] == "--cases" && i + 1 < words.size())
            wanted = std::regex(words[++i]);
        else if (words[i] == "--list")
            list = true;
        else if (words[i] == "--proved" && i + 2 < words.size()) {
            proved = proved_formulas(words[i + 1], words[i + 2]);
            i += 2;
        } else if (equals != std::string::npos)
            block[words[i].substr(0, equals)] = static_cast<std::uint32_t>(std::stoul(words[i].substr(equals + 1)));
        else
            files.push_back(words[i]);
    }
}

int prove_all(const std::vector<proof_case>& all, const proof_arguments& given)
{
    bool unknown = false;
    bool differs = false;
    for (const auto& one : all) {
        if (!std::regex_match(one.name, given.wanted)) continue;
        if (given.list) {
            std::cout << one.name << "\n";
            continue;
        }
        const verdict found = prove(one, given.proved);
        differs |= found == verdict::differs;
        unknown |= found == verdict::unknown;
    }
    return unknown ? 2 : differs ? 1 : 0;
}

int run_proof(const std::string& program, int count, char** words,
              const std::function<int(const proof_arguments&)>& run)
{
    try {
        return run(proof_arguments({words + 1, words + count}));
    } catch (const z3::exception& error) {
        std::cerr << program << ": " << error.msg() << "\n";
    } catch (const std::exception& error) {
        std::cerr << program << ": " << error.what() << "\n";
    }
    return 2;
}

} // namespace isbesim::proof
