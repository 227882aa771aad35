// SPDX-License-Identifier: Apache-2.0
/// ISBESIM_HAS_PROCESS(module) comes before SC_METHOD and SC_THREAD in a module without SC_CTOR. SystemC 2.3 needs its
/// SC_HAS_PROCESS there; IEEE 1666-2023 made it obsolete, and SystemC 3 marks it as deprecated.
#pragma once

#include <systemc>

#if SC_VERSION_MAJOR < 3
#define ISBESIM_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#else
#define ISBESIM_HAS_PROCESS(module) static_assert(true)
#endif
