// What the command line asks to be written about a run while it runs: --database, --timeline.
#pragma once

#include <memory>
#include <string>

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

#include "testbench/analysis/event_relay.h"
#include "testbench/analysis/run_database.h"
#include "testbench/analysis/run_recorder.h"
#include "testbench/command_line.h"
#include "testbench/report.h"

namespace isbesim::testbench {

/// Adds the options to a command.
void add_analysis_options(boost::program_options::options_description& options);

class run_analysis {
public:
    /// Opens the files. Throws input_error at the option whose file can't be written. `config` is config_to_json()'s;
    /// `trace`: there is no SM, a trace is played.
    run_analysis(const command_arguments& arguments, const boost::json::object& config, bool trace);

    /// Before the simulation starts.
    void watch(simulated_system& system, warp_initiator::style style) { recorder_.watch(system, style); }
    void watch(isbe_module& isbe, unsigned ports, warp_initiator::style style)
    {
        if (wanted()) recorder_.watch(isbe, ports, style);
    }
    /// Completes the files. `report` is the finished report.json; `system` null for a trace.
    void finish(const boost::json::object& report, simulated_system* system);
    /// Reports what has not ended; before the report is made.
    void stop() { recorder_.finish(); }

private:
    bool wanted() const { return database_ != nullptr; }

    run_recorder recorder_;
    std::unique_ptr<run_database> database_;
    std::unique_ptr<event_relay> database_relay_; ///< ends before what it feeds
};

} // namespace isbesim::testbench
