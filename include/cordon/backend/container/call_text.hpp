// SPDX-License-Identifier: BSL-1.0
/// The section about system calls, the same in an OCI configuration and a Docker profile.
#pragma once

#include "../../detail/json_writer.hpp"
#include "call_rules.hpp"

namespace cordon::container {

/// Writes the members of the section. With one architecture, because runtimes kill calls through another ABI.
/// `rules`: the layout of the list of rules.
template <class Out>
constexpr void write_calls(json_writer<Out>& to, const call_lists& lists, json_layout rules = json_layout::lines) {
  using seccomp::disposition;
  constexpr std::string_view architectures[]{"SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64", "SCMP_ARCH_RISCV64"};
  constexpr std::string_view words[]{"SCMP_CMP_EQ", "SCMP_CMP_GT", "SCMP_CMP_MASKED_EQ"};
  const bool strict = lists.asked.strict;
  const auto answer = [&](disposition d) {
    to.member("action", d == disposition::allow ? "SCMP_ACT_ALLOW" : "SCMP_ACT_ERRNO");
    if (d != disposition::allow) to.member_number("errnoRet", d == disposition::absent ? 38 : 1);
  };
  to.member("defaultAction", strict ? "SCMP_ACT_ERRNO" : "SCMP_ACT_ALLOW");
  if (strict) to.member_number("defaultErrnoRet", 38);
  to.list("architectures", json_layout::one_line,
          [&] { to.text(architectures[static_cast<std::size_t>(lists.asked.cpu)]); });
  to.list("syscalls", rules, [&] {
    for (const disposition d : {disposition::allow, disposition::refuse, disposition::absent}) {
      if (d == (strict ? disposition::absent : disposition::allow)) continue;
      to.object(json_layout::one_line, [&] {
        to.list("names", json_layout::one_line,
                [&] { lists.each_name(d, [&](std::string_view name) { to.text(name); }); });
        answer(d);
      });
    }
    lists.each_rule([&](std::string_view name, std::span<const condition> all) {
      to.object(json_layout::one_line, [&] {
        to.list("names", json_layout::one_line, [&] { to.text(name); });
        answer(strict ? disposition::allow : disposition::refuse);
        to.list("args", json_layout::one_line, [&] {
          for (const condition& c : all)
            to.object(json_layout::one_line, [&] {
              const bool masks = c.how == compare::masked_equal;
              to.member_number("index", c.argument);
              to.member_number("value", masks ? c.mask : c.value);
              if (masks) to.member_number("valueTwo", c.value);
              to.member("op", words[static_cast<std::size_t>(c.how)]);
            });
        });
      });
    });
  });
}

} // namespace cordon::container
