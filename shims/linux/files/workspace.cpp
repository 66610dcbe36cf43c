// SPDX-License-Identifier: BSL-1.0
#include "workspace.hpp"

#include <cordon/policy/preset.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] std::string act_of(wanted_right r) { return r ? std::string(name(*r)) : "looking"; }

/// Returns: the reason of a refusal in words.
[[nodiscard]] std::string words(const verdict& v) {
  if (v.ruling == ruling::malformed) return "a policy cannot grant such a name";
  if (v.axis == axis::level) return "level " + std::string(v.clause.place) + " does not reach that far";
  if (v.axis == axis::capabilities) return "the policy does not grant the capability " + std::string(v.clause.place);
  if (v.clause.place.empty()) return "it lies outside the workspace";
  std::string list;
  for_each(rights::from_bits(v.clause.value), [&](right r) { (list += list.empty() ? "" : ", ") += name(r); });
  return "the workspace allows " + (list.empty() ? "nothing" : list) + " at " + std::string(v.clause.place);
}

/// Opens the topmost paths; in a step function all of these have rights. Paths beneath are resolved through them.
[[nodiscard]] std::vector<pinned> pin(const loaded_policy& p) {
  std::vector<pinned> to;
  const auto places = p.workspace();
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const std::string place(places.place(i));
    if (place == run_temp || (!to.empty() && path::covers(to.back().place, place))) continue;
    descriptor fd = open_resolved(place);
    if (!fd) throw refused::because<reasons::path_not_opened>(place, std::strerror(errno));
    if (::access(descriptor_path(fd.get()).c_str(), F_OK) != 0) throw refused::because<reasons::no_workspace_proc>();
    to.push_back({place, std::move(fd)});
  }
  return to;
}

/// Returns: the policy, with the whole file system as workspace if its profile checks no path.
[[nodiscard]] loaded_policy effective(const loaded_policy& p) {
  if (p.profile != profile::unrestricted) return p;
  loaded_policy to;
  to.plain() = p.plain();
  (void)to.write<axis_id::capabilities>([all = p.capabilities()](auto& out) {
    for (const entry& each : all) out.add(each);
  });
  (void)to.write_any<axis_id::workspace>();
  return to;
}

} // namespace

void fail(int error, std::string place, wanted_right r) {
  std::string text = act_of(r) + " at " + place;
  throw workspace_files::file_error({{error, std::generic_category()}, false, std::move(place), r, std::move(text)});
}

void refuse(std::string place, wanted_right r, const std::string& why) {
  std::string text = act_of(r) + " at " + place + " is refused: " + why;
  throw workspace_files::file_error(
      {std::make_error_code(std::errc::permission_denied), true, std::move(place), r, std::move(text)});
}

void refuse(std::string place, wanted_right r, const verdict& v) { refuse(std::move(place), r, words(v)); }

workspace::workspace(const loaded_policy& p, bool ask_kernel)
    : policy_(effective(p)), places_(pin(policy_), ask_kernel) {}

void workspace::judge(wanted_right r, const std::string& place) const {
  const auto ask = [&](std::string_view where) {
    const verdict v = r ? host_tool_may(policy_, *r, where) : may_look(policy_, where);
    if (!v.allowed()) refuse(place, r, v);
  };
  ask(place);
  // The kernel appends this to the name of a removed file, d_path() in fs/d_path.c.
  constexpr std::string_view gone = " (deleted)";
  if (place.ends_with(gone)) ask(std::string_view(place).substr(0, place.size() - gone.size()));
}

void workspace::judge_stopped(const stopped& s, wanted_right r) const {
  switch (s.why) {
  case stopped::reason::nowhere: return;
  case stopped::reason::outside: refuse(s.place, r, "it lies outside the workspace");
  case stopped::reason::magic: refuse(s.place, r, "a symbolic link to an open file (magic link) is not followed");
  case stopped::reason::top: refuse(s.place, r, "it is the top of what the workspace grants");
  case stopped::reason::system: break;
  }
  if (s.error == EINVAL) fail(s.error, s.place, r);
  judge(r, s.place); // does not disclose whether a hidden path exists or what it contains
}

void workspace::judge_reached(const reached& there, wanted_right r) const {
  judge(r, there.place);
  if (S_ISDIR(there.facts.st_mode) || there.facts.st_nlink < 2) return;
  // A hard link gives a hidden or read-only file a second name. The more restricted path decides.
  const auto places = policy_.workspace();
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const std::uint32_t value = places[i].value;
    if (r ? rights::from_bits(value).has(*r) : value != 0) continue;
    reached other;
    if (!places_.find(places.place(i), false, other) && other.facts.st_dev == there.facts.st_dev &&
        other.facts.st_ino == there.facts.st_ino)
      refuse(there.place, r, "it is another name of " + other.place);
  }
}

std::optional<reached> workspace::find_if_any(std::string_view place, wanted_right r, bool follow_last) const {
  reached there;
  if (const stopped s = places_.find(place, follow_last, there)) {
    judge_stopped(s, r);
    if (s.error == ENOENT || s.error == ENOTDIR) return {};
    fail(s.error, s.place, r);
  }
  judge_reached(there, r);
  return there;
}

reached workspace::find(std::string_view place, wanted_right r, bool follow_last) const {
  reached there;
  if (const stopped s = places_.find(place, follow_last, there)) {
    judge_stopped(s, r);
    fail(s.error, s.place, r);
  }
  judge_reached(there, r);
  return there;
}

entry_of workspace::find_entry(std::string_view place, right r) const {
  entry_of e;
  if (const stopped s = places_.find_holder(place, e.holder, e.name)) {
    judge_stopped(s, r);
    fail(s.error, s.place, r);
  }
  e.place = joined(e.holder.place, e.name);
  judge(r, e.place);
  return e;
}

std::optional<reached> workspace::inode_of(const entry_of& e, right r) const {
  reached there{descriptor(::openat(e.holder.inode.get(), e.name.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW)),
                e.place,
                {},
                e.holder.from};
  if (!there.inode && errno == ENOENT) return {};
  if (!there.inode || ::fstat(there.inode.get(), &there.facts) != 0) fail(errno, e.place, r);
  if (!path_resolver::locate(there)) refuse(e.place, r, "it lies outside the workspace");
  judge(r, there.place);
  return there;
}

bool workspace::any_at(std::string_view place) const {
  reached there;
  return !places_.find(place, false, there);
}

workspace_files::file open_again(const reached& there, int flags, wanted_right r) {
  workspace_files::file to(
      ::open(descriptor_path(there.inode.get()).c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat st {};
  if (!to || ::fstat(to.native_handle(), &st) != 0) fail(errno, there.place, r);
  // A file system mounted over /proc by another process would lead to another file.
  if (st.st_dev != there.facts.st_dev || st.st_ino != there.facts.st_ino) fail(ESTALE, there.place, r);
  // O_NONBLOCK is only for the open (fifos, leases); it has no effect on regular files and directories afterwards.
  if (S_ISREG(st.st_mode) && ::fcntl(to.native_handle(), F_SETFL, flags & O_APPEND) != 0) fail(errno, there.place, r);
  return to;
}

} // namespace cordon::linux_shim
