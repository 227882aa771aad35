// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_page.h"

#include <functional>
#include <sstream>

#include "testbench/report/origin.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string short_number(double value)
{
    std::ostringstream text;
    text.precision(3);
    if (value >= 1000) text << std::fixed, text.precision(0);
    text << value;
    return text.str();
}

bool moves_bytes(const load_curve& curve)
{
    return curve.saturation.bytes_per_cycle > 0;
}

} // namespace

std::string load_text(const load_figures& figures)
{
    std::ostringstream out;
    out << "accepted " << figures.accepted << " operations per cycle, " << figures.bytes_per_cycle
        << " bytes per cycle\nlatency: mean " << figures.mean << ", p50 " << figures.p50 << ", p99 " << figures.p99
        << ", longest " << figures.max << " cycles";
    if (figures.expected_mean) out << "; closed form of the mean " << *figures.expected_mean;
    out << "\n";
    if (figures.in_flight) {
        out << "in flight: mean " << *figures.in_flight << " operations";
        if (figures.in_block < *figures.in_flight)
            out << ", " << figures.in_block << " of them in the block; the others wait in front of its ports";
        out << "\n";
    }
    if (figures.saturated)
        out << "saturated: less is accepted than offered, latencies grow with the length of the run\n";
    return out.str();
}

std::vector<std::string> curve_sentences(const load_curve& curve)
{
    const auto& most = curve.saturation;
    std::vector<std::string> result = {
        "Saturation: " + short_number(most.accepted) +
            (most.accepted == 1 ? " operation per cycle is accepted" : " operations per cycle are accepted") +
            (moves_bytes(curve) ? ", " + short_number(most.bytes_per_cycle) + " bytes per cycle." : "."),
        "Alone an operation takes " + short_number(curve.unloaded) + " cycles."};
    if (curve.doubling)
        result.push_back(
            "The mean latency is twice that at " + short_number(100 * *curve.doubling) + " % of saturation (" +
            (moves_bytes(curve) ? short_number(*curve.doubling * most.bytes_per_cycle) + " bytes per cycle"
                                : short_number(*curve.doubling * most.accepted) + " operations per cycle") +
            ").");
    else
        result.emplace_back("The mean latency does not reach twice that before saturation.");
    return result;
}

report_page make_curve_page(const load_curve& curve, const json::object& report)
{
    report_page page;
    page.title = "isbesim traffic: latency over accepted bandwidth";
    page.origin = origin_text(report);
    for (const auto& sentence : curve_sentences(curve)) page.verdict += (page.verdict.empty() ? "" : "\n") + sentence;
    report_table loads{{"load", "offered", "accepted", "bytes per cycle", "mean", "p50", "p99", "max", "closed form"},
                       {}};
    for (const auto& point : curve.points)
        loads.rows.push_back({short_number(100 * point.load) + " %", short_number(point.offered),
                              short_number(point.accepted), short_number(point.bytes_per_cycle),
                              short_number(point.mean), std::to_string(point.p50), std::to_string(point.p99),
                              std::to_string(point.max),
                              point.expected_mean ? short_number(*point.expected_mean) : std::string()});
    page.sections = {{"Loads",
                      "Load: the requested share of the saturated rate; offered and accepted: operations per cycle; "
                      "latencies and the "
                      "closed form of their mean: cycles.",
                      std::move(loads)},
                     {"ISBE", "Only this part of the machine is simulated. isbesim help config explains each key.",
                      isbe_table(report.at("config").get_object())}};
    return page;
}

json::object curve_chart(const load_curve& curve)
{
    const bool bytes = moves_bytes(curve);
    json::array lines;
    const auto add = [&](const char* name, const std::function<double(const load_figures&)>& value,
                         bool saturated = false) {
        json::array x, y;
        for (const auto& point : curve.points) {
            if (value(point) <= 0 || point.saturated != saturated) continue;
            x.emplace_back(bytes ? point.bytes_per_cycle : point.accepted);
            y.emplace_back(value(point));
        }
        if (!x.empty())
            lines.push_back({{"name", name}, {"x", std::move(x)}, {"y", std::move(y)}, {"scatter", saturated}});
    };
    add("p99", [](const load_figures& point) { return static_cast<double>(point.p99); });
    add("mean", [](const load_figures& point) { return point.mean; });
    add("p50", [](const load_figures& point) { return static_cast<double>(point.p50); });
    add("closed form of the mean", [](const load_figures& point) { return point.expected_mean.value_or(0); });
    add(
        "mean beyond saturation", [](const load_figures& point) { return point.mean; }, true);
    const auto& most = curve.saturation;
    return {{"kind", "xy"},
            {"id", "curve"},
            {"title", "Latency over accepted bandwidth."},
            {"text",
             "Open loop; latency from arrival to response, waiting in front of the port included. Beyond saturation "
             "less is accepted than offered, and latencies grow as long as it goes on. The closed form is that of "
             "random arrivals at one server (Pollaczek and Khinchine) at the accepted rate, where it applies."},
            {"xlabel", bytes ? "accepted (bytes per cycle)" : "accepted (operations per cycle)"},
            {"ylabel", "latency (cycles)"},
            {"logy", true},
            {"panels", {{{"lines", std::move(lines)}}}},
            {"limits",
             {{{"x", bytes ? most.bytes_per_cycle : most.accepted}, {"text", "saturation"}},
              {{"y", 2 * curve.unloaded}, {"text", "twice the latency alone"}}}}};
}

} // namespace isbesim::testbench
