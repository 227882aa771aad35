// SPDX-License-Identifier: Apache-2.0
// Common to the programs of the proofs: a question to a solver about claims, its answer as a line, arguments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <z3++.h>

#include "tests/proof/inputs.h"
#include "tests/proof/term.h"

namespace isbesim::proof {

/// Formulas that were proved for another set of parameters: a question whose formula is the same needs no solver.
class proved_formulas {
public:
    /// Nothing is kept, and nothing found.
    proved_formulas() = default;
    /// In files of `folder`; added formulas have `name`.
    proved_formulas(std::filesystem::path folder, std::string name);

    /// A solver's question as text: the facts as Z3 simplifies them, their constants numbered in order of
    /// appearance. Of two with the same text none or both can be satisfied.
    static std::string text_of(const z3::expr_vector& facts);

    /// Under which name a formula of this text was found to have no example.
    std::optional<std::string> find(const std::string& text) const;
    void add(const std::string& text) const;

    const std::string& name() const { return name_; }
    explicit operator bool() const { return !folder_.empty(); }

private:
    std::filesystem::path file_of(const std::string& text) const;

    std::filesystem::path folder_;
    std::string name_;
};

/// Something that both sides say: equal unless the condition is false.
struct claim {
    std::string name;
    z3::expr holds;
};
using claims = std::vector<claim>;

/// Facts about the inputs and the RTL. A proof leaves out the facts that make it slow; an example has
/// to agree with all of them.
struct knowledge {
    z3::expr_vector facts{solver_context()};
    z3::expr_vector left_out{solver_context()};
    std::vector<z3::expr_vector> wished; ///< of an example: one after the other is tried
};

using field_values = std::map<std::string, std::uint32_t>;

struct question {
    knowledge known;
    claims all;
    bool one_by_one = false;                                ///< each claim is a question of its own
    std::function<field_values(const z3::model&)> fields{}; ///< of an example
};

struct proof_case {
    std::string name;
    std::function<question()> ask;
};

void add(z3::expr_vector& all, const z3::expr_vector& more);

/// `FILE... NAME=VALUE... [--cases REGEX] [--list] [--proved FOLDER NAME]`; proved formulas are kept in FOLDER under
/// NAME and not asked again.
struct proof_arguments {
    explicit proof_arguments(const std::vector<std::string>& words);

    std::vector<std::string> files;
    parameters block;
    std::regex case_pattern{".*"};
    bool list = false;
    proved_formulas proved;
};

/// Prints a line for each case that is wanted: its name, `proved` or `differs` with what differs and an example
/// (field=value ...), seconds; or only the names. Exit status: 0 all proved, 1 one differs, 2 a solver gave up.
int prove_all(const std::vector<proof_case>& all, const proof_arguments& arguments);

/// main() of such a program: exceptions become a line on stderr, and 2.
int run_proof(const std::string& program, int count, char** words,
              const std::function<int(const proof_arguments&)>& run);

} // namespace isbesim::proof
