// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/plugin_block.h"

#include <cstdio>
#include <stdexcept>
#include <type_traits>

#include "testbench/rtl/rtl_store.h"
#include "testbench/rtl/waveform.h"

namespace isbesim::testbench {

namespace {

std::string last_final_failure;

/// Pointer to the first element of an array, or of an array of arrays.
template <typename Array>
auto first_element(Array& array)
{
    if constexpr (std::is_integral_v<typename Array::value_type>)
        return array.data();
    else
        return first_element(array.front());
}

} // namespace

static_assert(ISBESIM_RTL_INTERFACE == 5 && sizeof(isbesim_rtl_request) == 64, "another request, another interface");

isbesim_rtl_request rtl_request_of(const warp_op& op)
{
    isbesim_rtl_request request{};
#define ISBESIM_FIELD(name, ...) request.name = static_cast<std::uint32_t>(op.name);
#define ISBESIM_LANE_FIELD(name, ...) request.name = first_element(op.name);
#include "tlm/request_fields.inc"
    return request;
}

isbesim_rtl_response rtl_response_of(warp_result& result)
{
    isbesim_rtl_response response{};
#define ISBESIM_FIELD(name, ...) response.name = static_cast<std::uint32_t>(result.name);
#define ISBESIM_LANE_FIELD(name, ...) response.name = first_element(result.name);
#include "tlm/response_fields.inc"
    return response;
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
    auto response = rtl_response_of(result);
    plugin_.read_response(block_, port, &response);
#define ISBESIM_FIELD(name, ...) result.name = static_cast<decltype(result.name)>(response.name);
#include "tlm/response_fields.inc"
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
