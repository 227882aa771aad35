// SPDX-License-Identifier: Apache-2.0
// A test bench around one ISBE back end: initiators on both ports, always with the protocol checker between them.
//
// SystemC elaborates once per process, so a test builds one bench.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/timing/isbe_module.h"
#include "models/machine_config.h"
#include "tlm/protocol_checker.h"
#include "tlm/warp_initiator.h"

namespace isbesim::test {

/// Names of the modelled back ends, which exist for every configuration.
std::vector<std::string> back_ends();
/// The same and the RTL, if it was compiled.
std::vector<std::string> back_ends_with_rtl();
/// False for the RTL of a configuration that was not compiled.
bool can_build(const std::string& back_end, const isbe_config& config);

/// One operation of a stream.
struct stimulus {
    warp_op op;
    std::uint64_t start = 0; ///< not on the port before this cycle, counted from the start of the streams
    unsigned stall = 0;      ///< cycles between BEGIN_RESP and END_RESP
};

struct answer {
    warp_result result;
    transaction_times times; ///< counted from the start of the streams
};

using stream = std::vector<stimulus>;

class isbe_bench {
public:
    /// `back_end` comes from back_ends(). Port p sends late_deltas[p] delta cycles into its cycle, which must have no
    /// effect.
    isbe_bench(const std::string& back_end, const isbe_config& config, const std::vector<unsigned>& late_deltas = {});
    /// Fails the test if the protocol was broken.
    ~isbe_bench();

    const isbe_config& config() const { return config_; }
    isbe_module& isbe() { return *isbe_; }
    /// Null if the back end has no C++ core.
    isbe_core* core();
    const cycle_clock& clock() const { return clock_; }

    /// Writes a context slot with a BIND operation.
    void bind(unsigned slot, const context& value);
    /// Sends one operation to the idle ISBE and waits for its response.
    answer run(const warp_op& op, unsigned port = 0);
    /// Sends one stream per port and waits for all responses. Each operation is on the port in the cycle after the
    /// transfer of the previous operation, or at its start if that is later.
    std::vector<std::vector<answer>> run(const std::vector<stream>& streams);

    /// Access to the storage, in zero time on the models.
    word peek(word address);
    void poke(word address, word value);
    std::vector<std::uint8_t> peek_bytes(word address, unsigned count);

private:
    class port;

    void wait_until_idle();
    bool has_back_door() const;

    isbe_config config_;
    cycle_clock clock_;
    std::unique_ptr<isbe_module> isbe_;
    std::vector<std::unique_ptr<port>> ports_;
};

} // namespace isbesim::test
