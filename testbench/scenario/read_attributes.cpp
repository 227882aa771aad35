// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/attribute/attribute_set.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Number of elements that an attribute needs for this draw.
std::uint64_t elements_needed(const scenario_reader& in, bool per_instance)
{
    const auto& draw = in.result.draw;
    if (per_instance) return draw.instance_count;
    if (!draw.indexed) return draw.vertex_count == 0 ? 0 : draw.first_vertex + draw.vertex_count;
    std::uint64_t needed = 0;
    for (std::uint64_t i = draw.first_vertex; i < draw.first_vertex + draw.vertex_count; ++i) {
        if (draw.restart_index && draw.indices[i] == *draw.restart_index) continue;
        needed = std::max<std::uint64_t>(needed, std::uint64_t{draw.indices[i]} + 1);
    }
    return needed;
}

attribute_source read_attribute(const scenario_reader& in, const json::value& value, const std::string& key,
                                const std::uint64_t (&needed)[2])
{
    const auto what = "attribute " + key;
    in.document.only_keys(value, what, attribute_form().names());
    attribute_source source;
    attribute_form().read(in.document, value, what, source);
    const auto* words = json_document::find(value, "words");
    const auto* file = json_document::find(value, "file");
    if ((words == nullptr) == (file == nullptr)) {
        in.document.fail(value, what + " has " + (words == nullptr ? "neither" : "both") +
                                    " 'words' and 'file', expected one of them");
    }
    source.words = words != nullptr ? in.document.words(*words, what)
                                    : load_words(in.files.path_of(*file, "file", "little-endian 32-bit words"), what);
    const auto& data = words != nullptr ? *words : *file;
    const auto elements = source.words.size() / source.components;
    if (source.words.size() % source.components != 0) {
        in.document.fail(data, what + " has " + std::to_string(source.words.size()) +
                                   " words, expected a multiple of " + std::to_string(source.components) +
                                   " (components)");
    }
    const auto need = needed[source.per_instance ? 1 : 0];
    if (elements < need && (!source.repeat || elements == 0)) {
        in.document.fail(data, what + " has " + std::to_string(elements) + " elements but the draw needs " +
                                   std::to_string(need) + ", expected more words or \"repeat\": true");
    }
    return source;
}

} // namespace

void read_attributes(scenario_reader& in, const json::value& attributes)
{
    const std::uint64_t needed[2] = {elements_needed(in, false), elements_needed(in, true)};
    attribute_set taken;
    for (const auto& entry : in.document.object(attributes, "attributes")) {
        const std::string key(entry.key().data(), entry.key().size());
        word address = 0;
        if (!parse_mapped_attribute(key, address)) {
            in.document.fail_key(attributes, key,
                                 "'" + key +
                                     "' is no attribute, expected 0x and a hexadecimal "
                                     "multiple of 4 below 0x3c0");
        }
        const auto source = read_attribute(in, entry.value(), key, needed);
        for (unsigned c = 0; c < source.components; ++c) {
            const unsigned id = address / 4 + c;
            if (id >= mapped_attribute_ids || taken.contains(id)) {
                in.document.fail_key(attributes, key,
                                     "component " + std::to_string(c) + " of attribute " + key +
                                         (taken.contains(id) ? " is another attribute's, expected no overlap"
                                                             : " lies past 0x3bc, expected fewer components"));
            }
            taken.insert(id);
        }
        in.result.draw.attributes[address] = source;
    }
}

} // namespace isbesim::testbench
