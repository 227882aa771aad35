// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/reset_run.h"

#include <algorithm>
#include <array>
#include <optional>

#include "models/attribute/layout.h"
#include "models/clocked/clocked_isbe.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/mismatch_report.h"
#include "testbench/rtl/rtl_clock.h"
#include "testbench/rtl/rtl_engine.h"
#include "tlm/ring.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

namespace {

class reset_run {
public:
    reset_run(rtl_block& block, const isbe_config& config, std::uint64_t seed, std::uint64_t cycles,
              const traffic_setting& setting)
        : block_(block),
          config_(config),
          model_(config),
          random_(~seed),
          traffic_(config, seed, ~std::uint64_t{0}, setting),
          nothing_(config, seed, 0),
          until_(cycles)
    {
    }

    reset_outcome run()
    {
        begin_history();
        for (; outcome_.mismatch_report.empty() && outcome_.cycles < until_; ++outcome_.cycles) cycle(reset_due());
        end_operations();
        return outcome_;
    }

private:
    static constexpr unsigned max_ports = rtl_clock::max_ports;
    static constexpr std::uint64_t patience = 20'000; ///< beyond the longest sequence that may be under way

    struct client {
        warp_op op; ///< offered
        bool offers = false;
        bool takes = false;
        ring<warp_op> unanswered;
    };

    void begin_history()
    {
        constexpr std::array<unsigned, 4> percent{100, 70, 30, 5};
        offer_percent_ = percent[random_.below(4)];
        take_percent_ = random_.chance(25) ? 0 : percent[random_.below(4)];
        left_ = random_.below(random_.chance(50) ? 40 : 400);
    }

    /// One cycle is enough; several, and one right after another, must do no harm.
    bool reset_due()
    {
        if (left_-- > 0) return false;
        ++outcome_.resets;
        last_reset_ = outcome_.cycles;
        begin_history();
        if (random_.chance(20)) left_ = 0;
        return true;
    }

    void cycle(bool reset)
    {
        std::array<port_inputs, max_ports> inputs;
        std::array<bool, max_ports> ready{}, valid{};
        for (unsigned port = 0; port < config_.ports; ++port) {
            if (!compare(port)) return;
            auto& state = clients_[port];
            ready[port] = model_.request_ready(port);
            valid[port] = model_.response(port) != nullptr;
            if (!state.offers && random_.chance(offer_percent_)) offer(port);
            state.takes = random_.chance(take_percent_);
            inputs[port] = {state.offers ? &state.op : nullptr, state.takes};
            block_.set_response_ready(port, state.takes);
        }
        block_.set_reset(reset);
        block_.clock(outcome_.cycles);
        if (reset)
            model_.clock_in_reset();
        else
            model_.clock(inputs.data());
        for (unsigned port = 0; port < config_.ports; ++port) {
            auto& state = clients_[port];
            if (reset) {
                while (!state.unanswered.empty()) state.unanswered.pop();
                // Or it goes on: valid does not wait for anything.
                if (state.offers && random_.chance(50)) withdraw(port);
                continue;
            }
            if (valid[port] && state.takes) {
                state.unanswered.pop();
                ++outcome_.transactions;
            }
            if (!state.offers || !ready[port]) continue;
            state.unanswered.push(state.op);
            withdraw(port);
        }
        if (const char* const text = block_.failure()) fail(failure_line(outcome_.cycles, text));
    }

    void offer(unsigned port)
    {
        const traffic_item* const item = draw(port);
        if (item == nullptr) return;
        clients_[port].op = item->op;
        clients_[port].offers = true;
        block_.offer(port, clients_[port].op);
    }

    const traffic_item* draw(unsigned port) { return image_ ? image_->draw(port) : traffic_.draw(port); }

    void withdraw(unsigned port)
    {
        clients_[port].offers = false;
        block_.withdraw(port);
    }

    bool compare(unsigned port)
    {
        const auto* const expected = model_.response(port);
        const bool ready = model_.request_ready(port);
        const bool valid = block_.response_valid(port);
        const auto pin = [&](const char* name, bool model_level) {
            return std::string(name) + " of port " + std::to_string(port) + " is " + (model_level ? "0" : "1") +
                   ", the model's " + (model_level ? "1" : "0") + "\n";
        };
        if (block_.request_ready(port) != ready)
            return fail(std::string("the RTL takes requests, ") + (ready ? "later" : "earlier") + " than the model\n" +
                        pin("req_ready", ready));
        if (valid != (expected != nullptr))
            return fail(std::string("the RTL answers, ") + (valid ? "earlier" : "later") + " than the model\n" +
                        pin("resp_valid", expected != nullptr));
        if (!valid) return true;
        block_.read_response(port, got_);
        if (got_ == *expected) return true;
        const auto& op = clients_[port].unanswered.front();
        return fail("the RTL answers with " + different_parts(*expected, got_) + "\n" +
                    describe_transaction(outcome_.transactions, port, op) + describe_difference(op, *expected, got_));
    }

    bool fail(const std::string& text)
    {
        outcome_.mismatch_report = text + "  in cycle " + std::to_string(outcome_.cycles) + ", after " +
                                   std::to_string(outcome_.resets) + " resets, the last " +
                                   std::to_string(outcome_.cycles - last_reset_) + " cycles ago\n";
        return false;
    }

    /// Every operation under way responds, then every line of the storage is read through port 0.
    void end_operations()
    {
        image_.emplace(nothing_, config_);
        offer_percent_ = take_percent_ = 100;
        const auto busy = [](const client& each) { return each.offers || !each.unanswered.empty(); };
        const auto end = until_ + patience + 10 * std::uint64_t{config_.lines};
        bool idle = false;
        for (; outcome_.mismatch_report.empty() && !idle && outcome_.cycles < end; ++outcome_.cycles) {
            cycle(false);
            idle = std::none_of(clients_.begin(), clients_.end(), busy);
        }
    }

    rtl_block& block_;
    isbe_config config_;
    clocked_isbe model_;
    random_numbers random_;
    random_traffic traffic_;
    random_traffic nothing_;
    std::optional<with_memory_image> image_; ///< after the last reset
    std::uint64_t until_;
    std::array<client, max_ports> clients_;
    unsigned offer_percent_ = 0;
    unsigned take_percent_ = 0;
    std::uint64_t left_ = 0; ///< cycles before the next reset
    std::uint64_t last_reset_ = 0;
    warp_result got_;
    reset_outcome outcome_;
};

} // namespace

reset_outcome run_resets(rtl_block& block, const isbe_config& config, std::uint64_t seed, std::uint64_t cycles,
                         const traffic_setting& setting)
{
    return reset_run(block, config, seed, cycles, setting).run();
}

} // namespace isbesim::testbench
