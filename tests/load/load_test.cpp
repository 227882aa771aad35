// SPDX-License-Identifier: Apache-2.0
// Load and latency against closed forms: a single operation takes 1 + P + L cycles (micro-architecture section 5); a
// closed loop of N operations reaches N / (1 + P + L) per cycle, at most 1 / P; waits of random arrivals follow the
// Pollaczek-Khinchine formula.

#include <gtest/gtest.h>

#include "testbench/load/load_curve.h"

namespace isbesim::testbench {
namespace {

load_profile only(opcode op)
{
    load_profile profile;
    profile.mix[static_cast<unsigned>(op)] = 1;
    profile.operations = 5000;
    profile.warmup = 500;
    return profile;
}

load_profile with_conflicts(std::vector<weighted_value> conflicts)
{
    auto profile = only(opcode::isberd);
    profile.conflicts = std::move(conflicts);
    return profile;
}

/// Levels of load, each on its own ISBE: SystemC elaborates all of them before the first one runs.
class measurement {
public:
    explicit measurement(const machine_config& config = {}) : config_(config) {}

    void add(const load_profile& profile, const load_level& level) { add(profile, level, config_); }
    void add(const load_profile& profile, const load_level& level, const machine_config& config)
    {
        const auto name = "isbe" + std::to_string(sites.size());
        sites.push_back(std::make_unique<load_site>(name, *find_isbe_backend("at"), config, profile));
        requests_.push_back({profile, level, config});
    }
    void run()
    {
        for (std::size_t i = 0; i < sites.size(); ++i) {
            auto& site = *sites[i];
            const auto& [profile, level, config] = requests_[i];
            site.run(level);
            figures.push_back(figures_of(site, config, profile, level));
            EXPECT_TRUE(site.finished());
            EXPECT_EQ(site.meter().errors(), 0U);
            const auto counters = site.counters();
            EXPECT_EQ(counters.discarded_bmap + counters.discarded_out_of_range + counters.discarded_gs_overflow, 0U);
        }
    }

    std::vector<std::unique_ptr<load_site>> sites;
    std::vector<load_figures> figures;

private:
    machine_config config_;
    struct request {
        load_profile profile;
        load_level level;
        machine_config config;
    };
    std::vector<request> requests_;
};

constexpr load_level one_at_a_time{0, 1};

TEST(load, an_operation_alone_takes_accept_passes_and_its_latency)
{
    const machine_config config;
    const struct {
        opcode op;
        unsigned size, passes, latency;
    } cases[] = {
        {opcode::ald, 1, 1, config.isbe.pipeline_latency}, {opcode::ald, 4, 4, config.isbe.pipeline_latency},
        {opcode::ast, 3, 3, config.isbe.write_latency},    {opcode::al2p, 1, 1, config.isbe.al2p_latency},
        {opcode::out, 1, 1, config.isbe.out_latency},      {opcode::isberd, 1, 1, config.isbe.pipeline_latency},
        {opcode::isbewr, 1, 1, config.isbe.write_latency}};
    measurement all;
    for (const auto& each : cases) {
        auto profile = only(each.op);
        profile.sizes = {{each.size, 1}};
        all.add(profile, one_at_a_time);
        EXPECT_EQ(*unloaded_latency(config.isbe, profile, each.passes), 1 + each.passes + each.latency);
    }
    all.run();
    for (std::size_t i = 0; i < all.figures.size(); ++i) {
        EXPECT_EQ(all.figures[i].mean, 1 + cases[i].passes + cases[i].latency) << i;
        EXPECT_EQ(all.figures[i].p50, all.figures[i].max) << i;
    }
}

TEST(load, a_conflict_degree_is_the_number_of_passes)
{
    measurement all;
    std::vector<unsigned> degrees;
    for (const auto op : {opcode::ald, opcode::isberd, opcode::isbewr}) {
        for (const unsigned degree : {1U, 2U, 4U, 8U, 16U, 32U}) {
            auto profile = only(op);
            profile.conflicts = {{degree, 1}};
            all.add(profile, one_at_a_time);
            degrees.push_back(degree);
        }
    }
    all.run();
    for (std::size_t i = 0; i < degrees.size(); ++i) EXPECT_EQ(all.sites[i]->meter().mean_passes(), degrees[i]) << i;
}

TEST(load, closed_loop_rate_is_operations_over_latency_up_to_the_peak)
{
    const machine_config config;
    constexpr unsigned passes = 4;
    const double alone = 1 + passes + config.isbe.pipeline_latency;
    const auto profile = with_conflicts({{passes, 1}});
    const std::vector<unsigned> outstanding = {1, 2, 3, 5, 6, 7, 8, 64};
    measurement all;
    for (const auto each : outstanding) all.add(profile, {0, each});
    all.run();
    for (std::size_t i = 0; i < outstanding.size(); ++i) {
        EXPECT_NEAR(all.figures[i].accepted, std::min(outstanding[i] / alone, 1.0 / passes), 1e-4) << outstanding[i];
        EXPECT_DOUBLE_EQ(all.figures[i].bytes_per_cycle, 128 * all.figures[i].accepted);
    }
}

TEST(load, operations_beyond_the_places_wait_in_front_of_the_port)
{
    machine_config config;
    config.isbe.ports = 1;
    config.isbe.request_queue_depth = 16;
    config.isbe.response_queue_depth = 2;
    config.isbe.pipeline_latency = 5;
    constexpr unsigned places = 16 + 2 + 1; // queues, and the request at the port
    measurement all(config);
    const std::vector<unsigned> outstanding = {10, places, 40, 64};
    for (const auto each : outstanding) all.add(only(opcode::ald), {0, each});
    all.run();
    for (std::size_t i = 0; i < outstanding.size(); ++i) {
        EXPECT_DOUBLE_EQ(*all.figures[i].in_flight, outstanding[i]);
        // A place is empty for some cycles between two operations.
        EXPECT_LE(all.figures[i].in_block, std::min(outstanding[i], places)) << outstanding[i];
        EXPECT_GT(all.figures[i].in_block, std::min(outstanding[i], places) - 1) << outstanding[i];
        EXPECT_NEAR(all.figures[i].accepted * all.figures[i].mean, outstanding[i], 0.01 * outstanding[i]);
    }
}

/// Little's law: the mean number in flight is the rate of responses times their latency.
TEST(load, latency_times_rate_is_the_number_in_flight)
{
    random_numbers random(11);
    const auto one_of = [&](std::initializer_list<unsigned> values) {
        return values.begin()[random.below(static_cast<std::uint32_t>(values.size()))];
    };
    measurement all;
    std::vector<machine_config> machines;
    std::vector<load_profile> profiles;
    std::vector<load_level> levels;
    for (unsigned i = 0; i < 60; ++i) {
        machine_config config;
        config.isbe.ports = one_of({1, 2});
        config.isbe.banks = one_of({8, 32});
        config.isbe.request_queue_depth = one_of({1, 2, 16});
        config.isbe.response_queue_depth = one_of({1, 2, 8, 64});
        config.isbe.pipeline_latency = one_of({2, 5, 40});
        load_profile profile;
        for (const auto op : {opcode::ald, opcode::ast, opcode::al2p, opcode::isberd})
            profile.mix[static_cast<unsigned>(op)] = one_of({0, 1, 3});
        profile.mix[static_cast<unsigned>(opcode::out)] = 1;
        profile.sizes = {{one_of({1, 4}), 1}, {2, 1}};
        profile.second_port = config.isbe.ports == 1 ? 0 : one_of({0, 1, 2, 3, 4}) / 4.0;
        profile.burst = one_of({1, 1, 5});
        profile.operations = 20'000;
        profile.warmup = one_of({0, 2000});
        profile.seed = i + 1;
        const auto level =
            i % 2 == 0 ? load_level{0, one_of({1, 2, 7, 19, 40, 300})} : load_level{one_of({1, 4, 12}) / 100.0, 0};
        machines.push_back(config);
        profiles.push_back(profile);
        levels.push_back(level);
        all.add(profile, level, config);
    }
    all.run();
    unsigned steady = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto& figures = all.figures[i];
        const auto& isbe = machines[i].isbe;
        const unsigned ports = profiles[i].second_port > 0 && profiles[i].second_port < 1 ? 2 : 1;
        EXPECT_LE(figures.in_block, ports * (isbe.request_queue_depth + isbe.response_queue_depth + 1)) << i;
        EXPECT_EQ(figures.in_flight.has_value(), !figures.saturated) << i;
        if (levels[i].outstanding != 0) {
            EXPECT_DOUBLE_EQ(*figures.in_flight, ports * levels[i].outstanding) << i;
        }
        if (isbe.ports == 2) {
            const auto second = static_cast<double>(all.sites[i]->isbe().timing(1).operations);
            EXPECT_NEAR(second / static_cast<double>(all.sites[i]->meter().all_operations()), profiles[i].second_port,
                        0.02)
                << i;
        }
        if (!figures.in_flight) continue;
        ++steady;
        EXPECT_NEAR(figures.accepted * figures.mean, *figures.in_flight, 0.02 * *figures.in_flight) << i;
    }
    EXPECT_GT(steady, 40U);
}

TEST(load, random_arrivals_wait_as_in_m_d_1)
{
    const machine_config config;
    auto profile = with_conflicts({{4, 1}});
    profile.operations = 200'000;
    const std::vector<double> shares = {0.3, 0.5, 0.8};
    measurement all;
    for (const double busy : shares) all.add(profile, {busy / 4, 0});
    all.run();
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const auto& figures = all.figures[i];
        const double busy = 4 * figures.accepted, wait = busy * 4 / (2 * (1 - busy));
        EXPECT_NEAR(figures.mean - (1 + 4 + config.isbe.pipeline_latency), wait, 0.03 * wait) << busy;
        EXPECT_NEAR(*figures.expected_mean, 1 + 4 + config.isbe.pipeline_latency + wait, 1e-9);
        EXPECT_NEAR(figures.accepted, shares[i] / 4, 0.01 * shares[i] / 4);
        EXPECT_FALSE(figures.saturated);
    }
}

TEST(load, few_random_arrivals_are_not_reported_as_saturation)
{
    measurement all;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        auto profile = with_conflicts({{4, 1}});
        profile.operations = 300;
        profile.seed = seed;
        all.add(profile, {0.1, 0});
        all.add(profile, {0.3, 0}); // four passes each
    }
    all.run();
    unsigned fewer = 0;
    for (std::size_t i = 0; i < all.figures.size(); i += 2) {
        if (all.figures[i].accepted < 0.097) ++fewer;
        EXPECT_FALSE(all.figures[i].saturated) << all.figures[i].accepted;
        EXPECT_TRUE(all.figures[i + 1].saturated) << all.figures[i + 1].accepted;
    }
    EXPECT_NE(fewer, 0U);
}

/// Four passes each: at most 0.25 operations per cycle. Port 1 gets all of its 0.09, port 0 only 0.16 of its 0.21.
TEST(load, one_saturated_port_is_saturation)
{
    machine_config config;
    config.isbe.ports = 2;
    measurement all;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        auto profile = with_conflicts({{4, 1}});
        profile.operations = 3000;
        profile.second_port = 0.3;
        profile.seed = seed;
        all.add(profile, {0.3, 0}, config);
    }
    all.run();
    for (const auto& figures : all.figures) EXPECT_TRUE(figures.saturated) << figures.accepted;
}

TEST(load, operations_of_different_passes_wait_as_in_m_g_1)
{
    auto profile = with_conflicts({{1, 3}, {16, 1}});
    profile.operations = 300'000;
    const machine_config config;
    const double passes = (3 * 1 + 16) / 4.0, square = (3 * 1 + 256) / 4.0, rate = 0.7 / passes;
    measurement one;
    one.add(profile, {rate, 0});
    one.run();
    const auto& figures = one.figures.front();
    const double wait = rate * square / (2 * (1 - 0.7));
    EXPECT_NEAR(one.sites.front()->meter().mean_passes(), passes, 0.02 * passes);
    // The mean latency contains the mean passes; responses stay in order, which adds no wait here.
    EXPECT_NEAR(figures.mean - (1 + passes + config.isbe.pipeline_latency), wait, 0.06 * wait);
}

TEST(load, operations_of_a_burst_wait_for_each_other)
{
    const machine_config config;
    auto profile = with_conflicts({{2, 1}});
    profile.poisson = false;
    profile.burst = 6;
    profile.operations = 6000;
    profile.warmup = 600;
    measurement one;
    one.add(profile, {6.0 / 100, 0});
    one.run();
    const auto& figures = one.figures.front();
    EXPECT_DOUBLE_EQ(figures.mean, 1 + 2 + config.isbe.pipeline_latency + 2 * (6 - 1) / 2.0);
    EXPECT_EQ(figures.max, 1 + 2 + config.isbe.pipeline_latency + 2 * (6 - 1));
    EXPECT_FALSE(figures.expected_mean);
}

TEST(load, regular_arrivals_below_the_peak_do_not_wait)
{
    auto profile = with_conflicts({{4, 1}});
    profile.poisson = false;
    const machine_config config;
    measurement one;
    one.add(profile, {0.25, 0});
    one.run();
    const auto& figures = one.figures.front();
    EXPECT_EQ(figures.max, 1 + 4 + config.isbe.pipeline_latency);
}

TEST(load, two_ports_have_their_shares_and_wait_for_one_engine)
{
    machine_config config;
    auto profile = with_conflicts({{4, 1}});
    profile.second_port = 0.25;
    profile.operations = 200'000;
    measurement one;
    one.add(profile, {0.5 / 4, 0});
    one.run();
    const auto& figures = one.figures.front();
    const double operations = static_cast<double>(one.sites.front()->meter().all_operations());
    EXPECT_NEAR(static_cast<double>(one.sites.front()->isbe().timing(1).operations) / operations, 0.25, 0.01);
    // The mean wait is the same at both ports.
    EXPECT_NEAR(figures.mean - (1 + 4 + config.isbe.pipeline_latency), 2, 0.06);
    EXPECT_GT(one.sites.front()->isbe().timing(0).stalls[stall_reason::port_contention], 0U);
}

TEST(load, the_seed_determines_the_traffic)
{
    auto profile = with_conflicts({{1, 1}, {8, 1}});
    profile.mix[static_cast<unsigned>(opcode::ast)] = 1;
    profile.handles = handle_pattern::random;
    measurement all;
    for (const unsigned seed : {1U, 1U, 2U}) {
        profile.seed = seed;
        all.add(profile, {0.1, 0});
    }
    all.run();
    const auto sum = [&](unsigned which) { return all.sites[which]->meter().total().sum(); };
    EXPECT_EQ(sum(1), sum(0));
    EXPECT_NE(sum(2), sum(0));
}

/// The curve of the default machine on AT.
load_curve curve_of(const load_profile& profile, const std::vector<double>& loads)
{
    const machine_config config;
    std::vector<std::unique_ptr<load_site>> sites;
    for (std::size_t i = 0; i <= loads.size(); ++i)
        sites.push_back(
            std::make_unique<load_site>("isbe" + std::to_string(i), *find_isbe_backend("at"), config, profile));
    return run_curve(sites, config, profile, loads);
}

/// One pass each: 24 = x / (2 (1 - x)) holds for a load x above 0.95, where a short run has not settled. The latency of
/// a saturated point grows with the length of its run.
TEST(load, the_load_at_which_latency_doubles_is_below_saturation)
{
    load_profile profile;
    profile.mix[static_cast<unsigned>(opcode::ald)] = 1;
    profile.operations = 1000;
    const std::vector<double> loads = {0.01, 0.9, 1.1};
    const auto curve = curve_of(profile, loads);
    EXPECT_TRUE(curve.points.back().saturated);
    ASSERT_TRUE(curve.doubling);
    EXPECT_GT(*curve.doubling, 0.9);
    EXPECT_LT(*curve.doubling, 1);
}

TEST(load, a_curve_goes_from_the_unloaded_latency_to_saturation)
{
    auto profile = with_conflicts({{4, 1}});
    profile.operations = 20'000;
    const auto loads = curve_loads(10);
    const auto curve = curve_of(profile, loads);
    EXPECT_DOUBLE_EQ(curve.saturation.accepted, 0.25);
    EXPECT_DOUBLE_EQ(curve.saturation.bytes_per_cycle, 32);
    EXPECT_NEAR(curve.unloaded, 27, 0.1);
    ASSERT_TRUE(curve.doubling);
    // 27 = 4 x / (2 (1 - x)): x = 27 / 29; the doubling load is interpolated linearly between two points.
    EXPECT_NEAR(*curve.doubling, 27.0 / 29, 0.03);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const auto& point = curve.points[i];
        EXPECT_EQ(point.saturated, loads[i] > 1) << loads[i];
        EXPECT_NEAR(point.accepted, std::min(1.0, loads[i]) / 4, 0.02 / 4) << loads[i];
        if (i > 0) {
            EXPECT_GE(point.mean, curve.points[i - 1].mean) << loads[i];
        }
    }
}

/// The load at which latency doubles lies on the line that the picture draws, over the accepted rate.
TEST(load, doubling_load_counts_accepted_operations)
{
    auto profile = with_conflicts({{4, 1}});
    profile.operations = 20'000;
    const std::vector<double> loads = {0.01, 0.5, 0.9, 0.96};
    const auto curve = curve_of(profile, loads);
    ASSERT_TRUE(curve.doubling);
    std::size_t above = 1;
    while (curve.points[above].mean < 2 * curve.unloaded) ++above;
    const auto &low = curve.points[above - 1], &high = curve.points[above];
    ASSERT_FALSE(high.saturated);
    EXPECT_NE(high.accepted, high.offered);
    const double accepted =
        low.accepted + (2 * curve.unloaded - low.mean) / (high.mean - low.mean) * (high.accepted - low.accepted);
    EXPECT_NEAR(*curve.doubling, accepted / curve.saturation.accepted, 1e-12);
}

TEST(load, closed_form_is_absent_where_it_does_not_apply)
{
    const isbe_config config;
    const auto form = [&](const load_profile& profile, const isbe_config& machine) {
        return expected_latency(machine, profile, 0.1, 4, 16).has_value();
    };
    const auto good = with_conflicts({{4, 1}});
    EXPECT_TRUE(form(good, config));
    auto profile = good;
    profile.burst = 2;
    EXPECT_FALSE(form(profile, config));
    profile = good;
    profile.poisson = false;
    EXPECT_FALSE(form(profile, config));
    profile = good;
    profile.second_port = 0.5;
    EXPECT_FALSE(form(profile, config));
    profile = good;
    profile.mix[static_cast<unsigned>(opcode::al2p)] = 1; // its latency differs
    EXPECT_FALSE(form(profile, config));
    isbe_config shallow = config;
    shallow.response_queue_depth = 2;
    EXPECT_FALSE(form(good, shallow));
    shallow = config;
    shallow.request_queue_depth = 1;
    EXPECT_FALSE(form(good, shallow));
    EXPECT_FALSE(expected_latency(config, good, 0.25, 4, 16).has_value()); // saturated
}

} // namespace
} // namespace isbesim::testbench
