// SPDX-License-Identifier: BSL-1.0
/// Cases of the JSON vectors: documents, and queries to the policies that result.
#pragma once

#include "vectors.hpp"

#include <cordon/format/host_text.hpp>
#include <cordon/format/read.hpp>
#include <cordon/query/explain.hpp>

#include <boost/json.hpp>

#include <doctest/doctest.h>

namespace ask {

using namespace cordon;
namespace bj = boost::json;

inline std::string text(const bj::value& v) { return std::string(v.as_string().data(), v.as_string().size()); }
inline std::string text(const bj::object& o, const char* key) { return text(o.at(key)); }

/// The cases of a file; throws if there are fewer than `least`.
inline bj::array cases(const std::string& name, std::size_t least) {
  bj::array all = bj::parse(vectors::content_of(vectors::folder() + "/" + name)).as_object().at("cases").as_array();
  if (all.size() < least) throw std::runtime_error(name + " has fewer cases than it should");
  return all;
}

/// The host that the vectors are written for.
inline format::host_facts host(const bj::object& of_case) {
  format::host_facts facts{platform::linux_, "/home/u", "/srv/job", nullptr};
  if (const auto* os = of_case.if_contains("os"))
    if (!from_name(platform_names, text(*os), facts.system)) throw std::runtime_error("unknown os");
  return facts;
}

/// The text of a document, given as a string if its spelling matters.
inline std::string document_text(const bj::value& v) { return v.is_string() ? text(v) : bj::serialize(v); }

inline loaded_policy load(const bj::value& document, const format::host_facts& facts) {
  return format::lower_lexically(format::read("case", document_text(document), facts), facts);
}

inline right right_of(const bj::object& q) {
  right r{};
  if (!from_name(right_names, text(q, "right"), r)) throw std::runtime_error("unknown right");
  return r;
}

/// The verdict on a query of FORMAT section 2; throws for an unknown kind of query.
inline verdict about(const loaded_policy& p, const bj::object& q) {
  if (q.contains("path")) {
    const auto* in_process = q.if_contains("in_process");
    const std::string path = text(q, "path");
    return in_process != nullptr && in_process->as_bool() ? host_tool_may(p, right_of(q), path)
                                                          : process_may(p, right_of(q), path);
  }
  if (q.contains("capability")) return has_capability(p, text(q, "capability"));
  if (q.contains("ability")) return has_ability(p, text(q, "ability"));
  if (q.contains("env")) return has_variable(p, text(q, "env"));
  if (q.contains("syscall")) return may_call(p, text(q, "syscall"));
  throw std::runtime_error("unknown question " + bj::serialize(q));
}

/// The value of a plain axis in the form of the vectors.
inline bj::value value_of(const loaded_policy& p, const std::string& axis) {
  const auto word = [](std::string_view s) { return bj::value(bj::string(s.data(), s.size())); };
  if (axis == "profile") return word(name(p.profile));
  if (axis == "level") return word(name(p.level));
  if (axis == "fallback") return word(name(p.fallback));
  limit l{};
  if (axis.rfind("limits.", 0) != 0 || !from_name(limit_names, axis.substr(7), l))
    throw std::runtime_error("unknown value " + axis);
  if (!p.limits.has(l)) return nullptr;
  return p.limits[l];
}

/// The value that a child gets for a variable that its caller has set to "parent".
inline std::string content(const verdict& v) {
  return variable::is_set(v.clause.value) ? std::string(v.clause.payload) : "parent";
}

/// A host or a URL, parsed with IDNA like on the command line.
inline host_verdict about_host(const loaded_policy& p, const std::string& what, bool is_url) {
  if (is_url && what.find("://") == what.npos) return {{ruling::malformed, axis::hosts, {}}, {}};
  return may_reach(p, format::parse_requested_host(what));
}

/// Compares the verdict with the vector.
inline void check(const host_verdict& v, const bj::object& q) {
  CHECK(std::string(name(v.ruling)) == text(q, "verdict"));
  if (const auto* axis = q.if_contains("axis")) CHECK(std::string(name(v.axis)) == text(*axis));
  if (const auto* wanted = q.if_contains("value")) CHECK(content(v) == text(*wanted));
  if (const auto* wanted = q.if_contains("clause_has")) {
    const std::string_view clause = v.pattern.empty() ? v.clause.place : v.pattern.view();
    if (wanted->is_null()) CHECK(std::string(clause) == "");
    else CHECK(clause.find(text(*wanted)) != std::string_view::npos);
  }
}

/// Makes one query and checks its verdict.
inline void check(const loaded_policy& p, const bj::object& q) {
  CAPTURE(bj::serialize(q));
  if (const auto* axis = q.if_contains("value"); axis != nullptr && q.contains("is")) {
    const bj::value is = value_of(p, text(*axis)), wanted = q.at("is");
    CHECK(bj::serialize(is) == bj::serialize(wanted));
    return;
  }
  if (q.contains("host") || q.contains("url")) {
    const std::string what = text(q, q.contains("host") ? "host" : "url");
    return check(about_host(p, what, q.contains("url")), q);
  }
  check({about(p, q), {}}, q);
}
/// Loads a document that must be refused. Returns: code and line of the diagnostic.
inline std::pair<std::string, std::uint32_t> refusal(const bj::value& document, const format::host_facts& facts) {
  try {
    (void)load(document, facts);
  } catch (const format::bad_document& e) { return {std::string(name(e.code())), e.line()}; }
  return {"loaded", 0};
}

} // namespace ask
