// SPDX-License-Identifier: Apache-2.0
// A model behind the C interface, driven by the operations of the cross-check.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>

#include "testbench/c_interface/isbesim.h"
#include "testbench/c_interface/request_values.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/system/config.h"

namespace isbesim::test {

class c_block {
public:
    explicit c_block(const std::string& machine)
    {
        char error[512];
        model_ = isbesim_create(machine.c_str(), error, sizeof error);
        if (model_ == nullptr) throw std::runtime_error(error);
    }
    explicit c_block(const isbe_config& config) : c_block(machine_text(config)) {}
    ~c_block() { isbesim_destroy(model_); }
    c_block(const c_block&) = delete;
    c_block& operator=(const c_block&) = delete;

    isbesim_model* get() { return model_; }
    isbesim_outputs pins(unsigned port)
    {
        isbesim_outputs outputs{};
        if (isbesim_read_pins(model_, port, &outputs) != ISBESIM_OK) throw std::runtime_error(isbesim_error(model_));
        return outputs;
    }
    void clock(const std::vector<isbesim_inputs>& inputs, bool reset = false)
    {
        if (isbesim_clock(model_, reset ? 1 : 0, inputs.data()) != ISBESIM_OK)
            throw std::runtime_error(isbesim_error(model_));
    }

    static std::string machine_text(const isbe_config& config)
    {
        machine_config machine;
        machine.isbe = config;
        return boost::json::serialize(testbench::config_to_json(machine));
    }

private:
    isbesim_model* model_;
};

/// What clients do on the pins, the same for every block that is driven: each request from its cycle on until it is
/// taken, each response held for its time; resp_ready is 1 before that now and then.
class pin_client {
public:
    explicit pin_client(std::vector<testbench::traffic_item> items, unsigned seed)
        : items_(std::move(items)), early_(seed)
    {
    }

    /// Inputs of `cycle`, with the outputs of the same cycle.
    isbesim_inputs drive(std::uint64_t cycle, bool response_valid)
    {
        early_ = early_ * 1664525U + 1013904223U;
        isbesim_inputs inputs{nullptr, early_ >> 31U};
        if (response_valid) {
            if (!held_) hold_ = items_[responded_].response_hold;
            held_ = true;
            inputs.resp_ready = hold_ == 0 ? 1 : 0;
        }
        if (sent_ < items_.size() && cycle >= items_[sent_].earliest) {
            testbench::write_request(items_[sent_].op, request_);
            inputs.request = &request_;
        }
        return inputs;
    }
    /// The edge; `ready` and `valid` are the outputs that drive() went with.
    void edge(const isbesim_inputs& inputs, bool ready, bool valid)
    {
        if (inputs.request != nullptr && ready) ++sent_;
        if (!valid) return;
        if (inputs.resp_ready != 0) {
            ++responded_;
            held_ = false;
        } else if (hold_ != 0) {
            --hold_;
        }
    }
    /// rst: operations under way get no response.
    void reset()
    {
        responded_ = sent_;
        held_ = false;
    }

    const testbench::traffic_item& responding() const { return items_[responded_]; }
    bool finished() const { return responded_ == items_.size(); }

private:
    std::vector<testbench::traffic_item> items_;
    isbesim_request request_{};
    std::size_t sent_ = 0;
    std::size_t responded_ = 0;
    std::uint32_t hold_ = 0;
    bool held_ = false;
    std::uint32_t early_;
};

/// The cross-check's random traffic, by port.
inline std::vector<std::vector<testbench::traffic_item>> random_items(const isbe_config& config, unsigned seed,
                                                                      unsigned count)
{
    testbench::random_traffic traffic(config, seed, count);
    std::vector<std::vector<testbench::traffic_item>> items(config.ports);
    for (unsigned port = 0; port < config.ports; ++port)
        for (testbench::traffic_item item; traffic.next(port, item);) items[port].push_back(item);
    return items;
}

/// Traffic that binds its contexts again and again, as if there were `starts` of `count` each: for resets.
inline std::vector<std::vector<testbench::traffic_item>> many_starts(const isbe_config& config, unsigned starts,
                                                                     unsigned count)
{
    std::vector<std::vector<testbench::traffic_item>> all(config.ports);
    for (unsigned start = 0; start < starts; ++start) {
        const auto items = random_items(config, 100 + start, count);
        for (unsigned port = 0; port < config.ports; ++port)
            for (auto item : items[port]) {
                item.earliest = 0;
                all[port].push_back(item);
            }
    }
    return all;
}

} // namespace isbesim::test
