// SPDX-License-Identifier: BSL-1.0
/// The last member of a JSON object in cordon's own layout, which has a line for each member. Its value is a string
/// about the text without that member, such as a digest.
#pragma once

#include <cordon/format/json_string.hpp>

#include <string>
#include <string_view>

namespace cordon::shim {

/// How such an object ends.
inline constexpr std::string_view object_end = "\n}\n";

/// The text around the value, from the end of the member before to the end of the object.
struct last_member {
  std::string before;
  std::string behind;
};

/// `write(to, value)` writes the member; an empty text occurs in it as the value alone.
template <class F> [[nodiscard]] last_member last_member_of(F&& write) {
  std::string text = format::json_of([&](format::json_string_writer& to) {
    to.resume(json_layout::lines, 1, true);
    write(to, std::string_view());
  });
  text += object_end;
  const std::size_t at = text.rfind("\"\"") + 1;
  return {text.substr(0, at), text.substr(at)};
}

/// The object with that member. Precondition: it ends with `object_end`.
[[nodiscard]] inline std::string with_last_member(std::string_view object, const last_member& m,
                                                  std::string_view value) {
  object.remove_suffix(object_end.size());
  return std::string(object).append(m.before).append(value).append(m.behind);
}

} // namespace cordon::shim
