// Carries out one warp instruction on 32 lanes. Functional only: the SM adds time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "models/isbe/context.h"
#include "tlm/warp_op.h"

namespace isbesim::isa {

/// Constant banks by number; each a run of words, reads beyond the end give 0.
using constant_banks = std::array<std::vector<word>, 18>;

/// What S2R reads, fixed at launch. Registers not named here (LANEID, …) follow from the lane.
struct special_registers {
    per_lane<word> invocation_info{}; ///< byte 0 primitive in batch, byte 2 vertices per primitive (hardware.md D.5)
    per_lane<word> invocation_id{};   ///< GS instance or TI invocation
    per_lane<word> prim_type{};       ///< byte 1: patch vertices
    per_lane<word> thread_id{};       ///< flat thread id in the draw's stage (SR_TID.X)
};

/// One entry of the SM50 divergence stack.
struct divergence_entry {
    enum class kind : std::uint8_t { ssy, pbk, pcnt, call, divergent } what;
    std::uint32_t target; ///< byte address
    lane_mask lanes;
};

/// Architectural state of one warp.
struct warp_state {
    const program* code = nullptr;
    const constant_banks* constants = nullptr;
    isbesim::stage stage = isbesim::stage::none;
    special_registers special;

    std::uint32_t pc = 0; ///< byte address of the next instruction
    lane_mask active = 0; ///< lanes on the current path
    lane_mask live = 0;   ///< launched and not exited
    std::vector<divergence_entry> stack;

    std::vector<per_lane<word>> registers; ///< R0..R254; RZ is never stored
    std::array<lane_mask, 8> predicates{}; ///< P0..P6; [7] is PT, always all lanes
    std::array<lane_mask, 4> condition{};  ///< zero, sign, carry, overflow
    std::vector<per_lane<word>> local;     ///< local memory, word w of every lane

    /// Puts the warp at the start of `code` with `lanes` running and everything else 0. Reuses storage.
    void launch(const program& code, lane_mask lanes, std::size_t local_bytes);
    bool finished() const { return live == 0; }
};

/// What an issued instruction asks the SM to do next.
enum class step_kind : std::uint8_t {
    done,      ///< state is updated (results are there; the SM accounts for the latency)
    attribute, ///< `op` is filled except for `context`; call write_back with the result
    exited,    ///< EXIT retired lanes (`step::lanes`); others may go on
    barrier,   ///< BAR: wait for the other warps / lanes of the patch
    trap,      ///< `step::trap` says why; nothing was changed besides pc
};

struct step {
    step_kind kind = step_kind::done;
    lane_mask lanes = 0;   ///< lanes that took part (guard predicate applied)
    std::uint8_t trap = 0; ///< hardware.md E.5 number
};

/// Options that change what is legal (conformance ALD-17).
struct execution_rules {
    bool allow_phys_vector = false;
};

/// Executes the instruction at `warp.pc`, moves pc and the divergence stack. Throws `execution_error` where the program
/// runs off its end or the divergence stack is misused.
step execute(warp_state& warp, warp_op& op, const execution_rules& rules);

/// Writes an attribute result into the destination registers of `instruction`: loaded lanes of `result`, only lanes of
/// `op.lanes`, and nothing at all for an operation with an error.
void write_back(warp_state& warp, const instruction& instruction, const warp_op& op, const warp_result& result);

} // namespace isbesim::isa
