// SPDX-License-Identifier: Apache-2.0
// Exceptions of processes do not cross the SystemC kernel: an exception ends the simulation, and the call that started
// the simulation rethrows it unchanged.
//
// SystemC itself turns an exception that leaves a process into a report of its own (E549), which loses the type. Every
// process body of this project therefore runs under guard_process(), and start_simulation() replaces sc_start. Under a
// plain sc_start, exceptions become SystemC's reports; no exception is lost.
#pragma once

#include <string>
#include <utility>

#include <systemc>

namespace isbesim {

/// Runs the simulation like sc_start(). After the first exception that leaves a guarded process, the simulation stops
/// (sc_stop) and can't be continued, and this function rethrows the exception.
void start_simulation();
void start_simulation(const sc_core::sc_time& duration);

/// "process sm0.run at 12 ns": the origin of the exception that start_simulation() rethrew; empty if there was no
/// exception.
const std::string& failed_process();

namespace process_guard {
/// A process has failed: the others do nothing more.
bool failed();
/// To be called in an exception handler; rethrows if start_simulation() does not wait for the exception, or if SystemC
/// uses the exception to end a thread.
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
