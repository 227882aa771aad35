// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL behind the pins of isbesim.h.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "testbench/c_interface/isbesim.h"
#include "testbench/rtl/rtl_plugin.h"

namespace isbesim::test {

class rtl_pins {
public:
    explicit rtl_pins(const isbesim_rtl_interface& plugin) : plugin_(plugin), block_(plugin.create(nullptr, 1)) {}
    ~rtl_pins() { plugin_.destroy(block_); }
    rtl_pins(const rtl_pins&) = delete;
    rtl_pins& operator=(const rtl_pins&) = delete;

    isbesim_outputs pins(unsigned port)
    {
        isbesim_outputs outputs{};
        outputs.req_ready = plugin_.request_ready(block_, port) != 0 ? 1 : 0;
        outputs.resp_valid = plugin_.response_valid(block_, port) != 0 ? 1 : 0;
        if (outputs.resp_valid == 0) return outputs;
        isbesim_rtl_response response{0, 0, outputs.response.data, outputs.response.status};
        plugin_.read_response(block_, port, &response);
#define ISBESIM_FIELD(name, ...) outputs.response.name = response.name;
#include "tlm/response_fields.inc"
        return outputs;
    }
    void clock(const std::vector<isbesim_inputs>& inputs, bool reset)
    {
        plugin_.set_reset(block_, reset ? 1 : 0);
        for (unsigned port = 0; port < inputs.size(); ++port) {
            plugin_.set_response_ready(block_, port, inputs[port].resp_ready != 0 ? 1 : 0);
            if (inputs[port].request == nullptr)
                plugin_.withdraw(block_, port);
            else
                offer(port, *inputs[port].request);
        }
        plugin_.clock(block_);
    }
    std::uint32_t peek(std::uint32_t address)
    {
        std::uint32_t value = 0;
        EXPECT_NE(plugin_.peek(block_, address, &value), 0);
        return value;
    }

private:
    void offer(unsigned port, const isbesim_request& r)
    {
        isbesim_rtl_request request{};
#define ISBESIM_FIELD(name, ...) request.name = static_cast<std::uint32_t>(r.name);
#define ISBESIM_LANE_FIELD(name, ...) request.name = r.name;
#include "tlm/request_fields.inc"
        plugin_.offer(block_, port, &request);
    }

    const isbesim_rtl_interface& plugin_;
    isbesim_rtl_block* block_;
};

} // namespace isbesim::test
