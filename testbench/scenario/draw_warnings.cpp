// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/draw_warnings.h"

#include <iterator>

#include "models/attribute/attribute_map.h"
#include "models/pe/front_end/program_accesses.h"

namespace isbesim::testbench {

attribute_set missing_inputs(const draw_call& draw)
{
    const auto& [first, program] = *draw.stages.begin();
    if (draw.topology == topology::mesh) return {};
    const auto loads = loads_of(program.program, space::input);
    const auto read = loads.indexed ? program.header.imap : program.header.imap & loads.fixed;
    auto missing = without(read, generated_inputs(first));
    for (const auto& [address, source] : draw.attributes) {
        for (unsigned id = address / 4; id < address / 4 + source.components; ++id) {
            for (unsigned component = 0; component < 4; ++component) missing.erase(id / 4 * 4 + component);
        }
    }
    return missing;
}

attribute_set loads_beside_map(const stage_program& program)
{
    return without(loads_of(program.program, space::input).fixed, program.header.imap);
}

attribute_set stores_beside_map(const stage_program& program, const attribute_set& per_primitive)
{
    return without(stores_of(program.program).fixed, program.header.omap | per_primitive);
}

attribute_set unwritten_captures(const draw_call& draw, unsigned stream)
{
    const auto last = std::prev(draw.stages.end());
    auto written = last->second.header.omap;
    if (last->second.header.geometry_passthrough && last != draw.stages.begin())
        written = written | std::prev(last)->second.header.omap;
    for (const auto address : draw.mesh.per_primitive) written.insert(address / 4);
    attribute_set captured;
    for (const auto address : draw.capture[stream])
        if (address / 4 < mapped_attribute_ids) captured.insert(address / 4);
    return without(captured, written);
}

} // namespace isbesim::testbench
