// Before SystemC: Verilator would ask it for the time otherwise.
#include "Vinterface_scope.h"
#include <verilated_fst_c.h>

#include "testbench/rtl/waveform.h"

#include <array>
#include <fstream>
#include <map>
#include <stdexcept>

#include "testbench/rtl/pins.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned max_ports = 2;
using words64 = std::array<word, 2>;

words64 words_of(std::uint64_t value)
{
    return {static_cast<word>(value), static_cast<word>(value >> 32)};
}

/// Something that changes the wires of a port.
struct change {
    enum class kind : std::uint8_t { request_over, response_over, request, accept, response, taken };
    kind what;
    unsigned port = 0;
    std::uint64_t id = 0;
    warp_op op;         ///< of a request or response
    warp_result result; ///< of a response
};

} // namespace

/// Holds changes until their cycle is over: the wires of a cycle are what all its events leave.
class waveform::writer : public transaction_observer {
public:
    writer(const std::string& path, const cycle_clock& clock, window cycles)
        : clock_(clock), window_(cycles), path_(path), context_(std::make_shared<VerilatedContext>())
    {
        std::ofstream probe(path, std::ios::binary | std::ios::trunc);
        if (!probe) throw std::invalid_argument(path + ": can't be written");
        context_->traceEverOn(true);
        wires_ = std::make_unique<Vinterface_scope>(context_.get(), "model");
        wires_->trace(&file_, 99);
        file_.set_time_unit("1ps");
        file_.set_time_resolution("1ps");
    }
    ~writer() override
    {
        close();
        wires_->final();
    }

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

    void close()
    {
        if (closed_) return;
        closed_ = true;
        finish_before(~std::uint64_t{0});
        if (!file_.isOpen()) emit(window_.first, half::first); // nothing happened: the wires at rest
        file_.close();
    }

    const std::shared_ptr<VerilatedContext>& join()
    {
        with_rtl_ = true;
        return context_;
    }
    VerilatedFstC& file() { return file_; }
    void loosely_timed(bool value) { loosely_timed_ = value; }

private:
    /// What ends in a cycle comes before what begins in it.
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
        auto& w = *wires_;
        switch (c.what) {
        case change::kind::request_over:
            pins::set(w.req_valid, c.port, 1, 0);
            pins::set(w.req_transfer, c.port, 1, 0);
            break;
        case change::kind::response_over:
            pins::set(w.resp_valid, c.port, 1, 0);
            pins::set(w.resp_transfer, c.port, 1, 0);
            break;
        case change::kind::request:
            pins::put_request(w, c.port, c.op);
            pins::put(w.req_transaction, c.port, words_of(c.id));
            break;
        case change::kind::accept:
            pins::set(w.req_transfer, c.port, 1, 1);
            break;
        case change::kind::response:
            pins::set(w.resp_valid, c.port, 1, 1);
            pins::put(w.resp_transaction, c.port, words_of(c.id));
            pins::set(w.resp_op, c.port, 3, static_cast<word>(c.op.op));
            pins::put(w.resp_data, c.port, c.result.data);
            pins::put(w.resp_status, c.port, c.result.status);
            pins::set(w.resp_error, c.port, 8, static_cast<word>(c.result.error));
            pins::set(w.resp_passes, c.port, 16, c.result.passes);
            pins::put(w.responses, c.port, words_of(++responses_[c.port]));
            break;
        case change::kind::taken:
            pins::set(w.resp_transfer, c.port, 1, 1);
            break;
        }
    }

    void emit(std::uint64_t cycle, half which)
    {
        if (cycle < window_.first || cycle > window_.last) return;
        const auto time = clock_.picoseconds(2 * cycle + (which == half::second ? 1 : 0));
        if (file_.isOpen() && time <= last_) return; // the RTL has been clocked on alone beyond it
        if (!file_.isOpen()) {
            file_.open(path_.c_str());
            if (!file_.isOpen()) throw std::invalid_argument(path_ + ": can't be written");
        }
        wires_->eval();
        file_.dump(time);
        last_ = time;
    }

    cycle_clock clock_;
    window window_;
    std::string path_;
    std::shared_ptr<VerilatedContext> context_;
    std::unique_ptr<Vinterface_scope> wires_;
    VerilatedFstC file_;
    std::multimap<std::pair<std::uint64_t, unsigned>, change> changes_; ///< by cycle; few, unless loosely timed
    std::array<std::uint64_t, max_ports> responses_{};
    std::uint64_t last_ = 0;
    bool loosely_timed_ = false;
    bool with_rtl_ = false; ///< which says when a cycle is over
    bool closed_ = false;
};

waveform::waveform(const std::string& path, const cycle_clock& clock, window cycles)
    : writer_(std::make_unique<writer>(path, clock, cycles))
{
}

waveform::~waveform() = default;

void waveform::watch(isbe_module& isbe, bool loosely_timed)
{
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

const std::shared_ptr<VerilatedContext>& waveform::join()
{
    return writer_->join();
}

VerilatedFstC& waveform::file()
{
    return writer_->file();
}

} // namespace isbesim::testbench
