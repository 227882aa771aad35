"""Configures and builds the mutated copy. Without the RTL: its own planted faults are tests/crosscheck's business."""
import os
import pathlib
import subprocess


class BuildError(Exception):
    """The mutated copy does not build."""


def build(copy, executables):
    """Builds those of `executables` that the copy knows, in copy/build, and returns that folder. A compiler cache that
    hears of the copy as its base finds the objects of files that no mutation touches."""
    copy = pathlib.Path(copy).resolve()
    folder = copy / "build"
    folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, CCACHE_BASEDIR=str(copy.parent), CCACHE_NOHASHDIR="1")
    log = folder / "mutation.log"
    with open(log, "w") as out:
        def step(*command):
            return subprocess.run([str(c) for c in command], env=environment, stdout=out, stderr=out).returncode == 0

        if not step("cmake", "-S", copy, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG", "-DISBESIM_RTL=OFF"):
            raise BuildError(f"the mutated copy can not be configured: {log}")
        listing = subprocess.run(["ninja", "-C", str(folder), "-t", "targets", "all"], stdout=subprocess.PIPE, text=True)
        known = {line.split(":")[0] for line in listing.stdout.splitlines()}
        targets = sorted(name for name in executables if name in known)
        if not step("cmake", "--build", folder, "--target", *targets):
            errors = [line for line in log.read_text().splitlines() if "error" in line]
            raise BuildError("\n".join(errors[:20] + [f"the mutated copy does not build: {log}"]))
    return folder
