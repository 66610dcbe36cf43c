// SPDX-License-Identifier: BSL-1.0
/// Requests to stop, from any thread. As std::stop_source, std::stop_token and std::stop_callback, which the C++ library
/// of macOS does not have.
#pragma once

#include "../format/callback.hpp"

#include <utility>

namespace cordon {

namespace detail {

struct stop_state;

/// Owns the state of one request together with its copies, as std::shared_ptr does.
class stop_owner {
public:
  stop_owner() = default;
  explicit stop_owner(stop_state* state) noexcept : state_(state) {} ///< the first owner
  [[gnu::abi_tag("abi_0")]] stop_owner(const stop_owner& other) noexcept;
  stop_owner(stop_owner&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  stop_owner& operator=(stop_owner other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  [[gnu::abi_tag("abi_0")]] ~stop_owner();

  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  [[nodiscard]] stop_state* operator->() const noexcept { return state_; }

private:
  stop_state* state_ = nullptr;
};

} // namespace detail

/// What a run looks at. Copies share one request; a default-constructed token never has one.
class run_stop_token {
public:
  run_stop_token() = default;
  [[nodiscard]] bool stop_possible() const { return static_cast<bool>(state_); } ///< Can a stop be requested?
  [[nodiscard, gnu::abi_tag("abi_0")]] bool stop_requested() const; ///< Has a stop been requested? For any thread.

private:
  friend class run_stop_source;
  friend class run_stop_callback;
  detail::stop_owner state_{};
};

/// Makes the request. Copies share one request.
class run_stop_source {
public:
  [[gnu::abi_tag("abi_0")]] run_stop_source();
  /// Calls the functions of all `run_stop_callback` objects. A second request does nothing.
  void request_stop() const;
  [[nodiscard]] bool stop_requested() const;      ///< Has a stop been requested? For any thread.
  [[nodiscard]] run_stop_token get_token() const; ///< A token of this source.

private:
  detail::stop_owner state_;
};

/// Calls a function once: in the thread that requests the stop, or at once if stop has been requested. The function must
/// not throw, nor destroy this object. Destruction waits for the end of a call in another thread.
class run_stop_callback {
public:
  /// Registers the call with the token.
  [[gnu::abi_tag("abi_0")]] run_stop_callback(const run_stop_token& token, callback<void()> call);
  ~run_stop_callback();
  run_stop_callback(const run_stop_callback&) = delete;
  run_stop_callback& operator=(const run_stop_callback&) = delete;

private:
  friend class run_stop_source;
  detail::stop_owner state_;
  callback<void()> call_;
};

} // namespace cordon
