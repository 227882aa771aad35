// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario_reader.h"

#include "models/isbe/functional/names.h"
#include "testbench/files/hex_text.h"

namespace isbesim::testbench {

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
