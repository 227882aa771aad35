// SPDX-License-Identifier: Apache-2.0
// Requests of Vulkan's driver that OpenGL's does not make: address spaces, submissions by address, synchronisation
// objects. A submission is complete when its call returns, so callers never wait for it.
#include <algorithm>
#include <cerrno>
#include <system_error>

#include "testbench/gl/session/gl_device.h"

namespace isbesim::gl {

namespace {

/// NVK takes its addresses from 38 bits.
constexpr std::uint64_t address_space_bytes = std::uint64_t{1} << 38;

} // namespace

int gl_device::map(file& owner, const isbesim_gl_request& request)
{
    if (owner.space == nullptr) return ENOSYS;
    if (request.buffer.handle == 0) {
        owner.space->journal.forget(request.buffer.address, request.buffer.bytes);
        return owner.space->memory.map(request.buffer.address, {request.buffer.bytes, memory_range::hole, {}});
    }
    if (owner.buffers.count(request.buffer.handle) == 0) return ENOENT;
    const auto& named = buffers_.at(request.buffer.handle);
    const auto bytes = request.buffer.bytes;
    const auto offset = request.alignment;
    if (offset > named.facts.bytes || bytes > named.facts.bytes - offset) return EINVAL;
    auto& space = *owner.space;
    space.journal.forget(request.buffer.address, bytes);
    return space.memory.map(request.buffer.address, {bytes, named.facts.address + offset, named.place});
}

int gl_device::execute(std::uint32_t number, const submission& work)
{
    const auto found = channels_.find(number);
    if (found == channels_.end()) return ENOENT;
    auto& used = found->second;
    if (used.space == nullptr) return ENOSYS;
    const auto& memory = used.space->memory;
    for (const auto& piece : work.pieces)
        if (piece.bytes % 4 != 0 || piece.offset % 4 != 0 ||
            (piece.bytes != 0 && memory.at(piece.offset, piece.bytes) == nullptr))
            return EINVAL;
    used.fences->begin_submission(++submissions_);
    // The submission may access everything that is mapped.
    std::vector<std::uint64_t> reach;
    reach.reserve(memory.table().size());
    for (const auto& [address, range] : memory.table()) reach.push_back(address);
    used.draws->set_reach(std::move(reach));
    for (const auto& piece : work.pieces)
        used.processor->words(reinterpret_cast<const std::uint32_t*>(memory.at(piece.offset, piece.bytes)),
                              piece.bytes / 4);
    end_submission(used);
    return 0;
}

void gl_device::close_sync(file& owner, std::multiset<std::uint32_t>::iterator handle)
{
    const auto found = syncs_.find(*handle);
    owner.syncs.erase(handle);
    if (--found->second.holders == 0) syncs_.erase(found);
}

void gl_device::close(file& owner)
{
    owner.space.reset();
    while (!owner.syncs.empty()) close_sync(owner, owner.syncs.begin());
    for (const auto handle : owner.buffers) drop(handle);
    for (const auto handle : owner.shared) drop(handle);
}

isbesim_gl_reply gl_device::answer_vulkan(unsigned process, file& owner, const isbesim_gl_request& request,
                                          const submission& work)
{
    isbesim_gl_reply reply{};
    const auto handle = request.buffer.handle;
    const auto held = owner.syncs.find(handle);
    const auto known = syncs_.find(handle);
    const auto hold = [&](std::uint32_t which) {
        owner.syncs.insert(which);
        ++syncs_[which].holders;
        reply.buffer.handle = which;
    };
    reply.error = api_ == graphics_api::vulkan ? 0 : EINVAL;
    if (reply.error != 0) return reply;
    switch (request.kind) {
    case ISBESIM_GL_NEW_SPACE:
        if (owner.space != nullptr) reply.error = EBUSY;
        if (reply.error != 0) break;
        try {
            owner.space = std::make_unique<address_space>(memory_, address_space_bytes);
        } catch (const std::system_error&) {
            reply.error = ENOMEM;
        }
        break;
    case ISBESIM_GL_MAP:
        reply.error = map(owner, request);
        break;
    case ISBESIM_GL_UNMAP:
        if (owner.space != nullptr) owner.space->journal.forget(request.buffer.address, request.buffer.bytes);
        reply.error =
            owner.space != nullptr ? owner.space->memory.unmap(request.buffer.address, request.buffer.bytes) : ENOSYS;
        break;
    case ISBESIM_GL_EXECUTE: {
        const auto before = counts_.draws;
        reply.error = execute(request.channel, work);
        processes_[process].drew |= counts_.draws != before;
        break;
    }
    case ISBESIM_GL_NEW_SYNC:
        hold(next_sync_++);
        break;
    case ISBESIM_GL_IMPORT_SYNC:
        reply.error = known != syncs_.end() ? 0 : ENOENT;
        if (reply.error == 0) hold(handle);
        break;
    case ISBESIM_GL_CLOSE_SYNC:
    case ISBESIM_GL_DESCRIBE_SYNC:
    case ISBESIM_GL_SET_SYNC:
    case ISBESIM_GL_SHARE_SYNC:
        if (held == owner.syncs.end()) {
            reply.error = ENOENT;
            break;
        }
        if (request.kind == ISBESIM_GL_CLOSE_SYNC) {
            close_sync(owner, held);
            break;
        }
        if (request.kind == ISBESIM_GL_SHARE_SYNC) hold(handle);
        if (request.kind == ISBESIM_GL_SET_SYNC) {
            auto& object = known->second;
            object.signalled = request.object == ISBESIM_GL_SYNC_SIGNAL;
            object.point = object.signalled && request.point != 0 ? std::max(object.point, request.point) : 0;
        }
        reply.fences = known->second.signalled ? 1 : 0;
        reply.point = known->second.point;
        break;
    default:
        reply.error = EINVAL;
    }
    return reply;
}

} // namespace isbesim::gl
