// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/configurations.h"

#include <stdexcept>

#include <dlfcn.h>

#include "test_paths.h"

namespace rtl {

const isbesim_rtl_interface& plugin_of(std::string_view name)
{
    const auto path = ISBESIM_BINARY_DIR "/rtl/" + std::string(name) + ".so";
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    const auto entry = reinterpret_cast<isbesim_rtl_entry>(dlsym(library, ISBESIM_RTL_ENTRY));
    if (entry == nullptr) throw std::runtime_error(path + " is no plug-in");
    return *entry();
}

std::unique_ptr<block> make_machine()
{
    return std::make_unique<plugin_block>(plugin_of("machine"));
}

std::unique_ptr<block> make_other()
{
    return std::make_unique<plugin_block>(plugin_of("other"));
}

std::unique_ptr<block> make_line()
{
    return std::make_unique<plugin_block>(plugin_of("line"));
}

std::unique_ptr<block> make_smallest()
{
    return std::make_unique<plugin_block>(plugin_of("smallest"));
}

std::unique_ptr<block> make_largest()
{
    return std::make_unique<plugin_block>(plugin_of("largest"));
}

} // namespace rtl
