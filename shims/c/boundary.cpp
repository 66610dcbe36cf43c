// SPDX-License-Identifier: BSL-1.0
#include "boundary.hpp"

#include <cordon/format/utf8.hpp>
#include <cordon/version.hpp>

#include <cstdlib>
#include <cstring>

namespace cordon::c {

char* owned(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void store_error(char** error, std::string_view what) noexcept {
  if (error == nullptr) return;
  try {
    *error = owned(format::printable(what));
  } catch (...) { *error = nullptr; }
}

} // namespace cordon::c

int cordon_api_version() { return 0; }

const char* cordon_version() { return cordon::version.data(); } // of a literal, so it ends with a zero byte

void cordon_free(char* text) { std::free(text); }
