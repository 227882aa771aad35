// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warnings/warning_table.h"

#include <array>
#include <cstdio>

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/isbe/functional/names.h"
#include "tlm/enum_table.h"

namespace isbesim {
namespace {

std::string register_name(unsigned reg)
{
    if (reg < register_hazards::predicate_base) return "R" + std::to_string(reg);
    if (reg >= register_hazards::uniform_predicate_base)
        return "UP" + std::to_string(reg - register_hazards::uniform_predicate_base);
    if (reg >= register_hazards::uniform_base) return "UR" + std::to_string(reg - register_hazards::uniform_base);
    const unsigned predicate = reg - register_hazards::predicate_base;
    return predicate == 7 ? "CC" : "P" + std::to_string(predicate);
}

struct kind_row {
    warning_kind kind;
    const char* name;
    const char* text; ///< of register_hazard, after the register
};

constexpr std::array<kind_row, enum_count<last_warning_kind>> kinds{{
    {warning_kind::register_hazard, "register_hazard",
     " is used or overwritten before its result is ready: the control words do not wait for it"},
    {warning_kind::missing_handle, "missing_handle", "ALD without a vertex handle register reads vertex 0"},
    {warning_kind::missing_state, "missing_state",
     "AST without the geometry state register stores to the thread's first vertex"},
    {warning_kind::cut_stream, "cut_stream", "OUT.CUT with a stream operand other than RZ: the operand is ignored"},
    {warning_kind::skew_ignored, "skew_ignored", ".SKEW has no effect on the MAP, PATCH and PRIM regions"},
    {warning_kind::not_al2p, "not_al2p", "the register of a .PHYS access is not an AL2P result for this space"},
    {warning_kind::overwritten, "overwritten",
     "input attribute read after an output of the shared spaces overwrote it"},
    {warning_kind::handle_range, "handle_range", "vertex handle beyond the vertex count"},
    {warning_kind::gs_state, "gs_state", "geometry state register holds a value that OUT did not produce"},
    {warning_kind::stale_state, "stale_state",
     "the thread ends with a geometry state older than its last OUT (R0 was not kept): the vertices emitted "
     "since are lost, output.geometry_threads_lost counts the threads"},
    {warning_kind::patch_range, "patch_range",
     "patch attribute beyond the patch that TI's header declares, or beyond the levels where there is no TI: "
     "loads read 0, stores are dropped"},
    {warning_kind::isbe_range, "isbe_range", "ISBERD or ISBEWR outside its region"},
    {warning_kind::diverged_bar, "diverged_bar",
     "BAR by a part of the warp's lanes: the whole warp counts as arrived, the others are not waited for"},
    {warning_kind::attribute_range, "attribute_range",
     "attribute address outside 0 to 0x3fc: loads read 0, stores are dropped (discarded.out_of_range)"},
    {warning_kind::beyond_maximum, "beyond_maximum",
     "OUT or AST beyond the maximum of vertices that the header declares: dropped (discarded.gs_overflow)"},
    {warning_kind::write_conflict, "write_conflict",
     "lanes store different values to one place: one of them is kept (discarded.patch_conflict)"},
    {warning_kind::no_output, "no_output",
     "a store by a result of AL2P names an attribute that the header's omap lacks: dropped (discarded.bmap)"},
}};
static_assert(covers_enum<last_warning_kind>(kinds, &kind_row::kind));

std::string text(const warning& value)
{
    const std::string what = kinds[static_cast<std::size_t>(value.kind)].text;
    return value.kind == warning_kind::register_hazard ? register_name(value.reg) + what : what;
}

/// 32 bits of pc, 16 of reg and 8 each of kind and stage.
std::uint64_t key(const warning& value)
{
    static_assert(enum_count<last_warning_kind> <= 256 && stage_count <= 256);
    static_assert(register_hazards::count <= 65536);
    return static_cast<std::uint64_t>(value.pc) | static_cast<std::uint64_t>(value.reg) << 32U |
           static_cast<std::uint64_t>(value.kind) << 48U | static_cast<std::uint64_t>(value.stage) << 56U;
}

/// RZ, whether written or omitted.
bool is_zero_register(const isa::operand& operand)
{
    return operand.kind == isa::operand::source::none ||
           (operand.kind == isa::operand::source::reg && operand.index == isa::register_zero);
}

/// Whether an input load (of `components`, if physical) reads only PRIMITIVE_ID. That attribute belongs to the
/// primitive, so the handle is implicit (HARDWARE.md A.5). Alignment follows E.2.
bool loads_per_primitive(const warp_op& op, unsigned components)
{
    if (op.space != space::input || op.size != 1 || components != 1) return false;
    if (op.form == address_form::logical) return is_per_primitive(static_cast<unsigned>(op.immediate) / 4);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if ((op.lanes >> lane & 1U) != 0 && !decode_al2p(op.address[lane]).per_primitive) return false;
    return true;
}

/// A load that needs a vertex handle and has none (HARDWARE.md E.4, E.6 row 23).
bool lacks_handle(isbesim::stage stage, const isa::instruction& instruction, const warp_op& op, unsigned components)
{
    const bool by_handle =
        stage == isbesim::stage::tess_init || stage == isbesim::stage::tess || stage == isbesim::stage::geometry;
    return by_handle && op.form != address_form::patch && is_zero_register(instruction.at(isa::slot::b)) &&
           !loads_per_primitive(op, components);
}

} // namespace

const char* kind_name(warning_kind kind)
{
    return kinds[static_cast<std::size_t>(kind)].name;
}

std::string describe(const warning& value)
{
    char place[64];
    std::snprintf(place, sizeof place, "%s 0x%04x: ", name_of(value.stage), value.pc);
    return place + text(value);
}

void warning_table::add(const warning& value)
{
    const auto known = index_.find(key(value));
    if (known != index_.end()) {
        warnings_[known->second].count += value.count;
        return;
    }
    if (warnings_.size() == limit) {
        beyond_limit_ += value.count;
        return;
    }
    index_.emplace(key(value), warnings_.size());
    warnings_.push_back(value);
}

void warning_table::merge(const warning_table& other)
{
    for (const warning& value : other.warnings_) add(value);
    beyond_limit_ += other.beyond_limit_;
}

unsigned register_hazards::check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready,
                                 bool lanes_off) const
{
    if (over(now)) return none;
    unsigned found = none;
    visit(info, ready, lanes_off, [&](unsigned number, std::uint64_t cycle) {
        if (cycle > now && found == none) found = number;
    });
    return found;
}

void warnings_of_operation(warning_table& warnings, isbesim::stage stage, bool by_state, std::uint64_t cycle,
                           const isa::instruction& instruction, const warp_op& op, unsigned components)
{
    const auto add = [&](warning_kind kind) { warnings.add(kind, stage, instruction.address, 0, cycle); };
    switch (op.op) {
    case opcode::ald:
        if (lacks_handle(stage, instruction, op, components)) add(warning_kind::missing_handle);
        break;
    case opcode::ast:
        if (by_state && op.form != address_form::patch && is_zero_register(instruction.at(isa::slot::b)))
            add(warning_kind::missing_state);
        break;
    case opcode::out:
        if (op.type == out_type::cut && !is_zero_register(instruction.at(isa::slot::b))) add(warning_kind::cut_stream);
        break;
    case opcode::isberd:
    case opcode::isbewr:
        if (op.skew && op.region != region::attr) add(warning_kind::skew_ignored);
        break;
    default:
        break;
    }
}

} // namespace isbesim
