// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/project/member.hpp>

#include <boost/json.hpp>

namespace cordon::detail {

member_list abi_0::members_of_npm(std::string_view text) {
  member_list all;
  boost::system::error_code ec;
  const boost::json::value root = boost::json::parse({text.data(), text.size()}, ec);
  if (ec || !root.is_object()) return all;
  const boost::json::value* list = root.get_object().if_contains("workspaces");
  if (list != nullptr && list->is_object()) list = list->get_object().if_contains("packages");
  if (list == nullptr || !list->is_array()) return all;
  for (const boost::json::value& one : list->get_array())
    if (one.is_string()) add_member(all, {one.get_string().data(), one.get_string().size()});
  return all;
}

} // namespace cordon::detail
