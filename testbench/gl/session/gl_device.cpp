// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/session/gl_device.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace isbesim::gl {

gl_device::gl_device(const chip& chip, gpu_memory& memory, tally& counts, draw_executor* executor,
                     draw_listener* listener, const draw_range& range, graphics_api api)
    : chip_(chip),
      classes_(classes_of(chip)),
      memory_(memory),
      counts_(counts),
      executor_(executor),
      listener_(listener),
      range_(range),
      api_(api)
{
}

int gl_device::new_buffer(file& owner, const isbesim_gl_request& request, isbesim_gl_buffer& allocated)
{
    allocated = request.buffer;
    allocated.bytes = (allocated.bytes + gpu_memory::page - 1) / gpu_memory::page * gpu_memory::page;
    if (allocated.bytes == 0) return EINVAL;
    allocated.address = memory_.allocate(allocated.bytes, request.alignment, request.object == ISBESIM_GL_HIDDEN);
    if (allocated.address == 0) return ENOMEM;
    allocated.handle = next_buffer_++;
    auto& kept = buffers_[allocated.handle];
    kept.facts = allocated;
    kept.place = std::shared_ptr<void>(
        nullptr, [this, allocated](void*) { memory_.release(allocated.address, allocated.bytes); });
    return hold(owner, allocated.handle);
}

int gl_device::hold(file& owner, std::uint32_t handle)
{
    const auto found = buffers_.find(handle);
    if (found == buffers_.end()) return ENOENT;
    if (owner.buffers.insert(handle).second) ++found->second.holders;
    return 0;
}

void gl_device::drop(std::uint32_t handle)
{
    const auto found = buffers_.find(handle);
    if (found == buffers_.end() || --found->second.holders != 0) return;
    const auto& facts = found->second.facts;
    journal_.forget(facts.address, facts.bytes);
    for (auto& [number, each] : channels_) each.fences->forget(facts.address, facts.bytes);
    buffers_.erase(found);
}

int gl_device::new_channel(unsigned process, std::uint32_t number, isbesim_gl_reply& reply)
{
    isbesim_gl_request notifier{};
    notifier.buffer.bytes = gpu_memory::page;
    const auto error = new_buffer(files_.at(number), notifier, reply.buffer);
    if (error != 0) return error;
    reply.channel = next_channel_++;
    auto& added = channels_[reply.channel];
    added.file = number;
    added.space = files_.at(number).space.get();
    auto& memory = added.space != nullptr ? added.space->memory : memory_;
    auto& journal = added.space != nullptr ? added.space->journal : journal_;
    // An X server opens the device for its clients, so the channel's owner is the client, not the owner of the file.
    const bool hidden = of_window_system(process);
    auto& counts = hidden ? window_system_counts_ : counts_;
    ++counts.channels;
    added.fences = std::make_unique<fence_queue>(memory, added.space == nullptr);
    added.draws = std::make_unique<draw_session>(
        hidden ? draw_parts{chip_, memory, journal, counts, nullptr, nullptr, {{0, 0}, {0, 0}}}
               : draw_parts{chip_, memory, journal, counts, executor_, listener_, range_});
    added.processor =
        std::make_unique<command_processor>(channel_parts{chip_, memory, journal, *added.fences, *added.draws, counts});
    return 0;
}

int gl_device::bind_class(std::uint32_t in, std::uint32_t number) const
{
    if (channels_.count(in) == 0) return ENOENT;
    // Classes of the kernel itself have negative numbers; they do page flips, which have no effect without screens.
    const bool software = (number >> 31) != 0;
    return software || std::find(classes_.begin(), classes_.end(), number) != classes_.end() ? 0 : EINVAL;
}

int gl_device::submit(std::uint32_t number, const submission& work)
{
    const auto found = channels_.find(number);
    if (found == channels_.end()) return ENOENT;
    auto& fences = *found->second.fences;
    fences.begin_submission(++submissions_);
    std::vector<std::uint64_t> reach;
    for (const auto handle : work.buffers) {
        const auto held = buffers_.find(handle);
        if (held == buffers_.end()) continue;
        held->second.used_by = submissions_;
        reach.push_back(held->second.facts.address);
    }
    std::sort(reach.begin(), reach.end());
    reach.erase(std::unique(reach.begin(), reach.end()), reach.end());
    found->second.draws->set_reach(std::move(reach));
    for (const auto& piece : work.pieces) {
        const auto held = buffers_.find(piece.handle);
        if (held == buffers_.end()) return ENOENT;
        const auto& facts = held->second.facts;
        if (piece.offset > facts.bytes || piece.bytes > facts.bytes - piece.offset || piece.bytes % 4 != 0)
            return EINVAL;
        const auto address = facts.address + piece.offset;
        if (fences.empty()) {
            const auto* bytes = memory_.at(address, piece.bytes);
            found->second.processor->words(reinterpret_cast<const std::uint32_t*>(bytes), piece.bytes / 4);
        } else {
            const auto words = fences.words(address, piece.bytes);
            found->second.processor->words(words.data(), words.size());
        }
    }
    end_submission(found->second);
    return 0;
}

void gl_device::end_submission(channel& ended)
{
    ended.processor->finish();
    ended.draws->settle();
    if (window_system_counts_.draws != 0) counts_.skipped[drawn_by_window_system] = window_system_counts_.draws;
}

void gl_device::note_other_driver(unsigned process)
{
    const auto facts = processes_[process];
    processes_.erase(process);
    // Mesa's search for a driver does not count if it found this device's driver.
    const bool drew_elsewhere = facts.driver == ISBESIM_GL_SOME_DRIVER ? !facts.has_channel : !facts.drew;
    if (facts.driver == 0 || !drew_elsewhere || of_window_system(process)) return;
    static const char* const names[] = {"", "", "llvmpipe", "softpipe", "zink"};
    counts_.elsewhere.insert(facts.driver < std::size(names) ? names[facts.driver] : "");
}

isbesim_gl_reply gl_device::answer(unsigned process, const isbesim_gl_request& request, const submission& work)
{
    isbesim_gl_reply reply{};
    switch (request.kind) {
    case ISBESIM_GL_HELLO:
        reply.chipset = chip_.chipset;
        reply.device_id = chip_.device_id;
        reply.spaces = api_ == graphics_api::vulkan ? 1 : 0;
        std::copy_n(classes_.begin(), std::min<std::size_t>(classes_.size(), ISBESIM_GL_MOST_CLASSES), reply.classes);
        reply.error = request.protocol == ISBESIM_GL_PROTOCOL ? 0 : EPROTO;
        if (request.window_system != 0) window_system_.insert(process);
        return reply;
    case ISBESIM_GL_OPEN_DEVICE:
        reply.file = next_file_++;
        files_[reply.file].process = process;
        return reply;
    case ISBESIM_GL_FRAME_END:
        if (of_window_system(process)) return reply;
        if (listener_ != nullptr && range_.frames.contains(counts_.frames)) listener_->end_frame();
        ++counts_.frames;
        return reply;
    case ISBESIM_GL_DRIVER:
        if (auto& driver = processes_[process].driver; request.object != ISBESIM_GL_SOME_DRIVER || driver == 0)
            driver = request.object;
        return reply;
    case ISBESIM_GL_WAIT: {
        const auto waited = buffers_.find(request.buffer.handle);
        pass_fences(waited != buffers_.end() ? waited->second.used_by : submissions_);
        reply.fences = holds_fences() ? 1 : 0;
        return reply;
    }
    default:
        break;
    }
    const auto opened = files_.find(request.file);
    if (opened == files_.end()) {
        reply.error = EBADF;
        return reply;
    }
    auto& owner = opened->second;
    const auto handle = request.buffer.handle;
    const auto known = buffers_.find(handle);
    if (known != buffers_.end()) reply.buffer = known->second.facts;
    switch (request.kind) {
    case ISBESIM_GL_NEW_BUFFER:
        reply.error = new_buffer(owner, request, reply.buffer);
        break;
    case ISBESIM_GL_DESCRIBE_BUFFER:
        reply.error = owner.buffers.count(handle) != 0 ? 0 : ENOENT;
        break;
    case ISBESIM_GL_CLOSE_BUFFER:
        reply.error = owner.buffers.erase(handle) != 0 ? 0 : ENOENT;
        if (reply.error == 0) drop(handle);
        break;
    case ISBESIM_GL_SHARE_BUFFER:
        reply.error = owner.buffers.count(handle) != 0 ? 0 : ENOENT;
        if (reply.error == 0 && owner.shared.insert(handle).second) ++known->second.holders;
        break;
    case ISBESIM_GL_IMPORT_BUFFER:
        reply.error = hold(owner, handle);
        break;
    case ISBESIM_GL_NEW_CHANNEL:
        reply.error = new_channel(process, request.file, reply);
        processes_[process].has_channel |= reply.error == 0;
        break;
    case ISBESIM_GL_CLOSE_CHANNEL:
        channels_.erase(request.channel);
        break;
    case ISBESIM_GL_BIND_CLASS:
        reply.error = bind_class(request.channel, request.object);
        counts_.nvc0 |= reply.error == 0 && request.object == classes_.front() && !of_window_system(process);
        break;
    case ISBESIM_GL_SUBMIT: {
        const auto before = counts_.draws;
        reply.error = submit(request.channel, work);
        reply.fences = holds_fences() ? 1 : 0;
        processes_[process].drew |= counts_.draws != before;
        break;
    }
    default:
        return answer_vulkan(process, owner, request, work);
    }
    return reply;
}

bool gl_device::holds_fences() const
{
    return std::any_of(channels_.begin(), channels_.end(),
                       [](const auto& each) { return !each.second.fences->empty(); });
}

void gl_device::pass_fences(std::uint64_t submission)
{
    for (auto& [number, each] : channels_) each.fences->pass(submission);
}

void gl_device::forget(unsigned process)
{
    note_other_driver(process);
    window_system_.erase(process);
    for (auto each = files_.begin(); each != files_.end();) {
        if (each->second.process != process) {
            ++each;
            continue;
        }
        for (auto one = channels_.begin(); one != channels_.end();)
            one = one->second.file == each->first ? channels_.erase(one) : std::next(one);
        close(each->second);
        each = files_.erase(each);
    }
}

} // namespace isbesim::gl
