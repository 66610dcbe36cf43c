// SPDX-License-Identifier: BSL-1.0
/// Stops in the way that its argument names; stop.py reads what it writes.
#include <cordon.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/policy/stack.hpp>

#include <optional>
#include <string_view>

using namespace cordon;
using namespace cordon::dsl;

namespace {

using tiny = basic_policy<fixed_storage<7, 1024>>;
using full = basic_policy<fixed_storage<5, 1024>>;

/// Fills its storage, or all but two slots of it.
template <class Policy> Policy with_hidden(std::string_view place) {
  return policy_of<Policy>({can_read("/"), hidden(place)});
}

int ended(bool in_time) { return in_time ? 0 : 1; }

int end_scopes_out_of_order() {
  policy_stack stack{loaded_policy()};
  std::optional<policy_stack::scope> outer(stack.push(loaded_policy()));
  const auto inner = stack.push(loaded_policy());
  outer.reset();
  return ended(stack.depth() == 0);
}

int stop_in(std::string_view way, std::string_view text) {
  if (way == "policy_of") return ended(policy_of({can_run("/usr"), can_write(text)}).files().empty());
  if (way == "policy_of twice") return ended(policy_of({can_read("/a"), can_write("/a")}).files().empty());
  if (way == "policy_of large")
    return ended(policy_of<basic_policy<fixed_storage<1, 64>>>({can_read("/a"), can_read("/b")}).files().empty());
  if (way == "meet") return ended((with_hidden<full>("/a") & with_hidden<full>("/b")).files().empty());
  if (way == "narrow path") return ended(narrow(policy(), text).files().empty());
  if (way == "narrow")
    return ended(narrow(policy_of<tiny>({can_read("/a/b"), can_read("/a/c"), can_read("/a/d")}), "/a").files().empty());
  if (way == "widen path") return ended(widen(policy(), widening::files{}, text, right::read).files().empty());
  if (way == "widen") {
    tiny p = with_hidden<tiny>("/a");
    for (const char* const place : {"/b", "/c", "/d"}) p = widen(p, widening::files{}, place, right::run);
    return ended(p.files().empty());
  }
  if (way == "widen limit")
    return ended(widen(policy(), widening::limits{}, limit::memory, text.size() - 4).is_default());
  if (way == "limit") return ended(limits().set(limit::cpu, text.size() - 4).has(limit::cpu));
  if (way == "stack") return end_scopes_out_of_order();
  return 2;
}

} // namespace

int main(int count, char** arguments) { return count == 3 ? stop_in(arguments[1], arguments[2]) : 2; }
