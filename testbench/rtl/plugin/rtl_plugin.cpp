// SPDX-License-Identifier: Apache-2.0
// A plug-in's entry: the interface of rtl_plugin.h around Verilator's class Visbe. scripts/rtl compiles it with
// ISBESIM_RTL_PARAMETERS, ISBESIM_RTL_PORTS (0: without a block), ISBESIM_RTL_DIGEST, ISBESIM_RTL_ASSERTIONS,
// ISBESIM_RTL_COVERAGE and ISBESIM_RTL_OWN (0 or 1). All files of a plug-in are copied into one folder to compile them,
// so the includes have no paths.
#include "scope.h"

#if ISBESIM_RTL_PORTS > 0
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <verilated_sym_props.h>

#include "Visbe.h"
#include "messages.h"
#include "pins.h"

#if ISBESIM_RTL_COVERAGE
#include <atomic>

#include <unistd.h>

#include <verilated_cov.h>

namespace {

/// Writes two files for each block, since there may be several: after its first reset and at its end. Does nothing
/// without the folder.
struct coverage_files {
    void write(VerilatedContext& context, const char* end) const
    {
        const char* const folder = std::getenv("ISBESIM_RTL_COVERAGE");
        if (folder == nullptr) return;
        const auto path = std::string(folder) + "/" + std::to_string(getpid()) + "_" + std::to_string(number) + end;
        context.coveragep()->write(path.c_str());
    }

    static unsigned next()
    {
        static std::atomic<unsigned> count{0};
        return count++;
    }

    unsigned number = next();
};

} // namespace
#endif

struct isbesim_rtl_block {
    isbesim_rtl_block(isbesim_rtl_wave* wave, uint32_t start)
        : own_context(wave == nullptr ? new VerilatedContext : nullptr),
          context(starting(wave == nullptr ? *own_context : wave->context, start)),
          model(&context, "rtl")
    {
        if (wave != nullptr) wave->models.emplace_back([this](VerilatedFstC& into) { model.trace(&into, 99); });
        model.req_valid = 0;
        model.resp_ready = 0;
        model.rst = 1;
        for (int cycle = 0; cycle < 2; ++cycle) {
            set_clock(0);
            set_clock(1);
        }
        model.rst = 0;
        evaluate();
#if ISBESIM_RTL_COVERAGE
        counted.write(context, "_reset.dat");
#endif
        find_banks();
    }
    ~isbesim_rtl_block()
    {
        Verilated::threadContextp(&context); // scopes deregister from the thread's context: not from another block's
        run_guarded([](void* block) { static_cast<Visbe*>(block)->final(); }, &model);
        const auto text = take_failure();
        final_failure() = failure.empty() ? text : "";
        std::fflush(stdout); // the process may end by _exit()
#if ISBESIM_RTL_COVERAGE
        counted.write(context, ".dat");
#endif
    }

    /// The failure of the thread's last block.
    static std::string& final_failure()
    {
        static thread_local std::string text;
        return text;
    }

    /// The thread's context decides the initial values of registers when the model is made.
    static VerilatedContext& starting(VerilatedContext& context, uint32_t start)
    {
        Verilated::threadContextp(&context);
        run_guarded(give_arguments, &context);
        constexpr int zeros = 0;
        constexpr int random = 2;
        // Overwriting a random bit would count as a toggle.
        context.randReset(start == 0 || ISBESIM_RTL_COVERAGE != 0 ? zeros : random);
        if (start != 0) context.randSeed(static_cast<int>(start % 0x7fffffffU) + 1);
        return context;
    }

    /// $test$plusargs and $value$plusargs find the words of the environment's ISBESIM_RTL_PLUSARGS.
    static void give_arguments(void* context)
    {
        std::vector<std::string> words{"isbesim"};
        const char* const text = std::getenv("ISBESIM_RTL_PLUSARGS");
        std::istringstream in(text != nullptr ? text : "");
        for (std::string word; in >> std::quoted(word);) words.push_back((word.rfind('+', 0) == 0 ? "" : "+") + word);
        std::vector<const char*> arguments;
        for (const auto& word : words) arguments.push_back(word.c_str());
        static_cast<VerilatedContext*>(context)->commandArgs(static_cast<int>(arguments.size()), arguments.data());
    }

    void set_clock(int level)
    {
        model.clk = level != 0;
        evaluate();
    }

    void evaluate()
    {
        if (ended || context.gotFinish()) return;
        ended = !run_guarded([](void* block) { static_cast<Visbe*>(block)->eval(); }, &model);
        const auto failures = take_failure(); // always: otherwise the next block would report them
        if (failure.empty()) failure = failures;
    }

    /// The storage of rtl_ref: array `words` in each bank (block.vlt makes it public).
    void find_banks()
    {
        for (;;) {
            const auto scope = "rtl.isbe_top.engine.storage[" + std::to_string(banks.size()) + "].bank";
            const VerilatedScope* const found = context.scopeFind(scope.c_str());
            const VerilatedVar* const words = found != nullptr ? found->varFind("words") : nullptr;
            if (words == nullptr || words->vltype() != VLVT_UINT32 || words->udims() != 1) return;
            banks.push_back(static_cast<uint32_t*>(words->datap()));
            rows = static_cast<size_t>(words->elements(1));
        }
    }

    /// rtl_ref/README.md section 5, bank of a word. A block without the parameter predates the maps.
    size_t bank_of(size_t word) const
    {
        const std::string parameters = ISBESIM_RTL_PARAMETERS;
        const auto is = [&](const char* setting) { return parameters.find(setting) != std::string::npos; };
        const size_t line = is("ACCESS_LINE=1") ? 0 : word / 32;
        const size_t placed = is("BANK_MAP=1") ? word + line : is("BANK_MAP=2") ? word ^ line : word;
        return placed % banks.size();
    }

    uint32_t* word_at(uint32_t address)
    {
        const size_t word = address / 4;
        if (banks.empty() || address % 4 != 0 || word / banks.size() >= rows) return nullptr;
        return banks[bank_of(word)] + word / banks.size();
    }

    std::unique_ptr<VerilatedContext> own_context;
    VerilatedContext& context;
    Visbe model;
    std::vector<uint32_t*> banks;
    size_t rows = 0;
    std::string failure; ///< of the first evaluation that has one
    bool ended = false;  ///< an evaluation did not return; no further one is possible
#if ISBESIM_RTL_COVERAGE
    coverage_files counted;
#endif
};

namespace {

void add_block_functions(isbesim_rtl_interface& table)
{
    using block = isbesim_rtl_block;
    table.create = [](isbesim_rtl_wave* wave, uint32_t start) { return new block(wave, start); };
    table.destroy = [](block* b) {
        delete b;
        return block::final_failure().empty() ? nullptr : block::final_failure().c_str();
    };
    table.set_reset = [](block* b, int level) { b->model.rst = level != 0; };
    table.offer = [](block* b, uint32_t port, const isbesim_rtl_request* request) {
        pins::put_request(b->model, port, *request);
        pins::set(b->model.req_valid, port, 1, 1);
    };
    table.withdraw = [](block* b, uint32_t port) { pins::set(b->model.req_valid, port, 1, 0); };
    table.set_response_ready = [](block* b, uint32_t port, int ready) {
        pins::set(b->model.resp_ready, port, 1, ready != 0);
    };
    table.request_ready = [](const block* b, uint32_t port) {
        return static_cast<int>(pins::get(b->model.req_ready, port, 1));
    };
    table.response_valid = [](const block* b, uint32_t port) {
        return static_cast<int>(pins::get(b->model.resp_valid, port, 1));
    };
    table.read_response = [](const block* b, uint32_t port, isbesim_rtl_response* response) {
#define ISBESIM_FIELD(name, width, ...) response->name = pins::get(b->model.resp_##name, port, width);
#define ISBESIM_LANE_FIELD(name, width, ...) pins::take(b->model.resp_##name, port, width, response->name);
#include "tlm/response_fields.inc"
    };
    table.clock = [](block* b) {
        b->set_clock(0);
        b->set_clock(1);
    };
    table.set_clock = [](block* b, int level) { b->set_clock(level); };
    table.evaluate = [](block* b) { b->evaluate(); };
    table.failure = [](const block* b) { return b->failure.empty() ? nullptr : b->failure.c_str(); };
    table.peek = [](block* b, uint32_t address, uint32_t* value) {
        const uint32_t* const word = b->word_at(address);
        if (word != nullptr) *value = *word;
        return word != nullptr ? 1 : 0;
    };
    table.poke = [](block* b, uint32_t address, uint32_t value) {
        uint32_t* const word = b->word_at(address);
        if (word != nullptr) *word = value;
        return word != nullptr ? 1 : 0;
    };
}

} // namespace
#endif

extern "C" __attribute__((visibility("default"))) const isbesim_rtl_interface* isbesim_rtl_plugin()
{
    static const isbesim_rtl_interface table = [] {
        isbesim_rtl_interface t{};
        t.interface_number = ISBESIM_RTL_INTERFACE;
        t.struct_size = sizeof t;
        t.parameters = ISBESIM_RTL_PARAMETERS;
        t.digest = ISBESIM_RTL_DIGEST;
        t.ports = ISBESIM_RTL_PORTS;
        t.assertions = ISBESIM_RTL_ASSERTIONS;
        t.own_block = ISBESIM_RTL_OWN;
        add_wave_functions(t);
#if ISBESIM_RTL_PORTS > 0
        add_block_functions(t);
#endif
        return t;
    }();
    return &table;
}
