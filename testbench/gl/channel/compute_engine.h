// SPDX-License-Identifier: Apache-2.0
// The compute class: uploads, reports, launches.
#pragma once

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/inline_upload.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

class compute_engine : public engine {
public:
    explicit compute_engine(const channel_parts& parts);
    void method(std::uint32_t number, std::uint32_t value) override;

private:
    void launch();

    channel_parts parts_;
    inline_upload upload_;
    three_d_state state_; ///< its registers: those that both classes have are at the same numbers
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

} // namespace isbesim::gl
