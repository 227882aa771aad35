// SPDX-License-Identifier: Apache-2.0
// Reads captures: their contents and single draws.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/capture/capture_format.h"
#include "testbench/gl/capture/draw_record.h"

namespace isbesim::gl {

class capture_reader {
public:
    /// Throws testbench::input_error.
    explicit capture_reader(std::string file);
    ~capture_reader();
    capture_reader(const capture_reader&) = delete;
    capture_reader& operator=(const capture_reader&) = delete;

    /// All users of a file share a reader: finding the chunks of a large file takes time. Throws as the constructor
    /// does.
    static std::shared_ptr<capture_reader> open(const std::string& file);

    /// True if the file begins as a capture does.
    static bool is_capture(const std::string& file);

    const std::string& file() const { return file_; }
    const std::string& chip() const { return chip_; }
    std::size_t draws() const { return draws_.size(); }
    /// Frame number of a draw.
    std::size_t frame_of(std::size_t draw) const { return draws_[draw].frame; }
    std::size_t frames() const { return frames_; }
    std::size_t blobs() const { return blobs_.size(); }
    /// False if the session was killed; the draws in the file are complete.
    bool complete() const { return complete_; }

    /// Throw testbench::input_error with the place of the draw's chunk.
    draw_call load(std::size_t draw);
    draw_outline outline(std::size_t draw);
    /// The bytes of a blob, for outlines.
    const std::string& blob(std::uint32_t number);

private:
    struct chunk {
        std::uint64_t offset = 0; ///< of the stored bytes
        std::uint32_t stored = 0, bytes = 0, crc = 0;
        std::size_t frame = 0; ///< of a draw
    };

    void index();
    std::string content(const chunk& part) const;
    [[noreturn]] void fail(std::uint64_t offset, const std::string& text) const;
    template <typename Function>
    auto guarded(std::size_t draw, Function&& read);

    std::string file_;
    int descriptor_ = -1;
    std::string chip_;
    std::vector<chunk> draws_;
    std::vector<chunk> blobs_;
    /// Successive draws share blobs, which stay loaded until their size exceeds this, not counting those of one draw.
    static constexpr std::uint64_t most_loaded_bytes = 64 << 20;
    std::map<std::uint32_t, std::string> loaded_;
    std::uint64_t loaded_bytes_ = 0;
    decoded_programs programs_;
    std::size_t frames_ = 0;
    bool complete_ = false;
};

} // namespace isbesim::gl
