// SPDX-License-Identifier: Apache-2.0
// The compute class, as far as it moves data: launches are counted, not run.
#pragma once

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/inline_upload.h"

namespace isbesim::gl {

class compute_engine : public engine {
public:
    explicit compute_engine(const channel_parts& parts) : parts_(parts), upload_(parts) {}
    void method(std::uint32_t number, std::uint32_t value) override;

private:
    channel_parts parts_;
    inline_upload upload_;
};

/// P2MF: nothing but inline uploads.
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
