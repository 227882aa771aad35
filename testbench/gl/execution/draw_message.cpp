// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/draw_message.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "testbench/chip/batch_rows.h"
#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/capture/draw_record.h"

namespace isbesim::gl {

namespace {

void put_text(byte_writer& out, const std::string& text)
{
    out.put(static_cast<std::uint32_t>(text.size()));
    out.put_bytes(text);
}

template <typename Stream, typename Layout>
void layout_fields(Stream& stream, Layout& layout)
{
    for (auto& buffer : layout) {
        field<std::uint8_t>(stream, buffer.enabled);
        field<std::uint32_t>(stream, buffer.stream);
        field<std::uint64_t>(stream, buffer.address);
        field<std::uint32_t>(stream, buffer.bytes);
        field<std::uint32_t>(stream, buffer.stride);
        number_fields<std::uint32_t>(stream, buffer.attributes);
    }
}

template <typename Function>
void for_each_number(stream_out_position& position, Function&& function)
{
    for (unsigned i = 0; i < 4; ++i) {
        function(position.offset[i]);
        function(position.written[i]);
        function(position.needed[i]);
    }
}

void write_table(byte_writer& out, const memory_map& table)
{
    out.put(static_cast<std::uint32_t>(table.size()));
    for (const auto& [address, range] : table) {
        out.put(address);
        out.put(range.bytes);
        out.put(range.place);
    }
}

memory_map read_table(byte_reader& in)
{
    memory_map table;
    for (auto left = in.get_count(24); left > 0; --left) {
        const auto address = in.get<std::uint64_t>();
        const auto bytes = in.get<std::uint64_t>();
        table.emplace_hint(table.end(), address, memory_range{bytes, in.get<std::uint64_t>(), {}});
    }
    return table;
}

void write_ranges(byte_writer& out, const address_ranges& ranges)
{
    out.put(static_cast<std::uint32_t>(ranges.ends().size()));
    for (const auto& [first, end] : ranges.ends()) {
        out.put(first);
        out.put(end);
    }
}

address_ranges read_ranges(byte_reader& in)
{
    address_ranges ranges;
    for (auto left = in.get_count(16); left > 0; --left) {
        const auto first = in.get<std::uint64_t>();
        ranges.add(first, in.get<std::uint64_t>());
    }
    return ranges;
}

/// Precedes the departures and the rows of a TPC.
struct rows_head {
    std::uint64_t batches, bytes, tpc, departed;
};

} // namespace

void draw_result::add(const draw_result& other)
{
    if (done && !other.done) text = other.text;
    done = done && other.done;
    if (other.traps != 0 && (traps == 0 || other.trap_turn < trap_turn)) {
        trap = other.trap;
        trap_turn = other.trap_turn;
    }
    traps += other.traps;
    read_undrawn = read_undrawn || other.read_undrawn;
    cycles = std::max(cycles, other.cycles);
    primitives_in += other.primitives_in;
    const auto sum = [](auto& all, const auto& more) {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] += more[i];
    };
    sum(primitives_out, other.primitives_out);
    sum(vertices_out, other.vertices_out);
    sum(invocations, other.invocations);
}

void write_rows(std::string& message, std::uint64_t batches, unsigned tpc, std::string_view bytes,
                const std::vector<departures>& departed)
{
    const rows_head head{batches, bytes.size(), tpc, departed.size()};
    message.append(reinterpret_cast<const char*>(&head), sizeof head);
    for (const auto& each : departed) message.append(reinterpret_cast<const char*>(&each), sizeof each);
    message.append(bytes);
}

std::uint64_t pass_on_rows(const chip_config& chip, const std::vector<std::string>& messages, vertex_sink* to)
{
    std::vector<testbench::open_file> files;
    std::vector<testbench::tpc_rows> tpcs(chip.all_tpcs());
    std::vector<std::vector<departures>> departed(chip.all_tpcs());
    for (const auto& message : messages) {
        rows_head head{};
        for (std::size_t offset = 0; offset < message.size(); offset += head.bytes) {
            std::memcpy(&head, message.data() + offset, sizeof head);
            offset += sizeof head;
            auto& left = departed[head.tpc];
            left.resize(head.departed);
            if (!left.empty()) std::memcpy(left.data(), message.data() + offset, head.departed * sizeof(departures));
            offset += head.departed * sizeof(departures);
            if (to == nullptr || head.batches == 0) continue;
            files.emplace_back(fmemopen(const_cast<char*>(message.data() + offset), head.bytes, "rb"));
            if (!files.back()) throw std::runtime_error("no memory for the vertices of a TPC");
            tpcs[head.tpc] = {files.back().get(), head.batches};
        }
    }
    if (to != nullptr) testbench::put_in_order(chip, tpcs, *to);
    return testbench::end_of_raster(chip, departed);
}

std::string write_request(const built_draw& draw, const draw_part& part, const stream_out_layout& layout,
                          const stream_out_position& position, const sent_memory& memory)
{
    std::vector<std::string> blobs;
    const std::vector<memory_extent> nothing;
    const auto record = write_draw({draw.call, draw.programs, nothing}, [&](const std::string& bytes) {
        blobs.push_back(bytes);
        return static_cast<std::uint32_t>(blobs.size() - 1);
    });
    byte_writer out;
    out.put(std::uint64_t{0});
    out.put(static_cast<std::uint8_t>(part.how));
    out.put(part.first);
    out.put(part.step);
    out.put(static_cast<std::uint8_t>(memory.table != nullptr ? 1 : 0));
    if (memory.table != nullptr) write_table(out, *memory.table);
    write_ranges(out, memory.undrawn != nullptr ? *memory.undrawn : address_ranges());
    layout_fields(out, layout);
    auto numbers = position;
    for_each_number(numbers, [&](auto number) { out.put(number); });
    out.put(static_cast<std::uint32_t>(blobs.size()));
    for (const auto& blob : blobs) put_text(out, blob);
    put_text(out, record);
    auto message = out.take();
    const std::uint64_t size = message.size() - sizeof size;
    std::memcpy(&message[0], &size, sizeof size);
    return message;
}

draw_request read_request(const std::string& bytes, gpu_memory& memory, decoded_programs& programs)
{
    byte_reader in(bytes);
    draw_request request;
    enum_field(in, request.part.how, draw_part::kind::whole);
    request.part.first = in.get<std::uint32_t>();
    request.part.step = in.get<std::uint32_t>();
    if (in.get<std::uint8_t>() != 0) memory.set_table(read_table(in));
    memory.set_undrawn(read_ranges(in));
    layout_fields(in, request.layout);
    for_each_number(request.position, [&](auto& number) { number = in.get<std::decay_t<decltype(number)>>(); });
    std::vector<std::string> blobs(in.get_count(4));
    for (auto& blob : blobs) blob = in.get_bytes(in.get_count(1));
    const auto record = in.get_bytes(in.get_count(1));
    request.draw = read_draw(
        std::string(record), [&](std::uint32_t number) -> const std::string& { return blobs.at(number); }, programs,
        std::shared_ptr<memory_contents>(std::shared_ptr<void>(), &memory));
    return request;
}

} // namespace isbesim::gl
