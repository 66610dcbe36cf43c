// SPDX-License-Identifier: BSL-1.0
// Documents: a valid one has a canonical form that means the same and is its own canonical form. A refused one gets a
// position and a message.
#include "must.hpp"

#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const format::host_facts facts{platform::linux_, "/home/u", "/srv/job", nullptr};
  loaded_policy p;
  try {
    p = format::lower_lexically(format::read("f", std::string(text_of(data, size)), facts), facts);
  } catch (const format::bad_document& e) {
    must(e.code() != diagnostic_code::ok && std::string_view(e.what()).starts_with("f:"));
    return 0;
  }
  if (!format::can_be_json(p)) return 0;
  const std::string canonical = format::write_json(p);
  const loaded_policy again = format::lower_lexically(format::read("g", canonical, facts), facts);
  must(again == p && format::write_json(again) == canonical);
  return 0;
}
