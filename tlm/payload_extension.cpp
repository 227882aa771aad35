#include "tlm/payload_extension.h"

namespace isbesim {

tlm::tlm_extension_base* isbe_extension::clone() const
{
    auto* copy = new isbe_extension;
    copy->copy_from(*this);
    return copy;
}

void isbe_extension::copy_from(const tlm::tlm_extension_base& other)
{
    const auto& source = static_cast<const isbe_extension&>(other);
    op = source.op;
    result = source.result;
}

} // namespace isbesim
