// SPDX-License-Identifier: BSL-1.0
/// Spawns a confined child with Boost.Process v2: its initializers and process object, cordon's launch.
///
///     auto child = cordon::spawn(context, prepared, "/usr/bin/make", {"-j4"}, process_start_dir("/srv/app"));
///
/// Order in the child: the initializers as listed, then the confinement, then the program. Initializers run in the
/// parent's memory while the calling thread is suspended (vfork). So an initializer may allocate or lock, and the
/// parent sees what it writes. Asio gets no fork notification, because no process that uses its objects is forked.
#pragma once

#include "initializer.hpp"
#include "launch.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/process/v2/posix/bind_fd.hpp>
#include <boost/process/v2/process.hpp>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>

namespace cordon {

/// A prepared policy. `environment()` is the environment that it leaves, in the form of execve(2); null: the caller's,
/// unchanged.
template <class T>
concept prepared_policy = requires(const T& p) {
  { p.confinement() } -> std::convertible_to<const linux_shim::confinement&>;
  { p.environment() } -> std::convertible_to<const char* const*>;
};

namespace detail {

/// The launcher that initializers get. It derives from the default launcher, for whose type they are written.
class confined_launcher : public v2::posix::default_launcher {
public:
  /// Returns: the child; on failure no process, with `ec` and `failed_at` set. Rethrows exceptions of hooks in the
  /// parent.
  template <class Executor, class... Inits>
  v2::basic_process<Executor> start(Executor executor, v2::error_code& ec, const linux_shim::confinement& how,
                                    const char* const* environment, const v2::filesystem::path& exe, auto&& args,
                                    const std::tuple<Inits&...>& inits) {
    ec.clear();
    if (has_nul(exe.native()) ||
        std::any_of(std::begin(args), std::end(args), [](const auto& a) { return has_nul(a); })) {
      failed_at = "arguments";
      ec.assign(EINVAL, v2::system_category());
      return v2::basic_process<Executor>(std::move(executor));
    }
    if (environment) this->env = environment;
    argument_vector argv = this->build_argv_(exe, args);
    child_side<Inits...> inside{{*this, exe, argv}, inits, environment, {}};
    auto& now = inside.now;
    failed_at = "on_setup";
    now.ec = inside.set_up();
    if (!now.ec) {
      linux_shim::launched child = inside.launch(how);
      if (child) {
        const not_yet_owned guard{child};
        linux_shim::forget_init(child);
        this->pid = child.pid;
        v2::basic_process<Executor> process(std::move(executor), child.pid, child.pidfd);
        child = {};
        call_all<fork_success_hook>(inits, now);
        call_all<success_hook>(inits, now);
        return process;
      }
      failed_at = linux_shim::name(child.why.at);
      now.ec.assign(child.why.error, v2::system_category());
      if (child.why.at == linux_shim::launch_stage::clone) call_all<fork_error_hook>(inits, now);
      if (child.why.at == linux_shim::launch_stage::exec) call_all<exec_error_hook>(inits, now);
    }
    call_all<error_hook>(inits, now);
    ec = now.ec;
    return v2::basic_process<Executor>(std::move(executor));
  }

  std::string_view failed_at;

private:
  /// Would the kernel cut the text off at a NUL?
  [[nodiscard]] static bool has_nul(const auto& text) {
    if constexpr (requires { text.size(); })
      return std::find(text.data(), text.data() + text.size(), '\0') != text.data() + text.size();
    else return false; // ends at its NUL
  }

  /// Kills the child if the process object cannot be created.
  struct not_yet_owned {
    linux_shim::launched& child;
    ~not_yet_owned() {
      if (child) linux_shim::bring_down(child);
    }
  };

  /// Data that the parent prepares and the child uses.
  template <class... Inits> struct child_side {
    occasion<confined_launcher> now;
    const std::tuple<Inits&...>& inits;
    const char* const* environment;
    linux_shim::command what;

    v2::error_code set_up() {
      v2::error_code ec;
      std::apply([&](auto&... init) { static_cast<void>((!(ec = set_up_one(init)) && ...)); }, inits);
      return ec;
    }

    linux_shim::launched launch(const linux_shim::confinement& how) {
      what.path = now.exe.c_str();
      what.hook = [](void* self) noexcept { return static_cast<child_side*>(self)->call_in_child(); };
      what.hook_data = this;
      lay_out();
      return linux_shim::launch(what, how);
    }

  private:
    v2::error_code set_up_one(auto& init) {
      // In Boost 1.81 its on_setup has no return statement.
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(init)>, v2::posix::bind_fd>) {
        now.launcher.fd_whitelist.push_back(init.target);
        return {};
      } else return call_one<setup_hook>(init, now);
    }

    void lay_out() {
      what.argv = const_cast<char* const*>(now.argv);
      what.envp = const_cast<char* const*>(now.launcher.env);
      what.keep = now.launcher.fd_whitelist; // the launch skips 0, 1 and 2
    }

    /// Returns: 0 or errno. Exceptions must not reach the parent's stack frames.
    int call_in_child() noexcept {
      try {
        if (const auto ec = call_until_error<exec_setup_hook>(inits, now)) return number_of(ec);
      } catch (...) { return ENOTRECOVERABLE; }
      // If the policy sets an environment, an initializer must not replace it, in the parent or here.
      if (environment && now.launcher.env != environment) return EPERM;
      lay_out();
      return 0;
    }
  };

  /// The errno equivalent of the returned code, independent of errno itself.
  static int number_of(const v2::error_code& ec) {
    const auto& errnos = boost::system::generic_category();
    if (ec.category() == v2::system_category() || ec.category() == errnos) return ec.value();
    const auto condition = ec.default_error_condition();
    return condition.category() == errnos ? condition.value() : EPROTO;
  }
};

template <class T>
concept context_type = std::is_convertible_v<T&, boost::asio::execution_context&>;
template <class T>
concept executor_type = boost::asio::execution::is_executor<T>::value || boost::asio::is_executor<T>::value;

template <class Executor, class... Inits>
auto spawn(Executor executor, v2::error_code& ec, std::string_view* failed_at, const auto& prepared,
           const v2::filesystem::path& exe, auto&& args, Inits&... inits) {
  static_assert((all_hooks::any<Inits, confined_launcher> && ...),
                "an argument of spawn has no hook that it could call: is the name of the hook misspelt?");
  static_assert((all_hooks::none_lost<Inits, confined_launcher> && ...),
                "an initializer has a hook that spawn cannot call: is the object const, or are the parameters, the "
                "result or the access of the hook others than Boost.Process gives it?");
  confined_launcher launcher;
  auto child = launcher.start(std::move(executor), ec, prepared.confinement(), prepared.environment(), exe, args,
                              std::tuple<Inits&...>(inits...));
  if (failed_at) *failed_at = launcher.failed_at;
  return child;
}

template <class Executor>
auto spawn_or_throw(Executor executor, const auto& prepared, const v2::filesystem::path& exe, auto&& args,
                    auto&... inits) {
  v2::error_code ec;
  std::string_view at;
  auto child = detail::spawn(std::move(executor), ec, &at, prepared, exe, args, inits...);
  if (ec) throw v2::system_error(ec, "cordon::spawn: " + std::string(at) + ": " + exe.string());
  return child;
}

} // namespace detail

/// Can this object, const or not as given, be passed to `spawn`?
template <class Init>
concept spawn_initializer = detail::initializer<Init, detail::confined_launcher>;

/// Starts the program under the policy. Throws: boost::system::system_error with the errno, and the failed stage in its
/// text; then no child exists. `exe` is a path; a relative one starts at the child's directory. `args` does not contain
/// the program's name. As in Boost.Process, the process object kills the child on destruction, unless detached.
template <detail::executor_type Executor, prepared_policy Prepared,
          class Args = std::initializer_list<boost::process::v2::string_view>, class... Inits>
[[nodiscard]] auto spawn(Executor executor, const Prepared& prepared, const boost::process::v2::filesystem::path& exe,
                         Args&& args, Inits&&... inits) {
  return detail::spawn_or_throw(std::move(executor), prepared, exe, args, inits...);
}

/// The same with the executor of a context.
template <detail::context_type Context, prepared_policy Prepared,
          class Args = std::initializer_list<boost::process::v2::string_view>, class... Inits>
[[nodiscard]] auto spawn(Context& context, const Prepared& prepared, const boost::process::v2::filesystem::path& exe,
                         Args&& args, Inits&&... inits) {
  return detail::spawn_or_throw(context.get_executor(), prepared, exe, args, inits...);
}

/// The same with the errno in `ec`, which is cleared on success.
template <detail::executor_type Executor, prepared_policy Prepared,
          class Args = std::initializer_list<boost::process::v2::string_view>, class... Inits>
[[nodiscard]] auto spawn(Executor executor, boost::system::error_code& ec, const Prepared& prepared,
                         const boost::process::v2::filesystem::path& exe, Args&& args, Inits&&... inits) {
  return detail::spawn(std::move(executor), ec, nullptr, prepared, exe, args, inits...);
}

/// The same with the executor of a context, and the errno in `ec`.
template <detail::context_type Context, prepared_policy Prepared,
          class Args = std::initializer_list<boost::process::v2::string_view>, class... Inits>
[[nodiscard]] auto spawn(Context& context, boost::system::error_code& ec, const Prepared& prepared,
                         const boost::process::v2::filesystem::path& exe, Args&& args, Inits&&... inits) {
  return detail::spawn(context.get_executor(), ec, nullptr, prepared, exe, args, inits...);
}

} // namespace cordon
