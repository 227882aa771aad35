// SPDX-License-Identifier: Apache-2.0
#include "models/isa/execution/grid.h"

#include <algorithm>
#include <utility>

#include "models/isa/execution/memory_access.h"
#include "models/isa/execution/semantics.h"
#include "models/isa/opcode_row.h"

namespace isbesim::isa {

namespace {

using triple = std::array<std::uint32_t, 3>;

/// Position of number `flat`; x counts fastest.
triple place_of(std::uint64_t flat, const triple& sizes)
{
    const auto x = static_cast<std::uint32_t>(flat % sizes[0]);
    const auto row = flat / sizes[0];
    return {x, static_cast<std::uint32_t>(row % sizes[1]), static_cast<std::uint32_t>(row / sizes[1])};
}

std::uint64_t product(const triple& sizes)
{
    return std::uint64_t{sizes[0]} * sizes[1] * sizes[2];
}

/// Bytes that a lane stores by ST or STG; 0 by other instructions.
unsigned bytes_stored(const instruction& now)
{
    const auto execute = now.row->execute;
    if (execute != run::store_global && execute != run::store_generic) return 0;
    return bytes_of_size(now.modifier(mod::size));
}

class workgroup {
public:
    explicit workgroup(const grid& what) : what_(what), warps_((product(what.threads) + warp_lanes - 1) / warp_lanes) {}

    void run(const triple& number)
    {
        launch(number);
        for (bool live = true; live;) {
            live = false;
            bool moved = false;
            for (auto& each : warps_) {
                if (each.state.finished()) continue;
                live = true;
                if (each.waits) continue;
                moved = true;
                // The executor uses the shared memory of a warp.
                std::swap(each.state.shared, shared_);
                go_on(each);
                std::swap(each.state.shared, shared_);
            }
            if (moved) continue;
            for (auto& each : warps_) each.waits = false;
        }
    }

    grid_result result;

private:
    struct warp {
        warp_state state;
        bool waits = false; ///< at BAR, for the other warps
        std::uint64_t steps = 0;
    };

    void launch(const triple& number);
    void go_on(warp& each);
    void step_once(warp& each);

    const grid& what_;
    std::vector<warp> warps_;
    std::vector<std::uint8_t> shared_;
    warp_op op_{};
};

void workgroup::launch(const triple& number)
{
    shared_.assign(what_.shared_bytes, 0);
    const auto threads = product(what_.threads);
    std::uint64_t first = 0;
    for (auto& each : warps_) {
        const auto count = std::min<std::uint64_t>(threads - first, warp_lanes);
        auto& state = each.state;
        state.launch(*what_.code, static_cast<lane_mask>((std::uint64_t{1} << count) - 1), what_.local_bytes);
        state.constants = what_.constants;
        state.global = what_.global;
        state.textures = what_.textures;
        state.windows = what_.windows;
        state.special.workgroup = number;
        for (unsigned i = 0; i < count; ++i) {
            const auto thread = place_of(first + i, what_.threads);
            state.special.thread_id[i] = thread[0];
            state.special.thread_y[i] = thread[1];
            state.special.thread_z[i] = thread[2];
        }
        each.waits = false;
        each.steps = 0;
        first += count;
    }
}

/// Runs to a BAR, the end or for `slice` instructions: another warp may wait in a loop for the next result.
void workgroup::go_on(warp& each)
{
    constexpr unsigned slice = 4096;
    for (unsigned i = 0; i < slice && !each.waits && !each.state.finished(); ++i) step_once(each);
    if (each.steps > what_.most_steps) throw execution_error("a warp runs on and on");
}

void workgroup::step_once(warp& each)
{
    constexpr std::uint8_t synchronize = 0; // BAR.SYNC
    const auto arrived = [&] {
        const auto& paths = each.state.stack;
        return std::any_of(paths.begin(), paths.end(),
                           [](const divergence_entry& path) { return path.what == divergence_entry::kind::arrived; });
    };
    const auto pc = each.state.pc;
    const bool partly = arrived();
    each.state.clock = ++each.steps;
    const auto step = execute(each.state, op_, {});
    switch (step.kind) {
    case step_kind::barrier: {
        const auto& now = what_.code->code[what_.code->index_of(pc)];
        if (now.modifier(mod::function) != synchronize)
            throw execution_error("BAR.ARV in a compute program, which no open compiler emits");
        each.waits = !arrived();
        break;
    }
    case step_kind::trap:
        if (result.count++ == 0) {
            result.first = step.trap;
            result.address = pc;
        }
        break;
    case step_kind::attribute:
        throw execution_error("attributes in a compute program");
    default:
        result.stored += static_cast<unsigned>(__builtin_popcount(step.lanes)) *
                         bytes_stored(what_.code->code[what_.code->index_of(pc)]);
        // The last lane for which others waited at BAR has left.
        each.waits = partly && !arrived();
    }
}

} // namespace

grid_result run_grid(const grid& what)
{
    const auto count = product(what.groups);
    workgroup runs(what);
    for (std::uint64_t i = 0; i < count; ++i) runs.run(place_of(i, what.groups));
    return runs.result;
}

} // namespace isbesim::isa
