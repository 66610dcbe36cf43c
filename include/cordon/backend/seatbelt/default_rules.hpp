// SPDX-License-Identifier: BSL-1.0
/// What every process gets, whatever the policy grants, because programs expect it. Not part of any axis.
#pragma once

#include "../../policy/default_devices.hpp"
#include "../../policy/path.hpp"
#include "operations.hpp"

#include <string_view>

namespace cordon::seatbelt {

/// The head of every profile. Denies by name what macOS allows in spite of (deny default): information about other
/// processes, firmware variables, hardware properties. Socket pairs are unix sockets without a name.
inline constexpr std::string_view preamble = "(version 1)\n"
                                             "(deny default)\n"
                                             "(deny process-info* (target others))\n"
                                             "(allow process-info* (target same-sandbox))\n"
                                             "(deny nvram*)\n"
                                             "(deny iokit-get-properties)\n"
                                             "(allow signal (target same-sandbox))\n"
                                             "(allow system-socket (socket-domain AF_UNIX))\n";

/// Prefixes of names that sysctl may read: the machine and the version of the system. Never "kern." as a whole:
/// kern.proc* shows every process and its arguments.
inline constexpr std::string_view sysctl_prefixes[]{"hw.",
                                                    "machdep.cpu.",
                                                    "machdep.ptrauth_enabled",
                                                    "kern.argmax",
                                                    "kern.boottime",
                                                    "kern.hostname",
                                                    "kern.iossupportversion",
                                                    "kern.maxfiles",
                                                    "kern.ngroups",
                                                    "kern.os",
                                                    "kern.secure",
                                                    "kern.tcsm_",
                                                    "kern.usrstack",
                                                    "kern.version",
                                                    "kern.wq_",
                                                    "sysctl.name2oid",
                                                    "sysctl.oidfmt",
                                                    "sysctl.proc_native",
                                                    "sysctl.proc_translated",
                                                    "vm.loadavg",
                                                    "vm.malloc_ranges",
                                                    "vm.pagesize",
                                                    "vm.swapusage"};

/// Services of the system: accounts, log messages, the location of the user's temporary directory. Not those that act
/// for their caller, such as pasteboard, launch services, keychain and scripting.
inline constexpr std::string_view services[]{"com.apple.bsd.dirhelper",
                                             "com.apple.logd",
                                             "com.apple.system.logger",
                                             "com.apple.system.notification_center",
                                             "com.apple.system.opendirectoryd.libinfo",
                                             "com.apple.system.opendirectoryd.membership"};

/// Programs of the system, and the loader's cache of libraries, by both of its names: every process can read them. A
/// gap reports this.
inline constexpr std::string_view system_places[]{"/sbin", "/private/var/db/dyld", "/var/db/dyld"};
/// What every process may do with the files of macOS itself.
inline constexpr std::uint32_t system_operations = READ | LIST | METADATA | XATTR;

/// Is it a path of macOS itself, which every process may read?
[[nodiscard]] constexpr bool is_of_system(std::string_view place) {
  for (const std::string_view s : system_places)
    if (path::covers(s, place)) return true;
  return false;
}

/// The device with which the loader registers probes. No device commands.
inline constexpr std::string_view probe_device = "/dev/dtracehelper";
/// The process's own descriptors by name.
inline constexpr std::string_view own_descriptors = "/dev/fd"; ///< and everything beneath

/// Is it a path of the process's own descriptors?
[[nodiscard]] constexpr bool is_own_stream(std::string_view place) {
  for (const std::string_view s : standard_streams)
    if (s == place) return true;
  return place == probe_device || path::covers(own_descriptors, place);
}

/// Services that check certificates; without trustd every TLS connection of a Go program fails.
inline constexpr std::string_view trust_services[]{"com.apple.trustd", "com.apple.trustd.agent"};
/// Services that resolve host names, if any host may be reached; otherwise the gateway resolves them.
inline constexpr std::string_view name_services[]{"com.apple.SystemConfiguration.DNSConfiguration",
                                                  "com.apple.SystemConfiguration.configd"};
inline constexpr std::string_view name_socket = "/private/var/run/mDNSResponder"; ///< the socket of the name service

} // namespace cordon::seatbelt
