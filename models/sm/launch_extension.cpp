// SPDX-License-Identifier: Apache-2.0
#include "models/sm/launch_extension.h"

namespace isbesim {

tlm::tlm_extension_base* launch_extension::clone() const
{
    return new launch_extension(*this);
}

void launch_extension::copy_from(const tlm::tlm_extension_base& other)
{
    const auto& from = static_cast<const launch_extension&>(other);
    launch = from.launch;
    completion = from.completion;
    tag = from.tag;
    because = from.because;
}

launch_pool::~launch_pool()
{
    // The extensions belong to their payloads, whose destructors free them.
    for (const auto& transaction : all_) transaction->set_mm(nullptr);
}

tlm::tlm_generic_payload& launch_pool::acquire()
{
    if (idle_.empty()) {
        all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
        all_.back()->set_extension(new launch_extension);
        idle_.reserve(all_.size());
        idle_.push_back(all_.back().get());
    }
    tlm::tlm_generic_payload& transaction = *idle_.back();
    idle_.pop_back();
    transaction.acquire();
    transaction.set_command(tlm::TLM_IGNORE_COMMAND);
    transaction.set_address(0);
    auto& tag = transaction.get_extension<launch_extension>()->tag;
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&tag));
    transaction.set_data_length(sizeof tag);
    transaction.set_streaming_width(sizeof tag);
    transaction.set_byte_enable_ptr(nullptr);
    transaction.set_byte_enable_length(0);
    transaction.set_dmi_allowed(false);
    transaction.set_gp_option(tlm::TLM_MIN_PAYLOAD);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return transaction;
}

void launch_pool::free(tlm::tlm_generic_payload* transaction)
{
    transaction->reset(); // drops extensions that others attached for this launch; the launch_extension stays
    idle_.push_back(transaction);
}

} // namespace isbesim
