// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/waveform_text.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <zlib.h>
#ifdef ISBESIM_FST
#include <gtkwave/fstapi.h>
#endif

#include <gtest/gtest.h>

#include "testbench/files/input_error.h"
#include "tests/calibration/written_vcd.h"
#include "tests/support/error_text.h"
#include "tests/support/repetitions.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

std::string gzip(const temporary_folder& folder, const std::string& text)
{
    const auto path = folder.path("packed");
    const auto file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return folder.read(path);
}

/// The error for a file with this content.
std::string error_of_file(const temporary_folder& folder, const std::string& bytes)
{
    const auto path = folder.write("wave", bytes);
    const auto error = error_text<input_error>([&] {
        waveform_text text(path);
        vcd_observation(text.stream(), path, {});
    });
    return error.empty() ? "" : error.substr(path.size());
}

TEST(waveform_text, a_compressed_file_is_the_same)
{
    const temporary_folder folder;
    const auto seen = traffic_of(small_isbe());
    const auto plain = write_vcd(seen, 2, {});
    const auto packed = gzip(folder, plain);
    for (const auto& bytes : {plain, packed}) {
        waveform_text text(folder.write("wave", bytes));
        EXPECT_TRUE(text.has_lines());
        expect_same(vcd_observation(text.stream(), "wave", {}), seen);
    }
    share some;
    for (unsigned i = 1; i < 32; ++i) {
        if (some.skips_next()) continue;
        const auto cut = error_of_file(folder, packed.substr(0, packed.size() * i / 32));
        EXPECT_EQ(cut.find(":1:1: the gzip data is damaged or cut off ("), 0U) << i << cut;
        auto damaged = packed;
        damaged[packed.size() * i / 32] = static_cast<char>(~damaged[packed.size() * i / 32]);
        EXPECT_NE(error_of_file(folder, damaged), "") << i;
    }
    EXPECT_EQ(error_of_file(folder, packed.substr(0, packed.size() - 1)).find(":1:1: the gzip data is"), 0U);
}

#ifdef ISBESIM_FST
/// Compressions of fstapi.h by its numbers. Values that are not all 0 and 1 are kept as text, which repeats in
/// distances that a library built with vector instructions must not get wrong.
TEST(waveform_text, FST_of_every_compression_has_the_values_that_were_written)
{
    const temporary_folder folder;
    const auto path = folder.path("wave.fst");
    for (const auto compression : {FST_WR_PT_ZLIB, FST_WR_PT_FASTLZ, FST_WR_PT_LZ4}) {
        auto* const writer = fstWriterCreate(path.c_str(), 1);
        fstWriterSetPackType(writer, compression);
        const auto variable = fstWriterCreateVar(writer, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 8192, "data", 0);
        std::mt19937 random{3};
        std::vector<std::string> written;
        for (unsigned time = 0; time < 100; ++time) {
            std::string value;
            while (value.size() < 8192) value += std::string(random() % 4 + 1, "0L1H"[random() % 4]);
            value.resize(8192);
            fstWriterEmitTimeChange(writer, time);
            fstWriterEmitValueChange(writer, variable, value.c_str());
            written.push_back(value);
        }
        fstWriterClose(writer);
        waveform_text text(path);
        EXPECT_FALSE(text.has_lines());
        std::vector<std::string> read;
        for (std::string line; std::getline(text.stream(), line);)
            if (line.size() > 8192 && line[0] == 'b') read.push_back(line.substr(1, 8192));
        EXPECT_TRUE(read == written) << compression << ": " << read.size() << " values";
    }
}
#endif

TEST(waveform_text, other_kinds_are_refused_by_their_names)
{
    const temporary_folder folder;
    const auto packed = gzip(folder, "$scope module tb $end\n");
    const std::vector<std::pair<std::string, std::string>> kinds{
        {std::string("GHDLwave\n\x10\0", 11), "a GHW file of GHDL"},
        {"BZh91AY&SY", "compressed by bzip2"},
        {std::string("\xfd"
                     "7zXZ\0",
                     6),
         "compressed by xz"},
        {"\x28\xb5\x2f\xfd\x04", "compressed by zstd"},
        {"PK\3\4", "a ZIP archive"},
        {gzip(folder, packed), "compressed by gzip twice"},
        {gzip(folder, "ISBETRC3"), "a trace on standard input or compressed"},
        {gzip(folder, "ISBETRC2"), "a trace on standard input or compressed"},
        {std::string("\x13\x80\0\1", 4), "neither text nor a kind of waveform that is known"},
        {std::string("$\0d\0a\0", 6), "neither text nor a kind of waveform that is known"}};
    for (const auto& [bytes, text] : kinds)
        for (const auto& file : {bytes, gzip(folder, bytes)}) {
            if (file != bytes && bytes[0] == '\x1f') continue;
            const auto error = error_of_file(folder, file);
            EXPECT_EQ(error.find(":1:1: " + text), 0U) << error;
            EXPECT_NE(error.find(", expected "), std::string::npos) << error;
        }
    EXPECT_EQ(error_of_file(folder, ""), ":1:1: the file ends here, expected $enddefinitions");
    EXPECT_THROW(waveform_text("/nowhere"), input_error);
    EXPECT_THROW(waveform_text(folder.path()), input_error);
}

} // namespace
} // namespace isbesim::testbench
