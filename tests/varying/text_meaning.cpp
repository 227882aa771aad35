// SPDX-License-Identifier: Apache-2.0
#include "tests/varying/text_meaning.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tlm/float_bits.h"

namespace isbesim::test {

namespace {

using word = text_meaning::word;

unsigned component_of(char letter)
{
    return static_cast<unsigned>(std::string("xyzw").find(letter));
}

/// HARDWARE.md A.2 and A.3: address and how many components a register has without a mask.
struct meaning_row {
    const char* name;
    unsigned address;
    unsigned components;
    bool patch;
};
constexpr meaning_row meanings[] = {
    {"POSITION", 0x70, 4, false},  {"GENERIC", 0x80, 4, false},   {"COLOR", 0x280, 4, false},
    {"BCOLOR", 0x2a0, 4, false},   {"CLIPDIST", 0x2c0, 4, false}, {"FOG", 0x2e8, 1, false},
    {"TEXCOORD", 0x300, 4, false}, {"LAYER", 0x64, 1, false},     {"VIEWPORT_INDEX", 0x68, 1, false},
    {"PSIZE", 0x6c, 1, false},     {"PRIMID", 0x60, 1, false},    {"TESSOUTER", 0x0, 4, true},
    {"TESSINNER", 0x10, 2, true},  {"PATCH", 0x20, 4, true}};

const meaning_row* meaning_of(const std::string& name)
{
    for (const auto& row : meanings)
        if (name == row.name) return &row;
    return nullptr;
}

unsigned ones(unsigned mask)
{
    unsigned count = 0;
    for (; mask != 0; mask >>= 1) count += mask & 1U;
    return count;
}

unsigned mask_of(const std::string& letters)
{
    unsigned mask = 0;
    for (const char c : letters) mask |= 1U << component_of(c);
    return mask;
}

[[noreturn]] void unknown(const std::string& what)
{
    throw std::logic_error("the oracle does not know " + what);
}

bool is_name(const std::string& text)
{
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_');
}

} // namespace

/// Names, numbers and marks of a line.
class text_meaning::tokens {
public:
    explicit tokens(const std::string& line)
    {
        for (std::size_t i = 0; i < line.size();) {
            const auto rest = line.substr(i);
            if (std::isspace(static_cast<unsigned char>(line[i])) != 0) {
                ++i;
                continue;
            }
            if (rest[0] == '#' || rest.rfind("//", 0) == 0) break;
            std::size_t length = 1;
            if (rest.rfind("..", 0) == 0) {
                length = 2;
            } else if (std::isalnum(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '_') {
                while (length < rest.size() &&
                       (std::isalnum(static_cast<unsigned char>(rest[length])) != 0 || rest[length] == '_'))
                    ++length;
            }
            words_.push_back(rest.substr(0, length));
            i += length;
        }
    }
    bool end() const { return at_ >= words_.size(); }
    std::string peek(std::size_t ahead = 0) const
    {
        return at_ + ahead < words_.size() ? words_[at_ + ahead] : std::string();
    }
    std::string take()
    {
        if (end()) unknown("a line that ends here");
        return words_[at_++];
    }
    bool accept(const std::string& expected)
    {
        if (peek() != expected) return false;
        ++at_;
        return true;
    }
    void expect(const std::string& expected)
    {
        if (!accept(expected)) unknown("'" + peek() + "' where " + expected + " stands");
    }
    unsigned number() { return static_cast<unsigned>(std::stoul(take())); }

private:
    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

bool text_meaning::declaration::has(unsigned number, unsigned component) const
{
    return number >= first && number <= last && (mask >> component & 1U) != 0;
}

unsigned text_meaning::declaration::address(unsigned number, unsigned component) const
{
    return base + (number - first) * stride + 4 * component;
}

std::vector<std::string> text_meaning::programs_of(const std::string& text)
{
    std::vector<std::string> programs;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto first = tokens(line).peek();
        const bool begins = first == "VERT" || first == "TESS_CTRL" || first == "TESS_EVAL" || first == "GEOM";
        if (begins || programs.empty()) programs.emplace_back();
        programs.back() += line + "\n";
    }
    return programs;
}

text_meaning::text_meaning(const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) read_line(line);
}

void text_meaning::read_line(const std::string& line)
{
    tokens words(line);
    if (words.end()) return;
    const auto first = words.peek();
    if (first == "VERT" || first == "TESS_CTRL" || first == "TESS_EVAL" || first == "GEOM") {
        kind_ = first;
        return;
    }
    if (words.accept("PROPERTY")) {
        const auto name = words.take();
        properties_[name] = words.take();
        return;
    }
    if (words.accept("IMM")) {
        if (words.accept("[")) {
            words.take();
            words.expect("]");
        }
        const bool floats = words.take() == "FLT32";
        const auto begin = line.find('{') + 1;
        std::istringstream values(line.substr(begin, line.find('}') - begin));
        vector result{};
        unsigned i = 0;
        for (std::string value; std::getline(values, value, ',');)
            result.at(i++) = floats ? to_bits(std::stof(value)) : static_cast<word>(std::stoll(value, nullptr, 0));
        immediates_.push_back(result);
        return;
    }
    if (words.accept("DCL") || words.peek(1) == "[") {
        declare(words);
        return;
    }
    if (words.peek(1) == ":") {
        words.take();
        words.take();
    }
    instruction result;
    result.opcode = words.take();
    if (result.opcode.size() > 4 && result.opcode.substr(result.opcode.size() - 4) == "_SAT") {
        result.saturate = true;
        result.opcode.resize(result.opcode.size() - 4);
    }
    while (!words.end()) {
        result.operands.push_back(read_operand(words));
        if (!words.accept(",")) break;
    }
    instructions_.push_back(std::move(result));
}

void text_meaning::declare(tokens& words)
{
    declaration result;
    result.file = words.take();
    words.expect("[");
    if (words.accept("]")) words.expect("["); // the vertex
    result.first = result.last = words.number();
    if (words.accept("..")) result.last = words.number();
    words.expect("]");
    if (words.accept("[")) { // the first was a buffer's number
        result.first = result.last = words.number();
        if (words.accept("..")) result.last = words.number();
        words.expect("]");
    }
    unsigned mask = 0;
    if (words.accept(".")) mask = mask_of(words.take());
    unsigned semantic_index = result.first, fraction = 0;
    bool range = false;
    result.semantic = result.file == "SV" ? "" : "GENERIC"; // what vertex attributes without a semantic are
    bool named = false;
    while (words.accept(",")) {
        const auto name = words.take();
        if (name == "ARRAY") {
            words.expect("(");
            result.array = words.number();
            words.expect(")");
        } else if (name == "COMPONENT_INDEX") {
            result.by_component = true;
        } else if (!named && (meaning_of(name) != nullptr || result.file == "SV")) {
            named = true;
            result.semantic = name;
            semantic_index = 0;
            if (words.accept("[")) {
                result.anywhere = words.peek() == "]";
                if (!result.anywhere) semantic_index = words.number();
                if (words.accept("..")) {
                    range = true;
                    words.take();
                }
                words.expect("]");
            }
            if (words.accept(".")) fraction = component_of(words.take()[0]);
        } else {
            unknown(name);
        }
    }
    result.mask = mask != 0 ? mask : 0xf;
    if (const auto* row = meaning_of(result.semantic)) {
        if (mask == 0) result.mask = (1U << row->components) - 1;
        result.patch = row->patch;
        const bool packed = !range && (result.mask == 1 || result.mask == 3 || result.mask == 7 || result.mask == 15);
        result.stride = packed ? 4 * ones(result.mask) : 16;
        result.base = row->address + 16 * semantic_index + 4 * fraction;
    }
    declarations_.push_back(result);
}

text_meaning::operand text_meaning::read_operand(tokens& words)
{
    operand result;
    result.negate = words.accept("-");
    result.absolute = words.accept("|");
    result.file = words.take();
    const auto array = [&] {
        if (!words.accept("(")) return false;
        words.accept("array");
        result.array = words.number();
        words.expect(")");
        return true;
    };
    result.array_first = array();
    while (words.accept("[")) {
        index bracket;
        if (is_name(words.peek())) {
            bracket.file = words.take();
            words.expect("[");
            bracket.number = words.number();
            words.expect("]");
            if (words.accept(".")) bracket.component = component_of(words.take()[0]);
            if (words.accept("+"))
                bracket.offset = static_cast<int>(words.number());
            else if (words.accept("-"))
                bracket.offset = -static_cast<int>(words.number());
        } else {
            bracket.offset = static_cast<int>(words.number());
        }
        words.expect("]");
        result.brackets.push_back(bracket);
    }
    array();
    if (words.accept(".")) result.letters = words.take();
    if (result.absolute) words.expect("|");
    return result;
}

std::string text_meaning::property(const std::string& name, const std::string& fallback) const
{
    const auto found = properties_.find(name);
    return found == properties_.end() ? fallback : found->second;
}

unsigned text_meaning::number(const std::string& name, unsigned fallback) const
{
    return static_cast<unsigned>(std::stoul(property(name, std::to_string(fallback))));
}

std::vector<unsigned> text_meaning::outputs() const
{
    std::vector<unsigned> result;
    for (const auto& [address, value] : all_outputs({})) result.push_back(address);
    return result;
}

void text_meaning::choose_place(const std::string& file, unsigned first, unsigned address)
{
    for (auto& each : declarations_)
        if (each.file == file && each.first == first && each.anywhere) each.base = address;
}

const text_meaning::declaration* text_meaning::array_of(const operand& access) const
{
    for (const auto& each : declarations_)
        if (access.array != 0 && each.file == access.file && each.array == access.array) return &each;
    return nullptr;
}

/// The register `number` and component `at` that a component of an access means. False when it lies outside its array.
bool text_meaning::locate(state& now, const operand& access, unsigned component, const declaration*& owner,
                          unsigned& number, unsigned& element) const
{
    const auto& last = access.brackets.back();
    std::int64_t run_time = 0;
    if (!last.file.empty())
        run_time = static_cast<std::int32_t>(now.registers[{last.file, last.number}][last.component]);
    owner = array_of(access);
    element = component;
    std::int64_t position = last.offset; // registers
    if (owner == nullptr) {
        number = static_cast<unsigned>(position + run_time);
        return true;
    }
    if (!access.array_first) position -= owner->first;
    const std::int64_t count = owner->last - owner->first + 1;
    if (owner->by_component && !last.file.empty()) {
        const auto width = static_cast<std::int64_t>(ones(owner->mask));
        const std::int64_t scalar = run_time + width * position + component;
        if (scalar < 0 || scalar >= width * count) return false;
        position = scalar / width;
        element = static_cast<unsigned>(scalar % width);
    } else {
        position += run_time;
    }
    if (position < 0 || position >= count) return false;
    number = owner->first + static_cast<unsigned>(position);
    return true;
}

word text_meaning::read_scalar(std::vector<state>& all, std::size_t t, const thread& reader, const scalars& patch,
                               const operand& access, unsigned component) const
{
    auto& now = all[t];
    const declaration* owner = nullptr;
    unsigned number = 0, element = 0;
    if (!locate(now, access, component, owner, number, element)) return 0;
    if (access.file == "IMM") return immediates_.at(number)[element];
    if (access.file == "TEMP" || access.file == "ADDR") return now.registers[{access.file, number}][element];
    unsigned vertex = 0;
    if (access.brackets.size() == 2) {
        const auto& first = access.brackets.front();
        vertex = static_cast<unsigned>(first.offset);
        if (!first.file.empty()) vertex += now.registers[{first.file, first.number}][first.component];
    }
    if (access.file == "CONST") return reader.constant(vertex, 16 * number + 4 * element);
    for (const auto& each : declarations_) {
        if (each.file != access.file || number < each.first || number > each.last) continue;
        if (each.semantic == "TESSCOORD") return element == 0 ? reader.u : element == 1 ? reader.v : 0;
        const auto value = reader.values.find(each.semantic);
        if (value != reader.values.end()) return value->second;
        if (access.file == "SV") unknown(each.semantic);
        if (!each.has(number, element)) continue;
        const unsigned address = each.address(number, element);
        if (each.patch) {
            const auto found = patch.find(address);
            return found == patch.end() ? 0 : found->second;
        }
        if (access.file == "IN") return reader.input(vertex, address);
        return vertex < all.size() ? all[vertex].outputs[address] : 0; // another thread's
    }
    return 0;
}

word text_meaning::read_component(std::vector<state>& all, std::size_t t, const thread& reader, const scalars& patch,
                                  const operand& access, unsigned component, bool integer) const
{
    const auto& letters = access.letters;
    const unsigned read =
        letters.empty() ? component : component_of(letters[std::min<std::size_t>(component, letters.size() - 1)]);
    word value = read_scalar(all, t, reader, patch, access, read);
    if (access.absolute) value &= 0x7fffffffU;
    if (access.negate) value = integer ? 0U - value : value ^ 0x80000000U;
    return value;
}

unsigned text_meaning::written(const operand& access) const
{
    if (!access.letters.empty()) return mask_of(access.letters);
    if (access.file != "OUT") return 0xf;
    if (const auto* array = array_of(access)) return array->mask;
    const auto number = static_cast<unsigned>(access.brackets.back().offset);
    for (const auto& each : declarations_)
        if (each.file == "OUT" && number >= each.first && number <= each.last) return each.mask;
    unknown("an output that is not declared");
}

void text_meaning::write(state& now, scalars& patch, const operand& access, const vector& value) const
{
    const unsigned mask = written(access);
    for (unsigned c = 0; c < 4; ++c) {
        if ((mask >> c & 1U) == 0) continue;
        const declaration* owner = nullptr;
        unsigned number = 0, element = 0;
        if (!locate(now, access, c, owner, number, element)) continue;
        if (access.file != "OUT") {
            now.registers[{access.file, number}][element] = value[c];
            continue;
        }
        for (const auto& each : declarations_)
            if (each.file == "OUT" && each.has(number, element))
                (each.patch ? patch : now.outputs)[each.address(number, element)] = value[c];
    }
}

std::map<unsigned, word> text_meaning::all_outputs(const state& now) const
{
    scalars result;
    for (const auto& each : declarations_) {
        if (each.file != "OUT" || each.patch) continue;
        for (unsigned number = each.first; number <= each.last; ++number)
            for (unsigned c = 0; c < 4; ++c) {
                if (!each.has(number, c)) continue;
                const auto found = now.outputs.find(each.address(number, c));
                result[each.address(number, c)] = found == now.outputs.end() ? 0 : found->second;
            }
    }
    return result;
}

namespace {

word dot(const std::array<word, 4>& a, const std::array<word, 4>& b, unsigned count)
{
    float sum = to_float(a[0]) * to_float(b[0]);
    for (unsigned i = 1; i < count; ++i) sum = std::fma(to_float(a[i]), to_float(b[i]), sum);
    return to_bits(sum);
}

word compute(const std::string& op, unsigned i, const std::array<std::array<word, 4>, 3>& s)
{
    const word a = s[0][i], b = s[1][i], c = s[2][i];
    const float x = to_float(a), y = to_float(b), z = to_float(c);
    if (op == "MOV" || op == "UARL") return a;
    if (op == "ADD") return to_bits(x + y);
    if (op == "SUB") return to_bits(x - y);
    if (op == "MUL") return to_bits(x * y);
    if (op == "MAD") return to_bits(std::fma(x, y, z));
    if (op == "MIN") return to_bits(y < x ? y : x);
    if (op == "MAX") return to_bits(x < y ? y : x);
    if (op == "DP2") return dot(s[0], s[1], 2);
    if (op == "DP3") return dot(s[0], s[1], 3);
    if (op == "DP4") return dot(s[0], s[1], 4);
    if (op == "ARL") return static_cast<word>(static_cast<std::int32_t>(std::floor(x)));
    if (op == "F2I") return static_cast<word>(static_cast<std::int32_t>(x));
    if (op == "U2F") return to_bits(static_cast<float>(a));
    if (op == "I2F") return to_bits(static_cast<float>(static_cast<std::int32_t>(a)));
    if (op == "UADD") return a + b;
    if (op == "UMUL") return a * b;
    if (op == "UMAD") return a * b + c;
    if (op == "AND") return a & b;
    if (op == "OR") return a | b;
    if (op == "XOR") return a ^ b;
    if (op == "SHL") return a << (b % 32);
    if (op == "INEG") return 0U - a;
    unknown(op);
}

} // namespace

std::vector<std::vector<text_meaning::event>> text_meaning::run(const std::vector<thread>& threads,
                                                                scalars& patch) const
{
    static const std::set<std::string> integer = {"UARL", "UADD", "UMUL", "UMAD", "AND", "OR",
                                                  "XOR",  "SHL",  "INEG", "I2F",  "U2F"};
    std::vector<state> all(threads.size());
    for (const auto& each : instructions_) {
        if (each.opcode == "END") break;
        if (each.opcode == "NOP" || each.opcode == "BARRIER") continue;
        std::vector<vector> results(threads.size());
        for (std::size_t t = 0; t < threads.size(); ++t) {
            const auto& reader = threads[t];
            if (each.opcode == "EMIT" || each.opcode == "ENDPRIM") {
                const unsigned stream =
                    each.operands.empty() ? 0 : read_component(all, t, reader, patch, each.operands[0], 0, true);
                const bool cut = each.opcode == "ENDPRIM";
                all[t].events.push_back({cut, stream, cut ? scalars{} : all_outputs(all[t])});
                if (!cut) all[t].outputs.clear();
                continue;
            }
            std::array<vector, 3> sources{};
            for (std::size_t s = 1; s < each.operands.size(); ++s)
                for (unsigned c = 0; c < 4; ++c)
                    sources.at(s - 1)[c] =
                        read_component(all, t, reader, patch, each.operands[s], c, integer.count(each.opcode) != 0);
            for (unsigned c = 0; c < 4; ++c) {
                results[t][c] = compute(each.opcode, c, sources);
                if (each.saturate) results[t][c] = to_bits(std::fmin(std::fmax(to_float(results[t][c]), 0.0F), 1.0F));
            }
        }
        if (each.opcode == "EMIT" || each.opcode == "ENDPRIM") continue;
        for (std::size_t t = 0; t < threads.size(); ++t) write(all[t], patch, each.operands.front(), results[t]);
    }
    std::vector<std::vector<event>> events;
    for (auto& now : all) {
        if (kind_ != "GEOM") now.events.push_back({false, 0, all_outputs(now)});
        events.push_back(std::move(now.events));
    }
    return events;
}

std::vector<text_meaning::event> text_meaning::run(const thread& one) const
{
    scalars patch;
    return run(std::vector<thread>{one}, patch).front();
}

} // namespace isbesim::test
