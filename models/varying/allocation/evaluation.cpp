// SPDX-License-Identifier: Apache-2.0
#include "models/varying/allocation/evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tlm/float_bits.h"

namespace isbesim::varying {

namespace {

constexpr word sign = 0x80000000;

word to_integer(float value, bool is_unsigned)
{
    if (std::isnan(value)) return 0;
    const double low = is_unsigned ? 0.0 : -2147483648.0, high = is_unsigned ? 4294967295.0 : 2147483647.0;
    return static_cast<word>(static_cast<std::int64_t>(std::clamp(static_cast<double>(value), low, high)));
}

using vector = std::array<word, 4>;

class evaluator {
public:
    evaluator(const shader& program, const allocation& placed, const thread_inputs& thread)
        : program_(program), placed_(placed), thread_(thread)
    {
    }

    std::vector<evaluated_event> run()
    {
        for (const auto& each : program_.instructions) {
            if (each.opcode == "END") break;
            step(each);
        }
        if (program_.effective_kind() != processor::geometry) emit(0);
        return std::move(events_);
    }

private:
    using key = std::pair<register_file, unsigned>;

    void step(const instruction& each)
    {
        if (each.opcode == "NOP") return;
        if (each.opcode == "EMIT" || each.opcode == "ENDPRIM") {
            const word stream = each.operands.empty() ? 0 : read(each.operands[0], false)[0];
            if (each.opcode == "EMIT") return emit(stream);
            events_.push_back({true, stream, {}});
            return;
        }
        static constexpr const char* integer_opcodes[] = {"UARL", "UADD", "UMUL", "UMAD", "AND", "OR",
                                                          "XOR",  "SHL",  "INEG", "I2F",  "U2F"};
        const bool integer =
            std::find(std::begin(integer_opcodes), std::end(integer_opcodes), each.opcode) != std::end(integer_opcodes);
        std::array<vector, 3> sources{};
        for (std::size_t s = each.destinations; s < each.operands.size() && s < each.destinations + 3; ++s)
            sources[s - each.destinations] = read(each.operands[s], integer);
        const auto& [a, b, c] = sources;
        vector result{};
        for (unsigned i = 0; i < 4; ++i) {
            result[i] = component(each, i, a, b, c);
            if (each.saturate) result[i] = saturated(result[i]);
        }
        write(each.operands.front(), result);
    }

    static word saturated(word value)
    {
        const float number = to_float(value);
        return to_bits(number > 0.0F ? std::min(number, 1.0F) : 0.0F);
    }

    static word dot(const vector& a, const vector& b, unsigned count)
    {
        float sum = to_float(a[0]) * to_float(b[0]);
        for (unsigned i = 1; i < count; ++i) sum = std::fma(to_float(a[i]), to_float(b[i]), sum);
        return to_bits(sum);
    }

    static word component(const instruction& each, unsigned i, const vector& a, const vector& b, const vector& c)
    {
        const auto& op = each.opcode;
        if (op == "MOV" || op == "UARL") return a[i];
        if (op == "ADD") return to_bits(to_float(a[i]) + to_float(b[i]));
        if (op == "SUB") return to_bits(to_float(a[i]) - to_float(b[i]));
        if (op == "MUL") return to_bits(to_float(a[i]) * to_float(b[i]));
        if (op == "MAD" || op == "FMA") return to_bits(std::fma(to_float(a[i]), to_float(b[i]), to_float(c[i])));
        if (op == "MIN") return to_bits(std::fmin(to_float(a[i]), to_float(b[i])));
        if (op == "MAX") return to_bits(std::fmax(to_float(a[i]), to_float(b[i])));
        if (op == "DP2") return dot(a, b, 2);
        if (op == "DP3") return dot(a, b, 3);
        if (op == "DP4") return dot(a, b, 4);
        if (op == "ARL") return to_integer(std::floor(to_float(a[i])), false);
        if (op == "UADD") return a[i] + b[i];
        if (op == "UMUL") return a[i] * b[i];
        if (op == "UMAD") return a[i] * b[i] + c[i];
        if (op == "AND") return a[i] & b[i];
        if (op == "OR") return a[i] | b[i];
        if (op == "XOR") return a[i] ^ b[i];
        if (op == "SHL") return a[i] << (b[i] & 31U);
        if (op == "INEG") return 0U - a[i];
        if (op == "I2F") return to_bits(static_cast<float>(static_cast<std::int32_t>(a[i])));
        if (op == "U2F") return to_bits(static_cast<float>(a[i]));
        if (op == "F2I") return to_integer(std::trunc(to_float(a[i])), false);
        if (op == "F2U") return to_integer(std::trunc(to_float(a[i])), true);
        throw shader_error(each.at, op + " is not evaluated, expected an opcode that is lowered");
    }

    /// The register number that an access refers to; nothing if it is outside its array.
    std::optional<unsigned> number_of(const operand& access)
    {
        std::int64_t number = access.index.offset;
        if (const auto& part = access.index.indirect)
            number += static_cast<std::int32_t>(registers_[{part->file, part->number}][part->component]);
        unsigned first = 0, last = 65535;
        for (const auto& each : program_.declarations) {
            if (access.array == 0 || each.file != access.file || each.array != access.array) continue;
            first = each.first;
            last = each.last;
        }
        if (access.counts_from_array) number += first;
        if (number < first || number > last) return std::nullopt;
        return static_cast<unsigned>(number);
    }

    /// The array's declaration if the index of an access counts components, otherwise null.
    const declaration* component_array(const operand& access) const
    {
        if (!access.index.indirect || access.array == 0) return nullptr;
        for (const auto& each : program_.declarations)
            if (each.by_component && each.file == access.file && each.array == access.array) return &each;
        return nullptr;
    }

    /// Register and component that component c of such an access refers to; nothing outside the array.
    std::optional<std::pair<unsigned, unsigned>> scalar_of(const operand& access, const declaration& array, unsigned c)
    {
        const auto& part = *access.index.indirect;
        const std::int64_t width = placed_.find_array(access.file, access.array)->width();
        const std::int64_t registers = access.index.offset - (access.counts_from_array ? 0 : std::int64_t{array.first});
        const std::int64_t scalar =
            static_cast<std::int32_t>(registers_[{part.file, part.number}][part.component]) + registers * width + c;
        if (scalar < 0 || scalar >= width * array.registers()) return std::nullopt;
        return std::pair(array.first + static_cast<unsigned>(scalar / width), static_cast<unsigned>(scalar % width));
    }

    unsigned vertex_of(const operand& access)
    {
        if (!access.vertex) return 0;
        auto vertex = static_cast<unsigned>(access.vertex->offset);
        if (const auto& part = access.vertex->indirect)
            vertex += registers_[{part->file, part->number}][part->component];
        return vertex;
    }

    vector read_register(const operand& access)
    {
        vector value{};
        if (const auto* array = component_array(access)) {
            for (unsigned c = 0; c < 4; ++c)
                if (const auto scalar = scalar_of(access, *array, c))
                    value[c] = access.file == register_file::input
                                   ? thread_.input(vertex_of(access), scalar->first, scalar->second)
                                   : registers_[{access.file, scalar->first}][scalar->second];
            return value;
        }
        const auto number = number_of(access);
        if (!number) return value;
        switch (access.file) {
        case register_file::input: {
            const unsigned vertex = vertex_of(access);
            for (unsigned c = 0; c < 4; ++c)
                if (placed_.find(access.file, *number, c) != nullptr) value[c] = thread_.input(vertex, *number, c);
            return value;
        }
        case register_file::constant:
            for (unsigned c = 0; c < 4; ++c)
                value[c] =
                    thread_.constant(access.vertex ? static_cast<unsigned>(access.vertex->offset) : 0, *number, c);
            return value;
        case register_file::immediate:
            std::copy_n(program_.immediates.at(*number).words.begin(), 4, value.begin());
            return value;
        case register_file::system_value:
            for (const auto& each : program_.declarations) {
                if (each.file != access.file || *number < each.first || *number > each.last || !each.meaning) continue;
                value.fill(thread_.system_value(*each.meaning));
                break;
            }
            return value;
        default:
            return registers_[{access.file, *number}];
        }
    }

    vector read(const operand& access, bool integer)
    {
        const auto read = read_register(access);
        vector value{};
        for (unsigned c = 0; c < 4; ++c) {
            value[c] = read[access.swizzle(c)];
            if (access.absolute) value[c] &= ~sign;
            if (access.negate) value[c] = integer ? 0U - value[c] : value[c] ^ sign;
        }
        return value;
    }

    void write(const operand& access, const vector& value)
    {
        if (const auto* array = component_array(access)) {
            const unsigned mask = access.write_mask() & placed_.find_array(access.file, access.array)->mask;
            for (unsigned c = 0; c < 4; ++c)
                if ((mask >> c & 1U) != 0)
                    if (const auto scalar = scalar_of(access, *array, c))
                        registers_[{access.file, scalar->first}][scalar->second] = value[c];
            return;
        }
        const auto number = number_of(access);
        if (!number) return;
        auto& target = registers_[{access.file, *number}];
        for (unsigned c = 0; c < 4; ++c)
            if ((access.write_mask() >> c & 1U) != 0) target[c] = value[c];
    }

    void emit(unsigned stream)
    {
        evaluated_event event{false, stream, {}};
        for (const auto& place : placed_.components())
            if (place.owner->declared->file == register_file::output)
                event.values.push_back(registers_[{register_file::output, place.number}][place.component]);
        events_.push_back(std::move(event));
        for (auto& [which, value] : registers_)
            if (which.first == register_file::output) value = {};
    }

    const shader& program_;
    const allocation& placed_;
    const thread_inputs& thread_;
    std::map<key, vector> registers_;
    std::vector<evaluated_event> events_;
};

} // namespace

std::vector<evaluated_event> evaluate(const shader& program, const allocation& placed, const thread_inputs& thread)
{
    return evaluator(program, placed, thread).run();
}

} // namespace isbesim::varying
