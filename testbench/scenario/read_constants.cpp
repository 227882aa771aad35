// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbench/files/hex_text.h"
#include "testbench/scenario/named_table.h"
#include "testbench/scenario/scenario_reader.h"
#include "testbench/scenario/stage_keys.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

isa::constant_banks read_banks(const scenario_reader& in, const json::value& value)
{
    constexpr word bank_bytes = 0x10000;
    isa::constant_banks banks;
    for (const auto& entry : in.document.object(value, "constants")) {
        const std::string key(entry.key().data(), entry.key().size());
        const bool numeric = !key.empty() && key.size() < 3 && (key[0] != '0' || key.size() == 1) &&
                             key.find_first_not_of("0123456789") == std::string::npos;
        const auto number = numeric ? std::stoul(key) : banks.size();
        if (number >= banks.size()) {
            in.document.fail_key(value, key,
                                 "constant bank '" + key + "' does not exist, expected 0 to " +
                                     std::to_string(banks.size() - 1));
        }
        auto& bank = banks[number];
        std::vector<bool> given;
        for (const auto& run : in.document.object(entry.value(), "constant bank " + key)) {
            const std::string at(run.key().data(), run.key().size());
            word offset = 0;
            if (!parse_hex_word(at, offset) || offset % 4 != 0 || offset >= bank_bytes) {
                in.document.fail_key(entry.value(), at,
                                     "'" + at +
                                         "' is no byte offset in a constant bank, expected 0x "
                                         "and a hexadecimal multiple of 4 below 0x10000");
            }
            const auto words = in.document.words(run.value(), "constant bank " + key);
            if (offset + 4 * words.size() > bank_bytes) {
                in.document.fail(run.value(), "the words run past the end of constant bank " + key +
                                                  ", expected at most 65536 bytes");
            }
            bank.resize(std::max<std::size_t>(bank.size(), offset / 4 + words.size()));
            given.resize(bank.size());
            for (std::size_t i = offset / 4; i < offset / 4 + words.size(); ++i) {
                if (given[i])
                    in.document.fail_key(entry.value(), at,
                                         "offset " + hex(4 * i) + " of constant bank " + key +
                                             " has two values, expected each word once");
                given[i] = true;
            }
            std::copy(words.begin(), words.end(), bank.begin() + offset / 4);
        }
    }
    return banks;
}

} // namespace

void read_constants(scenario_reader& in, const json::value* common, const json::value* per_stage)
{
    if (common != nullptr) {
        const auto banks = read_banks(in, *common);
        for (auto& entry : in.result.draw.stages) entry.second.constants = banks;
    }
    if (per_stage == nullptr) return;
    for (const auto& entry : in.document.object(*per_stage, "stage_constants")) {
        const std::string key(entry.key().data(), entry.key().size());
        const auto* known = find_name(stage_keys, key);
        if (known == nullptr || in.result.draw.stages.count(known->stage) == 0) {
            in.document.fail_key(*per_stage, key,
                                 "stage_constants names stage '" + key + "', expected a stage of this draw");
        }
        in.result.draw.stages[known->stage].constants = read_banks(in, entry.value());
    }
}

} // namespace isbesim::testbench
