// SPDX-License-Identifier: Apache-2.0
#include "testbench/pack/pack_input.h"

#include "testbench/files/files.h"
#include "testbench/files/nearest.h"
#include "testbench/pack/pack_completion.h"

namespace isbesim::testbench {

void rethrow(const std::string& file, const varying::shader_error& error)
{
    std::string text = error.what();
    if (!error.known.empty()) text += "; the nearest: " + name_list(nearest_names(error.unknown, error.known));
    throw input_error({file, error.at.line, error.at.column}, text);
}

namespace {

void append(const std::string& file, varying::mask_reading masks, std::vector<packed_program>& programs)
{
    auto text = read_input(file, "varying declarations");
    const auto first = programs.size();
    try {
        for (auto& each : varying::parse(text, masks)) {
            auto& added = programs.emplace_back();
            added.file = input_name(file);
            added.code = std::move(each);
        }
        programs[first].source = std::move(text); // a text without a program is an error
    } catch (const varying::shader_error& error) {
        rethrow(input_name(file), error);
    }
}

} // namespace

std::vector<packed_program> load_declarations(const std::string& file, const std::string& next,
                                              varying::mask_reading masks)
{
    std::vector<packed_program> programs;
    append(file, masks, programs);
    if (!next.empty()) {
        const auto own = programs.size();
        append(next, masks, programs);
        // A text of only input declarations is a fragment program, which follows any stage.
        if (programs.size() == own + 1 && programs[own].code.kind == varying::processor::unspecified &&
            programs[own].code.effective_kind() == varying::processor::vertex) {
            programs[own].code.kind = varying::processor::fragment;
        }
    }
    for (auto& each : programs) {
        try {
            each.placed = varying::allocate(each.code);
        } catch (const varying::shader_error& error) {
            rethrow(each.file, error);
        }
    }
    for (std::size_t i = 1; i < programs.size(); ++i) {
        if (programs[i].code.effective_kind() <= programs[i - 1].code.effective_kind()) {
            throw input_error({programs[i].file, programs[i].code.at.line, programs[i].code.at.column},
                              "this stage comes before the one above it, expected VERT, TESS_CTRL, TESS_EVAL, GEOM and "
                              "FRAG in this order");
        }
        try {
            varying::check_link(programs[i - 1].placed, programs[i].code, programs[i].placed);
        } catch (const varying::shader_error& error) {
            rethrow(programs[i].file, error);
        }
    }
    for (auto& each : programs) complete(each);
    return programs;
}

} // namespace isbesim::testbench
