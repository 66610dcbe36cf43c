// SPDX-License-Identifier: BSL-1.0
/// Presets: named sets of paths that processes usually need or must not access, for each system. Paths under the home
/// directory are relative, system paths are absolute.
#pragma once

#include "rights.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace cordon {

enum class preset : std::uint8_t {
  system_runtime,         ///< files needed to start common programs: run
  developer_toolchains,   ///< compilers and runtimes, including those under home: run
  package_manager_config, ///< configuration and caches of package managers: read
  user_temp,              ///< temporary files: write, only where workspace write is granted
  credentials,            ///< keys and tokens: hidden; takes precedence over the other presets
};

inline constexpr std::array<std::string_view, 5> preset_names{"system_runtime", "developer_toolchains",
                                                              "package_manager_config", "user_temp", "credentials"};
[[nodiscard]] constexpr std::string_view name(preset p) { return preset_names[static_cast<std::size_t>(p)]; }

/// The operating system for which a document is read.
enum class platform : std::uint8_t { linux_, macos, windows, openbsd };

inline constexpr std::array<std::string_view, 4> platform_names{"linux", "macos", "windows", "openbsd"};

/// A placeholder for the private temporary directory of a run. For each run, the shim creates the directory with mode
/// 0700, sets TMPDIR to it, and removes it at the end. No real directory has this name.
inline constexpr std::string_view run_temp = "/<run-temp>";

namespace preset_places {

using list = std::span<const std::string_view>;

inline constexpr std::string_view linux_system[]{"/bin", "/lib", "/lib64", "/usr", "/etc", "/nix/store", "/System"};
inline constexpr std::string_view macos_system[]{"/bin",          "/etc",         "/Library",
                                                 "/opt/homebrew", "/private/etc", "/private/var/select",
                                                 "/System",       "/usr",         "/var/select"};
inline constexpr std::string_view openbsd_system[]{"/bin", "/usr", "/lib", "/etc"};

/// Directories of the programs that are started by name.
inline constexpr std::string_view unix_programs[]{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                                  "/usr/bin",        "/sbin",          "/bin"};
inline constexpr std::string_view macos_programs[]{"/opt/homebrew/bin", "/usr/local/bin", "/usr/sbin",
                                                   "/usr/bin",          "/sbin",          "/bin"};

/// Directories of the loader and the shared libraries. A process can map a library only from a directory in which it
/// may run programs.
inline constexpr std::string_view linux_libraries[]{"/lib",       "/lib32",     "/lib64",        "/usr/lib",
                                                    "/usr/lib32", "/usr/lib64", "/usr/local/lib"};
inline constexpr std::string_view macos_libraries[]{"/usr/lib", "/System/Library", "/opt/homebrew/lib"};
inline constexpr std::string_view openbsd_libraries[]{"/usr/lib", "/usr/libexec/ld.so", "/usr/local/lib"};

inline constexpr std::string_view macos_toolchains[]{"/Applications", "/Library/Developer",
                                                     "/System/Library/Developer"};
/// The paths that the presets of CapabilityPolicy documents contain.
inline constexpr std::string_view home_toolchains[]{
    ".asdf",           ".bun", ".cargo", ".fnm",   ".juliaup", ".local/bin", ".local/share/mise",
    ".local/share/uv", ".nvm", ".pyenv", ".rbenv", ".rustup",  ".sdkman",    ".swiftly",
    ".volta",          "go"};
inline constexpr std::string_view windows_home_toolchains[]{"AppData/Local/Programs/Python", "AppData/Local/uv",
                                                            "AppData/Roaming/uv", "scoop"};

inline constexpr std::string_view home_config[]{".npmrc",
                                                ".gitconfig",
                                                ".netrc",
                                                ".yarnrc.yml",
                                                ".config",
                                                ".npm",
                                                ".cache",
                                                ".pip",
                                                ".pypirc",
                                                ".cargo/config",
                                                ".cargo/config.toml",
                                                ".cargo/credentials",
                                                ".cargo/credentials.toml",
                                                ".cargo/registry",
                                                ".cargo/git"};

/// The same for cordon's own documents and built-in policy. Tools also keep tokens in `.config`, `.cache`, `.cargo` and
/// `.local`, so these lists name only the parts that common tools need. `credentials` hides the few token files inside
/// those.
inline constexpr std::string_view home_toolchain_parts[]{".asdf",
                                                         ".bun",
                                                         ".cargo/bin",
                                                         ".fnm",
                                                         ".gem/ruby",
                                                         ".juliaup",
                                                         ".local/bin",
                                                         ".local/lib",
                                                         ".local/pipx",
                                                         ".local/share/fnm",
                                                         ".local/share/gem/ruby",
                                                         ".local/share/mise",
                                                         ".local/share/pipx",
                                                         ".local/share/pnpm",
                                                         ".local/share/uv",
                                                         ".nvm",
                                                         ".pyenv",
                                                         ".rbenv",
                                                         ".rustup",
                                                         ".sdkman",
                                                         ".swiftly",
                                                         ".volta",
                                                         "bin",
                                                         "go"};
inline constexpr std::string_view home_config_parts[]{".npmrc",
                                                      ".gitconfig",
                                                      ".netrc",
                                                      ".yarnrc.yml",
                                                      ".npm",
                                                      ".pip",
                                                      ".pypirc",
                                                      ".m2/repository",
                                                      ".cache/go-build",
                                                      ".cache/node",
                                                      ".cache/pip",
                                                      ".cache/uv",
                                                      ".cargo/config",
                                                      ".cargo/config.toml",
                                                      ".cargo/credentials",
                                                      ".cargo/credentials.toml",
                                                      ".cargo/git",
                                                      ".cargo/registry",
                                                      ".config/ccache",
                                                      ".config/git",
                                                      ".config/go",
                                                      ".config/pip",
                                                      ".config/pypoetry/config.toml",
                                                      ".config/uv",
                                                      ".local/share/meson"};

inline constexpr std::string_view macos_temp[]{"/private/tmp", "/private/var/folders", "/tmp", "/var/folders",
                                               "/var/tmp"};
inline constexpr std::string_view run_temp_alone[]{run_temp};

/// For credentials under the home directory, see credential_paths.hpp.
inline constexpr std::string_view etc_credentials[]{"/etc/shadow",      "/etc/shadow-", "/etc/gshadow",
                                                    "/etc/gshadow-",    "/etc/sudoers", "/etc/sudoers.d",
                                                    "/etc/ssl/private", "/etc/ssh"};
/// Paths beneath hidden ones that stay readable: client settings, no keys.
inline constexpr std::string_view etc_not_secret[]{"/etc/ssh/ssh_config", "/etc/ssh/ssh_config.d",
                                                   "/etc/ssh/ssh_known_hosts"};
inline constexpr std::string_view ssh_directory = "/etc/ssh";

[[nodiscard]] constexpr list system(platform p) {
  switch (p) {
  case platform::linux_: return linux_system;
  case platform::macos: return macos_system;
  case platform::openbsd: return openbsd_system;
  case platform::windows: break;
  }
  return {};
}

/// Empty for Windows, which lets every program run the system's programs.
[[nodiscard]] constexpr list programs(platform p) {
  if (p == platform::macos) return macos_programs;
  return p == platform::windows ? list{} : list{unix_programs};
}

[[nodiscard]] constexpr list libraries(platform p) {
  switch (p) {
  case platform::linux_: return linux_libraries;
  case platform::macos: return macos_libraries;
  case platform::openbsd: return openbsd_libraries;
  case platform::windows: break;
  }
  return {};
}

/// Directories for temporary files: on Linux and OpenBSD the private directory of the run.
[[nodiscard]] constexpr list temp(platform p) {
  if (p == platform::macos) return macos_temp;
  return p == platform::windows ? list{} : list{run_temp_alone};
}

} // namespace preset_places

} // namespace cordon
