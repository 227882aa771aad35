// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/proof_case.h"

#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <unistd.h>

#include "tests/proof/products.h"

namespace isbesim::proof {
namespace {

/// Terms as lines `NUMBER OPERATION NUMBERS...`, each term once, after its operands.
class writer {
public:
    explicit writer(z3::context& c) : kept_(c) {}
    void write(const z3::expr& formula)
    {
        std::vector<z3::expr> open{formula};
        while (!open.empty()) {
            const z3::expr term = open.back();
            if (numbers_.count(term.id()) != 0) {
                open.pop_back();
                continue;
            }
            const std::size_t before = open.size();
            for (unsigned i = 0; i < term.num_args(); ++i)
                if (numbers_.count(term.arg(i).id()) == 0) open.push_back(term.arg(i));
            if (open.size() > before) continue;
            open.pop_back();
            add(term);
        }
        text_ << "fact " << numbers_.at(formula.id()) << "\n";
    }
    std::string text() const { return text_.str(); }

private:
    void add(const z3::expr& term)
    {
        text_ << numbers_.size() << " " << operation_of(term);
        for (unsigned i = 0; i < term.num_args(); ++i) text_ << " " << numbers_.at(term.arg(i).id());
        text_ << "\n";
        numbers_.emplace(term.id(), numbers_.size());
        kept_.push_back(term); // or its number might be given to another
    }
    /// Which bits are extracted, and the like: a declaration's text leaves it out.
    static std::string parameters_of(const z3::func_decl& function)
    {
        std::string text;
        const Z3_context c = function.ctx();
        for (unsigned i = 0; i < Z3_get_decl_num_parameters(c, function); ++i) {
            if (Z3_get_decl_parameter_kind(c, function, i) != Z3_PARAMETER_INT)
                throw std::logic_error("parameters of '" + function.to_string() + "' can't be written as text");
            text += " _" + std::to_string(Z3_get_decl_int_parameter(c, function, i));
        }
        return text;
    }
    static std::string operation_of(const z3::expr& term)
    {
        if (term.is_numeral()) return term.to_string() + " " + term.get_sort().to_string();
        if (term.num_args() > 0 || term.decl().decl_kind() != Z3_OP_UNINTERPRETED)
            return term.decl().to_string() + parameters_of(term.decl());
        return "unknown " + term.get_sort().to_string(); // its own number tells it from others
    }

    std::map<unsigned, std::size_t> numbers_; ///< by Z3's number of the term
    z3::expr_vector kept_;
    std::ostringstream text_;
};

enum class verdict { proved, differs, unknown };

z3::solver new_solver()
{
    auto& c = solver_context();
    return (simplification() & z3::tactic(c, "bit-blast") & z3::tactic(c, "sat")).mk_solver();
}

/// What a solver is asked first: whether one of the claims can be broken, with what a proof has to know.
z3::expr_vector first_question(const knowledge& known, const z3::expr_vector& broken)
{
    z3::expr_vector facts(solver_context());
    add(facts, known.facts);
    add(facts, products_of_proof().facts());
    facts.push_back(z3::mk_or(broken));
    return facts;
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
                                     const std::vector<z3::expr_vector>& questions)
{
    std::vector<std::string> texts;
    texts.reserve(questions.size());
    for (const z3::expr_vector& broken : questions)
        texts.push_back(proved ? proved_formulas::text_of(first_question(known, broken)) : "");
    return texts;
}

/// All claims at once, or one after the other: what one of them does not need then costs nothing.
std::vector<z3::expr_vector> questions_of(const claims& all, bool one_by_one)
{
    std::vector<z3::expr_vector> questions;
    for (const auto& claim : all) {
        if (questions.empty() || one_by_one) questions.emplace_back(solver_context());
        questions.back().push_back(!claim.holds);
    }
    return questions;
}

/// Has found an example: what differs, and its fields.
void print_example(const z3::model& model, const question& target)
{
    for (const auto& claim : target.all)
        if (model.eval(claim.holds, true).is_false()) std::cout << " " << claim.name;
    std::cout << ";";
    for (const auto& [name, value] : target.fields(model)) std::cout << " " << name << "=" << value;
    std::cout << "\n" << std::flush;
}

verdict prove(const proof_case& proof, const proved_formulas& proved)
{
    products_of_proof().clear();
    const question target = proof.ask();
    const knowledge& known = target.known;
    const auto started = std::chrono::steady_clock::now();
    const auto seconds = [started] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    std::cout << proof.name << " ";
    const auto questions = questions_of(target.all, target.one_by_one);
    std::map<std::string, unsigned> as_before;
    const auto texts = first_texts(proved, known, questions);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        z3::solver solver = new_solver();
        if (const auto name = proved.find(texts[i])) {
            if (*name != proved.name()) ++as_before[*name];
            continue;
        }
        for (const z3::expr& fact : first_question(known, questions[i])) solver.add(fact);
        z3::check_result result = solver.check();
        if (result == z3::unsat) proved.add(texts[i]);
        if (result == z3::sat) result = look_for_example(solver, known);
        if (result == z3::unsat) continue;
        if (result == z3::unknown) {
            std::cout << "unknown " << solver.reason_unknown() << "\n" << std::flush;
            return verdict::unknown;
        }
        std::cout << "differs " << seconds() << " s:";
        print_example(solver.get_model(), target);
        return verdict::differs;
    }
    std::cout << "proved " << seconds() << " s";
    for (const auto& [name, number] : as_before) {
        std::cout << (name == as_before.begin()->first ? " (" : ", ");
        if (number < questions.size()) std::cout << number << " of " << questions.size() << " ";
        std::cout << "as in " << name;
    }
    std::cout << (as_before.empty() ? "\n" : ")\n") << std::flush;
    return verdict::proved;
}

} // namespace

proved_formulas::proved_formulas(std::filesystem::path folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name))
{
}

std::string proved_formulas::text_of(const z3::expr_vector& facts)
{
    // In a context of its own: Z3 puts arguments in the order in which it has come upon them, and what else it has come
    // upon must not tell.
    z3::context c;
    z3::goal goal(c, false, false);
    for (const z3::expr& fact : facts) goal.add(z3::expr(c, Z3_translate(facts.ctx(), fact, c)));
    writer written(c);
    const z3::apply_result simpler = simplification(c)(goal);
    for (int i = 0; i < static_cast<int>(simpler.size()); ++i)
        for (int j = 0; j < static_cast<int>(simpler[i].size()); ++j) written.write(simpler[i][j]);
    return written.text();
}

std::filesystem::path proved_formulas::file_of(const std::string& text) const
{
    return folder_ / std::to_string(std::hash<std::string>()(text));
}

std::optional<std::string> proved_formulas::find(const std::string& text) const
{
    if (folder_.empty()) return std::nullopt;
    std::ifstream file(file_of(text), std::ios::binary);
    std::string name;
    if (!std::getline(file, name)) return std::nullopt;
    const std::string known{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (known != text) return std::nullopt;
    return name;
}

void proved_formulas::add(const std::string& text) const
{
    if (folder_.empty()) return;
    // Others may do the same now: no process sees half a file.
    const auto unfinished = folder_ / ("of_" + std::to_string(getpid()));
    std::ofstream(unfinished, std::ios::binary) << name_ << "\n" << text;
    std::filesystem::rename(unfinished, file_of(text));
}

void add(z3::expr_vector& all, const z3::expr_vector& more)
{
    for (const z3::expr& fact : more) all.push_back(fact);
}

proof_arguments::proof_arguments(const std::vector<std::string>& words)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        if (words[i] == "--cases" && i + 1 < words.size())
            case_pattern = std::regex(words[++i]);
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

int prove_all(const std::vector<proof_case>& all, const proof_arguments& arguments)
{
    bool unknown = false;
    bool differs = false;
    for (const auto& one : all) {
        if (!std::regex_match(one.name, arguments.case_pattern)) continue;
        if (arguments.list) {
            std::cout << one.name << "\n";
            continue;
        }
        const verdict found = prove(one, arguments.proved);
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
