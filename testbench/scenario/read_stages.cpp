// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/pe/front_end/validation.h"
#include "testbench/files/header_fields.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/nearest.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/draw_names.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace json = boost::json;

namespace {

/// Reads a header from a file, words or fields.
program_header read_any_header(scenario_reader& in, const json::value& sph, shader_type type, const std::string& what)
{
    if (sph.is_string()) return load_header(in.files.path_of(sph, "sph", "a shader program header of 80 or 128 bytes"));
    if (sph.is_array()) {
        std::vector<std::uint8_t> bytes;
        for (const auto w : in.document.words(sph, "sph"))
            for (unsigned b = 0; b < 4; ++b) bytes.push_back(static_cast<std::uint8_t>(w >> (8 * b)));
        try {
            return decode_header(bytes.data(), bytes.size());
        } catch (const header_error& error) {
            in.document.fail(sph, error.what());
        }
    }
    if (!sph.is_object())
        in.document.fail(sph, "sph of " + what +
                                  " has no known form, expected a file name, an array of words or an object of "
                                  "header fields");
    program_header base;
    base.shader_type = type;
    base.version = in.result.draw.arch == isa::architecture::sm50 ? 3 : 4;
    if (base.version == 4) base.tail.resize(12);
    if (type == shader_type::geometry) base.stream_out_mask = 1; // a header of named fields: stream 0
    return read_header_fields(in.document, sph, base);
}

} // namespace

program_header read_stage_header(scenario_reader& in, const json::value& sph, stage which, shader_type type,
                                 const std::string& what)
{
    auto header = read_any_header(in, sph, type, what);
    if (!accepts_header_type(which, type, header.shader_type))
        in.document.fail(sph, "the header says shader type " +
                                  std::to_string(static_cast<unsigned>(header.shader_type)) + ", expected " +
                                  std::to_string(static_cast<unsigned>(type)) + " for " + what);
    return header;
}

namespace {

void read_stage(scenario_reader& in, const json::value& value, const stage_key& known, stage_program& stage)
{
    const std::string what = std::string("stage '") + known.name + "'";
    in.document.only_keys(value, what, stage_form().names());
    const auto& sph = in.document.member(value, "sph", what);
    stage.header = read_stage_header(in, sph, known.stage, known.type, what);
    const bool wide = in.result.draw.arch != isa::architecture::sm50;
    if (stage.header.tail.empty() == wide)
        in.warn_of_stage("header_size", known.stage, in.document.place_of(sph),
                         "the header of " + what + " has " + (wide ? "80" : "128") + " bytes, those of " +
                             architecture_name(in.result.draw.arch) + " programs have " + (wide ? "128" : "80"));
    // A geometry stage that passes its input on needs no program (HARDWARE.md E.4).
    const auto optional = known.stage == stage::geometry && stage.header.geometry_passthrough;
    if (optional && json_document::find(value, "code") == nullptr) return;
    const auto file = in.files.path_of(in.document.member(value, "code", what), "code", "a program (.bin or .sass)");
    stage.program = load_program(file, in.result.draw.arch);
    check_runnable(file, stage.program);
    if (const auto* lines = json_document::find(value, "lines"))
        in.result.sources[known.stage] =
            read_source_lines(in.files.path_of(*lines, "lines", "a listing with source lines"), stage.program);
    for (const auto& each : stage.program.warnings) {
        // In a binary the place is the byte, as in errors.
        const source_place place = each.line != 0 ? source_place{file, each.line, each.column}
                                                  : source_place{file, 1, each.address + std::size_t{1}};
        in.warn_of_stage(each.kind, known.stage, place, each.text);
        in.result.warnings.back().pc = each.address;
    }
}

} // namespace

void read_stages(scenario_reader& in, const json::value& stages)
{
    for (const auto& entry : in.document.object(stages, "stages")) {
        const std::string key(entry.key().data(), entry.key().size());
        const auto* known = find_name(stage_keys, key);
        if (known == nullptr) {
            in.document.fail_key(stages, key,
                                 "unknown stage '" + key + "', expected " + nearest_list(key, names_of(stage_keys)));
        }
        auto here = *known;
        // After a task stage a mesh program is a tessellation program (HARDWARE.md D.6).
        if (here.stage == stage::mesh && json_document::find(stages, "task") != nullptr) here.type = shader_type::tess;
        read_stage(in, entry.value(), here, in.result.draw.stages[here.stage]);
    }
    const auto& found = in.result.draw.stages;
    if (found.count(stage::vertex) == 0 && found.count(stage::mesh) == 0) {
        in.document.fail(stages, "stages has no 'vertex' and no 'mesh', expected one of them");
    }
}

namespace {

isa::constant_banks read_banks(const scenario_reader& in, const json::value& value)
{
    constexpr word bank_bytes = 0x10000;
    isa::constant_banks banks;
    for (const auto& entry : in.document.object(value, "constants")) {
        const std::string key(entry.key().data(), entry.key().size());
        const bool numeric = !key.empty() && key.size() < 3 && (key[0] != '0' || key.size() == 1) &&
                             key.find_first_not_of("0123456789") == std::string::npos;
        const auto number = numeric ? std::stoul(key) : banks.size();
        if (number >= banks.size()) {
            in.document.fail_key(value, key,
                                 "constant bank '" + key + "' does not exist, expected 0 to " +
                                     std::to_string(banks.size() - 1));
        }
        auto& bank = banks[number];
        std::vector<bool> seen;
        for (const auto& run : in.document.object(entry.value(), "constant bank " + key)) {
            const std::string offset_text(run.key().data(), run.key().size());
            word offset = 0;
            if (!parse_hex_word(offset_text, offset) || offset % 4 != 0 || offset >= bank_bytes) {
                in.document.fail_key(entry.value(), offset_text,
                                     "'" + offset_text +
                                         "' is no byte offset in a constant bank, expected 0x "
                                         "and a hexadecimal multiple of 4 below 0x10000");
            }
            const auto words = in.document.words(run.value(), "constant bank " + key);
            if (offset + 4 * words.size() > bank_bytes) {
                in.document.fail(run.value(), "the words run past the end of constant bank " + key +
                                                  ", expected at most 65536 bytes");
            }
            bank.resize(std::max<std::size_t>(bank.size(), offset / 4 + words.size()));
            seen.resize(bank.size());
            for (std::size_t i = offset / 4; i < offset / 4 + words.size(); ++i) {
                if (seen[i])
                    in.document.fail_key(entry.value(), offset_text,
                                         "offset " + hex(4 * i) + " of constant bank " + key +
                                             " has two values, expected each word once");
                seen[i] = true;
            }
            std::copy(words.begin(), words.end(), bank.begin() + offset / 4);
        }
    }
    return banks;
}

} // namespace

void read_constants(scenario_reader& in, const json::value* common, const json::value* per_stage)
{
    if (common != nullptr) {
        const auto banks = read_banks(in, *common);
        for (auto& entry : in.result.draw.stages) entry.second.constants = banks;
    }
    if (per_stage == nullptr) return;
    for (const auto& entry : in.document.object(*per_stage, "stage_constants")) {
        const std::string key(entry.key().data(), entry.key().size());
        const auto* known = find_name(stage_keys, key);
        if (known == nullptr || in.result.draw.stages.count(known->stage) == 0) {
            in.document.fail_key(*per_stage, key,
                                 "stage_constants names stage '" + key + "', expected a stage of this draw");
        }
        in.result.draw.stages[known->stage].constants = read_banks(in, entry.value());
    }
}

} // namespace isbesim::testbench
