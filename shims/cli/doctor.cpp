// SPDX-License-Identifier: BSL-1.0
#include "policy_options.hpp"
#include "subcommand.hpp"

#include <cordon/format/json_string.hpp>
#include <cordon/format/utf8.hpp>
#include <cordon/run/availability.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

/// `now`: the selection for a run under the built-in policy, with the current environment variables.
[[nodiscard]] std::string as_json(const std::vector<ability_of_host>& all, const availability& best,
                                  const selection_input& now) {
  return format::json_of([&](format::json_string_writer& to) {
    to.object(json_layout::one_line, [&] {
      to.member_flag("available", best.available);
      to.member("backend", best.name);
      to.member("profile", name(now.profile));
      to.member("selected", name(select(now).result));
      to.list("host", json_layout::hanging, [&] {
        for (const ability_of_host& a : all)
          to.object(json_layout::one_line, [&] {
            to.member("name", a.name);
            to.member_flag("works", a.works);
            to.member("seen", a.seen);
            to.member_or_null("remedy", a.remedy);
          });
      });
    });
    to.end_line();
  });
}

void print(const std::vector<ability_of_host>& all, const availability& best) {
  for (const ability_of_host& a : all) {
    std::printf("%-4s %-18s %s\n", a.works ? "ok" : "no", a.name.c_str(), format::printable(a.seen).c_str());
    if (!a.works && !a.remedy.empty()) std::printf("     %-18s remedy: %s\n", "", format::printable(a.remedy).c_str());
  }
  std::printf("%s %s\n", best.available ? "cordon run uses:" : "cordon run has no backend here:",
              best.available ? best.name.c_str() : format::printable(best.why).c_str());
}

int examine(bool json) {
  const std::vector<ability_of_host> all = examine_host();
  const availability best = probe_backend(launcher_id::automatic);
  selection_input now = circumstances_of_variables();
  now.available = best.available;
  if (json) std::fputs(as_json(all, best, now).c_str(), stdout);
  else print(all, best);
  return best.available ? 0 : 1;
}

} // namespace

void describe_doctor(subcommand& c) {
  const auto json = std::make_shared<bool>(false);
  c.about("what this host can enforce, each item probed live");
  c.flag("--json", *json, "for programs");
  c.action([json] { return examine(*json); });
}

} // namespace cordon::cli
