// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/inline_upload.h"
#include "testbench/gl/channel/launch_descriptor.h"
#include "testbench/gl/channel/report.h"
#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

namespace {

/// SEND_PCAS_A, and the two methods that start its launch.
constexpr std::uint32_t descriptor = 0x2b4, start = 0x2bc, start_ampere = 0x2c0;

bool starts(std::uint32_t number, std::uint32_t value)
{
    constexpr std::uint32_t schedule = 2, actions = 1U << 2 | 1U << 3 | 1U << 9 | 1U << 10 | 1U << 11;
    if (number == start) return (value & schedule) != 0;
    return number == start_ampere && (actions >> (value & 0xf) & 1) != 0;
}

/// The compute class: uploads, reports, launches.
class compute_engine : public engine {
public:
    explicit compute_engine(const channel_parts& parts) : parts_(parts), upload_(parts)
    {
        state_.at(three_d::condition_mode) = 1;
    }
    void method(std::uint32_t number, std::uint32_t value) override
    {
        if (inline_upload::has(number)) upload_.method(number, value);
        state_.at(number) = value;
        if (starts(number, value)) launch();
        if (number == three_d::report) write_report(parts_, state_, value);
        if (number == three_d::common_condition_mode)
            parts_.target.condition = {state_.address_at(three_d::common_condition_address), value};
    }

private:
    void launch()
    {
        const auto address = std::uint64_t{state_.at(descriptor)} << 8;
        const auto* bytes = parts_.memory.at(address, launch_descriptor::bytes(parts_.chip.arch));
        const auto what = bytes != nullptr ? read_launch(bytes, parts_.chip.arch) : std::nullopt;
        if (!what) {
            ++parts_.counts.refused[bytes != nullptr ? "dispatch: a descriptor of an unknown format"
                                                     : "dispatch: a descriptor outside the GPU's memory"];
        } else if (!rendering_enabled(parts_, state_)) {
            ++parts_.counts.hidden;
        } else if (!what->empty()) {
            ++parts_.counts.dispatches;
            parts_.target.dispatch(state_, *what);
        }
    }

    channel_parts parts_;
    inline_upload upload_;
    three_d_state state_; ///< the registers of this class; shared ones have the numbers of the 3D class
};

/// P2MF: inline uploads only.
class upload_engine : public engine {
public:
    explicit upload_engine(const channel_parts& parts) : upload_(parts) {}
    void method(std::uint32_t number, std::uint32_t value) override
    {
        if (inline_upload::has(number)) upload_.method(number, value);
    }

private:
    inline_upload upload_;
};

} // namespace

std::unique_ptr<engine> make_compute_engine(const channel_parts& parts)
{
    return std::make_unique<compute_engine>(parts);
}

std::unique_ptr<engine> make_upload_engine(const channel_parts& parts)
{
    return std::make_unique<upload_engine>(parts);
}

} // namespace isbesim::gl
