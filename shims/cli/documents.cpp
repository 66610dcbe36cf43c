// SPDX-License-Identifier: BSL-1.0
/// The commands check, meet and within.
#include "documents.hpp"

#include "key.hpp"
#include "policy_options.hpp"
#include "subcommand.hpp"

#include <cordon/format/excess.hpp>
#include <cordon/format/globs.hpp>
#include <cordon/format/notation.hpp>
#include <cordon/format/place.hpp>
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/globs/globs.hpp>
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

[[nodiscard]] std::string as_json(const std::vector<format::excess_text>& all) {
  const auto write = [&](format::json_string_writer& to) {
    to.object(json_layout::one_line, [&] {
      to.member_flag("within", all.empty());
      to.list("excess", json_layout::hanging, [&] {
        for (const format::excess_text& e : all)
          to.object(json_layout::one_line, [&] {
            to.member("axis", e.axis);
            to.member("place", e.place);
            to.member("child", e.child);
            to.member("ceiling", e.ceiling);
          });
      });
    });
    to.end_line();
  };
  return format::json_of(write, 1);
}

int within_ceiling(const file_options& o) {
  const std::vector<format::excess_text> all = format::excess_of(load(o.files[0]), load(o.files[1]));
  std::fputs((o.json ? as_json(all) : format::text_of(all)).c_str(), stdout);
  return all.empty() ? 0 : 1;
}

} // namespace

void system_options::add_to(subcommand& c) {
  c.option("--system", system,
           "linux, macos, windows or openbsd, whose presets count (default: where the rules are taken)");
  c.option("--home", home, "the home directory there (default: of this machine, or /home/USER, /Users/USER)");
}

format::host_facts system_options::facts(const rules_system& rules) const {
  std::optional<platform> named;
  if (system && !from_name(platform_names, *system, named.emplace()))
    throw usage_error("--system " + *system + ": unknown system; it is linux, macos, windows or openbsd");
  if (!home) return shim::facts_for_rules(rules, named, home);
  const path::normal place = path::normalize(written_place(*home));
  if (!place) throw usage_error("--home " + *home + ": " + std::string(explain(place.why)));
  return shim::facts_for_rules(rules, named, std::string(place.view()));
}

void print_gaps(const std::vector<reported_gap>& gaps) {
  for (const reported_gap& g : gaps) complain(g.id + ": " + g.why);
}

loaded_policy load(const std::string& file) { return load(shim::policy_source(file)); }

loaded_policy load(const shim::policy_source& source) {
  std::vector<reported_gap> gaps;
  loaded_policy p = source.load(shim::facts_of_documents(), gaps);
  print_gaps(gaps);
  return p;
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
