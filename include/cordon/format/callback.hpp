// SPDX-License-Identifier: BSL-1.0
/// A copyable function object. `<functional>` would take every consumer longer to compile than the policy.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace cordon {

template <class Signature> class callback;

/// Holds any copyable callable, as std::function does; empty if it was made from nothing or from a null pointer or an
/// empty std::function. An empty one must not be called.
template <class R, class... Arguments> class callback<R(Arguments...)> {
public:
  callback() = default;
  callback(std::nullptr_t) {} ///< An empty one.
  /// Holds a copy of the callable.
  template <class F>
  requires(!std::is_same_v<std::decay_t<F>, callback> && std::is_invocable_r_v<R, std::decay_t<F>&, Arguments...>)
      callback(F&& call) { // NOLINT(bugprone-forwarding-reference-overload): not for a callback, by its constraint
    if constexpr (!std::is_function_v<std::remove_reference_t<F>> && requires { call == nullptr; })
      if (call == nullptr) return;
    held_ = new holder<std::decay_t<F>>(std::forward<F>(call));
  }
  /// Copies the callable too.
  callback(const callback& other) : held_(other.held_ == nullptr ? nullptr : other.held_->copy()) {}
  callback(callback&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {} ///< Leaves `other` empty.
  /// Exchanges the callables.
  callback& operator=(callback other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~callback() { delete held_; }

  [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; } ///< Does it hold a callable?
  /// Calls it. Throws: what it throws.
  R operator()(Arguments... arguments) const { return held_->call(std::forward<Arguments>(arguments)...); }

private:
  struct any_holder {
    virtual ~any_holder() = default;
    [[nodiscard]] virtual any_holder* copy() const = 0;
    virtual R call(Arguments&&... arguments) = 0;
  };
  template <class F> struct holder final : any_holder {
    explicit holder(const F& call) : held(call) {}
    explicit holder(F&& call) : held(std::move(call)) {}
    [[nodiscard]] any_holder* copy() const override { return new holder(held); }
    R call(Arguments&&... arguments) override {
      if constexpr (std::is_void_v<R>) static_cast<void>(held(std::forward<Arguments>(arguments)...));
      else return held(std::forward<Arguments>(arguments)...);
    }
    F held;
  };

  any_holder* held_ = nullptr;
};

} // namespace cordon
