// SPDX-License-Identifier: BSL-1.0
#include "environment.hpp"

#include <cordon/query/query.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>
#include <cordon/run/variables/build_servers.hpp>
#include <cordon/run/variables/caches.hpp>
#include <cordon/run/variables/offline_hints.hpp>

#include <algorithm>

namespace cordon::shim {

environment::environment(const loaded_policy& p, const std::vector<std::string>& callers, const std::string& temp,
                         bool confined, const std::string& runtime) {
  const auto axis = p.environment();
  for (const std::string& v : callers) {
    const std::string_view name = std::string_view(v).substr(0, v.find('='));
    const auto said = axis.lookup(name);
    if (said == variable::passes) all_.push_back(v);
    if (said == variable::absent) dropped_.emplace_back(name);
  }
  for (std::uint32_t i = 0; i < axis.size(); ++i)
    if (variable::is_set(axis[i].value)) set(std::string(axis.place(i)), std::string(axis[i].payload));
  const auto is_there = [&](std::string_view name) {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const std::string& v) { return v.starts_with(name) && v[name.size()] == '='; });
  };
  // A policy that names a variable takes precedence.
  const auto is_named = [&](std::string_view name) {
    const entry said = axis.at(axis.find(name));
    return variable::is_set(said.value) || (said.place == name && is_there(name));
  };
  const auto redirect = [&](std::string_view name, const std::string& place) {
    if (!is_named(name)) add(std::string(name), place);
  };
  if (!runtime.empty()) redirect("XDG_RUNTIME_DIR", runtime);
  if (!temp.empty()) {
    redirect("TMPDIR", temp);
    for (const cache_variable& c : redirected_caches) redirect(c.name, temp + "/" + std::string(c.directory));
  }
  // Set under the same conditions as the caches: with a temporary directory, or if the caller's value would be
  // inherited.
  for (const tool_variable& v : without_build_servers)
    if (confined && !variable::is_set(axis.lookup(v.name)) && (!temp.empty() || is_there(v.name)))
      add(std::string(v.name), std::string(v.value));
  if (confined && !allows(p, process_feature::some_host))
    for (const tool_variable& v : offline_hints) redirect(v.name, std::string(v.value));
  std::sort(dropped_.begin(), dropped_.end());
  dropped_.erase(std::unique(dropped_.begin(), dropped_.end()), dropped_.end());
  std::erase_if(dropped_, is_there);
  lay_out();
}

void environment::name_proxy(std::uint16_t port) {
  const std::string proxy = "http://localhost:" + std::to_string(port);
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"})
    add(name, proxy);
  for (const char* name : {"NO_PROXY", "no_proxy"}) add(name, "localhost,127.0.0.1,::1");
  lay_out();
}

void environment::lay_out() {
  pointers_.clear();
  for (const std::string& v : all_) {
    if (const std::size_t nul = v.find('\0'); nul != v.npos)
      throw refused::because<reasons::nul_byte>("the variable " + v.substr(0, std::min(nul, v.find('='))));
    pointers_.push_back(v.c_str());
  }
  pointers_.push_back(nullptr);
}

std::vector<std::string> environment::names() const {
  std::vector<std::string> names;
  names.reserve(all_.size());
  for (const std::string& v : all_) names.push_back(v.substr(0, v.find('=')));
  return names;
}

void environment::set(const std::string& name, const std::string& value) {
  std::erase_if(all_, [&](const std::string& v) { return v.compare(0, name.size() + 1, name + "=") == 0; });
  all_.push_back(name + "=" + value);
}

void environment::add(const std::string& name, const std::string& value) {
  set(name, value);
  added_.push_back(name);
}

std::string value_of(const char* const* environment, std::string_view name) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view v = *environment;
    if (v.size() > name.size() && v[name.size()] == '=' && v.substr(0, name.size()) == name)
      return std::string(v.substr(name.size() + 1));
  }
  return {};
}

} // namespace cordon::shim
