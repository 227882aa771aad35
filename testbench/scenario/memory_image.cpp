// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/memory_image.h"

#include <algorithm>
#include <stdexcept>

#include "testbench/files/files.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/texture_tables.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class image_reader {
public:
    image_reader(const json_document& document, const named_files& files, draw_call& draw)
        : document_(document), files_(files), draw_(draw)
    {
    }

    memory_image read()
    {
        const auto& root = document_.root();
        if (const auto* memory = json_document::find(root, "memory")) read_buffers(*memory);
        std::shared_ptr<texture::texture_unit> textures;
        if (const auto* tables = json_document::find(root, "textures"))
            textures = read_textures(document_, *tables, draw_.arch, image_.contents);
        if (const auto* expect = json_document::find(root, "expect_memory")) read_expected(*expect);
        if (const auto* library = json_document::find(root, "library")) read_library(*library);
        for (auto& [stage, program] : draw_.stages) program.textures = textures;
        if (const auto* windows = json_document::find(root, "windows")) read_windows(*windows);
        draw_.memory = image_.contents;
        return std::move(image_);
    }

private:
    std::string file_of(const json::value& value, const std::string& key, const std::string& what) const
    {
        return files_.path_of(document_.member(value, key, what), key, what);
    }

    /// Checks the sizes before any buffer is allocated.
    void bound_sizes(const json::value& list) const
    {
        std::uint64_t sum = 0;
        for (const auto& each : document_.array(list, "memory")) {
            const auto* size = json_document::find(each, "size");
            if (size == nullptr) continue;
            sum += document_.integer(*size, "size", memory_form().range("size"));
            if (sum > max_memory_bytes)
                document_.fail(*size, "the buffers of memory come to " + std::to_string(sum) +
                                          " bytes with this one, expected at most " + std::to_string(max_memory_bytes) +
                                          " together");
        }
    }

    void read_buffers(const json::value& list)
    {
        bound_sizes(list);
        image_.contents = std::make_shared<global_memory>();
        for (const auto& each : document_.array(list, "memory")) {
            const std::string what = "a buffer of memory";
            document_.only_keys(each, what, memory_form().names());
            const auto* size = json_document::find(each, "size");
            std::string content;
            if (size == nullptr || json_document::find(each, "file") != nullptr)
                content = read_file(file_of(each, "file", what), what);
            std::uint64_t total = content.size();
            if (size != nullptr) {
                total = document_.integer(*size, "size", memory_form().range("size"));
                if (total < content.size())
                    document_.fail(*size, "size is " + std::to_string(total) + ", but the file has " +
                                              std::to_string(content.size()) + " bytes");
            }
            buffer_bytes bytes(total);
            std::copy(content.begin(), content.end(), bytes.data());
            try {
                image_.contents->add(memory_address(document_, each, what), std::move(bytes));
            } catch (const std::invalid_argument& error) {
                document_.fail(each, error.what());
            }
        }
    }

    void read_expected(const json::value& list)
    {
        for (const auto& each : document_.array(list, "expect_memory")) {
            const std::string what = "expected memory";
            document_.only_keys(each, what, expect_memory_form().names());
            auto& expected = image_.expect.emplace_back();
            expected.address = memory_address(document_, each, what);
            expected.file = file_of(each, "file", what);
            const auto content = read_file(expected.file, what);
            expected.bytes.assign(content.begin(), content.end());
            if (image_.contents == nullptr || image_.contents->find(expected.address, expected.bytes.size()) == nullptr)
                document_.fail(each, "the " + std::to_string(expected.bytes.size()) + " bytes at " +
                                         hex(expected.address) + " are not all in one buffer of 'memory'");
        }
    }

    void read_windows(const json::value& value)
    {
        document_.only_keys(value, "windows", windows_form().names());
        isa::address_windows windows;
        for (const auto& [key, base] : {std::pair{"local", &windows.local}, std::pair{"shared", &windows.shared}}) {
            const auto* entry = json_document::find(value, key);
            if (entry == nullptr) continue;
            *base = parse_memory_address(document_, *entry);
            if (*base % isa::address_windows::size != 0)
                document_.fail(*entry, std::string(key) + " is " + hex(*base) + ", expected a multiple of " +
                                           hex(isa::address_windows::size));
        }
        if (windows.local == windows.shared)
            document_.fail(value, "the windows of local and shared memory are one, expected two");
        for (auto& [stage, program] : draw_.stages) program.windows = windows;
    }

    void read_library(const json::value& value)
    {
        const std::string what = "the driver's routines";
        document_.only_keys(value, "library", library_form().names());
        const auto address = memory_address(document_, value, "library");
        if (address > 0xffffffffU)
            document_.fail(value, "the library's address is " + hex(address) + ", expected at most 0xffffffff");
        const auto library = load_program(file_of(value, "code", what), draw_.arch);
        for (auto& [stage, program] : draw_.stages) {
            if (program.program.code.empty()) continue;
            try {
                isa::attach_library(program.program, library, static_cast<std::uint32_t>(address));
            } catch (const std::invalid_argument& error) {
                document_.fail(value, error.what());
            }
        }
    }

    const json_document& document_;
    const named_files& files_;
    draw_call& draw_;
    memory_image image_;
};

} // namespace

memory_image read_memory_image(const json_document& document, const named_files& files, draw_call& draw)
{
    return image_reader(document, files, draw).read();
}

std::string memory_difference(const memory_image& image)
{
    for (const auto& each : image.expect) {
        const auto* found = image.contents->find(each.address, each.bytes.size());
        for (std::size_t i = 0; i < each.bytes.size(); ++i)
            if (found[i] != each.bytes[i])
                return "the memory differs from " + each.file + ": byte " + std::to_string(i) + " (address " +
                       hex(each.address + i) + ") is " + hex(found[i], 2) + ", expected " + hex(each.bytes[i], 2);
    }
    return "";
}

void write_memory(const memory_image& image,
                  const std::function<void(const std::string& file, std::string_view bytes)>& write)
{
    if (image.contents == nullptr) return;
    for (const auto& each : image.contents->buffers())
        write("memory_" + hex(each.address) + ".bin",
              {reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size()});
}

std::uint64_t parse_memory_address(const json_document& document, const boost::json::value& address)
{
    if (!address.is_string()) return document.integer(address, "address", 0, ~std::uint64_t{0});
    const auto text = document.text(address, "address");
    if (text.rfind("0x", 0) != 0 || text.size() < 3 || text.size() > 18 ||
        text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
        document.fail(address, "'" + text + "' is no address, expected 0x and up to 16 hexadecimal digits");
    return std::stoull(text, nullptr, 16);
}

std::uint64_t memory_address(const json_document& document, const boost::json::value& value, const std::string& what)
{
    return parse_memory_address(document, document.member(value, "address", what));
}

} // namespace isbesim::testbench
