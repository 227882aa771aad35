// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/socket_io.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

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

socket_reader::socket_reader(int descriptor) : descriptor_(descriptor), buffer_(std::size_t{1} << 16) {}

bool socket_reader::read(void* data, std::size_t bytes)
{
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
        if (begin_ == end_) {
            const auto done = ::read(descriptor_, buffer_.data(), buffer_.size());
            if (done < 0 && errno == EINTR) continue;
            if (done <= 0) return false;
            begin_ = 0;
            end_ = static_cast<std::size_t>(done);
        }
        const auto part = std::min(bytes, end_ - begin_);
        std::memcpy(to, buffer_.data() + begin_, part);
        begin_ += part;
        to += part;
        bytes -= part;
    }
    return true;
}

bool socket_reader::receive(std::string& message)
{
    std::uint64_t size = 0;
    if (!read(&size, sizeof size)) return false;
    message.resize(size);
    return read(&message[0], size);
}

} // namespace isbesim::gl
