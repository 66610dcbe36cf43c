// SPDX-License-Identifier: BSL-1.0
#include "output_sink.hpp"

#include "../host.hpp"

namespace cordon::shim {

output_sink::output_sink(const limits& held, const run_request& request, report& to)
    : held_(held), request_(request), report_(to) {
  if (request.keep) {
    to.output = captured_output(*request.keep);
    to.error = captured_output(*request.keep);
  }
}

bool output_sink::receive(stream from, std::string_view bytes) {
  std::uint64_t& written = report_.ended.output_bytes;
  const std::uint64_t room = held_[limit::output] - written;
  const bool fits = bytes.size() <= room;
  if (!fits) bytes = bytes.substr(0, static_cast<std::size_t>(room));
  written += bytes.size();
  if (bytes.empty()) return fits;
  if (from == stream::error) denials_.add(bytes);
  if (request_.keep) (from == stream::output ? report_.output : report_.error).add(bytes);
  else write_on(from, bytes);
  if (request_.on_output) request_.on_output(from, bytes);
  return fits;
}

} // namespace cordon::shim
