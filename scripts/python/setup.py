# SPDX-License-Identifier: Apache-2.0
"""Complements pyproject.toml: adds the simulator in the layout of `cmake --install`, with bin/, lib/isbesim/ and
share/ of the prefix that pip installs into. Its build folder is ISBESIM_BUILD, otherwise build/ of the source tree,
which is built now."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build import build

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # Debian 12
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parents[2]
# Every Debian has these libraries, and those of newer releases are compatible.
OF_THE_SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so\..*")


def add_libraries(program: Path, folder: Path) -> None:
    """Copies the linked libraries that a bare Debian lacks to the folder in which isbesim's programs find them."""
    listed = subprocess.run(["ldd", program], capture_output=True, encoding="utf-8",
                            check=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE):
        if not OF_THE_SYSTEM.fullmatch(name):
            shutil.copyfile(path, folder / name)


class BuildWithSimulator(build):  # type: ignore[misc]
    def run(self) -> None:
        super().run()
        named = os.environ.get("ISBESIM_BUILD")
        if not named:
            subprocess.run(["bash", "-ec", "source scripts/setup.sh; setup_build isbesim_installed"], cwd=ROOT,
                           check=True)
        prefix = Path(self.build_base).absolute() / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        subprocess.run(["cmake", "--install", named or ROOT / "build", "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        private = next(prefix.glob("lib/**/isbesim/rtl")).parent
        for program in [prefix / "bin/isbesim", *private.rglob("*isbesim_*"), *private.rglob("*.so")]:
            add_libraries(program, private)
        files = [file for folder in (prefix / "bin", private, prefix / "share") for file in folder.rglob("*")
                 if file.is_file()]
        self.distribution.data_files = [(str(file.parent.relative_to(prefix)), [str(file)]) for file in files]


class PlatformWheel(bdist_wheel):  # type: ignore[misc]
    """For every Python 3 of this machine's kind."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"build": BuildWithSimulator, "bdist_wheel": PlatformWheel})
