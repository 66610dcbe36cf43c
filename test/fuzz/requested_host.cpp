// SPDX-License-Identifier: BSL-1.0
// Requested hosts: the canonical form of a host requests the same, and a URL means the same to Boost.URL.
#include "must.hpp"

#include <cordon/format/host_text.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/src.hpp>
#include <boost/url/url_view.hpp>

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(text_of(data, size));
  const host::requested_host a = format::parse_requested_host(text);
  must(host::decide(host::any_host, a).allowed() == (a.how == host::asking::host));
  must(!host::decide({}, a).allowed());
  if (a.how != host::asking::host) return 0;
  must(a.port != 0);
  const std::string name(host::text_of(a).view());
  const bool v6 = a.is_address && a.address.family == host::family::v6;
  const host::requested_host again =
      format::parse_requested_host((v6 ? "[" + name + "]" : name) + ":" + std::to_string(a.port));
  must(again.how == host::asking::host && again.port == a.port && again.is_address == a.is_address);
  must(host::text_of(again).view() == name);

  const std::size_t scheme = text.find("://");
  if (scheme == text.npos) return 0;
  // Only up to the path: cordon ignores the rest, and Boost.URL checks it strictly.
  const std::string origin = text.substr(0, text.find_first_of("/?#", scheme + 3));
  const auto read = boost::urls::parse_uri(origin);
  if (!read || read->encoded_host().find('%') != boost::urls::string_view::npos) return 0;
  must(!read->has_userinfo());
  std::string theirs(read->encoded_host());
  if (!theirs.empty() && theirs.front() == '[') theirs = theirs.substr(1, theirs.size() - 2);
  const host::requested_host same = format::parse_requested_host(v6 ? "[" + theirs + "]" : theirs);
  // Boost 1.81 parses a prefix like an IPv4 address as that address, and the rest as a path.
  if (origin.find(theirs) + theirs.size() < origin.size() && read->has_port() == false && !v6) return 0;
  must(same.how == host::asking::host && host::text_of(same).view() == name);
  return 0;
}
