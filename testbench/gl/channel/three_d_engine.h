// SPDX-License-Identifier: Apache-2.0
// The 3D class: registers, constant buffers, draws, reports, conditional rendering, macros.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/gl/channel/draw_collector.h"
#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/inline_upload.h"
#include "testbench/gl/channel/macro_store.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

class three_d_engine : public engine {
public:
    explicit three_d_engine(const channel_parts& parts);

    void method(std::uint32_t number, std::uint32_t value) override;
    void packet_end() override;
    void finish() override;

    const three_d_state& state() const { return state_; }

private:
    void write(std::uint32_t number, std::uint32_t value);
    bool effect(std::uint32_t number, std::uint32_t value);
    void constant_word(std::uint32_t value);
    void bind_constants(unsigned stage, std::uint32_t value);
    void define_attribute();
    void draw_stream_out(std::uint32_t bytes);
    void end_draw();
    void emit(const drawn_vertices& vertices);
    bool rendering_enabled() const;
    void write_report(std::uint32_t what);
    void clear(std::uint32_t what);

    void macro(std::uint32_t number, const std::vector<std::uint32_t>& words);
    void indirect(const std::vector<std::uint32_t>& words, bool elements, bool counted);
    void query_to_buffer(const std::vector<std::uint32_t>& words);

    channel_parts parts_;
    inline_upload upload_;
    three_d_state state_;
    macro_store macros_;
    draw_collector collector_;
    std::vector<std::uint32_t> macro_words_; ///< of the macro that is being called
    std::uint32_t macro_number_ = 0;
};

} // namespace isbesim::gl
