// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/capture/capture_writer.h"

#include <cerrno>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "testbench/files/checksum.h"
#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/capture/draw_record.h"

namespace isbesim::gl {

namespace {

std::uint32_t crc_of(const std::string& bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string with_crc(const std::string& bytes)
{
    byte_writer crc;
    crc.put(crc_of(bytes));
    return bytes + crc.bytes();
}

} // namespace

/// One for all chunks: its working memory is many pages, which need not be allocated and freed for each chunk.
class capture_writer::compressor {
public:
    compressor()
    {
        // The fastest level: a capture must not slow the program down.
        constexpr int level = 1;
        if (deflateInit(&stream_, level) != Z_OK) throw std::bad_alloc();
    }
    ~compressor() { deflateEnd(&stream_); }
    compressor(const compressor&) = delete;
    compressor& operator=(const compressor&) = delete;

    std::string operator()(const std::string& content)
    {
        deflateReset(&stream_);
        std::string result(deflateBound(&stream_, static_cast<uLong>(content.size())), '\0');
        // zlib does not write to its input, although its pointer is not const.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
        stream_.avail_in = static_cast<uInt>(content.size());
        stream_.next_out = reinterpret_cast<Bytef*>(&result[0]);
        stream_.avail_out = static_cast<uInt>(result.size());
        deflate(&stream_, Z_FINISH);
        result.resize(result.size() - stream_.avail_out);
        return result;
    }

private:
    z_stream stream_{};
};

capture_writer::capture_writer(const std::string& file, const chip& chip) : compressed_(std::make_unique<compressor>())
{
    constexpr mode_t mode = 0644;
    descriptor_ = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0)
        created_ = file;
    else if (errno == EEXIST)
        descriptor_ = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), file);
    // Leaves a file that another session is still writing.
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor_);
        throw std::system_error(EBUSY, std::generic_category(), file);
    }
    byte_writer version;
    version.put(capture_version);
    std::string name(chip.name);
    name.resize(capture_name_bytes, '\0');
    header_ = with_crc(capture_magic + version.bytes() + name);
}

capture_writer::~capture_writer()
{
    if (!created_.empty()) unlink(created_.c_str());
    close(descriptor_);
}

void capture_writer::begin()
{
    created_.clear();
    struct stat status {};
    const bool regular = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    if (regular && ftruncate(descriptor_, 0) != 0) error_ = errno;
    write_bytes(header_);
}

void capture_writer::write_bytes(const std::string& bytes)
{
    std::size_t done = 0;
    while (error_ == 0 && done < bytes.size()) {
        const auto step = write(descriptor_, bytes.data() + done, bytes.size() - done);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0)
            error_ = step < 0 ? errno : EIO;
        else
            done += static_cast<std::size_t>(step);
    }
}

void capture_writer::write_chunk(chunk_kind kind, const std::string& content)
{
    const auto stored = content.empty() ? std::string() : (*compressed_)(content);
    byte_writer head;
    head.put(static_cast<std::uint32_t>(kind));
    head.put(static_cast<std::uint32_t>(stored.size()));
    head.put(static_cast<std::uint32_t>(content.size()));
    head.put(crc_of(stored));
    write_bytes(with_crc(head.bytes()) + stored);
}

std::uint32_t capture_writer::store(const std::string& bytes)
{
    testbench::checksum sum;
    sum.add_bytes(bytes.data(), bytes.size());
    const auto adler = adler32_z(1, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    const fingerprint key{bytes.size(), sum.value(), (std::uint64_t{crc_of(bytes)} << 32) | adler};
    const auto [found, is_new] = blobs_.emplace(key, static_cast<std::uint32_t>(blobs_.size()));
    if (is_new) write_chunk(chunk_kind::blob, bytes);
    return found->second;
}

void capture_writer::draw(const built_draw& draw)
{
    const auto record = write_draw(draw, [&](const std::string& bytes) { return store(bytes); });
    write_chunk(chunk_kind::draw, record);
    ++draws_;
}

void capture_writer::end_frame()
{
    write_chunk(chunk_kind::frame, "");
}

void capture_writer::finish()
{
    write_chunk(chunk_kind::end, "");
    if (error_ != 0) throw std::system_error(error_, std::generic_category(), "the capture is not complete");
}

} // namespace isbesim::gl
