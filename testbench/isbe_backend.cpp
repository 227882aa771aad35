#include "testbench/isbe_backend.h"

#include "models/isbe/isbe_at.h"
#include "models/isbe/isbe_lt.h"

namespace isbesim::testbench {

namespace {

template <typename Module>
isbe_instance make_model(const char* module_name, const isbe_config& config, const cycle_clock& clock)
{
    auto module = std::make_unique<Module>(module_name, config, clock);
    auto& model = *module;
    return {std::move(module), [&model] { return model.core().counters(); }};
}

} // namespace

const std::vector<isbe_backend>& isbe_backends()
{
    static const std::vector<isbe_backend> table = {
        {"lt", "loosely timed", warp_initiator::style::loosely_timed, make_model<isbe_lt>},
        {"at", "approximately timed", warp_initiator::style::approximately_timed, make_model<isbe_at>},
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
