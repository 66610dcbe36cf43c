// SPDX-License-Identifier: BSL-1.0
/// Ceilings that nest: a host that calls tools, which call tools, pushes a policy for each call. What is pushed only
/// ever narrows what is below, whatever it says.
#pragma once

#include "heap.hpp"

#include <cstdlib>
#include <deque>
#include <utility>

namespace cordon {

/// A stack of policies, each within the one below. Belongs to one task: another thread gets a stack of its own that
/// starts where this one stands, `policy_stack other(here.top())`, so that no thread ever runs without a ceiling.
class policy_stack {
public:
  explicit policy_stack(loaded_policy bottom) { policies_.push_back(std::move(bottom)); }
  policy_stack(const policy_stack&) = delete;
  policy_stack& operator=(const policy_stack&) = delete;

  /// What is allowed now.
  [[nodiscard]] const loaded_policy& top() const { return policies_.back(); }
  [[nodiscard]] std::size_t depth() const { return policies_.size(); }

  /// Holds one pushed policy; takes it off at its end. Scopes end in the reverse order of their making.
  class [[nodiscard]] gap_extent {
  public:
    gap_extent(gap_extent&& other) noexcept : stack_(std::exchange(other.stack_, nullptr)), depth_(other.depth_) {}
    gap_extent& operator=(gap_extent&&) = delete;
    ~gap_extent() {
      if (stack_ == nullptr) return;
      // Out of order, a policy would go while somebody still relies on it.
      if (stack_->policies_.size() != depth_) std::abort();
      stack_->policies_.pop_back();
    }

  private:
    friend class policy_stack;
    explicit gap_extent(policy_stack& s) : stack_(&s), depth_(s.policies_.size()) {}
    policy_stack* stack_;
    std::size_t depth_;
  };

  /// Narrows what is allowed to what the policy allows too, until the scope ends. O(n + m).
  gap_extent push(const loaded_policy& p) {
    policies_.push_back(top() & p);
    return gap_extent(*this);
  }

  /// Makes one call stricter; false, with nothing changed, if that profile would be looser than the one in force.
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
  std::deque<loaded_policy> policies_; // references to `top()` stay valid while scopes come and go above
};

} // namespace cordon
