// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warnings/warning_table.h"

#include <cstdio>

#include "models/isbe/functional/names.h"
#include "models/sm/warnings/register_hazards.h"
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

std::string text(const warning& value)
{
    switch (value.kind) {
    case warning_kind::register_hazard:
        return register_name(value.reg) +
               " is used or overwritten before its result is ready: the control words do not wait for it";
    case warning_kind::missing_handle:
        return "ALD without a vertex handle register reads vertex 0";
    case warning_kind::missing_state:
        return "AST without the geometry state register stores to the thread's first vertex";
    case warning_kind::cut_stream:
        return "OUT.CUT with a stream operand other than RZ: the operand is ignored";
    case warning_kind::skew_ignored:
        return ".SKEW has no effect on the MAP, PATCH and PRIM regions";
    case warning_kind::not_al2p:
        return "the register of a .PHYS access is not an AL2P result for this space";
    case warning_kind::overwritten:
        return "input attribute read after an output of the shared spaces overwrote it";
    case warning_kind::handle_range:
        return "vertex handle beyond the vertex count";
    case warning_kind::gs_state:
        return "geometry state register holds a value that OUT did not produce";
    case warning_kind::stale_state:
        return "the thread ends with a geometry state older than its last OUT (R0 was not kept): the vertices emitted "
               "since are lost, output.geometry_threads_lost counts the threads";
    case warning_kind::patch_range:
        return "patch attribute beyond the patch that TI's header declares, or beyond the levels where there is no TI: "
               "loads read 0, stores are dropped";
    case warning_kind::isbe_range:
        return "ISBERD or ISBEWR outside its region";
    case warning_kind::diverged_bar:
        break;
    }
    return "BAR by a part of the warp's lanes: the whole warp counts as arrived, the others are not waited for";
}

/// 32 bits of pc, 16 of reg and 8 each of kind and stage.
std::uint64_t key(const warning& value)
{
    static_assert(enum_count<warning_kind::diverged_bar> <= 256 && stage_count <= 256);
    static_assert(register_hazards::count <= 65536);
    return static_cast<std::uint64_t>(value.pc) | static_cast<std::uint64_t>(value.reg) << 32U |
           static_cast<std::uint64_t>(value.kind) << 48U | static_cast<std::uint64_t>(value.stage) << 56U;
}

} // namespace

const char* kind_name(warning_kind kind)
{
    switch (kind) {
    case warning_kind::register_hazard:
        return "register_hazard";
    case warning_kind::missing_handle:
        return "missing_handle";
    case warning_kind::missing_state:
        return "missing_state";
    case warning_kind::cut_stream:
        return "cut_stream";
    case warning_kind::skew_ignored:
        return "skew_ignored";
    case warning_kind::not_al2p:
        return "not_al2p";
    case warning_kind::overwritten:
        return "overwritten";
    case warning_kind::handle_range:
        return "handle_range";
    case warning_kind::gs_state:
        return "gs_state";
    case warning_kind::stale_state:
        return "stale_state";
    case warning_kind::patch_range:
        return "patch_range";
    case warning_kind::isbe_range:
        return "isbe_range";
    case warning_kind::diverged_bar:
        break;
    }
    return "diverged_bar";
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

} // namespace isbesim
