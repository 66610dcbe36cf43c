// SPDX-License-Identifier: BSL-1.0
#include "rules_text.hpp"

#include "gaps.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/error.hpp>

#include <stdexcept>
#include <string_view>

namespace cordon::shim {
namespace {

/// The target by its name, or the first one. Throws: std::invalid_argument with the known names for an unknown one.
template <class Backend> [[nodiscard]] typename Backend::target target_of(const std::optional<std::string>& target) {
  std::string known;
  for (const auto& t : Backend::targets) {
    if (!target || *target == t.name) return t.target;
    known += " " + std::string(t.name);
  }
  throw std::invalid_argument("the target of " + std::string(Backend::name) + " is one of" + known);
}

template <class Backend>
[[nodiscard]] rules_text text_of_backend(const loaded_policy& p, const std::optional<std::string>& target) {
  const auto made = compile(p, target_of<Backend>(target));
  if (made.error.code != diagnostic_code::ok) throw std::invalid_argument(refusal(made.error));
  rules_text text;
  write(made.rules, [&](std::string_view piece) { text.rules += piece; });
  append_gaps(text.gaps, made.gaps);
  return text;
}

} // namespace

std::string refusal(const diagnostic& d) {
  const std::string what(d.subject);
  switch (d.code) {
  case diagnostic_code::target_refused:
    return "the target has no such mechanism, and the policy accepts no run without it (profile os_hardened or "
           "fallback enforce)";
  case diagnostic_code::bad_value: return what + " is no system call";
  case diagnostic_code::bad_path:
    return format::shown(what) + " cannot be expressed by this backend, and leaving it out would weaken the policy";
  case diagnostic_code::duplicate_place: return format::shown(what) + " is one place with another one on this system";
  case diagnostic_code::policy_too_large: return "the policy is larger than the mechanism takes";
  default: return std::string(name(d.code)) + " " + what;
  }
}

rules_system system_of_backend(const std::string& backend) {
  std::string known;
  rules_system found;
  const bool is_unknown = backends::each([&]<class Backend>() {
    known += " " + std::string(Backend::name);
    if (backend == Backend::name) found = system_of<Backend>;
    return backend != Backend::name;
  });
  if (is_unknown) throw std::invalid_argument("unknown backend " + backend + "; known here:" + known);
  return found;
}

rules_text compile_to_text(const loaded_policy& p, const std::string& backend,
                           const std::optional<std::string>& target) {
  (void)system_of_backend(backend);
  rules_text text;
  (void)backends::each([&]<class Backend>() {
    if (backend == Backend::name) text = text_of_backend<Backend>(p, target);
    return backend != Backend::name;
  });
  return text;
}

std::string line_of(const reported_gap& g) { return std::string(name(g.kind)) + " " + g.id + "  " + g.why; }

} // namespace cordon::shim
