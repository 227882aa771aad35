// SPDX-License-Identifier: Apache-2.0
#include "tlm/warp_fields.h"

#include <cstddef>
#include <iterator>
#include <utility>

namespace isbesim {

namespace {

// A member without a row is a compile error.
struct anything {
    template <typename T>
    operator T() const;
};
template <typename T, std::size_t... i>
constexpr auto has_members(std::index_sequence<i...>) -> decltype(T{(static_cast<void>(i), anything{})...}, true)
{
    return true;
}
template <typename T>
constexpr bool has_members(...)
{
    return false;
}
constexpr const char* response_field_names[] = {
#define ISBESIM_FIELD(name, ...) #name,
#define ISBESIM_LANE_FIELD(name, ...) #name,
#include "tlm/response_fields.inc"
};
template <typename T, std::size_t count>
constexpr bool has_exactly = has_members<T>(std::make_index_sequence<count>{}) &&
                             !has_members<T>(std::make_index_sequence<count + 1>{});
static_assert(has_exactly<warp_op, request_field_names.size()> &&
              has_exactly<warp_result, std::size(response_field_names)>);

} // namespace

std::string detail::value_error(const char* name, std::uint32_t value, unsigned pins, unsigned legal)
{
    const auto text = std::string(name) + " is " + std::to_string(value) + ", expected ";
    if (legal == 0) return text + "0 to " + std::to_string(0xffffffffU >> (32 - pins));
    std::string values;
    for (unsigned i = 0; legal >> i != 0; ++i) {
        if ((legal >> i & 1U) == 0) continue;
        if (!values.empty()) values += legal >> i == 1 ? " or " : ", ";
        values += std::to_string(i);
    }
    return text + values;
}

} // namespace isbesim
