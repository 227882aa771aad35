// A Verilated ISBE block stepped cycle by cycle, without SystemC: requests and responses as plain values, whatever the
// configuration. Section numbers are those of rtl_ref/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <verilated.h>

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
    virtual void step() = 0; // to the next cycle
    std::uint64_t cycle() const { return cycle_; }

protected:
    std::uint64_t cycle_ = 0;
};

namespace pins {

// Verilator's ports are an integer up to 64 bits and an array of words beyond.
template <class Port>
void put(Port& port, std::size_t bit, std::size_t width, std::uint64_t value)
{
    if constexpr (std::is_integral_v<Port>) {
        const std::uint64_t mask = (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) << bit;
        port = static_cast<Port>((port & ~mask) | (value << bit & mask));
    } else {
        for (std::size_t i = 0; i < width; ++i) {
            const std::uint32_t one = 1u << (bit + i) % 32;
            port[(bit + i) / 32] = (value >> i & 1) != 0 ? port[(bit + i) / 32] | one : port[(bit + i) / 32] & ~one;
        }
    }
}

template <class Port>
std::uint64_t get(const Port& port, std::size_t bit, std::size_t width)
{
    std::uint64_t value = 0;
    if constexpr (std::is_integral_v<Port>) {
        value = std::uint64_t{port} >> bit & (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
    } else {
        for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{port[(bit + i) / 32] >> (bit + i) % 32 & 1} << i;
    }
    return value;
}

template <class Port, std::size_t N>
void put_words(Port& port, std::size_t first, const std::array<std::uint32_t, N>& words)
{
    for (std::size_t i = 0; i < N; ++i) port[first + i] = words[i];
}

} // namespace pins

template <class Model>
class verilated_block final : public block {
public:
    explicit verilated_block(unsigned ports) : ports_(ports), model_(std::make_unique<Model>(&context_))
    {
        model_->rst = 1;
        step();
        reset();
    }
    ~verilated_block() override { model_->final(); }

    unsigned ports() const override { return ports_; }

    void reset() override
    {
        for (unsigned p = 0; p < ports_; ++p) {
            withdraw(p);
            resp_ready(p, true);
        }
        model_->rst = 1;
        step();
        step();
        model_->rst = 0;
    }

    void offer(unsigned port, const request& r) override
    {
        using pins::put;
        put(model_->req_op, 3 * port, 3, static_cast<unsigned>(r.opcode));
        put(model_->req_space, port, 1, r.output);
        put(model_->req_region, 3 * port, 3, static_cast<unsigned>(r.region));
        put(model_->req_form, 2 * port, 2, static_cast<unsigned>(r.form));
        put(model_->req_type, 2 * port, 2, static_cast<unsigned>(r.type));
        put(model_->req_size, 3 * port, 3, r.size);
        put(model_->req_skew, port, 1, r.skew);
        put(model_->req_context, 16 * port, 16, r.context);
        put(model_->req_immediate, 32 * port, 32, static_cast<std::uint32_t>(r.immediate));
        put(model_->req_lanes, 32 * port, 32, r.lanes);
        pins::put_words(model_->req_address, 32 * port, r.address);
        pins::put_words(model_->req_handle, 32 * port, r.handle);
        pins::put_words(model_->req_data, 128 * port, r.data);
        put(model_->req_valid, port, 1, 1);
    }
    void withdraw(unsigned port) override { pins::put(model_->req_valid, port, 1, 0); }
    void resp_ready(unsigned port, bool ready) override { pins::put(model_->resp_ready, port, 1, ready); }

    bool req_ready(unsigned port) override
    {
        settle();
        return pins::get(model_->req_ready, port, 1) != 0;
    }
    bool resp_valid(unsigned port) override
    {
        settle();
        return pins::get(model_->resp_valid, port, 1) != 0;
    }
    response resp(unsigned port) override
    {
        settle();
        response r;
        for (std::size_t i = 0; i < r.data.size(); ++i) r.data[i] = model_->resp_data[128 * port + i];
        for (std::size_t i = 0; i < lane_count; ++i) {
            r.status[i] = static_cast<std::uint16_t>(pins::get(model_->resp_status, 512 * port + 16 * i, 16));
        }
        r.error = static_cast<unsigned>(pins::get(model_->resp_error, 8 * port, 8));
        r.passes = static_cast<unsigned>(pins::get(model_->resp_passes, 16 * port, 16));
        r.cycle = cycle_;
        return r;
    }

    void step() override
    {
        settle();
        model_->clk = 1;
        model_->eval();
        ++cycle_;
    }

private:
    void settle()
    {
        model_->clk = 0;
        model_->eval();
    }

    unsigned ports_;
    VerilatedContext context_;
    std::unique_ptr<Model> model_;
};

} // namespace rtl
