// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/frame/draw_facts.h"

#include "models/pe/linking/linking.h"
#include "testbench/scenario/draw_names.h"

namespace isbesim::gl {

namespace {

/// Lines by stage, in order; empty, with the reason in `problem`, if the draw does not fit the machine.
std::vector<unsigned> lines_of(const draw_call& draw, const machine_config& config, std::string& problem)
{
    try {
        const auto linked = link_pipeline(draw, config);
        std::vector<unsigned> lines{linked.first_stage_lines};
        lines.insert(lines.end(), linked.stage_lines.begin(), linked.stage_lines.end());
        return lines;
    } catch (const draw_error& error) {
        problem = error.what();
        return {};
    }
}

} // namespace

draw_fact_reader::draw_fact_reader(capture_reader& capture, const machine_config& config)
    : capture_(capture), config_(config)
{
    for (std::size_t i = 0; i < capture.draws(); ++i)
        for (const auto& each : capture.outline(i).programs) programs_.emplace(each.second, programs_.size());
}

draw_facts draw_fact_reader::read(std::size_t number)
{
    const auto outline = capture_.outline(number);
    const auto draw = capture_.load(number);
    draw_facts facts{number,
                     capture_.frame_of(number),
                     testbench::name_of(outline.topology),
                     outline.indexed,
                     outline.vertices,
                     outline.instances,
                     {},
                     outline.captured,
                     {},
                     {}};
    for (const auto& [address, source] : draw.attributes) facts.attributes.emplace_back(address, source.components);
    const auto lines = lines_of(draw, config_, facts.problem);
    for (const auto& [which, blobs] : outline.programs) {
        const auto& program = draw.stages.at(which);
        const auto place = facts.stages.size();
        stage_facts one{
            which, programs_.at(blobs), program.program.code.size(), place < lines.size() ? lines[place] : 0, {}};
        for (unsigned bank = 0; bank < program.constants.size(); ++bank)
            if (!program.constants[bank].empty())
                one.constants.push_back({bank, program.constants[bank].size() * sizeof(word)});
        facts.stages.push_back(std::move(one));
    }
    return facts;
}

} // namespace isbesim::gl
