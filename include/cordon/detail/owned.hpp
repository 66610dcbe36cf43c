// SPDX-License-Identifier: BSL-1.0
/// A pointer that owns its object, for classes whose parts a shim defines. <memory> would take every consumer longer to
/// compile than the policy.
#pragma once

#include <utility>

namespace cordon::detail {

/// Deletes its object; null after a move. T may be incomplete until the owner is destroyed or assigned.
template <class T> class owned {
public:
  constexpr owned() = default;
  constexpr explicit owned(T* object) noexcept : object_(object) {}
  constexpr owned(owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  constexpr owned& operator=(owned&& other) noexcept {
    delete std::exchange(object_, std::exchange(other.object_, nullptr));
    return *this;
  }
  constexpr ~owned() { delete object_; }

  [[nodiscard]] constexpr T* operator->() const noexcept { return object_; }
  [[nodiscard]] constexpr T& operator*() const noexcept { return *object_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return object_ != nullptr; }

private:
  T* object_ = nullptr;
};

} // namespace cordon::detail
