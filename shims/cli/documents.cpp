// SPDX-License-Identifier: BSL-1.0
/// check, meet, within.
#include "documents.hpp"

#include "commands.hpp"
#include "policy_options.hpp"

#include <cordon/format/write.hpp>
#include <cordon/within.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

struct file_options {
  std::vector<std::string> files;
  bool json = false;
};

CLI::App* add_files(CLI::App& app, const char* name, const char* text, const std::shared_ptr<file_options>& o,
                    int least, int most) {
  CLI::App* const command = app.add_subcommand(name, text);
  command->add_option("FILE", o->files, "policy files")->required()->expected(least, most);
  command->add_flag("--json", o->json, "for programs");
  return command;
}

[[nodiscard]] std::string value_text(const excess_at& e, std::uint64_t value) {
  const auto index = static_cast<std::size_t>(value);
  switch (e.axis) {
  case axis::profile: return std::string(profile_names[index]);
  case axis::level: return std::string(level_names[index]);
  case axis::fallback: return std::string(fallback_names[index]);
  case axis::syscalls:
    return e.place.empty() ? std::string(syscalls_names[index]) : value != 0 ? "not denied" : "denied";
  case axis::workspace:
  case axis::files: return format::text_of(rights::from_bits(static_cast<std::uint32_t>(value)));
  case axis::limits: return value == limits::unlimited ? "no limit" : std::to_string(value);
  case axis::abilities: return format::detail::abilities_json(abilities::from_bits(static_cast<std::uint32_t>(value)));
  case axis::environment: return value == variable::absent ? "absent" : value == variable::passes ? "passes" : "set";
  case axis::capabilities:
  case axis::hosts:
  case axis::sockets:
  case axis::guard: break;
  }
  return value != 0 ? "yes" : "no";
}

/// The canonical form: notation for people, JSON for programs.
void print(const loaded_policy& p, bool json) {
  if (json && !format::can_be_json(p))
    throw usage_error("a path or a variable of the policy is no UTF-8 text, which JSON cannot say; leave out --json");
  std::fputs((json ? format::write_json(p) : format::write_notation(p)).c_str(), stdout);
}

int check(const file_options& o) {
  for (const std::string& f : o.files) {
    const loaded_policy p = load(f);
    if (!o.json && o.files.size() > 1) std::printf("# %s\n", f.c_str());
    print(p, o.json);
  }
  return 0;
}

int meet_files(const file_options& o) {
  loaded_policy p = load(o.files.front());
  for (std::size_t i = 1; i < o.files.size(); ++i) p = p & load(o.files[i]);
  print(p, o.json);
  return 0;
}

int within_ceiling(const file_options& o) {
  const loaded_policy child = load(o.files[0]), ceiling = load(o.files[1]);
  std::string list;
  const std::size_t count = excess(child, ceiling, [&](const excess_at& e) {
    const std::string granted = value_text(e, e.granted), most = value_text(e, e.ceiling);
    const std::string place(e.axis == axis::hosts ? host::text_of_place(e.place).view() : e.place);
    if (o.json)
      list += (list.empty() ? "" : ",\n ") + std::string("{\"axis\": ") + format::as_json(name(e.axis)) +
              ", \"place\": " + format::as_json(place) + ", \"child\": " + format::as_json(granted) +
              ", \"ceiling\": " + format::as_json(most) + "}";
    else
      list += std::string(name(e.axis)) + (place.empty() ? "" : " " + place) + ": the child has " + granted +
              ", the ceiling " + most + "\n";
  });
  if (o.json) list = "{\"within\": " + std::string(count == 0 ? "true" : "false") + ", \"excess\": [" + list + "]}\n";
  std::fputs(list.c_str(), stdout);
  return count == 0 ? 0 : 1;
}

} // namespace

loaded_policy load(const std::string& file) {
  const format::host_facts facts = facts_of_host();
  return format::lower(format::read_file(file, facts), facts);
}

std::string refusal(const diagnostic& d) {
  const std::string what(d.subject);
  switch (d.code) {
  case errc::target_refused:
    return "the target has no such mechanism, and the policy accepts no run without it (profile os_hardened or "
           "fallback enforce)";
  case errc::bad_value: return what + " is no system call";
  case errc::bad_path:
    return format::shown(what) + " cannot be written for this backend, and less than all of it means more";
  case errc::duplicate_place: return format::shown(what) + " is one place with another one on this system";
  case errc::policy_too_large: return "the policy is larger than the mechanism takes";
  default: return std::string(name(d.code)) + " " + what;
  }
}

void add_check(CLI::App& app, action& chosen) {
  const auto o = std::make_shared<file_options>();
  add_files(app, "check", "read policy files strictly and print the canonical form", o, 1, 1 << 20)
      ->callback([o, &chosen] { chosen = [o] { return check(*o); }; });
}

void add_meet(CLI::App& app, action& chosen) {
  const auto o = std::make_shared<file_options>();
  add_files(app, "meet", "print what all the policies allow", o, 2, 1 << 20)->callback([o, &chosen] {
    chosen = [o] { return meet_files(*o); };
  });
}

void add_within(CLI::App& app, action& chosen) {
  const auto o = std::make_shared<file_options>();
  add_files(app, "within", "CHILD CEILING: does the first policy allow no more than the second", o, 2, 2)
      ->callback([o, &chosen] { chosen = [o] { return within_ceiling(*o); }; });
}

} // namespace cordon::cli
