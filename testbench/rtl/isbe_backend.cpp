// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/isbe_backend.h"

#include <utility>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "testbench/rtl/isbe_rtl.h"

namespace isbesim::testbench {

namespace {

template <typename Module, bool loosely_timed>
isbe_instance make_model(const char* module_name, const isbe_config& config, const cycle_clock& clock,
                         const rtl_block_maker&, waveform* wave)
{
    auto module = std::make_unique<Module>(module_name, config, clock);
    auto& model = *module;
    if (wave != nullptr) wave->watch(model, loosely_timed);
    return {std::move(module), [&model] { return model.core().counters(); }, nullptr, [] {}, [] {}};
}

isbe_instance make_rtl(const char* module_name, const isbe_config& config, const cycle_clock& clock,
                       const rtl_block_maker& make_block, waveform* wave)
{
    auto module = std::make_unique<isbe_rtl>(module_name, config, clock, make_block(config, wave));
    auto& rtl = *module;
    if (wave != nullptr) wave->watch(rtl, false);
    return {std::move(module), [&rtl] { return rtl.functional_counters(); }, nullptr, [&rtl] { rtl.catch_up(); },
            [&rtl] { rtl.begin_now(); }};
}

isbe_instance make_lockstep(const char* module_name, const isbe_config& config, const cycle_clock& clock,
                            const rtl_block_maker& make_block, waveform* wave)
{
    auto block = make_block(config, wave); // first, since it writes the waveform
    auto instance = make_model<isbe_at, false>(module_name, config, clock, make_block, wave);
    instance.comparison = std::make_unique<lockstep>(std::move(block), config, clock, [] { sc_core::sc_stop(); });
    instance.module->attach(*instance.comparison);
    instance.begin_now = [&comparison = *instance.comparison] { comparison.begin_now(); };
    return instance;
}

} // namespace

const std::vector<isbe_backend>& isbe_backends()
{
    static const std::vector<isbe_backend> table = {
        {"lt", "loosely timed", warp_initiator::style::loosely_timed, make_model<isbe_lt, true>},
        {"at", "approximately timed", warp_initiator::style::approximately_timed, make_model<isbe_at, false>},
        {"rtl", "the Verilated RTL", warp_initiator::style::approximately_timed, make_rtl},
        {"lockstep", "AT and the Verilated RTL side by side", warp_initiator::style::approximately_timed,
         make_lockstep},
    };
    return table;
}

const isbe_backend* find_isbe_backend(const std::string& name)
{
    for (const auto& backend : isbe_backends()) {
        if (name == backend.name) return &backend;
    }
    return nullptr;
}

} // namespace isbesim::testbench
