// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/run_database.h"

#include <algorithm>
#include <filesystem>

#include <boost/json/serialize.hpp>

#include "models/isbe/functional/names.h"
#include "testbench/report/report_tables.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr unsigned rows_per_commit = 20'000;
/// Rows of `transactions` in a statement; running a statement costs a fifth of a row.
constexpr unsigned rows_at_once = 20;

/// True for a database made by --database, and for an empty one.
bool is_ours_or_empty(const std::string& path)
{
    try {
        sqlite_file file(path);
        return file.integer("PRAGMA application_id") == run_database::application_id ||
               file.integer("SELECT count(*) FROM sqlite_master") == 0;
    } catch (const database_error&) {
        return false;
    }
}

void remove_database(const std::string& path)
{
    std::error_code ignored;
    for (const char* ending : database_endings) std::filesystem::remove(path + ending, ignored);
}

/// Removes the file of an earlier run. Throws database_error for any other file.
const std::string& made_room(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(path, error)) return path;
    if (!fs::is_regular_file(path, error))
        throw database_error("'" + path + "' is no file, expected one that can be replaced");
    if (fs::file_size(path, error) != 0 && !is_ours_or_empty(path))
        throw database_error("'" + path + "' was not written by --database, expected a new file or an earlier one");
    remove_database(path);
    return path;
}

/// {"isbe": {"lines": 1024}} -> "isbe.lines" 1024
void write_config(sqlite_insert& insert, const json::object& config, const std::string& prefix)
{
    for (const auto& entry : config) {
        const auto key = prefix + std::string(entry.key().data(), entry.key().size());
        const auto& value = entry.value();
        if (value.is_object()) {
            write_config(insert, value.get_object(), key + ".");
            continue;
        }
        const auto text = value.is_string() ? std::string(value.get_string()) : json::serialize(value);
        insert.put(key.c_str());
        if (value.is_number())
            value.is_double() ? insert.put(value.get_double()) : insert.put(value.to_number<std::uint64_t>());
        else
            insert.put(text.c_str());
        insert.row();
    }
}

/// The journal mode comes first, so that the schema is also written ahead.
void prepare(sqlite_file& file, const json::object& config)
{
    file.execute("PRAGMA page_size = 16384");
    // The application id is in the first page, which is written at once: the file can be recognised whenever this ends.
    file.execute("PRAGMA journal_mode = OFF");
    file.execute(("PRAGMA application_id = " + std::to_string(run_database::application_id)).c_str());
    file.execute("PRAGMA journal_mode = WAL");
    // No wait for the disk: the file survives any end of this program, but not a crash of the machine.
    file.execute("PRAGMA synchronous = OFF");
    file.execute("PRAGMA wal_autocheckpoint = 4000");
    file.execute(("PRAGMA user_version = " + std::to_string(run_database::schema_version)).c_str());
    file.execute("BEGIN");
    file.execute(database_schema().c_str());
    sqlite_insert insert(file, "config");
    write_config(insert, config, "");
    file.execute("COMMIT");
    file.execute("BEGIN");
}

sqlite_file& prepared(sqlite_file& file, const json::object& config)
{
    try {
        prepare(file, config);
    } catch (const database_error&) { // no room
        remove_database(file.path());
        throw;
    }
    return file;
}

/// NULL for an unknown value.
sqlite_insert& put_known(sqlite_insert& insert, std::uint64_t value)
{
    return value == no_value ? insert.put_null() : insert.put(value);
}

} // namespace

run_database::run_database(const std::string& path, const json::object& config, bool trace)
    : file_(made_room(path)),
      facts_(prepared(file_, config), "run"),
      coefficients_(file_, "coefficients"),
      transactions_(file_, "transactions", trace, rows_at_once),
      warps_(file_, "warps"),
      spaces_(file_, "spaces"),
      stalls_(file_, "stalls"),
      waits_(file_, "waits"),
      traps_(file_, "traps"),
      batches_(file_, "batches"),
      outputs_(file_, "outputs"),
      warnings_(file_, "warnings"),
      shared_ports_(file_, "shared_ports"),
      stacks_(file_, "cycle_stacks"),
      critical_path_(file_, "critical_path"),
      histograms_(file_, "histograms"),
      source_lines_(file_, "source_lines")
{
}

void run_database::count_row()
{
    if (++uncommitted_ < rows_per_commit) return;
    uncommitted_ = 0;
    transactions_.flush();
    file_.execute("COMMIT");
    file_.execute("BEGIN");
}

void run_database::fact(const char* key, const std::string& value)
{
    facts_.put(key).put(value.c_str()).row();
}

void run_database::fact(const char* key, std::uint64_t value)
{
    facts_.put(key).put(value).row();
}

void run_database::fact(const char* key, double value)
{
    facts_.put(key).put(value).row();
}

void run_database::coefficient(const char* name, double value, const char* source)
{
    coefficients_.put(name).put(value).put(source).row();
}

void run_database::stall(const stall_event& event)
{
    stall_sums* sums = nullptr;
    for (auto& known : stall_sums_)
        if (known.sm == event.sm && known.scheduler == event.scheduler) sums = &known;
    if (sums == nullptr) {
        stall_sums_.push_back({event.sm, event.scheduler, 0, {}});
        sums = &stall_sums_.back();
    }
    const auto end = event.first + event.cycles;
    for (auto first = event.first; first < end;) {
        const auto window = first / stall_window * stall_window;
        if (window != sums->window) {
            write(*sums);
            sums->window = window;
        }
        const auto next = std::min(end, window + stall_window);
        sums->cycles[event.reason] += next - first;
        first = next;
    }
}

void run_database::write(stall_sums& sums)
{
    for (const auto& row : stall_rows) {
        const auto cycles = sums.cycles[row.reason];
        if (cycles == 0) continue;
        add(stalls_, {sums.sm, sums.scheduler, row.reason, sums.window, cycles});
    }
    sums.cycles = {};
}

void run_database::warning(const run_warning& warning)
{
    put_known(warnings_, warning.sm ? *warning.sm : no_value).put(warning.kind.c_str());
    if (warning.stage.empty())
        warnings_.put_null();
    else
        warnings_.put(warning.stage.c_str());
    put_known(warnings_, warning.pc ? *warning.pc : no_value).put(warning.text.c_str()).put(warning.count);
    put_known(warnings_, warning.first_cycle.value_or(no_value)).row();
}

void run_database::shared_port(unsigned sm, const char* client, std::uint64_t cycles)
{
    shared_ports_.put(sm).put(client).put(cycles).row();
}

void run_database::source(stage program_stage, std::uint32_t pc, const std::string& line)
{
    source_lines_.put(name_of(program_stage)).put(pc).put(line.c_str()).row();
}

void run_database::stack(const cycle_stack& stack)
{
    for (std::size_t i = 0; i < stack.parts.size(); ++i)
        stacks_.put(stack.resource.c_str())
            .put(stack.parts[i].name)
            .put(std::uint64_t{i < stack.busy_parts ? 1U : 0U})
            .put(stack.parts[i].cycles)
            .row();
}

void run_database::histograms(const json::object& all)
{
    for_each_histogram(all, [this](const std::string& name, const json::array& bins) {
        for (const auto& bin : bins) {
            histograms_.put(name.c_str());
            for (const auto& number : bin.get_array()) histograms_.put(number.to_number<std::uint64_t>());
            histograms_.row();
        }
    });
}

void run_database::path(const path_part& part)
{
    static constexpr std::array<const char*, path_part_count> names = {"program", "input", "output"};
    critical_path_.put(name_of(part.reason))
        .put(name_of(part.place.stage))
        .put(names[static_cast<std::size_t>(part.place.of)])
        .put(part.cycles)
        .put(part.count)
        .row();
}

void run_database::finish()
{
    for (auto& sums : stall_sums_) write(sums);
    transactions_.flush();
    file_.execute("COMMIT");
    // Leaves a single file: the statements are reset, so the log can be merged into it.
    file_.execute("PRAGMA journal_mode = DELETE");
}

} // namespace isbesim::testbench
