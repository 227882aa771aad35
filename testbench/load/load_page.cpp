// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_page.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <sstream>

#include "testbench/report/page_text.h"

namespace isbesim::testbench {

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

double place_of(const load_figures& point, bool bytes)
{
    return bytes ? point.bytes_per_cycle : point.accepted;
}

/// The picture's axes: x is the bandwidth, y the logarithm of the latency.
class chart {
public:
    chart(std::ostream& out, double all, double most, double lowest, double highest)
        : width(all), right(all - 20), out_(out), most_(most), low_(std::log10(lowest)), high_(std::log10(highest))
    {
    }

    double x(double value) const { return left + value / most_ * (right - left); }
    double y(double value) const { return bottom - (std::log10(value) - low_) / (high_ - low_) * (bottom - top); }

    void text(double px, double py, const char* anchor, const std::string& words, const char* more = "") const
    {
        out_ << "<text x=\"" << px << "\" y=\"" << py << "\" text-anchor=\"" << anchor << "\"" << more << ">" << words
             << "</text>\n";
    }
    void line(double x1, double y1, double x2, double y2, const char* style) const
    {
        out_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2 << "\" " << style
             << "/>\n";
    }

    static constexpr double height = 420, left = 70, top = 34, bottom = 370;
    const double width, right;

private:
    std::ostream& out_;
    double most_, low_, high_;
};

constexpr const char* grid = "stroke=\"#ccc\"";
constexpr const char* limit = "stroke=\"#666\" stroke-dasharray=\"5 4\"";

struct row {
    const char* name;
    const char* colour;
    std::function<double(const load_figures&)> value; ///< 0: no value
    bool dashed;
};

const std::vector<row>& rows()
{
    static const std::vector<row> all = {
        {"p99", "#d55e00", [](const load_figures& p) { return static_cast<double>(p.p99); }, false},
        {"mean", "#0072b2", [](const load_figures& p) { return p.mean; }, false},
        {"p50", "#009e73", [](const load_figures& p) { return static_cast<double>(p.p50); }, false},
        {"closed form of the mean", "#222", [](const load_figures& p) { return p.expected_mean.value_or(0); }, true},
    };
    return all;
}

void draw_axes(const chart& c, double most, double lowest, double highest, bool bytes)
{
    const double rough = most * 84 / (c.right - chart::left), power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double part : {5.0, 2.0, 1.0})
        if (part * power >= rough) step = part * power;
    for (int i = 0; i * step <= most; ++i) {
        c.line(c.x(i * step), chart::top, c.x(i * step), chart::bottom, grid);
        c.text(c.x(i * step), chart::bottom + 18, "middle", short_number(i * step));
    }
    for (double decade = std::pow(10, std::floor(std::log10(lowest))); decade <= highest; decade *= 10) {
        for (const double part : {1.0, 2.0, 5.0}) {
            if (part * decade < lowest || part * decade > highest) continue;
            c.line(chart::left, c.y(part * decade), c.right, c.y(part * decade), grid);
            c.text(chart::left - 6, c.y(part * decade) + 4, "end", short_number(part * decade));
        }
    }
    c.text((chart::left + c.right) / 2, chart::height - 12, "middle",
           bytes ? "accepted (bytes per cycle)" : "accepted (operations per cycle)");
    c.text(16, (chart::top + chart::bottom) / 2, "middle", "latency (cycles, logarithmic)",
           " transform=\"rotate(-90 16 202)\"");
}

void draw_row(std::ostream& out, const chart& c, const load_curve& curve, const row& of, double highest)
{
    const bool bytes = moves_bytes(curve);
    out << "<polyline fill=\"none\" stroke=\"" << of.colour << "\" stroke-width=\"2\""
        << (of.dashed ? " stroke-dasharray=\"2 4\"" : "") << " points=\"";
    for (const auto& point : curve.points)
        if (of.value(point) > 0 && !point.saturated)
            out << c.x(place_of(point, bytes)) << ',' << c.y(std::min(of.value(point), highest)) << ' ';
    out << "\"/>\n";
    if (of.dashed) return;
    for (const auto& point : curve.points) {
        out << "<circle cx=\"" << c.x(place_of(point, bytes)) << "\" cy=\""
            << c.y(std::clamp(of.value(point), 1.0, highest)) << "\" r=\"3\" fill=\""
            << (point.saturated ? "#fff" : of.colour) << "\" stroke=\"" << of.colour << "\"><title>" << of.name << " "
            << short_number(of.value(point)) << " cycles at "
            << short_number(100 * point.accepted / curve.saturation.accepted) << " % of saturation"
            << (point.saturated ? ", and growing" : "") << "</title></circle>\n";
    }
}

} // namespace

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

void write_curve_svg(std::ostream& out, const load_curve& curve, double width)
{
    const bool bytes = moves_bytes(curve);
    double most = place_of(curve.saturation, bytes), highest = 2 * curve.unloaded, lowest = curve.unloaded;
    for (const auto& point : curve.points) {
        most = std::max(most, place_of(point, bytes));
        if (!point.saturated) highest = std::max(highest, static_cast<double>(point.p99));
        lowest = std::min(lowest, static_cast<double>(point.p50));
    }
    highest *= 1.5;
    lowest = std::max(1.0, lowest * 0.8);
    const chart c(out, width, most * 1.06, lowest, highest);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << chart::height
        << "\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#444\" role=\"img\" "
           "aria-label=\"latency over accepted bandwidth\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    draw_axes(c, most * 1.06, lowest, highest, bytes);
    const double end = c.x(place_of(curve.saturation, bytes));
    c.line(end, chart::top, end, chart::bottom, limit);
    c.text(end - 4, chart::top + 12, "end", "saturation");
    c.line(chart::left, c.y(2 * curve.unloaded), c.right, c.y(2 * curve.unloaded), limit);
    c.text(chart::left + 4, c.y(2 * curve.unloaded) - 5, "start", "twice the latency alone");
    double key = chart::left;
    for (const auto& of : rows()) {
        draw_row(out, c, curve, of, highest);
        c.line(key, 18, key + 22, 18,
               ("stroke-width=\"2\" stroke=\"" + std::string(of.colour) + "\"" +
                (of.dashed ? " stroke-dasharray=\"2 4\"" : ""))
                   .c_str());
        c.text(key + 27, 22, "start", of.name);
        key += 66;
    }
    out << "</svg>\n";
}

void write_curve_page(std::ostream& out, const load_curve& curve,
                      const std::vector<std::pair<std::string, std::string>>& facts)
{
    out << page_head("isbesim traffic: latency over accepted bandwidth",
                     "td { white-space: nowrap } td.text { white-space: normal; overflow-wrap: anywhere }\n"
                     ".narrow { display: none } @media (max-width: 760px) { .broad { display: none } .narrow { "
                     "display: block } }\n");
    out << "<p>";
    for (const auto& sentence : curve_sentences(curve)) out << sentence << ' ';
    out << "</p>\n<div class=\"broad\">\n";
    write_curve_svg(out, curve, wide_picture);
    out << "</div>\n<div class=\"narrow\">\n";
    write_curve_svg(out, curve, 470);
    out << "</div>\n<p>Open loop; latency from arrival to response, waiting in front of the port included. Hollow "
           "points: less was accepted than offered, their latency grows as long as it goes on. Dotted: the closed form "
           "for random arrivals at one server (Pollaczek and Khinchine) at the accepted rate, where it applies. Load: "
           "what was "
           "asked for, of saturation; offered and accepted: operations per cycle; latencies in cycles.</p>\n"
           "<div class=\"wide\"><table><tr><th>load</th><th>offered</th><th>accepted</th><th>bytes per cycle</th>"
           "<th>mean</th><th>p50</th><th>p99</th><th>max</th><th>closed form</th></tr>\n";
    for (const auto& point : curve.points) {
        out << "<tr><td>" << short_number(100 * point.load) << " %</td><td>" << short_number(point.offered)
            << "</td><td>" << short_number(point.accepted) << "</td><td>" << short_number(point.bytes_per_cycle)
            << "</td><td>" << short_number(point.mean) << "</td><td>" << point.p50 << "</td><td>" << point.p99
            << "</td><td>" << point.max << "</td><td>"
            << (point.expected_mean ? short_number(*point.expected_mean) : std::string()) << "</td></tr>\n";
    }
    out << "</table></div>\n<h2>Simulation</h2>\n<table>\n";
    for (const auto& [name, value] : facts)
        out << "<tr><td>" << html_text(name) << "</td><td class=\"text\">" << html_text(value) << "</td></tr>\n";
    out << "</table>\n</body></html>\n";
}

} // namespace isbesim::testbench
