#include "testbench/scenario/scenario_reader.h"

#include <system_error>

#include "models/isbe/functional/names.h"
#include "testbench/files/hex_text.h"

namespace isbesim::testbench {

std::string scenario_reader::path_of(const boost::json::value& value, std::string_view what,
                                     const std::string& expected) const
{
    const auto name = document.text(value, what);
    auto path = (folder / name).string();
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) {
        document.fail(value, std::string(what) + " '" + name + "' cannot be read (" +
                                 (failure ? failure.message() : std::string("not a file")) + "), expected " + expected);
    }
    return path;
}

void scenario_reader::warn(const std::string& kind, const source_place& place, const std::string& text)
{
    result.warnings.emplace_back(kind, place, text);
}

void scenario_reader::warn_of_stage(const std::string& kind, stage which, const source_place& place,
                                    const std::string& text)
{
    warn(kind, place, text);
    result.warnings.back().stage = name_of(which);
}

void scenario_reader::warn_unused(const boost::json::value& object, const char* key, const std::string& why)
{
    const auto* value = json_document::find(object, key);
    if (value == nullptr || value->is_null()) return;
    warn("no_effect", document.place_of_key(object, key), std::string(key) + " has no effect: " + why);
}

bool parse_mapped_attribute(std::string_view text, word& address)
{
    return parse_hex_word(text, address) && address % 4 == 0 && address < mapped_attribute_ids * 4;
}

} // namespace isbesim::testbench
