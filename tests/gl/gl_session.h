// SPDX-License-Identifier: Apache-2.0
// `isbesim gl` as a user starts it.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/support/required_package.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;

/// Uses the device as a driver does, without OpenGL.
inline const std::string device_client = ISBESIM_SOURCE_DIR "/tests/gl/device_client.py";

/// With the library that stands in for the kernel.
class gl_session : public testing::Test {
protected:
    void SetUp() override
    {
        if (!fs::exists(ISBESIM_BINARY_DIR "/libisbesim_gl_kernel.so"))
            ISBESIM_MISSING("built without the Debian packages libdrm-dev and libvulkan-dev");
    }
    words command(const words& options, const words& program) const
    {
        return words{"gl"} + options + words{"--"} + program;
    }
    process_result run(const words& options, const words& program) const
    {
        return run_isbesim(command(options, program));
    }
    words device_program(const std::string& what) const
    {
        return {"/usr/bin/python3", device_client, what, folder_file()};
    }
    process_result run_client(const std::string& what, const words& options = {}) const
    {
        return run(options, device_program(what));
    }
    /// Starts it and waits for the program's name of the folder; stderr goes to err().
    pid_t start(const words& options, const words& program) const
    {
        const auto process = start_isbesim(command(options, program), "/dev/null", err());
        EXPECT_TRUE(within_seconds(20, [&] { return fs::exists(folder_file()) && !private_folder().empty(); }));
        return process;
    }
    /// Starts it with `temporary` as its temporary folder; stderr goes to err().
    pid_t start_in(const std::string& temporary, const words& options, const words& program) const
    {
        setenv("TMPDIR", temporary.c_str(), 1);
        const auto process = start_isbesim(command(options, program), "/dev/null", err());
        unsetenv("TMPDIR");
        return process;
    }
    std::string err() const { return folder_.path("err"); }
    static void expect_whole(const std::string& capture)
    {
        const auto info = run_isbesim({"capture-info", capture});
        EXPECT_EQ(info.status, 0) << info.err;
        EXPECT_EQ(info.out.find("killed"), std::string::npos) << info.out;
    }
    /// Waits for its end; the exit status, or less than 0 the signal that ended it.
    static int status_of(pid_t process)
    {
        int status = 0;
        waitpid(process, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    std::string folder_file() const { return folder_.path("folder"); }
    /// The session's private folder, as the program saw it.
    std::string private_folder() const { return temporary_folder::read(folder_file()); }
    template <typename Condition>
    static bool within_seconds(int seconds, Condition&& holds)
    {
        for (int i = 0; i < seconds * 20 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return holds();
    }

    temporary_folder folder_;
};

/// ... and with Mesa's driver.
class gl_driver : public gl_session {
protected:
    void SetUp() override
    {
        gl_session::SetUp();
        if (IsSkipped()) return;
        const fs::path libraries = "/usr/lib/" ISBESIM_MULTIARCH;
        if (!fs::exists(libraries / "dri/nouveau_dri.so") || !fs::exists(libraries / "libEGL_mesa.so.0"))
            ISBESIM_MISSING("the Debian packages libgl1-mesa-dri and libegl1 are not installed");
    }
};

} // namespace isbesim::testbench
