// SPDX-License-Identifier: Apache-2.0
// A run as an SQLite file, for SQL (--database). database_schema.cpp declares and comments the columns;
// scripts/queries/README.md explains the tables.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/statistics/cycle_stack.h"
#include "testbench/analysis/database_schema.h"
#include "testbench/report/run_warnings.h"
#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// Rows are inserted when their events end, and committed in batches in write-ahead mode: memory stays flat, others may
/// read meanwhile, and a killed run leaves a valid file without the last batch at most.
class run_database : public run_listener {
public:
    static constexpr std::int64_t application_id = 0x49534245; ///< "ISBE", in the file's header
    static constexpr std::int64_t schema_version = 5;          ///< the file's user_version
    static constexpr std::uint64_t stall_window = 1000;        ///< cycles added up in a row of `stalls`

    /// Creates the file and replaces an earlier database of a run. Throws database_error, also if `path` holds anything
    /// else. `config`: from config_to_json(). `trace`: a trace is replayed, so all transactions come from the replayer.
    run_database(const std::string& path, const boost::json::object& config, bool trace);

    /// Stores a fact of the run.
    void fact(const char* key, const std::string& value);
    void fact(const char* key, std::uint64_t value);
    void fact(const char* key, double value);
    void coefficient(const char* name, double value, const char* source);
    void warning(const run_warning& warning);
    /// Cycles that requests of `client` waited for a shared port (isbe.ports = 1).
    void shared_port(unsigned sm, const char* client, std::uint64_t cycles);
    /// The source line of an instruction.
    void source(stage program_stage, std::uint32_t pc, const std::string& line);
    void stack(const cycle_stack& stack);
    void path(const path_part& part);
    /// `histograms` of report.json.
    void histograms(const boost::json::object& all);
    /// Writes the remaining rows and closes the database as a single file.
    void finish();

    void transaction(const transaction_event& event) override { add(transactions_, event); }
    void warp(const warp_event& event) override { add(warps_, event); }
    void space(const space_event& event) override { add(spaces_, event); }
    void stall(const stall_event& event) override;
    void wait(const wait_event& event) override { add(waits_, event); }
    void trap(const trap_event& event) override { add(traps_, event); }
    void batch(const batch_event& event) override { add(batches_, event); }
    void output(const output_event& event) override { add(outputs_, event); }

private:
    /// Stalls of one scheduler in the current window.
    struct stall_sums {
        unsigned sm = 0;
        unsigned scheduler = 0;
        std::uint64_t window = 0;
        stall_cycles cycles;
    };
    template <typename Event>
    void add(event_table<Event>& table, const Event& event)
    {
        table.add(event);
        count_row();
    }
    void count_row();
    void write(stall_sums& sums);

    sqlite_file file_;
    sqlite_insert facts_;
    sqlite_insert coefficients_;
    event_table<transaction_event> transactions_;
    event_table<warp_event> warps_;
    event_table<space_event> spaces_;
    event_table<stall_event> stalls_;
    event_table<wait_event> waits_;
    event_table<trap_event> traps_;
    event_table<batch_event> batches_;
    event_table<output_event> outputs_;
    sqlite_insert warnings_;
    sqlite_insert shared_ports_;
    sqlite_insert stacks_;
    sqlite_insert critical_path_;
    sqlite_insert histograms_;
    sqlite_insert source_lines_;
    std::vector<stall_sums> stall_sums_;
    unsigned uncommitted_ = 0; ///< rows
};

} // namespace isbesim::testbench
