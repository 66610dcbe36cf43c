// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/document.hpp>

#include <cordon/policy/environment.hpp>

#include <algorithm>
#include <iterator>

namespace cordon::format {

void abi_0::pass_basic_variables(environment_text& to, platform system) {
  if (!to.pass) to.pass.emplace();
  to.pass->insert(to.pass->end(), std::begin(basic_variables), std::end(basic_variables));
  if (system == platform::windows)
    to.pass->insert(to.pass->end(), std::begin(basic_windows_variables), std::end(basic_windows_variables));
}

bool abi_0::grants_operation(const document& d, std::string_view operation) {
  return !d.capabilities ||
         std::find(d.capabilities->begin(), d.capabilities->end(), operation) != d.capabilities->end();
}

bool abi_0::writes_workspace(const document& d) { return grants_operation(d, "workspace.write_text"); }

bool abi_0::removes_in_workspace(const document& d) { return grants_operation(d, "workspace.delete"); }

void abi_0::leave_out_what_is_said(document& base, const document& d) {
  const auto defer = [&](axis a, auto&... to) {
    if (d.says(a)) (to.reset(), ...);
  };
  defer(axis::level, base.level);
  defer(axis::capabilities, base.capabilities);
  defer(axis::workspace, base.workspace);
  defer(axis::files, base.files);
  defer(axis::hosts, base.network);
  defer(axis::sockets, base.sockets);
  defer(axis::abilities, base.abilities);
  defer(axis::syscalls, base.syscalls);
  defer(axis::environment, base.environment);
  defer(axis::guard, base.executables, base.interpreters);
}

void abi_0::open_defaults(document& d) {
  d.profile = profile::unrestricted;
  d.fallback = fallback::off;
  d.abilities = abilities::any();
  d.syscalls = syscalls::inherit;
}

} // namespace cordon::format
