// SPDX-License-Identifier: BSL-1.0
// Host patterns: the canonical text of a pattern is a pattern with that text. A set of the pattern allows the hosts
// that it names, and is empty after the pattern is subtracted.
#include "must.hpp"

#include <cordon/host/host.hpp>
#include <cordon/policy/heap.hpp>

#include <string>

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const host::pattern p = host::parse(text_of(data, size));
  if (!p) {
    must(!explain(p.why).empty());
    return 0;
  }
  const std::string canonical(host::text_of(p).view());
  const host::pattern again = host::parse(canonical);
  must(again && host::text_of(again).view() == canonical);

  host_set<heap> allowed, nothing;
  allowed.add(p);
  must(allowed.close().code == diagnostic_code::ok && nothing.close().code == diagnostic_code::ok);
  const host_axis all{allowed.view(), {}}, none{allowed.view(), allowed.view().as<denied_tree>()};
  must(!all.is_none() && none.is_none() && none <= all && all <= host::any_host);
  std::string words;
  must(each_canonical_pattern<heap>(all, [&](bool, std::string_view w) { words += w; }).code == diagnostic_code::ok);
  must(words == canonical);

  if (p.shape == host::shape::every || p.shape == host::shape::block) return 0;
  const std::string port = ":" + std::to_string(p.ports.first);
  const auto may = [&](const std::string& name) {
    return host::decide(all, host::parse_requested_host(name + port)).allowed();
  };
  const std::string name(p.name.view());
  must(may(name) == (p.shape != host::shape::below));
  must(!may("x" + name));
  if (name.size() < host::longest_name - 2) must(may("x." + name) == (p.shape != host::shape::exact));
  return 0;
}
