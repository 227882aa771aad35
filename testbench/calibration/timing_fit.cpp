// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/timing_fit.h"

#include <algorithm>
#include <limits>

#include "models/attribute/layout.h"
#include "models/isbe/access/map_lookup.h"
#include "models/isbe/functional/lanes.h"
#include "testbench/crosscheck/traces/trace_check.h"
#include "tlm/byte_sum.h"

namespace isbesim::testbench {
namespace {

std::uint64_t distance(std::uint64_t a, std::uint64_t b)
{
    return a > b ? a - b : b - a;
}

/// Bounds the depth of one port's request queue, request by request.
class request_queue_evidence {
public:
    /// Adds the request at `place`, transferred in cycle `accept` at once or after a wait; `grants`: of earlier
    /// requests. Returns false if no depth explains it.
    bool add(std::size_t place, std::uint64_t accept, bool waited, const std::vector<std::uint64_t>& grants)
    {
        while (left_ < place && grants[left_] < accept) ++left_;
        const auto needed = static_cast<unsigned>(place - left_) + 1; // the queued requests and this one
        depth_.low = std::max(depth_.low, needed);
        if (waited) {
            // It waited for a place, which the grant of the previous cycle freed.
            if (left_ == 0 || grants[left_ - 1] + 1 != accept) return false;
            depth_.high = std::min(depth_.high, needed);
        }
        return !depth_.empty();
    }
    const value_range& depth() const { return depth_; }

private:
    std::size_t left_ = 0; ///< operations that had left the queue before this cycle
    value_range depth_ = request_depth_limits;
};

constexpr unsigned most_lines = 8192;
constexpr unsigned line_step = 8;
constexpr unsigned most_contexts = 64;

class bounds_finder {
public:
    void add(const warp_op& op, const operation_answer& answer)
    {
        if (is_raw(op.op) && op.region == region::physical)
            add_access(op, answer);
        else if (op.op == opcode::bind)
            add_context(op, answer);
    }

    size_bounds bounds() const
    {
        const auto lines_of = [](std::uint64_t bytes) { return bytes / line_bytes / line_step * line_step; };
        const auto low = lines_of(holds_ + line_step * line_bytes - 1);
        const auto high = lines_of(below_ - 1);
        size_bounds found{{line_step, most_lines}, {std::max(contexts_, 1U), contexts_below_ - 1}};
        found.lines.low = static_cast<unsigned>(std::clamp<std::uint64_t>(low, line_step, most_lines + line_step));
        found.lines.high = static_cast<unsigned>(std::min<std::uint64_t>(high, most_lines));
        return found;
    }

private:
    void add_context(const warp_op& op, const operation_answer& answer)
    {
        if (answer.error != op_error::none) {
            contexts_below_ = std::min<unsigned>(contexts_below_, op.context + 1U);
            return;
        }
        contexts_ = std::max<unsigned>(contexts_, op.context + 1U);
        holds_ = std::max(holds_, storage_end(unpack_context(op)));
    }

    /// Section 4.5: covered bytes beyond the storage are out of range.
    void add_access(const warp_op& op, const operation_answer& answer)
    {
        const auto bytes = std::clamp<std::int64_t>(op.size, 1, 4);
        lane_mask negative = 0;
        std::vector<std::uint64_t> ends; // ascending
        per_lane<std::uint64_t> end_of_lane{};
        for_each_lane(op.lanes, [&](unsigned lane) {
            const auto first = byte_sum(op, lane);
            if (first < 0) {
                negative |= lane_mask{1} << lane;
                return;
            }
            end_of_lane[lane] = static_cast<std::uint64_t>(first + bytes);
            ends.push_back(end_of_lane[lane]);
        });
        if (ends.empty()) return;
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        if ((answer.status & lane_status::out_of_range) == 0) {
            holds_ = std::max(holds_, ends.back());
            return;
        }
        if (negative == 0) below_ = std::min(below_, ends.back()); // at least one lane is beyond
        if (op.op != opcode::isbewr || answer.status != lane_status::out_of_range) return;
        // The response depends only on the lanes that were outside: only one number of lanes gives this response.
        warp_result result;
        for (std::size_t inside = 0; inside <= ends.size(); ++inside) {
            const auto limit = inside == 0 ? 0 : ends[inside - 1];
            for_each_lane(op.lanes, [&](unsigned lane) {
                const bool outside = (negative >> lane & 1U) != 0 || end_of_lane[lane] > limit;
                result.status[lane] = outside ? lane_status::out_of_range : lane_status::ok;
            });
            if (answer_of(op, result) != answer) continue;
            holds_ = std::max(holds_, limit);
            if (inside < ends.size()) below_ = std::min(below_, ends[inside]);
            return;
        }
    }

    std::uint64_t holds_ = 0;                                         ///< bytes known to be inside
    std::uint64_t below_ = std::numeric_limits<std::uint64_t>::max(); ///< size that is too large
    unsigned contexts_ = 0;
    unsigned contexts_below_ = most_contexts + 1;
};

} // namespace

timing_fit::timing_fit(const observed_traffic& traffic)
    : ports_(traffic.ports()), operations_(traffic.operations().size())
{
    for (std::size_t i = 0; i < operations_; ++i) {
        const auto& seen = traffic.operations()[i];
        ports_[seen.port].push_back(
            {seen.request, seen.accept, seen.response, seen.transfer, i, row_of(seen.op).latency});
    }
}

template <typename Visitor>
void timing_fit::for_each_grant(const pass_list& passes, const grant_rule& rule, Visitor visit) const
{
    const auto ports = ports_.size();
    std::array<std::size_t, 2> next{};
    std::size_t last = ports - 1; // so that port 0 comes first
    std::uint64_t engine_free = 0;
    const auto candidate_from = [&](std::size_t port) {
        const auto& entries = ports_[port];
        const auto place = next[port];
        if (place == entries.size()) return never;
        const auto queued = entries[place].accept + 1;
        if (place < rule.response_depth) return queued;
        return std::max(queued, entries[place - rule.response_depth].transfer + 1);
    };
    for (;;) {
        std::array<std::uint64_t, 2> candidates{candidate_from(0), ports == 1 ? never : candidate_from(1)};
        const auto first = std::min(candidates[0], candidates[1]);
        if (first >= never) return;
        const auto grant = std::max(engine_free, first);
        std::size_t port = candidates[0] <= grant ? 0 : 1;
        if (candidates[0] <= grant && candidates[1] <= grant && !rule.fixed_priority) port = 1 - last;
        const auto count = passes[ports_[port][next[port]].number];
        if (!visit(port, next[port], grant, count)) return;
        ++next[port];
        last = port;
        engine_free = grant + count;
    }
}

unsigned timing_fit::enough_response_depth(const pass_list& passes, bool fixed_priority) const
{
    unsigned most = 1;
    std::array<std::size_t, 2> left{};
    for_each_grant(passes, {fixed_priority, response_depth_limits.high},
                   [&](std::size_t port, std::size_t place, std::uint64_t grant, unsigned) {
                       while (left[port] < place && ports_[port][left[port]].transfer < grant) ++left[port];
                       most = std::max(most, static_cast<unsigned>(place - left[port]) + 1);
                       return true;
                   });
    return std::min(most, response_depth_limits.high);
}

exact_fit timing_fit::fit_exactly(const pass_list& passes, const grant_rule& rule) const
{
    exact_fit fit;
    fit.latency.fill(latency_limits);
    std::array<request_queue_evidence, 2> requests;
    grant_cycles grants;
    bool fits = true;
    for_each_grant(passes, rule, [&](std::size_t port, std::size_t place, std::uint64_t grant, unsigned count) {
        const auto& seen = ports_[port][place];
        const auto at_once = std::max(seen.request, place == 0 ? 0 : ports_[port][place - 1].accept + 1);
        fits = seen.accept >= at_once && requests[port].add(place, seen.accept, seen.accept > at_once, grants[port]);
        grants[port].push_back(grant);
        if (!fits || seen.response == never) return fits;
        const auto end = grant + count;
        auto& latency = fit.latency[static_cast<unsigned>(seen.kind)];
        if (seen.response < end + latency.low || seen.response < channel_free(ports_[port], place)) return fits = false;
        const auto most = seen.response - end;
        if (most < latency.high) latency.high = static_cast<unsigned>(most);
        if (seen.response > channel_free(ports_[port], place)) { // nothing else delayed it
            if (most > latency.high) return fits = false;
            latency.low = latency.high;
        }
        return fits = !latency.empty();
    });
    for (std::size_t port = 0; port < ports_.size(); ++port) {
        // An operation that is never granted must not have a response.
        for (auto place = grants[port].size(); place < ports_[port].size(); ++place)
            fits = fits && ports_[port][place].response == never;
    }
    fit.request_depth = requests[0].depth();
    if (ports_.size() > 1) {
        fit.request_depth.low = std::max(fit.request_depth.low, requests[1].depth().low);
        fit.request_depth.high = std::min(fit.request_depth.high, requests[1].depth().high);
    }
    fit.fits = fits && !fit.request_depth.empty();
    return fit;
}

near_fit timing_fit::fit_nearest(const pass_list& passes, const grant_rule& rule, std::uint64_t grants) const
{
    struct sample {
        std::uint64_t end, free, response;
        latency_class kind;
    };
    std::vector<sample> samples;
    std::array<std::vector<std::uint32_t>, latency_classes>
        counts_by_latency; // by latency: number of responses with it
    for (auto& counts : counts_by_latency) counts.resize(latency_limits.high + 1);
    std::array<std::uint64_t, latency_classes> total{};
    for_each_grant(passes, rule, [&](std::size_t port, std::size_t place, std::uint64_t grant, unsigned count) {
        const auto& seen = ports_[port][place];
        if (seen.response != never) {
            const auto free = channel_free(ports_[port], place);
            const auto end = grant + count;
            samples.push_back({end, free, seen.response, seen.kind});
            if (seen.response > free) {
                const auto kind = static_cast<unsigned>(seen.kind);
                const auto latency = seen.response > end ? seen.response - end : 0;
                ++counts_by_latency[kind][std::clamp<std::uint64_t>(latency, latency_limits.low, latency_limits.high)];
                ++total[kind];
            }
        }
        return --grants != 0;
    });
    near_fit fit;
    for (unsigned kind = 0; kind < latency_classes; ++kind) {
        auto& median = fit.latency[kind];
        std::uint64_t below = 0;
        for (median = latency_limits.low; median < latency_limits.high; ++median) {
            below += counts_by_latency[kind][median];
            if (2 * below >= total[kind]) break;
        }
    }
    for (const auto& each : samples)
        fit.error +=
            distance(std::max(each.end + fit.latency[static_cast<unsigned>(each.kind)], each.free), each.response);
    return fit;
}

grant_rule timing_fit::likely_rule(const pass_list& passes) const
{
    grant_rule likely;
    std::uint64_t least = never;
    for (const bool fixed : {false, true}) {
        const auto enough = enough_response_depth(passes, fixed);
        for (unsigned depth = 1; depth <= enough; ++depth) {
            if (fit_exactly(passes, {fixed, depth}).fits) return {fixed, depth};
            const auto error = fit_nearest(passes, {fixed, depth}, operations_for_ranking).error;
            if (error >= least) continue;
            least = error;
            likely = {fixed, depth};
        }
    }
    return likely;
}

std::vector<std::size_t> timing_fit::grant_order(const pass_list& passes, const grant_rule& rule) const
{
    std::vector<std::size_t> order;
    order.reserve(operations_);
    std::vector<std::size_t> granted(ports_.size());
    for_each_grant(passes, rule, [&](std::size_t port, std::size_t place, std::uint64_t, unsigned) {
        order.push_back(ports_[port][place].number);
        granted[port] = place + 1;
        return true;
    });
    for (std::size_t port = 0; port < ports_.size(); ++port)
        for (auto place = granted[port]; place < ports_[port].size(); ++place)
            order.push_back(ports_[port][place].number);
    return order;
}

timing_fit::grant_cycles timing_fit::grants_of(const pass_list& passes, const grant_rule& rule) const
{
    grant_cycles grants;
    for_each_grant(passes, rule, [&](std::size_t port, std::size_t, std::uint64_t grant, unsigned) {
        grants[port].push_back(grant);
        return true;
    });
    return grants;
}

std::uint64_t timing_fit::accept_cycle(const port_entries& port, const std::vector<std::uint64_t>& grants,
                                       std::size_t place, unsigned depth)
{
    auto cycle = port[place].request;
    if (place != 0) cycle = std::max(cycle, port[place - 1].accept + 1);
    if (place >= depth && place - depth < grants.size()) cycle = std::max(cycle, grants[place - depth] + 1);
    return cycle;
}

unsigned timing_fit::nearest_request_depth(const pass_list& passes, const grant_rule& rule) const
{
    const auto grants = grants_of(passes, rule);
    unsigned best = request_depth_limits.low;
    std::uint64_t least = never;
    for (auto depth = request_depth_limits.low; depth <= request_depth_limits.high; ++depth) {
        std::uint64_t error = 0;
        for (std::size_t port = 0; port < ports_.size(); ++port)
            for (std::size_t place = 0; place < ports_[port].size() && error < least; ++place)
                error += distance(accept_cycle(ports_[port], grants[port], place, depth), ports_[port][place].accept);
        if (error >= least) continue;
        least = error;
        best = depth;
    }
    return best;
}

scheduled_cycles timing_fit::predict(const pass_list& passes, const grant_rule& rule,
                                     const std::array<unsigned, latency_classes>& latency, unsigned request_depth) const
{
    scheduled_cycles cycles{std::vector<std::uint64_t>(operations_, never),
                            std::vector<std::uint64_t>(operations_, never)};
    grant_cycles grants;
    for_each_grant(passes, rule, [&](std::size_t port, std::size_t place, std::uint64_t grant, unsigned count) {
        const auto& seen = ports_[port][place];
        grants[port].push_back(grant);
        cycles.response[seen.number] =
            std::max(grant + count + latency[static_cast<unsigned>(seen.kind)], channel_free(ports_[port], place));
        return true;
    });
    for (std::size_t port = 0; port < ports_.size(); ++port)
        for (std::size_t place = 0; place < ports_[port].size(); ++place)
            cycles.accept[ports_[port][place].number] = accept_cycle(ports_[port], grants[port], place, request_depth);
    return cycles;
}

size_bounds find_size_bounds(const observed_traffic& traffic)
{
    bounds_finder finder;
    traffic.visit([&](std::size_t, const warp_op& op, const operation_answer& answer) { finder.add(op, answer); });
    return finder.bounds();
}

} // namespace isbesim::testbench
