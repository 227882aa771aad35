#include "models/sm/sm_counters.h"

namespace isbesim {

void sm_counters::add_trap(const trap_record& trap)
{
    ++trap_count;
    if (traps.size() < trap_limit) traps.push_back(trap);
}

void sm_counters::merge(const sm_counters& other)
{
    for (unsigned i = 0; i < opcode_count; ++i) {
        instructions[i] += other.instructions[i];
        latency[i].merge(other.latency[i]);
    }
    instructions_other += other.instructions_other;
    final_outs += other.final_outs;
    for (unsigned i = 0; i < stall_reason_count; ++i) stalls[i] += other.stalls[i];
    warps_launched += other.warps_launched;
    for (unsigned i = 0; i < stage_count; ++i) threads[i] += other.threads[i];
    warps.merge(other.warps);
    const std::uint64_t total = trap_count + other.trap_count;
    for (const trap_record& trap : other.traps) add_trap(trap);
    trap_count = total;
    lints.merge(other.lints);
}

} // namespace isbesim
