// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_library.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

#include <dlfcn.h>
#include <elf.h>

namespace isbesim::testbench {

namespace {

constexpr const char* expected = ", expected an RTL plug-in as scripts/rtl builds it";

/// False for a truncated file, which would cause a signal in the loader instead of an error.
bool complete(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    Elf64_Ehdr header{};
    file.seekg(0);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
    return header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize <= size;
}

} // namespace

const isbesim_rtl_interface& open_rtl_library(const std::string& path)
{
    if (!std::ifstream(path)) throw std::invalid_argument(path + " can't be read" + expected);
    if (!complete(path)) throw std::invalid_argument(path + " is damaged or no library" + expected);
    // With a slash: the loader searches the system's folders for a plain name.
    const auto file = path.find('/') == std::string::npos ? "./" + path : path;
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::invalid_argument(std::string(dlerror()) + expected);
    const auto entry = reinterpret_cast<isbesim_rtl_entry>(dlsym(library, ISBESIM_RTL_ENTRY));
    if (entry == nullptr) throw std::invalid_argument(path + " has no " + ISBESIM_RTL_ENTRY + expected);
    const auto* const table = entry();
    if (table->interface_number != ISBESIM_RTL_INTERFACE || table->struct_size != sizeof *table)
        throw std::invalid_argument(path + " has interface " + std::to_string(table->interface_number) + " of " +
                                    std::to_string(table->struct_size) + " bytes, expected " +
                                    std::to_string(ISBESIM_RTL_INTERFACE) + " of " + std::to_string(sizeof *table) +
                                    ": build it again with this version's scripts/rtl");
    return *table;
}

} // namespace isbesim::testbench
