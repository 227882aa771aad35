// Traces: what is written is read back, and a damaged file is an error that says where.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbench/crosscheck/random_traffic.h"
#include "testbench/crosscheck/trace.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

class trace : public testing::Test {
protected:
    std::vector<std::vector<traffic_item>> write(unsigned transactions)
    {
        const isbe_config config;
        random_traffic traffic(config, 11, transactions);
        trace_writer writer(path_, R"({"isbe":{"ports":2}})", 2);
        std::vector<std::vector<traffic_item>> items(2);
        traffic_item item;
        for (bool more = true; more;) {
            more = false;
            for (unsigned port = 0; port < 2; ++port) {
                if (!traffic.next(port, item)) continue;
                more = true;
                writer.record(port, item);
                items[port].push_back(item);
            }
        }
        writer.close();
        return items;
    }
    std::string bytes() const { return temporary_folder::read(path_); }
    void put(const std::string& content) const { folder_.write("trace", content); }
    void read_all() const
    {
        trace_reader reader(path_);
        for (traffic_item item; reader.next(0, item);) {}
        for (traffic_item item; reader.next(1, item);) {}
    }

    const temporary_folder folder_;
    const std::string path_ = folder_.path("trace");
};

TEST_F(trace, requests_read_back)
{
    const auto items = write(3000);
    trace_reader reader(path_);
    EXPECT_EQ(reader.config_json(), R"({"isbe":{"ports":2}})");
    ASSERT_EQ(reader.ports(), 2U);
    // One port far ahead of the other.
    for (const unsigned port : {1U, 0U}) {
        for (const auto& wanted : items[port]) {
            traffic_item got;
            ASSERT_TRUE(reader.next(port, got));
            ASSERT_EQ(got.earliest, wanted.earliest);
            ASSERT_EQ(got.response_hold, wanted.response_hold);
            const auto& a = got.op;
            const auto& b = wanted.op;
            ASSERT_EQ(a.op, b.op);
            ASSERT_EQ(a.space, b.space);
            ASSERT_EQ(a.region, b.region);
            ASSERT_EQ(a.form, b.form);
            ASSERT_EQ(a.type, b.type);
            ASSERT_EQ(a.size, b.size);
            ASSERT_EQ(a.skew, b.skew);
            ASSERT_EQ(a.context, b.context);
            ASSERT_EQ(a.immediate, b.immediate);
            ASSERT_EQ(a.lanes, b.lanes);
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
        traffic_item got;
        EXPECT_FALSE(reader.next(port, got));
    }
}

TEST_F(trace, a_file_cut_anywhere_ends_well_or_is_an_error)
{
    write(50);
    const auto whole = bytes();
    unsigned errors = 0;
    for (std::size_t length = 0; length < whole.size(); length += 7) {
        put(whole.substr(0, length));
        try {
            read_all();
        } catch (const trace_error& error) {
            ++errors;
            EXPECT_NE(std::string(error.what()).find(path_), std::string::npos);
        }
    }
    EXPECT_GT(errors, whole.size() / 7 / 2);
}

TEST_F(trace, what_is_no_trace_is_refused)
{
    put("this is not a trace at all");
    EXPECT_THROW(trace_reader{path_}, trace_error);
    EXPECT_THROW(trace_reader{path_ + ".missing"}, trace_error);
}

} // namespace
} // namespace isbesim::testbench
