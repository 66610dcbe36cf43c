// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/refused.hpp>

namespace cordon {

std::string cordon::abi_0::text_of(const reason& why, std::initializer_list<std::string_view> values) {
  std::string out;
  std::string_view rest = why.text;
  for (const std::string_view value : values) {
    const std::size_t at = rest.find("{}");
    out.append(rest.substr(0, at)).append(value);
    rest.remove_prefix(at + 2);
  }
  return out.append(rest);
}

refused refused::with_more(const reason& why, const std::string& more) {
  return {why, std::string(why.text) + more, {more}};
}

} // namespace cordon
