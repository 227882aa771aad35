// SPDX-License-Identifier: Apache-2.0
// main() of a library's tests in the mutated copy: all mutants of the build in one run, each in a fork of the process,
// which has built its tables by then. Without ISBESIM_CAMPAIGN it is the usual main().
//
// ISBESIM_CAMPAIGN names a file: the number of mutants, how many processes may run at once, the numbers of two mutants
// that every instruction has ("not carried out", "changes registers"), then a line for each mutant, 1 where it belongs
// to rules of single instructions, 0 where to what all of them share. First every test runs without a mutant while the
// driver notes which mutants' places it passes, and in which instruction. Then each mutant is at work in the tests that
// pass its place, up to the first that fails, ends by a signal or takes too long. At last, where the library is that of
// the executors (ISBESIM_INSTRUCTIONS), some mutants of each instruction's rules, and both that every instruction has,
// are at work while that instruction runs, and only then. Output, a line each:
//
//   test NAME                                 fails without a mutant
//   mutant NUMBER killed TEST | survived - | unreached -
//   instruction ARCHITECTURE MNEMONIC NOTICED TRIED OF LEFT_OUT SPOILT NOP
//
// that is mutants of its own rules, 1 for each of the two that is noticed, 1 where the instruction does nothing.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "isbesim_mutant.h"
#ifdef ISBESIM_INSTRUCTIONS
#include "models/isa/execution/semantics.h"
#include "models/isa/tables/table.h"
#endif

namespace {

using instruction_name = std::pair<int, std::string>; // architecture, mnemonic

constexpr std::size_t tried_of_each_instruction = 12;
constexpr double seconds_to_spare = 0.5;

double processor_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The mutants' places that a test passes, by instruction.
struct passed_places {
    std::string test;
    double seconds = 0;
    std::map<int, std::vector<int>> mutants; ///< instruction -> numbers
};

/// What the mutated sources call back.
struct recorder {
    std::size_t count = 0;
    std::map<std::pair<int, const char*>, int> known; ///< by address: the tables' texts stay where they are
    std::vector<instruction_name> names = {{0, "-"}};
    std::vector<std::vector<unsigned char>> passed; ///< [instruction][mutant]
    bool recording = false;
    int number = 0, only = -1; ///< a mutant that works in one instruction

    int index_of(int architecture, const char* mnemonic)
    {
        const auto [at, is_new] = known.try_emplace({architecture, mnemonic}, 0);
        if (is_new) {
            const instruction_name name{architecture, mnemonic};
            const auto same = std::find(names.begin(), names.end(), name);
            at->second = static_cast<int>(same - names.begin());
            if (same == names.end()) names.push_back(name);
        }
        return at->second;
    }

    void enter(int architecture, const char* mnemonic)
    {
        if (!recording && only < 0) return;
        const int index = index_of(architecture, mnemonic);
        if (only >= 0) isbesim_active = index == only ? number : 0;
        if (recording) look_at(static_cast<std::size_t>(index));
    }

    void look_at(std::size_t index)
    {
        while (passed.size() <= index) passed.emplace_back(count + 1);
        isbesim_passed = passed[index].data();
    }
};
recorder places;

/// Of the run without mutants.
class watcher : public ::testing::EmptyTestEventListener {
public:
    std::vector<passed_places> tests;

private:
    void OnTestStart(const ::testing::TestInfo&) override
    {
        for (auto& each : places.passed) std::fill(each.begin(), each.end(), 0);
        places.look_at(0);
        start_ = processor_seconds();
    }
    void OnTestEnd(const ::testing::TestInfo& info) override
    {
        const std::string name = std::string(info.test_suite_name()) + "." + info.name();
        if (info.result()->Failed()) std::printf("test %s\n", name.c_str());
        passed_places found{name, processor_seconds() - start_, {}};
        for (std::size_t index = 0; index < places.passed.size(); ++index)
            for (std::size_t number = 1; number <= places.count; ++number)
                if (places.passed[index][number] != 0)
                    found.mutants[static_cast<int>(index)].push_back(static_cast<int>(number));
        if (!found.mutants.empty()) tests.push_back(std::move(found));
    }

    double start_ = 0;
};

/// Of a run with a mutant: ends it as soon as something is wrong.
class ender : public ::testing::EmptyTestEventListener {
    void OnTestPartResult(const ::testing::TestPartResult& result) override
    {
        if (result.failed()) _exit(1);
    }
};

struct job {
    int mutant = 0;
    int instruction = -1;
    std::vector<const passed_places*> tests; ///< in the order in which they run
    std::function<void(const passed_places*)> done;
};

class campaign {
public:
    explicit campaign(std::size_t processes)
        : processes_(processes),
          test_(static_cast<volatile std::size_t*>(mmap(nullptr, processes * sizeof(std::size_t),
                                                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
    {
    }

    void run(const std::vector<job>& jobs)
    {
        for (const auto& each : jobs) {
            std::size_t slot = 0;
            while (slot < processes_ && running_.count(slot) != 0) ++slot;
            if (slot == processes_) slot = wait_for_one();
            test_[slot] = 0;
            std::fflush(stdout);
            const pid_t child = fork();
            if (child == 0) work(each, slot);
            running_[slot] = {child, &each};
        }
        while (!running_.empty()) wait_for_one();
    }

private:
    struct process {
        pid_t id;
        const job* what;
    };

    std::size_t wait_for_one()
    {
        int status = 0;
        const pid_t ended = wait(&status);
        const auto at =
            std::find_if(running_.begin(), running_.end(), [&](const auto& each) { return each.second.id == ended; });
        const auto [slot, ended_one] = *at;
        running_.erase(at);
        const bool survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        ended_one.what->done(survived ? nullptr : ended_one.what->tests[test_[slot]]);
        return slot;
    }

    [[noreturn]] void work(const job& what, std::size_t slot)
    {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        double seconds = seconds_to_spare;
        for (const auto* test : what.tests) seconds += 10 * test->seconds;
        // A mutant may run for ever or take all memory; either ends the process by a signal or an exception.
        const itimerval timer = {{}, {static_cast<time_t>(seconds), static_cast<suseconds_t>(seconds * 1e6) % 1000000}};
        setitimer(ITIMER_PROF, &timer, nullptr);
        const rlimit memory = {std::size_t{1} << 31, std::size_t{1} << 31}, none = {0, 0};
        setrlimit(RLIMIT_AS, &memory);
        setrlimit(RLIMIT_CORE, &none);
        ::testing::UnitTest::GetInstance()->listeners().Append(new ender);
        places.number = what.mutant;
        places.only = what.instruction;
        isbesim_active = what.instruction < 0 ? what.mutant : 0;
        for (std::size_t i = 0; i < what.tests.size(); ++i) {
            test_[slot] = i;
            ::testing::GTEST_FLAG(filter) = what.tests[i]->test;
            if (RUN_ALL_TESTS() != 0) _exit(1);
        }
        _exit(0);
    }

    std::size_t processes_;
    volatile std::size_t* test_; ///< of each process: which of its tests runs
    std::map<std::size_t, process> running_;
};

/// Every mutant in the tests that pass its place, quick ones first.
std::vector<job> mutant_jobs(const std::vector<passed_places>& tests)
{
    std::vector<job> jobs(places.count);
    for (const auto& test : tests)
        for (const auto& each : test.mutants)
            for (const int number : each.second) {
                auto& mine = jobs[static_cast<std::size_t>(number) - 1].tests;
                if (mine.empty() || mine.back() != &test) mine.push_back(&test);
            }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].mutant = static_cast<int>(i) + 1;
        jobs[i].done = [number = i + 1](const passed_places* killer) {
            std::printf("mutant %zu %s %s\n", number, killer != nullptr ? "killed" : "survived",
                        killer != nullptr ? killer->test.c_str() : "-");
        };
        if (jobs[i].tests.empty()) std::printf("mutant %zu unreached -\n", i + 1);
    }
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), [](const job& each) { return each.tests.empty(); }),
               jobs.end());
    return jobs;
}

struct instruction_score {
    std::size_t killed = 0, tried = 0, passed = 0;
    bool left_out = false, spoilt = false; ///< noticed when it is not carried out, or changes registers besides
};

/// Of the mutants that every instruction has.
struct general_mutants {
    int left_out = 0, spoilt = 0;
};

/// Some mutants of each instruction's rules, at work in it alone: those that the fewest instructions pass come first.
std::vector<job> instruction_jobs(const std::vector<passed_places>& tests, const std::vector<bool>& own,
                                  const general_mutants& general, std::vector<instruction_score>& scores)
{
    scores.resize(places.names.size());
    std::vector<job> jobs;
    for (std::size_t index = 1; index < places.names.size(); ++index) {
        std::vector<const passed_places*> running;
        for (const auto& test : tests)
            if (test.mutants.count(static_cast<int>(index)) != 0) running.push_back(&test);
        if (running.empty()) continue;
        auto& score = scores[index];
        jobs.push_back({general.left_out, static_cast<int>(index), running,
                        [&score](const passed_places* killer) { score.left_out = killer != nullptr; }});
        jobs.push_back({general.spoilt, static_cast<int>(index), running,
                        [&score](const passed_places* killer) { score.spoilt = killer != nullptr; }});
    }
    std::map<int, std::map<int, std::vector<const passed_places*>>> by_instruction;
    std::map<int, std::size_t> instructions_of;
    for (const auto& test : tests)
        for (const auto& [index, numbers] : test.mutants)
            for (const int number : numbers)
                if (index != 0 && own[static_cast<std::size_t>(number)]) by_instruction[index][number].push_back(&test);
    for (const auto& each : by_instruction)
        for (const auto& mutant : each.second) ++instructions_of[mutant.first];
    for (const auto& [index, mutants] : by_instruction) {
        auto& score = scores[static_cast<std::size_t>(index)];
        std::vector<int> numbers;
        for (const auto& each : mutants) numbers.push_back(each.first);
        std::stable_sort(numbers.begin(), numbers.end(),
                         [&](int a, int b) { return instructions_of[a] < instructions_of[b]; });
        // Spread over them, so that not all are in one line of the source.
        const std::size_t step = std::max<std::size_t>(1, numbers.size() / tried_of_each_instruction);
        score.passed = numbers.size();
        for (std::size_t k = 0; k < numbers.size() && score.tried < tried_of_each_instruction; k += step) {
            ++score.tried;
            jobs.push_back({numbers[k], index, mutants.at(numbers[k]),
                            [&score](const passed_places* killer) { score.killed += killer != nullptr ? 1 : 0; }});
        }
    }
    return jobs;
}

int run_campaign(const char* path)
{
    std::ifstream file(path);
    std::size_t processes = 1;
    general_mutants general;
    file >> places.count >> processes >> general.left_out >> general.spoilt;
    std::vector<bool> own(places.count + 1);
    for (std::size_t i = 1; i <= places.count; ++i) {
        int value = 0;
        file >> value;
        own[i] = value != 0;
    }
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto watching = std::make_unique<watcher>();
    listeners.Append(watching.get());
    std::set<int> idle;
#ifdef ISBESIM_INSTRUCTIONS
    using isbesim::isa::architecture;
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& row : isbesim::isa::instruction_table(arch))
            if (row.execute == isbesim::isa::run::nop)
                idle.insert(places.index_of(static_cast<int>(arch), row.mnemonic));
            else
                places.index_of(static_cast<int>(arch), row.mnemonic);
#endif
    places.recording = true;
    const int status = RUN_ALL_TESTS();
    listeners.Release(watching.get());
    places.recording = false;
    isbesim_passed = nullptr;
    if (status != 0) return 1;

    auto& tests = watching->tests;
    std::sort(tests.begin(), tests.end(),
              [](const passed_places& a, const passed_places& b) { return a.seconds < b.seconds; });
    campaign runs(processes);
    runs.run(mutant_jobs(tests));
    std::vector<instruction_score> scores;
    runs.run(instruction_jobs(tests, own, general, scores));
    for (std::size_t i = 1; i < places.names.size(); ++i)
        std::printf("instruction %d %s %zu %zu %zu %d %d %d\n", places.names[i].first, places.names[i].second.c_str(),
                    scores[i].killed, scores[i].tried, scores[i].passed, scores[i].left_out ? 1 : 0,
                    scores[i].spoilt ? 1 : 0, idle.count(static_cast<int>(i)) != 0 ? 1 : 0);
    return 0;
}

} // namespace

void isbesim_enter(int architecture, const char* mnemonic)
{
    places.enter(architecture, mnemonic);
}

int main(int argc, char* argv[])
{
    ::testing::InitGoogleTest(&argc, argv);
    const char* const path = std::getenv("ISBESIM_CAMPAIGN");
    return path != nullptr ? run_campaign(path) : RUN_ALL_TESTS();
}
