"""Conan's recipe: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..")


class Taut(ConanFile):
    name = "taut"
    description = "PyTorch's tensors and autograd as a small, fast C++20 library"
    license = "Apache-2.0"
    topics = ("tensor", "autograd", "pytorch")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": True, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, ROOT, "CMakeLists.txt"))
        self.version = re.search(r"project\(taut VERSION ([\d.]+)", text)[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, ROOT)
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "packaging/deb/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        self.requires("zlib/[>=1.2.11 <2]")
        self.requires("libpng/[>=1.6 <2]")
        self.requires("libjpeg-turbo/[>=2.1 <4]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.22]")
        self.test_requires("highway/[>=1.0.3 <2]")  # headers: nothing of it is needed to link

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        self.folders.source = "."
        self.folders.build = os.path.join("build", "conan")
        self.folders.generators = os.path.join("build", "conan", "generators")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "BENCH", "EXAMPLES", "PYTHON"):
            toolchain.cache_variables[f"TAUT_BUILD_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "taut")
        library = self.cpp_info.components["library"]
        library.set_property("cmake_target_name", "taut::taut")
        library.set_property("pkg_config_name", "taut")
        library.libs = ["taut"]
        library.requires = ["zlib::zlib", "libpng::libpng", "libjpeg-turbo::libjpeg-turbo"]
        if self.settings.os in ("Linux", "FreeBSD"):
            library.system_libs = ["pthread"]
        torch = self.cpp_info.components["torch"]  # for programs written for libtorch
        torch.set_property("cmake_target_name", "taut::torch")
        torch.includedirs = [os.path.join("include", "taut-torch")]
        torch.requires = ["library"]
