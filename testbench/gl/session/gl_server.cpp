#include "testbench/gl/session/gl_server.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace isbesim::gl {

namespace {

bool send_reply(int to, const isbesim_gl_reply& reply, int descriptor)
{
    auto copy = reply;
    iovec piece{&copy, sizeof copy};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        auto* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(to, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof copy);
}

} // namespace

gl_server::gl_server(const std::string& folder, gl_device& device, const gpu_memory& memory)
    : device_(device), memory_(memory)
{
    message_.resize(sizeof(isbesim_gl_request) + ISBESIM_GL_MOST_PIECES * sizeof(isbesim_gl_piece) +
                    ISBESIM_GL_MOST_BUFFERS * sizeof(std::uint32_t));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto path = folder + "/socket";
    if (path.size() >= sizeof address.sun_path) throw std::system_error(ENAMETOOLONG, std::generic_category(), path);
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    listening_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    constexpr int backlog = 64;
    if (listening_ < 0 || bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(listening_, backlog) != 0)
        throw std::system_error(errno, std::generic_category(), path);
}

gl_server::~gl_server()
{
    for (const auto& each : connections_) close(each.descriptor);
    if (listening_ >= 0) close(listening_);
}

void gl_server::accept_one()
{
    const auto made = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (made >= 0) connections_.push_back({made, next_++});
}

bool gl_server::serve(const connection& from)
{
    const auto got = recv(from.descriptor, message_.data(), message_.size(), 0);
    if (got < 0 && errno == EINTR) return true;
    isbesim_gl_request request{};
    if (got < static_cast<ssize_t>(sizeof request)) return false;
    std::memcpy(&request, message_.data(), sizeof request);
    const auto behind = static_cast<std::size_t>(got) - sizeof request;
    if (request.pieces > ISBESIM_GL_MOST_PIECES || request.buffers > ISBESIM_GL_MOST_BUFFERS) return false;
    submission asked;
    asked.pieces.resize(request.pieces);
    asked.buffers.resize(request.buffers);
    const auto pieces = request.pieces * sizeof asked.pieces[0];
    const auto buffers = request.buffers * sizeof asked.buffers[0];
    if (behind != pieces + buffers) return false;
    const auto* payload = message_.data() + sizeof request;
    if (pieces != 0) std::memcpy(asked.pieces.data(), payload, pieces);
    if (buffers != 0) std::memcpy(asked.buffers.data(), payload + pieces, buffers);
    const auto reply = device_.answer(from.number, request, asked);
    return send_reply(from.descriptor, reply, request.kind == ISBESIM_GL_HELLO ? memory_.descriptor() : -1);
}

void gl_server::run(program_process& program)
{
    while (!program.ended() || !connections_.empty()) {
        std::vector<pollfd> waited{{listening_, POLLIN, 0}};
        for (const auto& each : connections_) waited.push_back({each.descriptor, POLLIN, 0});
        if (ppoll(waited.data(), waited.size(), nullptr, &program.waiting_mask()) < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "waiting for requests");
        }
        std::vector<connection> left;
        for (std::size_t i = 0; i < connections_.size(); ++i) {
            if (waited[i + 1].revents == 0 || serve(connections_[i])) {
                left.push_back(connections_[i]);
                continue;
            }
            close(connections_[i].descriptor);
            device_.forget(connections_[i].number);
        }
        connections_ = std::move(left);
        if (waited[0].revents != 0) accept_one();
    }
}

} // namespace isbesim::gl
