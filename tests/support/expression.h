// SPDX-License-Identifier: Apache-2.0
// Integer expressions as C writes them, without blanks, on 64 bits.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/float_bits.h"

namespace isbesim {

/// Comparisons and >> take numbers as signed, and a shift by 64 or more leaves no bit of the number; ult(a,b) and
/// lsr(a,n) are the unsigned ones. 1.5f and 1.5d are the bits of a float and of a double. s(x), s16(x), s8(x):
/// sign-extended from 32, 16, 8 bits; abs, min, max; rev(x): 32 bits in reverse; f(x): the bits of an integer as a
/// float; pick(k,a,b,...): the k-th of the others.
class expression {
public:
    using number = std::uint64_t;
    using code = std::function<number(unsigned lane)>; ///< gives the value for a lane
    using lookup = std::function<code(const std::string& name)>;

    static code compiled(std::string_view text, const lookup& names)
    {
        expression reader(text, names);
        code result = reader.choice();
        if (!reader.rest_.empty()) reader.fail("an operator");
        return result;
    }

private:
    expression(std::string_view text, const lookup& names) : text_(text), rest_(text), names_(names) {}

    [[noreturn]] void fail(const std::string& expected) const
    {
        throw std::invalid_argument("'" + std::string(text_) + "': expected " + expected + " before '" +
                                    std::string(rest_) + "'");
    }

    std::string_view next() const
    {
        for (const char* two : {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>"})
            if (rest_.substr(0, 2) == two) return two;
        return rest_.substr(0, 1);
    }
    bool take(std::string_view token)
    {
        if (next() != token) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    void demand(std::string_view token)
    {
        if (!take(token)) fail("'" + std::string(token) + "'");
    }

    code choice()
    {
        code condition = binary(0);
        if (!take("?")) return condition;
        code yes = choice();
        demand(":");
        code no = choice();
        return [=](unsigned lane) { return condition(lane) != 0 ? yes(lane) : no(lane); };
    }

    code binary(std::size_t level)
    {
        static const std::vector<std::vector<std::string_view>> levels = {
            {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
            {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
        if (level == levels.size()) return unary();
        code left = binary(level + 1);
        for (;;) {
            const std::string_view token = next();
            if (std::count(levels[level].begin(), levels[level].end(), token) == 0) return left;
            take(token);
            const auto combined = operation(token);
            left = [=, right = binary(level + 1)](unsigned lane) { return combined(left(lane), right(lane)); };
        }
    }

    static number (*operation(std::string_view token))(number, number)
    {
        using whole = std::int64_t;
        static const std::map<std::string_view, number (*)(number, number)> all = {
            {"||", [](number a, number b) -> number { return a != 0 || b != 0; }},
            {"&&", [](number a, number b) -> number { return a != 0 && b != 0; }},
            {"==", [](number a, number b) -> number { return a == b; }},
            {"!=", [](number a, number b) -> number { return a != b; }},
            {"<", [](number a, number b) -> number { return static_cast<whole>(a) < static_cast<whole>(b); }},
            {"<=", [](number a, number b) -> number { return static_cast<whole>(a) <= static_cast<whole>(b); }},
            {">", [](number a, number b) -> number { return static_cast<whole>(a) > static_cast<whole>(b); }},
            {">=", [](number a, number b) -> number { return static_cast<whole>(a) >= static_cast<whole>(b); }},
            {"<<", [](number a, number b) { return b < 64 ? a << b : 0; }},
            {">>",
             [](number a, number b) { return static_cast<number>(static_cast<whole>(a) >> std::min<number>(b, 63)); }},
            {"|", [](number a, number b) { return a | b; }},
            {"^", [](number a, number b) { return a ^ b; }},
            {"&", [](number a, number b) { return a & b; }},
            {"+", [](number a, number b) { return a + b; }},
            {"-", [](number a, number b) { return a - b; }},
            {"*", [](number a, number b) { return a * b; }},
            {"/", [](number a, number b) { return a / b; }},
            {"%", [](number a, number b) { return a % b; }}};
        return all.at(token);
    }

    std::string name_ahead() const { return std::string(rest_.substr(0, rest_.find_first_of("()+-*/%<>=!&|^?:,~"))); }
    static bool is_real(const std::string& atom)
    {
        return atom.find('.') != atom.npos && std::isdigit(static_cast<unsigned char>(atom[0])) != 0;
    }

    code unary()
    {
        if (take("-")) {
            const std::string atom = name_ahead();
            if (!is_real(atom)) return [inner = unary()](unsigned lane) { return 0 - inner(lane); };
            rest_.remove_prefix(atom.size());
            return literal("-" + atom);
        }
        if (take("~")) return [inner = unary()](unsigned lane) { return ~inner(lane); };
        if (take("!")) return [inner = unary()](unsigned lane) { return number{inner(lane) == 0}; };
        if (take("(")) {
            code inner = choice();
            demand(")");
            return inner;
        }
        const std::string atom = name_ahead();
        if (atom.empty()) fail("a number or a name");
        rest_.remove_prefix(atom.size());
        if (std::isdigit(static_cast<unsigned char>(atom[0])) != 0) return literal(atom);
        if (!take("(")) return names_(atom);
        std::vector<code> values;
        do values.push_back(choice());
        while (take(","));
        demand(")");
        return call(atom, values);
    }

    code literal(const std::string& atom) const
    {
        char* end = nullptr;
        const bool is_float = atom.find('.') != atom.npos;
        const double real = is_float ? std::strtod(atom.c_str(), &end) : 0;
        number value = is_float ? 0 : std::strtoull(atom.c_str(), &end, 0);
        const std::string suffix = end;
        if (is_float && suffix == "f") value = to_bits(static_cast<float>(real));
        if (is_float && suffix == "d") value = to_bits(real);
        if (is_float ? suffix != "f" && suffix != "d" : !suffix.empty()) fail("a number, not " + atom);
        return [value](unsigned) { return value; };
    }

    template <typename Integer>
    static number extended(number a)
    {
        return static_cast<number>(std::int64_t{static_cast<Integer>(a)});
    }

    static number reversed(number a)
    {
        number result = 0;
        for (unsigned k = 0; k < 32; ++k) result |= (a >> k & 1U) << (31 - k);
        return result;
    }

    code call(const std::string& name, const std::vector<code>& values) const
    {
        using whole = std::int64_t;
        using two = std::function<number(number, number)>;
        static const std::map<std::string, two> functions = {
            {"s", [](number a, number) { return extended<std::int32_t>(a); }},
            {"s16", [](number a, number) { return extended<std::int16_t>(a); }},
            {"s8", [](number a, number) { return extended<std::int8_t>(a); }},
            {"abs", [](number a, number) { return static_cast<whole>(a) < 0 ? 0 - a : a; }},
            {"rev", [](number a, number) { return reversed(a); }},
            {"f", [](number a, number) { return number{to_bits(static_cast<float>(static_cast<whole>(a)))}; }},
            {"min", [](number a, number b) { return static_cast<whole>(a) < static_cast<whole>(b) ? a : b; }},
            {"max", [](number a, number b) { return static_cast<whole>(a) < static_cast<whole>(b) ? b : a; }},
            {"ult", [](number a, number b) { return number{a < b}; }},
            {"lsr", [](number a, number b) { return b < 64 ? a >> b : 0; }}};
        if (name == "pick") return [values](unsigned lane) { return values.at(values[0](lane) + 1)(lane); };
        const auto found = functions.find(name);
        if (found == functions.end()) fail("a function, not " + name);
        return [f = found->second, a = values[0], b = values.back()](unsigned lane) { return f(a(lane), b(lane)); };
    }

    std::string_view text_, rest_;
    const lookup& names_;
};

} // namespace isbesim
