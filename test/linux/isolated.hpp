// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "viewing.hpp"

#include "../../shims/linux/isolation/planned_isolation.hpp"
#include <cordon/linux/prepare.hpp>

#include <memory>

namespace launching {

using namespace cordon;

/// What a launch gets beside paths.
struct more {
  bool loopback = false, own = false;
  cordon::abilities abilities{};
  enclosure by = enclosure::namespaces;
};

/// For tests that hold for every maker of the namespaces: runs the test once for each.
inline enclosure either() {
  enclosure by = enclosure::namespaces;
  SUBCASE("namespaces made by cordon") {}
  SUBCASE("namespaces made by bwrap") { by = enclosure::bubblewrap; }
  return by;
}

/// A launch of a shell script in the view of some paths and of those that a shell needs.
class isolated {
public:
  explicit isolated(viewing::grants places, more also = {}) {
    for (const char* system : {"/usr", "/etc", "/lib", "/lib64", "/bin"})
      if (viewing::is_there(system) && !std::filesystem::is_symlink(system)) places.push_back({system, verb::run});
    format::document d;
    d.files = std::move(places);
    d.presets.emplace();
    d.level = also.loopback ? level::network : level::process_exec;
    d.network.emplace();
    d.sockets.emplace().loopback = also.loopback;
    d.sockets->own = also.own;
    d.abilities = also.abilities | ability::spawn;
    try {
      ready = prepare(resolve(format::lower_lexically(d, {})), {.by = also.by});
    } catch (const refused& why) {
      if (also.by != enclosure::bubblewrap || std::string_view(why.what()) != "bwrap is not installed") throw;
      missing_ = why.what();
    }
    how = ready.confinement();
  }

  ended sh(const std::string& script) { return start(what(script), how); }
  /// Are user namespaces unavailable here? Then also reports a skip.
  [[nodiscard]] bool is_missing() {
    if (!missing_.empty()) return skip(missing_), true;
    const ended e = sh("true");
    using enum linux_shim::launch_stage;
    const bool missing =
        e.code != 0 && (e.why.at == clone || e.why.at == ids || e.why.at == bubblewrap || e.why.error == EPERM);
    if (missing) skip("no user namespace can be made here " + std::string(e.why.words.data()));
    return missing;
  }
  [[nodiscard]] const prepared_command& what(const std::string& script) {
    script_ = script;
    words_ = std::make_unique<prepared_command>("/bin/sh", std::initializer_list<const char*>{"-c", script_.c_str()});
    static char path[] = "PATH=/usr/bin:/bin", *environment[]{path, nullptr};
    words_->envp = environment;
    return *words_;
  }

  prepared ready;
  confinement how;

private:
  std::string missing_, script_;
  std::unique_ptr<prepared_command> words_;
};

} // namespace launching
