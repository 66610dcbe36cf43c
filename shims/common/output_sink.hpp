// SPDX-License-Identifier: BSL-1.0
/// Where goes what a program writes: it is counted, kept or written on, looked at, and told.
#pragma once

#include <cordon/run/denials.hpp>
#include <cordon/run/run.hpp>

#include <string_view>
#include <vector>

namespace cordon::shim {

class output_sink {
public:
  /// All of them outlive it.
  output_sink(const limits& held, const run_request& request, report& to);

  /// False for more than the limit of output allows, which is left out. What the listener throws leaves it.
  [[nodiscard]] bool receive(stream from, std::string_view bytes);
  /// What stderr said of refusals.
  [[nodiscard]] std::vector<denial> take_denials() { return denials_.take(); }

private:
  const limits& held_;
  const run_request& request_;
  report& told_;
  denial_finder denials_;
};

} // namespace cordon::shim
