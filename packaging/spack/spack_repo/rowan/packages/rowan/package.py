from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Rowan(CMakePackage, CudaPackage):
    """Sparse matrix products (C = A*B in CSR) that choose an accumulator for every row, on CPUs and GPUs."""

    license("Apache-2.0")

    version("main")
    version("0.2.0")

    variant("shared", default=True, description="rowan::rowan is librowan.so")
    variant("tools", default=True, description="Build the rowan executable")
    variant("mpi", default=False, description="Build rowan::mpi, products over processes")
    variant("petsc", default=False, description="Build librowan_petsc.so, PETSc's products through rowan")
    variant("python", default=False, description="Build pyrowan")
    variant("zip", default=True, description="Read and write scipy's .npz")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fast-float", type="build")
    depends_on("intel-oneapi-tbb")
    depends_on("highway")
    depends_on("zlib-api")
    depends_on("libzip", when="+zip")
    depends_on("nlohmann-json")
    depends_on("cli11", when="+tools", type="build")
    depends_on("fmt", when="+tools")
    depends_on("xgboost", when="+tools")
    depends_on("mpi", when="+mpi")
    depends_on("mpi", when="+petsc")
    depends_on("petsc", when="+petsc")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-pybind11@2.10:", when="+python", type="build")
    depends_on("py-scipy@1.8:", when="+python", type=("build", "run"))

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("ROWAN_BUILD_TOOLS", "tools"),
            self.define_from_variant("ROWAN_MPI", "mpi"),
            self.define_from_variant("ROWAN_PETSC", "petsc"),
            self.define_from_variant("ROWAN_PYTHON", "python"),
            self.define_from_variant("ROWAN_CUDA", "cuda"),
            self.define_from_variant("ROWAN_ZIP", "zip"),
            self.define("CMAKE_CUDA_ARCHITECTURES", [] if "~cuda" in self.spec else self.spec.variants["cuda_arch"].value),
            self.define("ROWAN_BOTH", False),
            self.define("ROWAN_BUILD_BENCH", False),
            self.define("ROWAN_BUILD_TESTS", False),
        ]

    @run_after("install")
    def install_module(self):
        if "+python" in self.spec:
            cmake = which("cmake")
            cmake("--install", self.build_directory, "--component", "pyrowan", "--prefix", python_platlib)
            for pattern in ("*.py", "*.pyi", "py.typed"):
                for file in find(join_path(self.build_directory, "python", "pyrowan"), pattern, recursive=False):
                    install(file, join_path(python_platlib, "pyrowan"))
