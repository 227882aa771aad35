// SPDX-License-Identifier: Apache-2.0
// Suspicious but legal behaviour of programs, aggregated by place so that a billion occurrences stay one line.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/isa/program.h"
#include "models/isa/register_times.h"
#include "models/isbe/functional/context.h"
#include "tlm/warp_op.h"

namespace isbesim {

enum class warning_kind : std::uint8_t {
    register_hazard, ///< register used or overwritten before its result is ready (ISA-04)
    missing_handle,  ///< ALD in TS or GS without Rb: handle 0 is used (HARDWARE.md E.6 row 23)
    missing_state,   ///< AST in GS without Rc: state 0 is used, which is the thread's first vertex (B.4)
    cut_stream,      ///< OUT.CUT whose Sb is not RZ: ignored (row 16)
    skew_ignored,    ///< .SKEW on MAP, PATCH or PRIM has no effect (row 27)
    not_al2p,        ///< .PHYS register that is no AL2P result of this space
    overwritten,     ///< shared spaces: input read after it was overwritten (row 30)
    handle_range,    ///< vertex handle beyond the vertex count, trap_vertex_range off
    gs_state,        ///< geometry state that OUT did not produce, trap_gs_state off
    stale_state,     ///< a geometry thread ends with a state older than its last OUT: R0 was not kept (OUT)
    patch_range,     ///< ALD.P reads 0, AST.P is dropped beyond the patch (row 9), which without TI is only the levels
    isbe_range,      ///< ISBERD / ISBEWR outside its region, trap_isbe_range off
    diverged_bar,    ///< SM50: BAR without some of the live lanes, which it does not wait for
    attribute_range, ///< ALD, AST beyond the attributes: loads read 0, stores are dropped
    beyond_maximum,  ///< OUT or AST past MaxOutputVertexCount or the thread's own space: dropped
    write_conflict,  ///< lanes of one store write different values to one place
    no_output,       ///< AST by AL2P to an attribute that the header's map lacks: dropped
};
inline constexpr auto last_warning_kind = warning_kind::no_output;

struct warning {
    warning_kind kind;
    isbesim::stage stage;
    std::uint32_t pc;          ///< byte address of the instruction
    unsigned reg;              ///< register_hazard: register, or 256 + predicate; otherwise 0
    std::uint64_t count;       ///< warp instructions
    std::uint64_t first_cycle; ///< cycle of the first occurrence
};

/// The enumerator's name, for scripts.
const char* kind_name(warning_kind kind);

/// One line for users, without the count.
std::string describe(const warning& value);

class warning_table {
public:
    static constexpr std::size_t limit = 1024; ///< distinct places; further places are only counted

    void add(warning_kind kind, isbesim::stage stage, std::uint32_t pc, unsigned reg, std::uint64_t cycle)
    {
        add(warning{kind, stage, pc, reg, 1, cycle});
    }
    void merge(const warning_table& other);

    /// In order of first occurrence.
    const std::vector<warning>& warnings() const { return warnings_; }
    std::uint64_t beyond_limit() const { return beyond_limit_; }

private:
    void add(const warning& value);

    std::vector<warning> warnings_;
    std::unordered_map<std::uint64_t, std::size_t> index_; ///< place -> index in warnings_
    std::uint64_t beyond_limit_ = 0;
};

/// Finds programs whose control words do not protect their registers (conformance ISA-04). The hardware has no
/// interlock there and would use a stale value; the model uses the correct value and reports the hazard.
class register_hazards : public isa::register_times {
public:
    static constexpr unsigned none = count;

    /// First register or predicate with a hazard, or `none`: an instruction issued in `now` reads it before its result
    /// is ready, or writes it (in `ready`, never_cycle if not known) before an older result arrives, or before an
    /// instruction just ahead has read it. With `lanes_off` only predicates are read and nothing is written.
    unsigned check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready, bool lanes_off) const;
};

// Suspicious operands that are visible when an attribute instruction issues.

/// `by_state`: the warp is a geometry warp and not fast; its state register selects where stores go. `op` is the first
/// of `components` operations of the instruction (isa::step::components).
void warnings_of_operation(warning_table& warnings, isbesim::stage stage, bool by_state, std::uint64_t cycle,
                           const isa::instruction& instruction, const warp_op& op, unsigned components);

} // namespace isbesim
