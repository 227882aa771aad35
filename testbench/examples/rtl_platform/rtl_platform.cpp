// SPDX-License-Identifier: Apache-2.0
// Another project's SystemC platform with an ISBE: the timed model, a Verilated block in its place, or both side by
// side with every cycle compared. The initiators are the same in all three.
//
//   rtl_platform model|rtl|lockstep BLOCK.so [PIPELINE_LATENCY]
//
// BLOCK.so is a plug-in of scripts/rtl; the model has its parameters, but PIPELINE_LATENCY as its latency of loads if
// given. Exit status: 0 done, 1 wrong data or a difference, 2 wrong arguments.
#include <iostream>
#include <stdexcept>
#include <string>

#include "copy_engine.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/rtl/plugin_block.h"
#include "testbench/rtl/rtl_library.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace {

namespace rtl = isbesim::testbench;

/// Reads words with plain payloads and blocking calls, as a debugger or a DMA would.
class word_reader : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<word_reader> socket{"socket"};

    word_reader(const sc_core::sc_module_name& name, const sc_core::sc_time& cycle)
        : sc_core::sc_module(name), cycle_(cycle)
    {
        ISBESIM_HAS_PROCESS(word_reader);
        SC_THREAD(run);
    }
    unsigned wrong_words() const { return wrong_words_; }

private:
    void run()
    {
        for (std::uint32_t i = 0; i < 100; ++i) {
            wait(7 * cycle_);
            std::uint32_t word = 0;
            tlm::tlm_generic_payload read;
            read.set_command(tlm::TLM_READ_COMMAND);
            read.set_address(4 * i);
            read.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
            read.set_data_length(4);
            read.set_streaming_width(4);
            sc_core::sc_time delay;
            socket->b_transport(read, delay);
            wait(delay);
            if (word != 0 && word != copy_engine::word_at(4 * i)) ++wrong_words_;
        }
    }

    sc_core::sc_time cycle_;
    unsigned wrong_words_ = 0;
};

const char* backend_name(const std::string& what)
{
    if (what == "model") return "at";
    if (what == "rtl" || what == "lockstep") return what.c_str();
    throw std::invalid_argument("'" + what + "', expected model, rtl or lockstep");
}

int run(const std::string& what, const std::string& path, const char* latency)
{
    const auto& plugin = rtl::open_rtl_library(path);
    auto config = rtl::config_of_rtl_parameters(plugin.parameters);
    if (latency != nullptr) config.pipeline_latency = static_cast<unsigned>(std::stoul(latency));
    const auto clock = isbesim::cycle_clock::from_ghz(1.0);
    const auto make_block = [&](const isbesim::isbe_config&, rtl::waveform* wave) {
        return std::make_unique<rtl::plugin_block>(plugin, wave);
    };
    const auto isbe = rtl::find_isbe_backend(backend_name(what))->make("isbe", config, clock, make_block, nullptr);

    copy_engine engine("engine", clock.period(), config.lines * 128);
    engine.socket.bind(isbe.module->ports[0]);
    std::unique_ptr<word_reader> reader;
    if (config.ports == 2) {
        reader = std::make_unique<word_reader>("reader", clock.period());
        reader->socket.bind(isbe.module->ports[1]);
    }

    isbesim::start_simulation(); // like sc_start(), and passes on exceptions of the ISBE's processes
    const auto wrong = engine.wrong_words() + (reader ? reader->wrong_words() : 0);
    std::cout << engine.responses() << " responses, the last in cycle " << clock.cycles(engine.last_response())
              << ", digest " << std::hex << engine.digest() << std::dec << ", " << wrong << " wrong words\n";
    if (!isbe.comparison) return wrong == 0 ? 0 : 1;
    isbe.comparison->finish();
    std::cout << rtl::lockstep_line(isbe.comparison->totals()) << "\n" << isbe.comparison->mismatch_report();
    return wrong == 0 && !isbe.comparison->failed() ? 0 : 1;
}

} // namespace

int sc_main(int argc, char* argv[])
{
    try {
        if (argc != 3 && argc != 4)
            throw std::invalid_argument("expected model|rtl|lockstep BLOCK.so [PIPELINE_LATENCY]");
        return run(argv[1], argv[2], argc == 4 ? argv[3] : nullptr);
    } catch (const std::exception& error) {
        std::cerr << "rtl_platform: " << error.what() << "\n";
        return 2;
    }
}
