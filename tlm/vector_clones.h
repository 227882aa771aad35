// SPDX-License-Identifier: Apache-2.0
// Loops over 32 lanes gain a factor of three from 256-bit registers. ISBESIM_VECTOR_CLONES in front of a function
// compiles it and what it calls a second time for AVX2; the loader picks one. Results don't depend on it.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(ISBESIM_PORTABLE)
#define ISBESIM_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
// And a third time for AVX-512, of which loops of 64-bit logic gain another factor of two.
#define ISBESIM_LOGIC_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define ISBESIM_VECTOR_CLONES
#define ISBESIM_LOGIC_CLONES
#endif
