// rtl_block around one Verilated model class. Ports are slices of one vector per field, so every access is a slice.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include <verilated.h>

#include "testbench/rtl/rtl_block.h"

namespace isbesim::testbench {

template <typename model>
class verilated_block final : public rtl_block {
public:
    verilated_block() : context_(std::make_unique<VerilatedContext>())
    {
        model_ = std::make_unique<model>(context_.get(), "isbe");
        model_->req_valid = 0;
        model_->resp_ready = 0;
        model_->rst = 1;
        clock();
        clock();
        model_->rst = 0;
        model_->eval();
    }
    ~verilated_block() override { model_->final(); }

    void offer(unsigned port, const warp_op& op) override
    {
        slice(model_->req_op, port, 3, static_cast<word>(op.op));
        slice(model_->req_space, port, 1, static_cast<word>(op.space));
        slice(model_->req_region, port, 3, static_cast<word>(op.region));
        slice(model_->req_form, port, 2, static_cast<word>(op.form));
        slice(model_->req_type, port, 2, static_cast<word>(op.type));
        slice(model_->req_size, port, 3, op.size);
        slice(model_->req_skew, port, 1, op.skew ? 1U : 0U);
        slice(model_->req_context, port, 16, op.context);
        slice(model_->req_immediate, port, 32, static_cast<word>(op.immediate));
        slice(model_->req_lanes, port, 32, op.lanes);
        put(model_->req_address, port, op.address);
        put(model_->req_handle, port, op.handle);
        put(model_->req_data, port, op.data);
        slice(model_->req_valid, port, 1, 1);
    }
    void withdraw(unsigned port) override { slice(model_->req_valid, port, 1, 0); }
    void set_response_ready(unsigned port, bool ready) override { slice(model_->resp_ready, port, 1, ready ? 1U : 0U); }

    bool request_ready(unsigned port) const override { return slice(model_->req_ready, port, 1) != 0; }
    bool response_valid(unsigned port) const override { return slice(model_->resp_valid, port, 1) != 0; }
    void read_response(unsigned port, warp_result& result) const override
    {
        get(model_->resp_data, port, result.data);
        get(model_->resp_status, port, result.status);
        result.error = static_cast<op_error>(slice(model_->resp_error, port, 8));
        result.passes = static_cast<std::uint16_t>(slice(model_->resp_passes, port, 16));
    }

    /// The clock is high between calls: inputs change after the edge that started their cycle.
    void clock() override
    {
        model_->clk = 0;
        model_->eval();
        model_->clk = 1;
        model_->eval();
    }

private:
    /// Bits [port * width, …) of a vector that fits a machine word.
    template <typename vector>
    static void slice(vector& pins, unsigned port, unsigned width, word value)
    {
        const auto mask = ((std::uint64_t{1} << width) - 1) << (port * width);
        pins = static_cast<vector>((pins & ~mask) | ((std::uint64_t{value} << (port * width)) & mask));
    }
    template <typename vector>
    static word slice(const vector& pins, unsigned port, unsigned width)
    {
        return static_cast<word>((std::uint64_t{pins} >> (port * width)) & ((std::uint64_t{1} << width) - 1));
    }
    /// Whole arrays, little-endian words on both sides.
    template <typename vector, typename array>
    static void put(vector& pins, unsigned port, const array& values)
    {
        std::memcpy(pins.data() + port * (sizeof values / sizeof(word)), &values, sizeof values);
    }
    template <typename vector, typename array>
    static void get(const vector& pins, unsigned port, array& values)
    {
        std::memcpy(&values, pins.data() + port * (sizeof values / sizeof(word)), sizeof values);
    }

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<model> model_;
};

} // namespace isbesim::testbench
