// SPDX-License-Identifier: Apache-2.0
#include "tlm/payload_pool.h"

namespace isbesim {

payload_pool::entry::entry(tlm::tlm_mm_interface* manager) : tlm::tlm_generic_payload(manager) {}

payload_pool::entry::~entry()
{
    // The payload's destructor would free() the extension, which is a member here.
    clear_extension(&extension);
}

payload_pool::~payload_pool() = default;

tlm::tlm_generic_payload& payload_pool::acquire()
{
    if (free_.empty()) {
        entries_.push_back(std::make_unique<entry>(this));
        free_.reserve(entries_.capacity()); // so that free() never allocates
        free_.push_back(entries_.back().get());
    }
    entry* const payload = free_.back();
    free_.pop_back();
    make_request(*payload, payload->extension);
    payload->acquire();
    return *payload;
}

isbe_extension& payload_pool::extension(tlm::tlm_generic_payload& payload)
{
    return static_cast<entry&>(payload).extension;
}

void payload_pool::free(tlm::tlm_generic_payload* payload)
{
    payload->reset(); // drops what others attached on the way (auto extensions); ours stays
    free_.push_back(static_cast<entry*>(payload));
}

} // namespace isbesim
