// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/machine_executor.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/isbe/functional/names.h"
#include "models/machine_config.h"
#include "models/pe/front_end/dealing.h"
#include "models/sm/warnings/trap_codes.h"
#include "testbench/chip/batch_rows.h"
#include "testbench/gl/execution/own_processes.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "testbench/system/system.h"
#include "tlm/clock.h"
#include "tlm/hex.h"

namespace isbesim::gl {
namespace {

/// Returns false if the other side has closed.
bool write_all(int descriptor, const void* data, std::size_t bytes)
{
    const auto* next = static_cast<const char*>(data);
    while (bytes > 0) {
        const auto done = send(descriptor, next, bytes, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        next += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

std::string describe(const trap_record& trap)
{
    return std::string(trap_code::name_of(trap.code)) + " in a program of stage " + name_of(trap.stage) + " at " +
           hex(trap.pc);
}

/// Counts since the machine was built; a draw's counts are differences of these.
struct totals {
    explicit totals(testbench::simulated_system& system)
    {
        for (unsigned i = 0; i < system.sm_count(); ++i) {
            const auto& counters = system.sm(i).counters();
            traps += counters.trap_count;
            kept.push_back(counters.traps.size());
            for (unsigned s = 0; s < stage_count; ++s) invocations[s] += system.pe().site_counters(i).invocations[s];
        }
    }

    std::uint64_t traps = 0;
    std::vector<std::size_t> kept; ///< traps described, by SM
    std::array<std::uint64_t, stage_count> invocations{};
};

void add_difference(draw_result& result, testbench::simulated_system& system, const totals& before)
{
    const totals after(system);
    result.traps = after.traps - before.traps;
    for (unsigned s = 0; s < stage_count; ++s) result.invocations[s] = after.invocations[s] - before.invocations[s];
    for (unsigned i = 0; i < system.sm_count() && result.trap.front() == '\0'; ++i)
        if (after.kept[i] > before.kept[i])
            set_text(result.trap, describe(system.sm(i).counters().traps[before.kept[i]]));
}

/// A file in memory for the stream-out of a TPC.
class kept_rows {
public:
    kept_rows() : file_(open_memstream(&bytes_, &size_))
    {
        if (!file_) throw std::runtime_error("no memory for the vertices of a TPC");
    }
    ~kept_rows()
    {
        file_.reset();
        std::free(bytes_);
    }
    kept_rows(const kept_rows&) = delete;
    kept_rows& operator=(const kept_rows&) = delete;

    std::FILE* file() { return file_.get(); }
    std::string_view bytes()
    {
        std::fflush(file());
        return {bytes_, size_};
    }

private:
    char* bytes_ = nullptr;
    std::size_t size_ = 0;
    testbench::open_file file_;
};

/// A process of machine_executor.h: a machine that runs received draws until the socket ends or a draw fails.
class machine_process {
public:
    /// All must outlive this; `memory` is this process's view of the shared memory.
    machine_process(const machine_config& config, const testbench::isbe_backend& backend, sm_timing timing,
                    gpu_memory& memory)
        : config_(config), backend_(backend), timing_(timing), memory_(memory)
    {
        memory_.forget_fills();
    }
    machine_process(const machine_process&) = delete;
    machine_process& operator=(const machine_process&) = delete;

    void serve(int socket)
    {
        std::string bytes;
        for (socket_reader requests(socket); requests.receive(bytes);) {
            rows_.clear();
            auto reply = run(bytes);
            reply.rows = rows_.size();
            if (!write_all(socket, &reply, sizeof reply) || !write_all(socket, rows_.data(), rows_.size()) ||
                !reply.goes_on)
                return;
        }
    }

private:
    struct one_draw {
        one_draw(draw_request&& received, const gpu_memory& memory)
            : request(std::move(received)), writer(memory, request.layout, request.draw.capture, request.position)
        {
        }

        draw_request request;
        stream_out_writer writer;
    };

    /// While a TPC runs: its output and, if it loses its writes, a memory as it was before the draw.
    class tpc_turn {
    public:
        tpc_turn(machine_process& process, testbench::tpc_output& output, bool loses_writes)
            : of_(process), loses_writes_(loses_writes)
        {
            of_.output_ = &output;
            if (loses_writes_) of_.memory_.lose_writes(true);
        }
        ~tpc_turn()
        {
            of_.output_ = nullptr;
            if (loses_writes_) of_.memory_.lose_writes(false);
        }
        tpc_turn(const tpc_turn&) = delete;
        tpc_turn& operator=(const tpc_turn&) = delete;

    private:
        machine_process& of_;
        bool loses_writes_;
    };

    draw_reply run(const std::string& bytes)
    {
        draw_reply reply;
        try {
            auto draw = std::make_unique<one_draw>(read_request(bytes, memory_, programs_), memory_);
            try {
                simulate(*draw, reply.result);
                reply.goes_on = reply.result.done;
            } catch (const draw_error& error) {
                // Nothing has begun, but a machine built for this draw is unusable.
                set_text(reply.result.text, error.what());
                reply.goes_on = system_ != nullptr;
                return reply;
            }
            draw->writer.finish();
            reply.position = draw->request.position;
            if (draw->request.draw.memory != nullptr) memory_.empty_holes();
            reply.result.read_undrawn = memory_.take_undrawn_was_read();
            draw_ = std::move(draw);
        } catch (const std::exception& error) {
            set_text(reply.result.text, error.what());
        }
        return reply;
    }
    /// Runs the part of the draw that this process was asked for.
    void simulate(one_draw& draw, draw_result& result)
    {
        const auto& chip = config_.chip;
        const auto& part = draw.request.part;
        if (part.how == draw_part::kind::whole || chip.all_tpcs() == 1) {
            result = simulate(draw, draw.writer, part.how == draw_part::kind::whole ? undealt : 0);
            return;
        }
        const bool is_dealt = part.how == draw_part::kind::dealt;
        result.done = true;
        std::uint64_t turns = chip.all_tpcs();
        for (std::uint32_t turn = part.first; turn < turns && result.done; turn += part.step) {
            const auto tpc = tpc_of_batch(chip, std::uint64_t{turn} * chip.deal_batches);
            kept_rows rows;
            testbench::tpc_output output(rows.file(), is_dealt);
            auto one = [&] {
                const tpc_turn now(*this, output, !is_dealt);
                return simulate(draw, output, tpc);
            }();
            one.trap_turn = turn;
            result.add(one);
            const auto& departed = system_->pe().departed();
            if (output.batches() != 0)
                write_rows(rows_, output.batches(), tpc, is_dealt ? rows.bytes() : std::string_view(), departed);
            // The TPCs whose turn comes after the last batch have none.
            const auto dealt = system_->pe().dealt_batches();
            turns = std::min<std::uint64_t>(turns, (dealt + chip.deal_batches - 1) / chip.deal_batches);
        }
        if (part.step > 1 || !result.done) return;
        result.cycles = std::max(result.cycles, pass_on_rows(chip, {rows_}, is_dealt ? &draw.writer : nullptr));
        rows_.clear();
    }
    /// Runs the batches of one TPC, or all if `tpc` is undealt.
    draw_result simulate(one_draw& draw, vertex_sink& sink, unsigned tpc)
    {
        if (!system_) {
            system_ = std::make_unique<testbench::simulated_system>(
                testbench::system_parts{config_, backend_, draw.request.draw, sink, false, nullptr, 0,
                                        testbench::path_recording::off, timing_, tpc});
            system_->pe().report_batches_to([this](std::uint64_t cycle) {
                if (output_ != nullptr) output_->batch_left(cycle);
            });
        } else {
            system_->add(draw.request.draw, sink, tpc);
        }
        const totals before(*system_);
        const auto outcome = system_->run({}, nullptr);
        draw_result result;
        result.done = outcome.end == testbench::run_end::done;
        result.cycles = outcome.cycles;
        if (!result.done) set_text(result.text, outcome.text);
        const auto counters = system_->pe().draw_counters();
        result.primitives_in = counters.primitives_in;
        result.primitives_out = counters.primitives_out;
        result.vertices_out = counters.vertices_out;
        add_difference(result, *system_, before);
        return result;
    }

    const machine_config& config_;
    const testbench::isbe_backend& backend_;
    sm_timing timing_;
    gpu_memory& memory_;
    decoded_programs programs_;
    std::unique_ptr<testbench::simulated_system> system_;
    std::unique_ptr<one_draw> draw_;          ///< the last draw: the system refers to it until the next draw begins
    testbench::tpc_output* output_ = nullptr; ///< of the TPC that runs
    std::string rows_;                        ///< to be sent
};

} // namespace

socket_reader::socket_reader(int descriptor) : descriptor_(descriptor), buffer_(std::size_t{1} << 16) {}

bool socket_reader::read(void* data, std::size_t bytes)
{
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
        if (begin_ == end_) {
            const auto done = ::read(descriptor_, buffer_.data(), buffer_.size());
            if (done < 0 && errno == EINTR) continue;
            if (done <= 0) return false;
            begin_ = 0;
            end_ = static_cast<std::size_t>(done);
        }
        const auto part = std::min(bytes, end_ - begin_);
        std::memcpy(to, buffer_.data() + begin_, part);
        begin_ += part;
        to += part;
        bytes -= part;
    }
    return true;
}

bool socket_reader::receive(std::string& message)
{
    std::uint64_t size = 0;
    if (!read(&size, sizeof size)) return false;
    message.resize(size);
    return read(&message[0], size);
}

machine_executor::machine_executor(const machine_config& config, const testbench::isbe_backend& backend,
                                   sm_timing timing, unsigned jobs)
    : config_(config), backend_(backend), timing_(timing), machines_(jobs)
{
}

machine_executor::~machine_executor()
{
    for (auto& each : machines_)
        if (each.child > 0) stop(each);
}

bool machine_executor::start(machine& which, gpu_memory& memory)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    const auto parent = getpid();
    which.child = testbench::fork_worker();
    if (which.child == 0) {
        testbench::end_with(parent);
        keep_only(ends[1], memory.descriptor()); // else a program would wait for this process
        machine_process(config_, backend_, timing_, memory).serve(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    which.socket = ends[0];
    which.replies = socket_reader(which.socket);
    ++processes_;
    which.sent_table = memory.version(); // the process has a copy of the table
    if (which.child < 0) stop(which);
    return which.child > 0;
}

std::string machine_executor::stop(machine& which)
{
    close(std::exchange(which.socket, -1));
    int status = 0;
    while (which.child > 0 && waitpid(which.child, &status, 0) < 0 && errno == EINTR) continue;
    which.child = -1;
    return testbench::text_of_end(status);
}

// A message that does not arrive has no reply.
void machine_executor::send(machine& to, const std::string& message)
{
    write_all(to.socket, message.data(), message.size());
}

draw_reply machine_executor::receive(machine& sender, std::string& rows)
{
    draw_reply reply;
    if (sender.child < 0) {
        set_text(reply.result.text, "no process for the model");
        return reply;
    }
    auto whole = sender.replies.read(&reply, sizeof reply);
    if (whole) {
        rows.resize(reply.rows);
        whole = sender.replies.read(&rows[0], rows.size());
    }
    if (!whole) {
        reply = {};
        set_text(reply.result.text, stop(sender));
    } else if (!reply.goes_on) {
        stop(sender);
    }
    return reply;
}

void machine_executor::begin(const built_draw& draw, gpu_memory& memory, const end_of_draw& ended)
{
    if (count_of_parts(draw.call) > 1) {
        stream_out_position none;
        ended(run(draw, memory, {}, none));
        return;
    }
    next_ = (next_ + 1) % machines_.size();
    begun_.push_back({next_, write_request(draw, {}, {}, {}, {}), memory, ended});
    begun_bytes_ += begun_.back().message.size();
    auto& to = machines_[next_];
    if (to.child > 0 || start(to, memory)) send(to, begun_.back().message);
    // Replies of more draws might not fit into the socket, and messages must fit into memory.
    const auto most = 32 * machines_.size();
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    while (begun_.size() > most || begun_bytes_ > most_bytes) end_oldest();
}

void machine_executor::end_oldest()
{
    const auto draw = std::move(begun_.front());
    begun_.pop_front();
    begun_bytes_ -= draw.message.size();
    auto& sender = machines_[draw.machine];
    std::string rows;
    const auto result = receive(sender, rows).result;
    // A process that has ended leaves the draws after this one to another.
    if (sender.child < 0)
        for (const auto& each : begun_)
            if (each.machine == draw.machine && (sender.child > 0 || start(sender, each.memory)))
                send(sender, each.message);
    cycles_ += result.cycles;
    draw.ended(result);
}

void machine_executor::settle()
{
    while (!begun_.empty()) end_oldest();
}

std::uint32_t machine_executor::count_of_parts(const draw_call& draw) const
{
    // Few batches are run by one process, as messages to others take longer.
    constexpr std::uint64_t worth_a_process = 256;
    const auto most = std::min<std::size_t>(machines_.size(), config_.chip.all_tpcs());
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(most, 1 + draw.vertex_count * draw.instance_count / worth_a_process));
}

draw_result machine_executor::run_parts(draw_part::kind how, const asked_draw& work)
{
    const auto& call = work.draw.call;
    const auto count = how == draw_part::kind::whole ? 1 : count_of_parts(call);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto& to = machines_[i];
        if (to.child < 0 && !start(to, work.memory)) continue;
        sent_memory memory;
        if (work.memory.version() != to.sent_table) memory.table = &work.memory.table();
        if (call.memory != nullptr) memory.undrawn = &work.memory.undrawn();
        to.sent_table = work.memory.version();
        send(to, write_request(work.draw, {how, i, count}, work.layout, work.position, memory));
    }
    std::vector<std::string> rows(count);
    auto reply = receive(machines_[0], rows[0]);
    for (std::uint32_t i = 1; i < count; ++i) reply.result.add(receive(machines_[i], rows[i]).result);
    auto& result = reply.result;
    if (!result.done) return result;
    const auto cycles = [&](vertex_sink* to) {
        result.cycles = std::max(result.cycles, pass_on_rows(config_.chip, rows, to));
    };
    if (count == 1) {
        if (how != draw_part::kind::timed) work.position = reply.position;
    } else if (how == draw_part::kind::timed) {
        cycles(nullptr);
    } else {
        stream_out_writer writer(work.memory, work.layout, call.capture, work.position);
        cycles(&writer);
        writer.finish();
    }
    return result;
}

draw_result machine_executor::run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                                  stream_out_position& position)
{
    settle();
    using kind = draw_part::kind;
    const asked_draw asked{draw, memory, layout, position};
    // The TPCs do not see each other's writes: they give the cycles only.
    const bool is_timed = config_.chip.all_tpcs() > 1 && !testbench::why_not_dealt(draw.call).empty();
    auto result = run_parts(is_timed ? kind::timed : kind::dealt, asked);
    if (is_timed && result.done) {
        const auto cycles = result.cycles;
        result = run_parts(kind::whole, asked);
        result.cycles = cycles;
    }
    cycles_ += result.cycles;
    return result;
}

void machine_executor::transfer(std::uint64_t bytes)
{
    const std::uint64_t rate = config_.chip.copy_bytes_per_cycle;
    if (rate != 0) cycles_ += (bytes + rate - 1) / rate;
}

std::optional<std::uint64_t> machine_executor::nanoseconds() const
{
    if (timing_ != sm_timing::by_cycle) return {};
    return cycle_clock::from_ghz(config_.clock_ghz).picoseconds(2 * cycles_) / 1000;
}

} // namespace isbesim::gl
