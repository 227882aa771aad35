// SPDX-License-Identifier: Apache-2.0
// PE, SMs and ISBEs of a whole draw, with what a test puts into their connections.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/pe/pe.h"
#include "models/sm/sm.h"
#include "testbench/scenario/scenario.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/system/port_mux.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"
#include "tlm/warp_initiator.h"

namespace isbesim::test {

enum class connection { sm_to_isbe, pe_to_isbe, mux_to_isbe, launch };

class foreign_machine {
public:
    using from_socket = tlm::tlm_initiator_socket<>;
    using to_socket = tlm::tlm_base_target_socket_b<>;
    /// Connects two sockets, with something in between or not.
    using wiring = std::function<void(foreign_machine&, connection, const std::string&, from_socket&, to_socket&)>;

    /// `style` is how SM and PE talk to an ISBE, which is isbe_lt or isbe_at.
    foreign_machine(const std::string& scenario, const machine_config& config, warp_initiator::style style,
                    const std::string& isbe, wiring wire)
        : scenario_(testbench::load_scenario(scenario)),
          clock_(cycle_clock::from_ghz(config.clock_ghz)),
          csv_(folder_.path("vertices.csv"), scenario_.draw.capture),
          wire_(std::move(wire)),
          pe_("pe", pe_parts{config, clock_, style, scenario_.draw, csv_})
    {
        for (unsigned i = 0; i < config.sm_count; ++i) {
            const auto number = std::to_string(i);
            sms_.push_back(std::make_unique<sm>(("sm" + number).c_str(), config.sm, clock_, style));
            if (isbe == "lt")
                isbes_.push_back(std::make_unique<isbe_lt>(("isbe" + number).c_str(), config.isbe, clock_));
            else
                isbes_.push_back(std::make_unique<isbe_at>(("isbe" + number).c_str(), config.isbe, clock_));
            auto& ports = isbes_.back()->ports;
            connect(connection::launch, "launch" + number, pe_.launch_socket(i), sms_[i]->launch);
            if (config.isbe.ports == 2) {
                connect(connection::sm_to_isbe, "sm_port" + number, sms_[i]->isbe, ports[0]);
                connect(connection::pe_to_isbe, "pe_port" + number, pe_.isbe_socket(i), ports[1]);
                continue;
            }
            muxes_.push_back(std::make_unique<testbench::port_mux>(("mux" + number).c_str(), clock_));
            connect(connection::sm_to_isbe, "sm_port" + number, sms_[i]->isbe, muxes_[i]->from[0]);
            connect(connection::pe_to_isbe, "pe_port" + number, pe_.isbe_socket(i), muxes_[i]->from[1]);
            connect(connection::mux_to_isbe, "mux_port" + number, muxes_[i]->to, ports[0]);
        }
    }

    /// The draw, until nothing happens any more; the vertices must be the expected ones and all rules kept.
    void run();

    /// A foreign component that lives as long as the machine.
    template <typename Component, typename... Arguments>
    Component& add(const std::string& name, Arguments&&... arguments)
    {
        auto owned = std::make_shared<Component>(name.c_str(), std::forward<Arguments>(arguments)...);
        components_.push_back(owned);
        return *owned;
    }
    /// Connects with the checker of the protocol in between.
    void watched(const std::string& name, from_socket& from, to_socket& to)
    {
        auto& checker = add<protocol_checker>("checker_" + name, clock_);
        from.bind(checker.target);
        checker.initiator.bind(to);
        checkers_.push_back(&checker);
    }
    std::uint64_t cycles() const { return pe_.done_cycle(); }

private:
    void connect(connection kind, const std::string& name, from_socket& from, to_socket& to)
    {
        wire_(*this, kind, name, from, to);
    }

    testbench::temporary_folder folder_;
    testbench::scenario scenario_;
    cycle_clock clock_;
    testbench::vertex_csv csv_;
    wiring wire_;
    isbesim::pe pe_;
    std::vector<std::unique_ptr<sm>> sms_;
    std::vector<std::unique_ptr<isbe_module>> isbes_;
    std::vector<std::unique_ptr<testbench::port_mux>> muxes_;
    std::vector<std::shared_ptr<void>> components_;
    std::vector<protocol_checker*> checkers_;
};

} // namespace isbesim::test
