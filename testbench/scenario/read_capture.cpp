// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "models/pe/front_end/validation.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::vector<unsigned> read_addresses(const scenario_reader& in, const json::value& value)
{
    std::vector<unsigned> addresses;
    for (const auto& entry : in.document.array(value, "capture")) {
        const auto text = in.document.text(entry, "a captured address");
        word address = 0;
        if (!parse_mapped_attribute(text, address)) {
            in.document.fail(entry, "'" + text +
                                        "' is no attribute to capture, expected 0x and a hexadecimal "
                                        "multiple of 4 below 0x3c0");
        }
        if (std::find(addresses.begin(), addresses.end(), address) != addresses.end()) {
            in.document.fail(entry, "'" + text + "' is captured twice, expected each address once a stream");
        }
        addresses.push_back(address);
    }
    return addresses;
}

} // namespace

capture_list written_attributes(const draw_call& draw)
{
    capture_list capture;
    const auto& last = std::prev(draw.stages.end())->second;
    const bool streams = draw.stages.count(stage::geometry) != 0 && !is_fast_geometry(draw);
    auto written = last.header.omap;
    if (last.header.geometry_passthrough) { // the passed attributes in addition to the program's own
        if (last.program.code.empty()) written = {};
        written = written | std::prev(draw.stages.end(), 2)->second.header.omap;
    }
    for (const auto address : draw.mesh.per_primitive) written.insert(address / 4);
    for (unsigned stream = 0; stream < capture.size(); ++stream) {
        if (stream > 0 && (!streams || (last.header.stream_out_mask >> stream & 1U) == 0)) continue;
        for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
            if (written.contains(id)) capture[stream].push_back(id * 4);
        }
    }
    return capture;
}

void set_default_capture(draw_call& draw)
{
    auto& columns = draw.capture;
    if (std::all_of(columns.begin(), columns.end(), [](const auto& stream) { return stream.empty(); }))
        columns = written_attributes(draw);
}

void read_capture(scenario_reader& in, const json::value* value)
{
    auto& capture = in.result.draw.capture;
    if (value == nullptr || value->is_null()) {
        capture = written_attributes(in.result.draw);
    } else if (value->is_array()) {
        capture[0] = read_addresses(in, *value);
    } else {
        in.document.only_keys(*value, "capture", capture_form().names());
        for (const auto& entry : value->get_object()) {
            capture[static_cast<unsigned>(entry.key()[0] - '0')] = read_addresses(in, entry.value());
        }
    }
}

void read_expectation(scenario_reader& in, const json::value& root)
{
    auto& expect = in.result.expect;
    if (const auto* file = json_document::find(root, "expect")) {
        expect.file = in.files.path_of(*file, "expect", "a CSV of vertices");
    }
    if (const auto* ulp = json_document::find(root, "expect_ulp")) {
        expect.ulp =
            static_cast<unsigned>(in.document.integer(*ulp, "expect_ulp", scenario_form().range("expect_ulp")));
    }
    if (const auto* tolerance = json_document::find(root, "expect_tolerance")) {
        expect.tolerance = in.document.real(*tolerance, "expect_tolerance", 0, most_real);
    }
    if (const auto* order = json_document::find(root, "expect_order")) {
        const auto text = in.document.text(*order, "expect_order");
        if (text != "set" && text != "exact") {
            in.document.fail(*order, "expect_order is '" + text + "', expected 'set' or 'exact'");
        }
        expect.any_order = text == "set";
    }
    if (expect.file.empty()) {
        for (const auto* key : {"expect_ulp", "expect_tolerance", "expect_order"})
            in.warn_unused(root, key, "there is no 'expect' to compare the vertices with");
    } else {
        check_expectation(expect);
    }
}

} // namespace isbesim::testbench
