// SPDX-License-Identifier: BSL-1.0
/// Receives a program's output: counts it, keeps or forwards it, searches it for denials, and calls the listener.
#pragma once

#include <cordon/run/denials.hpp>
#include <cordon/run/run.hpp>

#include <string_view>
#include <vector>

namespace cordon::shim {

class output_sink {
public:
  /// All arguments must outlive it.
  output_sink(const limits& held, const run_request& request, report& to);

  /// Returns: false if the output exceeds its limit; the excess is dropped. Rethrows exceptions of the listener.
  [[nodiscard]] bool receive(stream from, std::string_view bytes);
  /// Refusals that stderr reported.
  [[nodiscard]] std::vector<denial> take_denials() { return denials_.take(); }

private:
  const limits& held_;
  const run_request& request_;
  report& report_;
  denial_finder denials_;
};

} // namespace cordon::shim
