// SPDX-License-Identifier: BSL-1.0
/// A stack of ceilings. A host whose tools call further tools pushes a policy for each call. A pushed policy can only
/// narrow the one below it.
#pragma once

#include "heap.hpp"

#include <cstdlib>
#include <deque>
#include <utility>

namespace cordon {

/// A stack of policies, each within the one below. A stack belongs to one task. Another thread needs a separate stack
/// that starts with the current policy, `policy_stack other(here.top())`, so that no thread runs without a ceiling.
class policy_stack {
public:
  explicit policy_stack(loaded_policy bottom) { policies_.push_back(std::move(bottom)); }
  policy_stack(const policy_stack&) = delete;
  policy_stack& operator=(const policy_stack&) = delete;

  /// The current policy.
  [[nodiscard]] const loaded_policy& top() const { return policies_.back(); }
  [[nodiscard]] std::size_t depth() const { return policies_.size(); }

  /// Owns one pushed policy and pops it on destruction. Scopes must end in reverse order of construction.
  class [[nodiscard]] gap_extent {
  public:
    gap_extent(gap_extent&& other) noexcept : stack_(std::exchange(other.stack_, nullptr)), depth_(other.depth_) {}
    gap_extent& operator=(gap_extent&&) = delete;
    ~gap_extent() {
      if (stack_ == nullptr) return;
      // If scopes ended out of order, this would pop a policy that is still in use.
      if (stack_->policies_.size() != depth_) std::abort();
      stack_->policies_.pop_back();
    }

  private:
    friend class policy_stack;
    explicit gap_extent(policy_stack& s) : stack_(&s), depth_(s.policies_.size()) {}
    policy_stack* stack_;
    std::size_t depth_;
  };

  /// Narrows the current policy to what `p` allows too, until the returned scope ends. O(n + m).
  gap_extent push(const loaded_policy& p) {
    policies_.push_back(top() & p);
    return gap_extent(*this);
  }

  /// Makes the current call stricter. False, with nothing changed, if that profile is looser than the current one.
  [[nodiscard]] bool tighten(profile p) {
    if (!within(p, top().profile)) return false;
    policies_.back().profile = p;
    return true;
  }
  [[nodiscard]] bool tighten(fallback f) {
    if (!within(f, top().fallback)) return false;
    policies_.back().fallback = f;
    return true;
  }

private:
  std::deque<loaded_policy> policies_; // references to `top()` stay valid while scopes above begin and end
};

} // namespace cordon
