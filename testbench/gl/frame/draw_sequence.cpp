// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/frame/draw_sequence.h"

#include <cstring>

#include "testbench/processes/process_pool.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::gl {

namespace {

class no_sink final : public vertex_sink {
    void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override {}
    void primitives(unsigned, std::uint64_t, unsigned, const word*, std::size_t, std::uint64_t) override {}
};

// A result as a process sends it: numbers of fixed size, then spans and text.
struct sent_numbers {
    std::array<std::uint64_t, stage_count> invocations;
    std::uint64_t instructions;
    std::uint64_t draws;
};

std::string bytes_of(const sequence_result& result)
{
    const sent_numbers numbers{result.invocations, result.instructions, result.draws.size()};
    std::string bytes(reinterpret_cast<const char*>(&numbers), sizeof numbers);
    bytes.append(reinterpret_cast<const char*>(result.draws.data()), result.draws.size() * sizeof(draw_span));
    return bytes + result.problem;
}

sequence_result result_of(const std::string& bytes)
{
    sent_numbers numbers{};
    std::memcpy(&numbers, bytes.data(), sizeof numbers);
    sequence_result result;
    result.invocations = numbers.invocations;
    result.instructions = numbers.instructions;
    result.draws.resize(numbers.draws);
    const auto spans = numbers.draws * sizeof(draw_span);
    if (spans != 0) std::memcpy(result.draws.data(), bytes.data() + sizeof numbers, spans);
    result.problem = bytes.substr(sizeof numbers + spans);
    return result;
}

} // namespace

draw_loader draws_of(capture_reader& capture, const std::vector<std::size_t>& numbers)
{
    return [&](std::size_t place) {
        auto draw = capture.load(numbers[place]);
        testbench::set_default_capture(draw); // the same work as when the draw runs alone
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
    const auto end = testbench::run_in_process([&] {
        no_sink sink;
        return bytes_of(draw_sequence(load, count, machine).run([&](std::size_t) -> vertex_sink& { return sink; }));
    });
    if (end.whole) return result_of(end.bytes);
    sequence_result result;
    result.problem = end.bytes;
    return result;
}

} // namespace isbesim::gl
