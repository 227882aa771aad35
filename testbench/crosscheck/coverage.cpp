#include "testbench/crosscheck/coverage.h"

#include <algorithm>

#include "models/isbe/names.h"

namespace isbesim::testbench {

namespace {

constexpr std::array form_names{"logical", "patch", "phys"};
constexpr std::array region_names{"map", "patch", "prim", "attr", "physical"};
constexpr std::array type_names{"final", "emit", "cut", "emit_then_cut"};
constexpr std::array mask_names{"none", "one", "some", "all"};
constexpr std::array error_names{"none", "illegal_instr_encoding", "illegal_sph_instr_combo"};
constexpr std::array status_names{"defaulted",   "dropped_map",    "out_of_range", "handle_range", "gs_state",
                                  "gs_overflow", "write_conflict", "not_al2p",     "overwritten"};

std::string number(unsigned value)
{
    return (value < 10 ? "0" : "") + std::to_string(value);
}

bool is_raw(opcode op)
{
    return op == opcode::isberd || op == opcode::isbewr;
}

/// "ald.logical.input.size1", …: what kind of access it is.
std::string access_name(const warp_op& op)
{
    const std::string name = name_of(op.op);
    const std::string side = op.space == space::input ? ".input" : ".output";
    switch (op.op) {
    case opcode::ald:
    case opcode::ast:
        return name + "." + form_names[static_cast<unsigned>(op.form)] + side + ".size" + std::to_string(op.size);
    case opcode::al2p:
        return name + side + ".size" + std::to_string(op.size);
    case opcode::out:
        return name + "." + type_names[static_cast<unsigned>(op.type)];
    case opcode::isberd:
    case opcode::isbewr:
        return name + "." + region_names[static_cast<unsigned>(op.region)] + side + ".bytes" + std::to_string(op.size);
    case opcode::bind:
        break;
    }
    return name;
}

} // namespace

coverage::bin coverage::add(const std::string& name)
{
    const auto [entry, added] = index_.emplace(name, static_cast<bin>(hits_.size()));
    if (added) hits_.push_back(0);
    return entry->second;
}

/// Place in access_: opcode, its variant (form, region or type), space, size; what doesn't matter for an opcode is 0.
std::size_t coverage::access_of(const warp_op& op)
{
    unsigned variant = 0;
    unsigned side = static_cast<unsigned>(op.space) & 1U;
    unsigned size = op.size & 7U;
    switch (op.op) {
    case opcode::ast:
        side = 1;
        [[fallthrough]];
    case opcode::ald:
        variant = static_cast<unsigned>(op.form);
        break;
    case opcode::isberd:
    case opcode::isbewr:
        variant = static_cast<unsigned>(op.region);
        break;
    case opcode::al2p:
        break;
    case opcode::out:
        variant = static_cast<unsigned>(op.type);
        side = size = 0;
        break;
    case opcode::bind:
        side = size = 0;
        break;
    }
    return ((static_cast<std::size_t>(op.op) * 8 + (variant & 7U)) * 2 + side) * 8 + size;
}

void coverage::add_accesses()
{
    warp_op op;
    const auto add_this = [&] { access_[access_of(op)] = add("access." + access_name(op)); };
    for (const auto side : {space::input, space::output}) {
        op.space = side;
        for (unsigned size = 1; size <= max_components; ++size) {
            op.size = static_cast<std::uint8_t>(size);
            op.op = opcode::al2p;
            add_this();
            for (unsigned form = 0; form < form_names.size(); ++form) {
                op.form = static_cast<address_form>(form);
                op.op = opcode::ald;
                add_this();
                op.op = opcode::ast;
                if (side == space::output) add_this();
            }
            if (size == 3) continue; // bytes: 1, 2, 4
            for (unsigned region_index = 0; region_index < region_names.size(); ++region_index) {
                op.region = static_cast<region>(region_index);
                for (const auto code : {opcode::isberd, opcode::isbewr}) {
                    op.op = code;
                    add_this();
                }
            }
        }
    }
    op.op = opcode::out;
    for (unsigned type = 0; type < type_names.size(); ++type) {
        op.type = static_cast<out_type>(type);
        add_this();
    }
    op.op = opcode::bind;
    add_this();
}

coverage::coverage(const isbe_config& config)
{
    add_accesses();
    skew_ = {add("skew.isberd"), add("skew.isbewr")};
    for (unsigned code = 0; code < opcode_count; ++code) {
        const std::string name = opcode_names[code];
        for (unsigned port = 0; port < config.ports; ++port)
            port_[port][code] = add("port" + std::to_string(port) + "." + name);
        if (static_cast<opcode>(code) == opcode::bind) continue;
        for (unsigned mask = 0; mask < mask_names.size(); ++mask)
            lanes_[code][mask] = add("lanes." + name + "." + mask_names[mask]);
        for (unsigned s = 0; s < stage_count; ++s)
            stage_[s][code] = add("stage." + std::string(stage_names[s]) + "." + name);
    }
    const auto rows = config.access == access_rule::line ? config.lines : config.lines * warp_lanes / config.banks;
    for (unsigned degree = 1; degree <= std::min(warp_lanes, rows); ++degree) {
        passes_[0][degree] = add("passes.read." + number(degree));
        passes_[1][degree] = add("passes.write." + number(degree));
    }
    for (unsigned bit = 0; bit < status_names.size(); ++bit)
        status_[bit] = add(std::string("status.") + status_names[bit]);
    for (unsigned error = 0; error < error_names.size(); ++error)
        error_[error] = add(std::string("error.") + error_names[error]);
    for (unsigned port = 0; port < config.ports; ++port) {
        request_held_[port] = add("back_pressure.request.port" + std::to_string(port));
        response_held_[port] = add("back_pressure.response.port" + std::to_string(port));
    }
}

void coverage::sample(unsigned port, stage stage, const warp_op& op, const warp_result& result,
                      const transaction_times& times, std::uint32_t hold)
{
    const auto code = static_cast<unsigned>(op.op);
    count(access_[access_of(op)]);
    count(port_[port][code]);
    const auto lanes = static_cast<unsigned>(__builtin_popcount(op.lanes));
    count(lanes_[code][lanes == 0 ? 0 : lanes == 1 ? 1 : lanes == warp_lanes ? 3 : 2]);
    const bool raw = is_raw(op.op);
    const unsigned write = op.op == opcode::isbewr ? 1 : 0;
    if (raw && op.skew) count(skew_[write]);
    if (!(raw && op.region == region::physical)) count(stage_[static_cast<unsigned>(stage)][code]);
    // Aligned raw words are one component, so their passes are the conflict degree itself.
    if (raw && op.size == 4 && op.region == region::physical && result.passes <= warp_lanes)
        count(passes_[write][result.passes]);
    std::uint16_t status = 0;
    for (const auto lane : result.status) status = static_cast<std::uint16_t>(status | lane);
    for (unsigned left = status; left != 0; left &= left - 1)
        count(status_[static_cast<unsigned>(__builtin_ctz(left))]);
    count(error_[result.error == op_error::none ? 0 : result.error == op_error::illegal_instr_encoding ? 1 : 2]);
    if (times.accept > times.begin_request) count(request_held_[port]);
    if (hold > 0) count(response_held_[port]);
}

std::size_t coverage::hit() const
{
    return static_cast<std::size_t>(std::count_if(hits_.begin() + 1, hits_.end(), [](auto n) { return n != 0; }));
}

std::vector<std::string> coverage::missed() const
{
    std::vector<std::string> names;
    for (const auto& [name, b] : index_)
        if (hits_[b] == 0) names.push_back(name);
    return names;
}

std::map<std::string, std::uint64_t> coverage::bins() const
{
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [name, b] : index_) counts.emplace(name, hits_[b]);
    return counts;
}

} // namespace isbesim::testbench
