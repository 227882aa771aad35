// Emitted sequences on the simulator: random declarations, random indices, every strategy and architecture, on every
// modelled back end, against what the declarations mean.
#include "models/varying/lowering.h"

#include <random>

#include "models/isa/schedule.h"
#include "models/varying/evaluation.h"
#include "tests/varying/vertex_bench.h"

namespace isbesim::varying {
namespace {

constexpr strategy strategies[] = {strategy::chain, strategy::indirect, strategy::split, strategy::local};
constexpr isa::architecture architectures[] = {isa::architecture::sm50, isa::architecture::sm75};

class random_program {
public:
    explicit random_program(unsigned seed) : twister_(seed) { make(); }

    std::string text;

private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(twister_() % below); }

    struct array {
        unsigned id, first, count, width;
    };

    /// Arrays of random widths at random scalars, in random order of registers.
    std::vector<array> declare(const char* file, unsigned first_scalar, unsigned end_scalar)
    {
        std::vector<array> made;
        unsigned number = pick(3), scalar = first_scalar + pick(4), id = 1 + pick(3);
        std::vector<std::string> lines;
        while (made.size() < 3) {
            const unsigned width = 1 + pick(4), count = 1 + pick(9);
            if (scalar + width * count > end_scalar) break;
            made.push_back({id, number, count, width});
            lines.push_back(std::string(file) + "[" + std::to_string(number) + ".." +
                            std::to_string(number + count - 1) + "]." + std::string("xyzw").substr(0, width) +
                            ", GENERIC[" + std::to_string(scalar / 4) + "]." + "xyzw"[scalar % 4] + ", ARRAY(" +
                            std::to_string(id) + ")\n");
            number += count + pick(2);
            scalar += width * count + pick(3);
            ++id;
        }
        std::shuffle(lines.begin(), lines.end(), twister_);
        for (const auto& line : lines) text += line;
        return made;
    }

    std::string element(const char* file, const array& which)
    {
        const auto name = std::string(file);
        if (pick(3) == 0) return name + "[" + std::to_string(which.first + pick(which.count)) + "]";
        const int shift = static_cast<int>(pick(5)) - 2;
        const auto index = std::string("ADDR[0].") + "xy"[pick(2)];
        const auto offset = [](int value) { return value == 0 ? "" : (value > 0 ? "+" : "") + std::to_string(value); };
        const auto id = "(" + std::to_string(which.id) + ")";
        if (pick(2) == 0) return name + id + "[" + index + offset(shift) + "]";
        return name + "[" + index + offset(shift + static_cast<int>(which.first)) + "]" + id;
    }

    void make()
    {
        text = "VERT\n";
        const auto inputs = declare("IN", 4, 60);
        const auto outputs = declare("OUT", 0, 100);
        // Two indices come in attribute 31, -3 to 11: outside the arrays, too.
        text += "IN[100], GENERIC[31]\nOUT[100], POSITION\nOUT[101..108].x, CLIPDIST, ARRAY(9)\nADDR[0]\nTEMP[0..3]\n"
                "IMM[0] FLT32 {0.5, 2.0, -1.0, 3.0}\nUARL ADDR[0].xy, IN[100].xyyy\nMOV OUT[100], IN[100].zzww\n";
        auto writable = outputs;
        writable.push_back({9, 101, 8, 1});
        for (unsigned i = 4 + pick(6); i > 0; --i) {
            const auto& to = writable[pick(static_cast<unsigned>(writable.size()))];
            const unsigned width = to.width;
            std::string mask;
            for (unsigned c = 0; c < width; ++c)
                if (pick(4) != 0) mask += "xyzw"[c];
            const auto& from = inputs[pick(static_cast<unsigned>(inputs.size()))];
            std::string swizzle = ".";
            for (unsigned c = 0; c < 4; ++c) swizzle += "xyzw"[pick(from.width)];
            const auto source = element("IN", from) + swizzle;
            const auto target = element("OUT", to) + (mask.empty() ? "" : "." + mask);
            switch (pick(5)) {
            case 0:
                text += "MOV " + target + ", IMM[0].yxwz\n";
                break;
            case 1:
                text += "ADD " + target + ", -|" + source + "|, IMM[0].xyzw\n";
                break;
            case 2:
                text += "MOV TEMP[" + std::to_string(pick(4)) + "], " + source + "\n";
                text += "MAX " + target + ", TEMP[" + std::to_string(pick(4)) + "].wzyx, IMM[0].zzzz\n";
                break;
            default:
                text += "MOV " + target + ", " + source + "\n";
            }
        }
    }

    std::mt19937 twister_;
};

constexpr unsigned index_attribute = (0x80 + 31 * 16) / 4;

class lane_inputs : public thread_inputs {
public:
    lane_inputs(const allocation& placed, const std::function<word(unsigned, unsigned)>& input, unsigned lane)
        : placed_(placed), input_(input), lane_(lane)
    {
    }
    word input(unsigned, unsigned number, unsigned component) const override
    {
        return input_(address_of(placed_, register_file::input, number, component) / 4, lane_);
    }
    word system_value(semantic) const override { return 0; }
    word constant(unsigned, unsigned, unsigned) const override { return 0; }

private:
    const allocation& placed_;
    const std::function<word(unsigned, unsigned)>& input_;
    unsigned lane_;
};

class lowering : public testing::TestWithParam<std::string> {
protected:
    void check(const std::string& text, unsigned seed, strategy how, isa::architecture arch)
    {
        const auto code = parse_one(text);
        const auto placed = allocate(code);
        const auto made = lower(code, placed, {arch, how, true});
        const auto program = isa::assemble(made.text(), arch);
        std::mt19937 twister(seed);
        std::array<std::array<word, warp_lanes>, attribute_ids> values{};
        for (unsigned id = 0; id < attribute_ids; ++id)
            for (auto& value : values[id]) {
                // Small fractions are exact in every operation above; two components are indices.
                value = static_cast<word>(twister());
                if (id == index_attribute || id == index_attribute + 1) {
                    value = value % 15 - 3;
                } else {
                    const float number = static_cast<float>(value % 4096) * 0.25F;
                    std::memcpy(&value, &number, sizeof value);
                }
            }
        const std::function<word(unsigned, unsigned)> input = [&](unsigned id, unsigned lane) {
            return values[id][lane];
        };
        bench_->run(program, made.local_bytes, placed, {}, input);
        if (HasFatalFailure()) FAIL() << text << made.text();
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            const auto expected = evaluate(code, placed, lane_inputs(placed, input, lane));
            ASSERT_EQ(expected.size(), 1U);
            std::size_t i = 0;
            for (const auto& place : placed.components()) {
                if (place.owner->declared->file != register_file::output) continue;
                ASSERT_EQ(bench_->output(place.address / 4, lane), expected[0].values[i++])
                    << "OUT[" << place.number << "]."
                    << "xyzw"[place.component] << " lane " << lane << "\n"
                    << text << made.text();
            }
        }
    }
    void SetUp() override { bench_ = std::make_unique<vertex_bench>(GetParam()); }

    std::unique_ptr<vertex_bench> bench_;
};

INSTANTIATE_TEST_SUITE_P(on, lowering, testing::ValuesIn(test::back_ends()),
                         [](const auto& chosen) { return chosen.param; });

TEST_P(lowering, VAR_04_VAR_06_random_programs_mean_what_their_declarations_mean)
{
    for (unsigned seed = 0; seed < 250; ++seed) {
        const random_program made(seed);
        for (const auto arch : architectures)
            for (const auto how : strategies) {
                ASSERT_NO_FATAL_FAILURE(check(made.text, seed, how, arch))
                    << "seed " << seed << " strategy " << static_cast<int>(how);
            }
    }
}

} // namespace
} // namespace isbesim::varying
