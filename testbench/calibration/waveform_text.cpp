// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/waveform_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#ifdef ISBESIM_FST
#include <gtkwave/fstapi.h>
#endif

#include "testbench/crosscheck/traces/trace.h"
#include "testbench/files/files.h"
#include "testbench/files/input_error.h"
#include "testbench/files/write_error.h"
#include "testbench/processes/interruption.h"
#include "testbench/rtl/fst_file.h"

namespace isbesim::testbench {

namespace {

using namespace std::string_view_literals;

constexpr auto fst_header = "\0\0\0\0\0\0\0\1\x49"sv; ///< its kind and length
constexpr auto packed_fst_header = "\xfe\0\0"sv;      ///< after packed_fst_bytes follows an FST file in gzip
constexpr off_t packed_fst_bytes = 17;
constexpr auto gzip_magic = "\x1f\x8b"sv;

/// Unsupported kinds, with advice.
struct refused_kind {
    std::string_view begin;
    const char* text;
};
constexpr std::array<refused_kind, 7> refused{
    {{"GHDLwave"sv, "a GHW file of GHDL, expected VCD or FST: run it with --vcd=FILE or --fst=FILE"},
     {"BZh"sv, "compressed by bzip2, expected VCD: bzcat FILE | isbesim calibrate -"},
     {"\xfd"
      "7zXZ"sv,
      "compressed by xz, expected VCD: xzcat FILE | isbesim calibrate -"},
     {"\x28\xb5\x2f\xfd"sv, "compressed by zstd, expected VCD: zstdcat FILE | isbesim calibrate -"},
     {"PK\3\4"sv, "a ZIP archive, expected VCD: unzip -p FILE | isbesim calibrate -"},
     {gzip_magic, "compressed by gzip twice, expected once"},
     {{trace_magic, sizeof trace_magic - 1}, "a trace on standard input or compressed, expected the file itself"}}};

bool starts_with(std::string_view text, std::string_view begin)
{
    return text.substr(0, begin.size()) == begin;
}

/// Text read by zlib: plain or compressed.
class gzip_text : public std::streambuf {
public:
    /// Takes ownership of `descriptor`.
    gzip_text(int descriptor, std::string name)
        : name_(std::move(name)), descriptor_(descriptor), file_(gzdopen(descriptor, "rb"))
    {
        if (file_ == nullptr) throw input_error({name_}, "can't be read, expected a trace or a waveform");
    }
    ~gzip_text() override { gzclose(file_); }
    gzip_text(const gzip_text&) = delete;
    gzip_text& operator=(const gzip_text&) = delete;

    /// The first bytes; to be called before any other read.
    std::string_view begin()
    {
        underflow();
        return {gptr(), static_cast<std::size_t>(egptr() - gptr())};
    }
    const std::string& name() const { return name_; }
    /// The file itself if it is not compressed.
    std::optional<int> file() const
    {
        if (gzdirect(file_) == 0 || lseek(descriptor_, 0, SEEK_SET) != 0) return std::nullopt;
        return dup(descriptor_);
    }

private:
    int_type underflow() override
    {
        const int count = gzread(file_, bytes_.data(), static_cast<unsigned>(bytes_.size()));
        int failure = Z_OK;
        const char* const text = gzerror(file_, &failure);
        if (count < 0 || failure == Z_BUF_ERROR)
            throw input_error({name_}, failure == Z_ERRNO ? "can't be read, expected a trace or a waveform"
                                                          : std::string("the gzip data is damaged or cut off (") +
                                                                text + "), expected the whole file");
        setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
        return count == 0 ? traits_type::eof() : traits_type::to_int_type(bytes_.front());
    }

    std::string name_;
    int descriptor_;
    gzFile file_;
    std::array<char, 1U << 16> bytes_{};
};

/// The whole text as a file: the file itself, or a temporary file.
int file_of(gzip_text& text)
{
    if (const auto file = text.file()) return *file;
    std::FILE* const file = std::tmpfile();
    if (file == nullptr) throw std::runtime_error("no temporary file to unpack a waveform into");
    std::array<char, 1U << 16> bytes{};
    for (auto count = text.sgetn(bytes.data(), bytes.size()); count > 0; count = text.sgetn(bytes.data(), bytes.size()))
        if (std::fwrite(bytes.data(), 1, static_cast<std::size_t>(count), file) != static_cast<std::size_t>(count))
            throw write_error::incomplete("the unpacked waveform");
    const int copy = dup(fileno(file));
    if (std::fclose(file) != 0) throw write_error::incomplete("the unpacked waveform");
    lseek(copy, 0, SEEK_SET);
    return copy;
}

#ifdef ISBESIM_FST
/// Text of the FST library, which runs in a separate process because it trusts its input.
class fst_text : public std::streambuf {
public:
    /// Takes ownership of `file`.
    fst_text(int file, std::string name) : name_(std::move(name)), file_(file)
    {
        // By descriptor, so that the library creates no file beside this one.
        const auto path = "/proc/self/fd/" + std::to_string(file);
        if (!fst_is_whole(path))
            throw input_error({name_}, "an FST file that is damaged or cut off, expected all of it");
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe to read an FST file");
        process_ = fork_worker();
        if (process_ == 0) {
            close(ends[0]);
            write_text(path, ends[1]);
        }
        close(ends[1]);
        from_ = ends[0];
        if (process_ < 0) throw std::runtime_error("no process to read an FST file");
    }
    ~fst_text() override
    {
        close(from_);
        close(file_);
        end();
    }
    fst_text(const fst_text&) = delete;
    fst_text& operator=(const fst_text&) = delete;

private:
    [[noreturn]] static void write_text(const std::string& path, int to)
    {
        for (const int number : {SIGPIPE, SIGBUS, SIGSEGV}) std::signal(number, SIG_DFL);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        std::FILE* const out = fdopen(to, "w");
        auto* const reader = fstReaderOpen(path.c_str());
        bool done = reader != nullptr && fstReaderProcessHier(reader, out) != 0;
        if (done) {
            fstReaderSetFacProcessMaskAll(reader);
            done = fstReaderIterBlocks(reader, nullptr, nullptr, out) != 0;
        }
        _exit(std::fclose(out) == 0 && done ? 0 : 1);
    }
    int_type underflow() override
    {
        ssize_t count = 0;
        do count = read(from_, bytes_.data(), bytes_.size());
        while (count < 0 && errno == EINTR);
        if (count <= 0) {
            if (end() != 0) throw input_error({name_}, "an FST file that is damaged, expected a whole one");
            return traits_type::eof();
        }
        setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
        return traits_type::to_int_type(bytes_.front());
    }
    /// Waits for the process and returns its status.
    int end()
    {
        if (process_ > 0) waitpid(process_, &status_, 0);
        process_ = 0;
        return status_;
    }

    std::string name_;
    int file_;
    pid_t process_ = 0;
    int from_ = -1;
    int status_ = 0;
    std::array<char, 1U << 16> bytes_{};
};
#endif

std::unique_ptr<std::streambuf> text_of(std::unique_ptr<gzip_text> text)
{
    const auto begin = text->begin();
    const auto fail = [&](const std::string& what) { throw input_error({text->name()}, what); };
    if (starts_with(begin, packed_fst_header)) {
        const int packed = file_of(*text);
        lseek(packed, packed_fst_bytes, SEEK_SET);
        return text_of(std::make_unique<gzip_text>(packed, text->name()));
    }
    if (starts_with(begin, fst_header)) {
#ifdef ISBESIM_FST
        return std::make_unique<fst_text>(file_of(*text), text->name());
#else
        fail("FST, and this program was built without Verilator, expected VCD: fst2vcd FILE | isbesim calibrate -");
#endif
    }
    for (const auto& kind : refused)
        if (starts_with(begin, kind.begin)) fail(kind.text);
    const auto control = [](unsigned char c) { return c < '\t' || (c > '\r' && c < ' '); };
    if (std::any_of(begin.begin(), begin.begin() + std::min<std::size_t>(begin.size(), 64), control))
        fail("neither text nor a kind of waveform that is known, expected VCD or FST");
    return text;
}

} // namespace

waveform_text::waveform_text(const std::string& path)
    : buffer_(text_of(std::make_unique<gzip_text>(
          path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC), input_name(path)))),
      stream_(buffer_.get())
{
}

waveform_text::~waveform_text() = default;

bool waveform_text::has_lines() const
{
    return dynamic_cast<const gzip_text*>(buffer_.get()) != nullptr;
}

} // namespace isbesim::testbench
