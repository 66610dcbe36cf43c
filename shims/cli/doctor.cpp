// SPDX-License-Identifier: BSL-1.0
#include "policy_options.hpp"
#include "subcommand.hpp"

#include <cordon/format/write.hpp>
#include <cordon/run/availability.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

int examine(bool json) {
  const std::vector<ability_of_host> all = examine_host();
  const availability best = probe_backend(launcher_id::automatic);
  selection_input now = circumstances_of_variables();
  now.available = best.available;
  if (json) {
    std::vector<std::string> items;
    items.reserve(all.size());
    for (const ability_of_host& a : all)
      items.push_back("{\"name\": " + format::as_json(a.name) + ", \"works\": " + (a.works ? "true" : "false") +
                      ", \"seen\": " + format::as_json(a.seen) +
                      ", \"remedy\": " + (a.remedy.empty() ? "null" : format::as_json(a.remedy)) + "}");
    // The selection for a run under the built-in policy, with the current environment variables.
    std::printf("{\"available\": %s, \"backend\": %s, \"profile\": %s, \"selected\": %s, \"host\": %s}\n",
                best.available ? "true" : "false", format::as_json(best.name).c_str(),
                format::as_json(name(now.profile)).c_str(),
                format::as_json(selection_names[static_cast<std::size_t>(select(now).result)]).c_str(),
                format::json_array(items, ",\n  ").c_str());
  } else {
    for (const ability_of_host& a : all) {
      std::printf("%-4s %-18s %s\n", a.works ? "ok" : "no", a.name.c_str(), format::printable(a.seen).c_str());
      if (!a.works && !a.remedy.empty())
        std::printf("     %-18s remedy: %s\n", "", format::printable(a.remedy).c_str());
    }
    std::printf("%s %s\n", best.available ? "cordon run uses:" : "cordon run has no backend here:",
                best.available ? best.name.c_str() : format::printable(best.why).c_str());
  }
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
