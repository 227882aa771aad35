// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <boost/json.hpp>

namespace isbesim::testbench {

namespace {

struct piece {
    std::size_t begin;
    std::size_t length;
};

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

std::vector<piece> tokens_of(const std::string& text)
{
    std::vector<piece> tokens;
    for (std::size_t position = 0; position < text.size();) {
        std::size_t end = position + 1;
        if (text[position] == '"') {
            end = std::min(text.find('"', position + 1), text.size() - 1) + 1;
        } else if (is_word(text[position])) {
            while (end < text.size() && is_word(text[end])) ++end;
        } else if (std::isspace(static_cast<unsigned char>(text[position])) != 0) {
            position = end;
            continue;
        }
        tokens.push_back({position, end - position});
        position = end;
    }
    return tokens;
}

std::vector<piece> lines_of(const std::string& text)
{
    std::vector<piece> lines;
    for (std::size_t position = 0; position < text.size();) {
        const auto end = std::min(text.find('\n', position), text.size() - 1) + 1;
        lines.push_back({position, end - position});
        position = end;
    }
    return lines;
}

/// Takes a piece out, doubles it, or puts another one in its place.
void change_piece(std::string& text, const std::vector<piece>& pieces, random_numbers& random)
{
    if (pieces.empty()) return;
    const auto one = random.pick(pieces);
    const auto other = random.pick(pieces);
    const auto content = text.substr(other.begin, other.length);
    switch (random.below(3)) {
    case 0:
        text.erase(one.begin, one.length);
        break;
    case 1:
        text.insert(one.begin, content);
        break;
    default:
        text.replace(one.begin, one.length, content);
        break;
    }
}

namespace json = boost::json;

void collect(json::value& value, std::vector<json::value*>& values)
{
    values.push_back(&value);
    if (auto* object = value.if_object()) {
        for (auto& entry : *object) collect(entry.value(), values);
    } else if (auto* array = value.if_array()) {
        for (std::size_t i = 0; i < std::min<std::size_t>(array->size(), 16); ++i) collect((*array)[i], values);
    }
}

/// The words of a spice that are JSON.
json::value spice_value(const std::vector<std::string>& spice, random_numbers& random)
{
    boost::system::error_code failure;
    const auto value = json::parse(random.pick(spice), failure);
    return failure ? json::value(random.below(100)) : value;
}

void change_number(json::value& value, random_numbers& random)
{
    const auto number = value.to_number<double>();
    const std::int64_t steps[] = {1, -1, 2, 16, -16, 1000};
    switch (random.below(3)) {
    case 0:
        value = static_cast<std::int64_t>(number) + steps[random.below(std::size(steps))];
        break;
    case 1:
        value = static_cast<std::int64_t>(number) * 2;
        break;
    default:
        value = number + 0.5;
        break;
    }
}

void change_members(json::object& object, const json::value& document, const std::vector<std::string>& spice,
                    random_numbers& random)
{
    if (object.empty()) return;
    const auto one = object.begin() + random.below(object.size());
    const std::string key(one->key());
    switch (random.below(3)) {
    case 0:
        object.erase(key);
        break;
    case 1: { // a member under a name that another object of the document has, or close to it
        json::value copy = document;
        std::vector<json::value*> values;
        collect(copy, values);
        auto* donor = random.pick(values)->if_object();
        const auto name = donor == nullptr || donor->empty()
                              ? key + "x"
                              : std::string((donor->begin() + random.below(donor->size()))->key());
        const json::value content = one->value();
        object[name] = content;
        break;
    }
    default:
        object[key] = spice_value(spice, random);
        break;
    }
}

} // namespace

std::string mutated_json(const std::string& text, const std::vector<std::string>& spice, random_numbers& random)
{
    auto document = json::parse(text);
    const auto times = 1 + random.below(3);
    for (std::size_t i = 0; i < times; ++i) {
        const json::value before = document;
        std::vector<json::value*> values;
        collect(document, values);
        auto& one = *random.pick(values);
        const auto what = random.below(4);
        if (what == 0 && one.is_number()) {
            change_number(one, random);
        } else if (what <= 1 && one.is_object()) {
            change_members(one.get_object(), before, spice, random);
        } else if (what <= 1 && one.is_array() && !one.get_array().empty()) {
            auto& array = one.get_array();
            const auto position = array.begin() + random.below(array.size());
            if (random.one_in(2))
                array.erase(position);
            else
                array.insert(position, json::value(*position));
        } else if (what == 2 && values.size() > 1) {
            const json::value other = *random.pick(values);
            one = other;
        } else if (&one != &document) {
            one = spice_value(spice, random);
        }
    }
    return json::serialize(document);
}

std::string mutated_bytes(std::string bytes, const std::string& other, random_numbers& random)
{
    const bool gentle = random.one_in(2); // a bit or two: most of it stays what it was
    const auto times = 1 + random.below(gentle ? 2 : 4);
    for (std::size_t i = 0; i < times; ++i) {
        const auto position = random.below(bytes.size());
        const auto length = 1 + random.below(std::max<std::size_t>(1, bytes.size() / 4));
        switch (bytes.empty() ? 3 : gentle ? 0 : random.below(8)) {
        case 0:
            bytes[position] = static_cast<char>(static_cast<unsigned char>(bytes[position]) ^ 1U << random.below(8));
            break;
        case 1:
            bytes[position] = static_cast<char>(random.next());
            break;
        case 2:
            bytes.erase(position, random.one_in(2) ? 1 : length);
            break;
        case 3:
            bytes.insert(position, 1, static_cast<char>(random.next()));
            break;
        case 4:
            bytes.insert(position, bytes.substr(position, length));
            break;
        case 5:
            bytes.resize(random.one_in(2) ? position : position / 8 * 8);
            break;
        case 6:
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(position),
                        std::min(length, bytes.size() - position), random.one_in(2) ? '\0' : '\xff');
            break;
        default:
            if (!other.empty()) {
                const auto first = random.below(other.size()) / 8 * 8;
                bytes.replace(position / 8 * 8, length, other.substr(first, length));
            }
            break;
        }
    }
    return bytes;
}

std::string mutated_text(std::string text, const std::vector<std::string>& spice, random_numbers& random)
{
    const auto times = 1 + random.below(3);
    for (std::size_t i = 0; i < times; ++i) {
        const auto what = random.below(10);
        if (what == 0) {
            text = mutated_bytes(text, text, random);
        } else if (what <= 2) {
            change_piece(text, lines_of(text), random);
        } else if (what <= 5) {
            change_piece(text, tokens_of(text), random);
        } else {
            const auto tokens = tokens_of(text);
            if (tokens.empty()) continue;
            const auto one = random.pick(tokens);
            text.replace(one.begin, one.length, random.pick(spice));
        }
    }
    return text;
}

} // namespace isbesim::testbench
