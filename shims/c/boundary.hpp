// SPDX-License-Identifier: BSL-1.0
/// What every function of the C interface does: texts that the caller owns, and exceptions that become errors.
#pragma once

// The library hides its own names; those that this header declares are its interface.
#pragma GCC visibility push(default)
#include <cordon.h>
#pragma GCC visibility pop

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cordon::c {

/// Returns: a copy for the caller, up to the first zero byte. Throws: std::bad_alloc.
[[nodiscard]] char* owned(const std::string& text);
/// Stores an error, escaped for a terminal. If memory is missing, it stores NULL.
void store_error(char** error, std::string_view what) noexcept;

/// Throws: std::invalid_argument if a pointer that is needed is NULL.
template <class T> [[nodiscard]] T& needed(T* pointer, const char* what) {
  if (pointer == nullptr) throw std::invalid_argument(std::string(what) + " is NULL, but needed; pass one");
  return *pointer;
}

/// Stores a text for the caller if one is requested.
inline void give(char** to, const std::string& text) {
  if (to != nullptr) *to = owned(text);
}

/// Calls `body`, and turns what it throws into `failed` and an error text.
template <class Result, class Body> [[nodiscard]] Result guarded(char** error, Result failed, Body&& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    store_error(error, "not enough memory; free some, and call again");
  } catch (const std::exception& e) { store_error(error, e.what()); } catch (...) {
    store_error(error, "a callback threw an exception of an unknown type; throw a std::exception, or none");
  }
  return failed;
}

} // namespace cordon::c
