// SPDX-License-Identifier: Apache-2.0
// Puts the beginning of the executable's heap on huge pages, before anything allocates.
//
// SystemC's library clears three megabytes before main(), and a short draw takes about as much again: with pages of
// 4 KiB, the page faults of this memory take a third of such a run. Where the system has no huge pages nothing changes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr std::size_t small_page = 4096, huge_page = 2U << 20;
constexpr std::size_t first_heap = 3 * huge_page;

void place_first_heap()
{
    mallopt(M_MMAP_THRESHOLD, first_heap); // SystemC's block comes from the heap, too
    mallopt(M_TOP_PAD, first_heap + huge_page);
    // The heap's first page, which malloc() writes at once, stays below the huge ones.
    auto* const end = static_cast<char*>(sbrk(0));
    const auto past = (reinterpret_cast<std::uintptr_t>(end) + small_page) % huge_page;
    const auto gap = (huge_page - past) % huge_page;
    sbrk(static_cast<std::intptr_t>(gap));
    void* volatile block = std::malloc(1);
    std::free(block);
    madvise(end + gap + small_page, first_heap, MADV_HUGEPAGE);
}

// Constructors of shared libraries, SystemC's among them, run after the functions of this section.
[[gnu::section(".preinit_array"), gnu::used]] void (*const at_start)() = place_first_heap;

} // namespace
