# SPDX-License-Identifier: BSL-1.0
"""cordon for Conan 2.8 or newer. Copy this file to the top of cordon's source: conan create ."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, rmdir
from conan.tools.gnu import PkgConfigDeps
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain


class Cordon(ConanFile):
    name = "cordon"
    version = "0.1.0"
    license = "BSL-1.0"
    description = "policies for untrusted programs: an algebra in headers, and a launcher"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "meson.build", "LICENSE", "include/*", "shims/*", "test/*", "bench/*"

    def layout(self):
        basic_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        # Headers of cordon include Boost's.
        self.requires("boost/[>=1.81]", transitive_headers=True)
        self.requires("libidn2/[>=2.3]")
        self.requires("nettle/[>=3.8]")

    def build_requirements(self):
        self.tool_requires("meson/[>=1.0]")
        self.tool_requires("pkgconf/[>=2.0]")

    def generate(self):
        PkgConfigDeps(self).generate()
        toolchain = MesonToolchain(self)
        boost = self.dependencies["boost"]
        found = boost.cpp_info.aggregated_components()
        toolchain.properties["boost_includedir"] = found.includedirs[0]
        toolchain.properties["boost_librarydir"] = found.libdirs[0]
        toolchain.project_options["prefer_static"] = not boost.options.get_safe("shared", False)
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build(target="cordon-shims")

    def package(self):
        Meson(self).install(cli_args=["--no-rebuild", "--tags", "devel"])
        for name in ("lib/cmake", "lib/pkgconfig", "share"):  # Conan writes its own
            rmdir(self, os.path.join(self.package_folder, name))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.components["headers"].set_property("cmake_target_name", "cordon::cordon")
        self.cpp_info.components["headers"].set_property("pkg_config_name", "cordon")
        self.cpp_info.components["headers"].libs = []
        shims = self.cpp_info.components["shims"]
        shims.set_property("cmake_target_name", "cordon::shims")
        shims.set_property("pkg_config_name", "cordon-shims")
        shims.libs = ["cordon-shims"]
        shims.system_libs = ["pthread"]
        shims.requires = ["headers", "boost::json", "boost::filesystem", "libidn2::libidn2", "nettle::nettle"]
