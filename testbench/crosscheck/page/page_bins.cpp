// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/page/page_bins.h"

#include <array>
#include <initializer_list>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/operation_variants.h"

namespace isbesim::testbench {

namespace {

using c = condition;

constexpr auto own_vertex = "the vertex is the lane's number, 0 to 31";
constexpr auto distinct_words = "each lane has a vertex, and each component a rank, of its own";
constexpr auto from_the_first = "a component inside the patch has all before it inside";
constexpr auto aligned_blocks = "accesses of one size are aligned to it: all components in common, or none";

space space_of(const warp_op& op)
{
    const bool looks =
        op.op == opcode::ald || op.op == opcode::al2p || (is_raw(op.op) && op.region != region::physical);
    return looks ? op.space : op.op == opcode::bind || is_raw(op.op) ? space::input : space::output;
}

/// The bins of one row.
class lister {
public:
    explicit lister(const page_row& row) : row_(row) {}

    std::vector<page_bin> bins()
    {
        if (row_.stage == page_row::any_stage)
            operation();
        else if (!refused())
            by_stage();
        return std::move(bins_);
    }

private:
    void can(std::initializer_list<condition> all)
    {
        for (const auto what : all) bins_.push_back({what, nullptr});
    }
    void can_if(bool possible, condition what, const char* why_not)
    {
        bins_.push_back({what, possible ? nullptr : why_not});
    }
    bool is(opcode op) const { return row_.op == op; }
    bool is(stage s) const { return row_.stage == static_cast<unsigned>(s); }
    bool is(address_form form) const { return is_attribute(row_.op) && row_.variant == static_cast<unsigned>(form); }
    bool is(region r) const { return is_raw(row_.op) && row_.variant == static_cast<unsigned>(r); }
    bool is(out_type t) const { return is(opcode::out) && row_.variant == static_cast<unsigned>(t); }
    bool input() const { return row_.space == space::input; }
    bool physical() const { return is(region::physical); }
    bool by_slot() const { return is(opcode::ast) && is(stage::geometry); }
    bool by_handle() const
    {
        return is(opcode::ald) && (is(stage::tess_init) || is(stage::tess) || is(stage::geometry));
    }

    // Sections 4.1 and 5
    void operation();
    void operation_accesses();
    // Section 4
    bool refused();
    void by_stage();
    void attribute();
    void address();
    void result();
    void vertices();
    void defaults();
    void patch();
    void al2p();
    void bytes();
    void out();
    void state() { can({c::state_checksum, c::state_zero_bit, c::state_slot, c::state_stream}); }
    void shared_spaces();

    page_row row_;
    std::vector<page_bin> bins_;
};

void lister::operation()
{
    can({c::at_once, c::later, c::held, c::request_waited});
    if (is(opcode::bind)) return can({c::slot_beyond_table, c::error_at_once, c::error_later});
    if (!physical()) can({c::slot_beyond_table, c::stage_none, c::error_at_once, c::error_later});
    if (is(opcode::isbewr) && input() && !physical()) { // always refused
        bins_.clear();
        return can({c::slot_beyond_table, c::stage_none, c::error_at_once, c::error_later, c::held, c::request_waited});
    }
    operation_accesses();
    if (physical()) bytes();
}

void lister::operation_accesses()
{
    can({c::no_access});
    if (is(opcode::al2p) || is(out_type::final)) return;
    const bool vertex_store = is(opcode::ast) && !is(address_form::patch);
    can({c::several_passes});
    can_if(!vertex_store, c::same_word, distinct_words);
    if (is_attribute(row_.op) && !is(address_form::phys))
        can_if(!is(address_form::patch), c::component_skipped, from_the_first);
    if (is(opcode::ast) || is(opcode::isbewr)) {
        can_if(!vertex_store, c::lane_lost, distinct_words);
        can_if(is(opcode::isbewr), c::lane_overwritten, vertex_store ? distinct_words : aligned_blocks);
    }
    if (is(opcode::isbewr) || is(opcode::out)) can({c::bytes_of_one_word});
}

/// Rows that section 4.1 refuses have only the condition of the refusal.
bool lister::refused()
{
    if (is(opcode::isbewr) && input()) {
        can({c::store_to_input});
        return true;
    }
    if (is(address_form::phys)) can({c::phys_vector});
    if (is(opcode::ald) && is(address_form::patch) && !is(input() ? stage::tess : stage::tess_init))
        can({c::patch_load_elsewhere});
    else if (is(opcode::ald) && !is(address_form::patch) && !input() &&
             (is(stage::geometry) || is(stage::task) || is(stage::mesh)))
        can({c::output_load_refused});
    else if (is(opcode::ast) && is(address_form::patch) && !is(stage::tess_init))
        can({c::patch_store_elsewhere});
    else if (is(opcode::out) && !is(stage::geometry) && row_.stage != page_row::fast_geometry)
        can({c::out_elsewhere});
    else
        return false;
    return true;
}

void lister::by_stage()
{
    if (is(address_form::patch))
        patch();
    else if (is_attribute(row_.op))
        attribute();
    if (is(opcode::al2p)) al2p();
    if (is_raw(row_.op)) bytes();
    if (is(opcode::out)) out();
    if (is(opcode::ald) || is_raw(row_.op) || is(opcode::ast)) shared_spaces();
}

void lister::attribute()
{
    if (is(address_form::phys))
        result();
    else
        address();
    vertices();
    if (is(opcode::ald)) defaults();
}

void lister::address()
{
    can({c::address_below, c::address_beyond, c::address_cut, c::maps_both, c::maps_enabled_only,
         c::maps_allocated_only, c::maps_neither});
    can({c::order_2_before_4, c::order_4_before_5, c::order_4_before_7, c::order_5_before_7, c::two_statuses});
    if (is(opcode::ald) && input()) can({c::order_3_before_4});
}

void lister::result()
{
    can({c::tag_wrong, c::tag_zeros_wrong, c::tag_other_space, c::result_out_of_range, c::result_disabled,
         c::rank_beyond});
    can({c::order_1_before_2, c::order_1_before_4, c::order_1_before_5, c::order_1_before_6, c::order_1_before_7,
         c::order_2_before_4, c::order_2_before_5, c::order_2_before_6, c::order_2_before_7, c::order_4_before_5,
         c::order_4_before_6, c::order_4_before_7, c::order_5_before_6, c::order_5_before_7, c::order_6_before_7});
    if (is(opcode::ald) && input())
        can({c::order_1_before_3, c::order_2_before_3, c::order_3_before_4, c::order_3_before_6});
}

void lister::vertices()
{
    can({c::offset_beyond, c::offset_cut, c::accessed});
    can_if(by_handle() || by_slot(), c::vertex_second_group, own_vertex);
    if (by_slot()) {
        state();
        can({c::slot_at_maximum, c::lane_no_thread, c::index_beyond});
    } else {
        can({c::vertex_beyond});
    }
    if (is(opcode::ald) && input()) can({c::primitive_accessed, c::primitive_beyond, c::primitive_disabled});
    if (by_handle() && !input()) can({c::vertex_of_lane});
}

void lister::defaults()
{
    can({c::default_position_w, c::default_generic_w, c::default_front_colours, c::default_back_colours,
         c::default_front_alpha, c::default_back_alpha, c::default_front_specular, c::default_back_specular,
         c::default_texture_q, c::default_zero});
}

void lister::patch()
{
    can({c::address_below, c::address_cut, c::patch_beyond, c::patch_beyond_later, c::patch_no_primitive, c::accessed});
}

void lister::al2p()
{
    can({c::address_below, c::address_beyond, c::address_cut, c::maps_both, c::maps_enabled_only,
         c::maps_allocated_only, c::maps_neither, c::primitive_result});
}

void lister::bytes()
{
    can({c::bytes_below, c::bytes_partly_below, c::bytes_beyond, c::bytes_partly_beyond, c::byte_accessed,
         c::half_accessed, c::word_accessed, c::half_in_two_words, c::word_in_two_words});
    if (!physical()) can({c::region_empty});
    if (is(opcode::isbewr) && is(region::map)) can({c::reversed_below});
}

void lister::out()
{
    if (row_.stage == page_row::fast_geometry) return can({c::fast_geometry});
    state();
    can({c::lane_no_thread});
    if (is(out_type::final)) return can({c::final_kept});
    can({c::token_beyond, c::token_written, c::token_of_masked_stream, c::store_in_shared, c::store_in_others});
    if (is(out_type::cut)) return can({c::cut_at_maximum, c::cut_slot_0, c::cut_strip_0});
    can({c::emit_at_maximum, c::first_vertex, c::strip_saturated, c::stream_changed});
}

void lister::shared_spaces()
{
    if (is_store(row_.op)) return can({c::store_in_shared, c::store_in_others});
    if (input()) can({c::load_of_overwritten, c::load_of_others});
}

} // namespace

const char* section_of_condition(const std::string& name)
{
    static constexpr std::array texts{
#define SECTION(number) number,
#define CONDITION(name) #name,
#include "testbench/crosscheck/page/conditions.inc"
#undef CONDITION
#undef SECTION
    };
    const char* section = "";
    for (const char* const text : texts) {
        if (text[0] < 'a') section = text; // a number
        if (name == text) break;
    }
    return section;
}

std::string page_row::name() const
{
    auto text = variant_name(op, variant);
    const bool sides = op == opcode::ald || op == opcode::al2p || (is_raw(op) && variant != 4);
    if (sides) text += std::string(".") + space_names[static_cast<unsigned>(space)];
    if (stage == fast_geometry) return text + ".fast_geometry";
    return stage == any_stage ? text : text + "." + stage_names[stage];
}

page_row operation_row_of(const warp_op& op)
{
    return {op.op, variant_of(op), space_of(op), page_row::any_stage};
}

page_row stage_row_of(const warp_op& op, const context& slot)
{
    auto row = operation_row_of(op);
    if (op.op == opcode::bind || (is_raw(op.op) && op.region == region::physical)) return row;
    row.stage = static_cast<unsigned>(slot.stage);
    const bool fast = slot.stage == stage::geometry && slot.fast_geometry;
    if (fast && (op.op == opcode::ast || op.op == opcode::out)) row.stage = page_row::fast_geometry;
    return row;
}

std::vector<page_row> all_page_rows()
{
    std::vector<page_row> rows;
    std::array<bool, page_row::count> known{};
    const auto add = [&](const page_row& row) {
        if (!known[row.index()]) rows.push_back(row);
        known[row.index()] = true;
    };
    warp_op op;
    context slot;
    for (unsigned code = 0; code < opcode_count; ++code)
        for (unsigned variant = 0; variant < variant_count(static_cast<opcode>(code)); ++variant)
            for (unsigned side = 0; side < space_count; ++side)
                for (unsigned stage = 1; stage <= page_row::fast_geometry; ++stage) {
                    op.op = static_cast<opcode>(code);
                    set_variant(op, variant);
                    op.space = static_cast<space>(side);
                    slot.fast_geometry = stage == page_row::fast_geometry;
                    slot.stage = slot.fast_geometry ? stage::geometry : static_cast<isbesim::stage>(stage);
                    add(operation_row_of(op));
                    add(stage_row_of(op, slot));
                }
    return rows;
}

std::vector<page_bin> bins_of(const page_row& row)
{
    return lister(row).bins();
}

namespace {

/// Statuses that depend neither on the storage nor on other lanes.
constexpr auto own_statuses = static_cast<std::uint16_t>(~(lane_status::overwritten | lane_status::write_conflict));

bool fits(const warp_result& expected, const warp_result& result)
{
    if (expected.error != result.error || expected.passes != result.passes) return false;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if (expected.status[lane] != (result.status[lane] & own_statuses)) return false;
    return true;
}

/// Sections 4.7 and 5: conditions that only the response shows.
void look_at_response(const isbe_config& config, const context& slot, const warp_op& op, const warp_result& result,
                      const transaction_times& times, std::uint32_t hold, condition_set& met)
{
    const bool failed = result.error != op_error::none;
    const bool at_once = times.response - times.accept == unloaded_latency(config, op.op, result.passes);
    meet(met, failed ? (at_once ? c::error_at_once : c::error_later) : (at_once ? c::at_once : c::later));
    meet(met, c::request_waited, times.accept > times.begin_request);
    meet(met, c::held, hold > 0);
    const bool load = op.op == opcode::ald || op.op == opcode::isberd;
    const bool physical = is_raw(op.op) && op.region == region::physical;
    if (failed || physical || !load || op.space != space::input || !slot.shared_spaces) return;
    bool others = false;
    for_each_lane(op.lanes, [&](unsigned lane) {
        const bool flagged = (result.status[lane] & lane_status::overwritten) != 0;
        meet(met, c::load_of_overwritten, flagged);
        others = others || result.status[lane] == 0;
    });
    meet(met, c::load_of_others, others);
}

} // namespace

const condition_set& operation_conditions()
{
    static const condition_set set = [] {
        condition_set s;
        for (const auto what : {c::slot_beyond_table, c::stage_none, c::no_access, c::component_skipped, c::same_word,
                                c::several_passes, c::bytes_of_one_word, c::lane_lost, c::lane_overwritten,
                                c::request_waited, c::at_once, c::later, c::held, c::error_at_once, c::error_later})
            meet(s, what);
        return s;
    }();
    return set;
}

page_bins::page_bins(const isbe_config& config, const bin_namer& add)
    : config_(config), finder_(config), rows_(page_row::count), is_complete_(page_row::count, 1)
{
    for (const auto& row : all_page_rows()) {
        auto& mine = rows_[row.index()];
        mine.bins.resize(condition_count);
        for (const auto& [what, why_not] : bins_of(row)) {
            const auto name = "page." + row.name() + "." + name_of(what);
            if (why_not != nullptr) {
                excluded_.emplace_back(name, why_not);
                continue;
            }
            mine.bins[static_cast<unsigned>(what)] = add(name);
            meet(mine.missed, what);
            is_complete_[row.index()] = 0;
        }
    }
}

void page_bins::hit(const page_row& row, const condition_set& met, bin_hits& hits)
{
    auto& mine = rows_[row.index()];
    for (unsigned i = 0; i < condition_count; ++i) {
        if (!met.test(i)) continue;
        const auto b = mine.bins.empty() ? bin{0} : mine.bins[i];
        if (b == 0)
            surprises_.push_back(row.name() + "." + name_of(static_cast<condition>(i)));
        else
            ++hits[b];
    }
    mine.missed &= ~met;
    is_complete_[row.index()] = mine.missed.none() ? 1 : 0;
}

void page_bins::sample(const context& slot, const warp_op& op, const warp_result& result,
                       const transaction_times& times, std::uint32_t hold, bin_hits& hits)
{
    const auto operation_row = operation_row_of(op);
    const auto stage_row = stage_row_of(op, slot);
    if ((is_complete_[operation_row.index()] & is_complete_[stage_row.index()]) != 0) return;
    const auto& found = finder_.find(slot, op);
    if (!fits(found.answer, result)) return;
    auto met = found.met;
    look_at_response(config_, slot, op, result, times, hold, met);
    const auto& shared = operation_conditions();
    if (stage_row.stage == page_row::any_stage) return hit(operation_row, met, hits);
    hit(operation_row, met & shared, hits);
    hit(stage_row, met & ~shared, hits);
}

} // namespace isbesim::testbench
