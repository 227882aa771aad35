// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/uniforms.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "models/isbe/functional/names.h"
#include "models/pe/front_end/program_accesses.h"
#include "testbench/files/json_text.h"
#include "testbench/scenario/draw_names.h"
#include "testbench/scenario/memory_image.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr std::uint64_t bank_bytes = 0x10000;

bool is_digit(char letter)
{
    return letter >= '2' && letter <= '4';
}

std::string text_of(const json::value& number)
{
    auto text = json_text(number);
    text.pop_back(); // the end of the line
    return text;
}

const char* number_text_of(char kind)
{
    switch (kind) {
    case 'i':
        return "whole numbers from -2147483648 to 2147483647";
    case 'u':
        return "whole numbers from 0 to 4294967295";
    case 'b':
        return "true, false, 1 or 0";
    default:
        return kind == 'd' ? "finite numbers" : "numbers of 32-bit floats";
    }
}

} // namespace

uniform_shape shape_of(std::string_view type)
{
    uniform_shape shape;
    for (const auto& [name, kind] :
         {std::pair{"float", 'f'}, {"double", 'd'}, {"int", 'i'}, {"uint", 'u'}, {"bool", 'b'}})
        if (type == name) shape.kind = kind;
    if (shape.kind != 0) return shape;
    shape.kind = 'f';
    if (const auto position = type.find("sampler"); position < 2) { // the texel of a texture of one texel
        if (position == 1) shape.kind = type[0];
        shape.rows = 4;
        for (const auto* none : {"Buffer", "Shadow", "MS"})
            if (type.find(none) != type.npos) return {};
        return shape;
    }
    if (!type.empty() && std::string_view("diub").find(type[0]) != std::string_view::npos) {
        shape.kind = type[0];
        type.remove_prefix(1);
    }
    const auto form = type.substr(0, 3);
    type.remove_prefix(form.size());
    const bool square = type.size() == 1 && is_digit(type[0]);
    const bool oblong = type.size() == 3 && is_digit(type[0]) && type[1] == 'x' && is_digit(type[2]);
    const auto size = [&](std::size_t i) { return static_cast<unsigned>(type[i] - '0'); };
    if (form == "vec" && square)
        shape.rows = size(0);
    else if (form == "mat" && (square || oblong) && (shape.kind == 'f' || shape.kind == 'd'))
        shape.columns = size(0), shape.rows = size(square ? 0 : 2);
    else
        return {};
    return shape;
}

std::uint64_t uniform::offset_of(const uniform_shape& shape, std::uint64_t i) const
{
    const auto element = i / shape.numbers(), column = i / shape.rows % shape.columns, row = i % shape.rows;
    return element * array_stride + (by_rows ? row : column) * matrix_stride +
           (by_rows ? column : row) * shape.number_bytes();
}

std::uint64_t uniform::bytes() const
{
    const auto shape = shape_of(type);
    return offset_of(shape, count * shape.numbers() - 1) + shape.number_bytes();
}

std::vector<word> words_of(char kind, const json::value& number)
{
    if (kind == 'b') {
        if (number.is_bool()) return {number.as_bool() ? ~word{0} : 0};
        const bool one = number.is_int64() && (number.as_int64() == 0 || number.as_int64() == 1);
        return one ? std::vector<word>{number.as_int64() != 0 ? ~word{0} : 0} : std::vector<word>{};
    }
    if (!number.is_number()) return {};
    const auto value = number.to_number<double>();
    if (!std::isfinite(value)) return {};
    if (kind == 'i' || kind == 'u') {
        const bool is_signed = kind == 'i';
        if (value != std::floor(value) || value < (is_signed ? -2147483648.0 : 0.0) ||
            value > (is_signed ? 2147483647.0 : 4294967295.0))
            return {};
        return {static_cast<word>(static_cast<std::int64_t>(value))};
    }
    if (kind == 'd') {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        return {static_cast<word>(bits), static_cast<word>(bits >> 32U)};
    }
    const auto single = static_cast<float>(value);
    if (!std::isfinite(single)) return {};
    word bits = 0;
    std::memcpy(&bits, &single, sizeof bits);
    return {bits};
}

json::value number_of(char kind, word low, word high)
{
    switch (kind) {
    case 'b':
        return low != 0;
    case 'i':
        return static_cast<std::int32_t>(low);
    case 'u':
        return low;
    default:
        break;
    }
    if (kind == 'd') {
        const std::uint64_t bits = std::uint64_t{high} << 32U | low;
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    float value = 0;
    std::memcpy(&value, &low, sizeof value);
    return double{value};
}

std::string problem_of(const uniform& with)
{
    const auto shape = shape_of(with.type);
    if (shape.kind == 0) return "is " + with.type + " and takes no value here, expected its texels in 'memory'";
    if (with.places.empty()) return "has no place in this draw: no program reads it";
    const auto each = shape.numbers();
    const auto numbers = with.value.size();
    const auto number = std::find_if(with.value.begin(), with.value.end(),
                                     [&](const auto& one) { return words_of(shape.kind, one).empty(); });
    if (number != with.value.end())
        return "is " + with.type + " and gets " + text_of(*number) + ", expected " + number_text_of(shape.kind);
    if (numbers != 0 && numbers % each == 0 && numbers / each <= with.count) return "";
    std::string expected = std::to_string(each);
    if (with.count > 1) {
        expected = each == 1 ? "1" : "a multiple of " + expected;
        expected += (each == 1 ? " to " : ", at most ") + std::to_string(each * with.count);
    }
    return "is " + with.type + (with.count > 1 ? "[" + std::to_string(with.count) + "]" : "") + " and gets " +
           std::to_string(numbers) + (numbers == 1 ? " number" : " numbers") + ", expected " + expected;
}

json::object uniforms_json(const std::map<std::string, uniform>& uniforms)
{
    json::object result;
    for (const auto& [name, each] : uniforms) {
        json::object one{{"type", each.type}};
        if (each.count != 1) one["count"] = each.count;
        if (each.count != 1 && each.array_stride != 0) one["array_stride"] = each.array_stride;
        if (shape_of(each.type).columns != 1) one["matrix_stride"] = each.matrix_stride;
        if (each.by_rows) one["row_major"] = true;
        json::array places;
        for (const auto& place : each.places) {
            if (place.reader)
                places.push_back(json::object{
                    {"stage", name_of(*place.reader)}, {"bank", place.bank}, {"offset", hex(place.offset)}});
            else
                places.push_back(json::object{{"address", hex(place.offset)}});
        }
        one["places"] = std::move(places);
        if (!each.value.empty()) one["value"] = each.value;
        result[name] = std::move(one);
    }
    return result;
}

namespace {

uniform_place read_place(const scenario_reader& in, const json::value& value, const std::string& what)
{
    in.document.only_keys(value, what, uniform_place_form().names());
    uniform_place place;
    if (json_document::find(value, "address") != nullptr) {
        for (const auto* key : {"stage", "bank", "offset"})
            if (json_document::find(value, key) != nullptr)
                in.document.fail_key(value, key,
                                     std::string("'") + key + "' beside 'address', expected one or the other");
        place.offset = memory_address(in.document, value, what);
        return place;
    }
    const auto& reader = in.document.member(value, "stage", what);
    const auto* known = find_name(stage_keys, in.document.text(reader, "stage"));
    if (known == nullptr || in.result.draw.stages.count(known->stage) == 0)
        in.document.fail(reader, what + " is in stage " + text_of(reader) + ", expected a stage of this draw");
    place.reader = known->stage;
    place.bank = static_cast<unsigned>(
        in.document.integer(in.document.member(value, "bank", what), "bank", uniform_place_form().range("bank")));
    const auto& offset = in.document.member(value, "offset", what);
    place.offset = parse_memory_address(in.document, offset);
    if (place.offset % 4 != 0 || place.offset >= bank_bytes)
        in.document.fail(offset, "offset is " + hex(place.offset) + ", expected a multiple of 4 below 0x10000");
    return place;
}

uniform read_uniform(const scenario_reader& in, const json::value& value, const std::string& what)
{
    const auto& keys = uniform_form();
    in.document.only_keys(value, what, keys.names());
    uniform read;
    read.type = in.document.text(in.document.member(value, "type", what), "type");
    for (const auto& [key, target] : {std::pair{"count", &read.count},
                                      {"array_stride", &read.array_stride},
                                      {"matrix_stride", &read.matrix_stride}})
        if (const auto* given = json_document::find(value, key))
            *target = in.document.integer(*given, key, keys.range(key));
    for (const auto* stride : {"array_stride", "matrix_stride"})
        if (const auto* given = json_document::find(value, stride);
            given != nullptr && given->to_number<std::uint64_t>() % 4 != 0)
            in.document.fail(*given, std::string(stride) + " is " + text_of(*given) + ", expected a multiple of 4");
    const auto shape = shape_of(read.type);
    if (read.matrix_stride == 0) read.matrix_stride = shape.rows * shape.number_bytes();
    if (read.array_stride == 0) read.array_stride = shape.columns * read.matrix_stride;
    if (const auto* rows = json_document::find(value, "row_major"))
        read.by_rows = in.document.boolean(*rows, "row_major");
    for (const auto& place : in.document.array(in.document.member(value, "places", what), "places"))
        read.places.push_back(read_place(in, place, "a place of " + what));
    if (const auto* given = json_document::find(value, "value")) {
        if (shape.kind == 0) { // the data in memory defines the shape
            in.document.text(*given, "value");
            read.value.push_back(*given);
            return read;
        }
        read.value = in.document.array(*given, "value");
        if (const auto problem = problem_of(read); !problem.empty()) in.document.fail(*given, what + " " + problem);
    }
    return read;
}

/// Writes a value into its places.
void store(scenario_reader& in, const json::value& place_in_file, const std::string& what, const uniform& value)
{
    const auto shape = shape_of(value.type);
    for (const auto& place : value.places) {
        if (place.reader && place.offset + value.bytes() > bank_bytes)
            in.document.fail(place_in_file, what + " runs past the end of constant bank " + std::to_string(place.bank) +
                                                ", expected at most 65536 bytes");
        for (std::size_t i = 0; i < value.value.size(); ++i) {
            const auto words = words_of(shape.kind, value.value[i]);
            const auto offset = place.offset + value.offset_of(shape, i);
            if (place.reader) {
                auto& bank = in.result.draw.stages.at(*place.reader).constants.at(place.bank);
                bank.resize(std::max<std::size_t>(bank.size(), offset / 4 + words.size()));
                std::copy(words.begin(), words.end(), bank.begin() + static_cast<std::ptrdiff_t>(offset / 4));
                continue;
            }
            auto* bytes = in.result.memory.contents == nullptr
                              ? nullptr
                              : in.result.memory.contents->find(offset, 4 * words.size());
            if (bytes == nullptr)
                in.document.fail(place_in_file, what + " is at " + hex(offset) + ", which no buffer of 'memory' holds");
            std::memcpy(bytes, words.data(), 4 * words.size());
        }
    }
}

/// True if a program may read a part of the value. Reads of memory and of textures are not followed.
bool may_be_read(const std::map<stage, constant_accesses>& accesses, const uniform& value)
{
    if (shape_of(value.type).kind == 0) return true;
    return std::any_of(value.places.begin(), value.places.end(), [&](const uniform_place& place) {
        return !place.reader || accesses.at(*place.reader).reads(place.bank, place.offset, value.bytes());
    });
}

} // namespace

void read_uniforms(scenario_reader& in, const json::value* uniforms)
{
    std::map<stage, constant_accesses> accesses;
    for (const auto& [which, program] : in.result.draw.stages) accesses[which] = constants_of(program.program);
    std::map<stage, std::map<unsigned, bool>> named; // banks that hold uniforms
    std::vector<std::string> missing;
    static const json::object none;
    for (const auto& entry : uniforms != nullptr ? in.document.object(*uniforms, "uniforms") : none) {
        const std::string name(entry.key().data(), entry.key().size());
        const auto what = "uniform '" + name + "'";
        const auto read = read_uniform(in, entry.value(), what);
        if (!read.value.empty() && shape_of(read.type).kind != 0) store(in, entry.value(), what, read);
        for (const auto& place : read.places)
            if (place.reader) named[*place.reader][place.bank] = true;
        if (read.value.empty() && may_be_read(accesses, read)) missing.push_back(name + " (" + read.type + ")");
    }
    if (!missing.empty()) {
        constexpr std::size_t most = 6;
        std::string text = missing.front();
        for (std::size_t i = 1; i < std::min(missing.size(), most); ++i) text += ", " + missing[i];
        if (missing.size() > most) text += " and " + std::to_string(missing.size() - most) + " more";
        in.warn("no_value", in.document.place_of_key(in.document.root(), "uniforms"),
                "the programs read " + text +
                    ", of which the scenario has no value: numbers are 0, textures what they were compiled with");
    }
    const auto& stages = in.document.member(in.document.root(), "stages", "the scenario");
    for (const auto& [which, program] : in.result.draw.stages) {
        std::string text;
        for (unsigned bank = 0; bank < program.constants.size(); ++bank) {
            const auto& words = program.constants[bank];
            if (!words.empty() || named[which][bank]) continue;
            if (const auto range = accesses.at(which).range_of(bank); !range.empty())
                text += (text.empty() ? "" : ", ") + range;
        }
        if (!text.empty())
            in.warn_of_stage("no_constants", which, in.document.place_of_key(stages, name_of(which)),
                             std::string("the program of stage '") + name_of(which) + "' reads constants " + text +
                                 ", of which the scenario has none: they are 0");
    }
}

} // namespace isbesim::testbench
