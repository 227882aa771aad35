// SPDX-License-Identifier: Apache-2.0
// Trace files: they are read back as written, and no changed byte goes unnoticed.
#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traces/access_order.h"
#include "testbench/crosscheck/traces/trace_check.h"
#include "testbench/crosscheck/traces/trace_ports.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "testbench/crosscheck/traces/trace_writer.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/crosscheck/small_machine.h"
#include "tests/support/error_text.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {
namespace {

constexpr const char* machine_json = R"({"isbe":{"ports":2}})";

class trace : public testing::Test {
protected:
    std::vector<trace_record> write(unsigned transactions)
    {
        const auto config = small_machine();
        random_traffic traffic(config, 11, transactions);
        isbe_core core(config);
        access_order order(config);
        trace_writer writer(path_, machine_json, 2, false);
        std::vector<trace_record> records;
        traffic_item item;
        warp_result result;
        for (unsigned i = 0; i < transactions; ++i) {
            trace_record record;
            record.port = i % 2;
            if (!traffic.next(record.port, item)) break;
            record.stream = static_cast<std::uint8_t>(10 + record.port);
            record.request = item.earliest;
            record.accept = item.earliest + i % 3;
            record.response = item.earliest + i % 200;
            record.response_hold = item.response_hold;
            record.op = item.op;
            if (!is_raw(record.op.op)) record.op.region = static_cast<region>(i % 8); // ignored
            order.next(record.stream, record.op, record.after);
            record.waits.count = i % (wait_list::most + 1);
            for (unsigned w = 0; w < record.waits.count; ++w) {
                const auto event = static_cast<awaited_event>((i + w) % enum_count<last_awaited_event>);
                const auto distance = event == awaited_event::start ? 0 : 1 + i * w % std::min(i, trace_window - 1);
                record.waits.entries[w] = {static_cast<std::uint16_t>(distance), event, std::uint64_t{i} << (w * 3)};
            }
            core.execute(record.op, result);
            record.answer = answer_of(record.op, result);
            writer.write(record);
            records.push_back(record);
        }
        writer.close();
        return records;
    }
    std::string bytes() const { return temporary_folder::read(path_); }
    void put(const std::string& content) const
    {
        std::filesystem::remove(path_); // some file systems wait for the disk when a file is overwritten
        folder_.write("trace", content);
    }

    /// Corrects the checksum for the changed bytes, as a forger would.
    static void seal(std::string& content)
    {
        checksum sum;
        sum.add_bytes(content.data(), content.size() - 8);
        for (unsigned i = 0; i < 8; ++i)
            content[content.size() - 8 + i] = static_cast<char>(sum.value() >> (8 * i) & 0xff);
    }
    /// The text of the trace_error that reading everything ends with; empty without an error.
    std::string read_all() const
    {
        try {
            check_trace(open_trace(path_), small_machine());
        } catch (const trace_error& error) {
            EXPECT_LE(error.offset(), bytes().size());
            return error.what();
        }
        return "";
    }

    const temporary_folder folder_;
    const std::string path_ = folder_.path("trace");
};

void expect_same(const warp_op& a, const warp_op& b)
{
#define ISBESIM_FIELD(name, ...) ASSERT_EQ(a.name, b.name);
#include "tlm/request_fields.inc"
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if (b.op == opcode::bind) {
            ASSERT_EQ(a.data[0][lane], b.data[0][lane]);
            ASSERT_EQ(a.data[1][lane], b.data[1][lane]);
        }
        if (((b.lanes >> lane) & 1U) == 0) continue; // don't-care, not stored
        ASSERT_EQ(a.address[lane], b.address[lane]);
        ASSERT_EQ(a.handle[lane], b.handle[lane]);
        for (unsigned c = 0; c < (b.op == opcode::ast ? b.size : b.op == opcode::isbewr ? 1U : 0U); ++c)
            ASSERT_EQ(a.data[c][lane], b.data[c][lane]);
    }
}

TEST_F(trace, round_trip_keeps_every_field)
{
    const auto records = write(3000);
    const auto file = open_trace(path_);
    EXPECT_EQ(file.config_json, machine_json);
    EXPECT_EQ(file.ports, 2U);
    EXPECT_FALSE(file.loosely_timed);
    EXPECT_EQ(file.operations, records.size());
    trace_reader reader(file);
    trace_record got;
    unsigned dependencies = 0;
    for (const auto& wanted : records) {
        ASSERT_TRUE(reader.next(got));
        ASSERT_EQ(got.port, wanted.port);
        ASSERT_EQ(got.stream, wanted.stream);
        ASSERT_EQ(got.request, wanted.request);
        ASSERT_EQ(got.accept, wanted.accept);
        ASSERT_EQ(got.response, wanted.response);
        ASSERT_EQ(got.response_hold, wanted.response_hold);
        ASSERT_EQ(got.answer, wanted.answer);
        ASSERT_EQ(got.after.count, wanted.after.count);
        for (unsigned i = 0; i < got.after.count; ++i) ASSERT_EQ(got.after.distance[i], wanted.after.distance[i]);
        dependencies += got.after.count;
        ASSERT_EQ(got.waits.count, wanted.waits.count);
        for (unsigned i = 0; i < got.waits.count; ++i) {
            ASSERT_EQ(got.waits.entries[i].distance, wanted.waits.entries[i].distance);
            ASSERT_EQ(got.waits.entries[i].event, wanted.waits.entries[i].event);
            ASSERT_EQ(got.waits.entries[i].gap, wanted.waits.entries[i].gap);
        }
        expect_same(got.op, wanted.op);
    }
    EXPECT_FALSE(reader.next(got));
    EXPECT_GT(dependencies, 100U);
}

TEST_F(trace, ports_are_read_independently)
{
    const auto records = write(2000);
    trace_ports source(open_trace(path_));
    traffic_item got;
    for (const unsigned port : {1U, 0U}) { // one far ahead of the other
        for (const auto& wanted : records) {
            if (wanted.port != port) continue;
            ASSERT_TRUE(source.next(port, got));
            ASSERT_EQ(got.earliest, wanted.request);
            ASSERT_EQ(got.response_hold, wanted.response_hold);
            expect_same(got.op, wanted.op);
        }
        EXPECT_FALSE(source.next(port, got));
    }
}

TEST_F(trace, every_changed_byte_is_found)
{
    write(60);
    const auto whole = bytes();
    EXPECT_EQ(read_all(), "");
    for (std::size_t position = 0; position < whole.size(); ++position) {
        auto changed = whole;
        changed[position] = static_cast<char>(changed[position] ^ (1 << position % 8));
        put(changed);
        ASSERT_NE(read_all(), "") << position;
    }
}

TEST_F(trace, cuts_insertions_and_swaps_are_found)
{
    write(60);
    const auto whole = bytes();
    std::mt19937 random(5);
    const auto place = [&] { return random() % whole.size(); };
    for (unsigned i = 0; i < 10000; ++i) {
        auto changed = whole;
        switch (i % 4) {
        case 0:
            changed.resize(place());
            break;
        case 1:
            changed.insert(place(), 1 + random() % 9, static_cast<char>(random()));
            break;
        case 2:
            changed.erase(place(), 1 + random() % 9);
            break;
        case 3:
            std::swap(changed[place()], changed[place()]);
            break;
        }
        if (changed == whole) continue;
        put(changed);
        ASSERT_NE(read_all(), "") << i;
    }
}

// With the right checksum the records are checked: an error with its place, or a valid trace.
TEST_F(trace, forged_records_are_read_or_refused)
{
    write(60);
    const auto whole = bytes();
    std::mt19937 random(6);
    unsigned refused = 0;
    for (unsigned i = 0; i < 10000; ++i) {
        auto changed = whole;
        for (unsigned n = 1 + random() % 4; n != 0; --n)
            changed[random() % (changed.size() - 8)] = static_cast<char>(random());
        if (i % 5 == 0) changed.erase(random() % (changed.size() - 8), 1 + random() % 100);
        if (changed.size() < 40) continue;
        seal(changed);
        put(changed);
        refused += read_all().empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 2000U);
}

TEST_F(trace, other_files_are_refused)
{
    put("this is not a trace at all");
    EXPECT_NE(read_all().find("is no transaction trace"), std::string::npos);
    put("");
    EXPECT_NE(read_all().find("empty"), std::string::npos);
    for (const auto* old : {"ISBETRC1 and so on", "ISBETRC2 and so on"}) {
        put(old);
        EXPECT_NE(read_all().find("expected format 3 (ISBETRC3): record it again"), std::string::npos);
    }
    EXPECT_THROW(open_trace(path_ + ".missing"), trace_error);
    EXPECT_THROW(open_trace(folder_.path()), trace_error);
}

TEST_F(trace, a_file_that_was_not_closed_is_not_there_and_its_beginning_is_refused)
{
    const auto write = [this](bool close) {
        trace_writer writer(path_, machine_json, 1, false);
        trace_record record;
        for (unsigned i = 0; i < 5000; ++i) writer.write(record);
        if (close) writer.close();
    };
    write(false);
    EXPECT_FALSE(std::filesystem::exists(path_));
    write(true);
    EXPECT_EQ(read_all(), "");
    constexpr std::uintmax_t trailer = 1 + 8 + 8; // mark, number of operations, sum
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - trailer);
    EXPECT_NE(read_all().find("not written to its end"), std::string::npos);
}

// Each wait is for an event of an operation before it, so no two can wait for each other.
TEST_F(trace, waits_for_later_operations_are_refused)
{
    const auto write = [this](const wait_entry& wait) {
        trace_writer writer(path_, machine_json, 1, false);
        trace_record record;
        writer.write(record);
        record.waits.count = 1;
        record.waits.entries[0] = wait;
        writer.write(record);
        writer.close();
        return read_all();
    };
    EXPECT_EQ(write({1, awaited_event::response, 7}), "");
    EXPECT_EQ(write({0, awaited_event::start, 7}), "");
    EXPECT_NE(write({2, awaited_event::due, 7}).find("operation 1 waits for one at distance 2, expected at most 1"),
              std::string::npos);
    EXPECT_NE(write({0, awaited_event::accept, 7}).find("operation 1 waits for itself"), std::string::npos);
    EXPECT_NE(write({1, awaited_event::start, 7}).find("operation 1 waits for itself or for the start"),
              std::string::npos);
    EXPECT_NE(write({1, static_cast<awaited_event>(5), 7}).find("waits for event 5, expected 0 to 4"),
              std::string::npos);
    EXPECT_NE(write({1, awaited_event::due, max_trace_cycle}).find("gap of a wait"), std::string::npos);
    EXPECT_NE(write({trace_window, awaited_event::due, 0}).find("distance of a wait 4096, expected at most 4095"),
              std::string::npos);
}

/// One record in a trace of its own.
class one_operation : public trace {
protected:
    std::string check(const warp_op& op, const isbe_config& recorded = {})
    {
        trace_record record;
        record.op = op;
        trace_writer writer(path_, machine_json, 1, false);
        writer.write(record);
        writer.close();
        return error_text<trace_error>([&] { needs_ = check_trace(open_trace(path_), recorded); });
    }
    trace_needs needs_;
};

TEST_F(one_operation, needs_the_reached_storage_within_the_recorded_size)
{
    isbe_config config;
    config.lines = 16;
    warp_op op;
    op.op = opcode::isberd;
    op.region = region::physical;
    op.size = 4;
    op.lanes = 0x7;
    op.address = {8, 2040, static_cast<word>(-8)};
    op.immediate = 4;
    EXPECT_EQ(check(op, config), "");
    EXPECT_EQ(needs_.storage_bytes, 2048U);
    EXPECT_EQ(needs_.storage_below, trace_needs::no_limit);
    op.address[0] = 2041;
    EXPECT_EQ(check(op, config), "");
    EXPECT_EQ(needs_.storage_bytes, 2048U);
    EXPECT_EQ(needs_.storage_below, 2049U);
}

TEST_F(one_operation, needs_the_regions_of_the_context_that_it_binds)
{
    context c;
    c.stage = stage::vertex;
    c.input.attr_base = 1280;
    c.input.attr_bytes = 256;
    c.output.map_base = 1600;
    c.output.map_bytes = 8;
    warp_op op;
    op.op = opcode::bind;
    op.context = 7;
    pack_context(c, op);
    EXPECT_EQ(check(op), "");
    EXPECT_EQ(needs_.storage_bytes, 1608U);
    EXPECT_EQ(needs_.contexts, 8U);
    EXPECT_EQ(needs_.contexts_below, ~0U);
    isbe_config fewer;
    fewer.contexts = 7; // it was an error
    EXPECT_EQ(check(op, fewer), "");
    EXPECT_EQ(needs_.contexts, 0U);
    EXPECT_EQ(needs_.contexts_below, 8U);
    c.input.attr_base = 1281;
    pack_context(c, op);
    EXPECT_NE(check(op).find("attr_base"), std::string::npos);
    c.stage = stage::none; // the rest is unused
    pack_context(c, op);
    EXPECT_EQ(check(op), "");
    EXPECT_EQ(needs_.storage_bytes, 0U);
}

} // namespace
} // namespace isbesim::testbench
