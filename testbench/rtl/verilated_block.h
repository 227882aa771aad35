// rtl_block around one Verilated model class. Ports are slices of one vector per field, so every access is a slice.
#pragma once

#include <memory>

#include <verilated.h>

#include "testbench/rtl/pins.h"
#include "testbench/rtl/rtl_block.h"
#include "testbench/rtl/waveform.h"

namespace isbesim::testbench {

/// `traced`: the model was compiled with waveform support.
template <typename model, bool traced = false>
class verilated_block final : public rtl_block {
public:
    /// The signals go into `wave`, which must outlive the block, unless it is null or the model is not traced.
    explicit verilated_block(waveform* wave = nullptr)
        : context_(traced && wave != nullptr ? wave->join() : std::make_shared<VerilatedContext>()),
          model_(std::make_unique<model>(context_.get(), "rtl"))
    {
        if constexpr (traced) {
            wave_ = wave;
            if (wave_ != nullptr) model_->trace(&wave_->file(), 99);
        }
        model_->req_valid = 0;
        model_->resp_ready = 0;
        model_->rst = 1;
        fall();
        rise();
        fall();
        rise();
        model_->rst = 0;
        model_->eval();
    }
    ~verilated_block() override { model_->final(); }

    void offer(unsigned port, const warp_op& op) override { pins::put_request(*model_, port, op); }
    void withdraw(unsigned port) override { pins::set(model_->req_valid, port, 1, 0); }
    void set_response_ready(unsigned port, bool ready) override
    {
        pins::set(model_->resp_ready, port, 1, ready ? 1U : 0U);
    }

    bool request_ready(unsigned port) const override { return pins::get(model_->req_ready, port, 1) != 0; }
    bool response_valid(unsigned port) const override { return pins::get(model_->resp_valid, port, 1) != 0; }
    void read_response(unsigned port, warp_result& result) const override
    {
        pins::take(model_->resp_data, port, result.data);
        pins::take(model_->resp_status, port, result.status);
        result.error = static_cast<op_error>(pins::get(model_->resp_error, port, 8));
        result.passes = static_cast<std::uint16_t>(pins::get(model_->resp_passes, port, 16));
    }

    void idle_until(std::uint64_t cycle) override
    {
        if constexpr (traced) {
            if (wave_ != nullptr) wave_->finish_before(cycle);
        }
    }
    /// The clock is high between calls: inputs change after the edge that started their cycle.
    void clock(std::uint64_t cycle) override
    {
        if constexpr (traced) {
            if (wave_ != nullptr) {
                model_->eval(); // what follows from the inputs of this cycle
                wave_->dump(cycle, waveform::half::first);
                fall();
                wave_->dump(cycle, waveform::half::second);
                rise();
                return;
            }
        }
        fall();
        rise();
    }

private:
    void fall()
    {
        model_->clk = 0;
        model_->eval();
    }
    void rise()
    {
        model_->clk = 1;
        model_->eval();
    }

    std::shared_ptr<VerilatedContext> context_;
    std::unique_ptr<model> model_;
    waveform* wave_ = nullptr;
};

} // namespace isbesim::testbench
