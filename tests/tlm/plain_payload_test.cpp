// SPDX-License-Identifier: Apache-2.0
// The ISBE as a memory for any TLM-2.0 initiator: plain payloads, blocking and four-phase, debug transport, DMI, error
// responses, annotated delays.
#define SC_INCLUDE_DYNAMIC_PROCESSES // for sc_spawn, required at each #include of <systemc>
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>
#include <systemc>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "tests/support/warp_operations.h"
#include "tlm/has_process.h"
#include "tlm/payload_pool.h"

namespace isbesim::test {
namespace {

constexpr unsigned lines = 16;
constexpr unsigned memory_bytes = lines * 128;

isbe_config small_config()
{
    isbe_config config;
    config.lines = lines;
    return config;
}

class counting_manager : public tlm::tlm_mm_interface {
public:
    unsigned freed = 0;
    void free(tlm::tlm_generic_payload*) override { ++freed; }
};

/// An initiator without knowledge of the ISBE. The test's body runs in its thread.
class foreign_initiator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    std::uint64_t end_request = 0, begin_response = 0;                ///< cycles of the last four-phase access
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated; ///< direct memory

    foreign_initiator(const sc_core::sc_module_name& name, std::function<void(foreign_initiator&)> body)
        : sc_core::sc_module(name), body_(std::move(body))
    {
        socket.bind(*this);
        ISBESIM_HAS_PROCESS(foreign_initiator);
        SC_THREAD(run);
    }
    bool ran() const { return ran_; }

    void fill(tlm::tlm_generic_payload& payload, bool write, std::uint64_t address, std::vector<unsigned char>& data,
              std::vector<unsigned char>* enables = nullptr)
    {
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(data.size()));
        payload.set_streaming_width(static_cast<unsigned>(data.size()));
        payload.set_byte_enable_ptr(enables == nullptr ? nullptr : enables->data());
        payload.set_byte_enable_length(enables == nullptr ? 0 : static_cast<unsigned>(enables->size()));
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload.set_dmi_allowed(false);
    }
    /// Returns the cycles that it took, waited or annotated.
    std::uint64_t block(tlm::tlm_generic_payload& payload)
    {
        const std::uint64_t begin = clock.now();
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        sc_core::wait(delay);
        return clock.now() - begin;
    }
    std::uint64_t write(std::uint64_t address, std::vector<unsigned char> data)
    {
        tlm::tlm_generic_payload payload;
        fill(payload, true, address, data);
        const std::uint64_t cycles = block(payload);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        return cycles;
    }
    std::vector<unsigned char> read(std::uint64_t address, unsigned length)
    {
        std::vector<unsigned char> data(length);
        tlm::tlm_generic_payload payload;
        fill(payload, false, address, data);
        block(payload);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        return data;
    }
    /// All four phases; `delay` is annotated to BEGIN_REQ.
    tlm::tlm_sync_enum four_phases(tlm::tlm_generic_payload& payload, std::uint64_t delay_cycles = 0)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = clock.time(delay_cycles);
        end_request = begin_response = 0;
        const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
        if (status == tlm::TLM_COMPLETED) return status;
        if (status == tlm::TLM_UPDATED) {
            EXPECT_EQ(phase, tlm::END_REQ);
            end_request = clock.now();
        }
        sc_core::wait(response_);
        phase = tlm::END_RESP;
        delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }

private:
    void run()
    {
        body_(*this);
        ran_ = true;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override
    {
        if (phase == tlm::END_REQ) end_request = clock.now();
        if (phase == tlm::BEGIN_RESP) {
            begin_response = clock.now();
            response_.notify();
        }
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        invalidated.emplace_back(first, last);
    }

    std::function<void(foreign_initiator&)> body_;
    bool ran_ = false;
    sc_core::sc_event response_;
};

class plain_payload : public testing::TestWithParam<std::string> {
protected:
    const cycle_clock clock_{sc_core::sc_time(1, sc_core::SC_NS)};
    std::unique_ptr<isbe_module> isbe_;

    isbe_core& core()
    {
        if (auto* const at = dynamic_cast<isbe_at*>(isbe_.get())) return at->core();
        return dynamic_cast<isbe_lt&>(*isbe_).core();
    }
    void with(const std::function<void(foreign_initiator&)>& body)
    {
        if (GetParam() == "at")
            isbe_ = std::make_unique<isbe_at>("isbe", small_config(), clock_);
        else
            isbe_ = std::make_unique<isbe_lt>("isbe", small_config(), clock_);
        foreign_initiator initiator("initiator", body);
        initiator.socket.bind(isbe_->ports[1]); // port 0 stays unbound
        sc_core::sc_start();
        EXPECT_TRUE(initiator.ran());
    }
};
INSTANTIATE_TEST_SUITE_P(on, plain_payload, testing::Values("lt", "at"),
                         [](const auto& chosen) { return chosen.param; });

std::vector<unsigned char> numbers(std::size_t count, unsigned first = 1)
{
    std::vector<unsigned char> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<unsigned char>(first + 7 * i);
    return data;
}

TEST_P(plain_payload, any_address_and_length_reads_back_and_leaves_the_neighbours)
{
    with([&](foreign_initiator& initiator) {
        std::vector<unsigned char> model(memory_bytes);
        unsigned round = 0;
        for (const unsigned address : {0U, 1U, 3U, 126U, 127U, 128U, 250U, 1000U})
            for (const unsigned length : {1U, 2U, 3U, 4U, 5U, 31U, 128U, 129U, 300U, 512U}) {
                const auto data = numbers(length, ++round);
                initiator.write(address, data);
                std::copy(data.begin(), data.end(), model.begin() + address);
                ASSERT_EQ(initiator.read(address, length), data) << address << ' ' << length;
                ASSERT_EQ(initiator.read(0, memory_bytes), model) << address << ' ' << length;
            }
    });
}

TEST_P(plain_payload, byte_enables_repeat)
{
    with([&](foreign_initiator& initiator) {
        initiator.write(0, std::vector<unsigned char>(256, 0xee));
        std::vector<unsigned char> enables{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
        auto data = numbers(200);
        tlm::tlm_generic_payload payload;
        initiator.fill(payload, true, 5, data, &enables);
        initiator.block(payload);
        ASSERT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        const auto stored = initiator.read(0, 256);
        for (unsigned i = 0; i < 256; ++i)
            EXPECT_EQ(stored[i], i >= 5 && i < 205 && (i - 5) % 3 != 1 ? data[i - 5] : 0xee) << i;

        std::vector<unsigned char> back(200, 0x11);
        initiator.fill(payload, false, 5, back, &enables);
        initiator.block(payload);
        for (unsigned i = 0; i < 200; ++i) EXPECT_EQ(back[i], i % 3 != 1 ? data[i] : 0x11) << i;

        std::vector<unsigned char> none{TLM_BYTE_DISABLED};
        initiator.fill(payload, true, 5, data, &none);
        initiator.block(payload);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(initiator.read(0, 256), stored);
    });
}

TEST_P(plain_payload, unsupported_access_is_refused_without_effect)
{
    with([&](foreign_initiator& initiator) {
        auto data = numbers(8);
        counting_manager manager;
        const auto refused = [&](const char* what, tlm::tlm_response_status status, auto change) {
            for (const bool blocking : {true, false}) {
                tlm::tlm_generic_payload payload(&manager);
                payload.acquire();
                initiator.fill(payload, true, 0, data);
                change(payload);
                if (blocking)
                    initiator.block(payload);
                else
                    EXPECT_EQ(initiator.four_phases(payload), tlm::TLM_COMPLETED) << what;
                EXPECT_EQ(payload.get_response_status(), status) << what;
                payload.release();
            }
        };
        using gp = tlm::tlm_generic_payload;
        refused("command", tlm::TLM_COMMAND_ERROR_RESPONSE, [](gp& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); });
        refused("streaming", tlm::TLM_BURST_ERROR_RESPONSE, [](gp& p) { p.set_streaming_width(4); });
        refused("length", tlm::TLM_BURST_ERROR_RESPONSE, [](gp& p) { p.set_data_length(0); });
        refused("past the end", tlm::TLM_ADDRESS_ERROR_RESPONSE, [](gp& p) { p.set_address(memory_bytes); });
        refused("across the end", tlm::TLM_ADDRESS_ERROR_RESPONSE, [](gp& p) { p.set_address(memory_bytes - 7); });
        refused("far away", tlm::TLM_ADDRESS_ERROR_RESPONSE, [](gp& p) { p.set_address(~std::uint64_t{0} - 3); });
        refused("no data", tlm::TLM_GENERIC_ERROR_RESPONSE, [](gp& p) { p.set_data_ptr(nullptr); });
        unsigned char enables[1] = {TLM_BYTE_ENABLED};
        refused("enables", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, [&](gp& p) { p.set_byte_enable_ptr(enables); });
        EXPECT_EQ(initiator.read(0, memory_bytes), std::vector<unsigned char>(memory_bytes));
        initiator.write(memory_bytes - 8, data);
    });
}

TEST_P(plain_payload, an_access_of_n_lines_takes_1_plus_n_plus_the_latency)
{
    with([&](foreign_initiator& initiator) {
        for (unsigned n = 1; n <= 4; ++n) {
            EXPECT_EQ(initiator.write(128, numbers(128 * n)), 1 + n + small_config().write_latency);
            std::vector<unsigned char> data(128 * n);
            tlm::tlm_generic_payload payload;
            initiator.fill(payload, false, 256, data);
            EXPECT_EQ(initiator.block(payload), 1 + n + small_config().pipeline_latency);
        }
    });
}

TEST_P(plain_payload, warp_operations_block_too)
{
    with([&](foreign_initiator& initiator) {
        initiator.write(0x100, numbers(128));
        payload_pool pool;
        tlm::tlm_generic_payload& payload = pool.acquire();
        payload_pool::extension(payload).op = make_isberd(space::input, region::physical, 1, counting(0x100));
        EXPECT_EQ(initiator.block(payload), 1 + 1 + small_config().pipeline_latency);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            EXPECT_EQ(payload_pool::extension(payload).result.data[0][lane], numbers(128)[lane]);
        payload.release();
    });
}

TEST_P(plain_payload, debug_transport_sees_the_storage_and_its_end)
{
    with([&](foreign_initiator& initiator) {
        auto data = numbers(100);
        tlm::tlm_generic_payload payload;
        initiator.fill(payload, true, 60, data);
        EXPECT_EQ(initiator.socket->transport_dbg(payload), 100U);
        EXPECT_EQ(initiator.read(60, 100), data);
        std::vector<unsigned char> back(100);
        initiator.fill(payload, false, memory_bytes - 10, back);
        EXPECT_EQ(initiator.socket->transport_dbg(payload), 10U);
        initiator.fill(payload, false, memory_bytes, back);
        EXPECT_EQ(initiator.socket->transport_dbg(payload), 0U);
        payload.set_command(tlm::TLM_IGNORE_COMMAND);
        EXPECT_EQ(initiator.socket->transport_dbg(payload), 0U);
    });
}

TEST_P(plain_payload, direct_memory_on_lt_only)
{
    with([&](foreign_initiator& initiator) {
        tlm::tlm_generic_payload payload;
        auto data = numbers(64);
        initiator.fill(payload, true, 64, data);
        initiator.block(payload);
        tlm::tlm_dmi dmi;
        const bool lt = GetParam() == "lt";
        EXPECT_EQ(payload.is_dmi_allowed(), lt);
        ASSERT_EQ(initiator.socket->get_direct_mem_ptr(payload, dmi), lt);
        if (lt) {
            EXPECT_TRUE(std::equal(data.begin(), data.end(), dmi.get_dmi_ptr() + 64));
            dmi.get_dmi_ptr()[70] = 0x99;
            EXPECT_EQ(initiator.read(70, 1)[0], 0x99);
        }

        // Granted or denied around the address.
        constexpr std::uint64_t last = ~std::uint64_t{0};
        const auto expect = [&](bool granted, std::uint64_t address, std::uint64_t first, std::uint64_t end) {
            for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
                payload.set_command(command);
                payload.set_address(address);
                EXPECT_EQ(initiator.socket->get_direct_mem_ptr(payload, dmi), granted) << address;
                EXPECT_EQ(dmi.get_start_address(), first) << address;
                EXPECT_EQ(dmi.get_end_address(), end) << address;
                EXPECT_EQ(dmi.is_read_write_allowed(), granted) << address;
                EXPECT_EQ(dmi.get_dmi_ptr() != nullptr, granted) << address;
            }
        };
        for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{memory_bytes - 1}})
            lt ? expect(true, address, 0, memory_bytes - 1) : expect(false, address, 0, last);
        for (const std::uint64_t address : {std::uint64_t{memory_bytes}, std::uint64_t{1} << 32, last})
            expect(false, address, lt ? memory_bytes : 0, last);

        // A write of a pointer could not clear the overwritten bits that shared spaces set.
        context slot;
        slot.stage = stage::vertex;
        for (const bool shared : {false, true, true, false}) {
            slot.shared_spaces = shared;
            isbe_extension extension;
            extension.op.op = opcode::bind;
            pack_context(slot, extension.op);
            tlm::tlm_generic_payload bind;
            make_request(bind, extension);
            initiator.block(bind);
            bind.clear_extension(&extension);
            if (!shared && lt && initiator.invalidated.empty()) expect(true, 0, 0, memory_bytes - 1);
        }
        for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{memory_bytes - 1}, last})
            expect(false, address, 0, last);
        using range = std::pair<std::uint64_t, std::uint64_t>;
        EXPECT_EQ(initiator.invalidated, lt ? std::vector<range>{range(0, memory_bytes - 1)} : std::vector<range>{});
        initiator.fill(payload, true, 64, data);
        initiator.block(payload);
        EXPECT_FALSE(payload.is_dmi_allowed());
    });
}

TEST_P(plain_payload, four_phases_of_a_plain_access)
{
    with([&](foreign_initiator& initiator) {
        counting_manager manager;
        auto data = numbers(300);
        tlm::tlm_generic_payload payload(&manager);
        payload.acquire();
        initiator.fill(payload, true, 128, data);
        const std::uint64_t begin = initiator.clock.now();
        const tlm::tlm_sync_enum status = initiator.four_phases(payload);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        if (GetParam() == "lt") {
            EXPECT_EQ(status, tlm::TLM_COMPLETED);
        } else {
            // Two whole lines and 44 bytes: three operations, one request transfer a cycle.
            EXPECT_EQ(initiator.end_request, begin + 2);
            EXPECT_EQ(initiator.begin_response, begin + 1 + 3 + small_config().write_latency);
        }
        payload.release();
        EXPECT_EQ(manager.freed, 1U);
        EXPECT_EQ(initiator.read(128, 300), data);
    });
}

/// The thread's objects, including its payload and data, are gone then; its operations end in the block.
void accesses_of_ended_threads(foreign_initiator& initiator, const std::function<void(unsigned char)>& access,
                               const std::function<void(unsigned char)>& expect_done)
{
    for (unsigned cycles = 1; cycles < 40; ++cycles) {
        const auto byte = static_cast<unsigned char>(2 * cycles);
        unsigned char runs = 0;
        auto thread = sc_core::sc_spawn([&] {
            access(static_cast<unsigned char>(byte + runs++));
            sc_core::wait(initiator.clock.time(100));
        });
        sc_core::wait(initiator.clock.time(cycles));
        expect_done(byte);
        thread.reset();
        sc_core::wait(initiator.clock.time(cycles));
        thread.kill();
        const std::vector<std::vector<unsigned char>> junk(64, std::vector<unsigned char>(788, 0xa5));
        ASSERT_EQ(runs, 2U);
        expect_done(static_cast<unsigned char>(byte + 1));
    }
}

TEST_P(plain_payload, an_access_ends_whose_thread_is_killed_or_reset)
{
    with([&](foreign_initiator& initiator) {
        const auto write = [&](unsigned char byte) { initiator.write(0x81, std::vector<unsigned char>(512, byte)); };
        accesses_of_ended_threads(initiator, write, [&](unsigned char byte) {
            EXPECT_EQ(initiator.read(0x81, 512), std::vector<unsigned char>(512, byte));
        });
        // A read has no destination.
        accesses_of_ended_threads(
            initiator, [&](unsigned char) { initiator.read(3, 700); },
            [&](unsigned char) { EXPECT_EQ(initiator.read(0x80, 1), std::vector<unsigned char>(1)); });
    });
}

TEST_P(plain_payload, a_warp_operation_ends_whose_thread_is_killed_or_reset)
{
    with([&](foreign_initiator& initiator) {
        const auto write = [&](unsigned char byte) {
            payload_pool pool;
            tlm::tlm_generic_payload& payload = pool.acquire();
            payload_pool::extension(payload).op =
                make_isbewr(region::physical, 4, counting(0x100, 4), all_lanes_have(byte * 0x01010101U));
            initiator.block(payload);
            payload.release();
        };
        accesses_of_ended_threads(initiator, write, [&](unsigned char byte) {
            EXPECT_EQ(initiator.read(0x100, 128), std::vector<unsigned char>(128, byte));
        });
    });
}

class plain_payload_at : public plain_payload {};
INSTANTIATE_TEST_SUITE_P(on, plain_payload_at, testing::Values("at"));

TEST_P(plain_payload_at, an_annotated_request_begins_at_its_time)
{
    with([&](foreign_initiator& initiator) {
        payload_pool pool;
        tlm::tlm_generic_payload& payload = pool.acquire();
        payload_pool::extension(payload).op = make_isberd(space::input, region::physical, 4, counting(0, 4));
        const std::uint64_t begin = initiator.clock.now();
        initiator.four_phases(payload, 7);
        EXPECT_EQ(initiator.end_request, begin + 7);
        EXPECT_EQ(initiator.begin_response, begin + 7 + 1 + 1 + small_config().pipeline_latency);
        payload.release();
        EXPECT_EQ(pool.in_use(), 0U);
    });
}

TEST_P(plain_payload_at, payload_without_memory_manager_is_an_error)
{
    with([&](foreign_initiator& initiator) {
        for (const bool warp : {false, true})
            for (const unsigned delay : {0U, 7U}) {
                auto data = numbers(4);
                isbe_extension extension;
                tlm::tlm_generic_payload payload;
                initiator.fill(payload, true, 0, data);
                if (warp) make_request(payload, extension);
                std::string error;
                try {
                    initiator.four_phases(payload, delay);
                } catch (const sc_core::sc_report& report) {
                    error = report.get_msg();
                }
                payload.clear_extension(&extension);
                EXPECT_EQ(error.find("a payload without memory manager in nb_transport_fw, expected"), 0U) << error;
            }
        // Reported, not thrown: the call has ended, and the next call is served.
        sc_core::sc_report_handler::set_actions("/isbesim/isbe", sc_core::SC_DO_NOTHING);
        auto data = numbers(4);
        tlm::tlm_generic_payload payload;
        initiator.fill(payload, true, 0, data);
        EXPECT_EQ(initiator.four_phases(payload), tlm::TLM_COMPLETED);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        initiator.write(64, data);
        EXPECT_EQ(initiator.read(0, 4), std::vector<unsigned char>(4));
        EXPECT_EQ(initiator.read(64, 4), data);
    });
}

} // namespace
} // namespace isbesim::test
