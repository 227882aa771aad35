// SPDX-License-Identifier: Apache-2.0
// `isbesim run` of one draw on its machine: simulates, compares, and writes the results.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/pe/front_end/validation.h"
#include "testbench/analysis/run_analysis.h"
#include "testbench/chip/chip_run.h"
#include "testbench/command_line/run_request.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/draw_identity.h"
#include "testbench/report/report.h"
#include "testbench/report/result_folder.h"
#include "testbench/rtl/run_copies.h"
#include "testbench/scenario/scenario.h"
#include "testbench/what_if/machine_changes.h"

namespace isbesim::testbench {

class trace_output;

/// Returns the result of `make`, and gives its errors about a draw or a machine their places.
template <typename Make>
auto made_for_draw(const run_request& request, const scenario& scenario, const Make& make)
{
    try {
        return make();
    } catch (const batch_too_large& error) {
        throw input_error(error.of_machine ? place_of_keys(request.arguments, {"isbe.lines", "pe.alpha_lines",
                                                                               "pe.beta_lines", "pe.buffers"})
                                           : scenario.draw_place(),
                          error.what());
    } catch (const draw_error& error) {
        throw input_error(scenario.draw_place(), error.what());
    } catch (const std::invalid_argument& error) {
        throw input_error(request.isbe_place(), error.what());
    }
}

struct verdict {
    int status = exit_status::done;
    std::string word = "done";
    std::string text;
};

/// A draw on its machine. Order of members: each is destroyed before its targets.
class simulated_draw {
public:
    /// `keeps_vertices`: they are wanted. Otherwise they are only counted, unless the scenario expects some.
    simulated_draw(const run_request& request, scenario& scenario, bool keeps_vertices);
    ~simulated_draw();

    /// `dealt`: of the draw's batches those that TPC --tpc gets, or null.
    void run(const dealt_batches* dealt, std::ostream& err);
    report_facts take_facts();
    /// The steps worth a rerun after this run.
    std::vector<std::size_t> likeliest(const std::vector<machine_change>& changes) const;
    void finish_files(const boost::json::object& report);
    /// Writes the results to the folder, and prints a summary.
    void write(const boost::json::object& report, std::ostream& out, std::ostream& err);
    /// How to see the first difference of a lockstep run; empty without a difference.
    std::string hint(const std::vector<std::string>& words) const;

    result_folder folder;
    run_analysis analysis;
    run_outcome outcome;
    run_account account;
    std::vector<run_warning> warnings;
    verdict result;

private:
    void run_chip(std::ostream& err);
    void run_system(const dealt_batches* dealt, std::ostream& err);
    void simulate(const dealt_batches* dealt, run_stops* stops, std::ostream& err);
    /// The first check that fails decides.
    verdict judge() const;

    const run_request& request_;
    scenario& scenario_;
    bool counts_only_;
    std::unique_ptr<vertex_output> vertices_;
    std::unique_ptr<waveform> wave_;
    std::unique_ptr<simulated_system> system_; ///< null for a chip
    std::optional<chip_result> chip_;
    std::unique_ptr<run_copies> copies_;
    std::unique_ptr<trace_output> trace_;
};

} // namespace isbesim::testbench
