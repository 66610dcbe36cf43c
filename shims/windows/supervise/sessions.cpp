// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>
#include <cordon/run/session.hpp>

namespace cordon {

std::vector<session> cordon::abi_0::sessions() { return {}; }

void cordon::abi_0::remove_session(std::string_view) { throw refused::because<reasons::session_elsewhere>(); }

} // namespace cordon
