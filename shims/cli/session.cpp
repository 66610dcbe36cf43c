// SPDX-License-Identifier: BSL-1.0
#include "refusal_text.hpp"
#include "subcommand.hpp"

#include <cordon/format/json_string.hpp>
#include <cordon/run/identity.hpp>
#include <cordon/run/session.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace cordon::cli {
namespace {

constexpr std::uint64_t billion = 1'000'000'000;

void print_sessions(bool json) {
  const std::vector<session> all = sessions();
  if (!json)
    for (const session& s : all)
      std::printf("%-20s %10.1f MiB  %s%s\n", s.name.c_str(), static_cast<double>(s.bytes) / (1 << 20),
                  utc_text(s.used * billion).c_str(), s.in_use ? "  in use" : "");
  else
    std::fputs(format::json_of([&](format::json_string_writer& to) {
                 to.object(json_layout::one_line, [&] {
                   to.list("sessions", json_layout::hanging, [&] {
                     for (const session& s : all)
                       to.object(json_layout::one_line, [&] {
                         to.member("name", s.name);
                         to.member("path", s.path);
                         to.member_number("bytes", s.bytes);
                         to.member("used", utc_text(s.used * billion));
                         to.member_flag("in_use", s.in_use);
                       });
                   });
                 });
                 to.end_line();
               }).c_str(),
               stdout);
}

int carry_out_session(const std::vector<std::string>& words, bool json) {
  if (words.empty() || (words.size() == 1 && words[0] == "list")) return print_sessions(json), 0;
  if (words.size() != 2 || words[0] != "rm") throw usage_error("session takes `list`, or `rm NAME`");
  remove_session(words[1]);
  return 0;
}

} // namespace

void describe_session(subcommand& c) {
  const auto json = std::make_shared<bool>(false);
  const auto words = std::make_shared<std::vector<std::string>>();
  c.about("list the sessions of cordon run --session, or remove one");
  c.flag("--json", *json, "for programs");
  c.words("list | rm NAME", *words, "what to do; left out: list", 2);
  c.action([json, words] { return carry_out_session(*words, *json); });
}

} // namespace cordon::cli
