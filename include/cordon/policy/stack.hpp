// SPDX-License-Identifier: BSL-1.0
/// A stack of ceilings. A host whose tools call further tools pushes a policy for each call. A pushed policy can only
/// narrow the one below it.
#pragma once

#include "heap.hpp"

#include <deque>
#include <utility>

namespace cordon {

/// A stack of policies, each within the one below. A stack belongs to one task. Another thread needs a separate stack
/// that starts with the current policy, `policy_stack other(here.top())`, so that no thread runs without a ceiling.
class policy_stack {
public:
  /// A stack whose lowest policy is `bottom`.
  explicit policy_stack(loaded_policy bottom) { policies_.push_back(std::move(bottom)); }
  policy_stack(const policy_stack&) = delete;
  policy_stack& operator=(const policy_stack&) = delete;

  /// The current policy.
  [[nodiscard]] const loaded_policy& top() const& { return policies_.back(); }
  void top() const&& = delete;
  [[nodiscard]] std::size_t depth() const { return policies_.size(); } ///< The number of policies.

  /// Owns one pushed policy and pops it on destruction. Scopes must end in reverse order of construction.
  class [[nodiscard]] scope {
  public:
    /// Leaves `other` without a policy to drop.
    scope(scope&& other) noexcept : stack_(std::exchange(other.stack_, nullptr)), depth_(other.depth_) {}
    scope& operator=(scope&&) = delete;
    ~scope() {
      if (stack_ == nullptr) return;
      // If scopes ended out of order, this would pop a policy that is still in use.
      if (stack_->policies_.size() != depth_)
        detail::stop("a scope of policy_stack ends too early: a scope that began later is still active; end scopes in "
                     "reverse order");
      stack_->policies_.pop_back();
    }

  private:
    friend class policy_stack;
    explicit scope(policy_stack& s) : stack_(&s), depth_(s.policies_.size()) {}
    policy_stack* stack_;
    std::size_t depth_;
  };

  /// Narrows the current policy to what `p` allows too, until the returned scope ends. O(n + m).
  scope push(const loaded_policy& p) {
    policies_.push_back(top() & p);
    return scope(*this);
  }

  /// Makes the current call stricter. False, with nothing changed, if that profile is looser than the current one.
  [[nodiscard]] bool tighten(profile p) {
    if (!within(p, top().profile)) return false;
    policies_.back().profile = p;
    return true;
  }
  /// Sets the fallback of the top policy. Returns: false, and changes nothing, if that would loosen it.
  [[nodiscard]] bool tighten(fallback f) {
    if (!within(f, top().fallback)) return false;
    policies_.back().fallback = f;
    return true;
  }

private:
  std::deque<loaded_policy> policies_; // references to `top()` stay valid while scopes above begin and end
};

} // namespace cordon
