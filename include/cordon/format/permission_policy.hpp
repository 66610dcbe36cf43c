// SPDX-License-Identifier: BSL-1.0
/// Permission policies: `{"read": ["/srv/**"], "write": ["out/**"], "exec": ["git"], "net": ["api.example.com"]}`. Each
/// key grants only its own operation. A missing key, false and `[]` grant nothing; true grants everything. The policy
/// also denies everything that no key covers: sockets, presets, and all abilities except starting processes.
///   read, write  globs: `/srv/**`, `~/x/**`, `src/**` in the document's directory; or a path, which is a file, or a
///                directory with everything in it. Any other glob is an error, because it could only be widened.
///   exec         the same globs, `**` for any program, paths of programs, and names of programs in the system's
///                directories. The listed programs may run, with the interpreters of their first line if the system
///                installed these. Programs also need libraries. So if exec is not empty, processes may read the
///                system's installed files except credentials, run files in its library directories, and get the
///                variables that common programs need.
///   net          host patterns, `**` for any host.
/// `{}` is another format; a policy that allows nothing is `{"read": []}`.
#pragma once

#include "../policy/capabilities.hpp"
#include "../policy/preset.hpp"
#include "fields.hpp"
#include "grants.hpp"
#include "network_fields.hpp"

#include <utility>

namespace cordon::format {

namespace detail {

inline constexpr std::array<std::string_view, 4> permission_keys{"read", "write", "exec", "net"};

/// No key implies another: a writable file may not run for that, and a program that may run is readable only if `read`
/// grants it.
inline constexpr rights of_read = verb::read, of_write = verb::write - verb::run, of_exec = right::run;

[[nodiscard]] inline bool is_plain(std::string_view text) {
  return !text.starts_with('!') && text.find_first_of("*?[]{}\\") == text.npos;
}

/// A path with everything beneath it.
struct subtree {
  std::string root; ///< in normal form
  bool is_glob = false;
};

inline subtree read_subtree(const json::node& n, const host_facts& facts) {
  const std::string_view text = n.string("a glob as a string");
  constexpr std::string_view below = "/**";
  std::string_view root = text;
  if (text == "**") root = ".";
  else if (text == below) root = "/";
  else if (text.ends_with(below)) root.remove_suffix(below.size());
  if (!is_plain(root))
    n.fail(diagnostic_code::bad_pattern, shown(text) +
                                             " cannot be granted exactly; name a file, or a directory with /** behind "
                                             "it for all that is in it");
  const path::normal place = path::normalize(root, facts.base, facts.home);
  if (!place) n.fail(diagnostic_code::bad_path, "bad path " + shown(text) + ": " + std::string(explain(place.why)));
  return {std::string(place.view()), root != text};
}

/// Calls `f(element)` for each element of a list, or `everything()` for true.
template <class Everything, class F>
void read_permission(const json::node& n, std::string_view wanted, Everything&& everything, F&& f) {
  if (!n.value().is_bool()) n.each("true, false or a list of " + std::string(wanted), f);
  else if (n.boolean()) everything();
}

inline std::vector<std::string> read_subtrees(const json::node& n, const host_facts& facts) {
  std::vector<std::string> roots;
  read_permission(
      n, "globs", [&] { roots.emplace_back("/"); },
      [&](const json::node& e) { roots.push_back(read_subtree(e, facts).root); });
  return roots;
}

inline std::string read_program_name(const json::node& n) {
  const std::string_view text = n.string();
  if (text.empty() || !is_plain(text) || text.find('\0') != text.npos)
    n.fail(diagnostic_code::bad_pattern, shown(text) + " is no name of one program; ** means any");
  return std::string(text);
}

/// The programs that exec allows to run, and those that a command line may name.
struct programs {
  std::vector<std::string> roots; ///< with everything beneath them
  std::vector<std::string> files;
  std::vector<std::string> names; ///< as the guard compares them
  bool any = false;               ///< a glob allows programs that no list can name

  [[nodiscard]] bool empty() const { return !any && names.empty(); }

  void add(std::string_view place, const host_facts& facts) {
    files.emplace_back(place);
    if (facts.interpreters_of == nullptr) return;
    // A script may be untrusted. So the interpreter on its first line may run only if the system installed it.
    for (std::string& file : facts.interpreters_of(place))
      for (const std::string_view installed : preset_places::system(facts.system))
        if (path::covers(installed, file)) {
          files.push_back(std::move(file));
          break;
        }
  }
};

inline programs read_exec(const json::node& n, const host_facts& facts) {
  programs all;
  const auto everything = [&] {
    all.roots.emplace_back("/");
    all.any = true;
  };
  read_permission(n, "globs and names of programs", everything, [&](const json::node& e) {
    const std::string_view text = e.string("a glob or a name as a string");
    if (text == "**") return everything();
    const bool is_path = text.find('/') != text.npos || text.starts_with('~') || text == "." || text == "..";
    if (!is_path) {
      all.names.push_back(read_program_name(e));
      for (const std::string_view directory : preset_places::programs(facts.system)) {
        const std::string file = std::string(directory) + "/" + all.names.back();
        if (facts.exists == nullptr || facts.exists(file)) all.add(file, facts);
      }
      return;
    }
    subtree tree = read_subtree(e, facts);
    all.any = all.any || tree.is_glob;
    all.names.push_back(tree.root);
    if (tree.is_glob) all.roots.push_back(std::move(tree.root));
    else all.add(tree.root, facts);
  });
  return all;
}

inline std::vector<std::string> existing(preset_places::list places, const host_facts& facts) {
  std::vector<std::string> all;
  for (const std::string_view p : places)
    if (facts.exists == nullptr || facts.exists(p)) all.emplace_back(p);
  return all;
}

inline std::optional<host_lists> read_net(const json::node& n) {
  bool any = false;
  host_lists lists;
  if (n.value().is_bool()) any = n.boolean();
  else if (n.is_list()) {
    n.each("a list of host patterns", [&](const json::node& e) {
      if (e.is_string("**")) any = true;
      else add_pattern(e, lists.allowed);
    });
  } else n.fail(diagnostic_code::bad_type, "must be true, false or a list of host patterns");
  if (any) return std::nullopt;
  for (host_set<heap>* list : {&lists.allowed, &lists.denied})
    if (list->close().code != diagnostic_code::ok)
      n.fail(diagnostic_code::policy_too_large, "more ranges of ports at one host than cordon holds");
  return lists;
}

/// Merges several lists. Each path gets the rights of all paths that cover it, because in a document a grant replaces
/// those of its parents. O(n log n).
inline std::vector<grant> added_up(std::initializer_list<std::pair<const std::vector<std::string>*, rights>> lists) {
  std::vector<grant> all, sums;
  for (const auto& [roots, r] : lists)
    for (const std::string& root : *roots) all.push_back({root, r});
  sort(all);
  std::vector<std::size_t> above;
  for (grant& g : all) {
    while (!above.empty() && !path::covers(sums[above.back()].place, g.place)) above.pop_back();
    if (!above.empty() && sums[above.back()].place == g.place) {
      sums[above.back()].allowed = sums[above.back()].allowed | g.allowed;
      continue;
    }
    if (!above.empty()) g.allowed = g.allowed | sums[above.back()].allowed;
    above.push_back(sums.size());
    sums.push_back(std::move(g));
  }
  return sums;
}

/// Sets the rights on the system's credentials, and on paths beneath them, to those of the document's own grants.
inline void keep_credentials(std::vector<grant>& all, const std::vector<grant>& own, const host_facts& facts) {
  if (facts.system == platform::windows) return;
  const auto own_rights = [&](std::string_view place) {
    const grant* const g = covering(own, place);
    return g == nullptr ? rights{} : g->allowed;
  };
  for (const std::string_view secret : preset_places::etc_credentials) {
    if (facts.exists != nullptr && !facts.exists(secret)) continue;
    for (grant& g : all)
      if (path::covers(secret, g.place)) g.allowed = own_rights(g.place);
    add_missing(all, {{std::string(secret), own_rights(secret)}});
  }
}

/// Returns: a document that denies everything on each axis that a permission can open.
inline document nothing_permitted() {
  document d;
  for (const axis a : {axis::level, axis::capabilities, axis::workspace, axis::files, axis::hosts, axis::sockets,
                       axis::abilities, axis::environment, axis::guard})
    d.say(a);
  d.level = level::none;
  d.capabilities.emplace();
  d.workspace.emplace();
  d.files.emplace();
  d.presets.emplace();
  d.network.emplace();
  d.sockets.emplace();
  d.abilities.emplace();
  d.environment.emplace().pass.emplace();
  d.executables.emplace();
  d.interpreters = false;
  return d;
}

} // namespace detail

/// Reads a document. Throws: bad_document.
[[nodiscard]] inline document read_permission_policy(const json::text& text, const host_facts& facts) {
  using namespace detail;
  document d = nothing_permitted();
  std::vector<std::string> read, write;
  programs exec;
  json::node(text).members("an object with read, write, exec and net", [&](std::string_view key, const json::node& v) {
    if (key == "read") read = read_subtrees(v, facts);
    else if (key == "write") write = read_subtrees(v, facts);
    else if (key == "exec") exec = read_exec(v, facts);
    else if (key == "net") d.network = read_net(v);
    else v.unknown_key("read write exec net");
  });
  const auto grants = [&](level l, std::initializer_list<std::string_view> capabilities) {
    d.level = l;
    for (const std::string_view c : capabilities) d.capabilities->emplace_back(c);
  };
  if (!read.empty()) grants(level::read_only, {capability::read_text, capability::list, capability::exists});
  if (!write.empty()) grants(level::workspace_write, {capability::write_text, capability::remove});
  d.workspace = added_up({{&read, of_read}, {&write, of_write}});
  d.files = added_up({{&read, of_read}, {&write, of_write}, {&exec.roots, of_exec}, {&exec.files, of_exec}});
  if (!exec.empty()) {
    grants(level::process_exec, {capability::exec});
    d.abilities = ability::spawn;
    d.interpreters = true;
    if (exec.any) d.executables.reset();
    else d.executables = exec.names;
    pass_basic_variables(*d.environment, facts.system);
    const auto system = existing(preset_places::system(facts.system), facts);
    const auto libraries = existing(preset_places::libraries(facts.system), facts);
    const std::vector<grant> own = std::exchange(*d.files, added_up({{&read, of_read},
                                                                     {&write, of_write},
                                                                     {&exec.roots, of_exec},
                                                                     {&exec.files, of_exec},
                                                                     {&system, of_read},
                                                                     {&libraries, of_read | of_exec}}));
    keep_credentials(*d.files, own, facts);
  }
  if (!d.network || !d.network->allowed.view().empty()) d.level = level::network;
  return d;
}

} // namespace cordon::format
