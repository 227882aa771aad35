// SPDX-License-Identifier: Apache-2.0
#include "models/varying/language/parser.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <boost/spirit/home/x3.hpp>

#include "models/varying/language/opcodes.h"
#include "tlm/count_text.h"
#include "tlm/float_bits.h"

// Names for failed expectations. Spirit itself names only rules and literals, not the parsers that contain them.
namespace boost::spirit::x3 {
template <typename Subject, typename Action>
struct get_info<action<Subject, Action>> {
    using result_type = std::string;
    std::string operator()(const action<Subject, Action>& parser) const { return what(parser.subject); }
};
template <typename Subject>
struct get_info<expect_directive<Subject>> {
    using result_type = std::string;
    std::string operator()(const expect_directive<Subject>& parser) const { return what(parser.subject); }
};
template <typename Left, typename Right>
struct get_info<sequence<Left, Right>> {
    using result_type = std::string;
    std::string operator()(const sequence<Left, Right>& parser) const { return what(parser.left); }
};
template <typename Left, typename Right>
struct get_info<alternative<Left, Right>> {
    using result_type = std::string;
    std::string operator()(const alternative<Left, Right>& parser) const
    {
        const auto left = what(parser.left), right = what(parser.right);
        return left == right ? left : left + " or " + right;
    }
};
} // namespace boost::spirit::x3

namespace isbesim::varying {

namespace {

namespace x3 = boost::spirit::x3;

/// A piece of the line being read; its address gives the column.
using token = std::string_view;

/// The grammar's result for a line: structure and tokens, not yet interpreted.
struct raw_bracket {
    token at;
    bool open = true; ///< []
    token file;       ///< of an indirect index
    unsigned file_register = 0;
    token component;
    std::int64_t offset = 0; ///< or the number of a direct index
    std::optional<unsigned> last;
};
struct raw_operand {
    token at;
    bool negate = false;
    bool bar = false;
    token file;
    unsigned array = 0;
    bool array_first = false;
    bool array_word = false; ///< (array n)
    std::vector<raw_bracket> brackets;
    token letters;
};
struct raw_item {
    token word;
    bool indexed = false;
    std::optional<unsigned> index;
    std::optional<unsigned> last;
    token letters;
    std::vector<unsigned> arguments;
};
enum class statement_kind { empty, property, declaration, immediate, instruction };
struct raw_statement {
    statement_kind kind = statement_kind::empty;
    token keyword;
    bool dcl = false;   ///< a declaration with DCL
    raw_operand target; ///< of a declaration
    std::vector<raw_item> items;
    std::vector<token> values;
    std::vector<raw_operand> operands;
    std::optional<unsigned> label;
};

// Actions store the result of a part of the grammar in the value of its rule.
template <typename Member>
auto put(Member member)
{
    return [member](auto& context) { x3::_val(context).*member = x3::_attr(context); };
}
template <typename Member>
auto append(Member member)
{
    return [member](auto& context) { (x3::_val(context).*member).push_back(x3::_attr(context)); };
}
template <typename Member>
auto raise(Member member)
{
    return [member](auto& context) { x3::_val(context).*member = true; };
}
const auto take_text = [](auto& context) {
    const auto& range = x3::_attr(context);
    x3::_val(context) = token(&*range.begin(), static_cast<std::size_t>(range.end() - range.begin()));
};
auto kind_is(statement_kind kind)
{
    return [kind](auto& context) { x3::_val(context).kind = kind; };
}

namespace grammar {

const x3::rule<struct word_id, token> word{"a name"};
const x3::rule<struct item_word_id, token> item_word{"a semantic, ARRAY(n) or a qualifier"};
const x3::rule<struct letters_id, token> letters{"components out of xyzw"};
const x3::rule<struct value_id, token> value{"a number"};
const x3::rule<struct number_id, unsigned> number{"a number"};
const x3::rule<struct bracket_id, raw_bracket> bracket{"'['"};
const x3::rule<struct register_id, raw_operand> register_rule{"a register"};
const x3::rule<struct operand_id, raw_operand> operand_rule{"an operand"};
const x3::rule<struct item_id, raw_item> item{"a semantic, ARRAY(n) or a qualifier"};
const x3::rule<struct statement_id, raw_statement> statement{"a declaration or an instruction"};

const auto name_start = x3::alpha | x3::char_('_');
const auto name_rest = x3::alnum | x3::char_('_');
const auto keyword = [](const char* text) { return x3::lexeme[x3::lit(text) >> !name_rest]; };

const auto word_def = x3::raw[x3::lexeme[name_start >> *name_rest]][take_text];
const auto item_word_def = x3::raw[x3::lexeme[+name_rest]][take_text];
const auto letters_def = x3::raw[x3::lexeme[+x3::alpha]][take_text];
const auto value_def = x3::raw[x3::lexeme[+(x3::alnum | x3::char_("-+._"))]][take_text];
const auto number_def = x3::lexeme[x3::uint_ >> !x3::alnum];

const auto sign = [](int factor) {
    return [factor](auto& context) { x3::_val(context).offset = std::int64_t{factor} * x3::_attr(context); };
};
// [ ]  [3]  [0..7]  [ADDR[0].x]  [TEMP[2].y-1]  [ADDR[0]+3]
const auto indirect = word[put(&raw_bracket::file)] > '[' > number[put(&raw_bracket::file_register)] > ']' >
                      -('.' > letters[put(&raw_bracket::component)]) >
                      -(('+' > number[sign(1)]) | ('-' > number[sign(-1)]));
const auto direct = (number[sign(1)] | ('-' > number[sign(-1)])) > -(x3::lit("..") > number[put(&raw_bracket::last)]);
const auto closed = [](auto& context) { x3::_val(context).open = false; };
const auto bracket_def =
    x3::raw[x3::lit('[')][([](auto& context) { x3::_val(context).at = token(&*x3::_attr(context).begin(), 1); })] >
    (x3::lit(']') | ((direct | indirect) > x3::lit(']')[closed]));

// The mail that proposed arrays writes "(array 1)".
const auto array_id = '(' > -(keyword("array") >>
                              x3::eps[raise(&raw_operand::array_word)]) > number[put(&raw_operand::array)] > ')';
const auto register_rule_def =
    word[([](auto& context) { x3::_val(context).at = x3::_val(context).file = x3::_attr(context); })] >>
    -(array_id >> x3::eps[raise(&raw_operand::array_first)]) > +bracket[append(&raw_operand::brackets)] > -array_id >
    -('.' > letters[put(&raw_operand::letters)]);
const auto copy_register = [](auto& context) {
    auto& result = x3::_val(context);
    const bool negate = result.negate, bar = result.bar;
    result = x3::_attr(context);
    result.negate = negate;
    result.bar = bar;
};
const auto lone_word = [](auto& context) { x3::_val(context).at = x3::_val(context).file = x3::_attr(context); };
const auto operand_rule_def = -x3::lit('-')[raise(&raw_operand::negate)] >>
                              ((x3::lit('|')[raise(&raw_operand::bar)] > register_rule[copy_register] > '|' >
                                -('.' > letters[put(&raw_operand::letters)])) |
                               (&(word >> (x3::lit('[') | '(')) > register_rule[copy_register]) | item_word[lone_word]);

const auto item_def = item_word[put(&raw_item::word)] >>
                      -(x3::lit('[')[raise(&raw_item::indexed)] >
                        -(number[put(&raw_item::index)] > -(x3::lit("..") > number[put(&raw_item::last)])) > ']') >>
                      -('.' > letters[put(&raw_item::letters)]) >>
                      -('(' > (number[append(&raw_item::arguments)] % ',') > ')');

const auto declared = register_rule[put(&raw_statement::target)] > *(',' > item[append(&raw_statement::items)]);
const auto statement_def =
    (keyword("DCL") > x3::eps[kind_is(statement_kind::declaration)] > x3::eps[raise(&raw_statement::dcl)] > declared) |
    (keyword("PROPERTY") > x3::eps[kind_is(statement_kind::property)] > word[put(&raw_statement::keyword)] >
     value[append(&raw_statement::values)] % -x3::lit(',')) |
    (keyword("IMM") > x3::eps[kind_is(statement_kind::immediate)] > -('[' > number > ']') >
     word[put(&raw_statement::keyword)] > '{' > (value[append(&raw_statement::values)] % ',') > '}') |
    (&(word >> '[') > x3::eps[kind_is(statement_kind::declaration)] > declared) |
    (-(number >> ':') >> word[put(&raw_statement::keyword)] > x3::eps[kind_is(statement_kind::instruction)] >
     -(operand_rule[append(&raw_statement::operands)] % ',') > -(':' > number[put(&raw_statement::label)]));

BOOST_SPIRIT_DEFINE(word, item_word, letters, value, number, bracket, register_rule, operand_rule, item, statement)

const auto blank = x3::blank | x3::lit('\r') | (x3::lit("//") >> *x3::char_) | (x3::lit('#') >> *x3::char_);

} // namespace grammar

/// Reads one text, a line at a time.
class reader {
public:
    explicit reader(mask_reading masks) : masks_(masks) {}

    std::vector<shader> read(std::string_view text)
    {
        while (!text.empty()) {
            const auto end = text.find('\n');
            line_ = text.substr(0, end);
            ++line_number_;
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            read_line();
        }
        if (programs_.empty()) throw shader_error({1, 1}, "the text is empty, expected declarations");
        for (auto& each : programs_) {
            join_arrays(each);
            for (const auto& one : each.instructions)
                for (const auto& access : one.operands) find_component_index(access, each);
            for (const auto& one : each.instructions)
                for (const auto& access : one.operands) check_offset(access, each);
        }
        return std::move(programs_);
    }

private:
    [[noreturn]] void fail(token at, const std::string& text) const { throw shader_error(place_of(at), text); }
    place place_of(token at) const { return {line_number_, static_cast<unsigned>(at.data() - line_.data()) + 1}; }
    static std::string text(token letters) { return std::string(letters); }
    /// Reports an unknown name and the names that are valid in its place.
    [[noreturn]] void fail_unknown(token at, const std::string& text, const std::vector<std::string>& known) const
    {
        shader_error error(place_of(at), text);
        error.unknown = at.substr(0, 64);
        error.known = known;
        throw error;
    }

    void read_line()
    {
        const char* next = line_.data();
        const char* const end = next + line_.size();
        x3::parse(next, end, *grammar::blank);
        if (next == end) return;
        raw_statement raw;
        try {
            // Text after a complete statement is an error, like a gap in it.
            if (!x3::phrase_parse(next, end, grammar::statement > x3::eoi, grammar::blank, raw))
                unexpected(next, end, "a declaration or an instruction");
        } catch (const x3::expectation_failure<const char*>& error) {
            unexpected(error.where(), end, error.which() == "eoi" ? "the end of the line" : error.which());
        }
        resolve(raw);
    }

    [[noreturn]] void unexpected(const char* next, const char* end, const std::string& expected) const
    {
        x3::parse(next, end, *grammar::blank);
        const char* stop = next;
        while (stop != end && (std::isalnum(static_cast<unsigned char>(*stop)) != 0 || *stop == '_')) ++stop;
        if (stop == next && stop != end) ++stop;
        const token found(next, static_cast<std::size_t>(stop - next));
        fail(found, (found.empty() ? "the line ends here" : "unexpected " + quoted(found)) + ", expected " + expected);
    }

    shader& program()
    {
        if (programs_.empty()) {
            programs_.emplace_back();
            programs_.back().at = {line_number_, 1};
        }
        return programs_.back();
    }

    void resolve(const raw_statement& raw)
    {
        switch (raw.kind) {
        case statement_kind::declaration:
            program().declarations.push_back(resolve_declaration(raw));
            break;
        case statement_kind::property: {
            const auto& names = property_names();
            if (std::find(names.begin(), names.end(), raw.keyword) == names.end())
                fail_unknown(raw.keyword, quoted(raw.keyword) + " is no property, expected one like GS_INPUT_PRIMITIVE",
                             {names.begin(), names.end()});
            property result{place_of(raw.keyword), text(raw.keyword), {}};
            for (const auto each : raw.values) result.values.push_back(text(each));
            program().properties.push_back(std::move(result));
            break;
        }
        case statement_kind::immediate:
            program().immediates.push_back(resolve_immediate(raw));
            break;
        default:
            if (!begins_program(raw)) program().instructions.push_back(resolve_instruction(raw));
            break;
        }
    }

    bool begins_program(const raw_statement& raw)
    {
        if (raw.keyword == "COMP")
            fail(raw.keyword, "a compute program has no varyings, expected VERT, TESS_CTRL, TESS_EVAL, GEOM or FRAG");
        for (const auto kind : {processor::vertex, processor::tess_control, processor::tess_eval, processor::geometry,
                                processor::fragment}) {
            if (raw.keyword != processor_name(kind) || !raw.operands.empty()) continue;
            programs_.emplace_back();
            programs_.back().kind = kind;
            programs_.back().at = place_of(raw.keyword);
            return true;
        }
        return false;
    }

    register_file resolve_file(token name) const
    {
        for (unsigned i = 0; i <= static_cast<unsigned>(register_file::hw_atomic); ++i)
            if (name == file_name(static_cast<register_file>(i))) return static_cast<register_file>(i);
        std::vector<std::string> names;
        for (unsigned i = 0; i <= static_cast<unsigned>(register_file::hw_atomic); ++i)
            names.emplace_back(file_name(static_cast<register_file>(i)));
        fail_unknown(name, quoted(name) + " is no register file, expected IN, OUT, TEMP, ADDR, CONST, IMM or SV",
                     names);
    }

    unsigned resolve_mask(token letters) const
    {
        unsigned mask = 0;
        for (const char c : letters) {
            const auto component = std::string_view("xyzw").find(c);
            const bool in_order = component != std::string_view::npos && mask >> component == 0;
            if (!in_order)
                fail(letters, quoted(dotted(letters)) + " is no mask, expected components out of xyzw in order");
            mask |= 1U << component;
        }
        return mask;
    }

    /// The letters with a leading point.
    static std::string dotted(token letters) { return "." + text(letters); }

    unsigned resolve_number(const raw_bracket& bracket) const
    {
        constexpr std::int64_t most = 65535;
        if (bracket.open || !bracket.file.empty() || bracket.offset < 0 || bracket.offset > most)
            fail(bracket.at, "this is no register number, expected one from 0 to 65535");
        return static_cast<unsigned>(bracket.offset);
    }

    declaration resolve_declaration(const raw_statement& raw)
    {
        using kind = declaration::dimension_kind;
        declaration result;
        const auto& target = raw.target;
        result.at = place_of(target.at);
        result.file = resolve_file(target.file);
        const auto& brackets = target.brackets;
        if (brackets.size() > 2) fail(brackets[2].at, "a third bracket, expected one or two");
        if (brackets.size() == 2) {
            result.dimension = brackets[0].open ? kind::open : kind::number;
            if (!brackets[0].open) result.dimension_number = resolve_number(brackets[0]);
        }
        result.first = result.last = resolve_number(brackets.back());
        if (const auto last = brackets.back().last) {
            if (*last < result.first || *last > 65535)
                fail(brackets.back().at, "the range " + std::to_string(result.first) + ".." + std::to_string(*last) +
                                             " is empty or too long, expected FIRST..LAST up to 65535");
            result.last = *last;
        }
        result.array = target.array;
        result.mask = resolve_mask(target.letters);
        const bool varying = result.file == register_file::input || result.file == register_file::output ||
                             result.file == register_file::system_value;
        for (const auto& each : raw.items) resolve_item(each, varying, result);
        for (const auto& each : raw.items)
            if (each.word == "COMPONENT_INDEX" && result.array == 0)
                fail(each.word, "only arrays are indexed, expected ARRAY(n) beside COMPONENT_INDEX");
        read_mask(raw, varying, result);
        return result;
    }

    /// A mask that is either the size of packed registers or the used part of whole vectors.
    void read_mask(const raw_statement& raw, bool varying, declaration& result)
    {
        const bool two_readings = varying && result.registers() > 1 && result.mask != 0 && result.mask != 0xf &&
                                  (result.mask & (result.mask + 1)) == 0 && !result.last_index && !result.anywhere &&
                                  result.index <= 65535 && result.fraction == 0 && !result.by_component;
        if (!two_readings || masks_ == mask_reading::packed) return;
        auto spread = result;
        if (!spread.meaning) {
            spread.meaning = semantic::generic;
            spread.index = spread.first;
        }
        spread.last_index = spread.index + spread.registers() - 1;
        if (masks_ == mask_reading::usage)
            result = spread;
        else if (raw.dcl)
            program().warnings.push_back({result.at, dotted(raw.target.letters) + " is read as packed registers of " +
                                                         count_text(raw.target.letters.size(), "component") +
                                                         " (--masks packed); in a driver's dump it means " +
                                                         print(spread).substr(4) + " (--masks usage)"});
    }

    void resolve_item(const raw_item& raw, bool varying, declaration& result) const
    {
        if (raw.word == "ARRAY") {
            if (raw.arguments.size() != 1 || raw.arguments[0] == 0 || result.array != 0)
                fail(raw.word, "this array has no number of its own, expected ARRAY(n) once, with n from 1 on");
            result.array = raw.arguments[0];
            return;
        }
        if (raw.word == "COMPONENT_INDEX") {
            if (!varying || result.file == register_file::system_value)
                fail(raw.word, "COMPONENT_INDEX is about varyings, expected it on an array of IN or OUT");
            if (raw.indexed || !raw.letters.empty() || !raw.arguments.empty())
                fail(raw.word, "COMPONENT_INDEX stands alone, expected no index after it");
            result.by_component = true;
            return;
        }
        const auto meaning = semantic_of(raw.word);
        if (varying && meaning && !result.meaning) {
            if (!raw.arguments.empty())
                fail(raw.word, "a semantic takes no arguments, expected " + text(raw.word) + "[n]");
            result.meaning = meaning;
            result.index = raw.index.value_or(0);
            result.anywhere = raw.indexed && !raw.index;
            if (raw.last) resolve_range(raw, result);
            if (result.anywhere && *meaning != semantic::generic)
                fail(raw.word, text(raw.word) + "[] leaves the index open, expected GENERIC[] or a number");
            result.fraction = resolve_mask(raw.letters);
            if (result.anywhere && result.fraction != 0)
                fail(raw.letters, "the place is left open, expected no component after GENERIC[]");
            return;
        }
        static constexpr token known[] = {"CONSTANT",  "LINEAR",    "PERSPECTIVE", "COLOR",  "CENTROID",
                                          "CENTER",    "SAMPLE",    "INVARIANT",   "STREAM", "CYLWRAP_X",
                                          "CYLWRAP_Y", "CYLWRAP_Z", "CYLWRAP_W",   "LOCAL"};
        if (varying && std::find(std::begin(known), std::end(known), raw.word) == std::end(known))
            fail_unknown(raw.word,
                         "unknown " + quoted(raw.word) +
                             ", expected a semantic like GENERIC[0], ARRAY(n) or an interpolation like PERSPECTIVE",
                         item_names(known));
        if (raw.last) fail(raw.word, quoted(raw.word) + " has no range, expected one only after a semantic");
        std::string qualifier = text(raw.word);
        if (raw.indexed) qualifier += "[" + (raw.index ? std::to_string(*raw.index) : "") + "]";
        if (!raw.letters.empty()) qualifier += "." + text(raw.letters);
        for (std::size_t i = 0; i < raw.arguments.size(); ++i)
            qualifier +=
                (i == 0 ? "(" : ", ") + std::to_string(raw.arguments[i]) + (i + 1 == raw.arguments.size() ? ")" : "");
        result.qualifiers.push_back(std::move(qualifier));
    }

    /// `GENERIC[0..7]`: register i has index i of the range.
    void resolve_range(const raw_item& raw, declaration& result) const
    {
        const auto name = text(raw.word);
        const auto range = [&](std::uint64_t last) {
            return name + "[" + std::to_string(result.index) + ".." + std::to_string(last) + "]";
        };
        if (*raw.last < result.index)
            fail(raw.word, "the range " + range(*raw.last) + " is empty, expected FIRST..LAST");
        const std::uint64_t count = std::uint64_t{*raw.last} - result.index + 1;
        const auto declared = result.registers();
        if (count != declared)
            fail(raw.word,
                 range(*raw.last) + " has " + count_text(count, "index", "indices") + " for " +
                     count_text(declared, "register") + ", expected " +
                     (declared == 1 ? name + "[" + std::to_string(result.index) + "]"
                                    : range(std::uint64_t{result.index} + declared - 1) + ", one for each, or " + name +
                                          "[" + std::to_string(result.index) + "], packed"));
        if (count > 1) result.last_index = raw.last; // a range of one index is that index
    }

    /// Names that may follow a varying's register.
    template <typename List>
    static std::vector<std::string> item_names(const List& qualifiers)
    {
        std::vector<std::string> names = {"ARRAY", "COMPONENT_INDEX"};
        for (const auto& row : semantic_rows()) names.emplace_back(row.name);
        for (const auto each : qualifiers) names.push_back(text(each));
        return names;
    }

    immediate resolve_immediate(const raw_statement& raw) const
    {
        immediate result{place_of(raw.keyword), text(raw.keyword), {}, {}};
        const auto kind = raw.keyword;
        const bool wide = kind == "FLT64" || kind == "UINT64" || kind == "INT64";
        if (!wide && kind != "FLT32" && kind != "INT32" && kind != "UINT32")
            fail(kind, quoted(kind) + " is no type, expected FLT32, INT32, UINT32, FLT64, INT64 or UINT64");
        if (raw.values.size() > (wide ? 2U : 4U))
            fail(raw.values.back(), "too many values, expected at most " + std::string(wide ? "2" : "4"));
        for (const auto each : raw.values) {
            result.values.push_back(text(each));
            const auto bits = bits_of(each, kind);
            result.words.push_back(static_cast<std::uint32_t>(bits));
            if (wide) result.words.push_back(static_cast<std::uint32_t>(bits >> 32));
        }
        result.words.resize(4);
        return result;
    }

    std::uint64_t bits_of(token number, token kind) const
    {
        const auto digits = text(number);
        char* end = nullptr;
        std::uint64_t bits = 0;
        const bool hexadecimal = digits.rfind("0x", 0) == 0; // the bits themselves, for every type
        errno = 0;
        if (hexadecimal || kind == "UINT32" || kind == "UINT64") {
            bits = std::strtoull(digits.c_str(), &end, hexadecimal ? 16 : 10);
            if (digits[0] == '-') errno = ERANGE;
        } else if (kind == "INT32" || kind == "INT64") {
            bits = static_cast<std::uint64_t>(std::strtoll(digits.c_str(), &end, 10));
        } else if (kind == "FLT64") {
            bits = to_bits(std::strtod(digits.c_str(), &end));
            errno = 0;
        } else {
            bits = to_bits(std::strtof(digits.c_str(), &end));
            errno = 0; // too large values are infinite
        }
        const bool fits = kind == "INT32" && !hexadecimal
                              ? static_cast<std::int64_t>(bits) == static_cast<std::int32_t>(bits)
                              : kind == "FLT64" || kind == "UINT64" || kind == "INT64" || bits >> 32 == 0;
        if (errno != 0 || end == nullptr || *end != '\0' || !fits)
            fail(number, quoted(number) + " is no value of type " + text(kind) + ", expected a number in its range");
        return bits;
    }

    static bool strip(token& opcode, token suffix)
    {
        if (opcode.size() <= suffix.size() || opcode.substr(opcode.size() - suffix.size()) != suffix) return false;
        opcode.remove_suffix(suffix.size());
        return true;
    }

    instruction resolve_instruction(const raw_statement& raw) const
    {
        instruction result;
        result.at = place_of(raw.keyword);
        token opcode = raw.keyword;
        result.precise = strip(opcode, "_PRECISE");
        result.saturate = strip(opcode, "_SAT");
        result.opcode = text(opcode);
        const auto destinations = destination_count(opcode);
        if (!destinations)
            fail_unknown(raw.keyword,
                         quoted(raw.keyword) + " is no TGSI opcode, expected a declaration like OUT[0], POSITION or an "
                                               "instruction like MOV OUT[0], IN[0]",
                         statement_names());
        if (raw.operands.size() < *destinations)
            fail(raw.keyword, result.opcode + " lacks its destination, expected an operand");
        result.destinations = *destinations;
        for (const auto& each : raw.operands)
            result.operands.push_back(resolve_operand(each, result.operands.size() < *destinations));
        result.target = raw.label;
        return result;
    }

    /// Names that a line may begin with.
    static std::vector<std::string> statement_names()
    {
        std::vector<std::string> names = {"DCL", "PROPERTY", "IMM", "VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG"};
        for (const auto each : opcode_names()) names.emplace_back(each);
        return names;
    }

    operand resolve_operand(const raw_operand& raw, bool written) const
    {
        operand result;
        result.at = place_of(raw.at);
        if (raw.brackets.empty()) {
            if (written || raw.negate) fail(raw.at, quoted(raw.at) + " is no register, expected one like OUT[0]");
            result.word = text(raw.at);
            return result;
        }
        result.file = resolve_file(raw.file);
        result.negate = raw.negate;
        result.absolute = raw.bar;
        if (written && (raw.negate || raw.bar)) fail(raw.at, "a destination has no sign, expected a plain register");
        if (raw.brackets.size() > 2) fail(raw.brackets[2].at, "a third bracket, expected one or two");
        if (raw.brackets.size() == 2) result.vertex = resolve_index(raw.brackets[0]);
        result.index = resolve_index(raw.brackets.back());
        result.array = raw.array;
        result.counts_from_array = raw.array_first;
        result.mail = raw.array_first && raw.array_word;
        result.letters = text(raw.letters);
        if (written) {
            resolve_mask(raw.letters);
        } else if (raw.letters.size() > 4 || raw.letters.find_first_not_of("xyzw") != token::npos) {
            fail(raw.letters, quoted(dotted(raw.letters)) + " is no swizzle, expected up to four of xyzw");
        }
        return result;
    }

    register_index resolve_index(const raw_bracket& raw) const
    {
        if (raw.open || raw.last) fail(raw.at, "an access names one register, expected a number or ADDR[n].x+n");
        register_index result;
        constexpr std::int64_t most = 65535;
        if (raw.offset > most || raw.offset < (raw.file.empty() ? 0 : -most))
            fail(raw.at, "the register " + std::to_string(raw.offset) + " does not exist, expected one up to 65535");
        result.offset = static_cast<int>(raw.offset);
        if (raw.file.empty()) return result;
        auto& part = result.indirect.emplace();
        part.file = resolve_file(raw.file);
        part.number = raw.file_register;
        const auto component = raw.component.empty() ? 0 : std::string_view("xyzw").find(raw.component);
        if (component == std::string_view::npos || raw.component.size() > 1)
            fail(raw.component, quoted(dotted(raw.component)) + " is no component, expected x, y, z or w");
        part.component = static_cast<unsigned>(component);
        return result;
    }

    static unsigned mask_of(const declaration& each) { return each.mask == 0 ? 0xf : each.mask; }
    static unsigned lowest(unsigned mask) { return mask == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(mask)); }

    /// Appends `next` to the array that `array` begins, if registers and places continue it. Returns false otherwise.
    static bool join(declaration& array, const declaration& next)
    {
        const auto place = [](const declaration& d) {
            return std::uint64_t{4} * (d.meaning ? d.index : d.first) + lowest(d.fraction);
        };
        const unsigned mask = mask_of(array);
        const unsigned width = (mask & (mask + 1)) == 0 ? static_cast<unsigned>(__builtin_popcount(mask)) : 4;
        const bool alike = mask == mask_of(next) && array.meaning == next.meaning && array.anywhere == next.anywhere &&
                           array.dimension == next.dimension && array.dimension_number == next.dimension_number &&
                           array.qualifiers == next.qualifiers && next.first == array.last + 1;
        if (!alike) return false;
        const auto distance = place(next) - place(array);
        const auto may_spread = [](const declaration& d) { return d.registers() == 1 || d.last_index.has_value(); };
        const bool packed =
            array.anywhere || (!array.last_index && !next.last_index && distance == array.registers() * width);
        const bool spread = array.meaning && width != 4 && may_spread(array) && may_spread(next) &&
                            distance == 4 * array.registers() && array.fraction == next.fraction;
        const bool whole = width == 4 && distance == 4 * array.registers();
        if (!packed && !spread && !whole) return false;
        array.last = next.last;
        array.mask |= next.mask;
        array.by_component = array.by_component || next.by_component;
        if (!packed && (spread || array.last_index || next.last_index))
            array.last_index = array.index + array.registers() - 1;
        return true;
    }

    /// Declarations of one array that continue each other become one, in the place of the first in the text.
    static void join_arrays(shader& program)
    {
        std::map<std::pair<register_file, unsigned>, std::vector<const declaration*>> arrays;
        for (const auto& each : program.declarations)
            if (each.array != 0) arrays[{each.file, each.array}].push_back(&each);
        std::vector<declaration> joined;
        for (const auto& each : program.declarations) {
            if (each.array == 0) {
                joined.push_back(each);
                continue;
            }
            auto& parts = arrays.at({each.file, each.array});
            if (parts.front() != &each) continue;
            std::stable_sort(parts.begin(), parts.end(),
                             [](const auto* one, const auto* other) { return one->first < other->first; });
            auto array = *parts.front();
            for (std::size_t i = 1; i < parts.size(); ++i)
                if (!join(array, *parts[i]))
                    throw shader_error(parts[i]->at, "ARRAY(" + std::to_string(each.array) + ") is declared by " +
                                                         describe(array) + " and by " + describe(*parts[i]) +
                                                         ", expected registers and places that continue the first with "
                                                         "its mask, whole vectors with COMPONENT_INDEX, or a number "
                                                         "of its own");
            array.at = each.at;
            parts.front() = nullptr; // done
            joined.push_back(std::move(array));
        }
        program.declarations = std::move(joined);
    }

    static declaration* array_of(const operand& access, shader& program)
    {
        const bool varying = access.file == register_file::input || access.file == register_file::output;
        if (!varying || access.array == 0 || !access.index.indirect) return nullptr;
        for (auto& each : program.declarations)
            if (each.file == access.file && each.array == access.array) return &each;
        return nullptr;
    }

    /// The mail's notation for an index that counts components.
    static void find_component_index(const operand& access, shader& program)
    {
        auto* const array = array_of(access, program);
        if (array == nullptr || array->by_component || !access.mail) return;
        if (array->mask == 0)
            program.warnings.push_back({access.at, "the index of ARRAY(" + std::to_string(access.array) +
                                                       ") counts registers; in the mail that wrote 'array' it counts "
                                                       "components, which needs .xyzw in the declaration here, or "
                                                       "COMPONENT_INDEX"});
        if (array->mask != 0xf) return;
        for (const auto& one : program.instructions)
            for (const auto& other : one.operands)
                if (array_of(other, program) == array && !other.mail)
                    throw shader_error(other.at, print(other) + " counts registers, but 'array' in line " +
                                                     std::to_string(access.at.line) +
                                                     " counts components, expected one notation for an array");
        array->by_component = true;
        program.warnings.push_back({access.at, "the index of ARRAY(" + std::to_string(access.array) +
                                                   ") counts components, as the mail writes it: .xyzw in its "
                                                   "declaration and 'array' here (COMPONENT_INDEX); without 'array' "
                                                   "it counts registers"});
    }

    /// Warns of an offset that only negative indices bring back into the array.
    static void check_offset(const operand& access, shader& program)
    {
        const auto* const array = array_of(access, program);
        if (array == nullptr) return;
        const int unit = array->by_component ? __builtin_popcount(mask_of(*array)) : 1;
        const int count = static_cast<int>(array->registers()) * unit;
        const int first = access.counts_from_array ? 0 : static_cast<int>(array->first);
        const int offset =
            (access.index.offset - first) * unit + (array->by_component ? static_cast<int>(access.swizzle(0)) : 0);
        if (offset < count) return;
        const auto& by = *access.index.indirect;
        program.warnings.push_back(
            {access.at, print(access) + " lies in " + describe(*array) + " only for " + file_name(by.file) + "[" +
                            std::to_string(by.number) + "]." + "xyzw"[by.component] + " from " +
                            std::to_string(-offset) + " to " + std::to_string(count - 1 - offset) + ": the array has " +
                            count_text(static_cast<unsigned>(count), array->by_component ? "component" : "register")});
    }

    mask_reading masks_;
    std::string_view line_;
    unsigned line_number_ = 0;
    std::vector<shader> programs_;
};

} // namespace

std::vector<shader> parse(std::string_view text, mask_reading masks)
{
    return reader(masks).read(text);
}

} // namespace isbesim::varying
