// SPDX-License-Identifier: BSL-1.0
/// The commands check, meet and within.
#include "documents.hpp"

#include "key.hpp"
#include "policy_options.hpp"
#include "subcommand.hpp"

#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>
#include <cordon/policy/within.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/resolve.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

struct file_options {
  std::vector<std::string> files;
  bool json = false;
  std::optional<std::string> key;
};

/// The caller may add more options to the result.
std::shared_ptr<file_options> take_files(subcommand& c, const char* text, int least, int most,
                                         int (*what)(const file_options&)) {
  auto o = std::make_shared<file_options>();
  c.about(text);
  c.files(o->files, "policy files", least, most);
  c.flag("--json", o->json, "for programs");
  c.action([o, what] { return what(*o); });
  return o;
}

[[nodiscard]] std::string value_text(const violation& e, std::uint64_t value) {
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
  case axis::abilities: return format::abilities_json(abilities::from_bits(static_cast<std::uint32_t>(value)));
  case axis::environment: return value == variable::absent ? "absent" : value == variable::passes ? "passes" : "set";
  case axis::capabilities:
  case axis::hosts:
  case axis::sockets:
  case axis::guard: break;
  }
  return value != 0 ? "yes" : "no";
}

/// Prints the canonical form: notation, or JSON for programs.
void print(const loaded_policy& p, bool json) {
  if (json && !format::can_be_json(p))
    throw usage_error("a path or a variable of the policy is not UTF-8, which JSON cannot hold; leave out --json");
  std::fputs((json ? format::write_json(p) : format::write_notation(p)).c_str(), stdout);
}

/// For reports and records: has the holder of the key written them unchanged?
int check_attested(const file_options& o) {
  const attestation_key key(*o.key);
  bool all = true;
  for (const std::string& f : o.files) {
    try {
      (void)check_attestation(format::content_of(f), key.bytes());
      std::printf("%s: attested\n", format::printable(f).c_str());
    } catch (const refused& e) {
      std::printf("%s: %s\n", format::printable(f).c_str(), format::printable(e.what()).c_str());
      all = false;
    }
  }
  return all ? 0 : 1;
}

int check(const file_options& o) {
  if (o.key) return check_attested(o);
  for (const std::string& f : o.files) {
    const loaded_policy p = load(f);
    if (!o.json && o.files.size() > 1) std::printf("# %s\n", format::printable(f).c_str());
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
  const std::size_t count = excess(child, ceiling, [&](const violation& e) {
    const std::string granted = value_text(e, e.granted), most = value_text(e, e.ceiling);
    const std::string place(e.axis == axis::hosts ? host::text_of_place(e.place).view() : e.place);
    if (o.json)
      list += (list.empty() ? "" : ",\n ") + std::string("{\"axis\": ") + format::as_json(name(e.axis)) +
              ", \"place\": " + format::as_json(place) + ", \"child\": " + format::as_json(granted) +
              ", \"ceiling\": " + format::as_json(most) + "}";
    else
      list += std::string(name(e.axis)) + (place.empty() ? "" : " " + format::printable(place)) + ": the child has " +
              granted + ", the ceiling " + most + "\n";
  });
  if (o.json) list = "{\"within\": " + std::string(count == 0 ? "true" : "false") + ", \"excess\": [" + list + "]}\n";
  std::fputs(list.c_str(), stdout);
  return count == 0 ? 0 : 1;
}

} // namespace

namespace {

/// Substitute for the home on another system, if --home is missing.
[[nodiscard]] std::string_view usual_home(platform on) {
  return on == platform::macos || on == platform::windows ? "/Users/USER" : "/home/USER";
}

[[nodiscard]] format::host_facts facts_of_documents() {
  format::host_facts facts = facts_of_host();
  facts.exists = nullptr; // as written, independent of the files on this host
  facts.may_exist = nullptr;
  return facts;
}

} // namespace

void system_options::add_to(subcommand& c) {
  c.option("--system", system,
           "linux, macos, windows or openbsd, whose presets count (default: where the rules are taken)");
  c.option("--home", home, "the home directory there (default: of this machine, or /home/USER, /Users/USER)");
}

format::host_facts system_options::facts(const rules_system& rules) const {
  format::host_facts facts = facts_of_documents();
  const platform here = facts.system;
  if (!rules.any) facts.system = rules.on;
  if (system && !from_name(platform_names, *system, facts.system))
    throw usage_error("--system " + *system + ": unknown system; it is linux, macos, windows or openbsd");
  if (facts.system != here || rules.own_files) {
    facts.interpreters_of = nullptr;
    facts.find_matches = nullptr;
  }
  if (facts.system != here) facts.home = usual_home(facts.system);
  if (!home) return facts;
  const path::normal named = path::normalize(written_place(*home));
  if (!named) throw usage_error("--home " + *home + ": " + std::string(explain(named.why)));
  facts.home = named.view();
  return facts;
}

loaded_policy policy_file::load(format::host_facts facts, std::vector<reported_gap>& gaps) const {
  facts.base = format::directory_of(name_);
  const format::document d = format::with_globs_expanded(format::read(name_, content_, facts), facts);
  state_later(gaps, globs_of(d));
  return format::lower_lexically(d, facts);
}

loaded_policy policy_file::load(format::host_facts facts) const {
  std::vector<reported_gap> gaps;
  loaded_policy p = load(std::move(facts), gaps);
  tell(gaps);
  return p;
}

void tell(const std::vector<reported_gap>& gaps) {
  for (const reported_gap& g : gaps) complain(g.id + ": " + g.why);
}

loaded_policy load(const std::string& file) { return policy_file(file).load(facts_of_documents()); }

std::string refusal(const diagnostic& d) {
  const std::string what(d.subject);
  switch (d.code) {
  case errc::target_refused:
    return "the target has no such mechanism, and the policy accepts no run without it (profile os_hardened or "
           "fallback enforce)";
  case errc::bad_value: return what + " is no system call";
  case errc::bad_path:
    return format::shown(what) + " cannot be expressed by this backend, and leaving it out would weaken the policy";
  case errc::duplicate_place: return format::shown(what) + " is one place with another one on this system";
  case errc::policy_too_large: return "the policy is larger than the mechanism takes";
  default: return std::string(name(d.code)) + " " + what;
  }
}

void describe_check(subcommand& c) {
  const auto o = take_files(c, "read policy files strictly and print the canonical form", 1, 1 << 20, check);
  c.option("--key", o->key, "the files are reports or records: are they attested by the key in this file?");
}

void describe_meet(subcommand& c) { take_files(c, "print what all the policies allow", 2, 1 << 20, meet_files); }

void describe_within(subcommand& c) {
  take_files(c, "CHILD CEILING: does the first policy allow no more than the second", 2, 2, within_ceiling);
}

} // namespace cordon::cli
