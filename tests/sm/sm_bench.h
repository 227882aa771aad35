// SPDX-License-Identifier: Apache-2.0
// One SM with a real ISBE after it and a scripted launcher in front: programs in, cycles and answers out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/sm/launch_sockets.h"
#include "models/sm/sm.h"

namespace isbesim {

enum class backend : std::uint8_t { lt, at };

inline void PrintTo(backend which, std::ostream* out)
{
    *out << (which == backend::lt ? "lt" : "at");
}

/// An operation that passed the ISBE port.
struct seen_transaction {
    warp_op op;
    warp_result result;
    transaction_times times;
};

struct seen_completion {
    std::uint64_t tag;
    std::uint64_t cycle;
    warp_completion completion;
};

class sm_bench : private launch_initiator::client, private transaction_observer {
public:
    /// `connect` binds what else the SM has, before the simulation starts.
    sm_bench(backend which, const sm_config& sm_settings, const isbe_config& isbe_settings = {},
             const std::function<void(sm&)>& connect = {});
    /// Timed, with a context in slot 0.
    explicit sm_bench(const context& value, const sm_config& sm_settings = {}) : sm_bench(backend::at, sm_settings)
    {
        bind(0, value);
    }

    /// Keeps the program for as long as the bench lives.
    const isa::program& program(const std::string& text, isa::architecture arch = isa::architecture::sm50);
    /// The same with control fields that wait for everything.
    const isa::program& scheduled_program(const std::string& text, isa::architecture arch = isa::architecture::sm50);
    /// Fills context slot `slot` functionally, in no time.
    void bind(unsigned slot, const context& value);
    void launch(const isa::program& program, isbesim::stage stage, unsigned slot, lane_mask lanes = all_lanes,
                std::uint64_t tag = 0, bool fast_geometry = false);
    /// Until all warps have completed, `limit` cycles at most; throws what a process throws.
    void run(std::uint64_t limit = 100000);
    /// Launches the program and runs it.
    void run(const isa::program& program, isbesim::stage stage, unsigned slot = 0, lane_mask lanes = all_lanes,
             std::uint64_t tag = 0, bool fast_geometry = false)
    {
        launch(program, stage, slot, lanes, tag, fast_geometry);
        run();
    }

    isbe_core& core();
    /// The word at a byte address of the storage, in no time.
    void poke(unsigned address, word value) { core().storage().write(address / 4, value, ~word{0}, false); }
    word peek(unsigned address) { return core().storage().read(address / 4); }
    sm_counters counters() { return unit->counters(); }

    std::vector<seen_completion> completions;
    std::vector<seen_transaction> transactions; ///< in the order of their responses
    std::uint64_t launched = 0;

    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    std::unique_ptr<isbe_lt> lt;
    std::unique_ptr<isbe_at> at;
    std::unique_ptr<sm> unit;
    std::unique_ptr<launch_initiator> launcher;

private:
    void completed(std::uint64_t tag, const warp_completion& completion) override;
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;

    std::vector<std::unique_ptr<isa::program>> programs_;
    isa::constant_banks constants_;
};

/// A vertex context: 32 vertices, the same `ids` (byte addresses) in both spaces, input at byte 0, output at 16384.
context vertex_context(const std::vector<unsigned>& addresses);
/// A geometry context: 32 input vertices, one thread per lane, `maximum` output vertices each; output attributes at
/// 16384, tokens at 49152.
context geometry_context(const std::vector<unsigned>& addresses, unsigned maximum);

/// Cycles from BEGIN_REQ to BEGIN_RESP without contention (micro-architecture section 5): 1 + P + L.
unsigned port_latency(const isbe_config& config, opcode op, unsigned passes = 1);

} // namespace isbesim
