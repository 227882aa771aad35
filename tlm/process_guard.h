// SPDX-License-Identifier: Apache-2.0
// No exception crosses the SystemC kernel: what a process throws ends the simulation and comes out of the call that
// started it, as it was thrown.
//
// SystemC itself turns an exception that leaves a process into a report of its own (E549), which has lost the type. So
// every process body of this project runs under guard_process(), and start_simulation() replaces
// sc_start. Under a plain sc_start exceptions go SystemC's way: none is ever lost.
#pragma once

#include <string>
#include <utility>

#include <systemc>

namespace isbesim {

/// Runs the simulation like sc_start(). The first exception that left a guarded process is thrown again, type and all,
/// once the simulation has stopped (sc_stop): it can't be continued.
void start_simulation();
void start_simulation(const sc_core::sc_time& duration);

/// "process sm0.run at 12 ns": where the exception was thrown that start_simulation() threw; empty when none was.
const std::string& failed_process();

namespace process_guard {
/// A process has failed: no other one does anything more.
bool failed();
/// To be called while an exception is handled; throws it again when start_simulation() does not wait for it, or when it
/// is the one with which SystemC ends a thread.
void keep_exception();
} // namespace process_guard

/// Runs the body of a process. A thread that is woken after another process failed goes on; a body does not begin.
template <typename Body>
void guard_process(Body&& body)
{
    if (process_guard::failed()) return;
    try {
        std::forward<Body>(body)();
    } catch (...) {
        process_guard::keep_exception();
    }
}

} // namespace isbesim
