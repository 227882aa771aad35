// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/session/gl_server.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace isbesim::gl {

namespace {

/// Processor time of a polling program after which fences pass; `idle_ticks` is for programs that sleep between polls.
/// Wall-clock time alone is not a criterion: the host may have stopped the program between two commands.
constexpr std::chrono::milliseconds tick{10}, polled{50};
constexpr unsigned idle_ticks = 100;

pid_t process_of(int descriptor)
{
    ucred credentials{};
    socklen_t size = sizeof credentials;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials.pid : 0;
}

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
    const auto descriptor = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor >= 0) connections_.push_back({descriptor, next_++, process_of(descriptor)});
}

bool gl_server::serve(const connection& client)
{
    const auto got = recv(client.descriptor, message_.data(), message_.size(), 0);
    if (got < 0 && errno == EINTR) return true;
    isbesim_gl_request request{};
    if (got < static_cast<ssize_t>(sizeof request)) return false;
    std::memcpy(&request, message_.data(), sizeof request);
    const auto payload_bytes = static_cast<std::size_t>(got) - sizeof request;
    if (request.pieces > ISBESIM_GL_MOST_PIECES || request.buffers > ISBESIM_GL_MOST_BUFFERS) return false;
    submission asked;
    asked.pieces.resize(request.pieces);
    asked.buffers.resize(request.buffers);
    const auto pieces = request.pieces * sizeof asked.pieces[0];
    const auto buffers = request.buffers * sizeof asked.buffers[0];
    if (payload_bytes != pieces + buffers) return false;
    const auto* payload = message_.data() + sizeof request;
    if (pieces != 0) std::memcpy(asked.pieces.data(), payload, pieces);
    if (buffers != 0) std::memcpy(asked.buffers.data(), payload + pieces, buffers);
    const auto reply = device_.answer(client.number, request, asked);
    return send_reply(client.descriptor, reply, request.kind == ISBESIM_GL_HELLO ? memory_.descriptor() : -1);
}

std::chrono::nanoseconds gl_server::computed() const
{
    std::chrono::nanoseconds sum{};
    for (const auto& each : connections_) {
        clockid_t clock{};
        timespec time{};
        if (clock_getcpuclockid(each.process, &clock) == 0 && clock_gettime(clock, &time) == 0)
            sum += std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
    return sum;
}

void gl_server::watch_fences(bool requested)
{
    if (!device_.holds_fences()) {
        watch_ = {};
        return;
    }
    if (watch_.submission != 0) {
        watch_.idle = requested ? 0 : watch_.idle + 1;
        if (watch_.idle < idle_ticks && computed() - watch_.computed < polled) return;
        device_.pass_fences(watch_.submission);
    }
    watch_ = {device_.submissions(), computed(), 0};
}

void gl_server::run(program_process& program, std::function<void()> late)
{
    const timespec timeout{0, std::chrono::nanoseconds(tick).count()};
    const timespec second{1, 0};
    while (!program.ended() || !connections_.empty()) {
        std::vector<pollfd> waited{{listening_, POLLIN, 0}};
        for (const auto& each : connections_) waited.push_back({each.descriptor, POLLIN, 0});
        const auto* limit = device_.holds_fences() ? &timeout : late ? &second : nullptr;
        if (late && program_process::outlives_signal()) std::exchange(late, nullptr)();
        const auto ready = ppoll(waited.data(), waited.size(), limit, &program.waiting_mask());
        if (ready < 0) {
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
        watch_fences(ready != 0);
        if (waited[0].revents != 0) accept_one();
    }
}

} // namespace isbesim::gl
