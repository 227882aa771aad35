// SPDX-License-Identifier: Apache-2.0
// A run as a Kanata log (--kanata): the instructions of all warps as a pipeline, for Konata.
//
// The format ("Kanata 0004", github.com/shioyadan/Konata, docs/kanata-log-format.md) is a text of commands in the order
// of cycles; instructions are numbered in the order of their first cycles.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/analysis/run_events.h"
#include "testbench/files/whole_file.h"
#include "testbench/report/cycle_window.h"

namespace isbesim::testbench {

/// Written during the run: an instruction stays in memory until no earlier instruction can come, at most as long as the
/// longest one takes. So this must listen to the simulation directly, in its order, not to a relay.
class run_kanata : public run_listener {
public:
    using program_text = std::function<std::string(isbesim::stage, std::uint32_t pc)>;

    /// Throws std::runtime_error if the file cannot be written.
    run_kanata(const std::string& path, const machine_config& config, const cycle_window& window, program_text text);
    /// Throws std::runtime_error if something could not be written.
    void finish();

    void launched(const warp_event& event) override;
    void instruction(const instruction_event& event) override;
    void transaction(const transaction_event& event) override;
    void warp(const warp_event& event) override;

private:
    /// From `cycle` on the instruction is in this stage.
    struct phase {
        std::uint64_t cycle;
        const char* name;
    };
    struct shown {
        instruction_event event;
        std::vector<phase> phases;
        std::uint64_t end = 0;
    };
    struct command {
        std::uint64_t cycle;
        std::uint64_t order; ///< keeps the order of the commands within a cycle
        std::string text;
        bool operator>(const command& other) const
        {
            return cycle != other.cycle ? cycle > other.cycle : order > other.order;
        }
    };
    struct resident {
        std::uint64_t next = 0; ///< no further instruction of it begins before this cycle
        bool ended = false;
        std::map<std::uint64_t, shown> waiting{}; ///< instructions that wait for the ISBE, by cycle of issue
    };

    void complete(shown&& one);
    /// Writes everything that no later event can precede.
    void advance();
    void number(shown&& one);
    void write(const command& one);
    void add(std::uint64_t cycle, std::string text);
    void flush();

    std::string path_;
    whole_file file_;
    std::string buffer_;
    machine_config config_;
    cycle_window window_;
    program_text text_;
    std::map<std::uint64_t, resident> warps_;   ///< by number of the launch
    std::multimap<std::uint64_t, shown> ready_; ///< complete, by first cycle
    std::priority_queue<command, std::vector<command>, std::greater<>> commands_;
    std::uint64_t numbered_ = 0;
    std::uint64_t orders_ = 0;
    std::uint64_t cycle_ = 0; ///< written up to here
    std::uint64_t last_ = 0;  ///< the latest of all events
    unsigned since_advance_ = 0;
    bool begun_ = false;
};

} // namespace isbesim::testbench
