// SPDX-License-Identifier: Apache-2.0
// Bytes through stream sockets between processes of ours.
#pragma once

#include <cstddef>
#include <string>

namespace isbesim::gl {

/// False where the other side is gone.
bool write_all(int descriptor, const void* data, std::size_t bytes);
bool read_all(int descriptor, void* data, std::size_t bytes);

/// With its length in front.
bool send_message(int descriptor, const std::string& bytes);
bool receive_message(int descriptor, std::string& bytes);

} // namespace isbesim::gl
