// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/program_profile.h"

#include <algorithm>

#include "models/isa/text/text.h"
#include "models/isbe/functional/names.h"
#include "models/pipe_names.h"
#include "testbench/processes/byte_archive.h"

namespace isbesim::testbench {

namespace json = boost::json;

void program_profile::tally::see_latency(std::uint64_t cycles)
{
    ++results;
    latency += cycles;
    longest = std::max(longest, cycles);
}

void program_profile::instruction(const instruction_event& event)
{
    auto& line = lines_[{event.stage, event.pc}];
    ++line.issues;
    line.stall_count += event.stall_until - event.first;
    line.scoreboard += event.scoreboard_until - event.stall_until;
    line.pipe += event.pipe_until - event.scoreboard_until;
    line.issue_slot += event.issued - event.pipe_until;
    if (event.ready != no_value && event.ready >= event.issued) line.see_latency(event.ready - event.issued);
}

void program_profile::transaction(const transaction_event& event)
{
    if (event.warp == no_value) return;
    auto& line = lines_[{event.stage, event.pc}];
    line.passes += event.passes;
    line.conflicts += event.footprint.passes - event.footprint.ideal_passes;
    if (event.instruction && event.error == op_error::none && event.written != no_value)
        line.see_latency(event.written - event.issued);
}

namespace {

/// True if a latency has a meaning. An operation of the ISBE has at least a response.
bool has_result(const isa::instruction& code)
{
    const auto& issue = code.issue;
    return issue.latency == isa::latency_class::attribute || issue.writes[0].count != 0 ||
           issue.predicate_writes != 0 || issue.uniform_writes.count != 0 || issue.uniform_predicate_writes != 0;
}

const isa::instruction* find_code(const draw_call& draw, stage program_stage, std::uint32_t pc)
{
    const auto found = draw.stages.find(program_stage);
    if (found == draw.stages.end()) return nullptr;
    const auto index = found->second.program.index_of(pc);
    return index == isa::program::npos ? nullptr : &found->second.program.code[index];
}

const std::string* find_source(const std::map<stage, source_lines>& sources, stage program_stage, std::uint32_t pc)
{
    const auto lines = sources.find(program_stage);
    if (lines == sources.end()) return nullptr;
    const auto found = lines->second.find(pc);
    return found == lines->second.end() ? nullptr : &found->second;
}

} // namespace

json::object program_profile::json(const draw_call& draw, const std::map<stage, source_lines>& sources) const
{
    json::object stages;
    for (const auto& [where, sums] : lines_) {
        const auto* code = find_code(draw, where.first, where.second);
        json::object line{{"pc", where.second}};
        if (code != nullptr) line["text"] = isa::instruction_text(*code);
        if (code != nullptr && sums.pipe != 0) line["unit"] = pipe_names[static_cast<unsigned>(code->issue.unit)];
        if (const auto* source = find_source(sources, where.first, where.second)) line["source"] = *source;
        line["issues"] = sums.issues;
        line["stall_count"] = sums.stall_count;
        line["scoreboard"] = sums.scoreboard;
        line["pipe"] = sums.pipe;
        line["issue_slot"] = sums.issue_slot;
        if (sums.results != 0 && code != nullptr && has_result(*code)) {
            line["latency_mean"] = static_cast<double>(sums.latency) / static_cast<double>(sums.results);
            line["latency_max"] = sums.longest;
        }
        line["passes"] = sums.passes;
        line["bank_conflict"] = sums.conflicts;
        auto& lines = stages[name_of(where.first)];
        if (!lines.is_array()) lines.emplace_array();
        lines.get_array().push_back(std::move(line));
    }
    return stages;
}

std::string program_profile::to_bytes() const
{
    byte_sink sink;
    sink.size(lines_.size());
    for (auto [where, sums] : lines_) { // copies: archives need values that they may change
        auto [program_stage, pc] = where;
        pass_all(sink, program_stage);
        pass_all(sink, pc);
        pass_all(sink, sums);
    }
    return sink.take();
}

void program_profile::add(const std::string& bytes)
{
    byte_source source(bytes);
    for (auto left = source.size(0); left > 0; --left) {
        place where;
        tally added;
        pass_all(source, where.first);
        pass_all(source, where.second);
        pass_all(source, added);
        auto& to = lines_[where];
        for (const auto member :
             {&tally::issues, &tally::stall_count, &tally::scoreboard, &tally::pipe, &tally::issue_slot,
              &tally::results, &tally::latency, &tally::passes, &tally::conflicts})
            to.*member += added.*member;
        to.longest = std::max(to.longest, added.longest);
    }
}

} // namespace isbesim::testbench
