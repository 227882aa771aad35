// SPDX-License-Identifier: Apache-2.0
// Reads an FST waveform back: signals by path, values by time.
#pragma once

#include <cstdint>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtkwave/fstapi.h>

#include "tests/portable/checksum_of.h"

namespace isbesim::testbench {

class wave_reader {
public:
    explicit wave_reader(const std::string& path)
    {
        auto* const file = fstReaderOpen(path.c_str());
        if (file == nullptr) throw std::runtime_error(path + " is no FST file");
        timescale_ = fstReaderGetTimescale(file);
        std::vector<std::string> scopes;
        while (const auto* entry = fstReaderIterateHier(file)) {
            if (entry->htyp == FST_HT_SCOPE) {
                scopes.emplace_back(entry->u.scope.name);
            } else if (entry->htyp == FST_HT_UPSCOPE) {
                scopes.pop_back();
            } else if (entry->htyp == FST_HT_VAR) {
                std::string name;
                for (const auto& scope : scopes) name += scope + ".";
                const std::string own = entry->u.var.name;
                // a newer Verilator has elements of an array in a scope of the array's name
                if (!scopes.empty() && own.rfind(scopes.back() + '[', 0) == 0)
                    name.resize(name.size() - scopes.back().size() - 1);
                handles_[name + own.substr(0, own.find(' '))] = entry->u.var.handle;
            }
        }
        fstReaderSetFacProcessMaskAll(file);
        fstReaderIterBlocks(file, &wave_reader::change, this, nullptr);
        fstReaderClose(file);
    }

    int timescale() const { return timescale_; } ///< power of ten of a second
    bool has_scope(const std::string& scope) const
    {
        const auto first = handles_.lower_bound(scope + ".");
        return first != handles_.end() && first->first.compare(0, scope.size() + 1, scope + ".") == 0;
    }
    /// By scope, whose numbers are left out: how many signals, and the checksum of their names and changes. Without
    /// those of unnamed blocks, which newer Verilators don't show.
    std::map<std::string, std::pair<unsigned, test::checksum_of>> checksums() const
    {
        std::map<std::string, std::pair<unsigned, test::checksum_of>> all;
        for (const auto& [name, handle] : handles_) {
            if (name.find(".unnamedblk") != std::string::npos) continue;
            const auto scope = std::regex_replace(name.substr(0, name.rfind('.')), std::regex("[0-9]+"), "");
            auto& [signals, sum] = all[scope];
            ++signals;
            sum.all(name);
            const auto values = values_.find(handle);
            if (values == values_.end()) continue;
            for (const auto& [time, value] : values->second) sum.add(time).all(value);
        }
        return all;
    }
    std::uint64_t first_time() const { return times_.empty() ? 0 : times_.begin()->first; }
    std::uint64_t last_time() const { return times_.empty() ? 0 : times_.rbegin()->first; }

    /// Binary digits, most significant first, from `time` on.
    std::string value(const std::string& signal, std::uint64_t time) const
    {
        const auto& all = changes(signal);
        auto next = all.upper_bound(time);
        if (next == all.begin()) throw std::runtime_error(signal + " has no value yet");
        return std::prev(next)->second;
    }
    /// Bit `i` from the right.
    bool bit(const std::string& signal, unsigned i, std::uint64_t time) const
    {
        const auto digits = value(signal, time);
        return digits.at(digits.size() - 1 - i) == '1';
    }
    /// The `port`th of two or more equal slices, as digits.
    std::string slice(const std::string& signal, unsigned port, std::size_t width, std::uint64_t time) const
    {
        const auto digits = value(signal, time);
        return digits.substr(digits.size() - (port + 1) * width, width);
    }
    const std::map<std::uint64_t, std::string>& changes(const std::string& signal) const
    {
        const auto handle = handles_.find(signal);
        if (handle == handles_.end()) throw std::runtime_error("no signal " + signal);
        return values_.at(handle->second);
    }

private:
    static void change(void* self, std::uint64_t time, fstHandle handle, const unsigned char* value)
    {
        auto& reader = *static_cast<wave_reader*>(self);
        reader.values_[handle][time] = reinterpret_cast<const char*>(value);
        reader.times_[time] = true;
    }

    signed char timescale_ = 0;
    std::map<std::string, fstHandle> handles_;
    std::map<fstHandle, std::map<std::uint64_t, std::string>> values_;
    std::map<std::uint64_t, bool> times_;
};

} // namespace isbesim::testbench
