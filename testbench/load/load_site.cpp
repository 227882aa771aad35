// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_site.h"

#include "tlm/process_guard.h"

namespace isbesim::testbench {

load_site::load_site(const std::string& name, const isbe_backend& backend, const machine_config& config,
                     const load_profile& profile)
    : profile_(profile), meter_(profile)
{
    const auto clock = cycle_clock::from_ghz(config.clock_ghz);
    isbe_ = backend.make(name.c_str(), config.isbe, clock, require_rtl_block, nullptr);
    for (unsigned port = 0; port < config.isbe.ports; ++port) {
        const double share = port == 1 ? profile.second_port : 1 - profile.second_port;
        if (share <= 0 && port == 1) continue;
        const auto player = name + "_player" + std::to_string(port);
        players_.push_back(std::make_unique<load_player>(player.c_str(), clock, port, config.isbe, profile, meter_));
        players_.back()->socket().bind(isbe_.module->ports[port]);
        shares_.push_back(share);
    }
}

void load_site::run(const load_level& level)
{
    players_.front()->bind();
    start_simulation();
    for (std::size_t i = 0; i < players_.size(); ++i)
        if (shares_[i] > 0) players_[i]->start(level, shares_[i]);
    start_simulation();
}

bool load_site::finished() const
{
    for (const auto& player : players_)
        if (!player->finished()) return false;
    return meter_.done();
}

void load_site::finish()
{
    if (isbe_.comparison) isbe_.comparison->finish();
}

} // namespace isbesim::testbench
