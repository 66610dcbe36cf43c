// SPDX-License-Identifier: BSL-1.0
/// Converts internationalised names with the system's functions, which implement IDNA 2003. Names that UTS 46 reads
/// differently are refused: a policy must not mean two hosts on two systems.
#include <cordon/format/idna.hpp>

#include <windows.h>

namespace cordon::format {
namespace {

constexpr int most = 256; // of a label; an encoded one has at most 63

[[nodiscard]] std::wstring wide(std::string_view text) {
  wchar_t out[most];
  const int n =
      ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), static_cast<int>(text.size()), out, most);
  return {out, static_cast<std::size_t>(n)};
}

/// Sharp s, final sigma, joiner and non-joiner: IDNA 2003 replaces or removes them.
[[nodiscard]] bool deviates(std::wstring_view label) {
  return label.find_first_of(L"\u00DF\u03C2\u200C\u200D\u1E9E") != label.npos;
}

[[nodiscard]] std::string ascii(std::wstring_view label) {
  wchar_t out[most];
  const int n = ::IdnToAscii(0, label.data(), static_cast<int>(label.size()), out, most);
  std::string text;
  for (int i = 0; i < n; ++i) text += static_cast<char>(out[i]);
  // A letter that maps to several ASCII characters may produce a dot or a slash.
  const bool good = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == text.npos;
  return good ? text : std::string();
}

} // namespace

std::string idna_label_of_system(std::string_view label) {
  std::wstring written = wide(label);
  if (label.starts_with("xn--")) {
    // A label that does not decode, or that encodes differently again, is invalid.
    wchar_t out[most];
    const int n = ::IdnToUnicode(0, written.data(), static_cast<int>(written.size()), out, most);
    written.assign(out, static_cast<std::size_t>(n));
    if (deviates(written)) return std::string(label);
    return ascii(written) == label ? std::string(label) : std::string();
  }
  return written.empty() || deviates(written) ? std::string() : ascii(written);
}

} // namespace cordon::format
