// SPDX-License-Identifier: Apache-2.0
// An ISBE block stepped cycle by cycle, without SystemC: requests and responses as plain values, whatever the
// configuration. Section numbers are those of rtl_ref/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "testbench/rtl/rtl_plugin.h"

namespace rtl {

inline constexpr std::size_t lane_count = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffffu;

enum class op { ald, ast, al2p, out, isberd, isbewr, bind };
enum class region { map, patch, prim, attr, physical };
enum class form { logical, patch, phys };
enum class out_type { final, emit, cut, emit_then_cut };

// Section 2, the fields of a request.
struct request {
    op opcode = op::ald;
    bool output = false;
    rtl::region region = rtl::region::map;
    rtl::form form = rtl::form::logical;
    out_type type = out_type::final;
    unsigned size = 1;
    bool skew = false;
    unsigned context = 0;
    std::int32_t immediate = 0;
    std::uint32_t lanes = all_lanes;
    std::array<std::uint32_t, lane_count> address{};
    std::array<std::uint32_t, lane_count> handle{};
    std::array<std::uint32_t, 4 * lane_count> data{}; // component c of lane i: word 32c+i
};

// Section 2, the fields of a response, and when it was transferred.
struct response {
    std::array<std::uint32_t, 4 * lane_count> data{};
    std::array<std::uint16_t, lane_count> status{};
    unsigned error = 0;
    unsigned passes = 0;
    std::uint64_t cycle = 0;
    bool operator==(const response& other) const
    {
        return data == other.data && status == other.status && error == other.error && passes == other.passes;
    }
};

// The pins of one block. `cycle` is the current clock period; everything driven before `step` is sampled by the edge
// that ends it.
class block {
public:
    virtual ~block() = default;
    virtual unsigned ports() const = 0;
    virtual void reset() = 0;
    virtual void offer(unsigned port, const request& request) = 0; // req_valid and the payload
    virtual void withdraw(unsigned port) = 0;                      // req_valid = 0
    virtual void resp_ready(unsigned port, bool ready) = 0;
    virtual bool req_ready(unsigned port) = 0;
    virtual bool resp_valid(unsigned port) = 0;
    virtual response resp(unsigned port) = 0;
    virtual void step() = 0;                                            // to the next cycle
    virtual bool peek(std::uint32_t address, std::uint32_t& value) = 0; // past the pins; false beyond the storage
    virtual bool poke(std::uint32_t address, std::uint32_t value) = 0;
    std::uint64_t cycle() const { return cycle_; }

protected:
    std::uint64_t cycle_ = 0;
};

// The block of a plug-in, as its C interface hands it out.
class plugin_block final : public block {
public:
    explicit plugin_block(const isbesim_rtl_interface& plugin) : plugin_(plugin), block_(plugin.create(nullptr, 0))
    {
        reset();
    }
    ~plugin_block() override { plugin_.destroy(block_); }

    unsigned ports() const override { return plugin_.ports; }

    void reset() override
    {
        for (unsigned p = 0; p < ports(); ++p) {
            withdraw(p);
            resp_ready(p, true);
        }
        plugin_.set_reset(block_, 1);
        step();
        step();
        plugin_.set_reset(block_, 0);
    }

    void offer(unsigned port, const request& r) override
    {
        const isbesim_rtl_request pins{static_cast<std::uint32_t>(r.opcode),
                                       r.output ? 1U : 0U,
                                       static_cast<std::uint32_t>(r.region),
                                       static_cast<std::uint32_t>(r.form),
                                       static_cast<std::uint32_t>(r.type),
                                       r.size,
                                       r.skew ? 1U : 0U,
                                       r.context,
                                       static_cast<std::uint32_t>(r.immediate),
                                       r.lanes,
                                       r.address.data(),
                                       r.handle.data(),
                                       r.data.data()};
        plugin_.offer(block_, port, &pins);
    }
    void withdraw(unsigned port) override { plugin_.withdraw(block_, port); }
    void resp_ready(unsigned port, bool ready) override { plugin_.set_response_ready(block_, port, ready ? 1 : 0); }

    bool req_ready(unsigned port) override
    {
        plugin_.set_clock(block_, 0);
        return plugin_.request_ready(block_, port) != 0;
    }
    bool resp_valid(unsigned port) override
    {
        plugin_.set_clock(block_, 0);
        return plugin_.response_valid(block_, port) != 0;
    }
    response resp(unsigned port) override
    {
        plugin_.set_clock(block_, 0);
        response r;
        isbesim_rtl_response pins{0, 0, r.data.data(), r.status.data()};
        plugin_.read_response(block_, port, &pins);
        r.error = pins.error;
        r.passes = pins.passes;
        r.cycle = cycle_;
        return r;
    }

    void step() override
    {
        plugin_.clock(block_);
        ++cycle_;
    }

    bool peek(std::uint32_t address, std::uint32_t& value) override
    {
        return plugin_.peek(block_, address, &value) != 0;
    }
    bool poke(std::uint32_t address, std::uint32_t value) override { return plugin_.poke(block_, address, value) != 0; }

private:
    const isbesim_rtl_interface& plugin_;
    isbesim_rtl_block* block_;
};

} // namespace rtl
