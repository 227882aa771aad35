// SPDX-License-Identifier: Apache-2.0
// The device that programs see: files, buffers, channels. Executes requests; independent of sockets and processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "testbench/gl/channel/command_processor.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/draws/draw_session.h"
#include "testbench/gl/kernel/protocol.h"
#include "testbench/gl/session/graphics_api.h"

namespace isbesim::gl {

/// Content of a submission: words to execute, and the handles of all buffers that they may access.
struct submission {
    std::vector<isbesim_gl_piece> pieces{};
    std::vector<std::uint32_t> buffers{};
};

class gl_device {
public:
    gl_device(const chip& chip, gpu_memory& memory, tally& counts, draw_executor* executor, draw_listener* listener,
              const draw_range& range = {}, graphics_api api = graphics_api::opengl);

    /// `process`: the requesting connection, which owns what it opens.
    isbesim_gl_reply answer(unsigned process, const isbesim_gl_request& request, const submission& work = {});
    /// The process has ended: closes everything that it opened.
    void forget(unsigned process);

    /// True while programs do not see all fences of submissions up to number submissions() (fence_queue.h).
    bool holds_fences() const;
    std::uint64_t submissions() const { return submissions_; }
    void pass_fences(std::uint64_t submission);

private:
    struct buffer {
        isbesim_gl_buffer facts{};
        unsigned holders = 0;          ///< files that hold it
        std::shared_ptr<void> place{}; ///< frees its bytes, after the last range of an address space that uses them
        std::uint64_t used_by = 0;     ///< last submission that named it
    };
    /// The address space of a file that requested one.
    struct address_space {
        address_space(const gpu_memory& storage, std::uint64_t bytes) : memory(storage, bytes) {}
        gpu_memory memory;
        upload_journal journal;
    };
    struct sync {
        unsigned holders = 0;
        bool signalled = false;
        std::uint64_t point = 0; ///< of a timeline
    };
    struct channel {
        std::uint32_t file = 0;
        address_space* space = nullptr; ///< null: addresses are the kernel's
        std::unique_ptr<fence_queue> fences;
        std::unique_ptr<draw_session> draws;
        std::unique_ptr<command_processor> processor;
    };
    struct file {
        unsigned process = 0;
        std::set<std::uint32_t> buffers;
        std::set<std::uint32_t> shared; ///< held until the file is closed: another process may import them
        std::unique_ptr<address_space> space;
        std::multiset<std::uint32_t> syncs; ///< a handle for each time it was made, imported or shared
    };

    /// Drivers that a process started, and its use of the device.
    struct process_facts {
        std::uint32_t driver = 0; ///< enum isbesim_gl_driver: the last driver other than the device's
        bool has_channel = false, drew = false;
    };

    int new_buffer(file& owner, const isbesim_gl_request& request, isbesim_gl_buffer& allocated);
    int hold(file& owner, std::uint32_t handle);
    void drop(std::uint32_t handle);
    int new_channel(unsigned process, std::uint32_t number, isbesim_gl_reply& reply);
    int bind_class(std::uint32_t in, std::uint32_t number) const;
    int submit(std::uint32_t number, const submission& work);
    int execute(std::uint32_t number, const submission& work);
    void end_submission(channel& ended);
    /// Executes requests that need a device for Vulkan.
    isbesim_gl_reply answer_vulkan(unsigned process, file& owner, const isbesim_gl_request& request,
                                   const submission& work);
    int map(file& owner, const isbesim_gl_request& request);
    void close_sync(file& owner, std::multiset<std::uint32_t>::iterator handle);
    void close(file& owner);
    void note_other_driver(unsigned process);
    bool of_window_system(unsigned process) const { return window_system_.count(process) != 0; }

    const chip& chip_;
    std::vector<std::uint32_t> classes_;
    gpu_memory& memory_;
    tally& counts_;
    draw_executor* executor_;
    draw_listener* listener_;
    draw_range range_;
    graphics_api api_;
    upload_journal journal_;
    std::map<std::uint32_t, file> files_;
    std::map<std::uint32_t, buffer> buffers_;
    std::map<std::uint32_t, sync> syncs_;
    std::map<std::uint32_t, channel> channels_;
    std::map<unsigned, process_facts> processes_;
    std::set<unsigned> window_system_; ///< processes of a window system; their draws are neither run nor counted
    tally window_system_counts_;
    std::uint64_t submissions_ = 0;
    std::uint32_t next_file_ = 1, next_buffer_ = 1, next_sync_ = 1, next_channel_ = 0;
};

} // namespace isbesim::gl
