// SPDX-License-Identifier: Apache-2.0
// Writes a capture while the program runs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "testbench/gl/capture/capture_format.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

class capture_writer : public draw_listener {
public:
    /// Leaves the content of the file until begin(). Throws std::system_error if it can't be written.
    capture_writer(const std::string& file, const chip& chip);
    /// Removes a file that the constructor made, if there was no begin().
    ~capture_writer() override;
    capture_writer(const capture_writer&) = delete;
    capture_writer& operator=(const capture_writer&) = delete;

    void begin() override;
    void draw(const built_draw& draw) override;
    void end_frame() override;
    /// Marks the session as complete. Throws std::system_error if a write failed, now or before.
    void finish();

    std::uint64_t draws() const { return draws_; }

private:
    /// Size of a blob and three different checksums.
    using fingerprint = std::array<std::uint64_t, 3>;

    class compressor;

    std::uint32_t store(const std::string& bytes);
    void write_chunk(chunk_kind kind, const std::string& content);
    void write_bytes(const std::string& bytes);

    std::unique_ptr<compressor> compressed_;
    std::string header_;
    std::string created_; ///< the file's name if it was not there before, until begin()
    int descriptor_ = -1;
    int error_ = 0; ///< of the first write that failed
    std::uint64_t draws_ = 0;
    std::map<fingerprint, std::uint32_t> blobs_;
};

} // namespace isbesim::gl
