// SPDX-License-Identifier: Apache-2.0
// Compares the pins of an ISBE block with the model: the common base of all modes of the checker.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/clocked/clocked_isbe.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// The pins of a port in one cycle; payloads are defined while their valid is set.
struct seen_port {
    bool request_valid = false;
    bool request_ready = false;
    bool response_valid = false;
    bool response_ready = false;
    warp_op request;
    warp_result response;

    bool request_transferred() const { return request_valid && request_ready; }
    bool response_transferred() const { return response_valid && response_ready; }
};

/// Cycles are counted from the first cycle of reset; nothing is checked before it.
class block_checker {
public:
    virtual ~block_checker() = default;

    /// One cycle; `ports` has one element for each port.
    void cycle(bool reset, const std::vector<seen_port>& ports);
    /// Ends the run; take_report() has further findings. `idle`: an operation without a response is a difference.
    void finish(bool idle);

    std::uint64_t now() const { return cycle_; }
    std::uint64_t differences() const { return differences_; }
    /// Findings since the last call: differences with both sides, at most `report_limit` per run.
    std::string take_report();
    /// Counts a finding of the caller: an invalid request.
    void client_error(unsigned port, const std::string& text);

    static constexpr std::uint64_t report_limit = 8;

protected:
    virtual void look(const std::vector<seen_port>& ports) = 0;
    virtual void look_in_reset() = 0;
    virtual void end(bool idle) = 0;
    /// State of the model and the known state of the block, for a report.
    virtual std::string both_states() const = 0;

    /// Clocks the model. Returns false, and ends the comparison, if a client binds a context that violates section 3.
    bool clock(clocked_isbe& model, const port_inputs* inputs);
    void difference(unsigned port, const std::string& what);
    void tell(const std::string& text) { report_ += text; }
    /// Ends the comparison: from now on the two are different machines.
    void stop(const std::string& why);

private:
    bool started_ = false;
    bool stopped_ = false;
    std::uint64_t cycle_ = 0;
    std::uint64_t differences_ = 0;
    std::string report_;
};

/// Each is in the source file of its name. `order`: responses must appear in the order of the model's, also across the
/// ports.
std::unique_ptr<block_checker> make_cycle_checker(const isbe_config& config);
std::unique_ptr<block_checker> make_data_checker(const isbe_config& config);
std::unique_ptr<block_checker> make_following_checker(const isbe_config& config, bool order);

/// `mode` is "data", "order", "cycles" or "latency" (explained in isbesim_checker.h). Throws std::invalid_argument for
/// any other mode.
std::unique_ptr<block_checker> make_block_checker(std::string_view mode, const isbe_config& config);

/// `passes` of a block that does not show them: any number is right.
inline constexpr std::uint16_t unreported_passes = 0xffff;

bool same_response(const warp_result& expected, const warp_result& got);

} // namespace isbesim::testbench
