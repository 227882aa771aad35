// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/coverage.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/operation_variants.h"
#include "testbench/crosscheck/traffic/sampled_lanes.h"

namespace isbesim::testbench {

namespace {

constexpr std::array mask_names{"none", "one", "some", "all"};
constexpr std::array error_names{"none", "illegal_instr_encoding", "illegal_sph_instr_combo"};
constexpr std::array status_names{"defaulted",   "dropped_map",    "out_of_range", "handle_range", "gs_state",
                                  "gs_overflow", "write_conflict", "not_al2p",     "overwritten"};
static_assert(lane_status::overwritten == 1U << (status_names.size() - 1), "a name for every bit of lane_status");

constexpr std::array duration_names{"1_cycle", "2_to_7_cycles", "8_cycles_or_more"};
constexpr std::array al2p_names{"enabled", "disabled", "per_primitive", "out_of_range"};
constexpr std::array default_names{"position_w", "generic_w", "diffuse_rgb", "diffuse_a",
                                   "specular_a", "texture_q", "zero"};

unsigned duration_of(std::uint64_t cycles)
{
    return cycles == 1 ? 0 : cycles < 8 ? 1 : 2;
}

/// Index in default_names: the row of the table of default values (micro-architecture section 4.2) for an attribute's
/// address.
unsigned default_row(word address)
{
    constexpr unsigned zero = 6;
    const bool fourth = address % 16 == 12;
    const word face = address & ~0x20U; // back colours have the defaults of the front colours
    if (address == 0x07c) return 0;
    if (address >= 0x080 && address <= 0x27f) return fourth ? 1 : zero;
    if (face >= 0x280 && face <= 0x28f) return fourth ? 3 : 2;
    if (face == 0x29c) return 4;
    if (address >= 0x300 && address <= 0x39f) return fourth ? 5 : zero;
    return zero;
}

std::string number(unsigned value)
{
    return (value < 10 ? "0" : "") + std::to_string(value);
}

/// An operation's variant, space and size; 0 if the opcode ignores it.
struct access_kind {
    explicit access_kind(const warp_op& op)
        : code(op.op),
          variant(variant_of(op)),
          side(code == opcode::ast                ? 1
               : uses(code, request_field::space) ? static_cast<unsigned>(op.space) & 1U
                                                  : 0),
          size(uses(code, request_field::size) ? op.size & 7U : 0)
    {
    }
    std::size_t index() const { return ((static_cast<std::size_t>(code) * 8 + (variant & 7U)) * 2 + side) * 8 + size; }
    /// "ald.logical.input.size1", ...
    std::string name() const
    {
        auto text = variant_name(code, variant);
        if (size == 0) return text;
        return text + "." + space_names[side] + (is_raw(code) ? ".bytes" : ".size") + std::to_string(size);
    }

    opcode code;
    unsigned variant, side, size;
};

} // namespace

coverage::bin coverage::add(const std::string& name)
{
    const auto [entry, added] = index_.emplace(name, static_cast<bin>(hits_.size()));
    if (added) hits_.push_back(0);
    return entry->second;
}

void coverage::add_accesses()
{
    warp_op op;
    for (unsigned code = 0; code < opcode_count; ++code)
        for (unsigned variant = 0; variant < variant_count(static_cast<opcode>(code)); ++variant)
            for (unsigned side = 0; side < space_count; ++side)
                for (unsigned size = 1; size <= max_components; ++size) {
                    op.op = static_cast<opcode>(code);
                    set_variant(op, variant);
                    op.space = static_cast<space>(side);
                    op.size = static_cast<std::uint8_t>(size);
                    const access_kind kind(op);
                    if (field_error(op).empty()) access_[kind.index()] = add("access." + kind.name());
                }
}

coverage::coverage(const isbe_config& config)
    : rare_(config, [this](const std::string& name) { return add(name); }),
      banks_(config, [this](const std::string& name) { return add(name); }),
      corners_(config, [this](const std::string& name) { return add(name); }),
      page_(config, [this](const std::string& name) { return add(name); })
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
    for (unsigned s = 1; s < stage_count; ++s) output_load_[s] = add(std::string("ald.output.") + stage_names[s]);
    for (const auto type : {out_type::emit, out_type::cut, out_type::emit_then_cut}) {
        const auto index = static_cast<unsigned>(type);
        at_maximum_[index] = add(std::string("out.") + out_type_names[index] + ".at_maximum");
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
        const auto name = "port" + std::to_string(port);
        for (unsigned duration = 0; duration < duration_names.size(); ++duration) {
            request_held_[port][duration] = add("back_pressure.request." + name + "." + duration_names[duration]);
            response_held_[port][duration] = add("back_pressure.response." + name + "." + duration_names[duration]);
        }
        // Port 0 never loses under fixed priority.
        if (config.ports > 1 && (port > 0 || config.arbitration == arbitration_rule::round_robin))
            contention_[port] = add("contention." + name);
    }
    add_contexts();
    for (unsigned i = 0; i < al2p_names.size(); ++i) al2p_[i] = add(std::string("al2p.") + al2p_names[i]);
    for (unsigned i = 0; i < default_names.size(); ++i) default_[i] = add(std::string("default.") + default_names[i]);
    far_vertex_ = add("vertex.beyond_first_32");
    crosses_word_ = {add("raw.isberd.crosses_word"), add("raw.isbewr.crosses_word")};
    same_word_ = {add("raw.isberd.same_word"), add("raw.isbewr.same_word")};
}

void coverage::add_contexts()
{
    for (unsigned side = 0; side < space_names.size(); ++side) {
        const std::string map = std::string("map.") + space_names[side];
        allocated_[side] = {add(map + ".allocated.none"), add(map + ".allocated.1_to_31"),
                            add(map + ".allocated.32_or_more")};
        enabled_[side] = {add(map + ".enabled.none"), add(map + ".enabled.part"), add(map + ".enabled.all")};
        enabled_beyond_[side] = add(map + ".enabled.beyond_allocated");
        const std::string vertices = std::string("context.") + space_names[side] + ".vertices.";
        vertices_[side] = {add(vertices + "1_to_32"), add(vertices + "33_or_more")};
    }
    threads_ = {add("context.threads.none"), add("context.threads.some"), add("context.threads.all")};
    fast_geometry_ = add("context.fast_geometry");
    shared_spaces_ = add("context.shared_spaces");
}

void coverage::sample(unsigned port, const context& slot, const warp_op& op, const warp_result& result,
                      const transaction_times& times, std::uint32_t hold)
{
    const auto code = static_cast<unsigned>(op.op);
    const auto stage = static_cast<unsigned>(slot.stage);
    rare_.sample(slot, op, result, hits_);
    page_.sample(slot, op, result, times, hold, hits_);
    corners_.sample(port, slot, op, result, times, hold, hits_);
    count(access_[access_kind(op).index()]);
    count(port_[port][code]);
    const auto lanes = lane_count(op.lanes);
    count(lanes_[code][lanes == 0 ? 0 : lanes == 1 ? 1 : lanes == warp_lanes ? 3 : 2]);
    const bool raw = is_raw(op.op);
    const unsigned write = op.op == opcode::isbewr ? 1 : 0;
    if (raw && op.skew) count(skew_[write]);
    if (!(raw && op.region == region::physical)) count(stage_[stage][code]);
    if (op.op == opcode::ald && op.form != address_form::patch && op.space == space::output) count(output_load_[stage]);
    for (unsigned left = any_status(result); left != 0; left &= left - 1)
        count(status_[static_cast<unsigned>(__builtin_ctz(left))]);
    count(error_[result.error == op_error::none ? 0 : result.error == op_error::illegal_instr_encoding ? 1 : 2]);
    if (times.accept > times.begin_request) count(request_held_[port][duration_of(times.accept - times.begin_request)]);
    if (hold > 0) count(response_held_[port][duration_of(hold)]);
    if (result.error != op_error::none) return;
    if (op.op == opcode::bind) sample_context(unpack_context(op));
    if (op.op == opcode::al2p) sample_al2p(op, result);
    if (op.op == opcode::ald && op.form == address_form::logical) sample_logical_load(slot.stage, op, result);
    if (op.op == opcode::out) sample_out(slot, op);
    if (raw) sample_raw(op, result);
}

void coverage::sample_context(const context& slot)
{
    const std::array spaces{&slot.input, &slot.output};
    for (unsigned side = 0; side < spaces.size(); ++side) {
        const auto& space = *spaces[side];
        const auto allocated = space.allocated.count();
        const auto reachable = (space.enabled & space.allocated).count();
        count(allocated_[side][allocated == 0 ? 0 : allocated < warp_lanes ? 1 : 2]);
        if (allocated != 0) count(enabled_[side][reachable == 0 ? 0 : reachable < allocated ? 1 : 2]);
        if (space.enabled.count() > reachable) count(enabled_beyond_[side]);
        if (space.vertex_count != 0) count(vertices_[side][space.vertex_count <= warp_lanes ? 0 : 1]);
    }
    if (slot.shared_spaces) count(shared_spaces_);
    if (slot.stage != stage::geometry) return;
    if (slot.fast_geometry) count(fast_geometry_);
    const auto threads = slot.geometry.thread_count;
    count(threads_[threads == 0 ? 0 : threads < warp_lanes ? 1 : 2]);
}

void coverage::sample_al2p(const warp_op& op, const warp_result& result)
{
    for_each_lane(op.lanes, [&](unsigned lane) {
        const auto value = decode_al2p(result.data[0][lane]);
        count(al2p_[value.out_of_range ? 3 : value.enabled ? 0 : 1]);
        if (value.per_primitive) count(al2p_[2]);
    });
}

void coverage::sample_logical_load(stage stage, const warp_op& op, const warp_result& result)
{
    const bool by_handle = stage == stage::tess_init || stage == stage::tess || stage == stage::geometry;
    for_each_lane(op.lanes, [&](unsigned lane) {
        // For a single word, the status is that of its address.
        if (op.size == 1 && (result.status[lane] & lane_status::defaulted) != 0)
            count(default_[default_row((op.address[lane] + static_cast<word>(op.immediate)) & ~3U)]);
        if (by_handle && op.space == space::input && op.handle[lane] >= warp_lanes && result.status[lane] == 0)
            count(far_vertex_);
    });
}

void coverage::sample_out(const context& slot, const warp_op& op)
{
    const auto maximum = slot.geometry.max_vertices;
    if (slot.stage != stage::geometry || slot.fast_geometry) return;
    if (maximum == 0) return;
    const auto found = state_lanes_of(op.handle, maximum);
    // Without a vertex in its strip, CUT has no effect anyway.
    const auto lanes = found.valid & found.at_maximum & op.lanes & first_lanes(slot.geometry.thread_count);
    hits_[at_maximum_[static_cast<unsigned>(op.type)]] += lane_count(lanes);
}

void coverage::sample_raw(const warp_op& op, const warp_result& result)
{
    const unsigned write = op.op == opcode::isbewr ? 1 : 0;
    // Aligned words are one component, so their passes are the conflict degree itself.
    if (op.size == 4 && op.region == region::physical && result.passes <= warp_lanes)
        count(passes_[write][result.passes]);
    banks_.sample(op, result, hits_);
    if (op.lanes == 0) return;
    const auto found = raw_lanes_of(op, result);
    if (found.crossing != 0) count(crosses_word_[write]);
    if (found.same_word == op.lanes && lane_count(op.lanes) > 1) count(same_word_[write]);
}

coverage::part coverage::part_of(const std::string& bin)
{
    return page_bins::is_name(bin) ? part::conditions : corner_bins::is_name(bin) ? part::corners : part::listed;
}

namespace {

/// The section of the page that a bin is about.
std::string section_of(const std::string& bin)
{
    const auto dot = bin.find('.');
    switch (coverage::part_of(bin)) {
    case coverage::part::conditions:
        return section_of_condition(bin.substr(bin.rfind('.') + 1));
    case coverage::part::corners: // "corner.4.2.sum.8", "corner.3.ids.0"
        return std::string(1, bin[dot + 1]) + (bin[dot + 1] == '4' ? bin.substr(dot + 2, 2) : "");
    case coverage::part::listed:
        break;
    }
    static const std::map<std::string, const char*> sections{
        {"slot", "3"},     {"map", "3"},    {"context", "3"},  {"error", "4.1"},    {"default", "4.2"}, {"ald", "4.2"},
        {"vertex", "4.2"}, {"al2p", "4.4"}, {"raw", "4.5"},    {"address", "4.5"},  {"skew", "4.5"},    {"out", "4.6"},
        {"state", "4.6"},  {"passes", "5"}, {"bank_map", "5"}, {"contention", "5"}, {"status", "6"}};
    const auto found = sections.find(bin.substr(0, dot));
    return found == sections.end() ? "2" : found->second; // fields of requests and responses
}

} // namespace

coverage::share coverage::of(part which) const
{
    share found;
    for (const auto& [section, parts] : by_section()) {
        found.size += parts[static_cast<unsigned>(which)].size;
        found.hit += parts[static_cast<unsigned>(which)].hit;
    }
    return found;
}

std::map<std::string, std::array<coverage::share, 3>> coverage::by_section() const
{
    std::map<std::string, std::array<share, 3>> sections;
    for (const auto& [name, b] : index_) {
        auto& found = sections[section_of(name)][static_cast<unsigned>(part_of(name))];
        ++found.size;
        found.hit += hits_[b] != 0 ? 1 : 0;
    }
    return sections;
}

std::vector<std::string> coverage::missed(part which) const
{
    std::vector<std::string> names;
    for (const auto& [name, b] : index_)
        if (hits_[b] == 0 && part_of(name) == which) names.push_back(name);
    return names;
}

std::map<std::string, std::uint64_t> coverage::bins() const
{
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [name, b] : index_) counts.emplace(name, hits_[b]);
    return counts;
}

} // namespace isbesim::testbench
