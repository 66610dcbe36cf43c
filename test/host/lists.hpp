// SPDX-License-Identifier: BSL-1.0
/// Hosts axes from words: patterns, denied ones with `!` before them, `any`, `none`.
#pragma once

#include <cordon/host/host.hpp>
#include <cordon/policy/heap.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace lists {

using namespace cordon;

/// Two sets with a storage each; `fine` if every word was parsed and fitted in.
template <class Storage> struct axis {
  host_set<Storage> allowed{}, denied{};
  bool fine = true;

  constexpr axis() = default;
  constexpr explicit axis(std::string_view words) { read(words, host::no_idna{}); }
  template <class Idna> axis(std::string_view words, Idna&& idna) { read(words, idna); }

  [[nodiscard]] constexpr host_axis view() const { return {allowed.view(), denied.view().template as<denied_tree>()}; }

  template <class Idna> constexpr void read(std::string_view words, Idna&& idna) {
    while (!words.empty()) {
      const std::size_t cut = words.find(' ');
      std::string_view word = words.substr(0, cut);
      words.remove_prefix(cut == words.npos ? words.size() : cut + 1);
      const bool minus = word.starts_with('!');
      if (minus) word.remove_prefix(1);
      if (word == "any") allowed.add_any();
      if (word == "any" || word == "none") continue;
      const host::pattern p = host::parse(word, idna);
      fine = fine && p;
      if (p) (minus ? denied : allowed).add(p);
    }
    fine = allowed.close().code == diagnostic_code::ok && denied.close().code == diagnostic_code::ok && fine;
  }
};

/// For constants.
using small = axis<fixed_storage<48, 1200>>;
/// For everything else.
using large = axis<heap>;

/// The step function that a storage holds.
template <class Tree> class written {
public:
  template <class Fill> explicit written(Fill&& fill) {
    step_function_builder<Tree, heap> out(storage_);
    fill(out);
    error = out.close();
  }
  [[nodiscard]] step_function<Tree> view() const { return {storage_.all_slots(), storage_.size(), storage_.text()}; }
  diagnostic error;

private:
  heap storage_;
};

/// What both axes allow, computed as policies do it.
struct meet {
  meet(const host_axis& a, const host_axis& b)
      : allowed([&](auto& out) { out.add_meet(a.allowed, b.allowed); }),
        denied([&](auto& out) { out.add_meet(a.denied, b.denied); }) {}
  [[nodiscard]] host_axis view() const { return {allowed.view(), denied.view()}; }
  [[nodiscard]] bool fine() const {
    return allowed.error.code == diagnostic_code::ok && denied.error.code == diagnostic_code::ok;
  }

  written<host_tree> allowed;
  written<denied_tree> denied;
};

/// The canonical words, sorted by bytes.
[[nodiscard]] inline std::vector<std::string> words_of(const host_axis& a) {
  std::vector<std::string> words;
  if (a.is_none()) return {"none"};
  if (a.is_any()) return {"any"};
  const auto add = [&](bool is_denied, std::string_view w) {
    words.push_back((is_denied ? "!" : "") + std::string(w));
  };
  if (each_canonical_pattern<heap>(a, add).code != diagnostic_code::ok) words = {"too large"};
  std::sort(words.begin(), words.end());
  return words;
}
[[nodiscard]] inline std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : " ") + w;
  return all;
}

} // namespace lists
