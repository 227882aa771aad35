// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/waveform.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>

#include "testbench/files/write_error.h"
#include "testbench/rtl/fst_file.h"
#include "testbench/rtl/plugin_block.h"
#include "testbench/rtl/rtl_store.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned max_ports = 2;
/// A change of the wires of a port.
struct change {
    enum class kind : std::uint8_t { request_over, response_over, request, accept, response, taken };
    kind what;
    unsigned port = 0;
    std::uint64_t id = 0;
    warp_op op;         ///< of a request or response
    warp_result result; ///< of a response
};

/// The values on the wires of a port.
struct port_wires {
    warp_op op;
    warp_result result;
    isbesim_rtl_scope pins{};
};

} // namespace

/// Holds changes until their cycle is over: the wires of a cycle have the values after all its events.
class waveform::writer : public transaction_observer {
public:
    writer(const std::string& path, const cycle_clock& clock, window cycles)
        : clock_(clock), window_(cycles), path_(path)
    {
        std::ofstream probe(path, std::ios::binary | std::ios::trunc);
        if (!probe) throw std::invalid_argument(path + ": can't be written");
    }
    ~writer() override
    {
        if (file_ == nullptr) return;
        try {
            close();
        } catch (...) { // a run that fails reports its own error; the file ends at this point
        }
        plugin_->destroy_wave(file_);
    }

    /// Uses `plugin` to write the file unless a plug-in is set already, such as that of a block.
    void use(const isbesim_rtl_interface& plugin)
    {
        if (plugin_ != nullptr && plugin_ != &plugin) throw std::logic_error("a waveform is of one RTL plug-in");
        if (plugin_ != nullptr) return;
        plugin_ = &plugin;
        file_ = plugin.create_wave();
    }
    bool has_plugin() const { return plugin_ != nullptr; }

    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override
    {
        auto& c = add(cycle, change::kind::request, id, port);
        c.op = op;
    }
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override
    {
        add(cycle, change::kind::accept, id, port);
        add(cycle + 1, change::kind::request_over, id, port);
    }
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override
    {
        auto& c = add(times.response, change::kind::response, id, port);
        c.op = op;
        c.result = result;
        if (loosely_timed_) take(id, port, times.response);
    }
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override { take(id, port, cycle); }

    void finish_before(std::uint64_t cycle)
    {
        while (!changes_.empty() && changes_.begin()->first.first < cycle) {
            const auto next = changes_.begin()->first.first;
            apply(next);
            emit(next, half::first);
        }
    }

    void dump(std::uint64_t cycle, half which)
    {
        finish_before(cycle);
        apply(cycle);
        emit(cycle, which);
    }

    void show(window cycles) { window_ = cycles; }

    void close()
    {
        if (closed_ || file_ == nullptr) return;
        closed_ = true;
        if (window_.first > window_.last) {
            std::remove(path_.c_str()); // the empty file that tested whether it can be written
            return;
        }
        finish_before(~std::uint64_t{0});
        if (!open_) emit(window_.first, half::first); // no events: the wires at rest
        plugin_->close_wave(file_);
        if (!fst_is_whole(path_)) throw write_error::incomplete("the waveform '" + path_ + "'");
    }

    isbesim_rtl_wave* join(const isbesim_rtl_interface& plugin)
    {
        use(plugin);
        with_rtl_ = true;
        return file_;
    }
    void loosely_timed(bool value) { loosely_timed_ = value; }

private:
    /// Events that end in a cycle come before those that begin in it.
    static unsigned order(change::kind what) { return what <= change::kind::response_over ? 0 : 1; }

    change& add(std::uint64_t cycle, change::kind what, std::uint64_t id, unsigned port)
    {
        if (!with_rtl_) finish_before(clock_.now());
        return changes_.emplace(std::pair{cycle, order(what)}, change{what, port, id, {}, {}})->second;
    }
    void take(std::uint64_t id, unsigned port, std::uint64_t cycle)
    {
        add(cycle, change::kind::taken, id, port);
        add(cycle + 1, change::kind::response_over, id, port);
    }

    void apply(std::uint64_t cycle)
    {
        while (!changes_.empty() && changes_.begin()->first.first <= cycle) {
            apply(changes_.begin()->second);
            changes_.erase(changes_.begin());
        }
    }
    void apply(const change& c)
    {
        auto& w = ports_[c.port];
        switch (c.what) {
        case change::kind::request_over:
            w.pins.request_valid = 0;
            w.pins.request_transfer = 0;
            break;
        case change::kind::response_over:
            w.pins.response_valid = 0;
            w.pins.response_transfer = 0;
            break;
        case change::kind::request:
            w.op = c.op;
            w.pins.request = rtl_request_of(w.op);
            w.pins.request_valid = 1;
            w.pins.request_transaction = c.id;
            break;
        case change::kind::accept:
            w.pins.request_transfer = 1;
            break;
        case change::kind::response:
            w.result = c.result;
            w.pins.response_valid = 1;
            w.pins.response_transaction = c.id;
            w.pins.response_op = static_cast<std::uint32_t>(c.op.op);
            w.pins.response = rtl_response_of(w.result);
            ++w.pins.responses;
            break;
        case change::kind::taken:
            w.pins.response_transfer = 1;
            break;
        }
    }

    void emit(std::uint64_t cycle, half which)
    {
        if (cycle < window_.first || cycle > window_.last) return;
        const auto time = clock_.picoseconds(2 * cycle + (which == half::second ? 1 : 0));
        if (open_ && time <= last_) return; // the RTL alone was clocked beyond it
        if (!open_ && plugin_->open_wave(file_, path_.c_str()) == 0)
            throw std::invalid_argument(path_ + ": can't be written");
        open_ = true;
        for (unsigned port = 0; port < max_ports; ++port) plugin_->set_scope(file_, port, &ports_[port].pins);
        plugin_->dump_wave(file_, time);
        last_ = time;
    }

    cycle_clock clock_;
    window window_;
    std::string path_;
    const isbesim_rtl_interface* plugin_ = nullptr; ///< writes the file
    isbesim_rtl_wave* file_ = nullptr;
    bool open_ = false;
    std::array<port_wires, max_ports> ports_;
    std::multimap<std::pair<std::uint64_t, unsigned>, change> changes_; ///< by cycle; few, unless loosely timed
    std::uint64_t last_ = 0;
    bool loosely_timed_ = false;
    bool with_rtl_ = false; ///< the RTL ends the cycles
    bool closed_ = false;
};

waveform::waveform(const std::string& path, const cycle_clock& clock, window cycles)
    : writer_(std::make_unique<writer>(path, clock, cycles))
{
}

waveform::~waveform() = default;

void waveform::show(window cycles)
{
    writer_->show(cycles);
}

void waveform::watch(isbe_module& isbe, bool loosely_timed)
{
    if (!writer_->has_plugin()) writer_->use(waves_plugin());
    writer_->loosely_timed(loosely_timed);
    isbe.attach(*writer_);
}

void waveform::dump(std::uint64_t cycle, half which)
{
    writer_->dump(cycle, which);
}

void waveform::close()
{
    writer_->close();
}

void waveform::finish_before(std::uint64_t cycle)
{
    writer_->finish_before(cycle);
}

isbesim_rtl_wave* waveform::join(const isbesim_rtl_interface& plugin)
{
    return writer_->join(plugin);
}

} // namespace isbesim::testbench
