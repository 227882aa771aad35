// SPDX-License-Identifier: Apache-2.0
#include "tlm/process_guard.h"

#include <exception>

namespace isbesim {

namespace {

// One simulation per process: SystemC's kernel is global, and so is this.
bool waited_for = false; ///< start_simulation() runs
bool has_failed = false;
std::exception_ptr exception;
std::string guarded_place;

template <typename Start>
void simulate(Start&& start)
{
    struct wait_for_exceptions {
        wait_for_exceptions() { waited_for = true; }
        ~wait_for_exceptions() { waited_for = false; }
    };
    {
        const wait_for_exceptions here;
        try {
            start();
        } catch (...) {
            if (!exception) throw; // else an unguarded process failed after ours
        }
    }
    if (exception) std::rethrow_exception(std::exchange(exception, nullptr));
}

} // namespace

void start_simulation()
{
    simulate([] { sc_core::sc_start(); });
}

void start_simulation(const sc_core::sc_time& duration)
{
    // To the end of the duration even if nothing happens in it.
    simulate([&] { sc_core::sc_start(duration, sc_core::SC_RUN_TO_TIME); });
}

const std::string& failed_process()
{
    return guarded_place;
}

bool process_guard::failed()
{
    return has_failed;
}

void process_guard::keep_exception()
{
    try {
        throw;
    } catch (const sc_core::sc_unwind_exception&) {
        throw;
    } catch (...) {
        if (!waited_for) throw;
        if (has_failed) return; // of a thread that was under way: the first exception is the cause
        has_failed = true;
        exception = std::current_exception();
        guarded_place = std::string("process ") + sc_core::sc_get_current_process_handle().name() + " at " +
                        sc_core::sc_time_stamp().to_string();
    }
    sc_core::sc_stop();
}

} // namespace isbesim
