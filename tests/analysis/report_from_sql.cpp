// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <boost/json.hpp>

#include "models/isbe/functional/names.h"
#include "models/pe/stages/draw_counters.h"
#include "tests/analysis/sql.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

const std::vector<const char*> opcodes(opcode_names.begin(), opcode_names.end() - 1); // BIND is not an instruction

/// The figures of one SM, or of all SMs.
class sm_figures {
public:
    sm_figures(const sql_file& file, const std::string& sm)
        : file_(file), where_(sm.empty() ? " WHERE 1" : " WHERE sm = " + sm), all_(sm.empty())
    {
        cycles_ = file.integer("SELECT value FROM run WHERE key = 'cycles'");
        if (all_) sms_ = file.integer("SELECT value FROM config WHERE key = 'sm_count'");
    }

    json::object instructions() const
    {
        json::object result;
        for (const auto* opcode : opcodes) result[opcode] = sum(opcode, "warps");
        result["other"] = sum("other", "warps");
        return result;
    }

    json::object invocations() const
    {
        json::object result; // 0 for a stage that this SM did not run
        for (const auto& row : file_.rows("SELECT DISTINCT stage FROM warps"))
            result[row[0]] = sum("threads", "warps", " AND stage = '" + row[0] + "'");
        return result;
    }

    json::object latency() const
    {
        json::object result;
        for (const auto* opcode : opcodes) {
            const auto rows = " FROM latencies" + where_ + " AND opcode = '" + opcode + "'";
            const auto count = file_.integer("SELECT COUNT(*)" + rows);
            const auto percentile = [&](std::uint64_t percent) {
                const auto rank = (percent * count + 99) / 100;
                return file_.integer("SELECT cycles" + rows + " ORDER BY cycles LIMIT 1 OFFSET " +
                                     std::to_string(rank - 1));
            };
            result[opcode] = {{"count", count}};
            if (count == 0) continue; // no instruction, no cycles
            result[opcode] = {{"count", count},
                              {"min", file_.integer("SELECT MIN(cycles)" + rows)},
                              {"mean", file_.real("SELECT SUM(cycles) * 1.0 / COUNT(*)" + rows)},
                              {"p50", percentile(50)},
                              {"p90", percentile(90)},
                              {"p99", percentile(99)},
                              {"max", file_.integer("SELECT MAX(cycles)" + rows)}};
        }
        return result;
    }

    json::object bandwidth() const
    {
        const bool line = file_.text("SELECT value FROM config WHERE key = 'isbe.access'") == "line";
        const auto banks = line ? 32 : file_.integer("SELECT value FROM config WHERE key = 'isbe.banks'");
        const double peak = 4.0 * static_cast<double>(banks * (all_ ? sms_ : 1));
        const auto direction = [&](const char* column) {
            const auto bytes = sum(column, "transactions");
            const double rate = cycles_ == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(cycles_);
            return json::object{{"bytes", bytes}, {"bytes_per_cycle", rate}, {"peak_fraction", rate / peak}};
        };
        return {{"read", direction("bytes_read")},
                {"write", direction("bytes_written")},
                {"total", direction("bytes_read + bytes_written")}};
    }

    json::object bank_conflicts() const
    {
        const auto passes = sum("bank_passes", "transactions");
        const auto ideal = sum("ideal_passes", "transactions");
        return {{"accesses", sum("bank_passes > 0", "transactions")},
                {"passes", passes},
                {"ideal_passes", ideal},
                {"efficiency", passes == 0 ? 1.0 : static_cast<double>(ideal) / static_cast<double>(passes)}};
    }

    json::object discarded() const
    {
        json::object result;
        for (const auto* reason : {"bmap", "out_of_range", "patch_conflict", "gs_overflow", "bad_register"})
            result[reason] = sum("discarded_" + std::string(reason), "transactions");
        return result;
    }

    json::object stalls() const
    {
        json::object result = {{"isbe_full", sum("isbe_full", "waits")},
                               {"warp_slot", sum("warp_slot", "waits")},
                               {"lines_and_slot", sum("lines_and_slot", "waits")},
                               {"queue_full", sum("accepted - begun", "transactions")},
                               {"port_contention", sum("contention", "transactions") + sum("waited", "shared_ports")},
                               {"bank_conflict", sum("bank_passes - ideal_passes", "transactions")},
                               {"response", sum("transferred - responded", "transactions")}};
        for (const auto* reason : {"attribute_queue", "pipe", "scoreboard", "stall_count", "drain"})
            result[reason] = sum("cycles", "stalls", " AND reason = '" + std::string(reason) + "'");
        return result;
    }

    json::object occupancy() const
    {
        return {{"isbe_lines_peak", peak("spaces", "lines", "allocate_order", "release_order")},
                {"isbe_lines_mean", mean("spaces", "lines", "allocated", "released")},
                {"warps_mean", mean("warps", "1", "launched", "completed")},
                {"warps_peak", peak("warps", "1", "launch_order", "complete_order")}};
    }

    /// The formulas of testbench/report/README.md, "Energy and area proxies".
    json::object proxies() const
    {
        const auto c = [&](const std::string& name) {
            return file_.real("SELECT value FROM coefficients WHERE name = '" + name + "'");
        };
        const auto key = [&](const std::string& name) {
            return file_.text("SELECT value FROM config WHERE key = '" + name + "'");
        };
        const auto count = [&](const char* column) { return static_cast<double>(sum(column, "transactions")); };
        const bool line = key("isbe.access") == "line";
        const double columns = line ? 32 : std::stod(key("isbe.banks"));
        const double lines = std::stod(key("isbe.lines"));
        const double ports = std::stod(key("isbe.ports"));
        const double scale = std::pow(lines * 128 / columns / c("energy.bank_bytes"), c("energy.bank_size_exponent"));
        const double energy = scale * count("bank_reads") * c("energy.bank_read_pj") +
                              scale * count("bank_writes") * c("energy.bank_write_pj") +
                              count("crossbar_words") * c("energy.crossbar_word_pj") +
                              count("map_lookups") * c("energy.map_lookup_pj");
        const auto sms = static_cast<double>(sms_);
        const double storage = sms * lines * 32 * c("area.bits_per_word");
        const double contexts = sms * std::stod(key("isbe.contexts")) * c("area.bits_per_context");
        const double queues = sms * ports *
                              (std::stod(key("isbe.request_queue_depth")) * c("area.bits_per_request") +
                               std::stod(key("isbe.response_queue_depth")) * c("area.bits_per_response"));
        const bool mapped = !line && key("isbe.bank_map") != "modulo";
        double map = 0; // an adder or an xor per lane, as wide as a bank's number
        for (double banks = columns; mapped && banks > 1; banks /= 2) map += c("area.cell_bits_bank_map");
        const double logic =
            sms * (map + ports * c("area.cell_bits_per_port") + columns * c("area.cell_bits_per_bank") +
                   c("area.cell_bits_shared") + c("area.cell_bits_passes." + (line ? "line" : key("isbe.banks"))));
        const double um2 =
            (storage + contexts + queues) * c("area.um2_per_memory_bit") + logic * c("area.um2_per_cell_bit");
        return {{"bank_reads", sum("bank_reads", "transactions")},
                {"bank_writes", sum("bank_writes", "transactions")},
                {"crossbar_words", sum("crossbar_words", "transactions")},
                {"map_lookups", sum("map_lookups", "transactions")},
                {"energy_pj", energy},
                {"area",
                 {{"storage_bits", storage},
                  {"context_bits", contexts},
                  {"queue_bits", queues},
                  {"logic_cell_bits", logic},
                  {"mm2", sms * std::round(um2 / sms) / 1e6}}}};
    }

    json::array ports() const
    {
        json::array result;
        const auto count = file_.integer("SELECT value FROM config WHERE key = 'isbe.ports'");
        for (std::uint64_t p = 0; p < count; ++p) {
            const auto own = " AND granted IS NOT NULL AND port = " + std::to_string(p);
            const auto others = " AND port <> " + std::to_string(p);
            const auto anyway = " AND port = " + std::to_string(p);
            result.push_back(
                json::object{{"operations", sum("1", "transactions", own)},
                             {"busy_cycles", sum("passes", "transactions", own)},
                             {"bank_conflict_cycles", sum("bank_passes - ideal_passes", "transactions", own)},
                             {"contention_cycles", sum("contention", "transactions", others)},
                             {"shared_port_cycles", p == 0 ? sum("waited", "shared_ports") : 0},
                             {"queue_full_cycles", sum("accepted - begun", "transactions", anyway)},
                             {"response_stall_cycles", sum("transferred - responded", "transactions", anyway)}});
        }
        return result;
    }

private:
    std::uint64_t sum(const std::string& what, const std::string& table, const std::string& condition = "") const
    {
        return file_.integer("SELECT SUM(" + what + ") FROM " + table + where_ + condition);
    }
    /// The largest level: begins add and ends subtract, in the order of their cycles.
    std::uint64_t peak(const std::string& table, const std::string& amount, const std::string& begin,
                       const std::string& end) const
    {
        return file_.integer(
            "SELECT MAX(level) FROM (SELECT SUM(change) OVER (ORDER BY position) AS level FROM (SELECT sm, " + amount +
            " AS change, " + begin + " AS position FROM " + table + where_ + " UNION ALL SELECT sm, -" + amount + ", " +
            end + " FROM " + table + where_ + " AND " + end + " IS NOT NULL))");
    }
    double mean(const std::string& table, const std::string& amount, const std::string& begin,
                const std::string& end) const
    {
        const auto cycles = std::to_string(cycles_);
        const auto integral = file_.integer("SELECT SUM(" + amount + " * (MIN(COALESCE(" + end + ", " + cycles + "), " +
                                            cycles + ") - " + begin + ")) FROM " + table + where_);
        return cycles_ == 0 ? 0 : static_cast<double>(integral) / static_cast<double>(cycles_);
    }

    const sql_file& file_;
    std::string where_;
    bool all_;
    std::uint64_t cycles_ = 0;
    std::uint64_t sms_ = 1;
};

json::object per_sm(const sql_file& file, const std::string& sm)
{
    const sm_figures f(file, sm);
    json::object result = {{"invocations", f.invocations()},
                           {"instructions", f.instructions()},
                           {"latency", f.latency()},
                           {"bandwidth", f.bandwidth()},
                           {"bank_conflicts", f.bank_conflicts()},
                           {"discarded", f.discarded()},
                           {"stalls", f.stalls()},
                           {"occupancy", f.occupancy()}};
    if (sm.empty()) {
        result["proxies"] = f.proxies();
        return result;
    }
    result["sm"] = std::stoull(sm);
    result["ports"] = f.ports();
    return result;
}

json::object output(const sql_file& file)
{
    json::object result = {
        {"primitives_in", file.integer("SELECT SUM(primitives) FROM batches")},
        {"vertices_captured", file.integer("SELECT SUM(vertices) FROM outputs WHERE captured")},
        {"geometry_threads_lost", file.integer("SELECT SUM(lost_threads) FROM warps WHERE stage = 'geometry'")},
        {"fetched_bytes", file.integer("SELECT SUM(bytes) FROM batches")}};
    for (const auto& row : draw_loss_rows) {
        const auto lost = file.integer("SELECT SUM(count) FROM warnings WHERE kind = '" + std::string(row.name) + "'");
        if (lost != 0) result[row.name] = lost;
    }
    for (unsigned stream = 0; stream < 4; ++stream) {
        const auto number = std::to_string(stream);
        const auto rows = " FROM outputs WHERE stream = " + number;
        const auto vertices = file.integer("SELECT SUM(vertices)" + rows);
        if (stream > 0 && vertices == 0) continue;
        result["primitives_out_stream_" + number] = file.integer("SELECT SUM(primitives)" + rows);
        result["vertices_out_stream_" + number] = vertices;
    }
    return result;
}

json::array traps(const sql_file& file)
{
    json::array result;
    for (const auto& row : file.rows("SELECT code, stage, sm, slot, printf('0x%08x', lanes), pc, cycle FROM traps "
                                     "ORDER BY sm, id"))
        result.push_back(json::object{{"code", std::stoull(row[0])},
                                      {"stage", row[1]},
                                      {"sm", std::stoull(row[2])},
                                      {"warp", std::stoull(row[3])},
                                      {"lane_mask", row[4]},
                                      {"pc", std::stoull(row[5])},
                                      {"cycle", std::stoull(row[6])}});
    return result;
}

/// Latencies from single operations; other histograms from their table.
json::object histograms(const sql_file& file)
{
    json::object result;
    auto& latency = result["latency"].emplace_object();
    const auto put = [](json::object& to, const std::string& name, std::uint64_t first, std::uint64_t last,
                        std::uint64_t count) {
        if (!to.contains(name)) to[name].emplace_array();
        auto& bins = to[name].get_array();
        if (!bins.empty() && bins.back().at(0) == first) {
            count += bins.back().at(2).to_number<std::uint64_t>();
            bins.pop_back();
        }
        bins.push_back({first, last, count});
    };
    for (const auto& row : file.rows("SELECT opcode, cycles, COUNT(*) FROM latencies GROUP BY 1, 2 ORDER BY 1, 2")) {
        const auto cycles = std::stoull(row[1]);
        std::uint64_t width = 1;
        while (cycles >= 16 * width) width *= 2; // from 16 on, eight bins per power of two
        put(latency, row[0], cycles / width * width, cycles / width * width + width - 1, std::stoull(row[2]));
    }
    for (const auto& row : file.rows("SELECT name, first, last, count FROM histograms ORDER BY rowid")) {
        const auto dot = row[0].find('.');
        if (row[0].compare(0, dot, "latency") == 0) continue;
        auto* to = &result; // a name without a dot is after npos + 1 = 0
        if (dot != std::string::npos) {
            auto& inner = result[row[0].substr(0, dot)];
            to = inner.is_object() ? &inner.get_object() : &inner.emplace_object();
        }
        put(*to, row[0].substr(dot + 1), std::stoull(row[1]), std::stoull(row[2]), std::stoull(row[3]));
    }
    return result;
}

} // namespace

json::object report_from_sql(const sql_file& file)
{
    auto result = per_sm(file, "");
    json::array instances;
    const auto sms = file.integer("SELECT value FROM config WHERE key = 'sm_count'");
    for (std::uint64_t sm = 0; sm < sms; ++sm) instances.push_back(per_sm(file, std::to_string(sm)));
    result["per_instance"] = std::move(instances);
    const auto fact = [&](const char* key) {
        return file.text("SELECT value FROM run WHERE key = '" + std::string(key) + "'");
    };
    result["scenario"] = fact("scenario");
    result["draw"] = json::parse(fact("draw"));
    result["backend"] = fact("backend");
    result["result"] = {{"status", fact("status")}, {"text", fact("text")}};
    result["cycles"] = std::stoull(fact("cycles"));
    result["time_ns"] = file.real("SELECT (SELECT value FROM run WHERE key = 'cycles') / "
                                  "(SELECT value * 1.0 FROM config WHERE key = 'clock_ghz')");
    if (const auto text = fact("bottleneck"); !text.empty()) {
        result["bottleneck"] = text;
        result["rests_on"] = fact("rests_on");
        auto& stacks = result["stacks"].emplace_object();
        for (const auto& row : file.rows("SELECT resource, SUM(cycles), SUM(work * cycles) FROM cycle_stacks "
                                         "GROUP BY resource"))
            stacks[row[0]] = {
                {"cycles", std::stoull(row[1])}, {"busy", std::stoull(row[2])}, {"parts", json::object()}};
        for (const auto& row : file.rows("SELECT resource, part, cycles FROM cycle_stacks"))
            stacks.at(row[0]).at("parts").as_object()[row[1]] = std::stoull(row[2]);
    }
    std::uint64_t path_cycles = 0;
    json::object parts, counts;
    for (const auto& row :
         file.rows("SELECT reason || '.' || stage || CASE part WHEN 'program' THEN '' ELSE '_' || part "
                   "END, cycles, count FROM critical_path")) {
        path_cycles += std::stoull(row[1]);
        if (row[1] != "0") parts[row[0]] = std::stoull(row[1]);
        counts[row[0]] = std::stoull(row[2]);
    }
    if (path_cycles != 0)
        result["critical_path"] = {{"cycles", path_cycles}, {"parts", std::move(parts)}, {"counts", std::move(counts)}};
    result["histograms"] = histograms(file);
    result["output"] = output(file);
    result["traps"] = traps(file);
    result["trap_count"] = file.integer("SELECT COUNT(*) FROM traps");
    json::array warnings;
    const auto number = [](const std::string& text) {
        return text.empty() ? json::value(nullptr) : json::value(std::stoull(text));
    };
    for (const auto& row : file.rows("SELECT kind, text, stage, pc, SUM(count), MIN(first_cycle) FROM warnings "
                                     "GROUP BY kind, text, stage, pc ORDER BY MIN(rowid)"))
        warnings.push_back(json::object{{"kind", row[0]},
                                        {"text", row[1]},
                                        {"stage", row[2].empty() ? json::value(nullptr) : json::value(row[2])},
                                        {"pc", number(row[3])},
                                        {"count", std::stoull(row[4])},
                                        {"first_cycle", number(row[5])}});
    result["warnings"] = std::move(warnings);
    if (const auto crosscheck = fact("crosscheck"); !crosscheck.empty()) result["crosscheck"] = json::parse(crosscheck);
    return result;
}

} // namespace isbesim::testbench
