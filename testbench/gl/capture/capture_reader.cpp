// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/capture/capture_reader.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "testbench/files/input_error.h"
#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/chip/chip.h"

namespace isbesim::gl {

namespace {

std::string read_at(int descriptor, std::uint64_t offset, std::size_t bytes)
{
    std::string result(bytes, '\0');
    std::size_t done = 0;
    while (done < bytes) {
        const auto step = pread(descriptor, &result[done], bytes - done, static_cast<off_t>(offset + done));
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        done += static_cast<std::size_t>(step);
    }
    result.resize(done);
    return result;
}

std::uint32_t crc_of_text(std::string_view bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Reads the file in large pieces, since chunks are many and small.
class chunk_headers {
public:
    explicit chunk_headers(int descriptor) : descriptor_(descriptor) {}

    /// Valid until the next call; shorter at the end of the file.
    std::string_view at(std::uint64_t offset)
    {
        if (offset < begin_ || offset + chunk_header_bytes > begin_ + bytes_.size()) {
            begin_ = offset;
            bytes_ = read_at(descriptor_, offset, piece);
        }
        return std::string_view(bytes_).substr(offset - begin_, chunk_header_bytes);
    }

private:
    static constexpr std::size_t piece = 64 << 10;

    int descriptor_;
    std::uint64_t begin_ = 0;
    std::string bytes_;
};

/// The last four bytes are the CRC of the bytes before them.
bool has_its_crc(std::string_view bytes)
{
    const auto front = bytes.size() - 4;
    return byte_reader(bytes.substr(front)).get<std::uint32_t>() == crc_of_text(bytes.substr(0, front));
}

} // namespace

bool capture_reader::is_capture(const std::string& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    struct stat status {};
    const auto regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const auto begin = regular ? read_at(descriptor, 0, sizeof capture_magic - 1) : std::string();
    close(descriptor);
    return begin == capture_magic;
}

capture_reader::capture_reader(std::string file) : file_(std::move(file))
{
    descriptor_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0)
        throw testbench::input_error({file_}, std::string("the file can't be read: ") + std::strerror(errno) +
                                                  ", expected a capture");
    try {
        index();
    } catch (...) {
        close(descriptor_);
        throw;
    }
}

std::shared_ptr<capture_reader> capture_reader::open(const std::string& file)
{
    static std::map<std::string, std::weak_ptr<capture_reader>> opened;
    auto& known = opened[file];
    auto reader = known.lock();
    if (reader == nullptr) known = reader = std::make_shared<capture_reader>(file);
    return reader;
}

capture_reader::~capture_reader()
{
    close(descriptor_);
}

void capture_reader::fail(std::uint64_t offset, const std::string& text) const
{
    throw testbench::input_error({file_, 1, offset + 1}, text);
}

void capture_reader::index()
{
    const auto head = read_at(descriptor_, 0, capture_header_bytes);
    if (head.size() < capture_header_bytes || head.compare(0, 8, capture_magic) != 0)
        fail(0, "the file is no capture, expected one that 'isbesim gl --capture' wrote");
    if (const auto version = byte_reader(std::string_view(head).substr(8)).get<std::uint32_t>();
        version < oldest_capture_version || version > capture_version)
        fail(8, "the capture has version " + std::to_string(version) + ", expected " +
                    std::to_string(oldest_capture_version) + " to " + std::to_string(capture_version));
    chip_ = std::string(head, 12, capture_name_bytes).c_str();
    if (!has_its_crc(head)) fail(8, "the capture's header is damaged, expected an undamaged capture");
    if (find_chip(chip_) == nullptr) fail(12, "the capture is of an unknown chip, expected one of isbesim gl");
    struct stat status {};
    fstat(descriptor_, &status);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    std::uint64_t position = capture_header_bytes;
    std::size_t in_frame = 0;
    chunk_headers headers(descriptor_);
    while (!complete_ && size - position >= chunk_header_bytes) {
        const auto text = headers.at(position);
        if (text.size() < chunk_header_bytes) break; // the file was cut off meanwhile
        byte_reader in(text);
        const auto kind = static_cast<chunk_kind>(in.get<std::uint32_t>());
        chunk next;
        next.stored = in.get<std::uint32_t>();
        next.bytes = in.get<std::uint32_t>();
        next.crc = in.get<std::uint32_t>();
        next.offset = position + chunk_header_bytes;
        next.frame = frames_;
        if (!has_its_crc(text) || kind < chunk_kind::blob || kind > chunk_kind::end || next.bytes > most_chunk_bytes ||
            next.bytes > most_inflation * next.stored)
            fail(position, "no chunk begins here, expected a blob, a draw, a frame or the end");
        if (next.stored > size - next.offset) break; // the last write of a session that was killed
        position = next.offset + next.stored;
        if (kind == chunk_kind::blob) blobs_.push_back(next);
        if (kind == chunk_kind::draw) {
            draws_.push_back(next);
            ++in_frame;
        }
        if (kind == chunk_kind::frame) in_frame = 0;
        if (kind == chunk_kind::frame) ++frames_;
        complete_ = kind == chunk_kind::end;
    }
    if (in_frame != 0) ++frames_;
    if (complete_ && position != size) fail(position, "the capture goes on behind its end, expected nothing there");
}

std::string capture_reader::content(const chunk& part) const
{
    const auto stored = read_at(descriptor_, part.offset, part.stored);
    std::string result(part.bytes, '\0');
    uLongf bytes = part.bytes;
    Bytef nothing = 0;
    auto* target = result.empty() ? &nothing : reinterpret_cast<Bytef*>(&result[0]);
    const auto whole = crc_of_text(stored) == part.crc;
    const auto status = !whole || result.empty()
                            ? Z_OK
                            : uncompress(target, &bytes, reinterpret_cast<const Bytef*>(stored.data()),
                                         static_cast<uLong>(stored.size()));
    if (!whole || status != Z_OK || bytes != part.bytes)
        fail(part.offset, "the bytes of this chunk are damaged, expected an undamaged capture");
    return result;
}

const std::string& capture_reader::blob(std::uint32_t number)
{
    if (const auto found = loaded_.find(number); found != loaded_.end()) return found->second;
    if (number >= blobs_.size()) throw record_error("a record names blob " + std::to_string(number));
    loaded_bytes_ += blobs_[number].bytes;
    return loaded_[number] = content(blobs_[number]);
}

template <typename Function>
auto capture_reader::guarded(std::size_t draw, Function&& read)
{
    const auto& where = draws_[draw];
    try {
        return read(content(where));
    } catch (const testbench::input_error&) {
        throw;
    } catch (const std::exception& error) {
        fail(where.offset, std::string(error.what()) + ", expected a draw");
    }
}

draw_call capture_reader::load(std::size_t draw)
{
    if (loaded_bytes_ > most_loaded_bytes) {
        loaded_.clear();
        loaded_bytes_ = 0;
    }
    return guarded(draw, [&](const std::string& record) {
        return read_draw(
            record, [&](std::uint32_t number) -> const std::string& { return blob(number); }, programs_);
    });
}

draw_outline capture_reader::outline(std::size_t draw)
{
    return guarded(draw, [](const std::string& record) { return read_outline(record); });
}

} // namespace isbesim::gl
