// SPDX-License-Identifier: Apache-2.0
// Executes one warp instruction on 32 lanes. Functional only: the SM adds time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/isa/program.h"
#include "models/memory/memory_space.h"
#include "tlm/stage.h"
#include "tlm/warp_op.h"

namespace isbesim::texture {
class texture_unit;
}

namespace isbesim::isa {

/// Constant banks by number; each a run of words, reads beyond the end give 0. Drivers bind 0 to 17; 24 to 31 are
/// Turing's root tables.
using constant_banks = std::array<std::vector<word>, 32>;

/// Values that S2R reads, fixed at launch. Registers without a member here (LANEID, …) follow from the lane.
struct special_registers {
    per_lane<word> invocation_info{}; ///< byte 0 primitive in batch, byte 2 vertices per primitive (HARDWARE.md D.5)
    per_lane<word> invocation_id{};   ///< GS instance or TI invocation
    per_lane<word> prim_type{};       ///< byte 1: patch vertices
    per_lane<word> thread_id{};       ///< flat thread id in the draw's stage, or x in a workgroup (SR_TID.X)
    per_lane<word> thread_y{}, thread_z{}; ///< compute: in the workgroup, whose own place is `workgroup`
    std::array<word, 3> workgroup{};
};

/// Lanes that wait: an entry of the SM50 divergence stack, or another path of SM75 (control.h).
struct divergence_entry {
    enum class kind : std::uint8_t { ssy, pbk, pcnt, call, quads, divergent, blocked, arrived, synchronized } what;
    std::uint32_t target; ///< byte address
    lane_mask lanes;
    std::uint8_t barrier = 0; ///< of a path that is `blocked` (B0 to B15) or has `arrived` (BAR, 0 to 15)
    lane_mask expected = 0;   ///< of a path that waits in WARPSYNC (`synchronized`): the lanes to wait for
};

/// Generic addresses of local and shared memory; all others mean global memory. The size of a window is the distance
/// between the two windows as drivers set them (HARDWARE.md B.4).
struct address_windows {
    static constexpr std::uint64_t size = std::uint64_t{1} << 24;
    std::uint64_t local = 0xff000000;  ///< SET_SHADER_LOCAL_MEMORY_WINDOW
    std::uint64_t shared = 0xfe000000; ///< SET_SHADER_SHARED_MEMORY_WINDOW
};

/// Architectural state of one warp.
struct warp_state {
    const program* code = nullptr;
    const constant_banks* constants = nullptr;
    isbesim::stage stage = isbesim::stage::none;
    special_registers special;

    std::uint64_t clock = 0; ///< cycle of the issue, which SR_CLOCKLO reads; set by the caller of execute()
    std::uint32_t pc = 0;    ///< byte address of the next instruction
    lane_mask active = 0;    ///< lanes on the current path
    lane_mask live = 0;      ///< launched and not exited
    std::vector<divergence_entry> stack;
    std::array<lane_mask, 16> barriers{}; ///< SM75: lanes that a convergence barrier waits for

    std::vector<per_lane<word>> registers;                          ///< R0..R254; RZ is never stored
    std::array<lane_mask, 8> predicates{};                          ///< P0..P6; [7] is PT, always all lanes
    std::array<lane_mask, 4> condition{};                           ///< zero, sign, carry, overflow
    std::array<word, uniform_count(architecture::sm120)> uniform{}; ///< SM75 has fewer; URZ is never stored
    std::array<lane_mask, 8> uniform_predicates{};                  ///< UP0..UP6, all lanes or none; [7] is UPT
    std::vector<per_lane<word>> local;                              ///< local memory, word w of every lane
    std::vector<std::uint8_t> shared;          ///< shared memory of the warp, which is a workgroup of its own
    memory_space* global = nullptr;            ///< null: there are no buffers
    texture::texture_unit* textures = nullptr; ///< null: there are no textures
    address_windows windows;

    /// Index of the instruction at the pc, or program::npos. Only searches after jumps.
    std::size_t locate()
    {
        if (located_pc != pc) {
            located = code->index_of(pc);
            located_pc = pc;
        }
        return located;
    }
    std::size_t located = 0;               ///< where `located_pc` is
    std::uint64_t located_pc = UINT64_MAX; ///< no pc yet

    /// Puts the warp at the start of `code` with `lanes` running and everything else 0. Reuses storage.
    void launch(const program& code, lane_mask lanes, std::size_t local_bytes);
    bool finished() const { return live == 0; }
};

/// The next step of the SM for an issued instruction.
enum class step_kind : std::uint8_t {
    done,      ///< state is updated, with results; the SM adds the latency
    attribute, ///< `op` is filled except for `context`; call write_back with the result
    exited,    ///< EXIT retired lanes (`step::lanes`); others may continue
    barrier,   ///< BAR: a patch is in one warp, so there are no lanes outside to wait for
    trap,      ///< `step::trap` has the reason; only pc was changed
};

struct step {
    step_kind kind = step_kind::done;
    lane_mask lanes = 0;   ///< lanes that took part (guard predicate applied)
    std::uint8_t trap = 0; ///< HARDWARE.md E.5 number
    /// `attribute`: > 1 for a vector .PHYS access (execution_rules::allow_phys_vector), which consists of that many
    /// operations; `op` is the first one, select_component makes the others.
    std::uint8_t components = 1;
};

/// Options that change legality (conformance ALD-17).
struct execution_rules {
    bool allow_phys_vector = false;
};

/// Executes the instruction at `warp.pc`, updates pc and the divergence stack. An instruction in which no lane takes
/// part, even an attribute instruction, is `done` with `lanes` == 0 and does not change `op`: nothing goes to the ISBE.
/// Throws `execution_error` with address and mnemonic if the instruction is known but not supported, if the program
/// runs off its end or if the divergence stack is misused.
step execute(warp_state& warp, warp_op& op, const execution_rules& rules);

/// Changes `op`, which `execute` filled for a vector .PHYS access, to component 1, 2, ... (call in that order): the
/// next attribute id and that component's store data. These components are logical accesses, so the ISBE looks up the
/// enabled bit and the rank of each attribute (HARDWARE.md E.6 row 1). They are out of range beyond id 255, and in
/// lanes whose register is not an AL2P result of the space or is out of range itself.
void select_component(const warp_state& warp, const instruction& instruction, unsigned component, warp_op& op);

/// The implicit OUT at the end of a geometry thread: state from R0, type final (HARDWARE.md B.4, OUT). Sets everything
/// except `op.context`.
void make_final_out(const warp_state& warp, lane_mask lanes, warp_op& op);

/// Writes an attribute result into the destination registers of `instruction`: loaded lanes of `result` that are in
/// `op.lanes`, and nothing for an operation with an error. OUT does not change Rd in lanes whose state is invalid.
/// `component`: as in select_component.
void write_back(warp_state& warp, const instruction& instruction, const warp_op& op, const warp_result& result,
                unsigned component = 0);

} // namespace isbesim::isa

namespace isbesim {

/// What the PE sends to the SM to start a warp, and what the SM returns at its end. One TLM transaction: BEGIN_REQ
/// launches, END_REQ means that the slot is taken, BEGIN_RESP reports completion, END_RESP ends it.
struct warp_launch {
    const isa::program* program = nullptr;
    const isa::constant_banks* constants = nullptr;
    isbesim::stage stage = isbesim::stage::none;
    std::uint16_t context = 0; ///< context slot, also the SM's warp slot
    lane_mask lanes = 0;
    unsigned local_bytes = 0;            ///< local memory per thread
    unsigned shared_bytes = 0;           ///< shared memory of the workgroup, which is this warp
    const attribute_set* omap = nullptr; ///< of the program's header, for warnings; null: not known
    isa::address_windows windows;
    texture::texture_unit* textures = nullptr;
    bool fast_geometry = false;
    isa::special_registers special;
};

struct warp_completion {
    per_lane<std::uint16_t> vertex_count{}; ///< geometry: vertices emitted per thread, from the final state
    lane_mask lost = 0;                     ///< geometry: threads whose final state was invalid
    lane_mask stale = 0;                    ///< geometry: ... was older than their last OUT, whose vertices are lost
};

} // namespace isbesim
