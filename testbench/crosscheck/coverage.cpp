#include "testbench/crosscheck/coverage.h"

#include <algorithm>
#include <array>

namespace isbesim::testbench {

namespace {

constexpr std::array opcode_names{"ald", "ast", "al2p", "out", "isberd", "isbewr", "bind"};
constexpr std::array form_names{"logical", "patch", "phys"};
constexpr std::array region_names{"map", "patch", "prim", "attr", "physical"};
constexpr std::array type_names{"final", "emit", "cut", "emit_then_cut"};
constexpr std::array stage_names{"none", "vertex_a", "vertex", "tess_init", "tess", "geometry", "task", "mesh"};
constexpr std::array mask_names{"none", "one", "some", "all"};
constexpr std::array status_names{"defaulted",   "dropped_map",    "out_of_range", "handle_range", "gs_state",
                                  "gs_overflow", "write_conflict", "not_al2p",     "overwritten"};

std::string number(unsigned value)
{
    return (value < 10 ? "0" : "") + std::to_string(value);
}
std::string space_name(space side)
{
    return side == space::input ? "input" : "output";
}
std::string opcode_name(opcode op)
{
    return opcode_names[static_cast<unsigned>(op)];
}

std::string access_name(const warp_op& op)
{
    const auto side = space_name(op.op == opcode::ast ? space::output : op.space);
    switch (op.op) {
    case opcode::ald:
    case opcode::ast:
        return opcode_name(op.op) + "." + form_names[static_cast<unsigned>(op.form)] + "." + side + ".size" +
               std::to_string(op.size);
    case opcode::al2p:
        return "al2p." + side + ".size" + std::to_string(op.size);
    case opcode::out:
        return std::string("out.") + type_names[static_cast<unsigned>(op.type)];
    case opcode::isberd:
    case opcode::isbewr:
        return opcode_name(op.op) + "." + region_names[static_cast<unsigned>(op.region)] + "." + side + ".bytes" +
               std::to_string(op.size);
    case opcode::bind:
        break;
    }
    return "bind";
}

} // namespace

coverage::coverage(const isbe_config& config)
    : conflict_degrees_(std::min(
          warp_lanes, config.access == access_rule::line ? config.lines : config.lines * warp_lanes / config.banks))
{
    warp_op op;
    const std::array both{space::input, space::output};
    for (const auto side : both) {
        op.space = side;
        for (unsigned size = 1; size <= max_components; ++size) {
            op.size = static_cast<std::uint8_t>(size);
            op.op = opcode::al2p;
            add("access." + access_name(op));
            for (unsigned form = 0; form < form_names.size(); ++form) {
                op.form = static_cast<address_form>(form);
                for (const auto code : {opcode::ald, opcode::ast}) {
                    op.op = code;
                    add("access." + access_name(op));
                }
            }
            if (size == 3) continue; // bytes: 1, 2, 4
            for (unsigned region_index = 0; region_index < region_names.size(); ++region_index) {
                op.region = static_cast<region>(region_index);
                for (const auto code : {opcode::isberd, opcode::isbewr}) {
                    op.op = code;
                    add("access." + access_name(op));
                }
            }
        }
    }
    for (const auto* name : type_names) add(std::string("access.out.") + name);
    add("access.bind");
    add("skew.isberd");
    add("skew.isbewr");
    for (unsigned code = 0; code < opcode_count; ++code) {
        for (unsigned port = 0; port < config.ports; ++port)
            add("port" + std::to_string(port) + "." + opcode_names[code]);
        if (static_cast<opcode>(code) == opcode::bind) continue;
        for (const auto* name : mask_names) add("lanes." + std::string(opcode_names[code]) + "." + name);
        for (const auto* name : stage_names) add("stage." + std::string(name) + "." + opcode_names[code]);
    }
    for (unsigned degree = 1; degree <= conflict_degrees_; ++degree) {
        add("passes.read." + number(degree));
        add("passes.write." + number(degree));
    }
    for (const auto* name : status_names) add(std::string("status.") + name);
    for (const auto* name : {"none", "illegal_instr_encoding", "illegal_sph_instr_combo"})
        add(std::string("error.") + name);
    for (unsigned port = 0; port < config.ports; ++port) {
        add("back_pressure.request.port" + std::to_string(port));
        add("back_pressure.response.port" + std::to_string(port));
    }
}

void coverage::count(const std::string& name)
{
    const auto bin = bins_.find(name);
    if (bin != bins_.end()) ++bin->second;
}

void coverage::sample(unsigned port, stage stage, const warp_op& op, const warp_result& result,
                      const transaction_times& times, std::uint32_t hold)
{
    const auto name = opcode_name(op.op);
    count("access." + access_name(op));
    count("port" + std::to_string(port) + "." + name);
    const auto lanes = static_cast<unsigned>(__builtin_popcount(op.lanes));
    count("lanes." + name + "." + mask_names[lanes == 0 ? 0 : lanes == 1 ? 1 : lanes == warp_lanes ? 3 : 2]);
    const bool raw = op.op == opcode::isberd || op.op == opcode::isbewr;
    if (raw && op.skew) count("skew." + name);
    if (!(raw && op.region == region::physical))
        count("stage." + std::string(stage_names[static_cast<unsigned>(stage)]) + "." + name);
    // Aligned raw words are one component, so their passes are the conflict degree itself.
    if (raw && op.size == 4 && op.region == region::physical)
        count((op.op == opcode::isberd ? "passes.read." : "passes.write.") + number(result.passes));
    std::uint16_t status = 0;
    for (const auto lane : result.status) status = static_cast<std::uint16_t>(status | lane);
    for (unsigned bit = 0; bit < status_names.size(); ++bit)
        if ((status >> bit) & 1U) count(std::string("status.") + status_names[bit]);
    count(result.error == op_error::none                     ? "error.none"
          : result.error == op_error::illegal_instr_encoding ? "error.illegal_instr_encoding"
                                                             : "error.illegal_sph_instr_combo");
    if (times.accept > times.begin_request) count("back_pressure.request.port" + std::to_string(port));
    if (hold > 0) count("back_pressure.response.port" + std::to_string(port));
}

std::size_t coverage::hit() const
{
    std::size_t n = 0;
    for (const auto& bin : bins_) n += bin.second != 0 ? 1 : 0;
    return n;
}

std::vector<std::string> coverage::missed() const
{
    std::vector<std::string> names;
    for (const auto& bin : bins_)
        if (bin.second == 0) names.push_back(bin.first);
    return names;
}

} // namespace isbesim::testbench
