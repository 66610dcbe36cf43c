// SPDX-License-Identifier: BSL-1.0
#include "../common/links/named_path.hpp"
#include "key.hpp"
#include "named_value.hpp"
#include "refusal_text.hpp"
#include "run_messages.hpp"
#include "subcommand.hpp"

#include <cordon/format/read.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/record.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

struct replay_options {
  std::optional<std::string> key, backend;
  std::vector<std::string> accepted_gaps;
  bool from_tape = false, quiet = false;
  std::vector<std::string> words; ///< the record, then the arguments to replay from the tape
};

/// Throws: format::bad_document, `refused`.
[[nodiscard]] record read(const replay_options& o) {
  const std::string& file = o.words.front();
  shim::check_named_file(file);
  std::string content = format::content_of(file);
  if (!o.key) content = without_attestation(content);
  else {
    try {
      content = check_attestation(content, attestation_key(*o.key).bytes());
    } catch (const refused& e) { throw format::bad_document(diagnostic_code::bad_value, file, 0, 0, e.what()); }
  }
  return read_record(file, content);
}

/// Prints the recorded output in its order. Returns: the recorded exit status.
int answer(const record& recorded, const std::vector<std::string>& argv) {
  tape one({recorded});
  const record& r = one.answer(argv.empty() ? recorded.argv : argv);
  for (const record::piece& p : r.output) {
    std::FILE* const to = p.from == stream::output ? stdout : stderr;
    std::fwrite(p.bytes.data(), 1, p.bytes.size(), to);
    std::fflush(to);
  }
  return exit_status(r.ended);
}

int run_again(const replay_options& o, const record& recorded) {
  run_request request = to_replay(recorded);
  request.owns_process = true;
  if (o.backend) request.asked.backend = named_value<launcher_id>("--backend", launcher_names, *o.backend);
  request.accepted_gaps.insert(request.accepted_gaps.end(), o.accepted_gaps.begin(), o.accepted_gaps.end());
  request.trusted_files.push_back(o.words.front());
  if (o.key) request.trusted_files.push_back(*o.key);
  const std::vector<std::string> accepted = request.accepted_gaps;
  const launcher_id asked_backend = request.asked.backend;
  const report now = run(std::move(request), [&](const report& r) {
    if (!o.quiet) print_missing(r, asked_backend, false);
    std::string missing;
    for (const std::string& m : missing_mechanisms(recorded, r)) missing += " " + m;
    if (missing.empty()) return;
    if (r.profile == profile::os_hardened) throw refused::because<reasons::replay_lacks>(missing);
    if (!o.quiet) complain("recorded with what is not in force here:" + missing);
  });
  if (now.ended.how == ending::refused) {
    complain(text_of(now, accepted));
    return 125;
  }
  if (!o.quiet) print_limit(now.ended.how);
  const std::vector<std::string> all = differences(recorded, now);
  for (const std::string& d : all) std::puts(format::printable(d).c_str());
  if (all.empty() && !o.quiet) std::puts("the same outcome and the same output");
  return all.empty() ? 0 : 1;
}

} // namespace

void describe_replay(subcommand& c) {
  const auto o = std::make_shared<replay_options>();
  c.about("run a record again under its policy and profile, and say what differs");
  c.flag("--tape", o->from_tape, "start nothing: print what was recorded, and end as it did");
  c.option("--key", o->key, "file of the key that must have attested the record");
  c.option("--backend", o->backend, "auto, namespaces, landlock or bubblewrap");
  c.option("--accept-gap", o->accepted_gaps, "accept one more unenforced gap under profile os_hardened");
  c.flag("--quiet", o->quiet, "print differences alone");
  c.rest(o->words, "RECORD [-- PROGRAM ARG...]: with --tape these words must be the recorded ones");
  c.action([o] {
    std::vector<std::string> argv = o->words;
    if (argv.empty()) throw usage_error("no record is given: cordon replay [options] RECORD");
    argv.erase(argv.begin());
    if (!argv.empty() && argv.front() == "--") argv.erase(argv.begin());
    if (!argv.empty() && !o->from_tape) throw usage_error("arguments after RECORD need --tape");
    const record recorded = read(*o);
    return o->from_tape ? answer(recorded, argv) : run_again(*o, recorded);
  });
}

} // namespace cordon::cli
