// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_site.h"

#include <algorithm>

#include "tlm/process_guard.h"

namespace isbesim::testbench {

load_site::load_site(const std::string& name, const isbe_backend& backend, const machine_config& config,
                     const load_profile& profile)
    : profile_(profile), meter_(profile), clock_(cycle_clock::from_ghz(config.clock_ghz))
{
    isbe_ = backend.make(name.c_str(), config.isbe, clock_, require_rtl_block, nullptr);
    for (unsigned port = 0; port < config.isbe.ports; ++port) {
        const double share = port == 1 ? profile.second_port : 1 - profile.second_port;
        if (share <= 0 && port == 1) continue;
        const auto issuer = name + "_issuer" + std::to_string(port);
        ports_.push_back(std::make_unique<pressed_port>(issuer, clock_, port, config.isbe, profile, meter_, share));
        ports_.back()->issuer.socket().bind(isbe_.module->ports[port]);
    }
}

void load_site::run(const load_level& level)
{
    ports_.front()->producer.bind();
    ports_.front()->issuer.wake();
    start_simulation();
    for (const auto& port : ports_)
        if (port->share > 0) {
            port->producer.start(level, port->share, clock_.now());
            port->issuer.wake();
        }
    start_simulation();
}

bool load_site::finished() const
{
    return std::all_of(ports_.begin(), ports_.end(), [](const auto& port) { return port->producer.done(); });
}

void load_site::finish()
{
    if (isbe_.comparison) isbe_.comparison->finish();
}

} // namespace isbesim::testbench
