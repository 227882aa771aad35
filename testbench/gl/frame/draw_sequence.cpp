#include "testbench/gl/frame/draw_sequence.h"

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/gl/draws/socket_io.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::gl {

namespace {

class no_sink final : public vertex_sink {
    void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override {}
};

} // namespace

draw_loader draws_of(capture_reader& capture, const std::vector<std::size_t>& numbers)
{
    return [&](std::size_t place) {
        auto draw = capture.load(numbers[place]);
        testbench::capture_something(draw); // the work that it is alone
        return draw;
    };
}

draw_sequence::draw_sequence(draw_loader load, std::size_t count, const sequence_machine& machine)
    : load_(std::move(load)), count_(count), machine_(machine)
{
}

bool draw_sequence::load_next()
{
    if (next_ == count_) return false;
    loaded_.push_back(load_(next_++));
    return true;
}

sequence_result draw_sequence::run(const sink_source& sink_of)
{
    sink_of_ = &sink_of;
    load_next();
    testbench::simulated_system system({machine_.config, machine_.backend, loaded_.front(), sink_of(0), false, nullptr,
                                        0, testbench::path_recording::off, machine_.timing});
    system_ = &system;
    system.attach(*this);
    const auto outcome = system.run({}, nullptr);
    if (outcome.end != testbench::run_end::done) result_.problem = outcome.text;
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        const auto& launched = system.pe().site_counters(i).invocations;
        for (unsigned s = 0; s < stage_count; ++s) result_.invocations[s] += launched[s];
        const auto& counters = system.sm(i).counters();
        result_.instructions += counters.instructions_other;
        for (const auto count : counters.instructions) result_.instructions += count;
    }
    return result_;
}

void draw_sequence::draw_begins(const draw_call&)
{
    if (load_next()) system_->add(loaded_.back(), (*sink_of_)(next_ - 1));
}

void draw_sequence::draw_ended(const draw_run& run)
{
    result_.draws.push_back({run.begin, run.end});
    if (result_.draws.size() > 1) loaded_.pop_front();
}

sequence_result run_sequence_in_process(const draw_loader& load, std::size_t count, const sequence_machine& machine)
{
    sequence_result result;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        result.problem = "no process for the machine";
        return result;
    }
    const auto child = fork();
    if (child == 0) {
        close(ends[0]);
        try {
            no_sink sink;
            result = draw_sequence(load, count, machine).run([&](std::size_t) -> vertex_sink& { return sink; });
        } catch (const std::exception& error) {
            result.problem = error.what();
        }
        const std::string spans(reinterpret_cast<const char*>(result.draws.data()),
                                result.draws.size() * sizeof(draw_span));
        const auto sent = send_message(ends[1], spans) && send_message(ends[1], result.problem) &&
                          write_all(ends[1], &result.invocations, sizeof result.invocations) &&
                          write_all(ends[1], &result.instructions, sizeof result.instructions);
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    std::string spans;
    const auto whole = child > 0 && receive_message(ends[0], spans) && receive_message(ends[0], result.problem) &&
                       read_all(ends[0], &result.invocations, sizeof result.invocations) &&
                       read_all(ends[0], &result.instructions, sizeof result.instructions);
    close(ends[0]);
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
    if (!whole) {
        result.problem = "the model crashed";
        return result;
    }
    result.draws.resize(spans.size() / sizeof(draw_span));
    if (!spans.empty()) std::memcpy(result.draws.data(), spans.data(), spans.size());
    return result;
}

} // namespace isbesim::gl
