// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/socket_io.h"

#include <cerrno>
#include <cstdint>

#include <sys/socket.h>
#include <unistd.h>

namespace isbesim::gl {

bool write_all(int descriptor, const void* data, std::size_t bytes)
{
    const auto* from = static_cast<const char*>(data);
    while (bytes > 0) {
        const auto done = send(descriptor, from, bytes, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        from += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

bool read_all(int descriptor, void* data, std::size_t bytes)
{
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
        const auto done = read(descriptor, to, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        to += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

bool send_message(int descriptor, const std::string& bytes)
{
    const std::uint64_t size = bytes.size();
    return write_all(descriptor, &size, sizeof size) && write_all(descriptor, bytes.data(), bytes.size());
}

bool receive_message(int descriptor, std::string& bytes)
{
    std::uint64_t size = 0;
    if (!read_all(descriptor, &size, sizeof size)) return false;
    bytes.resize(size);
    return read_all(descriptor, &bytes[0], size);
}

} // namespace isbesim::gl
