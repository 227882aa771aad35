// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/texture_tables.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/texture/header.h"
#include "testbench/scenario/memory_image.h"
#include "testbench/scenario/scenario_forms.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

using texture::entry_words;
constexpr std::size_t entry_bytes = 4 * entry_words;

struct table {
    std::uint64_t address = 0;
    std::size_t count = 0;
};

/// The words of all entries, as bytes.
std::vector<std::uint8_t> bytes_of(const json_document& document, const json::array& entries, const std::string& what)
{
    std::vector<std::uint8_t> bytes;
    for (const auto& entry : entries) {
        const auto words = document.words(entry, what);
        if (words.size() != entry_words)
            document.fail(entry, "an entry of " + what + " has " + std::to_string(words.size()) + " words, expected " +
                                     std::to_string(entry_words));
        const std::size_t offset = bytes.size();
        bytes.resize(offset + entry_bytes);
        std::memcpy(bytes.data() + offset, words.data(), entry_bytes);
    }
    return bytes;
}

table read_table(const json_document& document, const json::value& value, const std::string& what, std::size_t most,
                 std::shared_ptr<global_memory>& memory)
{
    document.only_keys(value, what, texture_table_form().names());
    table result;
    result.address = memory_address(document, value, what);
    const auto* entries = json_document::find(value, "entries");
    if (entries == nullptr) {
        const auto& count = document.member(value, "count", what);
        result.count = document.integer(count, "count", 1, most);
        if (memory == nullptr || memory->find(result.address, result.count * entry_bytes) == nullptr)
            document.fail(value, "the " + std::to_string(result.count) + " entries of " + what + " at " +
                                     hex(result.address) + " are not all in one buffer of 'memory'");
        return result;
    }
    if (json_document::find(value, "count") != nullptr)
        document.fail_key(value, "count", "'count' beside 'entries', which has a length of its own");
    const auto& list = document.array(*entries, what);
    result.count = list.size();
    if (list.empty() || list.size() > most)
        document.fail(*entries,
                      what + " has " + std::to_string(list.size()) + " entries, expected 1 to " + std::to_string(most));
    if (memory == nullptr) memory = std::make_shared<global_memory>();
    try {
        memory->add(result.address, bytes_of(document, list, what));
    } catch (const std::invalid_argument& error) {
        document.fail(value, error.what());
    }
    return result;
}

/// Entry `number` of the table at `address`.
texture::entry entry_at(memory_contents& memory, std::uint64_t address, std::size_t number)
{
    texture::entry words{};
    if (const auto* bytes = memory.find(address + number * entry_bytes, entry_bytes))
        std::memcpy(words.data(), bytes, entry_bytes);
    return words;
}

/// Reduces `count` to the last entry that is not 0, but to at least one, and copies the table.
void copy_table(memory_contents& source, std::uint64_t address, std::size_t& count, global_memory& target)
{
    while (count > 1 && entry_at(source, address, count - 1) == texture::entry{}) --count;
    std::vector<std::uint8_t> bytes(count * entry_bytes);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(bytes.data() + i * entry_bytes, entry_at(source, address, i).data(), entry_bytes);
    target.add(address, bytes);
}

/// A table inside a larger buffer is written as its address and the number of its entries that the buffer holds.
json::object table_json(global_memory& memory, std::uint64_t address, std::size_t count)
{
    if (!is_table(memory.region(address), address, count)) {
        const auto buffer = memory.region(address);
        const auto room = buffer.data == nullptr ? 0 : (buffer.address + buffer.bytes - address) / entry_bytes;
        return {{"address", hex(address)}, {"count", std::min<std::uint64_t>(count, room)}};
    }
    json::array entries;
    for (std::size_t i = 0; i < count; ++i) {
        json::array words;
        for (const auto each : entry_at(memory, address, i)) words.emplace_back(hex(each, 8));
        entries.push_back(std::move(words));
    }
    return {{"address", hex(address)}, {"entries", std::move(entries)}};
}

} // namespace

bool is_table(const memory_region& buffer, std::uint64_t address, std::size_t count)
{
    return buffer.address == address && buffer.bytes == count * entry_bytes;
}

std::shared_ptr<texture::texture_unit> read_textures(const json_document& document, const json::value& value,
                                                     isa::architecture arch, std::shared_ptr<global_memory>& memory)
{
    document.only_keys(value, "textures", textures_form().names());
    texture::tables tables;
    tables.second_version = arch >= isa::architecture::sm120;
    const auto& headers = document.member(value, "headers", "textures");
    const table header_table = read_table(document, headers, "headers", most_headers, memory);
    tables.headers = header_table.address;
    tables.header_count = header_table.count;
    if (const auto* samplers = json_document::find(value, "samplers")) {
        const table sampler_table = read_table(document, *samplers, "samplers", most_samplers, memory);
        tables.samplers = sampler_table.address;
        tables.sampler_count = sampler_table.count;
    }
    if (const auto* bank = json_document::find(value, "handle_bank"))
        tables.handle_bank = static_cast<unsigned>(document.integer(*bank, "handle_bank", 0, 17));
    return std::make_shared<texture::texture_unit>(memory, tables);
}

std::shared_ptr<global_memory> copy_textures(draw_call& draw)
{
    const auto source = std::exchange(draw.memory, nullptr);
    const auto textures = draw.stages.begin()->second.textures; // one for all stages
    if (textures == nullptr) return nullptr;
    auto contents = std::make_shared<global_memory>();
    auto tables = textures->where();
    copy_table(*source, tables.headers, tables.header_count, *contents);
    copy_table(*source, tables.samplers, tables.sampler_count, *contents);
    for (std::size_t i = 0; i < tables.header_count; ++i) {
        texture::header header;
        auto words = entry_at(*contents, tables.headers, i);
        if (tables.second_version) words = texture::first_version_header(words);
        if (decode_header(words, header) != texture::fault::none) continue;
        const auto texels = source->region(header.address);
        if (texels.data == nullptr || contents->region(texels.address).data != nullptr) continue;
        contents->add(texels.address, std::vector<std::uint8_t>(texels.data, texels.data + texels.bytes));
    }
    draw.memory = contents;
    for (auto& [stage, program] : draw.stages)
        program.textures = std::make_shared<texture::texture_unit>(contents, tables);
    return contents;
}

json::object textures_json(const texture::tables& tables, global_memory& memory)
{
    return {{"headers", table_json(memory, tables.headers, tables.header_count)},
            {"samplers", table_json(memory, tables.samplers, tables.sampler_count)},
            {"handle_bank", tables.handle_bank}};
}

} // namespace isbesim::testbench
