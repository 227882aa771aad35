// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/session/private_folder.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/files/files.h"
#include "testbench/gl/execution/own_processes.h"

namespace isbesim::gl {

namespace fs = std::filesystem;

namespace {

/// The keeper's message about the folder that it made.
struct made_folder {
    char name[sizeof(sockaddr_un::sun_path)] = {}; ///< short enough to append the socket's name
    int error = 0;                                 ///< errno
};

fs::path base_folder()
{
    std::error_code error;
    const auto base = fs::temp_directory_path(error);
    return error ? "/tmp" : base;
}

/// `pattern` must fit into made_folder::name.
made_folder make_folder(const std::string& pattern)
{
    made_folder created;
    pattern.copy(created.name, sizeof created.name - 1);
    if (mkdtemp(created.name) == nullptr) created.error = errno;
    return created;
}

/// Throws fs::filesystem_error, since drivers would not recognise a device with empty files.
void write_text(const fs::path& file, const std::string& text)
{
    if (!testbench::write_file(file.string(), text))
        throw fs::filesystem_error("", file, std::error_code(errno, std::generic_category()));
}

[[noreturn]] void no_folder(const std::string& reason)
{
    throw testbench::input_error({base_folder().string()}, "no folder can be made here: " + reason +
                                                               ", expected TMPDIR to name a folder where one can");
}

std::string hex4(std::uint32_t value)
{
    char text[16];
    std::snprintf(text, sizeof text, "%04X", value);
    return text;
}

/// Main function of the keeper: makes the folder, reports it, and removes it when the other end of `socket` is closed.
void keep(int socket, const std::string& pattern)
{
    const auto folder = make_folder(pattern);
    send(socket, &folder, sizeof folder, MSG_NOSIGNAL);
    if (folder.error != 0) return;
    const std::string path = folder.name;
    char byte = 0;
    ssize_t got = 0;
    while ((got = read(socket, &byte, 1)) < 0 && errno == EINTR) continue;
    // A process of the session that has not noticed yet may make a file in the folder meanwhile.
    constexpr int attempts = 100;
    constexpr timespec between{0, 100'000'000};
    std::error_code ignored;
    for (int i = 0; i < attempts && (i == 0 || fs::exists(path, ignored)); ++i) {
        if (i != 0) nanosleep(&between, nullptr);
        fs::remove_all(path, ignored);
    }
    if (got == 0) end_programs_of(path); // programs without further requests would not notice the end
}

} // namespace

private_folder::private_folder(const chip& chip)
    : path_(make()), removed_by_signals_(path_, testbench::unfinished::kind::folder)
{
    try {
        make_tree(chip);
    } catch (const fs::filesystem_error& error) {
        remove();
        no_folder(error.code().message());
    }
}

std::string private_folder::make()
{
    const auto base = base_folder();
    const auto pattern = (base / "isbesim-gl-XXXXXX").string();
    if (pattern.size() + sizeof "/socket" > sizeof made_folder::name)
        throw testbench::input_error({base.string()},
                                     "the folder's name is too long for a socket in it, expected TMPDIR "
                                     "to name a folder with a shorter one");
    made_folder created;
    start_keeper(pattern);
    // Without a keeper, the folder of a killed process stays.
    if (keeper_ < 0 || recv(keeper_socket_, &created, sizeof created, MSG_WAITALL) != sizeof created)
        created = make_folder(pattern);
    if (created.error != 0) {
        end_keeper();
        no_folder(std::strerror(created.error));
    }
    return created.name;
}

void private_folder::make_tree(const chip& chip) const
{
    const fs::path root = fs::path(path_) / "root";
    const auto slot = root / "sys/devices/pci0000:00/0000:01:00.0";
    const auto numbers = root / "sys/dev/char/226:128";
    for (const auto& folder : {root / "dev/dri", slot / "drm/renderD128", numbers, root / "sys/bus/pci"})
        fs::create_directories(folder);
    const auto id = hex4(chip.device_id);
    write_text(root / "dev/dri/renderD128", "");
    write_text(slot / "uevent", "DRIVER=nouveau\nPCI_CLASS=30000\nPCI_ID=10DE:" + id + "\nPCI_SUBSYS_ID=10DE:" + id +
                                    "\nPCI_SLOT_NAME=0000:01:00.0\nMODALIAS=pci:v000010DEd0000" + id + "\n");
    write_text(slot / "vendor", "0x10de\n");
    write_text(slot / "device", "0x" + id + "\n");
    write_text(slot / "subsystem_vendor", "0x10de\n");
    write_text(slot / "subsystem_device", "0x" + id + "\n");
    write_text(slot / "revision", "0xa1\n");
    fs::create_symlink(root / "sys/bus/pci", slot / "subsystem");
    fs::create_symlink(slot, numbers / "device");
    write_text(numbers / "uevent", "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n");
}

// The keeper makes the folder once signals that end this process can't end the keeper, so that every folder has a
// process that removes it.
void private_folder::start_keeper(const std::string& pattern)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    keeper_ = testbench::fork_worker();
    if (keeper_ == 0) {
        // It survives signals that end this process, even those to the whole group.
        setsid();
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_IGN);
        keep_only(ends[0]);
        const int nothing = open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
        keep(ends[0], pattern);
        _exit(0);
    }
    close(ends[0]);
    keeper_socket_ = ends[1];
}

void private_folder::end_keeper() const
{
    if (keeper_socket_ >= 0) {
        send(keeper_socket_, "", 1, MSG_NOSIGNAL);
        close(keeper_socket_);
    }
    while (keeper_ > 0 && waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void private_folder::remove() const
{
    end_keeper();
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace isbesim::gl
