// SPDX-License-Identifier: Apache-2.0
// Shows that any TLM-2.0 initiator can use the ISBE: raw words with a plain payload, attributes with a warp operation.
#include <iostream>

#include <tlm_utils/simple_initiator_socket.h>

#include "models/isbe/timing/isbe_at.h"
#include "tlm/payload_extension.h"

struct probe : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<probe> socket{"socket"};
    isbesim::word loaded = 0;

    SC_CTOR(probe) { SC_THREAD(run); }

    void run()
    {
        isbesim::word value = 0x3f800000;
        tlm::tlm_generic_payload write;
        write.set_command(tlm::TLM_WRITE_COMMAND);
        write.set_address(0x80);
        write.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        write.set_data_length(4);
        write.set_streaming_width(4);
        sc_core::sc_time delay;
        socket->b_transport(write, delay);

        isbesim::isbe_extension raw; // ISBERD of the same word, in all 32 lanes
        raw.op.op = isbesim::opcode::isberd;
        raw.op.region = isbesim::region::physical;
        raw.op.size = 4;
        raw.op.immediate = 0x80;
        tlm::tlm_generic_payload read;
        isbesim::make_request(read, raw); // sets the extension, and the attributes that any component may read
        socket->b_transport(read, delay);
        loaded = raw.result.data[0][31];
        read.clear_extension(&raw);
    }
};

int sc_main(int, char**)
{
    isbesim::isbe_at isbe("isbe", isbesim::isbe_config{}, isbesim::cycle_clock::from_ghz(1.0));
    probe probe("probe");
    probe.socket.bind(isbe.ports[0]);
    sc_core::sc_start();
    std::cout << "lane 31 loaded 0x" << std::hex << probe.loaded << " after " << sc_core::sc_time_stamp() << "\n";
    return probe.loaded == 0x3f800000 ? 0 : 1;
}
