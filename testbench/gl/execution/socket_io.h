// SPDX-License-Identifier: Apache-2.0
// Sends bytes through stream sockets between processes of isbesim.
#pragma once

#include <cstddef>
#include <string>

namespace isbesim::gl {

/// Return false if the other side has closed.
bool write_all(int descriptor, const void* data, std::size_t bytes);
bool read_all(int descriptor, void* data, std::size_t bytes);

/// A message is preceded by its length.
bool send_message(int descriptor, const std::string& bytes);
bool receive_message(int descriptor, std::string& bytes);

} // namespace isbesim::gl
