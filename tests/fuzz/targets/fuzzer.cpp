// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry: ISBESIM_FUZZ names the target. With ISBESIM_FUZZ_SEEDS=DIR its seeds of at most
// ISBESIM_FUZZ_LENGTH bytes (without it: of the target's length), its dictionary and that length are written there,
// DIR/seeds/N, DIR/words and DIR/length, and the process ends. scripts/fuzz sets all of them.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include "test_paths.h"
#include "tests/fuzz/targets/target.h"

namespace {

const isbesim::fuzz::target* chosen = nullptr;

/// A dictionary of libFuzzer: a word in quotes a line.
void write_seeds(const std::string& folder)
{
    const char* variable = std::getenv("ISBESIM_FUZZ_LENGTH");
    const std::size_t length = variable == nullptr ? chosen->length : std::strtoul(variable, nullptr, 10);
    std::ofstream(folder + "/length") << length;
    std::filesystem::remove_all(folder + "/seeds");
    std::filesystem::create_directories(folder + "/seeds");
    unsigned number = 0;
    for (const auto& seed : chosen->seeds(ISBESIM_SOURCE_DIR "/"))
        if (seed.size() <= length)
            std::ofstream(folder + "/seeds/" + std::to_string(number++), std::ios::binary) << seed;
    std::ofstream words(folder + "/words");
    for (const auto& word : chosen->words()) {
        words << '"';
        for (const char c : word)
            if (c == '"' || c == '\\')
                words << '\\' << c;
            else
                words << c;
        words << "\"\n";
    }
}

struct stack_bounds {
    void* bottom = nullptr;
    std::size_t size = 0;
};

/// The stack of the thread that calls.
stack_bounds find_stack()
{
    stack_bounds found;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return found;
    pthread_attr_getstack(&attributes, &found.bottom, &found.size);
    pthread_attr_destroy(&attributes);
    return found;
}

} // namespace

// The SystemC library has a main() of its own, which asks for this. Here main() is libFuzzer's.
extern "C" int sc_main(int, char*[])
{
    return EXIT_FAILURE;
}

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
    const char* name = std::getenv("ISBESIM_FUZZ");
    chosen = name == nullptr ? nullptr : isbesim::fuzz::find_target(name);
    if (chosen == nullptr) {
        std::fprintf(stderr, "ISBESIM_FUZZ names no target, expected one of:\n");
        for (const auto& one : isbesim::fuzz::targets()) std::fprintf(stderr, "%s\n", one.name);
        std::exit(2);
    }
    if (chosen->is_built != nullptr && !chosen->is_built()) {
        std::fprintf(stderr, "%s: not all that it runs is built, expected `cmake --build --preset fuzz`\n", name);
        std::exit(2);
    }
    if (const char* folder = std::getenv("ISBESIM_FUZZ_SEEDS")) {
        write_seeds(folder);
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    static const stack_bounds stack = find_stack();
    chosen->run({reinterpret_cast<const char*>(data), size});
    // SystemC reports its coroutines' switches, but not the bounds of the thread's own stack: all that only this stack
    // refers to would count as leaked.
    void* frames = nullptr;
    __sanitizer_start_switch_fiber(&frames, stack.bottom, stack.size);
    __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
    return 0;
}
