// SPDX-License-Identifier: Apache-2.0
// Runs the cases of tests/sm/cases, in the notation of tests/support/case_file.h: a program on an SM with an ISBE, then
// its operations, counters and memory. Each case is a test of its own on each back end, SUITE.NAME/at/2 a test's
// second.
//
// STATE before: lt, at (back ends); sm75 instead of sm50; timed: the program has its control fields, otherwise they
// wait for everything; a stage, geometry:4 with at most 4 vertices a thread; a=0x80,0x84 the attributes of both spaces;
// input, output: those of one space that are enabled; fast; lanes; repeat; keys of the machine; and PLACE=EXPRESSION.
// Expressions: tests/support/expression.h; i is the lane, a place has its value, and ald, ast, out are latencies of the
// port without contention. m[128] is the word at 128 + 4 * i of the storage. See `place` for the others.
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include <gtest/gtest.h>

#include "models/isbe/functional/names.h"
#include "models/sm/warnings/warning_table.h"
#include "test_paths.h"
#include "tests/sm/sm_bench.h"
#include "tests/support/case_file.h"
#include "tests/support/expression.h"

namespace isbesim {
namespace {

using number = expression::number;

const std::map<std::string, unsigned sm_config::*> sm_keys = {
    {"variable_latency", &sm_config::variable_latency},
    {"read_release_latency", &sm_config::read_release_latency},
    {"attribute_queue_depth", &sm_config::attribute_queue_depth},
    {"schedulers", &sm_config::schedulers}};
const std::map<std::string, bool sm_config::*> sm_rules = {{"allow_phys_vector", &sm_config::allow_phys_vector},
                                                           {"trap_gs_state", &sm_config::trap_gs_state}};
const std::map<std::string, std::uint64_t isbe_counters::*> discards = {
    {"bmap", &isbe_counters::discarded_bmap}, {"gs_overflow", &isbe_counters::discarded_gs_overflow}};

template <typename Names>
std::size_t index_of(const Names& names, const std::string& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::invalid_argument("no name: " + name);
    return static_cast<std::size_t>(found - names.begin());
}

/// "0x80,0x84"
std::vector<unsigned> numbers(const std::string& list)
{
    std::vector<unsigned> result;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');)
        result.push_back(static_cast<unsigned>(std::stoul(part, nullptr, 0)));
    return result;
}

class sm_run {
public:
    sm_run(const text_case& each, backend which) : before_(case_items(each.header + " " + each.own()))
    {
        for (const auto& item : before_) given_[item.name] = item.value; // the last one counts
        bench_ = std::make_unique<sm_bench>(which, sm_settings(), isbe_settings());
        const context bound = context_of_case();
        bench_->bind(0, bound);
        for (const auto& item : before_)
            if (item.name[0] == 'm' && item.name[1] == '[') poke(item);
        const auto stages = case_stages(each.rest());
        const auto arch = given_.count("sm75") != 0 ? isa::architecture::sm75 : isa::architecture::sm50;
        program_ = given_.count("timed") != 0 ? &bench_->program(stages.at(0).text + " ;", arch)
                                              : &bench_->scheduled_program(stages.at(0).text + " ;", arch);
        for (unsigned n = 0; n < setting("repeat", 1); ++n)
            bench_->run(*program_, bound.stage, 0, static_cast<lane_mask>(setting("lanes", all_lanes)), 0,
                        bound.fast_geometry);
        counters_ = bench_->counters();
        for (const auto& item : case_items(stages.at(1).text)) expect(item);
    }

private:
    number setting(const std::string& name, number absent) const
    {
        const auto found = given_.find(name);
        return found == given_.end() ? absent : std::stoull(found->second, nullptr, 0);
    }

    sm_config sm_settings() const
    {
        sm_config result;
        for (const auto& [name, member] : sm_keys)
            result.*member = static_cast<unsigned>(setting(name, result.*member));
        for (const auto& [name, member] : sm_rules) result.*member = given_.count(name) != 0;
        return result;
    }
    isbe_config isbe_settings() const
    {
        isbe_config result;
        result.pipeline_latency = static_cast<unsigned>(setting("pipeline_latency", result.pipeline_latency));
        return result;
    }

    context context_of_case() const
    {
        const auto addresses = numbers(given_.count("a") != 0 ? given_.at("a") : "");
        context result = vertex_context(addresses);
        for (const auto& [name, value] : given_) {
            if (name.rfind("geometry:", 0) == 0)
                result = geometry_context(addresses, static_cast<unsigned>(std::stoul(name.substr(9))));
            if (name == "mesh") result.stage = stage::mesh;
        }
        for (const auto& [name, space] : {std::pair{"input", &result.input}, {"output", &result.output}}) {
            if (given_.count(name) == 0) continue;
            space->enabled = {};
            for (const unsigned address : numbers(given_.at(name))) space->enabled.insert(address / 4);
        }
        result.fast_geometry = given_.count("fast") != 0;
        result.input.prim_base = static_cast<word>(setting("prim_base", 0));
        result.input.prim_bytes = static_cast<word>(setting("prim_bytes", 0));
        if (given_.count("primitive") != 0) {
            const auto value = compiled(given_.at("primitive"));
            for (unsigned i = 0; i < warp_lanes; ++i) result.primitive[i] = static_cast<std::uint8_t>(value(i));
        }
        return result;
    }

    expression::code compiled(const std::string& text) const
    {
        return expression::compiled(text, [this](const std::string& name) -> expression::code {
            if (name == "i") return [](unsigned lane) { return lane; };
            if (name == "all") return [](unsigned) { return number{all_lanes}; };
            for (const auto op : {opcode::ald, opcode::ast, opcode::out})
                if (name == name_of(op)) return [=](unsigned) { return port_latency(isbe_settings(), op); };
            return [this, name](unsigned lane) { return place(name, lane); };
        });
    }

    void poke(const case_item& item)
    {
        const auto value = compiled(item.value);
        const auto address = static_cast<unsigned>(std::stoul(item.name.substr(2), nullptr, 0));
        for (unsigned i = 0; i < warp_lanes; ++i) bench_->poke(address + 4 * i, static_cast<word>(value(i)));
    }

    /// The number of the instruction at this address.
    std::size_t number_of(std::uint32_t pc) const
    {
        std::size_t index = 0;
        while (program_->code.at(index).address != pc) ++index;
        return index;
    }

    /// kind@instruction, *3: three times, :7: of register 7; those of one kind, or all.
    std::string warnings(const std::string& kind) const
    {
        std::string text;
        for (const auto& each : counters_.warnings.warnings()) {
            if (!kind.empty() && kind != kind_name(each.kind)) continue;
            text += (text.empty() ? "" : ",") + std::string(kind_name(each.kind)) + "@" +
                    std::to_string(number_of(each.pc));
            if (each.kind == warning_kind::register_hazard) text += ":" + std::to_string(each.reg);
            if (each.count != 1) text += "*" + std::to_string(each.count);
        }
        return text.empty() ? "none" : text;
    }
    std::string operations() const
    {
        std::string text;
        for (const auto& each : bench_->transactions)
            text += (text.empty() ? "" : ",") + std::string(name_of(each.op.op));
        return text.empty() ? "none" : text;
    }

    number place(const std::string& name, unsigned lane) const
    {
        if (name[0] == 'm') // m[ADDRESS]
            return bench_->peek(static_cast<unsigned>(std::stoul(name.substr(2), nullptr, 0)) + 4 * lane);
        if (name == "done") return bench_->completions.at(0).cycle;
        const auto& completion = bench_->completions.at(0).completion;
        if (name == "lost") return completion.lost;
        if (name == "stale") return completion.stale;
        if (name == "vertices") return completion.vertex_count[lane];
        if (name == "traps") return counters_.trap_count;
        if (name == "trap") return counters_.traps.at(0).code;
        if (name == "trap_lanes") return counters_.traps.at(0).lanes;
        if (name == "trap_stage") return static_cast<number>(counters_.traps.at(0).stage);
        if (name == "trap_at") return number_of(counters_.traps.at(0).pc);
        if (name == "final_outs") return counters_.final_outs;
        if (name == "geometry") return static_cast<number>(stage::geometry);
        const auto dot = name.find('.');
        const std::string kind = name.substr(0, dot), part = dot == name.npos ? "" : name.substr(dot + 1);
        if (kind == "instructions") return counters_.instructions[index_of(opcode_names, part)];
        if (kind == "latencies") return counters_.latency[index_of(opcode_names, part)].count();
        if (kind == "longest") return counters_.latency[index_of(opcode_names, part)].max();
        if (kind == "threads") return counters_.threads[index_of(stage_names, part)];
        if (kind == "discarded") return bench_->core().counters().*discards.at(part);
        if (kind == "stall")
            for (const auto& row : stall_rows)
                if (part == row.name) return counters_.stalls[row.reason];
        if (kind.rfind("op", 0) == 0) { // op2.data1: a part of the third operation
            const auto& [op, result, times] = bench_->transactions.at(std::stoul(kind.substr(2)));
            if (part.rfind("data", 0) == 0) return op.data.at(std::stoul(part.substr(4)))[lane];
            if (part == "lanes") return op.lanes;
            if (part == "final") return op.op == opcode::out && op.type == out_type::final ? 1 : 0;
            if (part == "outside") return result.status[lane] == lane_status::out_of_range ? 1 : 0;
            if (part == "defaulted") return result.status[lane] == lane_status::defaulted ? 1 : 0;
            if (part == "begin") return times.begin_request;
            if (part == "accept") return times.accept;
            if (part == "response") return times.response;
        }
        throw std::invalid_argument("'" + name + "' is no part of the state");
    }

    void expect(const case_item& item)
    {
        if (item.name == "operations") {
            EXPECT_EQ(operations(), item.value);
            return;
        }
        if (item.name.rfind("warnings", 0) == 0) { // or warnings.KIND
            EXPECT_EQ(warnings(item.name.substr(std::min<std::size_t>(item.name.size(), 9))), item.value);
            return;
        }
        const auto value = compiled(item.value);
        for (unsigned i = 0; i < warp_lanes; ++i)
            ASSERT_EQ(place(item.name, i), value(i) & 0xffffffffU) << item.name << " of lane " << i;
    }

    std::vector<case_item> before_;
    std::map<std::string, std::string> given_;
    std::unique_ptr<sm_bench> bench_;
    const isa::program* program_ = nullptr;
    sm_counters counters_;
};

class sm_case : public testing::Test {
public:
    sm_case(const text_case& each, backend which) : case_(each), which_(which) {}
    void TestBody() override
    {
        SCOPED_TRACE(case_.place + ": " + case_.text);
        sm_run(case_, which_);
    }

private:
    text_case case_;
    backend which_;
};

const bool registered = [] {
    for (const auto& group : case_groups(ISBESIM_SOURCE_DIR "/tests/sm/cases"))
        for (std::size_t k = 0; k < group.cases.size(); ++k)
            for (const auto& item : case_items(group.header)) {
                if (item.name != "lt" && item.name != "at") continue;
                const auto which = item.name == "lt" ? backend::lt : backend::at;
                const auto name = group.name + "/" + item.name + (k == 0 ? "" : "/" + std::to_string(k + 1));
                testing::RegisterTest(
                    group.suite.c_str(), name.c_str(), nullptr, nullptr, group.file.c_str(), group.line,
                    [each = group.cases[k], which]() -> testing::Test* { return new sm_case(each, which); });
            }
    return true;
}();

} // namespace
} // namespace isbesim
