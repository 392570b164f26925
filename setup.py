"""The module is CMake's: setuptools asks it to build, and packs what it made."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


def version() -> str:
    header = (ROOT / "lib/include/rowan/version.hpp").read_text()
    return ".".join(re.findall(r"#define ROWAN_VERSION_[A-Z]+ (\d+)", header))


class ByCMake(build_ext):
    def build_extension(self, ext: Extension) -> None:
        build = Path(self.build_temp).resolve()
        place = Path(self.get_ext_fullpath(ext.name)).resolve().parent.parent
        off = [f"-DROWAN_{part}=OFF" for part in ("BUILD_TOOLS", "BUILD_TESTS", "BUILD_BENCH", "INSTALL", "BOTH")]
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DROWAN_PYTHON=ON",
                        f"-DPython_EXECUTABLE={sys.executable}", *off], check=True)
        workers = str(os.cpu_count() or 1)  # make takes "--parallel" alone for as many as there are files
        subprocess.run(["cmake", "--build", str(build), "--parallel", workers, "--target", "pyrowan_core"], check=True)
        subprocess.run(["cmake", "--install", str(build), "--component", "pyrowan", "--prefix", str(place)], check=True)


setup(version=version(), ext_modules=[Extension("pyrowan._core", sources=[])], cmdclass={"build_ext": ByCMake})
