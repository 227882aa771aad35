// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/plugin_block.h"

#include <cstdio>
#include <stdexcept>

#include "testbench/rtl/rtl_store.h"
#include "testbench/rtl/waveform.h"

namespace isbesim::testbench {

namespace {

std::string last_final_failure;

const word* first_word(const per_lane<word>& lanes)
{
    return lanes.data();
}
const word* first_word(const std::array<per_lane<word>, max_components>& components)
{
    return components.front().data();
}

} // namespace

isbesim_rtl_request rtl_request_of(const warp_op& op)
{
    isbesim_rtl_request request{};
#define ISBESIM_FIELD(name, ...) request.name = static_cast<std::uint32_t>(op.name);
#define ISBESIM_LANE_FIELD(name, ...) request.name = first_word(op.name);
#include "tlm/request_fields.inc"
    return request;
}

plugin_block::plugin_block(const isbesim_rtl_interface& plugin, waveform* wave, std::uint32_t start)
    : plugin_(plugin),
      wave_(wave),
      clocked_when_idle_(plugin.own_block != 0 && !skips_idle_cycles()),
      block_(plugin.create(wave != nullptr ? wave->join(plugin) : nullptr, start))
{
}

plugin_block::~plugin_block()
{
    const char* const text = plugin_.destroy(block_);
    if (text == nullptr) return;
    last_final_failure = std::string("the RTL fails in a final block: ") + text;
    std::fprintf(stderr, "isbesim: %s\n", last_final_failure.c_str());
}

const std::string& plugin_block::final_failure()
{
    return last_final_failure;
}

void plugin_block::offer(unsigned port, const warp_op& op)
{
    const auto request = rtl_request_of(op);
    plugin_.offer(block_, port, &request);
}

void plugin_block::read_response(unsigned port, warp_result& result) const
{
    isbesim_rtl_response response{0, 0, result.data[0].data(), result.status.data()};
    plugin_.read_response(block_, port, &response);
    result.error = static_cast<op_error>(response.error);
    result.passes = static_cast<std::uint16_t>(response.passes);
}

void plugin_block::clock(std::uint64_t cycle)
{
    if (wave_ == nullptr) {
        plugin_.clock(block_);
        return;
    }
    plugin_.evaluate(block_); // the effects of this cycle's inputs
    wave_->dump(cycle, waveform::half::first);
    plugin_.set_clock(block_, 0);
    wave_->dump(cycle, waveform::half::second);
    plugin_.set_clock(block_, 1);
}

void plugin_block::idle_until(std::uint64_t cycle)
{
    if (wave_ != nullptr) wave_->finish_before(cycle);
}

word plugin_block::peek(word address) const
{
    word value = 0;
    if (plugin_.peek(block_, address, &value) == 0)
        throw std::invalid_argument("the block has no storage to look into");
    return value;
}

std::unique_ptr<rtl_block> require_rtl_block(const isbe_config& config, waveform* wave)
{
    return std::make_unique<plugin_block>(rtl_plugin_of(config), wave);
}

rtl_block_maker rtl_blocks_from(std::uint32_t start)
{
    return [start](const isbe_config& config, waveform* wave) {
        return std::make_unique<plugin_block>(rtl_plugin_of(config), wave, start);
    };
}

} // namespace isbesim::testbench
