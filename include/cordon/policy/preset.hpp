// SPDX-License-Identifier: BSL-1.0
/// Presets: named sets of paths that processes usually need or must not access, for each system. Paths under the home
/// directory are relative, system paths are absolute.
#pragma once

#include "../detail/table.hpp"
#include "../platform.hpp"
#include "preset_id.hpp"
#include "rights.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace cordon {

/// A preset and its name.
struct preset_row {
  preset which;          ///< the preset
  std::string_view name; ///< as in documents
};

/// All presets, in the order in which they apply. `preset_places::table` has their paths.
inline constexpr preset_row preset_table[]{{preset::system_runtime, "system_runtime"},
                                           {preset::developer_toolchains, "developer_toolchains"},
                                           {preset::package_manager_config, "package_manager_config"},
                                           {preset::user_temp, "user_temp"},
                                           {preset::credentials, "credentials"},
                                           {preset::ssh_agent, "ssh_agent"},
                                           {preset::gpg_agent, "gpg_agent"},
                                           {preset::wayland, "wayland"},
                                           {preset::x11, "x11"},
                                           {preset::pulse, "pulse"},
                                           {preset::dbus_session, "dbus_session"},
                                           {preset::docker, "docker"},
                                           {preset::gpu, "gpu"},
                                           {preset::kvm, "kvm"}};
static_assert(detail::is_in_order(preset_table));

inline constexpr auto preset_names = detail::names_of(preset_table); ///< names of the enumerators, by value
/// Returns: the name of the preset, as in documents.
[[nodiscard]] constexpr std::string_view name(preset p) { return preset_names[static_cast<std::size_t>(p)]; }

/// Is the preset a service of the caller, or of devices? Such a preset is in force only where a document names it.
[[nodiscard]] constexpr bool is_service(preset p) { return p > preset::credentials; }

/// Calls `f(preset)` for each preset in the set, in the order of the table.
template <class F> constexpr void for_each(preset_set set, F&& f) {
  for (const preset_row& row : preset_table)
    if (set.has(row.which)) f(row.which);
}

/// The presets of services and devices.
inline constexpr preset_set service_presets = [] {
  preset_set all;
  for (const preset_row& row : preset_table)
    if (is_service(row.which)) all = all | row.which;
  return all;
}();

/// The presets that are in force where a document names none.
inline constexpr preset_set default_presets = [] {
  preset_set all;
  for (const preset_row& row : preset_table)
    if (!is_service(row.which)) all = all | row.which;
  return all;
}();
/// Their names.
inline constexpr std::array<std::string_view, 5> default_preset_names{preset_names[0], preset_names[1], preset_names[2],
                                                                      preset_names[3], preset_names[4]};
static_assert(!is_service(static_cast<preset>(default_preset_names.size() - 1)) &&
              is_service(static_cast<preset>(default_preset_names.size())));

namespace preset_places {

using list = std::span<const std::string_view>; ///< paths, each absolute or below home

/// The paths of a preset on a system.
///@{
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
/// `.local`, so these lists name only the parts that common tools need, and files where a token may appear beside them
/// later. `credentials` hides the few token files inside the others.
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
                                                      ".config/git/attributes",
                                                      ".config/git/config",
                                                      ".config/git/ignore",
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
///@}

/// Systems, as bits.
///@{
inline constexpr std::uint8_t on_linux = 1, on_macos = 2, on_windows = 4, on_openbsd = 8;
inline constexpr std::uint8_t on_unix = on_linux | on_macos | on_openbsd, on_all = on_unix | on_windows;
///@}

/// The documents to which a list applies.
enum class documents : std::uint8_t {
  all,
  capability_policy, ///< CapabilityPolicy documents alone, which open whole directories under home
  other,             ///< the others, and the built-in policy
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> documents_names{"all", "capability_policy", "other"};
/// Returns: the name of the kind of documents.
[[nodiscard]] constexpr std::string_view name(documents e) { return documents_names[static_cast<std::size_t>(e)]; }

/// Paths of a preset, and what it grants there. A list is absolute, or relative to home. Two rules hold for every row:
/// write applies only where the document lets the workspace be written; on Windows, a grant below home applies only if
/// the document lists the preset, since it costs a rewrite of the access lists.
struct preset_paths {
  preset of;                     ///< the preset
  list paths;                    ///< absolute, or below home
  rights allowed;                ///< none: hidden
  std::uint8_t systems = on_all; ///< systems that have the paths, a bit for each `platform`
  documents in = documents::all; ///< formats of documents for which the paths count

  /// Does the system have the paths?
  [[nodiscard]] constexpr bool is_on(platform p) const { return (systems >> static_cast<unsigned>(p) & 1U) != 0; }
  [[nodiscard]] constexpr bool is_below_home() const { return paths[0][0] != '/'; } ///< Are the paths below home?
};

/// All paths of presets but those of `credentials` under home, which credential_paths.hpp lists.
inline constexpr preset_paths table[]{
    {preset::system_runtime, linux_system, verb::run, on_linux},
    {preset::system_runtime, macos_system, verb::run, on_macos},
    {preset::system_runtime, openbsd_system, verb::run, on_openbsd},
    {preset::developer_toolchains, macos_toolchains, verb::run, on_macos},
    {preset::developer_toolchains, home_toolchains, verb::run, on_all, documents::capability_policy},
    {preset::developer_toolchains, home_toolchain_parts, verb::run, on_all, documents::other},
    {preset::developer_toolchains, windows_home_toolchains, verb::run, on_windows},
    {preset::package_manager_config, home_config, verb::read, on_all, documents::capability_policy},
    {preset::package_manager_config, home_config_parts, verb::read, on_all, documents::other},
    {preset::user_temp, macos_temp, verb::write, on_macos},
    {preset::user_temp, run_temp_alone, verb::write, on_linux | on_openbsd},
    {preset::credentials, etc_credentials, verb::hide, on_unix},
};

/// The first list of a preset on a system; empty if there is none.
[[nodiscard]] constexpr list first_list(preset wanted, platform p) {
  for (const preset_paths& row : table)
    if (row.of == wanted && row.is_on(p)) return row.paths;
  return {};
}

/// The directories of the system itself; none on Windows.
[[nodiscard]] constexpr list system(platform p) { return first_list(preset::system_runtime, p); }

/// Empty for Windows, which lets every program run the system's programs.
[[nodiscard]] constexpr list programs(platform p) {
  if (p == platform::macos) return macos_programs;
  return p == platform::windows ? list{} : list{unix_programs};
}

/// Directories of the loader and the shared libraries; empty for Windows.
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
[[nodiscard]] constexpr list temp(platform p) { return first_list(preset::user_temp, p); }

} // namespace preset_places

} // namespace cordon
