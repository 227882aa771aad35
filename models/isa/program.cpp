#include "models/isa/program.h"

namespace isbesim::isa {

namespace {

// SM50: bundles of 32 bytes, the control word first, then three instructions of 8 bytes.
constexpr std::uint32_t bundle_bytes = 32;
constexpr std::uint32_t bundle_instructions = 3;

} // namespace

std::size_t program::index_of(std::uint32_t address) const
{
    std::size_t index = npos;
    if (arch == architecture::sm50) {
        if (address % 8 != 0) return npos;
        // A branch to a bundle means its first instruction: the control word is fetched on the way.
        const std::uint32_t within = address % bundle_bytes == 0 ? 0 : address % bundle_bytes / 8 - 1;
        index = std::size_t{address / bundle_bytes} * bundle_instructions + within;
    } else {
        if (address % 16 != 0) return npos;
        index = address / 16;
    }
    return index < code.size() ? index : npos;
}

std::uint32_t program::address_of(std::size_t index) const
{
    const auto i = static_cast<std::uint32_t>(index);
    if (arch != architecture::sm50) return i * 16;
    return i / bundle_instructions * bundle_bytes + 8 + i % bundle_instructions * 8;
}

} // namespace isbesim::isa
