// SPDX-License-Identifier: Apache-2.0
// Files that a run writes while it runs: --database, --timeline and similar options.
#pragma once

#include <memory>
#include <string>

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

#include "testbench/analysis/event_relay.h"
#include "testbench/analysis/program_profile.h"
#include "testbench/analysis/run_database.h"
#include "testbench/analysis/run_kanata.h"
#include "testbench/analysis/run_recorder.h"
#include "testbench/analysis/run_series.h"
#include "testbench/analysis/run_timeline.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/processes/interruption.h"
#include "testbench/report/report.h"

namespace isbesim::testbench {

/// Adds the options to a command.
void add_analysis_options(boost::program_options::options_description& options);

/// --cycles; all cycles without the option.
cycle_window read_window(const command_arguments& arguments);

class run_analysis {
public:
    /// Opens the files. Throws input_error at the option whose file cannot be written. `trace`: a trace is replayed,
    /// without an SM.
    run_analysis(const command_arguments& arguments, const machine_config& config, warp_initiator::style style,
                 bool trace);

    /// For --kanata: the instructions of these programs. To be called before watch().
    void show_instructions(const command_arguments& arguments, const machine_config& config, const draw_call& draw);
    /// Another open file of the command: a signal or an error removes it like the files of the options above.
    void writes(const std::string& path) { files_.add(path); }
    /// For --database and --profile: the sources of instructions.
    void name_sources(std::map<stage, source_lines> sources);
    /// To be called before the simulation starts.
    void watch(simulated_system& system)
    {
        series_ = std::make_unique<run_series>(system.config());
        recorder_.add_without_transactions(*series_);
        recorder_.watch(system, style_);
    }
    /// An ISBE without a system; `over_time`: series() will be called.
    void watch(isbe_module& isbe, const machine_config& config, bool over_time)
    {
        if (over_time) {
            series_ = std::make_unique<run_series>(config, true);
            recorder_.add_without_transactions(*series_);
        }
        if (over_time || database_ != nullptr || timeline_ != nullptr) recorder_.watch(isbe, config.isbe.ports, style_);
    }
    /// report.json's `series`, after stop(); empty if nothing was watched for it.
    boost::json::object series(std::uint64_t cycles)
    {
        return series_ == nullptr ? boost::json::object() : series_->json(cycles);
    }
    /// report.json's `profile`, after stop(); empty without --profile.
    boost::json::object profile(const draw_call& draw) const
    {
        return profile_ == nullptr ? boost::json::object() : profile_->json(draw, sources_);
    }
    /// The profile for the parent process, which adds up those of all its copies; empty without --profile.
    std::string profile_bytes() const { return profile_ == nullptr ? "" : profile_->to_bytes(); }
    void add_profile(const std::string& bytes)
    {
        if (profile_ != nullptr) profile_->add(bytes);
    }
    /// Completes the files. `report` is the finished report.json; `warnings`: not merged.
    void finish(const boost::json::object& report, simulated_system& system, const std::vector<run_warning>& warnings);
    /// The same for traffic without SMs and PE, with the ISBE's stacks.
    void finish(const boost::json::object& report, const std::vector<cycle_stack>& stacks);
    const coefficient_table& coefficients() const { return coefficients_; }
    const run_recorder& recorder() const { return recorder_; }
    /// Reports everything that has not ended; to be called before the report is made.
    void stop() { recorder_.finish(); }

private:
    void put_run(const boost::json::object& report, simulated_system& system, const std::vector<run_warning>& warnings);
    /// Stores the figures that every run has; the caller completes the database.
    void put_report(const boost::json::object& report, const std::vector<cycle_stack>& stacks);

    warp_initiator::style style_;
    unfinished_files files_; ///< must outlive the writers of the files
    coefficient_table coefficients_;
    run_recorder recorder_;
    std::unique_ptr<run_series> series_;
    std::unique_ptr<run_database> database_;
    std::unique_ptr<run_timeline> timeline_;
    std::unique_ptr<run_kanata> kanata_;
    std::unique_ptr<program_profile> profile_;
    std::map<stage, source_lines> sources_;
    std::unique_ptr<event_relay> database_relay_; ///< destroyed before their targets
    std::unique_ptr<event_relay> timeline_relay_;
};

} // namespace isbesim::testbench
