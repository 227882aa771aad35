// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/known_chips.h"

#include <cstdio>

namespace isbesim::testbench {

const std::vector<known_chip>& known_chips()
{
    static const std::vector<known_chip> table = {
        {"gm108", "gm107", 0x118, 0x1341, 1, 3, 1.124, 16, "GeForce 840M", 3},
        {"gm204", "gm200", 0x124, 0x13c0, 4, 4, 1.216, 224, "GeForce GTX 980", 16},
        {"gm206", "gm200", 0x126, 0x1401, 2, 4, 1.178, 112, "GeForce GTX 960", 8},
        {"gp104", "gp102", 0x134, 0x1b80, 4, 5, 1.733, 320, "GeForce GTX 1080", 20},
        {"gp106", "gp102", 0x136, 0x1c03, 2, 5, 1.708, 192, "GeForce GTX 1060 6GB", 10},
        {"gp107", "gp102", 0x137, 0x1c82, 2, 3, 1.392, 112, "GeForce GTX 1050 Ti", 6},
        {"gp108", "gp102", 0x138, 0x1d01, 1, 3, 1.468, 48, "GeForce GT 1030", 3},
        {"tu104", "tu102", 0x164, 0x1e82, 6, 4, 1.71, 448, "GeForce RTX 2080", 23},
        {"tu116", "tu102", 0x168, 0x2182, 3, 4, 1.77, 288, "GeForce GTX 1660 Ti", 12},
        {"tu117", "tu102", 0x167, 0x1f82, 2, 4, 1.665, 128, "GeForce GTX 1650", 7},
        {"ga103", "ga102", 0x173, 0x2420, 6, 5, 1.59, 512, "GeForce RTX 3080 Ti for notebooks", 29},
        {"ga104", "ga102", 0x174, 0x2482, 6, 4, 1.77, 608, "GeForce RTX 3070 Ti", 24},
        {"ga106", "ga102", 0x176, 0x2503, 3, 5, 1.78, 360, "GeForce RTX 3060", 14},
        {"ga107", "ga102", 0x177, 0x2584, 2, 5, 1.47, 168, "GeForce RTX 3050 6GB", 9},
        {"ad103", "ad102", 0x193, 0x2702, 7, 6, 2.55, 736, "GeForce RTX 4080 SUPER", 40},
        {"ad104", "ad102", 0x194, 0x2782, 5, 6, 2.61, 504, "GeForce RTX 4070 Ti", 30},
        {"ad106", "ad102", 0x196, 0x2803, 3, 6, 2.54, 288, "GeForce RTX 4060 Ti", 17},
        {"ad107", "ad102", 0x197, 0x2882, 2, 6, 2.46, 272, "GeForce RTX 4060", 12},
        {"gb203", "gb202", 0x1b3, 0x2c02, 7, 6, 2.62, 960, "GeForce RTX 5080", 42},
        {"gb205", "gb202", 0x1b5, 0x2f04, 5, 5, 2.51, 672, "GeForce RTX 5070", 24},
        {"gb206", "gb202", 0x1b6, 0x2d04, 3, 6, 2.57, 448, "GeForce RTX 5060 Ti", 18},
        {"gb207", "gb202", 0x1b7, 0x2d83, 2, 5, 2.57, 320, "GeForce RTX 5050", 10},
    };
    return table;
}

std::string why_absent(const std::string& name)
{
    struct row {
        const char *begin, *reason;
    };
    static constexpr auto beside_processor =
        "which shares a processor's memory: a device without memory of its own is not modelled";
    static constexpr row table[] = {
        {"gf1", "whose instruction set (SM20, SM21) is not modelled"},
        {"gk1", "whose instruction set (SM30 to SM35) is not modelled"},
        {"gk2", "whose instruction set (SM32 to SM37) is not modelled"},
        {"gp100", "whose TPC of two SMs has buffers that no driver describes"},
        {"ga100", "whose instruction set (SM80) is not modelled"},
        {"gh1", "whose instruction set (SM90) is not modelled"},
        {"gv11b", "which no driver of Mesa knows"},
        {"gm20b", beside_processor},
        {"gp10b", beside_processor},
        {"ga10b", beside_processor},
        {"gb10b", beside_processor},
        {"gb20b", beside_processor},
        {"gb10", "whose instruction set (SM100) is not modelled"},
        {"gb11", "whose instruction set (SM103) is not modelled"},
    };
    for (const auto& each : table)
        if (name.rfind(each.begin, 0) == 0) return each.reason;
    return "";
}

namespace {

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string key(const char* name, double value, const std::string& source)
{
    return std::string(", \"") + name + "\": {\"value\": " + number(value) + ", \"source\": \"" + source + "\"}";
}

std::string upper(std::string name)
{
    for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return name;
}

} // namespace

std::string machine_of(const known_chip& chip, bool whole)
{
    const std::string name = upper(chip.name), base = chip.base, board = chip.board;
    const auto size = number(chip.gpcs) + " x " + number(chip.tpcs) + " TPCs";
    auto text = "{\"description\": \"" + name + " (" + board +
                "): " + (whole ? "all " + size : "one TPC, as on " + upper(base)) + "\", \"base\": \"" + base +
                (whole ? "_chip\"" : "\"");
    const auto sheet = "NVIDIA data sheet of the " + board + ": ";
    text += key("clock_ghz", chip.clock_ghz, sheet + "boost clock");
    text += key("memory.dram_bytes_per_cycle", chip.gigabytes / chip.clock_ghz,
                sheet + number(chip.gigabytes) + " * 10^9 bytes per second, at this clock");
    if (whole) {
        const auto published = "NVIDIA white papers and reviews of boards with " + name;
        text += key("chip.gpcs", chip.gpcs, published);
        text += key("chip.tpcs", chip.tpcs,
                    published + ": most TPCs of a GPC (the " + board + " has " + number(chip.board_tpcs) + " in all)");
    }
    return text + "}";
}

} // namespace isbesim::testbench
