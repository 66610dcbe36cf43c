// SPDX-License-Identifier: BSL-1.0
// Paths: a path that normalize accepts is in normal form, is its own normal form, and equals the result of
// std::filesystem.
#include "must.hpp"

#include <cordon/policy/path.hpp>

#include <filesystem>
#include <string>

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view written = text_of(data, size);
  const path::normal n = path::normalize(written, "/srv/job", "/home/u");
  if (!n) {
    must(n.why != path::flaw::none && !path::explain(n.why).empty());
    return 0;
  }
  must(path::is_normal(n.view()));
  must(path::covers("/", n.view()) && path::covers(n.view(), n.view()));
  const path::normal again = path::normalize(n.view(), {}, {});
  must(again && again.view() == n.view());
  std::string whole(written);
  if (written == "~" || written.starts_with("~/")) whole = "/home/u/" + whole.substr(1);
  else if (!written.starts_with('/')) whole = "/srv/job/" + whole;
  const std::size_t start =
      whole.find_first_not_of('/'); // libstdc++ keeps all slashes of a path that consists of slashes
  whole.erase(0, start == whole.npos ? whole.size() - 1 : start - 1);
  std::string expected = std::filesystem::path(whole).lexically_normal().string();
  if (expected.size() > 1 && expected.back() == '/') expected.pop_back();
  must(n.view() == expected);
  return 0;
}
