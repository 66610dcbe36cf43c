// SPDX-License-Identifier: BSL-1.0
/// Shared by the tests of workspace files: a tree, a policy over it, and both methods of lookup.
#pragma once

#include "scratch.hpp"

#include <cordon/linux/workspace_files.hpp>
#include <doctest/doctest.h>

#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace opening {

using namespace cordon;
using lookup = workspace_files::lookup;
using problem = workspace_files::problem;
using grants = std::vector<std::pair<std::string, rights>>;

/// A policy only for host tools, which have all access that its workspace grants.
inline loaded_policy tools(const grants& places, cordon::level l = cordon::level::workspace_write) {
  loaded_policy p;
  p.level = l;
  (void)p.write_any<axis_id::capabilities>();
  (void)p.write<axis_id::workspace>([&](auto& out) {
    for (const auto& [place, r] : places) out.add({place, r.bits(), {}});
  });
  return p;
}

/// A workspace with a read-only and a hidden path, and files outside that no test may change.
///
///     work/            write          outside/secret
///       a/file  a/sub/file            outside/dir/file
///       fixed/file     read
///       key/file       nothing
struct tree : scratch {
  tree() {
    for (const char* name : {"work/a/file", "work/a/sub/file", "work/fixed/file", "work/key/file"})
      file(name, "inside");
    for (const char* name : {"outside/secret", "outside/dir/file"}) file(name, "outside");
  }
  [[nodiscard]] loaded_policy policy() const {
    return tools({{at("work"), verb::write}, {at("work/fixed"), verb::read}, {at("work/key"), verb::hide}});
  }
  void link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, top / name);
  }
  /// Everything outside by name, content, mode and time, to detect changes.
  [[nodiscard]] std::string outside() const {
    std::string all;
    for (const auto& e : std::filesystem::recursive_directory_iterator(top / "outside")) {
      struct stat st {};
      REQUIRE(::lstat(e.path().c_str(), &st) == 0);
      all += e.path().string() + " " + std::to_string(st.st_mode) + " " + std::to_string(st.st_mtim.tv_sec) + "." +
             std::to_string(st.st_mtim.tv_nsec) + " " + std::to_string(st.st_size) + "\n";
    }
    return all;
  }
};

/// Runs the body for a kernel with openat2(2), and for one without, each on a separate tree.
template <class F> void both_ways(F&& body) {
  for (const lookup how : {lookup::kernel, lookup::components}) {
    CAPTURE(how == lookup::kernel);
    const tree t;
    body(t, how);
  }
}

inline std::string content(const workspace_files::file& f) {
  std::string text(4096, '\0');
  const ssize_t n = ::read(f.native_handle(), text.data(), text.size());
  text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return n < 0 ? "unreadable" : text;
}
inline bool put(const workspace_files::file& f, const std::string& text) {
  return ::write(f.native_handle(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}
inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Does cordon refuse the act and name the path? A failure of the system does not count.
template <class Act> bool refuses(Act&& act, const std::string& place) {
  problem p;
  act(p);
  INFO(p.text);
  return p.refused && p.code == std::errc::permission_denied && p.place == place && p.text.find(place) != p.text.npos;
}
/// The errno of an act that the system refuses; 0 if it succeeds, -1 if cordon refuses.
template <class Act> int error_of(Act&& act) {
  problem p;
  act(p);
  return p.refused ? -1 : p.code.value();
}

/// Acts for `refuses` and `error_of`.
inline auto reading(const workspace_files& o, const std::string& place) {
  return [&o, place](problem& p) { (void)o.read(place, workspace_files::kinds::regular, p); };
}
inline auto writing(const workspace_files& o, const std::string& place) {
  return [&o, place](problem& p) {
    (void)o.write(place, workspace_files::content::drop, workspace_files::kinds::regular, p);
  };
}

} // namespace opening
