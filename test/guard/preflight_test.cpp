// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../host/lists.hpp"
#include "preflight_rows.hpp"

#include <cordon/guard/preflight.hpp>

#include <string>
#include <utility>

namespace guard_preflight_test {

using namespace cordon;
using preflight_rows::row;

namespace {

constexpr std::size_t size_of(const row& r) {
  std::size_t size = 0;
  while (size != r.argv.size() && r.argv[size].data() != nullptr) ++size;
  return size;
}

/// Is the host of the row found, for that reason? `argument` 0: none is found.
template <class Storage> constexpr bool is_answered(const row& r) {
  const lists::axis<Storage> hosts(r.hosts);
  bool as_told = r.argument == 0;
  const guard_finding f =
      check_requested_hosts(std::span(r.argv.data(), size_of(r)), hosts.view(), [&](const host::judged_host& h) {
        as_told = h.written == r.host && h.why == r.why && (h.port != 0 || h.why != preflight_rows::port);
      });
  return hosts.fine && as_told && f.refused() == (r.argument != 0) && f.argument == r.argument;
}

template <const auto& Rows, std::size_t I> constexpr bool proven() {
  static_assert(is_answered<fixed_storage<8, 200>>(Rows[I]));
  return true;
}
template <const auto& Rows, std::size_t... I> constexpr bool all_proven(std::index_sequence<I...>) {
  return (proven<Rows, I>() && ...);
}
/// Each row is proven by the compiler and executed too.
template <const auto& Rows> void check_rows() {
  static_assert(all_proven<Rows>(std::make_index_sequence<std::size(Rows)>{}));
  for (const row& r : Rows) {
    for (std::size_t i = 0; i < size_of(r); ++i) INFO(std::string(r.argv[i]));
    CAPTURE(&r - std::data(Rows));
    CAPTURE(r.argv[0]);
    CHECK(is_answered<heap>(r));
  }
}

} // namespace

TEST_CASE("preflight: allowed hosts and words that are not hosts pass") { check_rows<preflight_rows::allowed>(); }
TEST_CASE("preflight: refused hosts have their reason") { check_rows<preflight_rows::refused>(); }

TEST_CASE("preflight: an empty command line passes") {
  HOLDS(!check_requested_hosts({}, host_axis{}).refused());
  static constexpr std::string_view alone[]{"curl"}, empty[]{""}, cut[]{"curl", "-x"};
  HOLDS(!check_requested_hosts(alone, host_axis{}).refused());
  HOLDS(!check_requested_hosts(empty, host_axis{}).refused());
  HOLDS(!check_requested_hosts(cut, host_axis{}).refused());
}

TEST_CASE("preflight: a row lists each program once for each command") {
  for (const guard::host_tool& a : guard::host_tools) {
    CHECK(!a.names.empty());
    CHECK((a.port_options.empty() || a.port != 0));
    for (const guard::host_tool& b : guard::host_tools)
      CHECK((&a == &b || a.command != b.command ||
             guard::find_word(a.names, [&](std::string_view n) { return guard::has_word(b.names, n); }).empty()));
  }
}

TEST_CASE("preflight: hosts of the request are checked") {
  const lists::large hosts("example.com:443 *.org !evil.org");
  const auto why = [&](std::string_view text) {
    return judge_requested_host(text, host::parse_requested_host(text), hosts.view()).why;
  };
  CHECK(why("example.com") == host::refusal::none);
  CHECK(why("https://example.com/x") == host::refusal::none);
  CHECK(why("example.com:80") == host::refusal::port);
  CHECK(why("http://example.com") == host::refusal::port);
  CHECK(why("other.example") == host::refusal::unlisted);
  CHECK(why("a.evil.org") == host::refusal::denied);
  CHECK(why("ftp://example.com/") == host::refusal::scheme);
  CHECK(why("a..b") == host::refusal::unreadable);
  CHECK(judge_requested_host("a..b", host::parse_requested_host("a..b"), host::any_host).is_refused());
  CHECK(!judge_requested_host("ftp://a.b", host::parse_requested_host("ftp://a.b"), host::any_host).is_refused());
}

} // namespace guard_preflight_test
