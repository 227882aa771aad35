// SPDX-License-Identifier: Apache-2.0
// Operations for the Verilated block and the model behind the same pins (clocked_isbe): every output of every cycle,
// and the storage at the end, are the same, whatever comes on which port in which cycle, over resets too.
#include <array>
#include <cstdint>

#include "models/clocked/clocked_isbe.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/rtl/plugin_block.h"
#include "testbench/rtl/rtl_library.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/rtl/rtl_store.h"
#include "tests/fuzz/targets/operations.h"
#include "tlm/warp_fields.h"

namespace isbesim::fuzz {

namespace {

constexpr std::array<const char*, 5> configurations{"small", "choices", "shallow", "by_line", "smallest"};
constexpr unsigned most_operations = 150;     ///< of an input: as many as a second is enough for
constexpr std::uint64_t last_cycles = 30'000; ///< in which something is taken, or all ends

struct built_block {
    isbe_config config;
    const isbesim_rtl_interface* plugin;
};

const built_block& block_of(unsigned choice)
{
    static std::array<built_block, configurations.size()> known{};
    auto& found = known[choice % known.size()];
    if (found.plugin == nullptr) {
        found.config = testbench::rtl_configuration_of(configurations[choice % known.size()]);
        found.plugin = &testbench::open_rtl_library(testbench::built_rtl_plugin(found.config));
    }
    return found;
}

/// The driver of a port's inputs.
struct client {
    warp_op op;
    bool offers = false;
    unsigned pause = 0;          ///< cycles before it offers the next one
    unsigned ready = 0;          ///< a bit for each of eight cycles, in which resp_ready is 1
    std::uint64_t under_way = 0; ///< accepted, not yet responded
};

class both_sides {
public:
    explicit both_sides(std::string_view bytes, const built_block& chosen, std::uint32_t start)
        : storage_(chosen.config.lines * line_bytes),
          in_(bytes),
          rtl_(*chosen.plugin, nullptr, start),
          model_(chosen.config),
          likely_(chosen.config, start, 2 * most_operations)
    {
    }

    void run()
    {
        std::uint64_t last = 0;
        for (std::uint64_t cycle = 0; !finished(); ++cycle) {
            const auto before = in_.left();
            step(cycle);
            if (in_.left() != before) last = cycle;
            require(cycle < last + last_cycles, "every operation responds");
        }
        for (word address = 0; address < storage_; address += sizeof(word))
            require(model_.core().storage().read(address / sizeof(word)) == rtl_.peek(address),
                    "model and block agree on the storage");
    }

private:
    bool more() const { return !in_.done() && operations_ < most_operations; }
    bool finished() const
    {
        for (unsigned port = 0; port < model_.ports(); ++port)
            if (clients_[port].offers || clients_[port].under_way != 0) return false;
        return !more();
    }

    /// A byte of rhythm before each operation: 255 is a reset, the upper bits a pause, and every other one says that
    /// the next operation of the cross-check comes: bytes seldom make contexts and states that suit each other.
    bool prepare(unsigned number)
    {
        auto& port = clients_[number];
        if (port.offers || !more()) return false;
        if (port.pause != 0) {
            --port.pause;
            return false;
        }
        const auto rhythm = in_.byte();
        if (rhythm == 255) return true;
        if ((rhythm & 1U) != 0 && likely_.next(number, item_)) {
            port.op = item_.op;
        } else {
            port.op = warp_op{};
            read_operation(in_, storage_, port.op);
        }
        port.ready = in_.byte() | 128U; // in one of eight at least
        port.pause = (rhythm & 192U) == 192 ? rhythm & 63U : 0;
        port.offers = true;
        ++operations_;
        return false;
    }

    void step(std::uint64_t cycle)
    {
        bool reset = false;
        std::array<port_inputs, 2> inputs;
        for (unsigned port = 0; port < model_.ports(); ++port) {
            auto& side = clients_[port];
            reset = prepare(port) || reset;
            inputs[port].request = side.offers ? &side.op : nullptr;
            inputs[port].response_ready = !more() || (side.ready >> cycle % 8 & 1U) != 0;
            compare(port);
            drive(port, inputs[port]);
        }
        rtl_.set_reset(reset);
        if (reset) {
            model_.clock_in_reset();
            clients_ = {};
        } else {
            count_transfers(inputs);
            model_.clock(inputs.data());
        }
        rtl_.clock(cycle);
        require(rtl_.failure() == nullptr, "the block reports nothing");
    }

    void compare(unsigned port)
    {
        require(rtl_.request_ready(port) == model_.request_ready(port), "model and block agree on req_ready");
        const auto* const response = model_.response(port);
        require(rtl_.response_valid(port) == (response != nullptr), "model and block agree on resp_valid");
        if (response == nullptr) return;
        rtl_.read_response(port, seen_);
        require(seen_ == *response, "model and block agree on the response");
    }

    void drive(unsigned port, const port_inputs& inputs)
    {
        if (inputs.request != nullptr)
            rtl_.offer(port, *inputs.request);
        else
            rtl_.withdraw(port);
        rtl_.set_response_ready(port, inputs.response_ready);
    }

    void count_transfers(const std::array<port_inputs, 2>& inputs)
    {
        for (unsigned port = 0; port < model_.ports(); ++port) {
            auto& side = clients_[port];
            if (side.offers && model_.request_ready(port)) {
                side.offers = false;
                ++side.under_way;
            }
            if (model_.response(port) != nullptr && inputs[port].response_ready) --side.under_way;
        }
    }

    word storage_;
    field_reader in_;
    testbench::plugin_block rtl_;
    clocked_isbe model_;
    testbench::random_traffic likely_;
    testbench::traffic_item item_;
    std::array<client, 2> clients_;
    unsigned operations_ = 0;
    warp_result seen_;
};

} // namespace

bool block_is_built()
{
    for (const auto* const name : configurations)
        if (testbench::built_rtl_plugin(testbench::rtl_configuration_of(name)).empty()) return false;
    return true;
}

void block(std::string_view bytes)
{
    const auto& chosen = block_of(take_byte(bytes));
    const auto start = take_byte(bytes);
    both_sides(bytes, chosen, start).run();
}

/// Likely operations on every block, in any rhythm but for a reset now and then; and any bytes.
std::vector<std::string> block_seeds(const std::string& sources)
{
    auto seeds = traffic_seeds(sources);
    testbench::random_numbers random(2);
    for (unsigned i = 0; i < 8 * configurations.size(); ++i) {
        std::string seed{static_cast<char>(i), static_cast<char>(random.bits())};
        for (unsigned n = 0; n < most_operations; ++n) {
            seed += static_cast<char>(random.bits() | 1U); // one in 128 is a reset
            seed += static_cast<char>(random.bits());
        }
        seeds.push_back(seed);
    }
    return seeds;
}

} // namespace isbesim::fuzz
