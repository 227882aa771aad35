// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "models/pe/linking/connectivity.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/pe/stream_out/collection.h"
#include "models/pe/tasks/work.h"
#include "tlm/rounded_up.h"

namespace isbesim {
namespace {

/// The common part of the two geometry stages: one thread per (input primitive, instance) pair, in that order, so that
/// collecting the threads in lane order gives API order (conformance OUT-12).
///
/// The output MAP (HARDWARE.md D.4): without output state, its contents are known before the warp starts: one primitive
/// per thread, with vertex i from thread i. With output state, the count is 0 at first, and the PE writes the true
/// count after it has collected the warp.
class geometry_warp_step : public later_step {
public:
    geometry_warp_step(const step_parts& parts, unsigned level);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;

protected:
    struct part {
        unsigned first_thread = 0; ///< (primitive, instance) pair of lane 0
        std::vector<word> captured;
    };

    /// Writes the primitive count at the start of the output MAP.
    void write_count(const warp_task& task, word count, isbe_access& isbe) const;

    const capture_plan& capture_;
    per_task<part> parts_;
    std::vector<run_read> reads_; ///< of the warp that is being read back

private:
    space_needs output_needs(const warp_task& task) const;
    void write_vertices(const warp_task& task, isbe_access& isbe) const;
};

geometry_warp_step::geometry_warp_step(const step_parts& parts, unsigned level)
    : later_step(parts, level), capture_(parts.capture)
{
}

void geometry_warp_step::start(warp_task& parent, task_host& host)
{
    const auto threads = parent.result->vertices.primitive_count() * pipeline_.geometry.instances;
    const auto share = linked_geometry::even_share(threads, pipeline_.geometry.threads);
    for (unsigned first = 0; first < threads; first += share) {
        auto& task = host.spawn(parent, *this);
        parts_[task].first_thread = first;
        task.threads = std::min(share, threads - first);
        task.shares = linked_.shares() && task.threads == threads;
    }
}

space_needs geometry_warp_step::output_needs(const warp_task& task) const
{
    return geometry_output_needs(pipeline_, linked_, task.threads);
}

task_lines geometry_warp_step::lines(const warp_task& task) const
{
    if (task.shares) return {};
    return {0, space_lines(output_needs(task), config_.skew)};
}

void geometry_warp_step::write_count(const warp_task& task, word count, isbe_access& isbe) const
{
    const auto word_there = count_in_map(count, config_);
    write_words(isbe, task.context.output.map_base, &word_there, 1);
}

void geometry_warp_step::write_vertices(const warp_task& task, isbe_access& isbe) const
{
    std::array<word, (count_bytes + warp_lanes) / 4> words{};
    words[0] = count_in_map(task.threads, config_);
    for (unsigned i = 0; i < task.threads; ++i) words[(count_bytes + i) / 4] |= i << (i % 4 * 8);
    write_words(isbe, task.context.output.map_base, words.data(), (count_bytes + task.threads + 3) / 4);
}

void geometry_warp_step::prepare(warp_task& task, isbe_access& isbe, task_host&)
{
    const auto& input = task.work->space.layout;
    const auto needs = output_needs(task);
    set_up(task, input,
           task.shares ? place_over(input, needs, config_.skew)
                       : place_space(needs, task.output_lines.first, config_.skew));
    if (pipeline_.geometry.fast)
        write_vertices(task, isbe);
    else
        write_count(task, 0, isbe);
    const auto& header = linked_.program->header;
    const auto maximum = pipeline_.geometry.fast ? 1 : header.max_output_vertex_count;
    task.context.geometry = {maximum, task.threads, static_cast<std::uint8_t>(header.stream_out_mask)};
    task.context.fast_geometry = pipeline_.geometry.fast;
    task.launch.fast_geometry = pipeline_.geometry.fast;

    const auto first = parts_[task].first_thread;
    auto& special = task.launch.special;
    for (unsigned lane = 0; lane < task.threads; ++lane) {
        const auto thread = first + lane;
        const auto primitive = thread / pipeline_.geometry.instances;
        task.context.primitive[lane] = static_cast<std::uint8_t>(primitive);
        special.invocation_info[lane] = primitive | pipeline_.geometry.primitive_vertices << 16;
        special.invocation_id[lane] = thread % pipeline_.geometry.instances;
    }
}

/// The geometry stage without output state (fast GS, HARDWARE.md E.4): every thread outputs one vertex, OUT does
/// nothing, and a thread can neither drop its vertex nor name a stream.
///
/// With a passthrough header (SPH bit 24), that vertex holds per-primitive attributes: the output primitive is the
/// input primitive, the attributes in the program's OMAP are the same in all its vertices, and the other attributes are
/// those of each vertex from the previous stage (the model's choice, after GL_NV_geometry_shader_passthrough; the
/// public text only names the bit).
class fast_geometry_step final : public geometry_warp_step {
public:
    fast_geometry_step(const step_parts& parts, unsigned level)
        : geometry_warp_step(parts, level),
          inherited_(parts.draw.capture, parts.pipeline.stages[level - 1], parts.config, parts.pipeline.consumer)
    {
    }

    /// Reads the vertices of the threads, and for passthrough those of the threads' primitives.
    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        const auto round = task.round++;
        if (round > 1) return false;
        auto& left = left_[task];
        auto& captured = parts_[task].captured;
        if (round == 0) {
            left.culled = 0;
            left.used = used(task);
            const auto own = capture_.buffer_words(1);
            captured.resize(own + (pipeline_.geometry.passthrough ? inherited_.buffer_words(1) : 0));
            reads_.clear();
            capture_.add_reads(reads_, task.context.output, 0, first_lanes(task.threads), 1, captured.data());
            if (pipeline_.geometry.passthrough)
                inherited_.add_reads(reads_, task.work->space.layout, 0, left.used, 1, captured.data() + own);
            isbe.read_all(reads_);
            if (!captured.empty()) return true;
            ++task.round;
        }
        return capture_.culls() && read_kept(task, left, isbe);
    }
    void finish(warp_task& task, isbe_access&, stream_output& output, task_host&) override
    {
        auto& rows = output.streams[0];
        const auto& left = left_[task];
        output.culled = left.culled;
        output.vertices = static_cast<unsigned>(__builtin_popcount(left.used));
        const auto* const captured = parts_[task].captured.data();
        if (pipeline_.geometry.passthrough) {
            for (unsigned lane = 0; lane < task.threads; ++lane) pass_on(task, lane, captured, rows);
            return;
        }
        rows.primitive_vertices = 1;
        if ((task.context.geometry.stream_mask & 1U) == 0) {
            off_stream_ += task.threads;
            return;
        }
        lanes_.resize(task.threads);
        std::iota(lanes_.begin(), lanes_.end(), 0U);
        capture_.append(rows, 0, lanes_, 1, captured);
    }
    void add_to(pe_draw_counters& counters) const override
    {
        geometry_warp_step::add_to(counters);
        counters.losses[draw_loss::vertices_off_stream] += off_stream_;
    }

private:
    struct left_behind {
        lane_mask used = 0; ///< vertices for the consumer: of the threads, for passthrough of the batch
        std::uint64_t culled = 0;
        std::array<std::vector<word>, 2> late; ///< the rest of what a rasteriser keeps: own, inherited
    };
    struct primitive {
        std::array<unsigned, 3> vertices;
        unsigned count;
    };

    /// The vertices of the batch that thread `lane` passes on, otherwise its own.
    primitive primitive_of(const warp_task& task, unsigned lane) const
    {
        if (!pipeline_.geometry.passthrough) return {{lane}, 1};
        const auto& vertices = task.work->vertices;
        const auto k = vertices.primitive_vertices;
        const auto core = core_corners_of(k);
        const auto* corners = vertices.corners.data() + task.context.primitive[lane] * k;
        primitive result{{}, core.count};
        for (unsigned i = 0; i < core.count; ++i) result.vertices[i] = corners[core.first + i * core.step];
        return result;
    }
    lane_mask used(const warp_task& task) const
    {
        lane_mask result = 0;
        if (!pipeline_.geometry.passthrough && (task.context.geometry.stream_mask & 1U) == 0) return result;
        for (unsigned lane = 0; lane < task.threads; ++lane) {
            const auto each = primitive_of(task, lane);
            for (unsigned i = 0; i < each.count; ++i) result |= lane_mask{1} << each.vertices[i];
        }
        return result;
    }
    /// Reads the rest of the vertices that a rasteriser keeps; false if there is nothing to read.
    bool read_kept(const warp_task& task, left_behind& left, isbe_access& isbe)
    {
        const bool passes_on = pipeline_.geometry.passthrough;
        const auto* const positions = parts_[task].captured.data() + (passes_on ? capture_.buffer_words(1) : 0);
        const auto places = (passes_on ? inherited_ : capture_).places(1);
        cull_counts dropped;
        for (auto* each : {&kept_threads_, &kept_}) each->assign(1, 0);
        for (unsigned lane = 0; lane < task.threads && left.used != 0; ++lane) {
            const auto each = primitive_of(task, lane);
            if (cull_.sort(each.vertices.data(), each.count, positions, places, dropped, kept_))
                kept_threads_[0] |= lane_mask{1} << lane;
        }
        left.culled = add_culled(dropped);
        reads_.clear();
        capture_.add_late_reads(reads_, task.context.output, kept_threads_, left.late[0]);
        if (passes_on) inherited_.add_late_reads(reads_, task.work->space.layout, kept_, left.late[1]);
        isbe.read_all(reads_);
        return !reads_.empty();
    }
    void pass_on(const warp_task& task, unsigned lane, const word* captured, stream_output::stream& rows) const
    {
        const auto each = primitive_of(task, lane);
        rows.primitive_vertices = each.count;
        for (unsigned i = 0; i < each.count; ++i)
            capture_.append_over(inherited_, rows, {captured, lane},
                                 {captured + capture_.buffer_words(1), each.vertices[i]});
    }

    capture_plan inherited_; ///< the same list for the previous stage; for passthrough
    per_task<left_behind> left_;
    std::vector<lane_mask> kept_threads_, kept_; ///< of the warp that is being read back
    std::vector<unsigned> lanes_;
    std::uint64_t off_stream_ = 0;
};

/// The geometry stage with output state: a thread emits vertices and cuts strips with OUT, which writes a token for
/// each vertex into the output MAP.
///
/// After collecting the warp, the PE writes a count in front of the tokens, over anything that a program wrote there:
/// the number of complete primitives that the tokens make on all enabled streams. The geometry stage is the last, so
/// only debug reads of the storage see this count. A token is an ordinary byte of the MAP: if a program overwrites the
/// token of an emitted vertex with ISBEWR, the PE collects the new value.
class geometry_step final : public geometry_warp_step {
public:
    geometry_step(const step_parts& parts, unsigned level)
        : geometry_warp_step(parts, level),
          plan_(linked_.program->header.output_topology, config_.gs_slot_order, pipeline_.geometry.first_provokes)
    {
    }

    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        auto& left = left_[task];
        switch (task.round++) {
        case 0: {
            left.culled = 0;
            const auto maximum = task.context.geometry.max_vertices;
            for (unsigned lane = 0; lane < task.threads; ++lane) {
                auto& count = task.completion.vertex_count[lane];
                count = static_cast<std::uint16_t>(std::min<unsigned>(count, maximum));
                if ((task.completion.lost >> lane & 1U) != 0) count = 0;
                if (((task.completion.lost | task.completion.stale) >> lane & 1U) != 0) ++lost_threads_;
            }
            read_tokens(task, left, isbe);
            return !left.tokens.empty();
        }
        case 1:
            if (read_vertices(task, left, isbe)) return true;
            ++task.round;
            return read_kept(task, left, isbe);
        case 2:
            return read_kept(task, left, isbe);
        default:
            return false;
        }
    }
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host&) override
    {
        const auto& left = left_[task];
        word primitives = 0;
        output.vertices = 0;
        output.culled = left.culled;
        if (!left.tokens.empty()) {
            const auto& plan = plan_of(task, left);
            const auto groups = static_cast<unsigned>(plan.emitted().size());
            for (unsigned s = 0; s < output.streams.size(); ++s) {
                if (plan.rows(s).empty()) continue;
                output.streams[s].primitive_vertices = plan.primitive_vertices();
                capture_.append(output.streams[s], s, plan.rows(s), groups, parts_[task].captured.data());
            }
            primitives = plan.primitives();
            off_stream_ += plan.off_stream();
            short_strips_ += plan.short_strips();
            used_.assign(groups, 0); // a rasteriser gets stream 0, without vertices of no primitive
            for (const auto vertex : plan.rows(0)) used_[vertex / warp_lanes] |= lane_mask{1} << vertex % warp_lanes;
            for (const auto lanes : used_) output.vertices += static_cast<unsigned>(__builtin_popcount(lanes));
        }
        write_count(task, primitives, isbe);
    }
    void add_to(pe_draw_counters& counters) const override
    {
        geometry_warp_step::add_to(counters);
        counters.lost_threads += lost_threads_;
        counters.losses[draw_loss::vertices_off_stream] += off_stream_;
        counters.losses[draw_loss::short_strip_vertices] += short_strips_;
    }

private:
    struct left_behind {
        std::vector<word> tokens; ///< token bytes, four per word; empty if no vertex was emitted
        std::vector<word> late;   ///< the rest of what a rasteriser keeps
        std::vector<lane_mask> kept;
        std::uint64_t culled = 0;
    };

    /// Reads every token up to that of the last emitted vertex. The output MAP starts with the count word.
    void read_tokens(const warp_task& task, left_behind& left, isbe_access& isbe) const
    {
        unsigned tokens = 0;
        for (unsigned lane = 0; lane < task.threads; ++lane)
            if (const unsigned count = task.completion.vertex_count[lane]; count != 0)
                tokens = std::max(tokens, vertex_number(task, lane, count - 1) + 1);
        const auto words = (tokens + 3) / 4;
        const auto base = task.context.output.map_base + gs_token_offset(0);
        left.tokens.assign(rounded_up(words, warp_lanes), 0);
        for (unsigned first = 0; first < words; first += warp_lanes)
            isbe.read({base + first * 4, 4}, first_lanes(words - first), left.tokens.data() + first);
    }
    /// Returns false if there is nothing to read.
    /// Reads the captured attributes of the vertices that were emitted to an enabled stream.
    bool read_vertices(const warp_task& task, const left_behind& left, isbe_access& isbe)
    {
        const auto& plan = plan_of(task, left);
        const auto& emitted = plan.emitted();
        const auto groups = static_cast<unsigned>(emitted.size());
        auto& captured = parts_[task].captured;
        captured.resize(plan.any_emitted() ? capture_.buffer_words(groups) : 0);
        reads_.clear();
        for (unsigned group = 0; group < groups; ++group)
            if (emitted[group] != 0)
                capture_.add_reads(reads_, task.context.output, group, emitted[group], groups, captured.data());
        isbe.read_all(reads_);
        return !captured.empty();
    }
    /// Reads the rest of the vertices of stream 0 that a rasteriser keeps; false if there is nothing to read.
    bool read_kept(const warp_task& task, left_behind& left, isbe_access& isbe)
    {
        if (!capture_.culls()) return false;
        const auto& plan = plan_of(task, left);
        const auto& rows = plan.rows(0);
        const auto k = plan.primitive_vertices();
        const auto groups = static_cast<unsigned>(plan.emitted().size());
        const auto places = capture_.places(groups);
        cull_counts dropped;
        left.kept.assign(groups, 0);
        for (std::size_t row = 0; row < rows.size(); row += k)
            cull_.sort(rows.data() + row, k, parts_[task].captured.data(), places, dropped, left.kept);
        left.culled = add_culled(dropped);
        reads_.clear();
        capture_.add_late_reads(reads_, task.context.output, left.kept, left.late);
        isbe.read_all(reads_);
        return !reads_.empty();
    }
    /// Valid until the next call.
    const emission_plan& plan_of(const warp_task& task, const left_behind& left)
    {
        const auto groups = (task.context.output.vertex_count + warp_lanes - 1) / warp_lanes;
        plan_.find({task.context.geometry, task.completion.vertex_count, &left.tokens, groups});
        return plan_;
    }
    word vertex_number(const warp_task& task, unsigned lane, unsigned slot) const
    {
        return gs_slot_index(config_.gs_slot_order, slot, lane, task.context.geometry);
    }

    per_task<left_behind> left_;
    std::vector<lane_mask> used_; ///< of the warp that ends
    emission_plan plan_;          ///< of the last plan_of()
    std::uint64_t lost_threads_ = 0;
    std::uint64_t off_stream_ = 0;   ///< vertices
    std::uint64_t short_strips_ = 0; ///< vertices of them
};

} // namespace

made_step make_fast_geometry_step(const step_parts& parts, unsigned level, later_step*)
{
    return std::make_unique<fast_geometry_step>(parts, level);
}

made_step make_geometry_step(const step_parts& parts, unsigned level, later_step*)
{
    return std::make_unique<geometry_step>(parts, level);
}

} // namespace isbesim
