// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/interrupted_start.h"

#include <algorithm>
#include <array>

#include "models/attribute/layout.h"
#include "models/isbe/functional/passes.h"
#include "testbench/crosscheck/traffic/random_traffic.h"

namespace isbesim::testbench {

namespace {

/// Drives the pins cycle by cycle, before the time line begins.
class interruption {
public:
    interruption(rtl_block& block, const isbe_config& config, std::uint64_t seed)
        : block_(block),
          config_(config),
          random_(seed),
          traffic_(config, seed, ~std::uint64_t{0}),
          requests_(config.ports)
    {
    }

    void run()
    {
        for (auto left = shortest + random_.below(shortest); left > 0; --left) traffic_cycle();
        drain();
        for (unsigned column = 0; column < resets; ++column) {
            hold_responses();
            write_and_reset(column);
        }
    }

private:
    static constexpr unsigned shortest = 60;
    static constexpr unsigned resets = 8; // a single wrong word would hardly be seen
    /// The longest operation of the page takes 128 passes and a latency of 1000.
    static constexpr unsigned patience = 1200;

    struct pending {
        warp_op op;
        bool offered = false;
    };

    void offer(unsigned port, const warp_op& op)
    {
        requests_[port].op = op;
        requests_[port].offered = true;
        block_.offer(port, requests_[port].op);
    }

    void clock()
    {
        std::array<bool, 2> taken{};
        for (unsigned port = 0; port < config_.ports; ++port) {
            taken[port] = block_.request_ready(port);
            if (ready_[port] && block_.response_valid(port)) --in_flight_;
        }
        block_.clock_before_start();
        for (unsigned port = 0; port < config_.ports; ++port) {
            if (!requests_[port].offered || !taken[port]) continue;
            requests_[port].offered = false;
            block_.withdraw(port);
            ++in_flight_;
        }
    }

    void be_ready(unsigned port, bool ready)
    {
        ready_[port] = ready;
        block_.set_response_ready(port, ready);
    }

    void traffic_cycle()
    {
        for (unsigned port = 0; port < config_.ports; ++port) {
            if (!requests_[port].offered && random_.chance(70)) offer(port, next(port));
            be_ready(port, random_.chance(60));
        }
        clock();
    }

    warp_op next(unsigned port)
    {
        traffic_item item;
        do traffic_.next(port, item);
        while (is_store(item.op.op) || item.op.op == opcode::out);
        return item.op;
    }

    void drain()
    {
        const auto waiting = [this] {
            return std::any_of(requests_.begin(), requests_.end(), [](const auto& r) { return r.offered; });
        };
        for (unsigned port = 0; port < config_.ports; ++port) be_ready(port, true);
        for (unsigned left = 20 * patience; left > 0 && (waiting() || in_flight_ != 0); --left) clock();
        for (unsigned port = 0; port < config_.ports; ++port) be_ready(port, false);
    }

    /// Leaves an untaken response on each port. If a port may have only one operation in flight, port 0 keeps its place
    /// for the store that follows.
    void hold_responses()
    {
        const unsigned first = config_.response_queue_depth > 1 ? 0 : 1;
        for (unsigned port = first; port < config_.ports; ++port) offer(port, load());
        for (unsigned port = first; port < config_.ports; ++port)
            for (unsigned waited = 0; waited < patience && !block_.response_valid(port); ++waited) clock();
    }

    static warp_op load()
    {
        warp_op op;
        op.op = opcode::isberd;
        op.region = region::physical;
        op.size = 4;
        return op;
    }

    /// Any number, often one: a block that goes on after the reset then soon writes wrong words. The last reset, after
    /// which time begins, often hits the last pass, which must not end the operation.
    unsigned passes_before_reset(unsigned column, unsigned passes)
    {
        if (random_.chance(50)) return column + 1 == resets ? passes - 1 : 1;
        return 1 + random_.below(passes - 2);
    }

    /// On an idle block the store is accepted in cycle a and granted in a+1, and pass i is in a+2+i (sections 5.1, 5.2,
    /// 5.4). Pass i serves lane i: the lanes are in different rows of one bank, or in different lines.
    void write_and_reset(unsigned column)
    {
        const unsigned rows = config_.lines * line_bytes / 4 / columns_of(config_);
        const unsigned passes = std::min(warp_lanes, rows);
        const unsigned done = passes_before_reset(column, passes);
        warp_op op = load();
        op.op = opcode::isbewr;
        op.space = space::output;
        op.lanes = passes == warp_lanes ? all_lanes : (lane_mask{1} << passes) - 1;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            op.address[lane] = word_in_column(config_, column, lane) * 4;
            op.data[0][lane] = lane < done ? 0 : ~word{0};
        }
        offer(0, op);
        for (unsigned cycle = 0; cycle < 2 + done; ++cycle) {
            clock();
            for (unsigned port = 0; port < config_.ports; ++port)
                if (!requests_[port].offered) offer(port, load());
        }
        block_.set_reset(true);
        clock();
        block_.set_reset(false);
        for (unsigned port = 0; port < config_.ports; ++port) block_.withdraw(port);
    }

    rtl_block& block_;
    isbe_config config_;
    random_numbers random_;
    random_traffic traffic_;
    std::vector<pending> requests_;
    std::array<bool, 2> ready_{};
    int in_flight_ = 0; ///< accepted, without a response
};

} // namespace

void interrupt(rtl_block& block, const isbe_config& config, std::uint64_t seed)
{
    interruption(block, config, seed).run();
}

rtl_block_maker interrupted_blocks(std::uint64_t seed)
{
    random_numbers random(seed);
    return [make = rtl_blocks_from(random.bits() | 1U), seed](const isbe_config& config, waveform* wave) {
        auto block = make(config, wave);
        interrupt(*block, config, seed);
        return block;
    };
}

} // namespace isbesim::testbench
