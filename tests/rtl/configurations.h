// SPDX-License-Identifier: Apache-2.0
// The plug-ins that the build compiles for the configurations of rtl_ref/configurations.json.
#pragma once

#include <stdexcept>
#include <string>

#include <dlfcn.h>

#include "test_paths.h"
#include "testbench/rtl/rtl_plugin.h"

namespace rtl {

inline const isbesim_rtl_interface& plugin_of(const char* name)
{
    const auto path = std::string(ISBESIM_BINARY_DIR "/rtl/") + name + ".so";
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    const auto entry = reinterpret_cast<isbesim_rtl_entry>(dlsym(library, ISBESIM_RTL_ENTRY));
    if (entry == nullptr) throw std::runtime_error(path + " is no plug-in");
    return *entry();
}

} // namespace rtl
