#include "testbench/scenario/texture_tables.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "testbench/scenario/memory_address.h"
#include "testbench/scenario/scenario_forms.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr std::size_t entry_words = 8, entry_bytes = 4 * entry_words;

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
        const std::size_t at = bytes.size();
        bytes.resize(at + entry_bytes);
        std::memcpy(bytes.data() + at, words.data(), entry_bytes);
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
        document.fail_key(value, "count", "'count' beside 'entries', which says how many there are");
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

} // namespace

std::shared_ptr<texture::texture_unit> read_textures(const json_document& document, const json::value& value,
                                                     std::shared_ptr<global_memory>& memory)
{
    document.only_keys(value, "textures", textures_form().names());
    texture::tables tables;
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

} // namespace isbesim::testbench
