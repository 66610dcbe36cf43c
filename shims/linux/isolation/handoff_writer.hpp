// SPDX-License-Identifier: BSL-1.0
/// Lays out the data that the init process gets through bwrap (init_handoff.hpp).
#pragma once

#include "../child/descriptor.hpp"
#include "../files/memory_file.hpp"
#include "init_handoff.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Appends text and tables to a handoff, with pointers at their final addresses.
class handoff_writer {
public:
  handoff_writer() { bytes_.resize(sizeof(init_handoff)); }

  template <class T> const T* add(const T* from, std::size_t count) {
    bytes_.resize((bytes_.size() + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) *
                  alignof(std::max_align_t));
    const std::size_t at = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(from), count * sizeof(T));
    return init_handoff::at<T>(at);
  }
  template <class T> std::span<const T> add(std::span<const T> all) {
    return {add(all.data(), all.size()), all.size()};
  }
  char* add(const char* text) { return text ? const_cast<char*>(add(text, std::strlen(text) + 1)) : nullptr; }
  char* const* add(char* const* words) {
    std::vector<char*> all;
    for (; *words != nullptr; ++words) all.push_back(add(*words));
    all.push_back(nullptr);
    return add(all.data(), all.size());
  }

  /// Returns: the finished handoff, which no process can change.
  [[nodiscard]] descriptor seal(const init_handoff& l) {
    std::memcpy(bytes_.data(), &l, sizeof l);
    return memory_file(bytes_, "the set-up data of the init process");
  }

private:
  std::string bytes_;
};

/// Returns: the init process's part of the launch, without the stages that run outside the view.
[[nodiscard]] inline init_handoff inner_part(const child_setup& e, handoff_writer& to) {
  init_handoff l{e.what, e.how, *e.how.isolated, {}, {}};
  std::vector<own_rule> rules(l.own.rules.begin(), l.own.rules.end());
  for (own_rule& r : rules) r.place = to.add(r.place);
  l.own.rules = to.add(std::span<const own_rule>(rules));
  l.own.view = {};
  l.own.user_map = l.own.group_map = nullptr;
  l.own.by = nullptr;
  l.how.reset_oom_score = false;
  // In units of struct sock_filter.
  if (l.how.filter != nullptr)
    l.how.filter = to.add(static_cast<const std::uint64_t*>(l.how.filter), l.how.filter_length);
  if (l.how.notifying != nullptr)
    l.how.notifying = to.add(static_cast<const std::uint64_t*>(l.how.notifying), l.how.notifying_length);
  l.how.isolated = &init_handoff::at<init_handoff>(0)->own;
  l.what.path = to.add(e.what.path);
  l.what.argv = to.add(e.what.argv);
  l.what.envp = to.add(e.what.envp);
  l.what.keep = to.add(e.what.keep);
  l.what.groups = {};
  l.what.cgroup = -1;
  l.what.parent_death_signal = false;
  l.what.hook = nullptr;
  l.what.hook_data = nullptr;
  for (const std::size_t i : {0U, 1U}) // bwrap passes them on, but it would show a terminal as /dev/console
    if (e.what.stdio[i] < 3 || ::isatty(e.what.stdio[i]) == 0) l.what.stdio[i] = -1;
  return l;
}

} // namespace cordon::linux_shim
