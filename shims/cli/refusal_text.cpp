// SPDX-License-Identifier: BSL-1.0
#include "refusal_text.hpp"

namespace cordon::cli {
namespace {

/// Instead of the library's text for the reason; {N} is the place of its value N.
struct text_row {
  std::string_view id, text;
};

constexpr text_row text_table[]{
    {reasons::none_not_allowed.id, "--backend none needs CORDON_ALLOW_NO_SANDBOX=1 in the environment as well{0}"},
    {reasons::none_under_enforce.id, "fallback enforce does not allow --backend none; leave it out{0}"},
    {reasons::egress_unconfined.id, "egress strict: nothing here keeps the program from hosts that the policy does not "
                                    "allow; start it confined, or with --egress preflight"},
    {reasons::gaps_not_accepted.id,
     "profile os_hardened: this host cannot enforce the following; accept each with --accept-gap:{0}"},
    {reasons::program_not_granted.id,
     "the policy does not let {0} be run; grant it with --run {1}, or where there is a "
     "--policy by its line run {1}"},
    {reasons::directory_not_granted.id,
     "the current directory {0} lies outside every granted place; grant it, or name another with --cwd DIR"},
    {reasons::other_owner.id, "{0} belongs to user {1}, where a confined root can write nothing; run as that user: "
                              "setpriv --reuid={2} --regid={3} --init-groups cordon run ..."},
    {reasons::policy_reads_key.id, "the policy lets the program read the key {0}; hide it with --hide {0}"},
    {reasons::policy_not_utf8.id,
     "--record: a path or a variable of the policy is not UTF-8, which a record cannot hold"},
    {reasons::bwrap_arguments.id, "the policy has more places than bwrap takes arguments; grant directories instead of "
                                  "their files, or take --backend namespaces"},
};

[[nodiscard]] std::string filled(std::string_view text, const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '{') {
      out += values.at(static_cast<std::size_t>(text[i + 1] - '0'));
      i += 2;
    } else out += text[i];
  return out;
}

[[nodiscard]] std::string worded(std::string_view id, const std::vector<std::string>& values, std::string_view why) {
  for (const text_row& row : text_table)
    if (row.id == id) return filled(row.text, values);
  return std::string(why);
}

} // namespace

std::string text_of(const refused& why) { return worded(why.id(), why.values(), why.what()); }

std::string text_of(const report& r, const std::vector<std::string>& accepted) {
  if (r.ended.refusal != reasons::gaps_not_accepted.id)
    return worded(r.ended.refusal, r.ended.refusal_values, r.ended.why);
  std::string options;
  for (const std::string& id : unaccepted_gaps(r.gaps, accepted)) options += " --accept-gap " + id;
  return worded(r.ended.refusal, {options}, r.ended.why);
}

} // namespace cordon::cli
