// SPDX-License-Identifier: Apache-2.0
// Sends bytes through stream sockets between processes of isbesim.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isbesim::gl {

/// Returns false if the other side has closed.
bool write_all(int descriptor, const void* data, std::size_t bytes);

/// Reads a stream in large pieces: small messages arrive many at a time.
class socket_reader {
public:
    explicit socket_reader(int descriptor = -1);

    /// Return false if the other side has closed. A message is preceded by its length, of 64 bits.
    bool read(void* data, std::size_t bytes);
    bool receive(std::string& message);

private:
    int descriptor_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; ///< of the bytes in buffer_ that are not taken yet
};

} // namespace isbesim::gl
