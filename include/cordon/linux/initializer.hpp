// SPDX-License-Identifier: BSL-1.0
/// The objects that `spawn` accepts beside the program: initializers of Boost.Process v2. Boost.Process silently skips
/// a hook that cannot be called: a misspelt name, a parameter of another type, a const object. Here it does not
/// compile.
#pragma once

#include <boost/process/v2/posix/default_launcher.hpp>

#include <concepts>
#include <tuple>
#include <type_traits>

namespace cordon::detail {

namespace v2 = boost::process::v2;
using argument_vector = const char* const*;

/// The arguments of every hook; `ec` only for failures.
template <class Launcher> struct occasion {
  Launcher& launcher;
  const v2::filesystem::path& exe;
  argument_vector& argv;
  v2::error_code ec{};
};

// A hook consists of the call, a class with a member of its name, and a test for that name in a class. To find a member
// in any overload or template, a class derives from the tested class and a base with the same name: it is then
// ambiguous.
struct setup_hook {
  struct named {
    int on_setup;
  };
  template <class T> static constexpr bool clear = requires { &T::on_setup; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    { init.on_setup(now.launcher, now.exe, now.argv) } -> std::convertible_to<v2::error_code>;
  }
  { return init.on_setup(now.launcher, now.exe, now.argv); }
};

struct exec_setup_hook {
  struct named {
    int on_exec_setup;
  };
  template <class T> static constexpr bool clear = requires { &T::on_exec_setup; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    { init.on_exec_setup(now.launcher, now.exe, now.argv) } -> std::convertible_to<v2::error_code>;
  }
  { return init.on_exec_setup(now.launcher, now.exe, now.argv); }
};

struct success_hook {
  struct named {
    int on_success;
  };
  template <class T> static constexpr bool clear = requires { &T::on_success; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    init.on_success(now.launcher, now.exe, now.argv);
  }
  { return init.on_success(now.launcher, now.exe, now.argv), v2::error_code(); }
};

struct fork_success_hook {
  struct named {
    int on_fork_success;
  };
  template <class T> static constexpr bool clear = requires { &T::on_fork_success; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    init.on_fork_success(now.launcher, now.exe, now.argv);
  }
  { return init.on_fork_success(now.launcher, now.exe, now.argv), v2::error_code(); }
};

struct error_hook {
  struct named {
    int on_error;
  };
  template <class T> static constexpr bool clear = requires { &T::on_error; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    init.on_error(now.launcher, now.exe, now.argv, now.ec);
  }
  { return init.on_error(now.launcher, now.exe, now.argv, now.ec), v2::error_code(); }
};

struct fork_error_hook {
  struct named {
    int on_fork_error;
  };
  template <class T> static constexpr bool clear = requires { &T::on_fork_error; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    init.on_fork_error(now.launcher, now.exe, now.argv, now.ec);
  }
  { return init.on_fork_error(now.launcher, now.exe, now.argv, now.ec), v2::error_code(); }
};

struct exec_error_hook {
  struct named {
    int on_exec_error;
  };
  template <class T> static constexpr bool clear = requires { &T::on_exec_error; };
  static v2::error_code call(auto& init, auto& now) requires requires {
    init.on_exec_error(now.launcher, now.exe, now.argv, now.ec);
  }
  { return init.on_exec_error(now.launcher, now.exe, now.argv, now.ec), v2::error_code(); }
};

template <class Class, class Named> struct ambiguous : Class, Named {};

/// Does the class have a member of that name, callable or not?
template <class Hook, class Init> consteval bool has_name() {
  using plain = std::remove_cv_t<Init>;
  if constexpr (!std::is_class_v<plain>) return false;
  else if constexpr (std::is_final_v<plain>) return Hook::template clear<plain>;
  else return !Hook::template clear<ambiguous<plain, typename Hook::named>>;
}

/// Can the hook be called on an object of that type? For a const object the type is const.
template <class Hook, class Init, class Launcher>
concept calls = requires(Init& init, occasion<Launcher>& now) {
  Hook::call(init, now);
};

template <class... Hooks> struct hook_list {
  template <class Init, class Launcher> static constexpr bool any = (calls<Hooks, Init, Launcher> || ...);
  template <class Init, class Launcher>
  static constexpr bool none_lost = ((calls<Hooks, Init, Launcher> || !has_name<Hooks, Init>()) && ...);
};

using all_hooks = hook_list<setup_hook, exec_setup_hook, success_hook, fork_success_hook, error_hook, fork_error_hook,
                            exec_error_hook>;

/// An object with at least one hook, whose hooks can all be called.
template <class Init, class Launcher>
concept initializer = all_hooks::any<Init, Launcher> && all_hooks::none_lost<Init, Launcher>;

/// Calls the hook if the object has it.
template <class Hook, class Init, class Launcher> v2::error_code call_one(Init& init, occasion<Launcher>& now) {
  if constexpr (calls<Hook, Init, Launcher>) return Hook::call(init, now);
  else return {};
}

/// Calls the hook on the objects that have it, in order, until one returns an error. Returns: that error.
template <class Hook, class Launcher, class... Inits>
v2::error_code call_until_error(const std::tuple<Inits&...>& inits, occasion<Launcher>& now) {
  v2::error_code ec;
  std::apply([&](auto&... init) { static_cast<void>((!(ec = call_one<Hook>(init, now)) && ...)); }, inits);
  return ec;
}

/// Calls the hook on all objects that have it.
template <class Hook, class Launcher, class... Inits>
void call_all(const std::tuple<Inits&...>& inits, occasion<Launcher>& now) {
  std::apply([&](auto&... init) { static_cast<void>((call_one<Hook>(init, now), ...)); }, inits);
}

} // namespace cordon::detail
