// SPDX-License-Identifier: Apache-2.0
// A run as an SQLite file, for SQL (--database). The commented schema is in database_schema.cpp;
// scripts/queries/README.md explains it.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/statistics/cycle_stack.h"
#include "testbench/analysis/run_events.h"
#include "testbench/analysis/sqlite_file.h"
#include "testbench/report/run_warnings.h"
#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// All statements that create the tables and views.
std::string database_schema();

/// Rows are inserted when their events end, and committed in batches in write-ahead mode: memory stays flat, others may
/// read meanwhile, and a killed run leaves a valid file without the last batch at most.
class run_database : public run_listener {
public:
    static constexpr std::int64_t application_id = 0x49534245; ///< "ISBE", in the file's header
    static constexpr std::int64_t schema_version = 5;          ///< the file's user_version
    static constexpr std::uint64_t stall_window = 1000;        ///< cycles added up in a row of `stalls`

    /// Creates the file and replaces an earlier database of a run. Throws database_error, also if `path` holds anything
    /// else. `config`: from config_to_json(). `trace`: the replayer is the client of all transactions.
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
    void source(stage of, std::uint32_t pc, const std::string& line);
    void stack(const cycle_stack& stack);
    void path(const path_part& part);
    /// `histograms` of report.json.
    void histograms(const boost::json::object& all);
    /// Writes the remaining rows and closes the database as a single file.
    void finish();

    void transaction(const transaction_event& event) override;
    void warp(const warp_event& event) override;
    void space(const space_event& event) override;
    void stall(const stall_event& event) override;
    void wait(const wait_event& event) override;
    void trap(const trap_event& event) override;
    void batch(const batch_event& event) override;
    void output(const output_event& event) override;

private:
    /// Stalls of one scheduler in the current window.
    struct stall_sums {
        unsigned sm = 0;
        unsigned scheduler = 0;
        std::uint64_t window = 0;
        stall_cycles cycles;
    };
    void written();
    void write(stall_sums& sums);

    bool trace_;
    std::vector<std::uint32_t access_footprint::*> operation_columns_; ///< of `transactions`, in their order
    sqlite_file file_;
    sqlite_insert facts_;
    sqlite_insert coefficients_;
    sqlite_insert transactions_;
    sqlite_insert warps_;
    sqlite_insert spaces_;
    sqlite_insert stalls_;
    sqlite_insert waits_;
    sqlite_insert traps_;
    sqlite_insert batches_;
    sqlite_insert outputs_;
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
