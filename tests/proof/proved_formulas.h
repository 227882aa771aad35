// SPDX-License-Identifier: Apache-2.0
// What has been proved before, for another set of parameters: a question whose formula is the same needs no solver.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <z3++.h>

namespace isbesim::proof {

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

} // namespace isbesim::proof
