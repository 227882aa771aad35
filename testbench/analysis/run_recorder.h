// SPDX-License-Identifier: Apache-2.0
// Observes a whole system, or one ISBE that replays a trace, for any number of listeners.
#pragma once

#include <memory>
#include <vector>

#include "models/pe/pe_observer.h"
#include "testbench/analysis/site_recorder.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

class run_recorder : private pe_observer {
public:
    /// To be called before the simulation starts; the recorder must outlive the observed object.
    void watch(simulated_system& system, warp_initiator::style style);
    void watch(isbe_module& isbe, unsigned ports, warp_initiator::style style);
    /// The listener must outlive the recorder.
    void add(run_listener& listener) { hub_.add(listener); }
    /// The same without records of transactions.
    void add_without_transactions(run_listener& listener) { hub_.add_without_transactions(listener); }
    /// The same as add(), with every instruction.
    void add_for_instructions(run_listener& listener)
    {
        hub_.add(listener);
        hub_.add_for_instructions(listener);
    }
    /// Reports everything that has not ended. To be called once, after the simulation.
    void finish();

    /// Peaks of allocated ISBE lines and of resident warps, of all SMs together.
    std::uint64_t lines_peak() const { return lines_peak_; }
    std::uint64_t warps_peak() const { return hub_.most_resident(); }

private:
    void batch_formed(unsigned primitives, unsigned vertices, std::uint64_t bytes, std::uint64_t cycle,
                      std::uint64_t fetched) override;
    void allocated(unsigned sm, isbesim::stage stage, isbesim::space role, const extent& lines,
                   std::uint64_t cycle) override;
    void released(unsigned sm, const extent& lines, std::uint64_t cycle) override;
    void waited(unsigned sm, const stall_cycles& cycles, std::uint64_t cycle) override;
    void streamed_out(const passed_output& what, std::uint64_t cycle) override;

    run_hub hub_;
    simulated_system* system_ = nullptr;
    std::vector<std::unique_ptr<site_recorder>> sites_;
    std::vector<space_event> spaces_; ///< allocated now, all SMs
    std::uint64_t batches_ = 0;
    std::uint64_t lines_ = 0; ///< allocated now, all SMs
    std::uint64_t lines_peak_ = 0;
};

} // namespace isbesim::testbench
