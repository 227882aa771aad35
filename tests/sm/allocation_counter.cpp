// SPDX-License-Identifier: Apache-2.0
#include "tests/sm/allocation_counter.h"

#include <cstdlib>
#include <new>

namespace {
std::size_t count = 0;
} // namespace

void* operator new(std::size_t size)
{
    ++count;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace isbesim {

std::size_t allocations()
{
    return count;
}

} // namespace isbesim
