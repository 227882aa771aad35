// SPDX-License-Identifier: Apache-2.0
// Waveforms of the ports: reading them, and finding the machine that explains them.
#include <array>
#include <sstream>

#include "models/machine_config.h"
#include "testbench/calibration/calibration.h"
#include "testbench/calibration/pass_table.h"
#include "testbench/calibration/vcd_observation.h"
#include "testbench/files/input_error.h"
#include "tests/fuzz/targets/target.h"

namespace isbesim::fuzz {

namespace {

struct declared_pin {
    const char* name;
    unsigned bits; ///< for one port
};

/// In the order of the micro-architecture page's section 2; the clock first.
constexpr std::array<declared_pin, 20> pins{
    {{"req_valid", 1},      {"req_ready", 1},  {"req_op", 3},         {"req_space", 1},     {"req_region", 3},
     {"req_form", 2},       {"req_type", 2},   {"req_size", 3},       {"req_skew", 1},      {"req_context", 16},
     {"req_immediate", 32}, {"req_lanes", 32}, {"req_address", 1024}, {"req_handle", 1024}, {"req_data", 4096},
     {"resp_valid", 1},     {"resp_ready", 1}, {"resp_status", 512},  {"resp_error", 8},    {"resp_passes", 16}}};

/// A few operations of size 1, one after the other, with their passes; `latency` cycles from request to response.
std::string seed_of(unsigned ports, unsigned latency)
{
    std::ostringstream out;
    out << "$scope module tb $end\n$var wire 1 c clk $end\n";
    for (std::size_t i = 0; i < pins.size(); ++i)
        out << "$var wire " << ports * pins[i].bits << ' ' << static_cast<char>('A' + i) << ' ' << pins[i].name
            << " $end\n";
    out << "$upscope $end\n$enddefinitions $end\n#0\nb" << std::string(ports, '0') << " A\nb" << std::string(ports, '1')
        << " B\nb" << std::string(ports, '1') << " Q\nb1 H\n";
    unsigned time = 0;
    const auto edge = [&] {
        out << "#" << time + 5 << "\n1c\n#" << time + 10 << "\n0c\n";
        time += 10;
    };
    for (unsigned operation = 0; operation < 6; ++operation) {
        out << "b1 A\nb" << (operation % 2 == 0 ? "0" : "100") << " C\nb" << (operation % 3 == 0 ? "1111" : "1")
            << " L\n";
        edge();
        out << "b0 A\n";
        for (unsigned cycle = 1; cycle < latency; ++cycle) edge();
        out << "b1 P\nb1 T\n";
        edge();
        out << "b0 P\n";
    }
    edge();
    return out.str();
}

} // namespace

void waveform(std::string_view bytes)
{
    std::istringstream in{std::string(bytes)};
    try {
        const testbench::vcd_observation seen(in, "input", {});
        // Calibration counts the passes under every machine, which takes a thousand times as long as reading. So only
        // one length in 256 is calibrated, which also leaves out the largest inputs, of which there are many.
        if (bytes.size() % 256 == 1) testbench::calibrate(seen, isbe_config{});
    } catch (const testbench::input_error& error) {
        require(*error.what() != '\0', "an error has a text");
    } catch (const testbench::observation_error& error) {
        require(*error.what() != '\0', "an error has a text");
    }
}

std::vector<std::string> waveform_seeds(const std::string&)
{
    return {seed_of(1, 12), seed_of(2, 20)};
}

std::vector<std::string> waveform_words()
{
    std::vector<std::string> words{
        "$var wire 1 ", " $end", "$scope module ", "$upscope $end", "$enddefinitions $end", "$comment", "#", "rst"};
    for (const auto& pin : pins) words.emplace_back(pin.name);
    return words;
}

} // namespace isbesim::fuzz
