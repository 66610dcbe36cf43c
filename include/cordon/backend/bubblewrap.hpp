// SPDX-License-Identifier: BSL-1.0
/// Bubblewrap: a policy as arguments of bwrap(1), in the syntax of version 0.8. The view is that of `namespaces`,
/// except that bwrap has no noexec bind. Environment variables are never arguments: bwrap passes its own environment
/// on, and every user of the host can see arguments.
#pragma once

#include "../gap/plan.hpp"
#include "../query/query.hpp"
#include "bubblewrap/gap_types.hpp"
#include "bubblewrap/shell_word.hpp"

#include <span>

namespace cordon::bubblewrap {

inline constexpr std::string_view backend_name = "bubblewrap"; ///< the name on the command line, and in IDs of gaps

/// bwrap refuses more arguments, including those that it reads with --args (MAX_ARGS, bubblewrap.c).
inline constexpr std::size_t most_arguments = 9000;

/// What the rules are compiled for.
struct target {
  int seccomp = -1;       ///< the file descriptor from which bwrap reads a filter; -1: no filter
  bool merged_usr = true; ///< /bin, /lib and similar are symbolic links into /usr
  std::uint64_t private_bytes = std::uint64_t{1}
                                << 30; ///< size limit of /tmp, /run and /dev/shm, each; 0: half of memory
  /// bwrap starts cordon's init process, which reaps, leaves the session, and exits with the process that launched
  /// bwrap.
  bool first_process = false;
};

/// The rules: the mounts of the view, and whether the network is private.
template <class S> struct rules : mounts::isolation_rules<S> {
  bool share_net = false; ///< the program keeps the host's network
  target made_for{};      ///< the target that the rules are compiled for

  /// Calls `f(loosen)` for each rule that is no list. `loosen()` drops that rule: a proof must notice.
  template <class F> constexpr void each_switch(F&& f) {
    if (share_net) f([&] { share_net = false; });
    if (this->nests) f([&] { this->nests = false; });
  }
};

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = bubblewrap::target;                     ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return bubblewrap::gap_types; }
  static constexpr ability abilities[]{ability::namespaces}; ///< abilities that the rules distinguish
  /// Targets whose rules differ.
  static constexpr named_target<bubblewrap::target> targets[]{{"0.8", {}}, {"0.8-filtered", {.seccomp = 3}}};
};

/// The same as `compile`, into the parts of an empty plan.
template <class S> constexpr void compile_to(const basic_policy<S>& p, const target& t, plan_parts<rules<S>> made) {
  made.rules.made_for = t;
  made.rules.share_net = allows(p, process_feature::any_host);
  mounts::compile_isolation(p, isolation_gaps, false, made);
  for (const entry e : p.files())
    if (is_grantable_device(e.place) && rights::from_bits(e.value).has(right::read) &&
        !made.gaps.add(gaps::device, e.place))
      made.error = {diagnostic_code::policy_too_large};
}

/// Compiles files and network. O(n log n) in the grants and in the path components above paths inside writable ones.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  compile_to(p, t, made.parts());
  return made;
}

using mounts::permits;
/// May a process under the rules do this?
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  return which == process_feature::spawn || which == process_feature::own_sockets || r.share_net;
}

/// What `look` found at a path. With a descriptor (O_PATH), bwrap binds that inode, whatever the path refers to by
/// then.
struct found {
  mounts::file_type what = mounts::file_type::unknown; ///< the type of the file at a path
  int descriptor = -1;                                 ///< an open descriptor of it for bwrap; -1: none
};

namespace detail {

/// The bwrap option for a mount of the view.
enum class form : std::uint8_t { nothing, bind, bind_if_there, make_and_bind, mask_file, mask_directory };

/// A restriction inside a writable mount is never skipped: bwrap refuses to start if the path does not exist. If the
/// path is known to be absent, a mask takes its name, so that nothing can be created there; bwrap creates the mount
/// point.
[[nodiscard]] constexpr form form_of(mounts::list all, std::uint32_t i, mounts::file_type there) {
  const mounts::mount m = mounts::at(all, i);
  const mounts::mount_access k = m.as(there), above = mounts::access_around(all, i);
  const bool absent = there == mounts::file_type::absent, less = is_writable(above) && !is_writable(k);
  if (!mounts::is_made(all, i, k)) return form::nothing;
  if (!is_visible(above)) return is_visible(k) && !absent && !m.bind_to_itself ? form::bind_if_there : form::nothing;
  if (m.bind_to_itself) return absent ? form::make_and_bind : form::bind;
  if (absent) return less ? form::mask_directory : form::nothing;
  if (is_visible(k)) return less ? form::bind : form::bind_if_there;
  return there == mounts::file_type::file || there == mounts::file_type::socket ? form::mask_file
                                                                                : form::mask_directory;
}

template <class F> class argument_writer {
public:
  constexpr explicit argument_writer(F& f) : f_(f) {}

  template <class... Words> constexpr void say(const Words&... words) { (f_(std::string_view(words)), ...); }

  constexpr void number(std::uint64_t n) {
    char digits[20]{};
    std::size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    say(std::string_view(digits + at, sizeof digits - at));
  }

  /// A private tmpfs that every process in the view may write.
  constexpr void memory(std::string_view place, std::uint64_t bytes) {
    say("--perms", "1777");
    if (bytes != 0) say("--size"), number(bytes);
    say("--tmpfs", place);
  }

  /// Creates the directories above a path if the view shows nothing of the host around it. bwrap would create them with
  /// mode 0755.
  constexpr void way_to(mounts::list all, std::uint32_t i) {
    mounts::each_on_the_way(all, i, [&](std::string_view dir) {
      if (!path::covers(dir, last_)) say("--perms", "0111", "--dir", dir);
    });
    last_ = all.place(i);
  }

  constexpr void mount(mounts::list all, std::uint32_t i, found here) {
    const std::string_view place = all.place(i);
    const bool writable = is_writable(mounts::at(all, i).as(here.what));
    const form how = form_of(all, i, here.what);
    switch (how) {
    case form::nothing: return;
    case form::mask_file: return say("--ro-bind", "/dev/null", place);
    case form::mask_directory: return say("--perms", "0111", "--tmpfs", place);
    case form::make_and_bind: return say("--dir", place, "--bind-try", place, place);
    case form::bind:
    case form::bind_if_there: break;
    }
    if (!is_visible(mounts::access_around(all, i))) way_to(all, i);
    if (is_grantable_device(place)) return say("--dev-bind", place, place);
    if (here.descriptor >= 0) {
      say(writable ? "--bind-fd" : "--ro-bind-fd");
      number(static_cast<std::uint64_t>(here.descriptor));
      return say(place);
    }
    if (how == form::bind) return say(writable ? "--bind" : "--ro-bind", place, place);
    say(writable ? "--bind-try" : "--ro-bind-try", place, place);
  }

private:
  F& f_;
  std::string_view last_;
};

} // namespace detail

/// Calls `f(argument)` for each argument of bwrap up to the `--` before the program; an argument lives until f returns.
/// `look(place)` returns what is at a path; each of two calls must return the same. The arguments are for argv, or
/// separated by NUL for --args, which keeps them out of the process list. A file is masked by /dev/null, which bwrap's
/// nodev prevents from being opened. A directory is masked by a tmpfs that can be traversed but not listed. `more(say)`
/// adds arguments after all mounts and before the read-only remounts. O(n), without the links.
template <class S, class Look, class F, class More>
constexpr void each_argument(const rules<S>& r, Look&& look, F&& f, More&& more) {
  detail::argument_writer<F> to(f);
  const mounts::list all = mounts::view(r.mounts);
  const mounts::mount_access root = mounts::access_at(all, "/");
  const bool whole = is_visible(root);
  // --unshare-all only tries to create a user namespace, and --disable-userns requires one (bwrap 0.8).
  to.say("--unshare-all", "--unshare-user");
  if (!r.nests) to.say("--disable-userns");
  if (r.share_net) to.say("--share-net");
  if (r.made_for.first_process) to.say("--as-pid-1");
  else to.say("--die-with-parent", "--new-session");
  to.say("--cap-drop", "ALL");
  if (r.made_for.seccomp >= 0) to.say("--seccomp"), to.number(static_cast<std::uint64_t>(r.made_for.seccomp));
  if (whole) to.say(is_writable(root) ? "--bind" : "--ro-bind", "/", "/");
  else to.say("--chmod", "0111", "/");
  to.say("--proc", "/proc");
  for (const std::string_view place : mounts::guarded) to.say("--ro-bind-try", place, place);
  to.say("--dev", "/dev");
  to.memory(mounts::own_shared_memory, r.made_for.private_bytes);
  to.say("--mqueue", mounts::own_queues);
  const auto mount = [&](bool devices) {
    for (std::uint32_t i = whole ? 1 : 0; i < all.size(); ++i)
      if (is_grantable_device(all.place(i)) == devices) to.mount(all, i, look(all.place(i)));
  };
  mount(true);
  to.say("--remount-ro", "/dev");
  for (const std::string_view own : mounts::own_directories)
    if (mounts::has_own(all, own)) to.memory(own, r.made_for.private_bytes);
  for (const mounts::link& l : mounts::usr_links)
    if (r.made_for.merged_usr && mounts::wants(all, l)) to.say("--symlink", l.from_root, l.place);
  mount(false);
  more([&](auto... words) { to.say(words...); });
  for (std::uint32_t i = whole ? 1 : 0; i < all.size(); ++i)
    if (detail::form_of(all, i, look(all.place(i)).what) == detail::form::mask_directory)
      to.say("--remount-ro", all.place(i));
  if (!whole) to.say("--remount-ro", "/");
  to.say("--");
}

/// Calls `f(text)` for each argument of bwrap, up to the program. `look(place)` returns a `found`. O(n + components).
template <class S, class Look, class F> constexpr void each_argument(const rules<S>& r, Look&& look, F&& f) {
  each_argument(r, static_cast<Look&&>(look), static_cast<F&&>(f), [](auto&&) {});
}

/// The same without `look`: assumes that each path is an existing directory.
template <class S, class F> constexpr void each_argument(const rules<S>& r, F&& f) {
  each_argument(
      r, [](std::string_view) { return found{}; }, static_cast<F&&>(f));
}

/// Writes the command line for a POSIX shell in printable text, one option a line; the caller appends the program.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  bool is_printable = true;
  each_argument(r, [&](std::string_view word) { is_printable = is_printable && utf8::is_printable(word); });
  if (!is_printable) out(newline_setting);
  out("bwrap");
  bool joins = false; // --perms and --size modify the next option
  each_argument(r, [&](std::string_view word) {
    const bool option = word.substr(0, 2) == "--";
    out(option && !joins ? " \\\n  " : " ");
    if (option) joins = word == "--perms" || word == "--size";
    shell_word(word, out);
  });
  out("\n");
}

} // namespace cordon::bubblewrap
