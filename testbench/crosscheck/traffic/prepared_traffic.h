// SPDX-License-Identifier: Apache-2.0
// Traffic that another thread generates some items ahead of the ports.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// Gives the items of `source`, which only its own thread draws from now on; it must not throw. Two chunks of items for
/// each port: when all of them are full the thread waits, so memory stays flat. A process that forks must not have one:
/// the copy would be without the thread. Signals that end the program are to be blocked while this is made.
class prepared_traffic : public traffic_source {
public:
    prepared_traffic(traffic_source& source, unsigned ports);
    ~prepared_traffic() override;
    prepared_traffic(const prepared_traffic&) = delete;
    prepared_traffic& operator=(const prepared_traffic&) = delete;

    const traffic_item* draw(unsigned port) override;

private:
    /// So many that the thread seldom sleeps: to wake it up costs more than an item.
    static constexpr std::size_t chunk_items = 512;
    struct chunk {
        std::vector<traffic_item> items{chunk_items};
        std::size_t size = 0; ///< fewer than chunk_items: the last one
    };
    /// A chunk belongs to one side at a time.
    struct stream {
        std::array<chunk, 2> chunks;
        unsigned filling = 0;   ///< the thread's
        bool exhausted = false; ///< the thread's
        unsigned reading = 0;   ///< the port's
        std::size_t read = 0;   ///< the port's: items of that chunk that were drawn
        unsigned full = 0;      ///< under the mutex: chunks that are the port's
    };

    void work();
    /// The stream that has least to give and room for more; null: none has.
    stream* hungriest();
    void fill(unsigned port, stream& to);

    traffic_source& source_;
    std::vector<stream> streams_; // by port
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace isbesim::testbench
