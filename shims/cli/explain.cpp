// SPDX-License-Identifier: BSL-1.0
#include "../common/question.hpp"
#include "documents.hpp"
#include "subcommand.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace cordon::cli {
namespace {

[[nodiscard]] std::vector<shim::question> read_questions(const std::vector<std::string>& words) {
  constexpr std::string_view kinds[]{"--path",    "--host", "--url",        "--syscall",
                                     "--ability", "--env",  "--capability", "--exec"};
  std::vector<shim::question> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    const auto next = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw usage_error(w + " needs a value");
      return words[++i];
    };
    if (std::find(std::begin(kinds), std::end(kinds), w) != std::end(kinds)) {
      shim::question a;
      a.kind = w.substr(2);
      a.words = w;
      if (a.kind == "exec") {
        a.argv.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
        i = words.size();
        for (const std::string& word : a.argv) a.words += " " + word;
      } else a.words += " " + (a.subject = next());
      all.push_back(std::move(a));
    } else if (!all.empty() && w == "--right") all.back().words += " " + w + " " + (all.back().right = next());
    else if (!all.empty() && w == "--in-process") {
      all.back().in_process = true;
      all.back().words += " " + w;
    } else throw usage_error("unknown question " + w);
  }
  if (all.empty())
    throw usage_error("no question: --path P --right R [--in-process], --host H, --url U, --syscall S, --ability A, "
                      "--env NAME, --capability C or --exec ARGV...");
  return all;
}

/// The line of the clause that decides; 0 if none does, or if the document is JSON.
[[nodiscard]] std::uint32_t line_of(const shim::policy_source& source, const shim::answer& a) {
  const axis which = a.verdict.axis;
  const bool of_level = which == axis::level;
  if (a.clause.empty() && !of_level && which != axis::capabilities) return 0;
  const std::string place(which == axis::hosts ? std::string_view(a.clause) : a.verdict.clause.place);
  return source.line_of(shim::facts_of_documents(), which, of_level ? std::string_view{} : std::string_view(place));
}

int explain_file(const std::string& file, const std::vector<shim::question>& questions, bool json) {
  const shim::policy_source source(file);
  const loaded_policy p = load(source);
  const std::string directory = std::filesystem::absolute(file).lexically_normal().parent_path().string();
  bool all = true;
  std::string out;
  for (const shim::question& q : questions) {
    shim::answer a = shim::ask(p, q, directory);
    a.line = line_of(source, a);
    all = all && a.verdict.allowed();
    out += json ? shim::as_json(q, a) : shim::as_text(q, a);
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
