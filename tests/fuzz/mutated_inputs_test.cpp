// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/text/text.h"
#include "test_paths.h"
#include "testbench/command_line/command_line.h"
#include "tests/fuzz/mutator.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

/// Command lines run in a child process, so that whatever they do is seen from outside.
struct command_end {
    bool ended = false; ///< false: a signal, or the processor time was up
    int status = -1;    ///< exit status; the signal when it did not end
    std::string err;
};

/// Calls `prepare` and run_command_line with what it returns for 0 .. count - 1 in one child; the results, fewer when
/// one did not end: the last is that one. Only commands that simulate nothing can share a child.
std::vector<command_end> run_forked(std::size_t count,
                                    const std::function<std::vector<std::string>(std::size_t)>& prepare);

constexpr rlim_t cpu_seconds = 20; // a command takes milliseconds

void write_all(int to, const void* data, std::size_t size)
{
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const auto written = write(to, bytes, size);
        if (written <= 0) _exit(99);
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

bool read_all(int descriptor, void* data, std::size_t size)
{
    auto* bytes = static_cast<char*>(data);
    while (size > 0) {
        const auto got = read(descriptor, bytes, size);
        if (got <= 0) return false;
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

[[noreturn]] void run_child(int to, std::size_t count,
                            const std::function<std::vector<std::string>(std::size_t)>& prepare)
{
    const rlimit cpu{cpu_seconds, cpu_seconds};
    setrlimit(RLIMIT_CPU, &cpu);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    // Output that bypasses the streams counts as part of the error text.
    char own[] = "/tmp/isbesim-mutant-XXXXXX";
    const int voice = mkstemp(own);
    unlink(own);
    dup2(voice, STDOUT_FILENO);
    dup2(voice, STDERR_FILENO);
    for (std::size_t i = 0; i < count; ++i) {
        std::ostringstream out, err;
        const int status = run_command_line(prepare(i), out, err);
        std::string text = err.str();
        std::fflush(nullptr);
        const auto length = lseek(voice, 0, SEEK_END);
        if (length > 0) text += "(and past the streams: " + std::to_string(length) + " bytes)\n";
        if (ftruncate(voice, 0) != 0 || lseek(voice, 0, SEEK_SET) != 0) _exit(98);
        const std::size_t size = text.size();
        write_all(to, &status, sizeof status);
        write_all(to, &size, sizeof size);
        write_all(to, text.data(), size);
    }
    _exit(0);
}

std::vector<command_end> run_forked(std::size_t count,
                                    const std::function<std::vector<std::string>(std::size_t)>& prepare)
{
    std::fflush(nullptr); // otherwise the child would print it again
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child < 0) std::abort();
    if (child == 0) {
        close(ends[0]);
        run_child(ends[1], count, prepare);
    }
    close(ends[1]);
    std::vector<command_end> results;
    command_end one;
    std::size_t size = 0;
    while (results.size() < count && read_all(ends[0], &one.status, sizeof one.status) &&
           read_all(ends[0], &size, sizeof size)) {
        one.err.resize(size);
        if (!read_all(ends[0], one.err.data(), size)) break;
        one.ended = true;
        results.push_back(one);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (results.size() < count) {
        command_end died;
        died.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        results.push_back(died);
    }
    return results;
}

// Damaged input of every kind ends with 0, 1 or 2 and one clear line: no internal error, no signal, no endless loop.
// ISBESIM_MUTANTS=100000 sets how many mutants of all kinds together there are (default: a few thousand),
// ISBESIM_MUTANT_SEED the first number, ISBESIM_MUTANT_KEEP=DIR a folder that the inputs of failures are copied to.

namespace fs = std::filesystem;

using words = std::vector<std::string>;

const std::string sources = ISBESIM_SOURCE_DIR "/";

std::uint64_t environment(const char* name, std::uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// A file and the architecture in its name.
struct sample {
    std::string name;
    std::string arch;
    std::string content;
};

std::vector<sample> samples_of(const std::string& ending)
{
    std::vector<sample> found;
    for (const auto& entry : fs::recursive_directory_iterator(sources + "testbench/scenarios")) {
        const auto name = entry.path().string();
        if (name.size() < ending.size() || name.substr(name.size() - ending.size()) != ending) continue;
        const bool turing = name.find("/sm75_") != std::string::npos || name.find("mesh_") != std::string::npos;
        found.push_back({name, turing ? "sm75" : "sm50", temporary_folder::read(name)});
    }
    std::sort(found.begin(), found.end(), [](const sample& a, const sample& b) { return a.name < b.name; });
    return found;
}

/// Programs as text.
std::vector<sample> program_texts()
{
    auto found = samples_of(".sass");
    for (const auto& each : samples_of(".code.bin")) {
        const auto arch = each.arch == "sm50" ? isa::architecture::sm50 : isa::architecture::sm75;
        found.push_back({each.name, each.arch,
                         isa::disassemble(isa::decode_program({each.content.begin(), each.content.end()}, arch))});
    }
    return found;
}

/// The words of `text`, and `others`, which contain blanks.
words separated(words others, const std::string& text)
{
    std::istringstream in(text);
    for (std::string word; in >> word;) others.push_back(word);
    return others;
}

const words json_spice = separated({"\"\xff\""}, R"(
    -1 0 1 1.0 2.5 -0 1e400 1e-400 1e30 4294967295 4294967296 18446744073709551615 18446744073709551616 100000000
    null true false [] {} "" "x" "0x" "0x0" "0x80" "0x3bc" "0x3c0" "0x3fc" "0x1ffffffff" "128" "\u0000" "geometry"
    "tess" "mesh" "patches" "triangles" ".." "/dev/null" "sm75" NaN , : [ { "value" "0x0..0x3bc" 32 64 256 1023
    65536 0.5
)");

const words program_spice = separated({}, R"(
    R0 R1 R3 R254 R255 RZ P0 PT !P6 0x0 0x3fc -0x1 0x7fffffff 0xffffffff 99999999999999999999 1e400 -1.5 1.5e-45
    a[0x80] a[R0] c[0x0][0x10] c[0x1f][0xfffc] ALD AST.128 ALD.P.64 AL2P.O OUT.EMIT ISBERD.ATTR.SKEW ISBEWR BRA EXIT
    SSY SYNC PBK BRK BSSY BSYNC B0 BAR.SYNC MUFU.RCP &req=0x3f &wr=6 &rd=7 ?stall=16 ?yield ?word=0xffffffffffffffff
    ?word=0x0 ?pad label: `(label) SR_LANEID @!P0 .reuse |R0| -R1 ~R2 /* // # ; , [ \xff INF
)");

const words value_spice = separated({" 5", "", "\xff\xfe"}, R"(
    0 1 -1 2 31 64 1e3 0x10 x 18446744073709551616 4294967296 true false nan inf 1.5 64KB lt at isbe.lines=64
    isbe.lines=64KB clock_ghz=0.01 clock_ghz=1500MHz isbe.banks=8 isbe.skew=false isbe.ports=1 sm_count=64
    pe.batch_vertices=1 = isbe.lines= poison=true isbe.contexts=1 gm107 tu102 default traps all 3:1 1:2 sm50 sm75
    sm86 0x80 -- - list small
)");

/// One kind of input.
struct kind {
    const char* name;
    unsigned share; ///< of 100 mutants
    bool simulates; ///< needs a child of its own
    /// Writes what the command reads; its words.
    std::function<words(random_numbers&)> prepare;
};

/// A scenario with all files it needs, in a folder of its own.
struct scenario_folder {
    std::string path;
    std::map<std::string, std::string> files;
};

class mutated_inputs : public testing::Test {
protected:
    mutated_inputs()
    {
        for (const auto* name :
             {"vs_ids", "vs_text", "vs_two_programs", "vs_output_array", "gs_pass", "gs_streams", "gs_fast",
              "gs_passthrough_layer", "gs_instanced", "tess_points", "tess_gs_isolines", "tess_patch_readback",
              "mesh_limits", "mesh_terrain", "task_mesh_payload", "sm75_gs_streams", "sm75_vs_branches"}) {
            scenario_folder one{folder_.path(name), {}};
            fs::create_directory(one.path);
            for (const auto& entry : fs::directory_iterator(sources + "testbench/scenarios/" + name)) {
                const auto file = entry.path().filename().string();
                one.files[file] = temporary_folder::read(entry.path().string());
                fs::copy_file(entry.path(), one.path + "/" + file);
            }
            scenarios_.push_back(std::move(one));
        }
        for (const auto& entry : fs::directory_iterator(sources + "testbench/machines"))
            machines_.push_back(temporary_folder::read(entry.path().string()));
        std::sort(machines_.begin(), machines_.end());
    }

    static std::string json_or_text(const std::string& content, random_numbers& random)
    {
        return random.one_in(5) ? mutated_text(content, json_spice, random) : mutated_json(content, json_spice, random);
    }

    /// The scenario with one of its files (those whose name contains `part`) damaged, to be run.
    words run_with(const std::string& part, random_numbers& random)
    {
        restore();
        std::vector<std::pair<const scenario_folder*, std::string>> choices;
        for (const auto& one : scenarios_)
            for (const auto& file : one.files)
                if (file.first.find(part) != std::string::npos) choices.emplace_back(&one, file.first);
        const auto& [one, name] = random.pick(choices);
        const auto& content = one->files.at(name);
        const auto& other = random.pick(choices);
        std::string damaged;
        if (name.find(".bin") != std::string::npos)
            damaged = mutated_bytes(content, other.first->files.at(other.second), random);
        else
            damaged = part == ".json" ? json_or_text(content, random) : mutated_text(content, program_spice, random);
        put(one->path + "/" + name, content, damaged);
        return {"run",    one->path + "/scenario.json",  "--out", folder_.path("out"), "--max-cycles", "5000",
                "--isbe", random.one_in(3) ? "lt" : "at"};
    }

    words write(const std::string& name, const std::string& content, words before, const words& after = {})
    {
        restore();
        before.push_back(folder_.write(name, content));
        written_ = before.back();
        before.insert(before.end(), after.begin(), after.end());
        return before;
    }

    void put(const std::string& file, const std::string& original, const std::string& damaged)
    {
        std::ofstream(file, std::ios::binary) << damaged;
        written_ = file;
        original_ = original;
        restore_ = true;
    }
    void restore()
    {
        if (restore_) std::ofstream(written_, std::ios::binary) << original_;
        restore_ = false;
    }

    words small_run(const words& more)
    {
        words all = {"run",          folder_.path("vs_ids") + "/scenario.json",
                     "--out",        folder_.path("out"),
                     "--max-cycles", "5000",
                     "--isbe",       "lt"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    /// Options of a command with values that may be wrong; files only in the test's folder.
    words mutated_command(random_numbers& random)
    {
        restore();
        written_.clear();
        static const std::vector<std::pair<std::string, words>> commands = {
            {"run",
             {"--config", "--set", "--isbe", "--seed", "--max-cycles", "--strict", "--check-protocol", "--progress",
              "--quiet", "--tpc", "--wave-cycles", "--wave-sm", "--coefficients", "--database", "--timeline",
              "--record", "--unknown"}},
            {"crosscheck",
             {"--config", "--set", "--isbe", "--seed", "--transactions", "--quiet", "--rtl", "--require-coverage",
              "--wave-cycles"}},
            {"layout", {"--sph", "--vertices", "--primitives", "--per-primitive", "--shared-lines", "--set"}},
            {"disasm", {"--arch", "--sph"}},
            {"asm", {"--arch", "--out", "--auto-schedule"}},
            {"help", {"--json", "--set", "--config"}},
        };
        const auto& [command, options] = random.pick(commands);
        words all = {command};
        const auto scenario = folder_.path("vs_ids") + "/scenario.json";
        if (command == "help") all.emplace_back(random.one_in(2) ? "config" : random.pick(value_spice));
        if (command == "run") all.push_back(scenario);
        if (command == "disasm" || command == "asm") all.push_back(folder_.path("vs_ids") + "/vs.code.bin");
        const auto count = random.below(5);
        for (std::size_t i = 0; i < count; ++i) {
            const auto& option = random.pick(options);
            const bool file = option == "--record" || option == "--database" || option == "--timeline" ||
                              option == "--out" || option == "--coefficients";
            const auto value = file ? folder_.path(random.pick(words{"a", "b.bin", "vs_ids", "none/c", "out"}))
                                    : random.pick(value_spice);
            if (random.one_in(4)) {
                all.push_back(option + "=" + value);
            } else {
                all.push_back(option);
                if (!random.one_in(4)) all.push_back(value);
            }
        }
        if (command == "run" || command == "crosscheck") all.insert(all.end(), {"--out", folder_.path("out")});
        if (command == "run") all.insert(all.end(), {"--max-cycles", "5000"});
        if (command == "crosscheck") all.insert(all.end(), {"--transactions", "50"});
        return all;
    }

    std::vector<kind> kinds()
    {
        static const auto binaries = samples_of(".code.bin");
        static const auto headers = samples_of(".sph.bin");
        static const auto texts = program_texts();
        static const auto arch_of = [](const sample& original, random_numbers& random) -> std::string {
            if (random.one_in(8)) return random.pick(words{"sm50", "sm75", "sm86", "sm120"});
            return original.arch;
        };
        return {
            {"program_binary", 20, false,
             [&](random_numbers& random) {
                 const auto& original = random.pick(binaries);
                 const auto arch = arch_of(original, random);
                 return write("x.bin", mutated_bytes(original.content, random.pick(binaries).content, random),
                              {"disasm"}, {"--arch", arch});
             }},
            {"program_text", 22, false,
             [&](random_numbers& random) {
                 const auto& original = random.pick(texts);
                 words after = {"--arch", arch_of(original, random), "--out", folder_.path("x.out")};
                 if (random.one_in(3)) after.emplace_back("--auto-schedule");
                 return write("x.sass", mutated_text(original.content, program_spice, random), {"asm"}, after);
             }},
            {"header", 14, false,
             [&](random_numbers& random) {
                 const auto content = mutated_bytes(random.pick(headers).content, random.pick(headers).content, random);
                 if (random.one_in(2)) return write("x.sph.bin", content, {"disasm"});
                 words after;
                 if (random.one_in(2)) after = {"--primitives", std::to_string(random.below(1100))};
                 return write("x.sph.bin", content, {"layout", "--sph"}, after);
             }},
            {"machine", 14, false,
             [&](random_numbers& random) {
                 return write("m.json", json_or_text(random.pick(machines_), random),
                              {"help", "config", "--json", "--config"});
             }},
            {"run_scenario", 12, true, [&](random_numbers& random) { return run_with(".json", random); }},
            {"run_program", 5, true, [&](random_numbers& random) { return run_with(".code.bin", random); }},
            {"run_program_text", 3, true, [&](random_numbers& random) { return run_with(".sass", random); }},
            {"run_header", 3, true, [&](random_numbers& random) { return run_with(".sph.bin", random); }},
            {"run_expectation", 2, true, [&](random_numbers& random) { return run_with(".csv", random); }},
            {"run_machine", 1, true,
             [&](random_numbers& random) {
                 return write("m.json", json_or_text(random.pick(machines_), random), small_run({"--config"}));
             }},
            {"run_coefficients", 1, true,
             [&](random_numbers& random) {
                 static const auto table = temporary_folder::read(sources + "testbench/report/coefficients.json");
                 return write("c.json", json_or_text(table, random), small_run({"--coefficients"}));
             }},
            {"command_line", 3, true, [&](random_numbers& random) { return mutated_command(random); }},
        };
    }

    /// The mistake in a command's end; "" without one.
    static std::string verdict(const command_end& end)
    {
        static const std::regex error("isbesim: error: [^\n]+:[0-9]+:[0-9]+: [^\n]*expected [^\n]*\n");
        if (!end.ended) return "it was ended by signal " + std::to_string(end.status);
        std::istringstream lines(end.err);
        std::string line;
        switch (end.status) {
        case 0:
            while (std::getline(lines, line))
                if (line.rfind("isbesim: ", 0) != 0) return "status 0 with a line that is no warning";
            return "";
        case 1:
            return end.err.rfind("isbesim: ", 0) == 0 ? "" : "status 1 without a reason";
        case 2:
            return std::regex_match(end.err, error)
                       ? ""
                       : "status 2 without one line that names the place, the mistake and the expectation";
        default:
            return "status " + std::to_string(end.status);
        }
    }

    temporary_folder folder_;
    std::vector<scenario_folder> scenarios_;
    std::vector<std::string> machines_;
    std::string written_; ///< the file that is damaged now
    std::string original_;
    bool restore_ = false;
};

TEST_F(mutated_inputs, end_with_0_1_or_2_and_one_clear_line)
{
    const auto total = environment("ISBESIM_MUTANTS", 2500);
    const auto first = environment("ISBESIM_MUTANT_SEED", 1);
    const char* keep = std::getenv("ISBESIM_MUTANT_KEEP");
    constexpr std::size_t together = 50;
    unsigned shown = 0;
    for (const auto& each : kinds()) {
        const auto count = std::max<std::uint64_t>(1, total * each.share / 100);
        std::array<std::uint64_t, 4> ends{};
        std::uint64_t wrong = 0;
        const auto prepare = [&](std::uint64_t number) {
            std::uint64_t seed = first * 1'000'003 + number;
            for (const char* c = each.name; *c != '\0'; ++c) seed = seed * 31 + static_cast<unsigned char>(*c);
            random_numbers random(seed);
            return each.prepare(random);
        };
        for (std::uint64_t done = 0; done < count;) {
            const auto batch = each.simulates ? 1 : std::min<std::uint64_t>(together, count - done);
            // A folder that is damaged for a run is made whole again here, so it is damaged here too.
            const auto ready = each.simulates ? prepare(done) : words{};
            const auto results =
                run_forked(batch, [&](std::size_t i) { return each.simulates ? ready : prepare(done + i); });
            for (std::size_t i = 0; i < results.size(); ++i) {
                const auto reason = verdict(results[i]);
                if (results[i].ended && results[i].status >= 0 && results[i].status < 3)
                    ++ends[static_cast<std::size_t>(results[i].status)];
                if (reason.empty()) continue;
                ++wrong;
                if (shown++ >= 20) continue;
                const auto command = prepare(done + i); // writes the input again
                std::string text;
                for (const auto& word : command) text += " " + word;
                ADD_FAILURE() << each.name << " " << done + i << ": " << reason << "\n  isbesim" << text << "\n  "
                              << results[i].err;
                if (keep != nullptr && !written_.empty()) {
                    const auto to = std::string(keep) + "/" + each.name + "-" + std::to_string(done + i);
                    if (each.simulates && restore_)
                        fs::copy(fs::path(written_).parent_path(), to, fs::copy_options::overwrite_existing);
                    else
                        fs::copy_file(written_, to + fs::path(written_).extension().string(),
                                      fs::copy_options::overwrite_existing);
                }
            }
            // The next child continues after an input that did not end.
            done += std::max<std::size_t>(1, results.size());
        }
        std::printf("%-18s %7llu mutants: %7llu end with 0, %6llu with 1, %7llu with 2; %llu wrong\n", each.name,
                    static_cast<unsigned long long>(count), static_cast<unsigned long long>(ends[0]),
                    static_cast<unsigned long long>(ends[1]), static_cast<unsigned long long>(ends[2]),
                    static_cast<unsigned long long>(wrong));
    }
}

} // namespace
} // namespace isbesim::testbench
