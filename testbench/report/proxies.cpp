// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/proxies.h"

#include <algorithm>
#include <cmath>

#include "models/attribute/layout.h"
#include "models/isbe/functional/passes.h"
#include "testbench/files/files.h"
#include "testbench/files/json_document.h"
#include "testbench/files/nearest.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr const char* preset_table =
#include "testbench/coefficients.json.inc" // written by testbench/CMakeLists.txt
    ;

/// Memory bits and logic of one ISBE, as Yosys counts them in the RTL (scripts/area). The bits follow from the
/// declarations; the logic is a word-level count before any logic optimisation.
json::object area_json(const isbe_config& config, unsigned isbes, const coefficient_table& c)
{
    const bool line = config.access == access_rule::line;
    const double columns = columns_of(config);
    constexpr unsigned words_per_line = line_bytes / 4;
    const double words = config.lines * words_per_line;
    const double storage = words * c["area.bits_per_word"];
    const double contexts = config.contexts * c["area.bits_per_context"];
    const double queues = config.ports * (config.request_queue_depth * c["area.bits_per_request"] +
                                          config.response_queue_depth * c["area.bits_per_response"]);
    const double logic =
        config.ports * c["area.cell_bits_per_port"] + columns * c["area.cell_bits_per_bank"] +
        c["area.cell_bits_shared"] +
        c[line ? "area.cell_bits_passes.line" : "area.cell_bits_passes." + std::to_string(config.banks)] +
        (column_map(config) != bank_map::modulo ? std::log2(columns) * c["area.cell_bits_bank_map"] : 0);
    const double um2 =
        (storage + contexts + queues) * c["area.um2_per_memory_bit"] + logic * c["area.um2_per_cell_bit"];
    return {{"storage_bits", isbes * storage},
            {"context_bits", isbes * contexts},
            {"queue_bits", isbes * queues},
            {"logic_cell_bits", isbes * logic},
            {"mm2", isbes * std::round(um2) / 1e6}}; // libraries read 0.346 with other last bits
}

} // namespace

coefficient_table::coefficient_table()
{
    read("testbench/report/coefficients.json", preset_table, true);
}

void coefficient_table::load(const std::string& file)
{
    read(file, read_file(file, "a table of coefficients (JSON)"), false);
}

void coefficient_table::read(const std::string& file, const std::string& text, bool complete)
{
    const json_document document(file, text);
    for (const auto& entry : document.object(document.root(), "the table of coefficients")) {
        const std::string name(entry.key());
        if (name == "description") {
            document.text(entry.value(), name);
            continue;
        }
        auto sourced = document.sourced(entry.value(), name);
        coefficient read{name, document.real(sourced.value, name, 0, 1e12), std::move(sourced.source)};
        const auto known =
            std::find_if(all_.begin(), all_.end(), [&](const coefficient& each) { return each.name == name; });
        if (known != all_.end()) {
            *known = std::move(read);
        } else if (complete) {
            all_.push_back(std::move(read));
        } else {
            std::vector<std::string> names;
            for (const auto& each : all_) names.push_back(each.name);
            document.fail_key(document.root(), name,
                              "unknown coefficient '" + name + "', expected " + nearest_list(name, names));
        }
    }
}

double coefficient_table::operator[](const std::string& name) const
{
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const coefficient& each) { return each.name == name; });
    if (found == all_.end()) throw std::logic_error("no coefficient is called " + name);
    return found->value;
}

json::object stated_proxies(const isbe_counters& counters, const isbe_config& config, unsigned isbes,
                            const coefficient_table& c)
{
    const double columns = columns_of(config);
    const double bank_bytes = static_cast<double>(config.lines) * line_bytes / columns;
    const double scale = std::pow(bank_bytes / c["energy.bank_bytes"], c["energy.bank_size_exponent"]);
    const double energy = scale * (static_cast<double>(counters.bank_reads) * c["energy.bank_read_pj"] +
                                   static_cast<double>(counters.bank_writes) * c["energy.bank_write_pj"]) +
                          static_cast<double>(counters.crossbar_words) * c["energy.crossbar_word_pj"] +
                          static_cast<double>(counters.map_lookups) * c["energy.map_lookup_pj"];
    return {{"energy_pj", energy}, {"area", area_json(config, isbes, c)}};
}

} // namespace isbesim::testbench
