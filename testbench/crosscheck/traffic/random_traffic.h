// Constrained-random ISBE traffic: every opcode, size, region, mask, conflict degree, map and error of the
// micro-architecture page, reproducible from a seed.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// Deterministic on every platform: distributions of the standard library are not, so only the engine is used.
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_() >> 32); }
    /// Uniform in [0, n), n >= 1.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((std::uint64_t{bits()} * n) >> 32); }
    /// Uniform in [low, high].
    std::int32_t between(std::int32_t low, std::int32_t high)
    {
        return low + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(high - low) + 1));
    }
    /// True `percent` times of 100.
    bool chance(std::uint32_t percent) { return below(100) < percent; }

private:
    std::mt19937_64 engine_;
};

class random_traffic : public traffic_source {
public:
    /// `transactions` in total, shared evenly by the ports. Each port starts by binding every context slot it uses.
    random_traffic(const isbe_config& config, std::uint64_t seed, std::uint64_t transactions);
    bool next(unsigned port, traffic_item& item) override;

private:
    struct port_stream {
        explicit port_stream(std::uint64_t seed) : random(seed) {}
        random_numbers random;
        std::uint64_t left = 0;
        std::uint64_t cycle = 0; ///< earliest cycle of the last item
        unsigned to_bind = 0;    ///< first slots still to be bound at the start
        unsigned phase_left = 0; ///< items until the traffic's rhythm changes
        unsigned gap_mode = 0;
        unsigned hold_mode = 0;
        std::vector<context> bound; ///< what this port last put into each slot: hints for plausible values
    };

    context make_context(random_numbers& random) const;
    void make_space(random_numbers& random, space_layout& space, word first_line, word lines) const;
    void fill(port_stream& stream, warp_op& op);
    void fill_bind(port_stream& stream, warp_op& op, unsigned slot);
    void fill_attribute(port_stream& stream, warp_op& op);
    void fill_raw(port_stream& stream, warp_op& op);
    void fill_out(port_stream& stream, warp_op& op);
    word random_state(random_numbers& random, const context& slot) const;
    void random_handles(random_numbers& random, word vertex_count, warp_op& op) const;
    void rhythm(port_stream& stream, traffic_item& item);

    isbe_config config_;
    unsigned slots_;
    std::vector<port_stream> ports_;
};

} // namespace isbesim::testbench
