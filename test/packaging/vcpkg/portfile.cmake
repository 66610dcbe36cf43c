# SPDX-License-Identifier: BSL-1.0
# OUT_SOURCE_PATH, REPO and SHA512 are those of the release that you package.
vcpkg_from_github(
  OUT_SOURCE_PATH SOURCE_PATH
  REPO example/cordon
  REF "v${VERSION}"
  SHA512 0
)

# The CMake package names one archive: there is no other build of it for debugging.
set(VCPKG_BUILD_TYPE release)
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)

set(linkage "false")
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  set(linkage "true")
endif()
vcpkg_configure_meson(SOURCE_PATH "${SOURCE_PATH}" OPTIONS "-Dprefer_static=${linkage}")
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/cordon)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
