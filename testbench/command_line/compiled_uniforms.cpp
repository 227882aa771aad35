// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/compiled_uniforms.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <set>
#include <sstream>

#include "testbench/files/nearest.h"
#include "testbench/gl/compile/uniform_list.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Calls `each` with every word of the constants and the word's place.
template <typename Each>
void for_each_word(const std::map<stage, isa::constant_banks>& constants, Each&& each)
{
    for (const auto& [reader, banks] : constants)
        for (unsigned bank = 0; bank < banks.size(); ++bank)
            for (std::size_t i = 0; i < banks[bank].size(); ++i)
                each(banks[bank][i], uniform_place{reader, bank, 4 * i});
}

/// The word `bytes` after a place; 0 past the end of its bank.
word word_at(const std::map<stage, isa::constant_banks>& constants, const uniform_place& place, std::uint64_t bytes = 0)
{
    const auto& bank = constants.at(*place.reader).at(place.bank);
    const auto i = (place.offset + bytes) / 4;
    return i < bank.size() ? bank[i] : 0;
}

/// Places by key (uniform_list.h). The last draw has keys for values, each draw before it one bit of a boolean's key.
std::map<word, std::vector<uniform_place>> places_of(const std::vector<key_draw>& key_draws)
{
    if (key_draws.empty()) return {};
    auto found = key_draws.back().in_memory;
    for_each_word(key_draws.back().constants, [&](word value, const uniform_place& place) {
        if (value >= first_key) found[value].push_back(place);
    });
    if (key_draws.size() == 1) return found;
    std::map<stage, isa::constant_banks> longest; // only the sizes matter
    for (const auto& draw : key_draws)
        for (const auto& [reader, banks] : draw.constants)
            for (unsigned bank = 0; bank < banks.size(); ++bank) {
                auto& known = longest[reader].at(bank);
                known.resize(std::max(known.size(), banks[bank].size()));
            }
    for_each_word(longest, [&](word, const uniform_place& place) {
        word key = 0;
        for (std::size_t bit = 0; bit + 1 < key_draws.size(); ++bit)
            if (word_at(key_draws[bit].constants, place) != 0) key |= word{1} << bit;
        if (key != 0) found[key].push_back(place);
    });
    return found;
}

/// A number as JSON; null for other text.
json::value number_in(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text == "true" || text == "false") return text == "true";
    const bool hex = text.substr(0, 2) == "0x";
    const auto digits = text.substr(hex ? 2 : !text.empty() && text.front() == '+' ? 1 : 0);
    if (digits.size() < text.size() && !digits.empty() && digits.front() == '-') return nullptr; // +-1, 0x-1
    const auto* const end = digits.data() + digits.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(digits.data(), end, whole, hex ? 16 : 10);
        read.ec == std::errc() && read.ptr == end)
        return whole;
    double real = 0;
    if (const auto read = std::from_chars(digits.data(), end, real); !hex && read.ec == std::errc() && read.ptr == end)
        return real;
    return nullptr;
}

struct uniform_element {
    std::string name; ///< of the uniform's entry; empty: no such uniform
    std::uint64_t element = 0;
};

/// The entry for a name, which may have an element's number: w[3] is in w, s[3].pos in s[].pos.
uniform_element find_uniform(const named_uniforms& uniforms, const std::string& name)
{
    if (uniforms.count(name) != 0) return {name};
    for (auto open = name.find('['); open != name.npos; open = name.find('[', open + 1)) {
        const auto close = name.find(']', open);
        std::uint64_t element = 0;
        const auto* const end = name.data() + std::min(close, name.size());
        const auto read = std::from_chars(name.data() + open + 1, end, element);
        if (close == name.npos || read.ec != std::errc() || read.ptr != end) return {};
        auto array = name;
        array.erase(open + 1, close - open - 1);
        if (close + 1 == name.size()) array.erase(open);
        if (const auto found = uniforms.find(array); found != uniforms.end() && element < found->second.count)
            return {array, element};
    }
    return {};
}

} // namespace

key_draw::key_draw(const gl::built_draw& draw)
{
    for (const auto& [which, program] : draw.call.stages) constants[which] = program.constants;
    for (const auto& buffer : draw.memory) {
        for (const auto& run : buffer.touched) {
            for (std::size_t offset = 0; offset + 4 <= run.bytes; offset += 4) {
                word value = 0;
                std::memcpy(&value, run.data + offset, sizeof value);
                if (value >= first_key && value < first_key + (most_listed << 8))
                    in_memory[value].push_back({{}, 0, run.address + offset});
            }
        }
    }
}

named_uniforms read_uniform_list(const std::string& list, const written_draw& written,
                                 const std::vector<key_draw>& key_draws, bool constants_only)
{
    const auto places = places_of(key_draws);
    std::map<stage, isa::constant_banks> constants;
    for (const auto& [which, program] : written.call.stages) constants[which] = program.constants;
    named_uniforms result;
    std::istringstream lines(list);
    std::string name;
    uniform each;
    word key = 0;
    while (lines >> name >> each.type >> each.count >> key >> each.array_stride >> each.matrix_stride >> each.by_rows) {
        const auto shape = shape_of(each.type);
        const auto places_at = [&](word number) { return places.find(key + number * shape.number_bytes() / 4); };
        each.places.clear();
        each.value.clear();
        if (const auto found = places_at(0); key != 0 && found != places.end())
            std::copy_if(
                found->second.begin(), found->second.end(), std::back_inserter(each.places), [&](const auto& one) {
                    return one.reader || (written.memory != nullptr && written.memory->find(one.offset, 4) != nullptr);
                });
        // OpenGL's driver sends constants through buffers, which no program reads.
        if (const auto by_address = [](const auto& one) { return !one.reader; };
            constants_only && !std::all_of(each.places.begin(), each.places.end(), by_address))
            each.places.erase(std::remove_if(each.places.begin(), each.places.end(), by_address), each.places.end());
        if (!each.places.empty()) {
            const auto& place = each.places.front();
            const auto stride_to = [&](word number, std::uint64_t usual) {
                const auto next = places_at(number);
                if (next == places.end()) return usual;
                for (const auto& one : next->second)
                    if (one.reader == place.reader && one.bank == place.bank) return one.offset - place.offset;
                return usual;
            };
            if (each.matrix_stride == 0)
                each.matrix_stride = shape.columns == 1 ? shape.rows * shape.number_bytes() : stride_to(shape.rows, 16);
            if (each.array_stride == 0)
                each.array_stride =
                    each.count == 1 ? shape.columns * each.matrix_stride : stride_to(shape.numbers(), 16);
            const auto value_at = [&](std::uint64_t i, unsigned further) {
                return word_at(constants, place, each.offset_of(shape, i) + further);
            };
            bool has_value = false;
            for (std::uint64_t i = 0; place.reader && i < each.count * shape.numbers(); ++i) {
                each.value.push_back(number_of(shape.kind, value_at(i, 0), value_at(i, 4)));
                has_value = has_value || value_at(i, 0) != 0 || (shape.kind == 'd' && value_at(i, 4) != 0);
            }
            if (!has_value) each.value.clear();
        }
        result[name] = each;
    }
    return result;
}

void give_values(named_uniforms& uniforms, const std::vector<std::string>& values, const command_arguments& arguments)
{
    std::vector<std::string> names;
    for (const auto& [name, each] : uniforms) names.push_back(name);
    std::set<std::string> named;
    for (const auto& option : values) {
        const auto place = arguments.place_of_value("--uniform", named.size());
        const auto sign = option.find('=');
        const auto name = option.substr(0, sign);
        if (sign == option.npos || sign == 0)
            throw input_error(place, "--uniform is '" + option + "', expected NAME=VALUE,... as in scale=1.5,2");
        const auto found = find_uniform(uniforms, name);
        if (found.name.empty())
            throw input_error(place, "'" + name + "' is no uniform of these programs, expected " +
                                         (names.empty() ? "no --uniform: they have none" : nearest_list(name, names)));
        if (!named.insert(name).second)
            throw input_error(place, "'" + name + "' has two values, expected one --uniform for each name");
        auto& entry = uniforms.at(found.name);
        uniform set = entry;
        set.count = entry.count - found.element;
        set.value.clear();
        std::istringstream words(option.substr(sign + 1));
        for (std::string text; std::getline(words, text, ',');) {
            set.value.push_back(number_in(text));
            if (set.value.back().is_null()) set.value.back() = json::string(text);
        }
        if (const auto problem = problem_of(set); !problem.empty())
            throw input_error(place, "'" + name + "' " + problem);
        const auto first = found.element * shape_of(entry.type).numbers();
        if (entry.value.size() < first + set.value.size())
            entry.value.resize(first + set.value.size(),
                               shape_of(entry.type).kind == 'b' ? json::value(false) : json::value(0));
        std::copy(set.value.begin(), set.value.end(), entry.value.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

} // namespace isbesim::testbench
