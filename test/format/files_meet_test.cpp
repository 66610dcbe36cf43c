// SPDX-License-Identifier: BSL-1.0
/// The table of meets of the files axis.
#include "ask.hpp"

#include <cordon/format/write.hpp>

#include <algorithm>
#include <set>

using namespace cordon;

namespace {

struct named {
  std::string name;
  loaded_policy policy;
};

/// Grants as a set, whatever their order and that of their rights; a word as itself.
std::set<std::string> grants(const ask::bj::value& files) {
  if (files.is_string()) return {ask::text(files)};
  std::set<std::string> all;
  for (const auto& g : files.as_array()) {
    const auto& rights = g.at("rights");
    std::set<std::string> words;
    if (rights.is_string()) words.insert(ask::text(rights));
    else
      for (const auto& r : rights.as_array()) words.insert(ask::text(r));
    std::string line = ask::text(g.at("path"));
    for (const std::string& w : words) line += " " + w;
    all.insert(line);
  }
  return all;
}

std::set<std::string> files_of(const std::string& canonical) {
  const auto document = ask::bj::parse(canonical).as_object();
  const auto* files = document.if_contains("files");
  return files == nullptr ? std::set<std::string>{"any"} : grants(*files);
}

/// The meets of all the policies in this order, grouped from the left and from the right.
std::vector<loaded_policy> groupings(const std::vector<const loaded_policy*>& order) {
  loaded_policy left = *order.front(), right = *order.back();
  for (std::size_t i = 1; i < order.size(); ++i) left = left & *order[i];
  for (std::size_t i = order.size() - 1; i-- > 0;) right = *order[i] & right;
  return {left, right};
}

} // namespace

TEST_CASE("files_meet: the table, in every order and grouping") {
  int meets = 0;
  for (const auto& value : ask::cases("files_meet.json", 13)) {
    const auto& c = value.as_object();
    CAPTURE(ask::text(c, "name"));
    std::vector<named> all;
    for (const auto& d : c.at("documents").as_object())
      all.push_back({std::string(d.key()), ask::load(d.value(), ask::host(c))});
    std::vector<const loaded_policy*> order;
    for (const named& n : all) order.push_back(&n.policy);
    std::sort(order.begin(), order.end());
    std::string canonical;
    do
      for (const loaded_policy& m : groupings(order)) {
        if (canonical.empty()) canonical = format::write_json(m);
        CHECK(format::write_json(m) == canonical);
        CHECK(files_of(canonical) == grants(c.at("meet_files")));
        for (const named& n : all) CHECK(m <= n.policy);
        for (const auto& q : c.at("questions").as_array()) {
          const auto& o = q.as_object();
          CAPTURE(ask::bj::serialize(q));
          CHECK(std::string(name(ask::about(m, o).ruling)) == ask::text(o, "meet"));
          for (const named& n : all)
            CHECK(std::string(name(ask::about(n.policy, o).ruling)) == ask::text(o, n.name.c_str()));
        }
        ++meets;
      }
    while (std::next_permutation(order.begin(), order.end()));
  }
  CHECK(meets >= 11 * 4 + 2 * 12);
}
