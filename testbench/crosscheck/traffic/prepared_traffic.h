// SPDX-License-Identifier: Apache-2.0
// Traffic that a separate thread generates, some items ahead of the ports.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// Provides the items of `source`, from which only its own thread draws from now on; `source` must not throw. There are
/// two chunks of items per port: while all are full the thread waits, so memory stays flat. A process that forks must
/// not have one: the copy would lack the thread. Signals that end the program must be blocked during the construction.
class prepared_traffic : public traffic_source {
public:
    prepared_traffic(traffic_source& source, unsigned ports);
    ~prepared_traffic() override;
    prepared_traffic(const prepared_traffic&) = delete;
    prepared_traffic& operator=(const prepared_traffic&) = delete;

    const traffic_item* draw(unsigned port) override;

private:
    /// Enough that the thread seldom sleeps: waking it costs more than an item.
    static constexpr std::size_t chunk_items = 512;
    struct chunk {
        std::vector<traffic_item> items{chunk_items};
        std::size_t size = 0; ///< fewer than chunk_items: the last chunk
    };
    /// A chunk belongs to one side at a time.
    struct stream {
        std::array<chunk, 2> chunks;
        unsigned filling = 0;   ///< the thread's
        bool exhausted = false; ///< the thread's
        unsigned reading = 0;   ///< the port's
        std::size_t read = 0;   ///< the port's: items of that chunk that were drawn
        unsigned full = 0;      ///< under the mutex: chunks that belong to the port
    };

    void work();
    /// The stream with the fewest full chunks; null if no stream has an empty chunk.
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
