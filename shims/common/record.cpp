// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/reasons.hpp>
#include <cordon/run/record.hpp>

#include "last_member.hpp"

#include <cordon/format/base64.hpp>
#include <cordon/format/cordon_json.hpp>
#include <cordon/format/fields.hpp>
#include <cordon/format/lower.hpp>
#include <cordon/format/place.hpp>
#include <cordon/format/write.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/refused.hpp>
#include <cordon/run/report.hpp>

#include <algorithm>
#include <array>
#include <chrono>

namespace cordon {
namespace {

using format::json_string_writer;
using format::json::node;

constexpr std::array<std::string_view, 2> stream_names{"stdout", "stderr"};

[[nodiscard]] const shim::last_member& digest_member() {
  static const shim::last_member member =
      shim::last_member_of([](json_string_writer& to, std::string_view digest) { to.member("digest", digest); });
  return member;
}

/// Writes the member `text`, or `base64` if the bytes are not text.
void write_bytes(json_string_writer& to, std::string_view bytes) {
  if (utf8::is_text(bytes)) to.member("text", bytes);
  else to.member("base64", to_base64(bytes));
}

[[nodiscard]] std::string bytes_of(const node& n, bool base64) {
  if (!base64) return std::string(n.string());
  const auto bytes = from_base64(n.string());
  if (!bytes) n.fail(diagnostic_code::bad_value, "must be base64");
  return *bytes;
}

/// Writes a string, or an object if the bytes are not text.
void write_word(json_string_writer& to, std::string_view bytes) {
  if (utf8::is_text(bytes)) to.text(bytes);
  else to.object(json_layout::one_line, [&] { write_bytes(to, bytes); });
}

[[nodiscard]] std::string word_of(const node& n) {
  if (!n.value().is_object()) return std::string(n.string());
  std::string word;
  n.members("an object", [&](std::string_view key, const node& m) {
    if (key != "base64") m.unknown_key("base64");
    word = bytes_of(m, true);
  });
  return word;
}

[[nodiscard]] std::uint64_t number_of(const node& n) {
  if (n.value().is_uint64()) return n.value().get_uint64();
  if (!n.value().is_int64() || n.value().get_int64() < 0) n.fail(diagnostic_code::bad_type, "must be a number");
  return static_cast<std::uint64_t>(n.value().get_int64());
}

[[nodiscard]] std::vector<std::string> texts_of(const node& n) {
  return format::read_names(n, "texts", [](std::string_view) { return true; });
}

[[nodiscard]] loaded_policy policy_of(const std::string& file, const node& n) {
  const format::json::text text(file + " (policy)", boost::json::serialize(n.value()));
  return format::lower_lexically(format::read_cordon_json(text, {}), {});
}

[[nodiscard]] record::piece piece_of(const node& n) {
  record::piece p;
  n.members("an object", [&](std::string_view key, const node& member) {
    if (key == "at") p.at = number_of(member);
    else if (key == "stream") p.from = format::read_word<stream>(member, stream_names);
    else if (key == "text" || key == "base64") p.bytes = bytes_of(member, key == "base64");
    else member.unknown_key("at stream text base64");
  });
  return p;
}

[[nodiscard]] mechanism mechanism_of(const node& n) {
  mechanism m;
  n.members("an object", [&](std::string_view key, const node& member) {
    if (key == "name") m.name = member.string();
    else if (key == "version") m.version = member.string();
    else member.unknown_key("name version");
  });
  return m;
}

void write_settings(json_string_writer& to, const project_settings& s) {
  to.object("settings", json_layout::lines, [&] {
    to.key("root");
    write_word(to, s.root);
    to.member_objects("places", s.places, [&](const project_setting& each) {
      to.key("path");
      write_word(to, each.place);
      to.member("missing", name(each.missing));
    });
    to.list("open", json_layout::one_line, [&] {
      for (const std::string& place : s.open) write_word(to, place);
    });
  });
}

[[nodiscard]] project_settings settings_of(const node& n) {
  project_settings s;
  n.members("an object", [&](std::string_view key, const node& m) {
    if (key == "root") s.root = word_of(m);
    else if (key == "open") m.each("a list", [&](const node& w) { s.open.push_back(word_of(w)); });
    else if (key == "places")
      m.each("a list", [&](const node& e) {
        project_setting& each = s.places.emplace_back();
        e.members("an object", [&](std::string_view part, const node& v) {
          if (part == "path") each.place = word_of(v);
          else if (part == "missing") each.missing = format::read_word<placeholder>(v, placeholder_names);
          else v.unknown_key("path missing");
        });
      });
    else m.unknown_key("root places open");
  });
  return s;
}

void write_request(json_string_writer& to, const record& r) {
  to.list("argv", json_layout::one_line, [&] {
    for (const std::string& w : r.argv) write_word(to, w);
  });
  to.key("directory");
  write_word(to, r.directory);
  to.key("policy");
  format::write_json(to, r.policy);
  to.member("policy_digest", digest_of(format::write_json(r.policy)));
  to.member("profile", name(r.profile));
  if (!r.settings.root.empty()) write_settings(to, r.settings);
  to.member_texts("accepted_gaps", r.accepted_gaps);
  to.member_texts("environment", r.environment);
  to.key("input");
  if (r.input) to.object(json_layout::one_line, [&] { write_bytes(to, *r.input); });
  else to.null();
}

void write_result(json_string_writer& to, const record& r) {
  to.member("backend", r.backend);
  to.member_objects("mechanisms", r.mechanisms, [&](const mechanism& m) {
    to.member("name", m.name);
    to.member("version", m.version);
  });
  to.member("outcome", name(r.ended.how));
  to.member_number("number", static_cast<std::uint32_t>(r.ended.number)); // Windows has 32 bits
  to.member_objects("output", r.output, [&](const record::piece& p) {
    to.member_number("at", p.at);
    to.member("stream", stream_names[static_cast<std::size_t>(p.from)]);
    write_bytes(to, p.bytes);
  });
}

[[nodiscard]] std::string outcome_text(const outcome& o) {
  return std::string(name(o.how)) + " " + std::to_string(o.number);
}

/// The position of the first difference between two texts, as a sentence; empty: none.
[[nodiscard]] std::string difference(std::string_view which, std::string_view was, std::string_view is) {
  if (was == is) return {};
  const auto at = std::mismatch(was.begin(), was.end(), is.begin(), is.end()).first - was.begin();
  return std::string(which) + ": " + std::to_string(was.size()) + " bytes were recorded, now there are " +
         std::to_string(is.size()) + "; the first other one is byte " + std::to_string(at);
}

/// Nanoseconds of the monotonic clock.
[[nodiscard]] std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

} // namespace

std::string record::all_of(stream from) const {
  std::string all;
  for (const piece& p : output)
    if (p.from == from) all += p.bytes;
  return all;
}

recorder::recorder(run_request& request) : start_(now()), next_(std::move(request.on_output)) {
  // The program chooses how much it writes, and must not choose how much memory cordon takes.
  if (!request.policy.limits.has(limit::output)) request.policy.limits.set(limit::output, most_recorded);
  made_.accepted_gaps = request.accepted_gaps;
  made_.settings = request.settings;
  if (request.in.from == input::source::nothing) made_.input.emplace();
  if (request.in.from == input::source::bytes) made_.input = request.in.text;
  request.on_output = [this](stream from, std::string_view bytes) {
    made_.output.push_back({now() - start_, from, std::string(bytes)});
    if (next_) next_(from, bytes);
  };
}

record recorder::finish(const report& r) && {
  made_.argv = r.argv;
  made_.directory = r.directory;
  if (r.policy) made_.policy = *r.policy;
  made_.profile = r.profile;
  made_.environment = r.environment;
  made_.backend = r.backend;
  made_.mechanisms = r.mechanisms;
  made_.ended = r.ended;
  return std::move(made_);
}

std::string cordon::abi_0::to_json(const record& r) {
  const std::string text = format::json_of([&](json_string_writer& to) {
    to.object(json_layout::lines, [&] {
      to.member_number("cordon_record", 1);
      write_request(to, r);
      write_result(to, r);
    });
    to.end_line();
  });
  return shim::with_last_member(text, digest_member(), digest_of(text));
}

record cordon::abi_0::read_record(const std::string& file, const std::string& content) {
  const format::json::text text(file, content);
  const auto& [before, behind] = digest_member();
  const std::size_t at = content.rfind(before);
  if (at == content.npos || !content.ends_with(behind) ||
      content.substr(at + before.size()) != digest_of(content.substr(0, at) + std::string(shim::object_end)) + behind)
    throw format::bad_document(diagnostic_code::bad_value, file, 0, 0,
                               "not a record, or a changed one: its digest does not match");
  record r;
  std::string policy_digest;
  node(text).members("an object", [&](std::string_view key, const node& n) {
    if (key == "argv") n.each("a list", [&](const node& w) { r.argv.push_back(word_of(w)); });
    else if (key == "directory") r.directory = word_of(n);
    else if (key == "policy") r.policy = policy_of(file, n);
    else if (key == "policy_digest") policy_digest = n.string();
    else if (key == "profile") r.profile = format::read_word<profile>(n, profile_names);
    else if (key == "settings") r.settings = settings_of(n);
    else if (key == "accepted_gaps") r.accepted_gaps = texts_of(n);
    else if (key == "environment") r.environment = texts_of(n);
    else if (key == "input") {
      if (!n.is_null())
        n.members("an object", [&](std::string_view how, const node& m) { r.input = bytes_of(m, how == "base64"); });
    } else if (key == "backend") r.backend = n.string();
    else if (key == "mechanisms") n.each("a list", [&](const node& m) { r.mechanisms.push_back(mechanism_of(m)); });
    else if (key == "outcome") r.ended.how = format::read_word<ending>(n, ending_names);
    else if (key == "number") r.ended.number = static_cast<int>(static_cast<std::uint32_t>(number_of(n)));
    else if (key == "output") n.each("a list", [&](const node& p) { r.output.push_back(piece_of(p)); });
    else if (key == "cordon_record") {
      if (number_of(n) != 1) n.fail(diagnostic_code::bad_value, "this version of cordon reads records of version 1");
    } else if (key != "digest") n.unknown_key("those that cordon writes");
  });
  if (r.argv.empty() || policy_digest != digest_of(format::write_json(r.policy)))
    throw format::bad_document(diagnostic_code::bad_value, file, 0, 0,
                               "the policy of the record is not the one of its digest");
  return r;
}

run_request cordon::abi_0::to_replay(const record& r) {
  run_request request;
  request.policy = r.policy;
  request.argv = r.argv;
  request.directory = name_at(r.directory);
  request.asked.asked_profile = r.profile;
  request.accepted_gaps = r.accepted_gaps;
  request.settings = r.settings;
  // The record has every path without links: a link on one of them is newer than the record.
  request.links.judged.push_back({"the recorded directory", r.directory});
  for (const auto& places : {r.policy.files(), r.policy.workspace()})
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (places[i].value != 0) request.links.judged.push_back({"the recorded policy", std::string(places.place(i))});
  request.in = r.input ? input::of(*r.input) : input::nothing();
  request.keep = captured_size{captured_size::everything, 0};
  return request;
}

std::vector<std::string> cordon::abi_0::missing_mechanisms(const record& r, const report& now) {
  std::vector<std::string> missing;
  for (const mechanism& m : r.mechanisms)
    if (std::none_of(now.mechanisms.begin(), now.mechanisms.end(),
                     [&](const mechanism& n) { return n.name == m.name; }))
      missing.push_back(m.name);
  return missing;
}

std::vector<std::string> cordon::abi_0::differences(const record& r, const report& now) {
  std::vector<std::string> all;
  for (const std::string& m : missing_mechanisms(r, now)) all.push_back("mechanism: " + m + " was in force and is not");
  if (outcome_text(r.ended) != outcome_text(now.ended))
    all.push_back("outcome: was " + outcome_text(r.ended) + ", is " + outcome_text(now.ended));
  for (const auto& [which, is] : {std::pair(stream::output, now.output.text()), {stream::error, now.error.text()}})
    if (const std::string d = difference(stream_names[static_cast<std::size_t>(which)], r.all_of(which), is);
        !d.empty())
      all.push_back(d);
  return all;
}

const record& tape::answer(const std::vector<std::string>& argv) {
  if (left() == 0) throw refused::because<reasons::tape_ended>();
  const record& next = all_[next_];
  if (next.argv != argv) {
    std::string was;
    for (const std::string& a : next.argv) was += (was.empty() ? "" : " ") + format::shown(a);
    throw refused::because<reasons::tape_differs>(was);
  }
  ++next_;
  return next;
}

} // namespace cordon
