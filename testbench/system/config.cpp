// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/config.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iterator>
#include <ostream>
#include <set>
#include <sstream>

#include <boost/json/serialize.hpp>

#include "testbench/files/architecture_name.h"
#include "testbench/files/files.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/json_document.h"
#include "testbench/files/nearest.h"
#include "testbench/files/object_form.h"
#include "testbench/system/known_chips.h"
#include "testbench/system/presets.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

using member::choice;
using member::flag;
using member::integer;
using member::real;

/// The keys of the ISBE are the RTL's parameters: rtl_ref/configurations.json.
const std::vector<config_key>& isbe_keys()
{
#define ISBESIM_RTL_PARAMETER(name, key, place, kind, unit, low, high, step, text, ...)                                \
    member::described<&machine_config::isbe, &isbe_config::place>(                                                     \
        {key, key_kind::kind, unit, low, high, step, {__VA_ARGS__}, text}),
    static const std::vector<config_key> keys = {
#include "testbench/rtl/rtl_parameters.inc"
    };
#undef ISBESIM_RTL_PARAMETER
    return keys;
}

config_key isbe_key(std::string_view name)
{
    const auto& keys = isbe_keys();
    return *std::find_if(keys.begin(), keys.end(), [&](const config_key& key) { return name == key.name; });
}

template <sm_pipe Pipe>
config_key lanes_key(const char* name, const char* description)
{
    config_key key = integer<&machine_config::sm_count>(name, "lanes", 0, 1024, description);
    key.get = [](const machine_config& config) {
        return static_cast<double>(config.sm.lanes[static_cast<std::size_t>(Pipe)]);
    };
    key.set = [](machine_config& config, double value) {
        config.sm.lanes[static_cast<std::size_t>(Pipe)] = static_cast<unsigned>(value);
    };
    return key;
}

constexpr const char* reserve_text =
    "unified: lines that no other stage takes from this one; 0: in proportion to its warps.";
constexpr const char* in_flight_text = "Outputs of the stage that have lines in an ISBE at a time; 0: as many as fit.";

template <auto Family, auto Stage>
config_key stage_key(const char* name, const char* unit, double most, const char* description)
{
    return integer<&machine_config::pe, Family, Stage>(name, unit, 0, most, description);
}

std::vector<config_key> make_keys()
{
    using m = machine_config;
    using c = chip_config;
    using n = stage_numbers;
    using s = sm_config;
    using p = pe_config;
    constexpr auto sm = &m::sm;
    constexpr auto pe = &m::pe;
    std::vector<config_key> keys = {
        real<&m::clock_ghz>("clock_ghz", "GHz", 0.01, 10, "Frequency of the one clock of PE, SM and ISBE."),
        integer<&m::sm_count>("sm_count", "SMs", 1, 64,
                              "SMs, each with an ISBE of its own; the PE feeds them in turn."),
        integer<&m::chip, &c::gpcs>("chip.gpcs", "GPCs", 1, 16, "Groups of TPCs; the front end has a path to each."),
        integer<&m::chip, &c::tpcs>("chip.tpcs", "TPCs", 1, 16, "TPCs of a GPC, each a PE with its SMs (sm_count)."),
        integer<&m::chip, &c::deal_batches>(
            "chip.deal_batches", "batches", 1, 1024,
            "Vertex batches in a row that a TPC gets before it is the next one's turn."),
        choice<&m::chip, &c::deal_order>(
            "chip.deal_order", {"gpcs_first", "tpcs_first"},
            "Whose turn is next: the same TPC of the next GPC, or the next TPC of the GPC."),
        integer<&m::chip, &c::primitives_per_cycle>(
            "chip.primitives_per_cycle", "primitives/cycle", 0, 1024,
            "Primitives that the front end assembles and deals, all GPCs; 0: no limit."),
        real<&m::chip, &c::draw_cycles>("chip.draw_cycles", "cycles", 0, 1000000,
                                        "What the front end takes for a draw, whatever its size."),
        real<&m::chip, &c::record_bytes_per_cycle>(
            "chip.record_bytes_per_cycle", "bytes/cycle", 0, 4096,
            "Rate at which the front end reads the records of indirect draws, gaps included; 0: no limit."),
        real<&m::chip, &c::instance_cycles>("chip.instance_cycles", "cycles", 0, 1000000,
                                            "What the front end takes for each instance after a draw's first."),
        real<&m::chip, &c::index_cycles>("chip.index_cycles", "cycles", 0, 1000,
                                         "What the front end takes for an index, or a vertex without indices."),
        real<&m::chip, &c::restart_cycles>("chip.restart_cycles", "cycles", 0, 1000,
                                           "What the front end takes for a restart index, beyond chip.index_cycles."),
        real<&m::chip, &c::gpc_batch_cycles>("chip.gpc_batch_cycles", "cycles", 0, 1000000,
                                             "What a batch takes on the path from the front end to its GPC."),
        real<&m::chip, &c::gpc_primitives_per_cycle>(
            "chip.gpc_primitives_per_cycle", "primitives/cycle", 0, 1024,
            "Primitives of the last stage that one GPC passes on, culled or not; 0: no limit."),
        real<&m::chip, &c::gpc_setups_per_cycle>(
            "chip.gpc_setups_per_cycle", "primitives/cycle", 0, 1024,
            "Primitives that one GPC sets up: with pe.consumer rasteriser those that are not culled; 0: no limit."),
        integer<&m::chip, &c::copy_bytes_per_cycle>(
            "chip.copy_bytes_per_cycle", "bytes/cycle", 0, 65536,
            "What the copy engine, or a dispatch, writes in 'gl' and 'vk' sessions; 0: they take no time."),
        integer<sm, &s::schedulers>(
            "schedulers_per_sm", "schedulers", 1, 8,
            "Warp schedulers of an SM, one issue slot each. They share the lanes (sm.*_lanes), so more may be slower "
            "(HARDWARE.md F.6)."),
        integer<sm, &s::warps>("warps_per_sm", "warps", 1, 64, "Warp slots of an SM."),
        choice<sm, &s::scheduler_policy>("scheduler_policy", {"loose_round_robin", "greedy_then_oldest"},
                                         "Which ready warp a scheduler issues from."),
        integer<sm, &s::alu_latency>(
            "sm.alu_latency", "cycles", 1, 100,
            "Fixed-latency arithmetic of SM50: issue to result. Later architectures have a table (HARDWARE.md F.4)."),
        integer<sm, &s::variable_latency>("sm.variable_latency", "cycles", 1, 1000,
                                          "Arithmetic that a scoreboard tracks (MUFU, conversions, double, S2R)."),
        integer<sm, &s::memory_latency>("sm.memory_latency", "cycles", 1, 1000, "LDL, STL and LDC: issue to result."),
        integer<sm, &s::global_latency>("sm.global_latency", "cycles", 1, 100000,
                                        "Global and generic memory, atomics: issue to result (assumed)."),
        integer<sm, &s::texture_latency>("sm.texture_latency", "cycles", 1, 100000,
                                         "Textures and surfaces, hits and misses alike: issue to result (assumed)."),
        lanes_key<sm_pipe::fp32>(
            "sm.fp32_lanes",
            "Float sums and products: results of an SM per cycle; 0: no limit. Lanes of any pipe that are "
            "as many as the schedulers or more are split evenly among these, which may be slower."),
        lanes_key<sm_pipe::fp16>("sm.fp16_lanes", "Arithmetic of halves, pairs of results; 0: no limit."),
        lanes_key<sm_pipe::fp64>("sm.fp64_lanes", "Arithmetic of doubles; 0: no limit."),
        lanes_key<sm_pipe::integer>("sm.integer_lanes",
                                    "Integer sums, comparisons, minima, logic, moves, selections; 0: no limit."),
        lanes_key<sm_pipe::multiply>("sm.multiply_lanes", "Integer products; 0: no limit."),
        lanes_key<sm_pipe::shift>("sm.shift_lanes", "Shifts, bit fields; 0: no limit."),
        lanes_key<sm_pipe::special>("sm.special_lanes", "Reciprocals, roots, logarithms, sines; 0: no limit."),
        lanes_key<sm_pipe::bits>("sm.bits_lanes", "Population count, leading zeros, reversal; 0: no limit."),
        lanes_key<sm_pipe::convert>("sm.convert_lanes", "Conversions of types up to 32 bits; 0: no limit."),
        lanes_key<sm_pipe::convert64>("sm.convert64_lanes", "Conversions from and to types of 64 bits; 0: no limit."),
        lanes_key<sm_pipe::load_store>("sm.load_store_lanes",
                                       "Loads, stores and atomics, but not of constants; shuffles; 0: no limit."),
        lanes_key<sm_pipe::texture>("sm.texture_lanes", "Textures and surfaces; 0: no limit."),
        choice<&m::memory, &memory_config::model>(
            "memory.model", {"ideal", "hierarchy"},
            "The way of vertex fetch and global loads to memory: none, or L1, L2 and DRAM by the keys below."),
        integer<&m::memory, &memory_config::l1_bytes>("memory.l1_bytes", "bytes", 128, 1 << 24,
                                                      "hierarchy: level 1 of an SM."),
        integer<&m::memory, &memory_config::l1_bytes_per_cycle>("memory.l1_bytes_per_cycle", "bytes/cycle", 0, 65536,
                                                                "hierarchy: what L1 passes to its SM; 0: no limit."),
        integer<&m::memory, &memory_config::l2_bytes>("memory.l2_bytes", "bytes", 128, 1 << 30,
                                                      "hierarchy: level 2 of the chip."),
        integer<&m::memory, &memory_config::l2_bytes_per_cycle>("memory.l2_bytes_per_cycle", "bytes/cycle", 0, 65536,
                                                                "hierarchy: what L2 passes to a TPC; 0: no limit."),
        integer<&m::memory, &memory_config::l2_latency>("memory.l2_latency", "cycles", 0, 100000,
                                                        "hierarchy: what a miss in L1 adds to sm.global_latency."),
        real<&m::memory, &memory_config::dram_bytes_per_cycle>("memory.dram_bytes_per_cycle", "bytes/cycle", 0, 65536,
                                                               "hierarchy: what DRAM passes to L2; 0: no limit."),
        integer<&m::memory, &memory_config::dram_latency>("memory.dram_latency", "cycles", 0, 100000,
                                                          "hierarchy: what a miss in L2 adds."),
        integer<&m::memory, &memory_config::latency>(
            "memory.latency", "cycles", 0, 100000,
            "What the memory adds to global and generic accesses, atomics (assumed; sm.global_latency has the rest)."),
        integer<sm, &s::read_release_latency>("sm.read_release_latency", "cycles", 1, 1000,
                                              "Issue to release of the read scoreboard."),
        integer<sm, &s::attribute_queue_depth>("sm.attribute_queue_depth", "operations", 1, 64,
                                               "Warp operations of an SM that wait for its ISBE port."),
        integer<sm, &s::quantum>("sm.quantum", "cycles", 1, 1000000,
                                 "Loosely timed machine (--timing lt): how far a warp runs ahead before others do."),
        integer<pe, &p::batch_vertices>("pe.batch_vertices", "vertices", 1, 32,
                                        "A batch ends when the next primitive would bring more unique vertices."),
        integer<pe, &p::batch_indices>("pe.batch_indices", "indices", 1, 1024,
                                       "A batch ends when the next primitive would bring more indices."),
        integer<pe, &p::fetch_bytes_per_cycle>("pe.fetch_bytes_per_cycle", "bytes/cycle", 1, 4096,
                                               "Rate at which the PE fetches vertex attributes."),
        real<pe, &p::geometry_threads_per_cycle>("pe.geometry_threads_per_cycle", "threads/cycle", 0, 1024,
                                                 "Geometry threads that a PE starts; 0: no limit."),
        real<pe, &p::vertices_per_cycle>(
            "pe.vertices_per_cycle", "vertices/cycle", 0, 1024,
            "Vertices of the last stage that leave a PE, each as often as it is shaded; 0: no limit."),
        integer<pe, &p::gs_output_vertices>("pe.gs_output_vertices", "vertices", 32, 32768,
                                            "Declared output vertices (threads x maximum) of a geometry warp."),
        integer<pe, &p::gs_instances>("pe.gs_instances", "threads", 1, 64, "Threads (instances) of a geometry warp."),
        integer<pe, &p::patches_per_batch>("pe.patches_per_batch", "patches", 1, 32, "Patches of a vertex batch."),
        integer<pe, &p::low_watermark>("pe.low_watermark", "warps", 0, 64,
                                       "A paused first stage goes on when at most so many warps are left on the SM."),
        integer<pe, &p::high_watermark>("pe.high_watermark", "warps", 1, 64,
                                        "The first stage pauses on an SM that has more warps than this."),
        choice<pe, &p::buffers>(
            "pe.buffers", {"alpha_beta", "unified"},
            "Lines of an ISBE: rings of the stages in two buffers, or one store with reservations."),
        integer<pe, &p::alpha_lines>(
            "pe.alpha_lines", "128-byte lines", 0, 8192,
            "alpha_beta: outputs that a stage behind reads; 0: what the draw needs of isbe.lines."),
        integer<pe, &p::beta_lines>(
            "pe.beta_lines", "128-byte lines", 0, 8192,
            "alpha_beta: outputs of TS, GS and the last stage; 0: what the draw needs of isbe.lines."),
        stage_key<&p::reserve, &n::vertex_a>("pe.vertex_a_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::reserve, &n::vertex>("pe.vertex_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::reserve, &n::tess_init>("pe.tess_init_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::reserve, &n::tess>("pe.tess_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::reserve, &n::geometry>("pe.geometry_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::reserve, &n::task>("pe.task_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::reserve, &n::mesh>("pe.mesh_reserve", "128-byte lines", 8192, reserve_text),
        stage_key<&p::in_flight, &n::vertex_a>("pe.vertex_a_in_flight", "outputs", 4096, in_flight_text),
        stage_key<&p::in_flight, &n::vertex>("pe.vertex_in_flight", "outputs", 4096, in_flight_text),
        stage_key<&p::in_flight, &n::tess_init>("pe.tess_init_in_flight", "outputs", 4096, in_flight_text),
        stage_key<&p::in_flight, &n::tess>("pe.tess_in_flight", "outputs", 4096, in_flight_text),
        stage_key<&p::in_flight, &n::geometry>("pe.geometry_in_flight", "outputs", 4096, in_flight_text),
        stage_key<&p::in_flight, &n::task>("pe.task_in_flight", "outputs", 4096, in_flight_text),
        stage_key<&p::in_flight, &n::mesh>("pe.mesh_in_flight", "outputs", 4096, in_flight_text),
        choice<pe, &p::allocation_policy>("pe.allocation_policy", {"first_fit", "best_fit"},
                                          "How the PE picks the gap in the ISBE for a batch."),
        choice<pe, &p::draws>(
            "pe.draws", {"overlap", "drain"},
            "A draw behind another: fetched when that is, where nothing forbids it, or when it ended."),
        choice<pe, &p::consumer>(
            "pe.consumer", {"captured", "written", "rasteriser"},
            "Outputs read after the last stage: the captured attributes; all it writes; or positions and clip "
            "distances, and of what these do not cull the rest."),
        isbe_key("attribute_default"),
        isbe_key("position_w_default"),
        flag<pe, &p::poison>("poison", "Overwrite freed ISBE space, so that leftovers show."),
        isbe_key("patch_winner"),
        flag<sm, &s::allow_phys_vector>(
            "allow_phys_vector", "Run ALD/AST.PHYS with a vector size as one access per attribute, not as an error."),
        flag<sm, &s::trap_vertex_range>("trap_vertex_range", "Trap OOR_ADDR for a vertex handle out of range."),
        flag<sm, &s::trap_gs_state>("trap_gs_state", "Trap GEOMETRY_SM_ERROR for a state that OUT did not produce."),
        flag<sm, &s::trap_isbe_range>("trap_isbe_range", "Trap OOR_ADDR for ISBERD / ISBEWR out of bounds."),
    };
    const auto next = std::find_if(
        keys.begin(), keys.end(), [](const config_key& key) { return key.name == std::string_view("sm.alu_latency"); });
    std::vector<config_key> storage;
    std::copy_if(isbe_keys().begin(), isbe_keys().end(), std::back_inserter(storage),
                 [](const config_key& key) { return std::string_view(key.name).substr(0, 5) == "isbe."; });
    keys.insert(next, storage.begin(), storage.end());
    return keys;
}

std::vector<std::string> key_names()
{
    std::vector<std::string> names;
    for (const auto& key : config_keys()) names.emplace_back(key.name);
    return names;
}

std::string unknown_key(std::string_view name)
{
    return "unknown configuration key '" + std::string(name) + "', expected " +
           nearest_list(name, key_names(), "isbesim help config");
}

/// Converts the text of a value to a number, or to NaN if it is not of this kind.
double parse_value(const config_key& key, const std::string& text)
{
    if (key.kind == key_kind::flag || key.kind == key_kind::choice) {
        for (std::size_t n = 0; n < key.choices.size(); ++n) {
            if (text == key.choices[n]) return static_cast<double>(n);
        }
        if (key.kind == key_kind::flag && (text == "0" || text == "1")) return text == "1" ? 1 : 0;
        return std::nan("");
    }
    if (key.kind == key_kind::hex && text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        word value = 0;
        return parse_hex_word(text, value) ? value : std::nan("");
    }
    if (text.empty() || std::string_view("0123456789.+-").find(text[0]) == std::string_view::npos ||
        text.find_first_of("xXpP") != std::string::npos) {
        return std::nan("");
    }
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size() ? value : std::nan("");
}

std::string refused(const config_key& key, const std::string& text)
{
    const bool number = key.kind == key_kind::integer || key.kind == key_kind::real;
    return std::string(key.name) + " = " + text + " is not possible, expected " +
           (number ? "a plain number of " + std::string(key.unit) + ", " : "") + key.range_text();
}

/// The value of a key itself, or that of {"value": 1024, "source": "where it is from"}: presets give a source for every
/// key.
const json::value& without_source(const json_document& document, const json::value& value, const std::string& name)
{
    const bool sourced =
        json_document::find(value, "value") != nullptr || (value.is_object() && find_config_key(name) != nullptr);
    return sourced ? document.sourced(value, name).value : value;
}

/// "architectures": names of programs' architectures.
std::vector<isa::architecture> read_architectures(const json_document& document, const json::value& value)
{
    std::vector<isa::architecture> result;
    for (const auto& entry : document.array(value, "architectures")) {
        const auto name = document.text(entry, "an architecture");
        const auto arch = parse_architecture(name);
        if (!arch) document.fail(entry, "'" + name + "' is no architecture" + architecture_expected(name));
        result.push_back(*arch);
    }
    if (result.empty())
        document.fail(value,
                      "architectures is empty, expected " + name_list(architecture_names()) + ", or no such key");
    return result;
}

bool is_file_key(std::string_view name)
{
    const auto known = machine_file_form().names();
    return std::find(known.begin(), known.end(), name) != known.end();
}

/// `seen`: keys with a value in the file so far.
void read_object(const json_document& document, const json::value& value, const std::string& prefix,
                 machine_config& config, machine_programs& programs, std::set<std::string>& seen)
{
    for (const auto& entry : document.object(value, prefix.empty() ? "the configuration" : prefix)) {
        const auto name = prefix + std::string(entry.key().data(), entry.key().size());
        if (is_file_key(name)) {
            if (name == "architectures")
                programs.architectures = read_architectures(document, without_source(document, entry.value(), name));
            else
                document.text(entry.value(), name);
            continue;
        }
        const auto& content = without_source(document, entry.value(), name);
        if (content.is_object()) {
            const bool is_group = std::any_of(config_keys().begin(), config_keys().end(), [&](const config_key& key) {
                return std::string_view(key.name).rfind(name + ".", 0) == 0;
            });
            if (!is_group) {
                document.fail_key(value, {entry.key().data(), entry.key().size()}, unknown_key(name));
            }
            read_object(document, content, name + ".", config, programs, seen);
            continue;
        }
        const auto* key = find_config_key(name);
        if (key == nullptr) document.fail_key(value, {entry.key().data(), entry.key().size()}, unknown_key(name));
        if (!seen.insert(name).second) {
            document.fail_key(value, {entry.key().data(), entry.key().size()},
                              name + " stands twice, nested and dotted, expected each key once");
        }
        const auto* quoted = content.if_string();
        const auto text = quoted != nullptr ? std::string(quoted->data(), quoted->size()) : json::serialize(content);
        const double number = parse_value(*key, text);
        if (!admits(*key, number)) document.fail(content, refused(*key, text));
        const bool has_source = &content != &entry.value();
        const bool changes = key->get(config) != number;
        key->set(config, number);
        if (has_source)
            programs.sources[name] = document.sourced(entry.value(), name).source;
        else if (changes)
            programs.sources[name] = set_by_hand;
    }
}

} // namespace

const std::vector<config_key>& config_keys()
{
    static const auto keys = make_keys();
    return keys;
}

const config_key* find_config_key(std::string_view name)
{
    const auto& keys = config_keys();
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const config_key& key) { return name == key.name; });
    return found == keys.end() ? nullptr : &*found;
}

machine_programs load_config(const std::string& file_or_name, const source_place& asked_at, machine_config& config)
{
    if (file_or_name == "default") {
        config = machine_config{};
        return {};
    }
    if (const auto* machine = find_machine(file_or_name))
        return load_config_text(machine->json, {file_or_name, 1, 1}, config);
    if (file_or_name[0] == '{') return load_config_text(file_or_name, {"config", 1, 1}, config);
    if (file_or_name.find_first_of("./") == std::string::npos) {
        auto names = machine_names();
        names.emplace_back("default");
        const auto reason = why_absent(file_or_name);
        throw input_error(asked_at, "unknown machine '" + file_or_name + "'" + (reason.empty() ? "" : ", " + reason) +
                                        ", expected " + nearest_list(file_or_name, names, "isbesim help config") +
                                        ", or a JSON file");
    }
    return load_config_text(read_file(file_or_name, "a machine configuration (JSON)"), {file_or_name, 1, 1}, config);
}

machine_programs load_config_text(const std::string& text, const source_place& place, machine_config& config)
{
    const json_document document(place.file, text);
    machine_programs programs{place.file, {}};
    const auto* object = document.root().if_object();
    if (const auto* base = object == nullptr ? nullptr : object->if_contains("base")) {
        const auto name = document.text(*base, "base");
        const auto* machine = find_machine(name);
        if (machine == nullptr)
            document.fail(*base, "base is '" + name + "', expected " +
                                     nearest_list(name, machine_names(), "isbesim help config"));
        programs = load_config_text(machine->json, {name, 1, 1}, config);
        programs.name = place.file;
    }
    std::set<std::string> seen;
    read_object(document, document.root(), "", config, programs, seen);
    return programs;
}

std::string foreign_architecture(const machine_programs& machine, isa::architecture arch)
{
    const auto& known = machine.architectures;
    if (known.empty() || std::find(known.begin(), known.end(), arch) != known.end()) return "";
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const auto each : known) names.emplace_back(architecture_name(each));
    return "the machine " + machine.name + " runs " + name_list(names) + ", the draw's programs are of " +
           architecture_name(arch) + ": the figures are of no machine that exists";
}

void set_config(const std::string& assignment, const source_place& asked_at, machine_config& config)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos) {
        throw input_error(asked_at, "'" + assignment + "' sets nothing, expected key=value");
    }
    const auto name = assignment.substr(0, equals);
    const auto text = assignment.substr(equals + 1);
    const auto* key = find_config_key(name);
    if (key == nullptr) throw input_error(asked_at, unknown_key(name));
    const double number = parse_value(*key, text);
    if (!admits(*key, number)) throw input_error(asked_at, refused(*key, "'" + text + "'"));
    key->set(config, number);
}

json::object config_to_json(const machine_config& config)
{
    json::object result;
    for (const auto& key : config_keys()) {
        const auto value = key.json_in(config);
        const std::string_view name = key.name;
        const auto dot = name.find('.');
        if (dot == std::string_view::npos) {
            result[key.name] = value;
        } else {
            auto& group = result[json::string_view(name.data(), dot)];
            if (!group.is_object()) group.emplace_object();
            group.get_object()[json::string_view(name.data() + dot + 1, name.size() - dot - 1)] = value;
        }
    }
    return result;
}

std::vector<const config_key*> config_keys_about(std::string_view word)
{
    std::vector<const config_key*> found;
    for (const auto& key : config_keys())
        if (mentions(key.name, word) || mentions(key.description, word)) found.push_back(&key);
    return found;
}

namespace {

/// A line for each preset about `word`.
std::string presets_help(std::string_view word)
{
    std::ostringstream out;
    if (word.empty())
        out << "  " << std::left << std::setw(12) << "default"
            << "the defaults above\n";
    for (const auto& machine : machines()) {
        const json_document document(machine.name, machine.json);
        const auto text = document.text(document.member(document.root(), "description", machine.name), "description");
        if (!mentions(machine.name, word) && !mentions(text, word)) continue;
        out << "  " << std::left << std::setw(12) << machine.name << text;
        machine_config ignored;
        const auto programs = load_config_text(machine.json, {machine.name, 1, 1}, ignored);
        for (const auto arch : programs.architectures) out << "; runs " << architecture_name(arch);
        out << "\n";
    }
    return out.str();
}

} // namespace

bool print_config_help(std::ostream& out, std::string_view word)
{
    const machine_config defaults;
    const auto keys = config_keys_about(word);
    if (!keys.empty()) out << "Configuration keys, for --config FILE (JSON, nested or dotted) and --set key=value:\n\n";
    for (const auto* key : keys) {
        out << "  " << std::left << std::setw(30) << key->name << key->value_text(key->get(defaults));
        if (*key->unit != '\0') out << " " << key->unit;
        out << "   [" << key->range_text() << "]\n      " << key->description << "\n";
    }
    const auto machines = presets_help(word);
    if (machines.empty()) return !keys.empty();
    out << (keys.empty() ? "" : "\n")
        << "Presets, for --config NAME; each key names its source (testbench/machines):\n\n"
        << machines;
    return true;
}

json::array config_table_json(const machine_config& config, std::string_view word)
{
    static constexpr auto kinds = enum_names<key_kind::hex>("integer", "real", "flag", "choice", "hex");
    const machine_config defaults;
    json::array table;
    for (const auto* key : config_keys_about(word)) {
        table.push_back({{"key", key->name},
                         {"kind", kinds[static_cast<std::size_t>(key->kind)]},
                         {"unit", key->unit},
                         {"range", key->range_text()},
                         {"description", key->description},
                         {"default", key->json_in(defaults)},
                         {"value", key->json_in(config)}});
    }
    return table;
}

} // namespace isbesim::testbench
