// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/prepared_traffic.h"

namespace isbesim::testbench {

prepared_traffic::prepared_traffic(traffic_source& source, unsigned ports) : source_(source), streams_(ports)
{
    thread_ = std::thread([this] { work(); });
}

prepared_traffic::~prepared_traffic()
{
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

const traffic_item* prepared_traffic::draw(unsigned port)
{
    stream& prepared = streams_[port];
    if (prepared.read == chunk_items) {
        {
            const std::lock_guard lock(mutex_);
            --prepared.full;
        }
        changed_.notify_all();
        prepared.read = 0;
        prepared.reading = 1 - prepared.reading;
    }
    if (prepared.read == 0) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return prepared.full != 0; });
    }
    const chunk& current = prepared.chunks[prepared.reading];
    if (prepared.read == current.size) return nullptr; // no chunk follows: the last chunk is kept
    return &current.items[prepared.read++];
}

void prepared_traffic::work()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        stream* to = nullptr;
        changed_.wait(lock, [&] { return ending_ || (to = hungriest()) != nullptr; });
        if (ending_) return;
        lock.unlock();
        fill(static_cast<unsigned>(to - streams_.data()), *to);
        lock.lock();
        ++to->full;
        changed_.notify_all();
    }
}

prepared_traffic::stream* prepared_traffic::hungriest()
{
    stream* found = nullptr;
    for (stream& each : streams_)
        if (!each.exhausted && each.full < each.chunks.size() && (found == nullptr || each.full < found->full))
            found = &each;
    return found;
}

void prepared_traffic::fill(unsigned port, stream& to)
{
    chunk& empty = to.chunks[to.filling];
    empty.size = 0;
    while (empty.size < chunk_items && source_.next(port, empty.items[empty.size])) ++empty.size;
    to.exhausted = empty.size < chunk_items;
    to.filling = 1 - to.filling;
}

} // namespace isbesim::testbench
