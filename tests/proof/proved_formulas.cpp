// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/proved_formulas.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include <unistd.h>

#include "tests/proof/term.h"

namespace isbesim::proof {
namespace {

/// Terms as lines `NUMBER OPERATION NUMBERS...`, each term once, behind those that it is made of.
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

} // namespace isbesim::proof
