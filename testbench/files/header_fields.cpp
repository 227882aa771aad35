// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/header_fields.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

#include "testbench/files/hex_text.h"
#include "testbench/files/nearest.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

struct named_value {
    const char* name;
    std::uint32_t value;
};

/// A scalar field; its width limits the values in a scenario.
struct header_field {
    const char* name;
    std::uint32_t high;
    std::vector<named_value> names; ///< symbolic values, accepted besides the number
    std::uint32_t (*get)(const program_header&);
    void (*set)(program_header&, std::uint32_t);
};

template <auto Member>
header_field field(const char* name, std::uint32_t high, std::vector<named_value> names = {})
{
    return {name, high, std::move(names),
            [](const program_header& header) { return static_cast<std::uint32_t>(header.*Member); },
            [](program_header& header, std::uint32_t value) {
                auto& member = header.*Member;
                member = static_cast<std::remove_reference_t<decltype(member)>>(value);
            }};
}

const std::vector<header_field>& fields()
{
    using h = program_header;
    static const std::vector<header_field> table = {
        field<&h::sph_type>("sph_type", 31),
        field<&h::version>("version", 31),
        field<&h::shader_type>("shader_type", 5,
                               {{"vertex", 1}, {"tess_init", 2}, {"tess", 3}, {"geometry", 4}, {"pixel", 5}}),
        field<&h::mrt_enable>("mrt_enable", 1),
        field<&h::kills_pixels>("kills_pixels", 1),
        field<&h::does_global_store>("does_global_store", 1),
        field<&h::sass_version>("sass_version", 15),
        field<&h::geometry_passthrough>("geometry_passthrough", 1),
        field<&h::shared_spaces>("shared_spaces", 1),
        field<&h::does_load_or_store>("does_load_or_store", 1),
        field<&h::does_fp64>("does_fp64", 1),
        field<&h::stream_out_mask>("stream_out_mask", 15),
        field<&h::local_memory_low_size>("local_memory_low_size", 0xffffff),
        field<&h::per_patch_attribute_count>("per_patch_attribute_count", 255),
        field<&h::local_memory_high_size>("local_memory_high_size", 0xffffff),
        field<&h::threads_per_input_primitive>("threads_per_input_primitive", 255),
        field<&h::local_memory_crs_size>("local_memory_crs_size", 0xffffff),
        field<&h::output_topology>("output_topology", 15,
                                   {{"none", 0}, {"points", 1}, {"line_strip", 6}, {"triangle_strip", 7}}),
        field<&h::max_output_vertex_count>("max_output_vertex_count", 4095),
        field<&h::store_req_start>("store_req_start", 255),
        field<&h::store_req_end>("store_req_end", 255),
    };
    return table;
}

void print_map(std::ostream& out, const char* name, const attribute_set& map)
{
    out << std::left << std::setw(30) << name << map.count() << " attributes";
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
        if (!map.contains(id) || (id > 0 && map.contains(id - 1))) continue;
        unsigned last = id;
        while (map.contains(last + 1)) ++last;
        out << " " << hex(id * 4);
        if (last > id) out << ".." << hex(last * 4);
    }
    out << "\n";
}

/// "0x80" or "0x80..0x8c" -> ids.
void read_map(const json_document& document, const json::value& value, const std::string& name, attribute_set& map)
{
    map = attribute_set{};
    for (const auto& entry : document.array(value, name)) {
        const auto text = document.text(entry, "an address of " + name);
        const auto dots = text.find("..");
        word first = 0;
        word last = 0;
        const bool parsed = parse_hex_word(text.substr(0, dots), first) &&
                            parse_hex_word(dots == std::string::npos ? text : text.substr(dots + 2), last);
        if (!parsed || first > last || last >= mapped_attribute_ids * 4 || first % 4 != 0 || last % 4 != 0) {
            document.fail(entry, "'" + text + "' in " + name +
                                     " is no attribute, expected an address \"0x80\" or a range \"0x80..0x8c\" of "
                                     "multiples of 4 below 0x3c0");
        }
        for (word address = first; address <= last; address += 4) map.insert(address / 4);
    }
}

} // namespace

static_assert(mapped_attribute_ids * 4 == 0x3c0);
const char* const mapped_attribute_pattern = "0[xX]0{0,5}([0-2]?[0-9a-fA-F]?|3[0-9a-bA-B])[048cC]";

const object_form& header_form()
{
    static const object_form form([] {
        const std::string address = mapped_attribute_pattern;
        const auto map = form::list(form::text("^" + address + "([.][.]" + address + ")?$"));
        std::vector<form_key> keys = {{"imap", map, "Attributes that are read: addresses, ranges \"0x80..0x8c\"."},
                                      {"omap", map, "Attributes that are written."}};
        for (const auto& field : fields()) {
            auto value = form::integer(0, field.high);
            std::vector<std::string> names;
            for (const auto& each : field.names) names.emplace_back(each.name);
            if (!names.empty()) value = form::either({form::one_of(names), std::move(value)});
            if (field.high == 1) value = form::either({form::flag(), std::move(value)});
            keys.push_back({field.name, std::move(value), "A field of the program header."});
        }
        return object_form(std::move(keys));
    }());
    return form;
}

void print_header(std::ostream& out, const program_header& header)
{
    for (const auto& field : fields()) {
        const auto value = field.get(header);
        out << std::left << std::setw(30) << field.name << value;
        for (const auto& named : field.names) {
            if (named.value == value) out << " " << named.name;
        }
        const std::string name = field.name;
        if (name.rfind("store_req", 0) == 0) {
            if (header.store_req_start > header.store_req_end) {
                out << " (empty range)";
            } else {
                out << " (address " << hex(value * 4) << ")";
            }
        } else if (value > 9 && name.rfind("local_memory", 0) == 0) {
            out << " bytes";
        }
        out << "\n";
    }
    print_map(out, "imap", header.imap);
    print_map(out, "omap", header.omap);
    for (std::size_t i = 0; i < header.tail.size(); ++i) {
        out << "word_" << std::left << std::setw(25) << 20 + i << hex(header.tail[i]) << "\n";
    }
}

program_header read_header_fields(const json_document& document, const json::value& value, const program_header& base)
{
    program_header header = base;
    for (const auto& entry : document.object(value, "sph")) {
        const std::string key(entry.key().data(), entry.key().size());
        if (key == "imap" || key == "omap") {
            read_map(document, entry.value(), key, key == "imap" ? header.imap : header.omap);
            continue;
        }
        const auto& table = fields();
        const auto found =
            std::find_if(table.begin(), table.end(), [&](const header_field& f) { return key == f.name; });
        if (found == table.end()) {
            const auto names = header_form().names();
            document.fail_key(value, key,
                              "unknown header field '" + key + "', expected " +
                                  nearest_list(key, {names.begin(), names.end()}));
        }
        if (entry.value().is_bool() && found->high == 1) {
            found->set(header, entry.value().get_bool() ? 1 : 0);
        } else if (entry.value().is_string() && !found->names.empty()) {
            const auto text = document.text(entry.value(), key);
            const auto named = std::find_if(found->names.begin(), found->names.end(),
                                            [&](const named_value& n) { return text == n.name; });
            if (named == found->names.end()) {
                std::vector<std::string> names;
                for (const auto& n : found->names) names.emplace_back(n.name);
                document.fail(entry.value(), key + " is '" + text + "', expected " + name_list(names));
            }
            found->set(header, named->value);
        } else {
            found->set(header, static_cast<std::uint32_t>(document.integer(entry.value(), key, 0, found->high)));
        }
    }
    return header;
}

} // namespace isbesim::testbench
