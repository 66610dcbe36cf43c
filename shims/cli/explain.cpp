// SPDX-License-Identifier: BSL-1.0
#include "documents.hpp"
#include "subcommand.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/host_text.hpp>
#include <cordon/format/write.hpp>
#include <cordon/query/explain.hpp>
#include <cordon/run/host_refusal.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace cordon::cli {
namespace {

/// One query as given on the command line.
struct asked {
  std::string words;
  std::string kind, subject;
  std::string right;
  bool in_process = false;
  std::vector<std::string> argv;
};

[[nodiscard]] std::vector<asked> read_questions(const std::vector<std::string>& words) {
  constexpr std::string_view kinds[]{"--path",    "--host", "--url",        "--syscall",
                                     "--ability", "--env",  "--capability", "--exec"};
  std::vector<asked> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    const auto next = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw usage_error(w + " needs a value");
      return words[++i];
    };
    if (std::find(std::begin(kinds), std::end(kinds), w) != std::end(kinds)) {
      asked a;
      a.kind = w.substr(2);
      a.words = w;
      if (a.kind == "exec") {
        a.argv.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
        i = words.size();
        for (const std::string& word : a.argv) a.words += " " + word;
      } else a.words += " " + (a.subject = next());
      all.push_back(std::move(a));
    } else if (!all.empty() && w == "--right") all.back().words += " " + w + " " + (all.back().right = next());
    else if (!all.empty() && w == "--in-process") all.back().in_process = true, all.back().words += " " + w;
    else throw usage_error("unknown question " + w);
  }
  if (all.empty())
    throw usage_error("no question: --path P --right R [--in-process], --host H, --url U, --syscall S, --ability A, "
                      "--env NAME, --capability C or --exec ARGV...");
  return all;
}

struct answered {
  cordon::verdict verdict;
  std::string clause; ///< empty: none
  std::string more;   ///< further JSON members
  std::string reason; ///< in words; empty: none
};

[[nodiscard]] verdict ask_path(const loaded_policy& p, const asked& a, right r, std::string_view place) {
  return a.in_process ? host_tool_may(p, r, place) : process_may(p, r, place);
}

/// The verdict of the rules of each backend that handles files, for its first target.
[[nodiscard]] std::string verdicts_of_backends(const loaded_policy& p, right r, std::string_view place) {
  std::string all;
  backends::each([&]<class Backend>() {
    const auto made = compile(p, Backend::targets[0].target);
    if constexpr (requires { permits(made.rules, r, place); }) {
      const std::string_view said = made.error.code != errc::ok     ? "none"
                                    : permits(made.rules, r, place) ? "allow"
                                                                    : "refuse";
      all += (all.empty() ? "" : ",") + format::as_json(Backend::name) + ":" + format::as_json(said);
    }
    return true;
  });
  return all;
}

[[nodiscard]] answered ask_about_path(const loaded_policy& p, const asked& a) {
  right r{};
  if (!from_name(right_names, a.right, r))
    throw usage_error("--path needs --right with one of read list run write create remove attributes connect");
  const path::normal n = a.subject.starts_with("/") ? path::normalize(a.subject) : path::normal{path::flaw::no_base};
  const axis own = a.in_process ? axis::workspace : axis::files;
  if (!n) return {{ruling::malformed, own, {}}, {}, {}, {}};
  answered out{ask_path(p, a, r, n.view()), {}, {}, {}};
  if (out.verdict.axis == own && !out.verdict.clause.place.empty())
    out.clause =
        std::string(out.verdict.clause.place) + " " + format::text_of(rights::from_bits(out.verdict.clause.value));
  std::error_code ec;
  const std::string real = std::filesystem::weakly_canonical(std::filesystem::path(n.view()), ec).string();
  if (!ec && real != n.view())
    out.more += ",\"resolved\":{\"path\":" + format::as_json(real) +
                ",\"verdict\":" + format::as_json(name(ask_path(p, a, r, real).ruling)) + "}";
  if (!a.in_process) out.more += ",\"backends\":{" + verdicts_of_backends(p, r, n.view()) + "}";
  return out;
}

/// Why a host is refused; empty if it is allowed.
[[nodiscard]] std::string reason_of_host(const loaded_policy& p, const std::string& host, const verdict& v) {
  if (v.axis != axis::level) return host_refusal(host, p.hosts());
  return host_refusal(host, host_axis{}) + ": level " + std::string(name(p.level)) + " has no network";
}

[[nodiscard]] answered ask_about_command(const loaded_policy& p, const asked& a, const std::string& directory) {
  const std::vector<std::string_view> argv(a.argv.begin(), a.argv.end());
  answered out{may_execute(p, argv, directory), {}, {}, {}};
  out.clause = out.verdict.clause.place;
  if (out.verdict.ruling == ruling::refuse && out.verdict.axis == axis::guard)
    out.reason = reason_of(check_guard(p, argv, directory), argv, p.hosts());
  return out;
}

/// `directory`: the policy file's directory, which is the working directory for a command line.
[[nodiscard]] answered ask(const loaded_policy& p, const asked& a, const std::string& directory) {
  if (a.kind == "path") return ask_about_path(p, a);
  if (a.kind == "exec") return ask_about_command(p, a, directory);
  answered out;
  if (a.kind == "host" || (a.kind == "url" && a.subject.find("://") != a.subject.npos)) {
    const host_verdict v = may_reach(p, format::parse_requested_host(a.subject));
    return {v, std::string(v.pattern.view()), {}, reason_of_host(p, a.subject, v)};
  }
  out.verdict = a.kind == "url"       ? verdict{ruling::malformed, axis::hosts, {}}
                : a.kind == "syscall" ? may_call(p, a.subject)
                : a.kind == "ability" ? has_ability(p, a.subject)
                : a.kind == "env"     ? has_variable(p, a.subject)
                                      : has_capability(p, a.subject);
  out.clause = out.verdict.clause.place;
  return out;
}

int explain_file(const std::string& file, const std::vector<asked>& questions, bool json) {
  const loaded_policy p = load(file);
  const std::string directory = std::filesystem::absolute(file).lexically_normal().parent_path().string();
  bool all = true;
  std::string out;
  for (const asked& a : questions) {
    const answered x = ask(p, a, directory);
    all = all && x.verdict.allowed();
    const bool level_or_capability = x.verdict.axis == axis::level || x.verdict.axis == axis::capabilities;
    const std::string clause = level_or_capability ? std::string(x.verdict.clause.place) : x.clause;
    if (json)
      out += "{\"question\":" + format::as_json(a.words) + ",\"verdict\":" + format::as_json(name(x.verdict.ruling)) +
             ",\"clause\":" + (clause.empty() ? "null" : format::as_json(clause)) +
             ",\"axis\":" + format::as_json(name(x.verdict.axis)) + x.more +
             (x.reason.empty() ? "" : ",\"reason\":" + format::as_json(x.reason)) + "}\n";
    else
      out += format::printable(std::string(name(x.verdict.ruling)) + "  " + a.words + "  (" +
                               std::string(name(x.verdict.axis)) + (clause.empty() ? ": no clause" : ": " + clause) +
                               ")" + (x.reason.empty() ? "" : ": " + x.reason)) +
             "\n";
  }
  std::fputs(out.c_str(), stdout);
  return all ? 0 : 1;
}

} // namespace

void describe_explain(subcommand& c) {
  struct options {
    bool json = false;
    std::vector<std::string> words;
  };
  const auto o = std::make_shared<options>();
  c.about("print whether a policy allows something, and which clause decides");
  c.flag("--json", o->json, "one object a line");
  c.rest(o->words,
         "FILE QUESTION...: --path P --right R [--in-process], --host H[:PORT], --url U, --syscall S, --ability A,\n"
         "--env NAME, --capability C, --exec ARGV...");
  c.action([o] {
    std::vector<std::string> words = o->words;
    if (words.empty()) throw usage_error("explain FILE QUESTION...");
    const std::string file = words.front();
    words.erase(words.begin());
    const bool json_behind = !words.empty() && words.front() == "--json";
    if (json_behind) words.erase(words.begin());
    return explain_file(file, read_questions(words), o->json || json_behind);
  });
}

} // namespace cordon::cli
